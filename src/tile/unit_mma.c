/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matrix multiply: D[m][n] += A[m][k] * B[k][n], k rising, each step one fused
 * multiply-add in binary32 (or an integer one), so that results are the same
 * bits everywhere (docs/tile.md, Matrix multiply).
 *
 *     A image: row m, K elements        B image: row n, K elements (a column)
 *     transposed, 8-bit types only:     A[m][k] = byte 8k + m,
 *                                       B[k][n] = byte 8k + n
 *
 * Both are converted first, A to [m][k], B to [k][n]; then the loops have eight
 * independent chains for the host's vector unit.  A NaN stays one, so making
 * it canonical at the end is the same as at each step.
 */
#include <assert.h>
#include <math.h>

#include "tile/number.h"
#include "tile/thread.h"
#include "tile/vector.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { N = 8, K_MAX = 32 };

/* The element types of A and B; f32 accumulates if is_float. */
struct types {
    enum ventus_tile_cvtfmt a, b;
    bool is_float, tf32;
};

static struct types
types_of(unsigned func)
{
    static const struct types table[] = {
        [VENTUS_TILE_MMAUOP_S8] = { VENTUS_TILE_CVTFMT_I8,
                                    VENTUS_TILE_CVTFMT_I8, false, false },
        [VENTUS_TILE_MMAUOP_U8] = { VENTUS_TILE_CVTFMT_U8,
                                    VENTUS_TILE_CVTFMT_U8, false, false },
        [VENTUS_TILE_MMAUOP_S8U8] = { VENTUS_TILE_CVTFMT_I8,
                                      VENTUS_TILE_CVTFMT_U8, false, false },
        [VENTUS_TILE_MMAUOP_U8S8] = { VENTUS_TILE_CVTFMT_U8,
                                      VENTUS_TILE_CVTFMT_I8, false, false },
        [VENTUS_TILE_MMAUOP_F16] = { VENTUS_TILE_CVTFMT_F16,
                                     VENTUS_TILE_CVTFMT_F16, true, false },
        [VENTUS_TILE_MMAUOP_BF16] = { VENTUS_TILE_CVTFMT_BF16,
                                      VENTUS_TILE_CVTFMT_BF16, true, false },
        [VENTUS_TILE_MMAUOP_TF32] = { VENTUS_TILE_CVTFMT_F32,
                                      VENTUS_TILE_CVTFMT_F32, true, true },
        [VENTUS_TILE_MMAUOP_F32] = { VENTUS_TILE_CVTFMT_F32,
                                     VENTUS_TILE_CVTFMT_F32, true, false },
        [VENTUS_TILE_MMAUOP_E4M3] = { VENTUS_TILE_CVTFMT_E4M3,
                                      VENTUS_TILE_CVTFMT_E4M3, true, false },
        [VENTUS_TILE_MMAUOP_E5M2] = { VENTUS_TILE_CVTFMT_E5M2,
                                      VENTUS_TILE_CVTFMT_E5M2, true, false },
        [VENTUS_TILE_MMAUOP_E4M3E5M2] = { VENTUS_TILE_CVTFMT_E4M3,
                                          VENTUS_TILE_CVTFMT_E5M2, true,
                                          false },
        [VENTUS_TILE_MMAUOP_E5M2E4M3] = { VENTUS_TILE_CVTFMT_E5M2,
                                          VENTUS_TILE_CVTFMT_E4M3, true,
                                          false },
    };
    assert(func < sizeof table / sizeof *table);
    return table[func];
}

static bool
a_in_memory(const struct ventus_tile_insn *in)
{
    return in->op == VENTUS_TILE_MMA_VT || in->op == VENTUS_TILE_MMA_VV;
}

static bool
b_in_memory(const struct ventus_tile_insn *in)
{
    return in->op == VENTUS_TILE_MMA_TV || in->op == VENTUS_TILE_MMA_VV;
}

/* ---- operands ------------------------------------------------------------ */

