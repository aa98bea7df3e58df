# SPDX-License-Identifier: Apache-2.0
# A swap that changes nothing in any lane ends its warp's turn early (a lock that is taken);
# the instructions after it, of the same block, run all the same.
#
# @grid 64 @local 64
# @inout w i32 [7] * 16
# @out r i32 64*2
# @expect r[:64] = [7] * 64
# @expect r[64:] = [i + 8 for i in range(64)]
# @expect w = [7] * 16

    .include "kernel.inc"
begin swap_changes_nothing, 1
    lw      a1, 0(a0)
    vmv.v.x v1, a1
    vmv.v.i v2, 7
    amoswap.w v3, v2, (v1)
    vadd.vv v4, v3, v30
    vadd.vi v4, v4, 1
    emit    v3, 0
    emit    v4, 1
    ret
