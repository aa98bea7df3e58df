# SPDX-License-Identifier: Apache-2.0
# Version 2: widening arithmetic into pairs; the .w forms take pairs on both
# sides, other than in RVV.
#
# @grid 64 @local 64 @isa 2
# @in a u32 [(0xffffffff, 0x80000000, 5, 0x7fffffff)[i % 4] for i in range(64)]
# @in b u32 [(0xffffffff, 3, 0x80000000)[i % 3] for i in range(64)]
# @out r u64 64*14
# @def s(v): return v - 2**32 if v >= 2**31 else v
# @expect r[:64] = [p + q for p, q in zip(a, b)]
# @expect r[64:128] = [s(p) + s(q) for p, q in zip(a, b)]
# @expect r[128:192] = [p - q for p, q in zip(a, b)]
# @expect r[192:256] = [s(p) - s(q) for p, q in zip(a, b)]
# @expect r[256:320] = [p * q for p, q in zip(a, b)]
# @expect r[320:384] = [s(p) * s(q) for p, q in zip(a, b)]
# @expect r[384:448] = [s(p) * q for p, q in zip(a, b)]
# @expect r[448:512] = [s(p) - 2 for p in a]
# @expect r[512:576] = [p + 2**32 - 2 for p in a]
# @expect r[576:640] = [p * q + s(p) * s(q) for p, q in zip(a, b)]
# @expect r[640:704] = [p * q + i for i, (p, q) in enumerate(zip(a, b))]
# @expect r[704:768] = [s(p) * s(q) + i for i, (p, q) in enumerate(zip(a, b))]
# @expect r[768:832] = [s(p) * q + i for i, (p, q) in enumerate(zip(a, b))]
# @expect r[832:] = [(2**32 - 2) * s(q) + i for i, q in enumerate(b)]

    .include "kernel.inc"
.macro emit64 n                 # [v9:v8]
    li      t0, 512*(\n)
    add     t0, t0, s1
    vadd.vx v27, v25, t0
    vsw12.v v8, 0(v27)
    vsw12.v v9, 4(v27)
.endm
.macro thread                   # [v9:v8] = thread
    vmv.v.v v8, v30
    vmv.v.i v9, 0
.endm
begin v2_widen, 2, 8
    vsll.vi v25, v30, 3
    fetch   v1, 0, 8
    fetch   v2, 1, 8
    li      a1, -2
    vwaddu.vv [v9:v8], v1, v2
    emit64  0
    vwadd.vv [v9:v8], v1, v2
    emit64  1
    vwsubu.vv [v9:v8], v1, v2
    emit64  2
    vwsub.vv [v9:v8], v1, v2
    emit64  3
    vwmulu.vv [v11:v10], v1, v2
    vmv.v.v v8, v10
    vmv.v.v v9, v11
    emit64  4
    vwmul.vv [v13:v12], v1, v2
    vmv.v.v v8, v12
    vmv.v.v v9, v13
    emit64  5
    vwmulsu.vv [v9:v8], v1, v2  # vs2 signed, vs1 not
    emit64  6
    vwadd.vx [v9:v8], v1, a1
    emit64  7
    vwaddu.vx [v9:v8], v1, a1
    emit64  8
    vwadd.wv [v9:v8], [v11:v10], [v13:v12]
    emit64  9
    thread
    vwmaccu.vv [v9:v8], v1, v2
    emit64  10
    thread
    vwmacc.vv [v9:v8], v1, v2
    emit64  11
    thread
    vwmaccsu.vv [v9:v8], v1, v2 # vs1 signed: the first one here
    emit64  12
    thread
    vwmaccus.vx [v9:v8], a1, v2 # rs1 unsigned, vs2 signed
    emit64  13
    ret
