/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations of instructions, as functions that the translator inlines: clang makes
 * bitcode of this file when the project is built.  A function whose name begins with
 * `one_` computes a scalar, with `vec_` a strip of eight lanes, with `fp_` a strip of
 * floating-point numbers, with `dbl_` half a strip of doubles; `run_` accesses the state
 * of a warp.  The meanings are those
 * of isa/sem.h and isa/hostfloat.h, as in the lane loops of sim.
 *
 * The translator turns floating-point arithmetic of these functions into operations that
 * depend on the rounding mode and raise flags, so the order of arithmetic and MXCSR needs
 * no barriers here.
 */
#define FP_LAUNDER(p) ((void)0)

#include "isa/sem.h"
#include "sim/divide.h"
#include "sim/lane_fp.h"
#include "sim/lanes.h"
#include "sim/mmu.h"

enum { STRIP = 8 };

typedef uint32_t strip __attribute__((ext_vector_type(STRIP)));

/* A loop that becomes one operation on vectors. */
#define each(i)                                                                \
    _Pragma("clang loop unroll(disable) vectorize(assume_safety)") _Pragma(    \
        "clang loop vectorize_width(8) interleave_count(1)") for (unsigned i = \
                                                                      0;       \
                                                                  i < STRIP;   \
                                                                  i++)

/* ---- integers ---- */

/* Whether a strip is divided by one number, as those of scalars are. */
static inline bool
divides_by_one(enum int_kind kind, strip vb)
{
    return divisor_is_for(kind) &&
           !__builtin_reduce_or(
               vb ^ __builtin_shufflevector(vb, vb, 0, 0, 0, 0, 0, 0, 0, 0));
}

