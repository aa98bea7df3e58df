/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arithmetic of one format: softfloat.c includes this once for each
 * FP_WIDTH.  FP_WIDE holds the product of two significands with bits to spare.
 *
 * A finite number is unpacked to sign, exponent and a wide significand whose
 * leading one is at bit LEAD, the second highest, so that adding two never
 * overflows:
 *
 *     value = (-1)^sign * sig * 2^(exp - LEAD)
 *
 *      LEAD+1 LEAD                    DROP           0
 *     +------+----+-------------------+---------------+
 *     |   0  | 1  | FP_FRAC bits      | guard, sticky |
 *     +------+----+-------------------+---------------+
 *
 * Bit 0 is sticky: 1 if a bit below it was not zero.  That is enough, because
 * rounding distinguishes only whether the rest is zero, below, at or above one
 * half.  Zero is sig 0 with an exponent below all others, so that sums need no
 * special case for it.
 */
#include "isa/softfloat_format.h"

#define FP_EXP_MAX ((1 << (FP_WIDTH - 1 - FP_FRAC)) - 1)
#define FP_BIAS    (FP_EXP_MAX / 2)
#if FP_WIDTH == 64
#define FP_WIDE fp_u128
#define FP_LEAD 126
#else
#define FP_WIDE uint64_t
#define FP_LEAD 62
#endif
#define FP_DROP (FP_LEAD - FP_FRAC)

struct FP(parts) {
    bool sign;
    int exp;
    FP_WIDE sig;
};

static inline bool
FP(sign)(FP_UINT a)
{
    return a >> (FP_WIDTH - 1);
}

static inline bool
FP(is_inf)(FP_UINT a)
{
    return (FP_UINT)(a & ~FP_SIGN) == FP_INF;
}

static inline bool
FP(is_zero)(FP_UINT a)
{
    return (FP_UINT)(a & ~FP_SIGN) == 0;
}

static inline FP_UINT
FP(signed)(bool sign, FP_UINT magnitude)
{
    return (FP_UINT)(magnitude | (sign ? FP_SIGN : 0));
}

static inline FP_UINT
FP(infinity)(bool sign)
{
    return FP(signed)(sign, FP_INF);
}

/* Whether a number is neither infinity nor NaN. */
static inline bool
FP(is_finite)(FP_UINT a)
{
    return (FP_UINT)(a & ~FP_SIGN) < FP_INF;
}

static inline FP_UINT
FP(invalid)(unsigned *flags)
{
    *flags |= FP_NV;
    return FP_CANONICAL;
}

/* The result if an operand is a NaN. */
static inline FP_UINT
FP(nan_result)(bool signalling, unsigned *flags)
{
    return signalling ? FP(invalid)(flags) : FP_CANONICAL;
}

/* Shifts right by any distance; bits shifted out are or-ed into the sticky bit. */
static inline FP_WIDE
FP(shift_sticky)(FP_WIDE sig, int distance)
{
    if (distance <= 0)
        return sig;
    if (distance > FP_LEAD)
        return sig != 0;
    FP_WIDE lost = sig & (((FP_WIDE)1 << distance) - 1);
    return sig >> distance | (lost != 0);
}

/* Normalises: moves the leading one to bit LEAD from anywhere below. */
static inline struct FP(parts) FP(normalise)(struct FP(parts) p)
{
    if (p.sig == 0) {
        p.exp = FP_EXP_OF_ZERO;
        return p;
    }
    uint64_t high = (uint64_t)(p.sig >> (FP_LEAD - 62));
    int zeros = high ? count_zeros(high) : 64 + count_zeros((uint64_t)p.sig);
    p.sig <<= zeros - 1;
    p.exp -= zeros - 1;
    return p;
}

static inline struct FP(parts) FP(unpack)(FP_UINT a)
{
    struct FP(parts) p = { .sign = FP(sign)(a) };
    int e = (a >> FP_FRAC) & FP_EXP_MAX;
    FP_WIDE fraction = a & (FP_ONE - 1);
    if (e) {
        p.sig = (fraction | FP_ONE) << FP_DROP;
        p.exp = e - FP_BIAS;
        return p;
    }
    p.sig = fraction << FP_DROP;
    p.exp = 1 - FP_BIAS;
    return FP(normalise)(p);
}

