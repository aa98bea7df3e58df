# SPDX-License-Identifier: Apache-2.0
# Floating-point compares write 0 or 1 per lane; with a NaN only vmfne holds.
#
# @grid 64 @local 64
# @in a f32 [(0.0, -0.0, 1.5, -2.0, math.inf, math.nan, -math.inf)[i % 7] for i in range(64)]
# @in b f32 [(1.5, 0.0, math.nan, -math.inf, -2.0)[i % 5] for i in range(64)]
# @out r u32 64*8
# @expect r[:64] = [p == q for p, q in zip(a, b)]
# @expect r[64:128] = [p != q for p, q in zip(a, b)]
# @expect r[128:192] = [p < q for p, q in zip(a, b)]
# @expect r[192:256] = [p <= q for p, q in zip(a, b)]
# @expect r[256:320] = [p > 1.5 for p in a]
# @expect r[320:384] = [p >= 1.5 for p in a]
# @expect r[384:448] = [p < 1.5 for p in a]
# @expect r[448:] = [p != 1.5 for p in a]

    .include "kernel.inc"
begin float_compare, 2
    fetch   v1, 0
    fetch   v2, 1
    li      a1, 0x3fc00000      # 1.5
    vmfeq.vv v3, v1, v2
    emit    v3, 0
    vmfne.vv v3, v1, v2
    emit    v3, 1
    vmflt.vv v3, v1, v2
    emit    v3, 2
    vmfle.vv v3, v1, v2
    emit    v3, 3
    vmfgt.vf v3, v1, a1
    emit    v3, 4
    vmfge.vf v3, v1, a1
    emit    v3, 5
    vmflt.vf v3, v1, a1
    emit    v3, 6
    vmfne.vf v3, v1, a1
    emit    v3, 7
    ret
