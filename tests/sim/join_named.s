# SPDX-License-Identifier: Apache-2.0
# A join that finds nothing on the stack passes if the rpc has named it, written
# by setrpc or as a CSR; any other is a fault (fault_join.s).
#
# @grid 64 @local 64 @set join_check=yes
# @out r u32 64*2
# @expect r[:64] = [1] * 64
# @expect r[64:] = [2] * 64

    .include "kernel.inc"
begin named, 0
    la      t3, 2f
    csrw    rpc, t3
    vmv.v.i v5, 1
2:  join
    emit    v5, 0
    meet    2f
    vmv.v.i v5, 2
2:  join
    emit    v5, 1
    ret
