# SPDX-License-Identifier: Apache-2.0
# The eight fused families round once: with x = 1 + 2^-12, x * x - 1 - 2^-11
# is exactly 2^-24, which a product rounded by itself would lose.
#
# @grid 64 @local 64
# @in x f32 [1 + 2**-12] * 64
# @in y f32 [1 + 2**-11] * 64
# @out r f32 64*12
# @def P(): return (1 + 2**-12)**2
# @def Y(): return 1 + 2**-11
# @expect r[:64] = [P() - Y()] * 64
# @expect r[64:128] = [-P() + Y()] * 64
# @expect r[128:192] = [P() - Y()] * 64
# @expect r[192:256] = [-P() + Y()] * 64
# @expect r[256:320] = [2**-24] * 64
# @expect r[320:384] = [-2**-24] * 64
# @expect r[384:448] = [2**-24] * 64
# @expect r[448:512] = [-2**-24] * 64
# @expect r[512:576] = [3.0 * i + 2 for i in range(64)]
# @expect r[576:640] = [-3.0 * 2 - i for i in range(64)]
# @expect r[640:704] = [2**-24] * 64
# @expect r[704:] = [-2**-24] * 64

    .include "kernel.inc"
begin float_fma, 2
    fetch   v1, 0
    fetch   v2, 1
    vfneg.v v4, v2
    vmv.v.v v3, v4
    vfmacc.vv v3, v1, v1        # vs1 * vs2 + vd
    emit    v3, 0
    vmv.v.v v3, v4
    vfnmacc.vv v3, v1, v1       # -(vs1 * vs2) - vd
    emit    v3, 1
    vmv.v.v v3, v2
    vfmsac.vv v3, v1, v1        # vs1 * vs2 - vd
    emit    v3, 2
    vmv.v.v v3, v2
    vfnmsac.vv v3, v1, v1       # -(vs1 * vs2) + vd
    emit    v3, 3
    vmv.v.v v3, v1
    vfmadd.vv v3, v1, v4        # vs1 * vd + vs2
    emit    v3, 4
    vmv.v.v v3, v1
    vfnmadd.vv v3, v1, v4       # -(vs1 * vd) - vs2
    emit    v3, 5
    vmv.v.v v3, v1
    vfmsub.vv v3, v1, v2        # vs1 * vd - vs2
    emit    v3, 6
    vmv.v.v v3, v1
    vfnmsub.vv v3, v1, v2       # -(vs1 * vd) + vs2
    emit    v3, 7
    vfcvt.f.xu.v v5, v30
    li      a1, 0x40400000      # 3
    li      a2, 0x40000000      # 2
    vfmv.v.f v6, a2
    vmv.v.v v3, v5
    vfmadd.vf v3, a1, v6
    emit    v3, 8
    vmv.v.v v3, v5
    vfnmacc.vf v3, a1, v6
    emit    v3, 9
    vfmv.f.s a3, v1             # the scalar ones on x registers
    vfmv.f.s a4, v2
    fmsub.s t3, a3, a3, a4
    vfmv.v.f v3, t3
    emit    v3, 10
    fnmsub.s t3, a3, a3, a4
    vfmv.v.f v3, t3
    emit    v3, 11
    ret