/* e0 address, e1 row pitch, e2 tile pitch, e3 = 0; checked as read later. */
static enum thread_result
capture_descriptor(struct tile_thread *t, struct thread_op *op, unsigned which,
                   unsigned reg, unsigned tiles)
{
    const struct hart *h = &t->hart;
    uint32_t *d = op->descriptor[which];
    if (h->vtype >> 31 || h->vl < 4)
        return thread_fault(t, op->pc, VENTUS_TILE_CAUSE_ILLEGAL, 0);
    for (unsigned e = 0; e < 4; e++)
        d[e] = (uint32_t)vector_get(h, reg, e, 2);
    if (d[3])
        return thread_fault(t, op->pc, VENTUS_TILE_CAUSE_ILLEGAL, 0);
    for (unsigned i = 0; i < tiles; i++) {
        for (unsigned r = 0; r < VENTUS_TILE_ROWS; r++) {
            uint64_t at = d[0] + (uint64_t)i * d[2] + (uint64_t)r * d[1];
            if (at % VENTUS_TILE_ROW_B)
                return thread_fault(t, op->pc,
                                    VENTUS_TILE_CAUSE_LOAD_MISALIGNED, at);
            if (!memory_tile(&t->machine->memory, MEMORY_SHARE, t->pe, at,
                             VENTUS_TILE_ROW_B))
                return thread_fault(t, op->pc, VENTUS_TILE_CAUSE_LOAD, at);
        }
    }
    return THREAD_DONE;
}

enum thread_result
capture_mma(struct tile_thread *t, struct thread_op *op)
{
    const struct ventus_tile_insn *in = &op->in;
    unsigned n = 1u << in->n, a_tiles = in->multi ? n : 1;
    unsigned b_tiles = in->multi ? 1 : n;
    struct types types = types_of(in->func);
    enum thread_result r = THREAD_DONE;
    if (in->td + n > VENTUS_TILE_REGISTERS ||
        (!a_in_memory(in) && in->ts1 + a_tiles > VENTUS_TILE_REGISTERS) ||
        (!b_in_memory(in) && in->ts2 + b_tiles > VENTUS_TILE_REGISTERS) ||
        ((in->ta || in->tb) && number_size(types.a) != 1))
        return thread_fault(t, op->pc, VENTUS_TILE_CAUSE_ILLEGAL, 0);
    if (a_in_memory(in))
        r = capture_descriptor(t, op, 0, in->va, a_tiles);
    if (r == THREAD_DONE && b_in_memory(in))
        r = capture_descriptor(t, op, 1, in->vb, b_tiles);
    t->machine->stats.macs +=
        (uint64_t)n * N * N * (VENTUS_TILE_ROW_B / number_size(types.a));
    return r;
}

/* The 256 bytes of operand `which`, tile i; gathered into `storage` if need be. */
static const uint8_t *
image_of(struct tile_thread *t, const struct thread_op *op, unsigned which,
         unsigned i, uint8_t storage[VENTUS_TILE_B])
{
    const struct ventus_tile_insn *in = &op->in;
    assert((which ? in->ts2 : in->ts1) + i < VENTUS_TILE_REGISTERS ||
           (which ? b_in_memory(in) : a_in_memory(in)));
    if (!(which ? b_in_memory(in) : a_in_memory(in)))
        return t->tr[(which ? in->ts2 : in->ts1) + i];
    const uint32_t *d = op->descriptor[which];
    for (unsigned r = 0; r < VENTUS_TILE_ROWS; r++) {
        uint64_t at = d[0] + (uint64_t)i * d[2] + (uint64_t)r * d[1];
        memcpy(storage + r * VENTUS_TILE_ROW_B,
               memory_tile(&t->machine->memory, MEMORY_SHARE, t->pe, at,
                           VENTUS_TILE_ROW_B),
               VENTUS_TILE_ROW_B);
    }
    return storage;
}

/* Brings a transposed 8-bit image into the order of the others. */
static void
transpose(const uint8_t *image, uint8_t out[VENTUS_TILE_B])
{
    for (unsigned k = 0; k < K_MAX; k++)
        for (unsigned r = 0; r < N; r++)
            out[r * K_MAX + k] = image[k * N + r];
}

#define INLINE static inline __attribute__((always_inline))

