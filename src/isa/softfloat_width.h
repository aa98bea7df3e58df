/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interface of one format: softfloat.h includes this once for each
 * FP_WIDTH.  What needs no rounding is defined here, without branches, so that
 * loops over lanes become vector code.
 */
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

/*
 * To the nearest integer as rm says.  `bits` is 1..64; the result is extended
 * to 64 bits.  Out of range: the nearest limit, NaN: the upper one, and NV.
 */
int64_t FP(to_int)(FP_UINT a, unsigned bits, enum fp_rm rm, unsigned *flags);

uint64_t FP(to_uint)(FP_UINT a, unsigned bits, enum fp_rm rm, unsigned *flags);

/* Narrower integers convert to these arguments without loss. */
FP_UINT
FP(from_int)(int64_t a, enum fp_rm rm, unsigned *flags);

FP_UINT
FP(from_uint)(uint64_t a, enum fp_rm rm, unsigned *flags);

static inline bool
FP(is_nan)(FP_UINT a)
{
    return (FP_UINT)(a & ~FP_SIGN) > FP_INF;
}

static inline bool
FP(is_snan)(FP_UINT a)
{
    return FP(is_nan)(a) && !(a & FP_QUIET);
}

/*
 * A number's place in order as a signed integer: bit patterns of one sign are
 * in order already.  Both zeros become 0.
 */
static inline FP_INT
FP(order)(FP_UINT a)
{
    FP_INT magnitude = (FP_INT)(a & (FP_UINT)~FP_SIGN);
    return (FP_INT)(a & FP_SIGN ? -magnitude : magnitude);
}

/* a == b; only a signalling NaN is invalid. */
static inline bool
FP(eq)(FP_UINT a, FP_UINT b, unsigned *flags)
{
    *flags |= FP(is_snan)(a) || FP(is_snan)(b) ? FP_NV : 0u;
    bool nan = FP(is_nan)(a) || FP(is_nan)(b);
    return !nan && FP(order)(a) == FP(order)(b);
}

/* a < b; every NaN is invalid. */
static inline bool
FP(lt)(FP_UINT a, FP_UINT b, unsigned *flags)
{
    bool nan = FP(is_nan)(a) || FP(is_nan)(b);
    *flags |= nan ? FP_NV : 0u;
    return !nan && FP(order)(a) < FP(order)(b);
}

/* a <= b; every NaN is invalid. */
static inline bool
FP(le)(FP_UINT a, FP_UINT b, unsigned *flags)
{
    bool nan = FP(is_nan)(a) || FP(is_nan)(b);
    *flags |= nan ? FP_NV : 0u;
    return !nan && FP(order)(a) <= FP(order)(b);
}

/*
 * The smaller or larger one, or the number if the other is a NaN.  With the
 * magnitude of negative numbers complemented, -0 comes just before +0.
 */
static inline FP_UINT
FP(choose)(FP_UINT a, FP_UINT b, bool larger, unsigned *flags)
{
    FP_INT key_a = (FP_INT)(a & FP_SIGN ? a ^ (FP_UINT)~FP_SIGN : a);
    FP_INT key_b = (FP_INT)(b & FP_SIGN ? b ^ (FP_UINT)~FP_SIGN : b);
    *flags |= FP(is_snan)(a) || FP(is_snan)(b) ? FP_NV : 0u;
    FP_UINT chosen = (key_a < key_b) != larger ? a : b;
    chosen = FP(is_nan)(b) ? a : chosen;
    chosen = FP(is_nan)(a) ? b : chosen;
    return FP(is_nan)(chosen) ? FP_NAN : chosen;
}

static inline FP_UINT
FP(min)(FP_UINT a, FP_UINT b, unsigned *flags)
{
    return FP(choose)(a, b, false, flags);
}

static inline FP_UINT
FP(max)(FP_UINT a, FP_UINT b, unsigned *flags)
{
    return FP(choose)(a, b, true, flags);
}

/* a with the sign of b; NaNs are nothing special here. */
static inline FP_UINT
FP(sgnj)(FP_UINT a, FP_UINT b)
{
    return (FP_UINT)((a & ~FP_SIGN) | (b & FP_SIGN));
}

/* a with the opposite of the sign of b. */
static inline FP_UINT
FP(sgnjn)(FP_UINT a, FP_UINT b)
{
    return (FP_UINT)((a & ~FP_SIGN) | (~b & FP_SIGN));
}

/* a with its sign changed if b is negative. */
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
