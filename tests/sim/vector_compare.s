# SPDX-License-Identifier: Apache-2.0
# A compare writes 0 or 1 into each lane (semantics.md, Masks and compares), not
# bits of a mask.
#
# @grid 64 @local 64
# @in a i32 [(-2147483648, -1, 0, 1, 2147483647, 7, -16)[i % 7] for i in range(64)]
# @in b i32 [(-1, 0, 7, -16, 1)[i % 5] for i in range(64)]
# @out r u32 64*16
# @def u(v): return v % 2**32
# @expect r[:64] = [p == q for p, q in zip(a, b)]
# @expect r[64:128] = [p != q for p, q in zip(a, b)]
# @expect r[128:192] = [p < q for p, q in zip(a, b)]
# @expect r[192:256] = [u(p) < u(q) for p, q in zip(a, b)]
# @expect r[256:320] = [p <= q for p, q in zip(a, b)]
# @expect r[320:384] = [u(p) <= u(q) for p, q in zip(a, b)]
# @expect r[384:448] = [p > 7 for p in a]
# @expect r[448:512] = [u(p) > 7 for p in a]
# @expect r[512:576] = [p == -16 for p in a]
# @expect r[576:640] = [p != 7 for p in a]
# @expect r[640:704] = [p <= -1 for p in a]
# @expect r[704:768] = [u(p) <= 2**32 - 1 for p in a]
# @expect r[768:832] = [p > -16 for p in a]
# @expect r[832:896] = [u(p) > 2**32 - 16 for p in a]
# @expect r[896:960] = [p < 7 for p in a]
# @expect r[960:] = [u(p) < 7 for p in a]

    .include "kernel.inc"
begin vector_compare, 2
    fetch   v1, 0
    fetch   v2, 1
    li      a1, 7
    vmseq.vv v3, v1, v2
    emit    v3, 0
    vmsne.vv v3, v1, v2
    emit    v3, 1
    vmslt.vv v3, v1, v2
    emit    v3, 2
    vmsltu.vv v3, v1, v2
    emit    v3, 3
    vmsle.vv v3, v1, v2
    emit    v3, 4
    vmsleu.vv v3, v1, v2
    emit    v3, 5
    vmsgt.vx v3, v1, a1
    emit    v3, 6
    vmsgtu.vx v3, v1, a1
    emit    v3, 7
    vmseq.vi v3, v1, -16
    emit    v3, 8
    vmsne.vx v3, v1, a1
    emit    v3, 9
    vmsle.vi v3, v1, -1
    emit    v3, 10
    vmsleu.vi v3, v1, -1        # the immediate's sign first, then unsigned
    emit    v3, 11
    vmsgt.vi v3, v1, -16
    emit    v3, 12
    vmsgtu.vi v3, v1, -16
    emit    v3, 13
    vmslt.vx v3, v1, a1
    emit    v3, 14
    vmsltu.vx v3, v1, a1
    emit    v3, 15
    ret