static void
to_floats(enum ventus_tile_cvtfmt format, const uint8_t *image, bool tf32,
          float *out)
{
    uint16_t half[VENTUS_TILE_B / 2];
    memcpy(half, image, sizeof half);
    switch (format) {
    case VENTUS_TILE_CVTFMT_F16:
        for (unsigned e = 0; e < VENTUS_TILE_B / 2; e++)
            out[e] = number_from_f16(half[e]);
        break;
    case VENTUS_TILE_CVTFMT_BF16:
        for (unsigned e = 0; e < VENTUS_TILE_B / 2; e++)
            out[e] = number_from_bf16(half[e]);
        break;
    case VENTUS_TILE_CVTFMT_E4M3:
        for (unsigned e = 0; e < VENTUS_TILE_B; e++)
            out[e] = number_from_e4m3(image[e]);
        break;
    case VENTUS_TILE_CVTFMT_E5M2:
        for (unsigned e = 0; e < VENTUS_TILE_B; e++)
            out[e] = number_from_e5m2(image[e]);
        break;
    default:
        memcpy(out, image, VENTUS_TILE_B);
        for (unsigned e = 0; tf32 && e < VENTUS_TILE_B / 4; e++)
            out[e] = number_float(number_bits(out[e]) & ~0x1fffu);
    }
}

/* ---- kernels ------------------------------------------------------------- */

typedef void
float_kernel(const float *a, const float *b, unsigned k_count, float *d);
typedef void
integer_kernel(const int16_t *a, const int16_t *b, uint32_t *d);

static void
float_portable(const float *a, const float *b, unsigned k_count, float *d)
{
    for (unsigned m = 0; m < N; m++)
        for (unsigned k = 0; k < k_count; k++)
            for (unsigned n = 0; n < N; n++)
                d[m * N + n] =
                    fmaf(a[m * k_count + k], b[k * N + n], d[m * N + n]);
}

/* b: pairs of k side by side, [k / 2][n][2]; the sum wraps as it must. */
static void
integer_portable(const int16_t *a, const int16_t *b, uint32_t *d)
{
    for (unsigned m = 0; m < N; m++)
        for (unsigned k = 0; k < K_MAX; k++)
            for (unsigned n = 0; n < N; n++)
                d[m * N + n] += (uint32_t)(a[m * K_MAX + k] *
                                           b[(k / 2 * N + n) * 2 + k % 2]);
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) static void
float_avx2(const float *a, const float *b, unsigned k_count, float *d)
{
    __m256 sum[N];
    for (unsigned m = 0; m < N; m++)
        sum[m] = _mm256_loadu_ps(d + m * N);
    for (unsigned k = 0; k < k_count; k++) {
        __m256 row = _mm256_loadu_ps(b + k * N);
#pragma GCC unroll 8
        for (unsigned m = 0; m < N; m++)
            sum[m] = _mm256_fmadd_ps(_mm256_set1_ps(a[m * k_count + k]), row,
                                     sum[m]);
    }
    for (unsigned m = 0; m < N; m++)
        _mm256_storeu_ps(d + m * N, sum[m]);
}

__attribute__((target("avx2"))) static void
integer_avx2(const int16_t *a, const int16_t *b, uint32_t *d)
{
    __m256i sum[N];
    for (unsigned m = 0; m < N; m++)
        sum[m] = _mm256_loadu_si256((const __m256i *)(d + m * N));
    for (unsigned k = 0; k < K_MAX; k += 2) {
        __m256i row = _mm256_loadu_si256((const __m256i *)(b + k * N));
#pragma GCC unroll 8
        for (unsigned m = 0; m < N; m++) {
            int pair;
            memcpy(&pair, a + m * K_MAX + k, sizeof pair);
            sum[m] = _mm256_add_epi32(
                sum[m], _mm256_madd_epi16(_mm256_set1_epi32(pair), row));
        }
    }
    for (unsigned m = 0; m < N; m++)
        _mm256_storeu_si256((__m256i *)(d + m * N), sum[m]);
}
#endif

static integer_kernel *
best_integer(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        return integer_avx2;
#endif
    return integer_portable;
}

/* ---- one tile ------------------------------------------------------------ */

/* B as it is stored, [n][k], to [k][n]. */
static void
to_columns(const float *in, unsigned k_count, float *out)
{
    for (unsigned n = 0; n < N; n++)
        for (unsigned k = 0; k < k_count; k++)
            out[k * N + n] = in[n * k_count + k];
}

