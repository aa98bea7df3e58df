# SPDX-License-Identifier: Apache-2.0
# The six thread branches compare vs2 with vs1, in this order (semantics.md,
# Vector branches).
#
# @grid 64 @local 64
# @in a i32 [(-5, 0, 5, -2147483648, 2147483647)[i % 5] for i in range(64)]
# @in b i32 [(-5, 5, 0)[i % 3] for i in range(64)]
# @out r u32 64*6
# @def u(v): return v % 2**32
# @expect r[:64] = [p == q for p, q in zip(a, b)]
# @expect r[64:128] = [p != q for p, q in zip(a, b)]
# @expect r[128:192] = [p < q for p, q in zip(a, b)]
# @expect r[192:256] = [p >= q for p, q in zip(a, b)]
# @expect r[256:320] = [u(p) < u(q) for p, q in zip(a, b)]
# @expect r[320:] = [u(p) >= u(q) for p, q in zip(a, b)]

    .include "kernel.inc"
.macro try op, row
    vmv.v.i v3, 1
    meet    2f
    \op     v1, v2, 2f
    vmv.v.i v3, 0
2:  join
    emit    v3, \row
.endm
begin branch_kinds, 2
    fetch   v1, 0
    fetch   v2, 1
    try     vbeq, 0
    try     vbne, 1
    try     vblt, 2
    try     vbge, 3
    try     vbltu, 4
    try     vbgeu, 5
    ret
