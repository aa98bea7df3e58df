/* SPDX-License-Identifier: Apache-2.0 */
/* One format of fp_sem.c. */
#include "isa/softfloat_format.h"

static FP_UINT
FP(number)(int n)
{
    unsigned flags = 0;
    return FP(from_int)(n, FP_RNE, &flags);
}

static void
FP(check_arithmetic)(void)
{
    FP_UINT two = FP(number)(2), eight = FP(number)(8);
    unsigned f = 0;
    CHECK_EQ(SEM(fadd)(two, eight, FP_RNE, &f), FP(number)(10));
    CHECK_EQ(SEM(fsub)(two, eight, FP_RNE, &f), FP(number)(-6));
    CHECK_EQ(SEM(frsub)(two, eight, FP_RNE, &f), FP(number)(6));
    CHECK_EQ(SEM(fmul)(two, eight, FP_RNE, &f), FP(number)(16));
    CHECK_EQ(SEM(fdiv)(eight, two, FP_RNE, &f), FP(number)(4));
    CHECK_EQ(SEM(frdiv)(two, eight, FP_RNE, &f), FP(number)(4));
    CHECK_EQ(SEM(fsqrt)(FP(number)(49), FP_RNE, &f), FP(number)(7));
    CHECK_EQ(SEM(fmin)(two, eight, FP_RNE, &f), two);
    CHECK_EQ(SEM(fmax)(two, eight, FP_RNE, &f), eight);
    CHECK_EQ(f, 0);
}

/* vs1 = 3, vs2 = 5, vd = 7; scalar rs1, rs2, rs3 the same. */
static void
FP(check_fused)(void)
{
    FP_UINT a = FP(number)(3), b = FP(number)(5), d = FP(number)(7);
    unsigned f = 0;
    CHECK_EQ(SEM(fmadd)(a, b, d, FP_RNE, &f), FP(number)(15 + 7));
    CHECK_EQ(SEM(fmsub)(a, b, d, FP_RNE, &f), FP(number)(15 - 7));
    CHECK_EQ(SEM(fnmsub)(a, b, d, FP_RNE, &f), FP(number)(-15 + 7));
    CHECK_EQ(SEM(fnmadd)(a, b, d, FP_RNE, &f), FP(number)(-15 - 7));
    CHECK_EQ(SEM(vfmadd)(a, b, d, FP_RNE, &f), FP(number)(3 * 7 + 5));
    CHECK_EQ(SEM(vfnmadd)(a, b, d, FP_RNE, &f), FP(number)(-(3 * 7) - 5));
    CHECK_EQ(SEM(vfmsub)(a, b, d, FP_RNE, &f), FP(number)(3 * 7 - 5));
    CHECK_EQ(SEM(vfnmsub)(a, b, d, FP_RNE, &f), FP(number)(-(3 * 7) + 5));
    CHECK_EQ(SEM(vfmacc)(a, b, d, FP_RNE, &f), FP(number)(3 * 5 + 7));
    CHECK_EQ(SEM(vfnmacc)(a, b, d, FP_RNE, &f), FP(number)(-(3 * 5) - 7));
    CHECK_EQ(SEM(vfmsac)(a, b, d, FP_RNE, &f), FP(number)(3 * 5 - 7));
    CHECK_EQ(SEM(vfnmsac)(a, b, d, FP_RNE, &f), FP(number)(-(3 * 5) + 7));
    CHECK_EQ(f, 0);
}

static void
FP(check_compares)(void)
{
    FP_UINT a = FP(number)(-2), b = FP(number)(3);
    unsigned f = 0;
    CHECK_EQ(SEM(feq)(a, b, FP_RNE, &f), 0);
    CHECK_EQ(SEM(fne)(a, b, FP_RNE, &f), 1);
    CHECK_EQ(SEM(flt)(a, b, FP_RNE, &f), 1);
    CHECK_EQ(SEM(fle)(a, b, FP_RNE, &f), 1);
    CHECK_EQ(SEM(fgt)(a, b, FP_RNE, &f), 0);
    CHECK_EQ(SEM(fge)(a, b, FP_RNE, &f), 0);
    CHECK_EQ(SEM(fge)(b, b, FP_RNE, &f), 1);
    CHECK_EQ(SEM(fgt)(b, b, FP_RNE, &f), 0);
    CHECK_EQ(SEM(fne)(FP_CANONICAL, b, FP_RNE, &f), 1);
    CHECK_EQ(SEM(feq)(FP_CANONICAL, b, FP_RNE, &f), 0);
    CHECK_EQ(f, 0);
    CHECK_EQ(SEM(fge)(FP_CANONICAL, b, FP_RNE, &f), 0);
    CHECK_EQ(f, FP_NV);
    CHECK_EQ(SEM(fsgnj)(b, a, FP_RNE, &f), FP(number)(-3));
    CHECK_EQ(SEM(fsgnjn)(b, a, FP_RNE, &f), FP(number)(3));
    CHECK_EQ(SEM(fsgnjx)(a, a, FP_RNE, &f), FP(number)(2));
    CHECK_EQ(SEM(fclass)(a, FP_RNE, &f), FP_CLASS_NEG_NORMAL);
}

static void
FP(check_conversions)(void)
{
    FP_UINT inf = FP_INF, minus_inf = FP_INF | FP_SIGN, f = FP(number)(-7);
    FP_UINT half = FP(number)(1) - FP_ONE, minus_half = half | FP_SIGN;
    unsigned flags = 0;
    CHECK_EQ(SEM(fcvt_w_f)(f, FP_RNE, &flags), (FP_UINT)-7);
    CHECK_EQ(SEM(fcvt_wu_f)(FP(number)(9), FP_RNE, &flags), 9);
    CHECK_EQ(SEM(fcvt_f_w)((FP_UINT)-7, FP_RNE, &flags), f);
    CHECK_EQ(flags, 0);
    CHECK_EQ(SEM(fcvt_w_f)(half, FP_RUP, &flags), 1);
    CHECK_EQ(SEM(fcvt_rtz_w_f)(half, FP_RUP, &flags), 0);
    CHECK_EQ(SEM(fcvt_wu_f)(half, FP_RMM, &flags), 1);
    CHECK_EQ(SEM(fcvt_rtz_wu_f)(half, FP_RMM, &flags), 0);
    CHECK_EQ(SEM(fcvt_rtz_wu_f)(minus_half, FP_RDN, &flags), 0);
    CHECK_EQ(flags, FP_NX);
    CHECK_EQ(SEM(fcvt_w_f)(inf, FP_RNE, &flags), (FP_UINT)(FP_SIGN - 1));
    CHECK_EQ(SEM(fcvt_w_f)(minus_inf, FP_RNE, &flags), FP_SIGN);
    CHECK_EQ(SEM(fcvt_wu_f)(inf, FP_RNE, &flags), (FP_UINT)-1);
    CHECK_EQ(SEM(fcvt_wu_f)(minus_inf, FP_RNE, &flags), 0);
    CHECK_EQ(SEM(fcvt_w_f)(FP_CANONICAL, FP_RNE, &flags),
             (FP_UINT)(FP_SIGN - 1));
    CHECK_EQ(flags, FP_NX | FP_NV);
    /* The largest unsigned integer rounds up, beyond binary16 to infinity. */
    FP_UINT top = SEM(fcvt_f_wu)((FP_UINT)-1, FP_RNE, &flags);
    unsigned ignored = 0;
    CHECK_EQ(top, FP(from_uint)((FP_UINT)-1, FP_RNE, &ignored));
    CHECK(!(top & FP_SIGN));
}

#undef FP_WIDTH
