/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arithmetic on halves, as hostfloat.h.  A half is in the low 16 bits of a word;
 * operands may have any bits above, results have zeros there.
 *
 * A sum, difference, product, quotient or root of halves is computed in float and
 * rounded to half.  With 24 bits (2 * 11 + 2) rounding twice to nearest gives the same
 * result as rounding once, and in the other modes both roundings have the same
 * direction.  A fused multiply-add is computed in double, where the product is exact;
 * the sum keeps 24 bits, the last of them sticky.  No intermediate number is subnormal
 * or too large, so the flags are those of the operation and of the last rounding.
 *
 * The last rounding is VCVTPS2PH, which has the rounding modes, flags and tininess
 * after rounding of the other SSE instructions.  Without it softfloat rounds.
 */
#pragma once

#include "isa/hostfloat.h"

#if FP_HOST_SSE && defined(__F16C__) && defined(__AVX2__)
#define FP_HOST_HALF 1
#else
#define FP_HOST_HALF 0
#endif

enum { FP16_CHUNK = 32 };

static inline bool
fp16_is_hard(const struct fp_host *h)
{
    return FP_HOST_HALF && fp_host_is_hard(h);
}

#if FP_HOST_HALF
/* Widens eight halves.  Signalling NaNs become quiet, and are invalid. */
static inline void
fp16_widen_8(uint32_t *f, const uint32_t *h)
{
    __m256i x = _mm256_and_si256(_mm256_loadu_si256((const __m256i *)h),
                                 _mm256_set1_epi32(0xffff));
    __m128i y = _mm_packus_epi32(_mm256_castsi256_si128(x),
                                 _mm256_extracti128_si256(x, 1));
    _mm256_storeu_ps((float *)f, _mm256_cvtph_ps(y));
}

static inline void
fp16_narrow_8(uint32_t *h, const uint32_t *f)
{
    __m128i x = _mm256_cvtps_ph(_mm256_loadu_ps((const float *)f),
                                _MM_FROUND_CUR_DIRECTION);
    __m256i y = _mm256_cvtepu16_epi32(x);
    __m256i size = _mm256_and_si256(y, _mm256_set1_epi32(0x7fff));
    __m256i nan = _mm256_cmpgt_epi32(size, _mm256_set1_epi32(0x7c00));
    y = _mm256_blendv_epi8(y, _mm256_set1_epi32(0x7e00), nan);
    _mm256_storeu_si256((__m256i *)h, y);
}
#endif

/* Widens n halves and fills the chunk with zeros, which raise no flag. */
static inline void
fp16_widen(uint32_t f[FP16_CHUNK], const uint32_t *h, unsigned n)
{
#if FP_HOST_HALF
    FP_LAUNDER(h);
    unsigned i = 0;
    for (; i + 8 <= n; i += 8)
        fp16_widen_8(f + i, h + i);
    if (i < n) {
        uint32_t rest[8] = { 0 };
        memcpy(rest, h + i, (n - i) * sizeof *h);
        fp16_widen_8(f + i, rest);
    }
    FP_LAUNDER(f);
#else
    (void)f, (void)h, (void)n;
#endif
}

static inline void
fp16_narrow(uint32_t *h, const uint32_t f[FP16_CHUNK], unsigned n)
{
#if FP_HOST_HALF
    FP_LAUNDER(f);
    unsigned i = 0;
    for (; i + 8 <= n; i += 8)
        fp16_narrow_8(h + i, f + i);
    if (i < n) {
        uint32_t rest[8] = { 0 };
        memcpy(rest, f + i, (n - i) * sizeof *f);
        fp16_narrow_8(rest, rest);
        memcpy(h + i, rest, (n - i) * sizeof *h);
    }
    FP_LAUNDER(h);
#else
    (void)h, (void)f, (void)n;
#endif
}

static inline unsigned
fp16_chunk(unsigned i, unsigned n)
{
    return n - i < FP16_CHUNK ? n - i : FP16_CHUNK;
}

/* ---- computed in float, then rounded ---- */

#define ROUNDED(name)                                                      \
    static inline void fp16_##name##_lanes(struct fp_host *h, uint32_t *d, \
                                           const uint32_t *a,              \
                                           const uint32_t *b, unsigned n)  \
    {                                                                      \
        uint32_t x[FP16_CHUNK], y[FP16_CHUNK];                             \
        if (!fp16_is_hard(h)) {                                            \
            for (unsigned i = 0; i < n; i++)                               \
                d[i] = fp16_##name((uint16_t)a[i], (uint16_t)b[i], h->rm,  \
                                   &h->flags);                             \
            return;                                                        \
        }                                                                  \
        for (unsigned i = 0; i < n; i += FP16_CHUNK) {                     \
            unsigned m = fp16_chunk(i, n);                                 \
            fp16_widen(x, a + i, m);                                       \
            fp16_widen(y, b + i, m);                                       \
            fp32_##name##_lanes(h, x, x, y, m);                            \
            fp16_narrow(d + i, x, m);                                      \
        }                                                                  \
    }
