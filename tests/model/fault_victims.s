# SPDX-License-Identifier: Apache-2.0
# An L1D that waits for itself, as that of the Chisel design: the message names it.
#
# @grid 1024 @local 32 @lanes 32 @set deadlock=20000
# @zeros a 8*1024*32
# @zeros b 0x40000
# @fault the L1D of SM
# @fault a fault of the RTL; faults=mended lets them pass

    .include "victims.inc"
    .ventus_kernel fault_victims, sgpr=32, vgpr=16
    stores_and_victims fault_victims, 4
