/* SPDX-License-Identifier: Apache-2.0 */
/* The meanings of one format; sem_fp.h includes this file for each FP_WIDTH. */
#include "isa/softfloat_format.h"

static inline FP_UINT
SEM(fadd)(FP_UINT a, FP_UINT b, enum fp_rm rm, unsigned *flags)
{
    return FP(add)(a, b, rm, flags);
}

static inline FP_UINT
SEM(fsub)(FP_UINT a, FP_UINT b, enum fp_rm rm, unsigned *flags)
{
    return FP(sub)(a, b, rm, flags);
}

static inline FP_UINT
SEM(fmul)(FP_UINT a, FP_UINT b, enum fp_rm rm, unsigned *flags)
{
    return FP(mul)(a, b, rm, flags);
}

static inline FP_UINT
SEM(fdiv)(FP_UINT a, FP_UINT b, enum fp_rm rm, unsigned *flags)
{
    return FP(div)(a, b, rm, flags);
}

/* b - a: vfrsub.vf is rs1 - vs2[i]. */
static inline FP_UINT
SEM(frsub)(FP_UINT a, FP_UINT b, enum fp_rm rm, unsigned *flags)
{
    return FP(sub)(b, a, rm, flags);
}

/* b / a: vfrdiv.vf is rs1 / vs2[i]. */
static inline FP_UINT
SEM(frdiv)(FP_UINT a, FP_UINT b, enum fp_rm rm, unsigned *flags)
{
    return FP(div)(b, a, rm, flags);
}

static inline FP_UINT
SEM(fsqrt)(FP_UINT a, enum fp_rm rm, unsigned *flags)
{
    return FP(sqrt)(a, rm, flags);
}

static inline FP_UINT
SEM(frec7)(FP_UINT a, enum fp_rm rm, unsigned *flags)
{
    return FP(rec7)(a, rm, flags);
}

static inline FP_UINT
SEM(frsqrt7)(FP_UINT a, enum fp_rm rm, unsigned *flags)
{
    return FP(rsqrt7)(a, rm, flags);
}

/* Scalar fused multiply-add: rs1 * rs2 + rs3; the leading n negates the product. */
static inline FP_UINT
SEM(fmadd)(FP_UINT a, FP_UINT b, FP_UINT c, enum fp_rm rm, unsigned *flags)
{
    return FP(fma)(a, b, c, 0, rm, flags);
}

static inline FP_UINT
SEM(fmsub)(FP_UINT a, FP_UINT b, FP_UINT c, enum fp_rm rm, unsigned *flags)
{
    return FP(fma)(a, b, c, FP_NEG_ADDEND, rm, flags);
}

static inline FP_UINT
SEM(fnmsub)(FP_UINT a, FP_UINT b, FP_UINT c, enum fp_rm rm, unsigned *flags)
{
    return FP(fma)(a, b, c, FP_NEG_PRODUCT, rm, flags);
}

static inline FP_UINT
SEM(fnmadd)(FP_UINT a, FP_UINT b, FP_UINT c, enum fp_rm rm, unsigned *flags)
{
    return FP(fma)(a, b, c, FP_NEG_PRODUCT | FP_NEG_ADDEND, rm, flags);
}

/* Vector fused multiply-add with the accumulator as factor: vs1 * vd + vs2. */
static inline FP_UINT
SEM(vfmadd)(FP_UINT vs1, FP_UINT vs2, FP_UINT vd, enum fp_rm rm,
            unsigned *flags)
{
    return FP(fma)(vs1, vd, vs2, 0, rm, flags);
}

static inline FP_UINT
SEM(vfmsub)(FP_UINT vs1, FP_UINT vs2, FP_UINT vd, enum fp_rm rm,
            unsigned *flags)
{
    return FP(fma)(vs1, vd, vs2, FP_NEG_ADDEND, rm, flags);
}

static inline FP_UINT
SEM(vfnmsub)(FP_UINT vs1, FP_UINT vs2, FP_UINT vd, enum fp_rm rm,
             unsigned *flags)
{
    return FP(fma)(vs1, vd, vs2, FP_NEG_PRODUCT, rm, flags);
}

static inline FP_UINT
SEM(vfnmadd)(FP_UINT vs1, FP_UINT vs2, FP_UINT vd, enum fp_rm rm,
             unsigned *flags)
{
    return FP(fma)(vs1, vd, vs2, FP_NEG_PRODUCT | FP_NEG_ADDEND, rm, flags);
}

/* Vector fused multiply-add with the accumulator as addend: vs1 * vs2 + vd. */
static inline FP_UINT
SEM(vfmacc)(FP_UINT vs1, FP_UINT vs2, FP_UINT vd, enum fp_rm rm,
            unsigned *flags)
{
    return FP(fma)(vs1, vs2, vd, 0, rm, flags);
}

static inline FP_UINT
SEM(vfmsac)(FP_UINT vs1, FP_UINT vs2, FP_UINT vd, enum fp_rm rm,
            unsigned *flags)
{
    return FP(fma)(vs1, vs2, vd, FP_NEG_ADDEND, rm, flags);
}

