# SPDX-License-Identifier: Apache-2.0
# vm = 0: bit 0 of v0[i] governs lane i, other bits do not count; lanes
# without it keep their value.  vmerge selects by the same bit, mask logic is
# bitwise on whole elements.
#
# @grid 64 @local 64
# @in a u32 [i * 3 + 1 for i in range(64)]
# @in m u32 [(1, 2, 3, 0xfffffffe, 0xffffffff, 0)[i % 6] for i in range(64)]
# @inout w u32 [1000 + i for i in range(64)]
# @out r u32 64*9
# @expect r[:64] = [i + 100 if q & 1 else p for i, (p, q) in enumerate(zip(a, m))]
# @expect r[64:128] = [i == p + 1 - 2 * i if q & 1 else 77 for i, (p, q) in enumerate(zip(a, m))]
# @expect r[128:192] = [i if q & 1 else p for i, (p, q) in enumerate(zip(a, m))]
# @expect r[192:256] = [0xabcdef if q & 1 else p for p, q in zip(a, m)]
# @expect r[256:320] = [-3 if q & 1 else p for p, q in zip(a, m)]
# @expect r[320:384] = [p & ~q for p, q in zip(a, m)]
# @expect r[384:448] = [~(p ^ q) for p, q in zip(a, m)]
# @expect r[448:512] = [p | ~q for p, q in zip(a, m)]
# @expect r[512:] = [1000 + i if q & 1 else 5 for i, q in enumerate(m)]
# @expect w = [p if q & 1 else 1000 + i for i, (p, q) in enumerate(zip(a, m))]

    .include "kernel.inc"
begin vector_mask, 3
    fetch   v1, 0
    fetch   v0, 1
    vmv.v.v v3, v1
    li      a1, 100
    vadd.vx v3, v30, a1, v0.t
    emit    v3, 0
    li      a2, 77
    vmv.v.x v3, a2
    vadd.vi v4, v1, 1           # 3 i + 2
    vsub.vv v4, v4, v30
    vsub.vv v4, v4, v30         # i + 2: never i
    vmseq.vv v3, v30, v4, v0.t
    emit    v3, 1
    vmerge.vvm v3, v1, v30, v0
    emit    v3, 2
    li      a1, 0xabcdef
    vmerge.vxm v3, v1, a1, v0
    emit    v3, 3
    vmerge.vim v3, v1, -3, v0
    emit    v3, 4
    vmandn.mm v3, v1, v0
    emit    v3, 5
    vmxnor.mm v3, v1, v0
    emit    v3, 6
    vmorn.mm v3, v1, v0
    emit    v3, 7
    lw      a1, 8(a0)
    li      a2, 1000
    vmv.v.i v3, 5
    vluxei32.v v3, (a1), v29, v0.t
    emit    v3, 8
    vsuxei32.v v1, (a1), v29, v0.t
    ret
