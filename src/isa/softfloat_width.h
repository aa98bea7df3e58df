/* SPDX-License-Identifier: Apache-2.0 */
/* The interface of one format; softfloat.h includes this file once for each FP_WIDTH.
 * Functions without rounding are defined here, so that the compiler can vectorise
 * loops over lanes. */
#include "isa/softfloat_format.h"

/* Arithmetic, rounded once. */
FP_UINT
FP(add)(FP_UINT a, FP_UINT b, enum fp_rm rm, unsigned *flags);

FP_UINT
FP(sub)(FP_UINT a, FP_UINT b, enum fp_rm rm, unsigned *flags);

FP_UINT
FP(mul)(FP_UINT a, FP_UINT b, enum fp_rm rm, unsigned *flags);

FP_UINT
FP(div)(FP_UINT a, FP_UINT b, enum fp_rm rm, unsigned *flags);

FP_UINT
FP(sqrt)(FP_UINT a, enum fp_rm rm, unsigned *flags);

/* a * b + c; `negate` is of enum fp_negate. */
FP_UINT
FP(fma)
(FP_UINT a, FP_UINT b, FP_UINT c, unsigned negate, enum fp_rm rm,
 unsigned *flags);

/* Estimates of 1 / a and 1 / sqrt(a) to 7 bits (RVV 13.9, 13.10). */
FP_UINT
FP(rec7)(FP_UINT a, enum fp_rm rm, unsigned *flags);

FP_UINT
FP(rsqrt7)(FP_UINT a, enum fp_rm rm, unsigned *flags);

/* Converts to an integer, rounded by rm.  `bits` is 1..64; the result is extended to
 * 64 bits.  Out of range: the nearest limit, NaN: the upper one, and NV. */
int64_t FP(to_int)(FP_UINT a, unsigned bits, enum fp_rm rm, unsigned *flags);

uint64_t FP(to_uint)(FP_UINT a, unsigned bits, enum fp_rm rm, unsigned *flags);

/* Conversions from integers; narrower ones are converted to these arguments without
 * loss. */
FP_UINT
FP(from_int)(int64_t a, enum fp_rm rm, unsigned *flags);

FP_UINT
FP(from_uint)(uint64_t a, enum fp_rm rm, unsigned *flags);

/* A condition as a mask, all ones or zero.  Masks and flags are as wide as the
 * numbers: the form that compilers turn into vector code. */
static inline FP_UINT
FP(mask)(bool condition)
{
    return condition ? (FP_UINT)-1 : 0;
}

static inline FP_UINT
FP(nan_mask)(FP_UINT a)
{
    return FP(mask)((FP_INT)(a & (FP_UINT)~FP_SIGN) > (FP_INT)FP_INF);
}

static inline FP_UINT
FP(snan_mask)(FP_UINT a)
{
    return (FP_UINT)(FP(nan_mask)(a) & FP(mask)((a & FP_QUIET) == 0));
}

static inline FP_UINT
FP(select)(FP_UINT mask, FP_UINT a, FP_UINT b)
{
    return (FP_UINT)((a & mask) | (b & (FP_UINT)~mask));
}

/* A signed integer with the order of the numbers: bit patterns of one sign are in
 * order already.  Both zeros become 0. */
static inline FP_INT
FP(order)(FP_UINT a)
{
    FP_INT magnitude = (FP_INT)(a & (FP_UINT)~FP_SIGN);
    return (FP_INT)(a & FP_SIGN ? -magnitude : magnitude);
}

static inline FP_UINT
FP(eq_mask)(FP_UINT a, FP_UINT b, FP_UINT *flags)
{
    FP_UINT nan = FP(nan_mask)(a) | FP(nan_mask)(b);
    *flags |= (FP(snan_mask)(a) | FP(snan_mask)(b)) & FP_NV;
    return (FP_UINT)(FP(mask)(FP(order)(a) == FP(order)(b)) & (FP_UINT)~nan);
}

static inline FP_UINT
FP(lt_mask)(FP_UINT a, FP_UINT b, FP_UINT *flags)
{
    FP_UINT nan = FP(nan_mask)(a) | FP(nan_mask)(b);
    *flags |= nan & FP_NV;
    return (FP_UINT)(FP(mask)(FP(order)(a) < FP(order)(b)) & (FP_UINT)~nan);
}

static inline FP_UINT
FP(le_mask)(FP_UINT a, FP_UINT b, FP_UINT *flags)
{
    FP_UINT nan = FP(nan_mask)(a) | FP(nan_mask)(b);
    *flags |= nan & FP_NV;
    return (FP_UINT)(FP(mask)(FP(order)(a) <= FP(order)(b)) & (FP_UINT)~nan);
}

