# SPDX-License-Identifier: Apache-2.0
# Which side of a thread branch runs first (semantics.md, Vector branches): the
# one with fewer lanes, on a tie the taken one; nothing is pushed if one side is
# empty.  A counter of the warp, stepped on each side, tells.
#
# @grid 64 @local 64
# @out r u32 64*5
# @def order(k, n): return [((1 if i < k else 2) if 2 * k <= n else (2 if i < k else 1)) for i in range(n)]
# @expect r[:64] = order(1, LANES) * (64 // LANES)
# @expect r[64:128] = order(LANES // 2, LANES) * (64 // LANES)
# @expect r[128:192] = order(LANES - 1, LANES) * (64 // LANES)
# @expect r[192:256] = [1] * 64
# @expect r[256:] = [1] * 64

    .include "kernel.inc"
.macro split row                # lanes below v2 branch
    li      s3, 0
    meet    3f
    vblt    v1, v2, 2f
    addi    s3, s3, 1
    vmv.v.x v5, s3
    j       3f
2:  addi    s3, s3, 1
    vmv.v.x v5, s3
3:  join
    emit    v5, \row
.endm
begin branch_order, 0
    vid.v   v1
    csrr    s4, numt
    vmv.v.i v2, 1
    split   0
    srli    a1, s4, 1
    vmv.v.x v2, a1
    split   1
    addi    a1, s4, -1
    vmv.v.x v2, a1
    split   2
    vmv.v.i v2, 0
    split   3
    vmv.v.x v2, s4
    split   4
    ret
