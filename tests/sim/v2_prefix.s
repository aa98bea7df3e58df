# SPDX-License-Identifier: Apache-2.0
# Version 2: a prefix takes the absolute value of sources, then the negative;
# bit 0 is source 1, bit 1 source 2; pairs and wider immediates as regpair
# and regexti.
#
# @grid 64 @local 64 @isa 2
# @in a f32 [(1.5, -2.5)[i % 2] * (i + 1) for i in range(64)]
# @in b f32 [(-4.0, 8.0, -16.0)[i % 3] for i in range(64)]
# @out r f32 64*8
# @expect r[:64] = [p + abs(q) for p, q in zip(a, b)]
# @expect r[64:128] = [abs(p) + q for p, q in zip(a, b)]
# @expect r[128:192] = [p - q for p, q in zip(a, b)]
# @expect r[192:256] = [-p * q for p, q in zip(a, b)]
# @expect r[256:320] = [-abs(p) - abs(q) for p, q in zip(a, b)]
# @expect r[320:384] = [p + q for p, q in zip(a, b)]
# @expect r[384:448] = [float(-i - 5) for i in range(64)]
# @expect r[448:] = [float(i - 700) for i in range(64)]

    .include "kernel.inc"
begin v2_prefix, 2, 8
    fetch   v1, 0, 8
    fetch   v2, 1, 8
    prefix  0, abs=1
    vfadd.vv v3, v1, v2         # vs2 is source 2, vs1 source 1
    emit    v3, 0
    prefix  0, abs=2
    vfadd.vv v3, v1, v2
    emit    v3, 1
    prefix  0, neg=1
    vfadd.vv v3, v1, v2
    emit    v3, 2
    prefix  0, neg=2
    vfmul.vv v3, v1, v2
    emit    v3, 3
    prefix  0, abs=3, neg=3
    vfadd.vv v3, v1, v2
    emit    v3, 4
    vfadd.vv v3, v1, v2         # the next one only
    emit    v3, 5
    vmv.v.i v4, -5
    prefix  0, abs=1, neg=3
    vadd.vv v3, v30, v4         # integers: -thread + -|-5|
    vfcvt.f.x.v v3, v3
    emit    v3, 6
    vadd.vi v40, v30, -700      # prefixi and registers above 31
    vfcvt.f.x.v v3, v40
    emit    v3, 7
    ret