/* The smaller number, or the larger one if `larger` is all ones; the number if one
 * operand is a NaN.  With the magnitude of negative numbers complemented, -0 comes
 * just before +0. */
static inline FP_UINT
FP(choose)(FP_UINT a, FP_UINT b, FP_UINT larger, FP_UINT *flags)
{
    FP_INT key_a = (FP_INT)(a & FP_SIGN ? a ^ (FP_UINT)~FP_SIGN : a);
    FP_INT key_b = (FP_INT)(b & FP_SIGN ? b ^ (FP_UINT)~FP_SIGN : b);
    *flags |= (FP(snan_mask)(a) | FP(snan_mask)(b)) & FP_NV;
    FP_UINT first = FP(mask)(key_a < key_b) ^ larger;
    first = (FP_UINT)((first | FP(nan_mask)(b)) & (FP_UINT)~FP(nan_mask)(a));
    FP_UINT chosen = FP(select)(first, a, b);
    return FP(select)(FP(nan_mask)(chosen), FP_CANONICAL, chosen);
}

static inline bool
FP(is_nan)(FP_UINT a)
{
    return FP(nan_mask)(a);
}

static inline bool
FP(is_snan)(FP_UINT a)
{
    return FP(snan_mask)(a);
}

/* Whether a == b; only a signalling NaN is invalid. */
static inline bool
FP(eq)(FP_UINT a, FP_UINT b, unsigned *flags)
{
    FP_UINT raised = 0, result = FP(eq_mask)(a, b, &raised);
    *flags |= (unsigned)raised;
    return result;
}

/* Whether a < b; every NaN is invalid. */
static inline bool
FP(lt)(FP_UINT a, FP_UINT b, unsigned *flags)
{
    FP_UINT raised = 0, result = FP(lt_mask)(a, b, &raised);
    *flags |= (unsigned)raised;
    return result;
}

/* Whether a <= b; every NaN is invalid. */
static inline bool
FP(le)(FP_UINT a, FP_UINT b, unsigned *flags)
{
    FP_UINT raised = 0, result = FP(le_mask)(a, b, &raised);
    *flags |= (unsigned)raised;
    return result;
}

static inline FP_UINT
FP(min)(FP_UINT a, FP_UINT b, unsigned *flags)
{
    FP_UINT raised = 0, result = FP(choose)(a, b, 0, &raised);
    *flags |= (unsigned)raised;
    return result;
}

static inline FP_UINT
FP(max)(FP_UINT a, FP_UINT b, unsigned *flags)
{
    FP_UINT raised = 0, result = FP(choose)(a, b, (FP_UINT)-1, &raised);
    *flags |= (unsigned)raised;
    return result;
}

/* The number a with the sign of b; NaNs are not special. */
static inline FP_UINT
FP(sgnj)(FP_UINT a, FP_UINT b)
{
    return (FP_UINT)((a & ~FP_SIGN) | (b & FP_SIGN));
}

/* The number a with the opposite of the sign of b. */
static inline FP_UINT
FP(sgnjn)(FP_UINT a, FP_UINT b)
{
    return (FP_UINT)((a & ~FP_SIGN) | (~b & FP_SIGN));
}

/* The number a with its sign changed if b is negative. */
static inline FP_UINT
FP(sgnjx)(FP_UINT a, FP_UINT b)
{
    return (FP_UINT)(a ^ (b & FP_SIGN));
}

/* enum fp_class. */
static inline FP_UINT FP(class)(FP_UINT a)
{
    FP_UINT magnitude = (FP_UINT)(a & ~FP_SIGN);
    bool negative = a & FP_SIGN;
    FP_UINT c = negative ? FP_CLASS_NEG_NORMAL : FP_CLASS_POS_NORMAL;
    if (magnitude < FP_ONE)
        c = negative ? FP_CLASS_NEG_SUBNORMAL : FP_CLASS_POS_SUBNORMAL;
    if (magnitude == 0)
        c = negative ? FP_CLASS_NEG_ZERO : FP_CLASS_POS_ZERO;
    if (magnitude == FP_INF)
        c = negative ? FP_CLASS_NEG_INF : FP_CLASS_POS_INF;
    if (magnitude > FP_INF)
        c = a & FP_QUIET ? FP_CLASS_QNAN : FP_CLASS_SNAN;
    return c;
}

#undef FP_WIDTH