ROUNDED(add)
ROUNDED(sub)
ROUNDED(mul)
ROUNDED(div)
#undef ROUNDED

static inline void
fp16_sqrt_lanes(struct fp_host *h, uint32_t *d, const uint32_t *a, unsigned n)
{
    uint32_t x[FP16_CHUNK];
    if (!fp16_is_hard(h)) {
        for (unsigned i = 0; i < n; i++)
            d[i] = fp16_sqrt((uint16_t)a[i], h->rm, &h->flags);
        return;
    }
    for (unsigned i = 0; i < n; i += FP16_CHUNK) {
        unsigned m = fp16_chunk(i, n);
        fp16_widen(x, a + i, m);
        fp32_sqrt_lanes(h, x, x, m);
        fp16_narrow(d + i, x, m);
    }
}

/* Converts integers of 16 bits, which float represents exactly. */
static inline void
fp16_from_int_lanes(struct fp_host *h, uint32_t *d, const uint32_t *a,
                    unsigned n)
{
    uint32_t x[FP16_CHUNK];
    if (!fp16_is_hard(h)) {
        for (unsigned i = 0; i < n; i++)
            d[i] = fp16_from_int((int16_t)a[i], h->rm, &h->flags);
        return;
    }
    for (unsigned i = 0; i < n; i += FP16_CHUNK) {
        unsigned m = fp16_chunk(i, n);
        for (unsigned k = 0; k < m; k++)
            x[k] = (uint32_t)(int16_t)a[i + k];
        fp32_from_int_lanes(h, x, x, m);
        fp16_narrow(d + i, x, m);
    }
}

static inline void
fp16_from_uint_lanes(struct fp_host *h, uint32_t *d, const uint32_t *a,
                     unsigned n)
{
    uint32_t x[FP16_CHUNK];
    if (!fp16_is_hard(h)) {
        for (unsigned i = 0; i < n; i++)
            d[i] = fp16_from_uint((uint16_t)a[i], h->rm, &h->flags);
        return;
    }
    for (unsigned i = 0; i < n; i += FP16_CHUNK) {
        unsigned m = fp16_chunk(i, n);
        for (unsigned k = 0; k < m; k++)
            x[k] = (uint16_t)a[i + k];
        fp32_from_int_lanes(h, x, x, m);
        fp16_narrow(d + i, x, m);
    }
}

/* ---- a * b + c ---- */

#if FP_HOST_HALF
/* Multiply-add of a chunk.  The launder keeps the two operations apart: contracted to
 * one, infinity * 0 + NaN would not be invalid. */
static inline void
fp16_fma_chunk(uint32_t *x, const uint32_t *y, const uint32_t *z, unsigned n)
{
    double p[FP16_CHUNK], *at = p;
    uint64_t bits[FP16_CHUNK];
    FP_EACH_LANE
    for (unsigned i = 0; i < n; i++)
        p[i] = (double)fp32_to_host(x[i]) * (double)fp32_to_host(y[i]);
    FP_LAUNDER(at);
    FP_EACH_LANE
    for (unsigned i = 0; i < n; i++)
        at[i] = at[i] + (double)fp32_to_host(z[i]);
    FP_LAUNDER(at);
    memcpy(bits, at, n * sizeof *bits);
    const uint64_t rest = ((uint64_t)1 << 29) - 1;
    FP_EACH_LANE
    for (unsigned i = 0; i < n; i++)
        bits[i] =
            (bits[i] & ~rest) | (fp64_mask((bits[i] & rest) != 0) & (rest + 1));
    memcpy(at, bits, n * sizeof *bits);
    FP_EACH_LANE
    for (unsigned i = 0; i < n; i++) {
        float f = (float)at[i];
        memcpy(&x[i], &f, sizeof f);
    }
}
#endif

/* Fused multiply-add; `negate` is of enum fp_negate. */
static inline void
fp16_fma_lanes(struct fp_host *h, uint32_t *d, const uint32_t *a,
               const uint32_t *b, const uint32_t *c, unsigned negate,
               unsigned n)
{
#if FP_HOST_HALF
    uint32_t x[FP16_CHUNK], y[FP16_CHUNK], z[FP16_CHUNK];
    const uint32_t flip_x = negate & FP_NEG_PRODUCT ? 0x80000000 : 0;
    const uint32_t flip_z = negate & FP_NEG_ADDEND ? 0x80000000 : 0;
    if (fp16_is_hard(h)) {
        for (unsigned i = 0; i < n; i += FP16_CHUNK) {
            unsigned m = fp16_chunk(i, n);
            fp16_widen(x, a + i, m);
            fp16_widen(y, b + i, m);
            fp16_widen(z, c + i, m);
            for (unsigned k = 0; k < m; k++) {
                x[k] ^= flip_x;
                z[k] ^= flip_z;
            }
            fp16_fma_chunk(x, y, z, m);
            fp16_narrow(d + i, x, m);
        }
        return;
    }
#endif
    for (unsigned i = 0; i < n; i++)
        d[i] = fp16_fma((uint16_t)a[i], (uint16_t)b[i], (uint16_t)c[i], negate,
                        h->rm, &h->flags);
}