#if defined(__x86_64__)
/* 8 x 8 blocks, in three rounds that exchange ever longer parts. */
__attribute__((target("avx2"))) static void
to_columns_avx2(const float *in, unsigned k_count, float *out)
{
    for (unsigned k = 0; k < k_count; k += 8) {
        __m256 r[8], s[8];
        for (unsigned n = 0; n < 8; n++)
            r[n] = _mm256_loadu_ps(in + n * k_count + k);
        for (unsigned n = 0; n < 8; n += 2) {
            s[n] = _mm256_unpacklo_ps(r[n], r[n + 1]);
            s[n + 1] = _mm256_unpackhi_ps(r[n], r[n + 1]);
        }
        for (unsigned n = 0; n < 8; n += 4) {
            r[n] = _mm256_shuffle_ps(s[n], s[n + 2], 0x44);
            r[n + 1] = _mm256_shuffle_ps(s[n], s[n + 2], 0xee);
            r[n + 2] = _mm256_shuffle_ps(s[n + 1], s[n + 3], 0x44);
            r[n + 3] = _mm256_shuffle_ps(s[n + 1], s[n + 3], 0xee);
        }
        for (unsigned n = 0; n < 4; n++) {
            _mm256_storeu_ps(out + (k + n) * N,
                             _mm256_permute2f128_ps(r[n], r[n + 4], 0x20));
            _mm256_storeu_ps(out + (k + n + 4) * N,
                             _mm256_permute2f128_ps(r[n], r[n + 4], 0x31));
        }
    }
}
#endif

typedef void
turner(const float *in, unsigned k_count, float *out);
typedef void
converter(enum ventus_tile_cvtfmt format, const uint8_t *image, bool tf32,
          float *out);

#if defined(__x86_64__)
/* Converts eight elements at once; F16C has the exact conversion. */
__attribute__((target("avx2,fma,f16c"))) static void
to_floats_avx2(enum ventus_tile_cvtfmt format, const uint8_t *image, bool tf32,
               float *out)
{
    const __m256i nan = _mm256_set1_epi32(0x7f << 20);
    const __m256i sign = _mm256_set1_epi32(INT32_MIN);
    if (number_size(format) == 4 || format == VENTUS_TILE_CVTFMT_BF16) {
        to_floats(format, image, tf32, out);
        return;
    }
    for (unsigned at = 0; at < VENTUS_TILE_B; at += 8 * number_size(format)) {
        __m128i x;
        if (format == VENTUS_TILE_CVTFMT_F16)
            x = _mm_loadu_si128((const __m128i *)(image + at));
        else
            x = _mm_loadl_epi64((const __m128i *)(image + at));
        if (format == VENTUS_TILE_CVTFMT_E5M2)
            x = _mm_slli_epi16(_mm_cvtepu8_epi16(x), 8);
        if (format != VENTUS_TILE_CVTFMT_E4M3) {
            _mm256_storeu_ps(out, _mm256_cvtph_ps(x));
            out += 8;
            continue;
        }
        __m256i wide = _mm256_cvtepu8_epi32(x);
        __m256i magnitude = _mm256_and_si256(_mm256_slli_epi32(wide, 20), nan);
        __m256 scaled = _mm256_mul_ps(_mm256_castsi256_ps(magnitude),
                                      _mm256_set1_ps(0x1p120f));
        __m256i is_nan = _mm256_cmpeq_epi32(magnitude, nan);
        __m256i bits = _mm256_or_si256(
            _mm256_castps_si256(scaled),
            _mm256_and_si256(is_nan, _mm256_set1_epi32(0x7fc00000)));
        bits = _mm256_or_si256(
            bits, _mm256_and_si256(_mm256_slli_epi32(wide, 24), sign));
        _mm256_storeu_ps(out, _mm256_castsi256_ps(bits));
        out += 8;
    }
}
#endif

INLINE void
floats(struct types types, const struct ventus_tile_insn *in, const uint8_t *a,
       const uint8_t *b, uint8_t *d, float_kernel *kernel, converter *convert,
       turner *turn)
{
    float fa[VENTUS_TILE_B], fb[VENTUS_TILE_B], columns[VENTUS_TILE_B],
        sum[N * N];
    unsigned k_count = VENTUS_TILE_ROW_B / number_size(types.a);
    convert(types.a, a, types.tf32, fa);
    convert(types.b, b, types.tf32, fb);
    turn(fb, k_count, columns);
    for (unsigned e = 0; in->neg1 && e < N * k_count; e++)
        fa[e] = -fa[e];
    memcpy(sum, d, sizeof sum);
    for (unsigned e = 0; in->negd && e < N * N; e++)
        sum[e] = -sum[e];
    kernel(fa, columns, k_count, sum);
    for (unsigned e = 0; e < N * N; e++)
        if (sum[e] != sum[e])
            sum[e] = number_float(0x7fc00000);
    memcpy(d, sum, sizeof sum);
}