/* The rounding increment, added below bit DROP before the bits there are cut. */
static inline FP_WIDE
FP(increment)(bool sign, enum fp_rm rm)
{
    FP_WIDE almost = ((FP_WIDE)1 << FP_DROP) - 1;
    switch (rm) {
    case FP_RNE:
    case FP_RMM:
        return (FP_WIDE)1 << (FP_DROP - 1);
    case FP_RTZ:
        return 0;
    case FP_RDN:
        return sign ? almost : 0;
    case FP_RUP:
        return sign ? 0 : almost;
    }
    return 0;
}

/* The result of an overflow: infinity, or the largest number if rm rounds towards
 * zero. */
static FP_UINT
FP(overflow)(bool sign, enum fp_rm rm, unsigned *flags)
{
    *flags |= FP_OF | FP_NX;
    bool back = FP(increment)(sign, rm) == 0;
    return FP(signed)(sign, (FP_UINT)(FP_INF - back));
}

/* Rounds a normalised number to the format. */
static FP_UINT
FP(round)(struct FP(parts) p, enum fp_rm rm, unsigned *flags)
{
    if (p.sig == 0)
        return FP(signed)(p.sign, 0);
    int e = p.exp + FP_BIAS;
    if (e >= FP_EXP_MAX)
        return FP(overflow)(p.sign, rm, flags);
    FP_WIDE inc = FP(increment)(p.sign, rm);
    bool tiny = false;
    if (e < 1) {
        /* Tininess after rounding: does it stay below 2^emin, as if the exponent had
         * no limit? */
        tiny = e < 0 || (p.sig + inc) >> (FP_LEAD + 1) == 0;
        p.sig = FP(shift_sticky)(p.sig, 1 - e);
        e = 1;
    }
    FP_WIDE rest = p.sig & (((FP_WIDE)1 << FP_DROP) - 1);
    FP_WIDE kept = (p.sig + inc) >> FP_DROP;
    if (rm == FP_RNE && rest == inc)
        kept &= ~(FP_WIDE)1;
    if (rest)
        *flags |= FP_NX | (tiny ? FP_UF : 0u);
    /*
     * The leading one, if there, adds 1 to the exponent field: hence e - 1.
     * A carry out of the fraction adds another, up to infinity.
     */
    FP_UINT bits = (FP_UINT)(((FP_UINT)(e - 1) << FP_FRAC) + (FP_UINT)kept);
    if (bits >= FP_INF)
        return FP(overflow)(p.sign, rm, flags);
    return FP(signed)(p.sign, bits);
}

static FP_UINT
FP(sum)(struct FP(parts) a, struct FP(parts) b, enum fp_rm rm, unsigned *flags)
{
    if (a.exp < b.exp) {
        struct FP(parts) t = a;
        a = b;
        b = t;
    }
    b.sig = FP(shift_sticky)(b.sig, a.exp - b.exp);
    if (a.sign == b.sign) {
        a.sig += b.sig;
        if (a.sig >> (FP_LEAD + 1)) {
            a.sig = FP(shift_sticky)(a.sig, 1);
            a.exp++;
        }
    } else if (a.sig == b.sig) { /* x - x */
        a.sig = 0;
        a.sign = rm == FP_RDN;
    } else {
        a.sign ^= a.sig < b.sig;
        a.sig = a.sig < b.sig ? b.sig - a.sig : a.sig - b.sig;
        a = FP(normalise)(a);
    }
    return FP(round)(a, rm, flags);
}

