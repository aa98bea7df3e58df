# SPDX-License-Identifier: Apache-2.0
# LR and SC on vectors: a lane's sc.w stores if its reservation still stands
# and returns 0; a second one fails with 1 and stores nothing.
#
# @grid 64 @local 64
# @inout w u32 [i * 3 for i in range(64)]
# @out r u32 64*3
# @expect r[:64] = [i * 3 for i in range(64)]
# @expect r[64:128] = [0] * 64
# @expect r[128:] = [1] * 64
# @expect w = [i * 3 + 1 for i in range(64)]

    .include "kernel.inc"
begin lrsc, 1
    lw      a1, 0(a0)
    vadd.vx v1, v29, a1
    lr.w    v3, (v1)
    vadd.vi v4, v3, 1
    sc.w    v5, v4, (v1)
    vmv.v.i v4, 0
    sc.w    v6, v4, (v1)
    emit    v3, 0
    emit    v5, 1
    emit    v6, 2
    ret