static void
floats_portable(struct types types, const struct ventus_tile_insn *in,
                const uint8_t *a, const uint8_t *b, uint8_t *d)
{
    floats(types, in, a, b, d, float_portable, to_floats, to_columns);
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma,f16c"))) static void
floats_avx2(struct types types, const struct ventus_tile_insn *in,
            const uint8_t *a, const uint8_t *b, uint8_t *d)
{
    floats(types, in, a, b, d, float_avx2, to_floats_avx2, to_columns_avx2);
}
#endif

static void
multiply_floats(struct types types, const struct ventus_tile_insn *in,
                const uint8_t *a, const uint8_t *b, uint8_t *d)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("f16c")) {
        floats_avx2(types, in, a, b, d);
        return;
    }
#endif
    floats_portable(types, in, a, b, d);
}

static inline void
to_halves(bool is_signed, const uint8_t *image, int16_t *out)
{
    for (unsigned e = 0; e < VENTUS_TILE_B; e++)
        out[e] = is_signed ? (int8_t)image[e] : image[e];
}

static int32_t
clamp(int64_t x)
{
    return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : (int32_t)x;
}

/* tfcsr.isat: the exact sum, saturated at the end. */
static void
multiply_saturating(const int16_t *a, const int16_t *b, bool negd, uint8_t *d)
{
    int32_t sum[N * N];
    memcpy(sum, d, sizeof sum);
    for (unsigned m = 0; m < N; m++) {
        for (unsigned n = 0; n < N; n++) {
            int64_t x = sum[m * N + n];
            x = negd ? -x : x;
            for (unsigned k = 0; k < K_MAX; k++)
                x += a[m * K_MAX + k] * b[n * K_MAX + k];
            sum[m * N + n] = clamp(x);
        }
    }
    memcpy(d, sum, sizeof sum);
}

static void
multiply_integers(struct types types, const struct thread_op *op,
                  const uint8_t *a, const uint8_t *b, uint8_t *d)
{
    const struct ventus_tile_insn *in = &op->in;
    int16_t ha[VENTUS_TILE_B], hb[VENTUS_TILE_B], pairs[VENTUS_TILE_B];
    uint32_t sum[N * N];
    to_halves(types.a == VENTUS_TILE_CVTFMT_I8, a, ha);
    to_halves(types.b == VENTUS_TILE_CVTFMT_I8, b, hb);
    for (unsigned e = 0; in->neg1 && e < VENTUS_TILE_B; e++)
        ha[e] = (int16_t)-ha[e];
    if (op->tfcsr >> 8 & 1) {
        multiply_saturating(ha, hb, in->negd, d);
        return;
    }
    for (unsigned k = 0; k < K_MAX; k += 2)
        for (unsigned n = 0; n < N; n++)
            memcpy(&pairs[k * N + 2 * n], &hb[n * K_MAX + k],
                   2 * sizeof *pairs);
    memcpy(sum, d, sizeof sum);
    for (unsigned e = 0; in->negd && e < N * N; e++)
        sum[e] = 0 - sum[e];
    best_integer()(ha, pairs, sum);
    memcpy(d, sum, sizeof sum);
}

enum thread_result
unit_mma(struct tile_thread *t, struct thread_op *op)
{
    const struct ventus_tile_insn *in = &op->in;
    struct types types = types_of(in->func);
    assert(in->td + (1u << in->n) <= VENTUS_TILE_REGISTERS);
    uint8_t storage[2][VENTUS_TILE_B], turned[2][VENTUS_TILE_B];
    for (unsigned i = 0; i < 1u << in->n; i++) {
        const uint8_t *a = image_of(t, op, 0, in->multi ? i : 0, storage[0]);
        const uint8_t *b = image_of(t, op, 1, in->multi ? 0 : i, storage[1]);
        if (in->ta)
            transpose(a, turned[0]), a = turned[0];
        if (in->tb)
            transpose(b, turned[1]), b = turned[1];
        if (types.is_float)
            multiply_floats(types, in, a, b, t->tr[in->td + i]);
        else
            multiply_integers(types, op, a, b, t->tr[in->td + i]);
    }
    return THREAD_DONE;
}