/* The exact product. */
static inline struct FP(parts)
    FP(product)(struct FP(parts) a, struct FP(parts) b)
{
    FP_WIDE sig =
        (FP_WIDE)(uint64_t)(a.sig >> FP_DROP) * (uint64_t)(b.sig >> FP_DROP);
    /* The leading one is at bit 2 * FP_FRAC or the next. */
    struct FP(parts) p = {
        .sign = a.sign != b.sign,
        .exp = a.exp + b.exp + 1,
        .sig = sig << (FP_LEAD - 2 * FP_FRAC - 1),
    };
    return FP(normalise)(p);
}

FP_UINT
FP(add)(FP_UINT a, FP_UINT b, enum fp_rm rm, unsigned *flags)
{
    if (FP(is_finite)(a) && FP(is_finite)(b))
        return FP(sum)(FP(unpack)(a), FP(unpack)(b), rm, flags);
    if (FP(is_nan)(a) || FP(is_nan)(b))
        return FP(nan_result)(FP(is_snan)(a) || FP(is_snan)(b), flags);
    if (FP(is_inf)(a) && FP(is_inf)(b) && a != b)
        return FP(invalid)(flags);
    return FP(is_inf)(a) ? a : b;
}

FP_UINT
FP(sub)(FP_UINT a, FP_UINT b, enum fp_rm rm, unsigned *flags)
{
    return FP(add)(a, b ^ FP_SIGN, rm, flags);
}

FP_UINT
FP(mul)(FP_UINT a, FP_UINT b, enum fp_rm rm, unsigned *flags)
{
    if (FP(is_finite)(a) && FP(is_finite)(b))
        return FP(round)(FP(product)(FP(unpack)(a), FP(unpack)(b)), rm, flags);
    if (FP(is_nan)(a) || FP(is_nan)(b))
        return FP(nan_result)(FP(is_snan)(a) || FP(is_snan)(b), flags);
    if (FP(is_zero)(a) || FP(is_zero)(b)) /* 0 * infinity */
        return FP(invalid)(flags);
    return FP(infinity)(FP(sign)(a) != FP(sign)(b));
}

FP_UINT
FP(fma)
(FP_UINT a, FP_UINT b, FP_UINT c, unsigned negate, enum fp_rm rm,
 unsigned *flags)
{
    if (negate & FP_NEG_PRODUCT)
        a ^= FP_SIGN;
    if (negate & FP_NEG_ADDEND)
        c ^= FP_SIGN;
    if (FP(is_finite)(a) && FP(is_finite)(b) && FP(is_finite)(c))
        return FP(sum)(FP(product)(FP(unpack)(a), FP(unpack)(b)), FP(unpack)(c),
                       rm, flags);
    /* 0 * infinity is invalid even if c is a quiet NaN. */
    bool zero_inf =
        (FP(is_zero)(a) && FP(is_inf)(b)) || (FP(is_inf)(a) && FP(is_zero)(b));
    if (zero_inf || FP(is_nan)(a) || FP(is_nan)(b) || FP(is_nan)(c))
        return FP(nan_result)(zero_inf || FP(is_snan)(a) || FP(is_snan)(b) ||
                                  FP(is_snan)(c),
                              flags);
    if (FP(is_finite)(a) && FP(is_finite)(b))
        return c;
    FP_UINT inf = FP(infinity)(FP(sign)(a) != FP(sign)(b));
    if (FP(is_inf)(c) && c != inf)
        return FP(invalid)(flags);
    return inf;
}

/* The quotient of the significands of normal a and b, between 1/2 and 2.  With FP_FRAC
 * + 3 bits below the point it has two more than are kept, and the remainder makes the
 * sticky bit. */
static struct FP(parts) FP(quotient)(struct FP(parts) a, struct FP(parts) b)
{
    enum { SHIFT = FP_FRAC + 3 };
    FP_WIDE numerator = (a.sig >> FP_DROP) << SHIFT;
    FP_WIDE divisor = b.sig >> FP_DROP;
    FP_WIDE q = numerator / divisor;
    bool rest = q * divisor != numerator;
    struct FP(parts) p = {
        .sign = a.sign != b.sign,
        .exp = a.exp - b.exp,
        .sig = q << (FP_LEAD - SHIFT) | rest,
    };
    /* The leading one is at LEAD or one below. */
    if (!(p.sig >> FP_LEAD)) {
        p.sig <<= 1;
        p.exp--;
    }
    return p;
}