#define X(name)                                                  \
    uint32_t one_##name(uint32_t a, uint32_t b);                 \
    uint32_t one_##name(uint32_t a, uint32_t b)                  \
    {                                                            \
        return sem_##name##_32(a, b);                            \
    }                                                            \
    strip vec_##name(strip va, strip vb);                        \
    strip vec_##name(strip va, strip vb)                         \
    {                                                            \
        uint32_t a[STRIP], b[STRIP], d[STRIP];                   \
        memcpy(a, &va, sizeof a);                                \
        memcpy(b, &vb, sizeof b);                                \
        if (divides_by_one(INT_##name, vb)) {                    \
            struct divisor by = divisor_of(INT_##name, b[0]);    \
            each(i) d[i] = divisor_apply(INT_##name, &by, a[i]); \
        } else {                                                 \
            each(i) d[i] = sem_##name##_32(a[i], b[i]);          \
        }                                                        \
        memcpy(&va, d, sizeof d);                                \
        return va;                                               \
    }
SEM_LIST2(X)
#undef X

#define X(name)                                           \
    strip vec_##name(strip va, strip vb, strip vc);       \
    strip vec_##name(strip va, strip vb, strip vc)        \
    {                                                     \
        uint32_t a[STRIP], b[STRIP], c[STRIP], d[STRIP];  \
        memcpy(a, &va, sizeof a);                         \
        memcpy(b, &vb, sizeof b);                         \
        memcpy(c, &vc, sizeof c);                         \
        each(i) d[i] = sem_##name##_32(a[i], b[i], c[i]); \
        memcpy(&va, d, sizeof d);                         \
        return va;                                        \
    }
SEM_LIST3(X)
#undef X

#define X(name, compare)                               \
    uint32_t one_b_##name(uint32_t a, uint32_t b);     \
    uint32_t one_b_##name(uint32_t a, uint32_t b)      \
    {                                                  \
        return sem_##compare##_32(a, b);               \
    }                                                  \
    strip vec_b_##name(strip va, strip vb);            \
    strip vec_b_##name(strip va, strip vb)             \
    {                                                  \
        uint32_t a[STRIP], b[STRIP], d[STRIP];         \
        memcpy(a, &va, sizeof a);                      \
        memcpy(b, &vb, sizeof b);                      \
        each(i) d[i] = sem_##compare##_32(a[i], b[i]); \
        memcpy(&va, d, sizeof d);                      \
        return va;                                     \
    }
SEM_BRANCH_LIST(X)
#undef X

/* ---- floating point, rounded to nearest; flags go to the host's ---- */

#define X(name, kernel, exchanged)                                         \
    strip fp_##name(struct fp_host *host, strip va, strip vb);             \
    strip fp_##name(struct fp_host *host, strip va, strip vb)              \
    {                                                                      \
        struct fp_host h = { .rm = FP_RNE };                               \
        uint32_t a[STRIP], b[STRIP], d[STRIP];                             \
        memcpy(a, &va, sizeof a);                                          \
        memcpy(b, &vb, sizeof b);                                          \
        fp32_##kernel##_lanes(&h, d, exchanged ? b : a, exchanged ? a : b, \
                              STRIP);                                      \
        host->flags |= h.flags;                                            \
        memcpy(&va, d, sizeof d);                                          \
        return va;                                                         \
    }
FP_LIST2(X)
#undef X

#define X(name, kernel, towards_zero)                \
    strip fp_##name(struct fp_host *host, strip va); \
    strip fp_##name(struct fp_host *host, strip va)  \
    {                                                \
        struct fp_host h = { .rm = FP_RNE };         \
        uint32_t a[STRIP], d[STRIP];                 \
        memcpy(a, &va, sizeof a);                    \
        fp32_##kernel##_lanes(&h, d, a, STRIP);      \
        host->flags |= h.flags;                      \
        memcpy(&va, d, sizeof d);                    \
        return va;                                   \
    }
FP_LIST1(X)
#undef X

/* fp_NAME(vs1, vs2, vd) */
#define X(name, factor, addend, negate)                                      \
    strip fp_##name(struct fp_host *host, strip first, strip vs2, strip vd); \
    strip fp_##name(struct fp_host *host, strip first, strip vs2, strip vd)  \
    {                                                                        \
        struct fp_host h = { .rm = FP_RNE };                                 \
        uint32_t a[STRIP], b[STRIP], c[STRIP], d[STRIP];                     \
        memcpy(a, &first, sizeof a);                                         \
        memcpy(b, &factor, sizeof b);                                        \
        memcpy(c, &addend, sizeof c);                                        \
        fp32_fma_lanes(&h, d, a, b, c, negate, STRIP);                       \
        host->flags |= h.flags;                                              \
        memcpy(&vd, d, sizeof d);                                            \
        return vd;                                                           \
    }
FP_LIST3(X)
#undef X

/* ---- pairs: four numbers of 64 bits ---- */

enum { HALF = 4 };

typedef uint64_t half __attribute__((ext_vector_type(HALF)));

#define each_of_half(i)                                                        \
    _Pragma("clang loop unroll(disable) vectorize(assume_safety)") _Pragma(    \
        "clang loop vectorize_width(4) interleave_count(1)") for (unsigned i = \
                                                                      0;       \
                                                                  i < HALF;    \
                                                                  i++)

#define X(name)                                             \
    uint64_t one64_##name(uint64_t a, uint64_t b);          \
    uint64_t one64_##name(uint64_t a, uint64_t b)           \
    {                                                       \
        return sem_##name##_64(a, b);                       \
    }                                                       \
    half vec64_##name(half va, half vb);                    \
    half vec64_##name(half va, half vb)                     \
    {                                                       \
        uint64_t a[HALF], b[HALF], d[HALF];                 \
        memcpy(a, &va, sizeof a);                           \
        memcpy(b, &vb, sizeof b);                           \
        each_of_half(i) d[i] = sem_##name##_64(a[i], b[i]); \
        memcpy(&va, d, sizeof d);                           \
        return va;                                          \
    }
SEM_LIST2(X)
#undef X

#define X(name, compare)                                       \
    uint64_t one64_b_##name(uint64_t a, uint64_t b);           \
    uint64_t one64_b_##name(uint64_t a, uint64_t b)            \
    {                                                          \
        return sem_##compare##_64(a, b);                       \
    }                                                          \
    half vec64_b_##name(half va, half vb);                     \
    half vec64_b_##name(half va, half vb)                      \
    {                                                          \
        uint64_t a[HALF], b[HALF], d[HALF];                    \
        memcpy(a, &va, sizeof a);                              \
        memcpy(b, &vb, sizeof b);                              \
        each_of_half(i) d[i] = sem_##compare##_64(a[i], b[i]); \
        memcpy(&va, d, sizeof d);                              \
        return va;                                             \
    }
SEM_BRANCH_LIST(X)
#undef X

/* Doubles, rounded to nearest.  Floats are in the low halves of numbers; widening them
 * raises no flag. */
half
dbl_widen(half va);
half
dbl_widen(half va)
{
    struct fp_host exact = { .rm = FP_RNE };
    uint64_t d[HALF];
    uint32_t a[HALF];
    for (unsigned i = 0; i < HALF; i++)
        a[i] = (uint32_t)va[i];
    fp64_from_fp32_lanes(&exact, d, a, HALF);
    memcpy(&va, d, sizeof d);
    return va;
}

half
dbl_narrow(struct fp_host *host, half va);
half
dbl_narrow(struct fp_host *host, half va)
{
    struct fp_host h = { .rm = FP_RNE };
    uint64_t a[HALF];
    uint32_t d[HALF];
    memcpy(a, &va, sizeof a);
    fp32_from_fp64_lanes(&h, d, a, HALF);
    host->flags |= h.flags;
    for (unsigned i = 0; i < HALF; i++)
        va[i] = d[i];
    return va;
}

#define X(name, kernel, exchanged)                                         \
    half dbl_##name(struct fp_host *host, half va, half vb);               \
    half dbl_##name(struct fp_host *host, half va, half vb)                \
    {                                                                      \
        struct fp_host h = { .rm = FP_RNE };                               \
        uint64_t a[HALF], b[HALF], d[HALF];                                \
        memcpy(a, &va, sizeof a);                                          \
        memcpy(b, &vb, sizeof b);                                          \
        fp64_##kernel##_lanes(&h, d, exchanged ? b : a, exchanged ? a : b, \
                              HALF);                                       \
        host->flags |= h.flags;                                            \
        memcpy(&va, d, sizeof d);                                          \
        return va;                                                         \
    }
FP_LIST2(X)
#undef X

half
dbl_fsqrt(struct fp_host *host, half va);
half
dbl_fsqrt(struct fp_host *host, half va)
{
    struct fp_host h = { .rm = FP_RNE };
    uint64_t a[HALF], d[HALF];
    memcpy(a, &va, sizeof a);
    fp64_sqrt_lanes(&h, d, a, HALF);
    host->flags |= h.flags;
    memcpy(&va, d, sizeof d);
    return va;
}

/* dbl_NAME(vs1, vs2, vd) */
#define X(name, factor, addend, negate)                                   \
    half dbl_##name(struct fp_host *host, half first, half vs2, half vd); \
    half dbl_##name(struct fp_host *host, half first, half vs2, half vd)  \
    {                                                                     \
        struct fp_host h = { .rm = FP_RNE };                              \
        uint64_t a[HALF], b[HALF], c[HALF], d[HALF];                      \
        memcpy(a, &first, sizeof a);                                      \
        memcpy(b, &factor, sizeof b);                                     \
        memcpy(c, &addend, sizeof c);                                     \
        fp64_fma_lanes(&h, d, a, b, c, negate, HALF);                     \
        host->flags |= h.flags;                                           \
        memcpy(&vd, d, sizeof d);                                         \
        return vd;                                                        \
    }
FP_LIST3(X)
#undef X

#define X(meaning, fn, as, bs)                                  \
    half wide_##meaning(half va, half vb, half vc);             \
    half wide_##meaning(half va, half vb, half vc)              \
    {                                                           \
        uint64_t a[HALF], b[HALF], c[HALF], d[HALF];            \
        memcpy(a, &va, sizeof a);                               \
        memcpy(b, &vb, sizeof b);                               \
        memcpy(c, &vc, sizeof c);                               \
        each_of_half(i) d[i] = sem_wide_##fn(a[i], b[i], c[i]); \
        memcpy(&va, d, sizeof d);                               \
        return va;                                              \
    }
SEM_WIDE_LIST(X)
#undef X

/* ---- memory ---- */

/* The host address of n bytes at an address that is a multiple of `align`; NULL: no
 * cached span has all of them. */
static inline uint8_t *
cached(struct sim_warp *w, uint64_t at, uint32_t n, uint32_t align,
       unsigned access)
{
    const struct sim_span *s = mmu_slot(w->mmu, at, access);
    uint64_t offset = at - s->lo;
    if (at % align || offset >= s->size || s->size - offset < n)
        return NULL;
    return s->host + offset;
}

uint8_t *
run_read(struct sim_warp *w, uint64_t at, uint32_t n, uint32_t align);
uint8_t *
run_write(struct sim_warp *w, uint64_t at, uint32_t n, uint32_t align);

uint8_t *
run_read(struct sim_warp *w, uint64_t at, uint32_t n, uint32_t align)
{
    return cached(w, at, n, align, MMU_READ);
}

uint8_t *
run_write(struct sim_warp *w, uint64_t at, uint32_t n, uint32_t align)
{
    return cached(w, at, n, align, MMU_WRITE);
}

/* ---- a strip of words in memory ---- */

typedef int strip_bits __attribute__((vector_size(32)));

/* From the bytes in the low bits of a word to a register. */
static inline strip
extend(strip x, enum mem_kind kind)
{
    typedef int signed_strip __attribute__((ext_vector_type(STRIP)));
    switch (kind) {
    case MEM_B:
        return (strip)((signed_strip)(x << 24) >> 24);
    case MEM_BU:
        return x & 0xff;
    case MEM_H:
        return (strip)((signed_strip)(x << 16) >> 16);
    case MEM_HU:
        return x & 0xffff;
    case MEM_W:
    case MEM_KINDS:
        break;
    }
    return x;
}

static inline uint32_t
fetch(const uint8_t *host, enum mem_kind kind)
{
    uint32_t x = 0;
    memcpy(&x, host,
           kind == MEM_W                     ? 4
           : kind == MEM_H || kind == MEM_HU ? 2
                                             : 1);
    return x;
}

/* row_: lanes one after the other from `host`; same_: all of the same; gather_: at offsets
 * of which those of lanes that are off are not accessed. */
#define X(name, type)                                                   \
    strip row_##name(const uint8_t *host);                              \
    strip row_##name(const uint8_t *host)                               \
    {                                                                   \
        typedef type part __attribute__((ext_vector_type(STRIP)));      \
        part x;                                                         \
        memcpy(&x, host, sizeof x);                                     \
        return extend(__builtin_convertvector(x, strip), name);         \
    }                                                                   \
    strip same_##name(const uint8_t *host);                             \
    strip same_##name(const uint8_t *host)                              \
    {                                                                   \
        return extend((strip){ 0 } + fetch(host, name), name);          \
    }                                                                   \
    strip gather_##name(const uint8_t *host, strip offset, strip mask); \
    strip gather_##name(const uint8_t *host, strip offset, strip mask)  \
    {                                                                   \
        return extend(gather(host, offset, mask), name);                \
    }

/* The gather of AVX2 has signed offsets: from the middle of 4 GB. */
static inline strip
gather(const uint8_t *host, strip offset, strip mask)
{
    const int *middle = (const int *)(const void *)(host + 0x80000000u);
    return (strip)__builtin_ia32_gatherd_d256(
        (strip_bits){ 0 }, middle, (strip_bits)(offset ^ 0x80000000u),
        (strip_bits)mask, 1);
}

X(MEM_B, uint8_t)
X(MEM_BU, uint8_t)
X(MEM_H, uint16_t)
X(MEM_HU, uint16_t)
X(MEM_W, uint32_t)
#undef X

/* Lanes that are off are not accessed. */
strip
row_some(const uint8_t *host, strip mask);
strip
row_some(const uint8_t *host, strip mask)
{
    const strip_bits *at = (const strip_bits *)(const void *)host;
    return (strip)__builtin_ia32_maskloadd256(at, (strip_bits)mask);
}

/* ---- the SIMT stack ---- */

/* Whether a join at pc goes on to the next instruction without an effect. */
uint32_t
run_join_passes(struct sim_warp *w, uint32_t pc, uint32_t check);

uint32_t
run_join_passes(struct sim_warp *w, uint32_t pc, uint32_t check)
{
    uint32_t bit = pc / 4 % JOIN_BITS;
    if (w->depth)
        return w->stack[w->depth - 1].rpc != pc;
    return !check || (w->named[bit / 64] >> bit % 64 & 1);
}

void
run_setrpc(struct sim_warp *w, uint32_t rpc, uint32_t check);

void
run_setrpc(struct sim_warp *w, uint32_t rpc, uint32_t check)
{
    w->rpc = rpc;
    if (check)
        warp_name_join(w);
}