/* ---- without rounding: integer code ---- */

#define COMPARED(name, mask, outcome)                                      \
    static inline void fp16_##name##_lanes(struct fp_host *h, uint32_t *d, \
                                           const uint32_t *a,              \
                                           const uint32_t *b, unsigned n)  \
    {                                                                      \
        uint16_t flags = 0;                                                \
        FP_EACH_LANE                                                       \
        for (unsigned i = 0; i < n; i++)                                   \
            d[i] = (fp16_##mask((uint16_t)a[i], (uint16_t)b[i], &flags) ^  \
                    (outcome)) &                                           \
                   1;                                                      \
        h->flags |= flags;                                                 \
    }
COMPARED(eq, eq_mask, 0)
COMPARED(ne, eq_mask, 1)
COMPARED(lt, lt_mask, 0)
COMPARED(le, le_mask, 0)
#undef COMPARED

#define CHOSEN(name, larger)                                                 \
    static inline void fp16_##name##_lanes(struct fp_host *h, uint32_t *d,   \
                                           const uint32_t *a,                \
                                           const uint32_t *b, unsigned n)    \
    {                                                                        \
        uint16_t flags = 0;                                                  \
        FP_EACH_LANE                                                         \
        for (unsigned i = 0; i < n; i++)                                     \
            d[i] =                                                           \
                fp16_choose((uint16_t)a[i], (uint16_t)b[i], larger, &flags); \
        h->flags |= flags;                                                   \
    }
CHOSEN(min, 0)
CHOSEN(max, (uint16_t)-1)
#undef CHOSEN

#define SIGN_LANES(name)                                                   \
    static inline void fp16_##name##_lanes(struct fp_host *h, uint32_t *d, \
                                           const uint32_t *a,              \
                                           const uint32_t *b, unsigned n)  \
    {                                                                      \
        (void)h;                                                           \
        FP_EACH_LANE                                                       \
        for (unsigned i = 0; i < n; i++)                                   \
            d[i] = fp16_##name((uint16_t)a[i], (uint16_t)b[i]);            \
    }
SIGN_LANES(sgnj)
SIGN_LANES(sgnjn)
SIGN_LANES(sgnjx)
#undef SIGN_LANES

static inline void
fp16_class_lanes(struct fp_host *h, uint32_t *d, const uint32_t *a, unsigned n)
{
    (void)h;
    for (unsigned i = 0; i < n; i++)
        d[i] = fp16_class((uint16_t)a[i]);
}

static inline void
fp16_exp_lanes(struct fp_host *h, uint32_t *d, const uint32_t *a, unsigned n)
{
    (void)h;
    for (unsigned i = 0; i < n; i++)
        d[i] = fp16_exp((uint16_t)a[i]);
}

static inline void
fp16_rec7_lanes(struct fp_host *h, uint32_t *d, const uint32_t *a, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        d[i] = fp16_rec7((uint16_t)a[i], h->rm, &h->flags);
}

static inline void
fp16_rsqrt7_lanes(struct fp_host *h, uint32_t *d, const uint32_t *a, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        d[i] = fp16_rsqrt7((uint16_t)a[i], h->rm, &h->flags);
}

/* Converts to integers of 16 bits, saturating. */
static inline void
fp16_to_int_lanes(struct fp_host *h, uint32_t *d, const uint32_t *a, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        d[i] = (uint16_t)fp16_to_int((uint16_t)a[i], 16, h->rm, &h->flags);
}

static inline void
fp16_to_uint_lanes(struct fp_host *h, uint32_t *d, const uint32_t *a,
                   unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        d[i] = (uint16_t)fp16_to_uint((uint16_t)a[i], 16, h->rm, &h->flags);
}

/* ---- from and to binary32 ---- */

static inline void
fp16_to_fp32_lanes(struct fp_host *h, uint32_t *d, const uint32_t *a,
                   unsigned n)
{
    unsigned i = 0;
#if FP_HOST_HALF
    FP_LAUNDER(a);
    for (; fp16_is_hard(h) && i + 8 <= n; i += 8)
        fp16_widen_8(d + i, a + i);
    FP_LAUNDER(d);
    FP_EACH_LANE
    for (unsigned k = 0; k < i; k++)
        d[k] = fp32_is_nan(d[k]) ? 0x7fc00000 : d[k];
#endif
    for (; i < n; i++)
        d[i] = fp32_from_fp16((uint16_t)a[i], &h->flags);
}

static inline void
fp16_from_fp32_lanes(struct fp_host *h, uint32_t *d, const uint32_t *a,
                     unsigned n)
{
    if (!fp16_is_hard(h)) {
        for (unsigned i = 0; i < n; i++)
            d[i] = fp16_from_fp32(a[i], h->rm, &h->flags);
        return;
    }
    fp16_narrow(d, a, n);
}