FP_UINT
FP(div)(FP_UINT a, FP_UINT b, enum fp_rm rm, unsigned *flags)
{
    if (FP(is_nan)(a) || FP(is_nan)(b))
        return FP(nan_result)(FP(is_snan)(a) || FP(is_snan)(b), flags);
    bool sign = FP(sign)(a) != FP(sign)(b);
    if (FP(is_inf)(a))
        return FP(is_inf)(b) ? FP(invalid)(flags) : FP(infinity)(sign);
    if (FP(is_inf)(b))
        return FP(signed)(sign, 0);
    if (FP(is_zero)(b)) {
        if (FP(is_zero)(a))
            return FP(invalid)(flags);
        *flags |= FP_DZ;
        return FP(infinity)(sign);
    }
    if (FP(is_zero)(a))
        return FP(signed)(sign, 0);
    return FP(round)(FP(quotient)(FP(unpack)(a), FP(unpack)(b)), rm, flags);
}

/*
 * The square root, digit by digit.  With an even exponent the significand is in [1, 4)
 * and its root in [1, 2); the radicand has twice the bits of the root, which gets two
 * bits more than are kept.
 *
 * Invariant: rest = radicand - root^2, for the bits of root found so far.
 */
FP_UINT
FP(sqrt)(FP_UINT a, enum fp_rm rm, unsigned *flags)
{
    enum { ROOT_FRAC = FP_FRAC + 2 };
    if (FP(is_nan)(a))
        return FP(nan_result)(FP(is_snan)(a), flags);
    if (FP(is_zero)(a) || a == FP_INF)
        return a;
    if (FP(sign)(a))
        return FP(invalid)(flags);
    struct FP(parts) p = FP(unpack)(a);
    bool odd = p.exp & 1;
    FP_WIDE rest = (p.sig >> FP_DROP) << (2 * ROOT_FRAC - FP_FRAC + odd);
    FP_WIDE root = 0;
    for (int i = ROOT_FRAC; i >= 0; i--) {
        /* (root + 2^i)^2 - root^2 */
        FP_WIDE step = (2 * root + ((FP_WIDE)1 << i)) << i;
        if (step <= rest) {
            rest -= step;
            root |= (FP_WIDE)1 << i;
        }
    }
    p.exp = (p.exp - odd) / 2;
    p.sig = root << (FP_LEAD - ROOT_FRAC) | (rest != 0);
    return FP(round)(p, rm, flags);
}

/* The estimate with significand 1 + t / 128, rounded only if the exponent is out of
 * range. */
static inline FP_UINT
FP(estimate)(bool sign, int exp, unsigned t, enum fp_rm rm, unsigned *flags)
{
    struct FP(parts) p = { .sign = sign, .exp = exp };
    p.sig = (FP_WIDE)(128 + t) << (FP_LEAD - 7);
    return FP(round)(p, rm, flags);
}

/* The estimate of 1 / a: with a = 1.f * 2^e it is (2 / 1.f) * 2^(-e - 1).  RVV
 * tabulates the first 7 bits by those of f, i; the table is 2 / (1 + (i + 1/2) / 128),
 * rounded. */
FP_UINT
FP(rec7)(FP_UINT a, enum fp_rm rm, unsigned *flags)
{
    if (FP(is_nan)(a))
        return FP(nan_result)(FP(is_snan)(a), flags);
    if (FP(is_inf)(a))
        return FP(signed)(FP(sign)(a), 0);
    if (FP(is_zero)(a)) {
        *flags |= FP_DZ;
        return FP(infinity)(FP(sign)(a));
    }
    struct FP(parts) p = FP(unpack)(a);
    unsigned i = (unsigned)(p.sig >> (FP_LEAD - 7)) & 127, d = 257 + 2 * i;
    unsigned t = (2 * 65536 + d) / (2 * d) - 128;
    return FP(estimate)(p.sign, -p.exp - 1, t, rm, flags);
}