static inline FP_UINT
SEM(vfnmsac)(FP_UINT vs1, FP_UINT vs2, FP_UINT vd, enum fp_rm rm,
             unsigned *flags)
{
    return FP(fma)(vs1, vs2, vd, FP_NEG_PRODUCT, rm, flags);
}

static inline FP_UINT
SEM(vfnmacc)(FP_UINT vs1, FP_UINT vs2, FP_UINT vd, enum fp_rm rm,
             unsigned *flags)
{
    return FP(fma)(vs1, vs2, vd, FP_NEG_PRODUCT | FP_NEG_ADDEND, rm, flags);
}

static inline FP_UINT
SEM(fmin)(FP_UINT a, FP_UINT b, enum fp_rm rm, unsigned *flags)
{
    (void)rm;
    return FP(min)(a, b, flags);
}

static inline FP_UINT
SEM(fmax)(FP_UINT a, FP_UINT b, enum fp_rm rm, unsigned *flags)
{
    (void)rm;
    return FP(max)(a, b, flags);
}

static inline FP_UINT
SEM(feq)(FP_UINT a, FP_UINT b, enum fp_rm rm, unsigned *flags)
{
    (void)rm;
    return FP(eq)(a, b, flags);
}

/* Compares for inequality: quiet, and true if an operand is a NaN. */
static inline FP_UINT
SEM(fne)(FP_UINT a, FP_UINT b, enum fp_rm rm, unsigned *flags)
{
    (void)rm;
    return !FP(eq)(a, b, flags);
}

static inline FP_UINT
SEM(flt)(FP_UINT a, FP_UINT b, enum fp_rm rm, unsigned *flags)
{
    (void)rm;
    return FP(lt)(a, b, flags);
}

static inline FP_UINT
SEM(fle)(FP_UINT a, FP_UINT b, enum fp_rm rm, unsigned *flags)
{
    (void)rm;
    return FP(le)(a, b, flags);
}

static inline FP_UINT
SEM(fgt)(FP_UINT a, FP_UINT b, enum fp_rm rm, unsigned *flags)
{
    (void)rm;
    return FP(lt)(b, a, flags);
}

static inline FP_UINT
SEM(fge)(FP_UINT a, FP_UINT b, enum fp_rm rm, unsigned *flags)
{
    (void)rm;
    return FP(le)(b, a, flags);
}

static inline FP_UINT
SEM(fsgnj)(FP_UINT a, FP_UINT b, enum fp_rm rm, unsigned *flags)
{
    (void)rm;
    (void)flags;
    return FP(sgnj)(a, b);
}

static inline FP_UINT
SEM(fsgnjn)(FP_UINT a, FP_UINT b, enum fp_rm rm, unsigned *flags)
{
    (void)rm;
    (void)flags;
    return FP(sgnjn)(a, b);
}

static inline FP_UINT
SEM(fsgnjx)(FP_UINT a, FP_UINT b, enum fp_rm rm, unsigned *flags)
{
    (void)rm;
    (void)flags;
    return FP(sgnjx)(a, b);
}

static inline FP_UINT
SEM(fclass)(FP_UINT a, enum fp_rm rm, unsigned *flags)
{
    (void)rm;
    (void)flags;
    return FP(class)(a);
}

static inline FP_UINT
SEM(fcvt_w_f)(FP_UINT a, enum fp_rm rm, unsigned *flags)
{
    return (FP_UINT)FP(to_int)(a, FP_WIDTH, rm, flags);
}

static inline FP_UINT
SEM(fcvt_wu_f)(FP_UINT a, enum fp_rm rm, unsigned *flags)
{
    return (FP_UINT)FP(to_uint)(a, FP_WIDTH, rm, flags);
}

static inline FP_UINT
SEM(fcvt_rtz_w_f)(FP_UINT a, enum fp_rm rm, unsigned *flags)
{
    (void)rm;
    return (FP_UINT)FP(to_int)(a, FP_WIDTH, FP_RTZ, flags);
}

static inline FP_UINT
SEM(fcvt_rtz_wu_f)(FP_UINT a, enum fp_rm rm, unsigned *flags)
{
    (void)rm;
    return (FP_UINT)FP(to_uint)(a, FP_WIDTH, FP_RTZ, flags);
}

static inline FP_UINT
SEM(fcvt_f_w)(FP_UINT a, enum fp_rm rm, unsigned *flags)
{
    return FP(from_int)((FP_INT)a, rm, flags);
}

static inline FP_UINT
SEM(fcvt_f_wu)(FP_UINT a, enum fp_rm rm, unsigned *flags)
{
    return FP(from_uint)(a, rm, flags);
}

/* e to the power a, to nearest and without flags, whatever rm: upstream calls the C
 * library's exp on a double, outside of its emulated rounding mode and flags.  A NaN
 * becomes the canonical one, as everywhere else; upstream would keep its payload. */
static inline FP_UINT
SEM(vfexp)(FP_UINT a, enum fp_rm rm, unsigned *flags)
{
    (void)rm;
    (void)flags;
    return FP(exp)(a);
}

#undef FP_WIDTH
