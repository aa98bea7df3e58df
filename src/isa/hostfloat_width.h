/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of one format; hostfloat.h includes this file for FP_WIDTH 32 and 64. */
#include "isa/softfloat_format.h"

#if FP_WIDTH == 32
#define FP_HOST       float
#define FP_HOST_FUSED __builtin_fmaf
#else
#define FP_HOST       double
#define FP_HOST_FUSED __builtin_fma
#endif

static inline FP_HOST
FP(to_host)(FP_UINT bits)
{
    FP_HOST x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Converts a host's number; a NaN becomes the canonical one. */
static inline FP_UINT
FP(from_host)(FP_HOST x)
{
    FP_UINT bits;
    memcpy(&bits, &x, sizeof bits);
    return FP(is_nan)(bits) ? FP_CANONICAL : bits;
}

static inline void
FP(add_lanes)(struct fp_host *h, FP_UINT *d, const FP_UINT *a, const FP_UINT *b,
              unsigned n)
{
    if (!fp_host_is_hard(h)) {
        for (unsigned i = 0; i < n; i++)
            d[i] = FP(add)(a[i], b[i], h->rm, &h->flags);
        return;
    }
    FP_LAUNDER(d);
    FP_LAUNDER(a);
    FP_LAUNDER(b);
    FP_EACH_LANE
    for (unsigned i = 0; i < n; i++)
        d[i] = FP(from_host)(FP(to_host)(a[i]) + FP(to_host)(b[i]));
    FP_LAUNDER(d);
}

static inline void
FP(sub_lanes)(struct fp_host *h, FP_UINT *d, const FP_UINT *a, const FP_UINT *b,
              unsigned n)
{
    if (!fp_host_is_hard(h)) {
        for (unsigned i = 0; i < n; i++)
            d[i] = FP(sub)(a[i], b[i], h->rm, &h->flags);
        return;
    }
    FP_LAUNDER(d);
    FP_LAUNDER(a);
    FP_LAUNDER(b);
    FP_EACH_LANE
    for (unsigned i = 0; i < n; i++)
        d[i] = FP(from_host)(FP(to_host)(a[i]) - FP(to_host)(b[i]));
    FP_LAUNDER(d);
}

static inline void
FP(mul_lanes)(struct fp_host *h, FP_UINT *d, const FP_UINT *a, const FP_UINT *b,
              unsigned n)
{
    if (!fp_host_is_hard(h)) {
        for (unsigned i = 0; i < n; i++)
            d[i] = FP(mul)(a[i], b[i], h->rm, &h->flags);
        return;
    }
    FP_LAUNDER(d);
    FP_LAUNDER(a);
    FP_LAUNDER(b);
    FP_EACH_LANE
    for (unsigned i = 0; i < n; i++)
        d[i] = FP(from_host)(FP(to_host)(a[i]) * FP(to_host)(b[i]));
    FP_LAUNDER(d);
}

static inline void
FP(div_lanes)(struct fp_host *h, FP_UINT *d, const FP_UINT *a, const FP_UINT *b,
              unsigned n)
{
    if (!fp_host_is_hard(h)) {
        for (unsigned i = 0; i < n; i++)
            d[i] = FP(div)(a[i], b[i], h->rm, &h->flags);
        return;
    }
    FP_LAUNDER(d);
    FP_LAUNDER(a);
    FP_LAUNDER(b);
    FP_EACH_LANE
    for (unsigned i = 0; i < n; i++)
        d[i] = FP(from_host)(FP(to_host)(a[i]) / FP(to_host)(b[i]));
    FP_LAUNDER(d);
}

#if FP_HOST_SSE
enum { FP(vector_lanes) = FP_HOST_BYTES / sizeof(FP_UINT) };

/* The square roots of one vector.  Intrinsics, because sqrt() may set errno, which
 * keeps the compiler from using vectors unless the whole file is compiled with
 * -fno-math-errno. */
static inline void
FP(sqrt_vector)(FP_UINT *d, const FP_UINT *a)
{
#if FP_HOST_BYTES == 64 && FP_WIDTH == 32
    _mm512_storeu_ps(d, _mm512_sqrt_ps(_mm512_loadu_ps(a)));
#elif FP_HOST_BYTES == 64
    _mm512_storeu_pd(d, _mm512_sqrt_pd(_mm512_loadu_pd(a)));
#elif FP_HOST_BYTES == 32 && FP_WIDTH == 32
    _mm256_storeu_ps((float *)d,
                     _mm256_sqrt_ps(_mm256_loadu_ps((const float *)a)));
#elif FP_HOST_BYTES == 32
    _mm256_storeu_pd((double *)d,
                     _mm256_sqrt_pd(_mm256_loadu_pd((const double *)a)));
#elif FP_WIDTH == 32
    _mm_storeu_ps((float *)d, _mm_sqrt_ps(_mm_loadu_ps((const float *)a)));
#else
    _mm_storeu_pd((double *)d, _mm_sqrt_pd(_mm_loadu_pd((const double *)a)));
#endif
}

static inline void
FP(sqrt_hard)(FP_UINT *d, const FP_UINT *a, unsigned n)
{
    enum { LANES = FP(vector_lanes) };
    unsigned i = 0;
    for (; i + LANES <= n; i += LANES)
        FP(sqrt_vector)(d + i, a + i);
    if (i < n) {
        FP_UINT rest[LANES] = { 0 }; /* the root of 0 is exact */
        memcpy(rest, a + i, (n - i) * sizeof *a);
        FP(sqrt_vector)(rest, rest);
        memcpy(d + i, rest, (n - i) * sizeof *d);
    }
    for (i = 0; i < n; i++)
        d[i] = FP(is_nan)(d[i]) ? FP_CANONICAL : d[i];
}
#endif

static inline void
FP(sqrt_lanes)(struct fp_host *h, FP_UINT *d, const FP_UINT *a, unsigned n)
{
#if FP_HOST_SSE
    if (fp_host_is_hard(h)) {
        FP_LAUNDER(d);
        FP_LAUNDER(a);
        FP(sqrt_hard)(d, a, n);
        FP_LAUNDER(d);
        return;
    }
#endif
    for (unsigned i = 0; i < n; i++)
        d[i] = FP(sqrt)(a[i], h->rm, &h->flags);
}

/* FP_NV if a lane has infinity * 0 with a NaN as addend: the host calls that invalid
 * only if the addend is no quiet NaN.  NaNs are rare, so the lanes are searched for
 * them first. */
static inline unsigned
FP(inf_times_zero)(const FP_UINT *a, const FP_UINT *b, const FP_UINT *c,
                   unsigned n)
{
    FP_UINT nan = 0, found = 0;
    for (unsigned i = 0; i < n; i++)
        nan |= FP(nan_mask)(c[i]) & 1;
    for (unsigned i = 0; nan && i < n; i++) {
        FP_UINT x = a[i] & ~FP_SIGN, y = b[i] & ~FP_SIGN;
        found |= FP(mask)(x == FP_INF) & FP(mask)(y == 0) & FP_NV;
        found |= FP(mask)(x == 0) & FP(mask)(y == FP_INF) & FP_NV;
    }
    return (unsigned)found;
}

/* d = a * b + c; `negate` is of enum fp_negate. */
static inline void
FP(fma_lanes)(struct fp_host *h, FP_UINT *d, const FP_UINT *a, const FP_UINT *b,
              const FP_UINT *c, unsigned negate, unsigned n)
{
#if FP_HOST_FMA
    if (fp_host_is_hard(h)) {
        FP_UINT flip_a = negate & FP_NEG_PRODUCT ? FP_SIGN : 0;
        FP_UINT flip_c = negate & FP_NEG_ADDEND ? FP_SIGN : 0;
        h->flags |= FP(inf_times_zero)(a, b, c, n);
        FP_LAUNDER(d);
        FP_LAUNDER(a);
        FP_LAUNDER(b);
        FP_LAUNDER(c);
        FP_EACH_LANE
        for (unsigned i = 0; i < n; i++)
            d[i] = FP(from_host)(FP_HOST_FUSED(FP(to_host)(a[i] ^ flip_a),
                                               FP(to_host)(b[i]),
                                               FP(to_host)(c[i] ^ flip_c)));
        FP_LAUNDER(d);
        return;
    }
#endif
    for (unsigned i = 0; i < n; i++)
        d[i] = FP(fma)(a[i], b[i], c[i], negate, h->rm, &h->flags);
}

/* Compares for equality, result 0 or 1; quiet. */
static inline void
FP(eq_lanes)(struct fp_host *h, FP_UINT *d, const FP_UINT *a, const FP_UINT *b,
             unsigned n)
{
    FP_UINT flags = 0;
    FP_EACH_LANE
    for (unsigned i = 0; i < n; i++)
        d[i] = FP(eq_mask)(a[i], b[i], &flags) & 1;
    h->flags |= (unsigned)flags;
}

static inline void
FP(ne_lanes)(struct fp_host *h, FP_UINT *d, const FP_UINT *a, const FP_UINT *b,
             unsigned n)
{
    FP_UINT flags = 0;
    FP_EACH_LANE
    for (unsigned i = 0; i < n; i++)
        d[i] = ~FP(eq_mask)(a[i], b[i], &flags) & 1;
    h->flags |= (unsigned)flags;
}

/* Compares for less, result 0 or 1; signalling.  Greater: exchange a and b. */
static inline void
FP(lt_lanes)(struct fp_host *h, FP_UINT *d, const FP_UINT *a, const FP_UINT *b,
             unsigned n)
{
    FP_UINT flags = 0;
    FP_EACH_LANE
    for (unsigned i = 0; i < n; i++)
        d[i] = FP(lt_mask)(a[i], b[i], &flags) & 1;
    h->flags |= (unsigned)flags;
}

static inline void
FP(le_lanes)(struct fp_host *h, FP_UINT *d, const FP_UINT *a, const FP_UINT *b,
             unsigned n)
{
    FP_UINT flags = 0;
    FP_EACH_LANE
    for (unsigned i = 0; i < n; i++)
        d[i] = FP(le_mask)(a[i], b[i], &flags) & 1;
    h->flags |= (unsigned)flags;
}

static inline void
FP(min_lanes)(struct fp_host *h, FP_UINT *d, const FP_UINT *a, const FP_UINT *b,
              unsigned n)
{
    FP_UINT flags = 0;
    FP_EACH_LANE
    for (unsigned i = 0; i < n; i++)
        d[i] = FP(choose)(a[i], b[i], 0, &flags);
    h->flags |= (unsigned)flags;
}

static inline void
FP(max_lanes)(struct fp_host *h, FP_UINT *d, const FP_UINT *a, const FP_UINT *b,
              unsigned n)
{
    FP_UINT flags = 0;
    FP_EACH_LANE
    for (unsigned i = 0; i < n; i++)
        d[i] = FP(choose)(a[i], b[i], (FP_UINT)-1, &flags);
    h->flags |= (unsigned)flags;
}

/* Sign injection: the sign of b, its opposite, the product of both; raises no flags. */
#define SIGN_LANES(name)                                                    \
    static inline void FP(name##_lanes)(struct fp_host * h, FP_UINT * d,    \
                                        const FP_UINT *a, const FP_UINT *b, \
                                        unsigned n)                         \
    {                                                                       \
        (void)h;                                                            \
        FP_EACH_LANE                                                        \
        for (unsigned i = 0; i < n; i++)                                    \
            d[i] = FP(name)(a[i], b[i]);                                    \
    }
SIGN_LANES(sgnj)
SIGN_LANES(sgnjn)
SIGN_LANES(sgnjx)
#undef SIGN_LANES

static inline void
FP(class_lanes)(struct fp_host *h, FP_UINT *d, const FP_UINT *a, unsigned n)
{
    (void)h;
    for (unsigned i = 0; i < n; i++)
        d[i] = FP(class)(a[i]);
}

static inline void
FP(exp_lanes)(struct fp_host *h, FP_UINT *d, const FP_UINT *a, unsigned n)
{
    (void)h;
    for (unsigned i = 0; i < n; i++)
        d[i] = FP(exp)(a[i]);
}

/* The estimates rec7 and rsqrt7, which are defined by tables. */
#define ESTIMATE_LANES(name)                                             \
    static inline void FP(name##_lanes)(struct fp_host * h, FP_UINT * d, \
                                        const FP_UINT *a, unsigned n)    \
    {                                                                    \
        for (unsigned i = 0; i < n; i++)                                 \
            d[i] = FP(name)(a[i], h->rm, &h->flags);                     \
    }
ESTIMATE_LANES(rec7)
ESTIMATE_LANES(rsqrt7)
#undef ESTIMATE_LANES

/*
 * Conversion to integers.  The significand, with its leading one in the top bit, is
 * shifted right until its unit is 1: the bits shifted out are the fraction, in units
 * of 2^-FP_WIDTH.
 *
 *     shift 0              integer = significand, fraction = 0
 *     1 .. FP_WIDTH - 1    the two parts of it
 *     FP_WIDTH             integer = 0, fraction = significand
 *     more                 integer = 0, fraction > 0 unless the number is 0
 *     below 0              too large, infinity, NaN
 *
 * `high`, `low` are the largest magnitudes of either sign.
 */
static inline void
FP(to_integer_lanes)(struct fp_host *h, FP_UINT *d, const FP_UINT *a,
                     FP_UINT high, FP_UINT low, unsigned n)
{
    enum { BIAS = (1 << (FP_WIDTH - 2 - FP_FRAC)) - 1 };
    const struct fp_thresholds t = fp_thresholds(h->rm);
    const FP_UINT positive = (FP_UINT)(t.positive >> (64 - FP_WIDTH));
    const FP_UINT negative = (FP_UINT)(t.negative >> (64 - FP_WIDTH));
    const FP_UINT even = t.even;
    FP_UINT flags = 0;
    FP_EACH_LANE
    for (unsigned i = 0; i < n; i++) {
        FP_UINT magnitude = a[i] & ~FP_SIGN;
        FP_UINT sign = FP(mask)(a[i] & FP_SIGN);
        FP_INT shift = BIAS + FP_WIDTH - 1 - (FP_INT)(magnitude >> FP_FRAC);
        FP_UINT sig = magnitude << (FP_WIDTH - 1 - FP_FRAC) | FP_SIGN;
        FP_UINT integer = sig >> (shift & (FP_WIDTH - 1));
        FP_UINT fraction = sig << (-shift & (FP_WIDTH - 1));
        integer &= FP(mask)(shift < FP_WIDTH);
        fraction = FP(select)(FP(mask)(shift > FP_WIDTH),
                              FP(mask)(magnitude != 0) & 1, fraction);
        fraction &= FP(mask)(shift > 0);
        FP_UINT threshold = FP(select)(sign, negative, positive);
        threshold -= integer & even;
        integer += FP(mask)(fraction > threshold) & 1;
        FP_UINT limit = FP(select)(sign, low, high);
        FP_UINT bad = FP(mask)(shift < 0) | FP(mask)(integer > limit);
        integer = FP(select)(bad, limit, integer);
        integer = (integer ^ sign) - sign;
        d[i] = FP(select)(FP(nan_mask)(a[i]), high, integer);
        flags |= bad & FP_NV;
        flags |= FP(mask)(fraction != 0) & ~bad & FP_NX;
    }
    h->flags |= (unsigned)flags;
}

/* Converts to integers of the same width; saturating. */
static inline void
FP(to_int_lanes)(struct fp_host *h, FP_UINT *d, const FP_UINT *a, unsigned n)
{
    FP(to_integer_lanes)(h, d, a, FP_SIGN - 1, FP_SIGN, n);
}

static inline void
FP(to_uint_lanes)(struct fp_host *h, FP_UINT *d, const FP_UINT *a, unsigned n)
{
    FP(to_integer_lanes)(h, d, a, (FP_UINT)-1, 0, n);
}

static inline void
FP(from_int_lanes)(struct fp_host *h, FP_UINT *d, const FP_UINT *a, unsigned n)
{
    if (!fp_host_is_hard(h)) {
        for (unsigned i = 0; i < n; i++)
            d[i] = FP(from_int)((FP_INT)a[i], h->rm, &h->flags);
        return;
    }
    FP_LAUNDER(d);
    FP_LAUNDER(a);
    FP_EACH_LANE
    for (unsigned i = 0; i < n; i++)
        d[i] = FP(from_host)((FP_HOST)(FP_INT)a[i]);
    FP_LAUNDER(d);
}

/* Converts unsigned integers as two exact halves, summed with one rounding.  Compilers
 * convert unsigned vectors by subtracting large constants, which makes -0 of 0 when
 * rounding down. */
static inline void
FP(from_uint_lanes)(struct fp_host *h, FP_UINT *d, const FP_UINT *a, unsigned n)
{
    if (!fp_host_is_hard(h)) {
        for (unsigned i = 0; i < n; i++)
            d[i] = FP(from_uint)(a[i], h->rm, &h->flags);
        return;
    }
    const FP_UINT base = (FP_UINT)1 << (FP_WIDTH / 2);
    FP_LAUNDER(d);
    FP_LAUNDER(a);
    FP_EACH_LANE
    for (unsigned i = 0; i < n; i++) {
        FP_HOST upper = (FP_HOST)(FP_INT)(a[i] / base);
        FP_HOST lower = (FP_HOST)(FP_INT)(a[i] % base);
        d[i] = FP(from_host)(upper * (FP_HOST)(FP_INT)base + lower);
    }
    FP_LAUNDER(d);
}

#undef FP_HOST
#undef FP_HOST_FUSED
#undef FP_WIDTH