/* The estimate of 1 / sqrt(a).  With an even exponent 1.f is in [1, 2), with an odd
 * one doubled in [2, 4).  RVV's table of 2 / sqrt is that of the middle of each of 64
 * parts of these, n / 128, rounded: the largest r with (r - 1/2)^2 <= 256^2 * 128 / n. */
FP_UINT
FP(rsqrt7)(FP_UINT a, enum fp_rm rm, unsigned *flags)
{
    if (FP(is_nan)(a))
        return FP(nan_result)(FP(is_snan)(a), flags);
    if (FP(is_zero)(a)) {
        *flags |= FP_DZ;
        return FP(infinity)(FP(sign)(a));
    }
    if (FP(sign)(a))
        return FP(invalid)(flags);
    if (FP(is_inf)(a))
        return 0;
    struct FP(parts) p = FP(unpack)(a);
    unsigned i = (unsigned)(p.sig >> (FP_LEAD - 6)) & 63, r = 128;
    unsigned n = (129 + 2 * i) << (p.exp & 1);
    while ((2 * r + 1) * (2 * r + 1) * n <= 4u * 65536 * 128)
        r++;
    int exp = -p.exp - 1;
    return FP(estimate)(false, (exp - (exp & 1)) / 2, r - 128, rm, flags);
}

/* Unpacks a finite number to a 64-bit significand, for softfloat.c. */
static inline struct fp_number
FP(to_number)(FP_UINT a)
{
    struct FP(parts) p = FP(unpack)(a);
    return (struct fp_number){
        .sign = p.sign,
        .exp = p.exp,
        .sig = (uint64_t)(p.sig >> FP_DROP) << (63 - FP_FRAC),
    };
}

static FP_UINT
FP(from_number)(struct fp_number n, enum fp_rm rm, unsigned *flags)
{
    struct FP(parts) p = { .sign = n.sign, .exp = n.exp };
#if FP_LEAD > 63
    p.sig = (FP_WIDE)n.sig << (FP_LEAD - 63);
#else
    p.sig = n.sig >> 1 | (n.sig & 1);
#endif
    return FP(round)(FP(normalise)(p), rm, flags);
}

int64_t
FP(to_int)(FP_UINT a, unsigned bits, enum fp_rm rm, unsigned *flags)
{
    uint64_t max = UINT64_MAX >> (65 - bits);
    if (!FP(is_finite)(a)) {
        *flags |= FP_NV;
        bool low = FP(sign)(a) && !FP(is_nan)(a);
        return low ? -(int64_t)max - 1 : (int64_t)max;
    }
    struct fp_number n = FP(to_number)(a);
    uint64_t magnitude = round_to_integer(n, max + n.sign, rm, flags);
    return n.sign ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
}

uint64_t
FP(to_uint)(FP_UINT a, unsigned bits, enum fp_rm rm, unsigned *flags)
{
    uint64_t max = UINT64_MAX >> (64 - bits);
    if (!FP(is_finite)(a)) {
        *flags |= FP_NV;
        return FP(sign)(a) && !FP(is_nan)(a) ? 0 : max;
    }
    struct fp_number n = FP(to_number)(a);
    return round_to_integer(n, n.sign ? 0 : max, rm, flags);
}

FP_UINT
FP(from_uint)(uint64_t a, enum fp_rm rm, unsigned *flags)
{
    return FP(from_number)(number_from_integer(false, a), rm, flags);
}

FP_UINT
FP(from_int)(int64_t a, enum fp_rm rm, unsigned *flags)
{
    uint64_t magnitude = a < 0 ? 0 - (uint64_t)a : (uint64_t)a;
    return FP(from_number)(number_from_integer(a < 0, magnitude), rm, flags);
}

#undef FP_EXP_MAX
#undef FP_BIAS
#undef FP_LEAD
#undef FP_DROP
#undef FP_WIDE
#undef FP_WIDTH
