# SPDX-License-Identifier: Apache-2.0
# A jump to where no code is, and its return address is lost.
#
# @grid 1 @local 1
# @out x u32 4
# @fault access without permission
# @fault at pc 0x90000000

    .text
    .globl  jump
jump:
    lw      t0, 0(a0)
    jr      t0
