/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations of instructions, as functions that the translator inlines: clang makes
 * bitcode of this file when the project is built.  A function whose name begins with
 * `one_` computes a scalar, with `vec_` a strip of eight lanes, with `fp_` a strip of
 * floating-point numbers; `run_` accesses the state of a warp.  The meanings are those
 * of isa/sem.h and isa/hostfloat.h, as in the lane loops of sim.
 *
 * The translator turns floating-point arithmetic of `fp_` functions into operations that
 * depend on the rounding mode and raise flags, so the order of arithmetic and MXCSR needs
 * no barriers here.
 */
#define FP_LAUNDER(p) ((void)0)

#include "isa/sem.h"
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

#define X(name)                                     \
    uint32_t one_##name(uint32_t a, uint32_t b);    \
    uint32_t one_##name(uint32_t a, uint32_t b)     \
    {                                               \
        return sem_##name##_32(a, b);               \
    }                                               \
    strip vec_##name(strip va, strip vb);           \
    strip vec_##name(strip va, strip vb)            \
    {                                               \
        uint32_t a[STRIP], b[STRIP], d[STRIP];      \
        memcpy(a, &va, sizeof a);                   \
        memcpy(b, &vb, sizeof b);                   \
        each(i) d[i] = sem_##name##_32(a[i], b[i]); \
        memcpy(&va, d, sizeof d);                   \
        return va;                                  \
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

/* The same for a row of words of private memory at an offset, one for each lane. */
static inline uint8_t *
private_row(struct sim_warp *w, uint32_t offset, uint32_t n, unsigned access)
{
    if (offset % 4 ||
        !mem_private_fits(w, (uint64_t)offset + 4, access == MMU_WRITE))
        return NULL;
    return cached(w,
                  mem_private(w->group->pds, offset, mem_group_threads(w),
                              w->id * w->num_thread),
                  n, 4, access);
}

uint8_t *
run_read_private(struct sim_warp *w, uint32_t offset, uint32_t n);
uint8_t *
run_write_private(struct sim_warp *w, uint32_t offset, uint32_t n);

uint8_t *
run_read_private(struct sim_warp *w, uint32_t offset, uint32_t n)
{
    return private_row(w, offset, n, MMU_READ);
}

uint8_t *
run_write_private(struct sim_warp *w, uint32_t offset, uint32_t n)
{
    return private_row(w, offset, n, MMU_WRITE);
}

/*
 * The window of an access of a strip or more: the part of a cached span that has the
 * high half of the address `first`, so that an offset in it has 32 bits.
 */
const struct sim_span *
run_span(struct sim_warp *w, uint64_t first, uint32_t access);
uint32_t
run_window(const struct sim_span *s, uint64_t first);
uint8_t *
run_window_host(const struct sim_span *s, uint64_t first);
uint32_t
run_window_misses(const struct sim_span *s, uint64_t first, uint32_t bytes);
uint32_t
run_window_last(const struct sim_span *s, uint64_t first, uint32_t bytes);
uint32_t
run_first(uint64_t exec);

static inline uint64_t
window(const struct sim_span *s, uint64_t first)
{
    uint64_t start = first & ~(uint64_t)UINT32_MAX;
    return s->lo > start ? s->lo : start;
}

/* Bytes of the window; first is inside of the span. */
static inline uint64_t
window_bytes(const struct sim_span *s, uint64_t first)
{
    uint64_t low = window(s, first), in_span = s->size - (low - s->lo);
    uint64_t in_half = (UINT64_C(1) << 32) - (uint32_t)low;
    return in_span < in_half ? in_span : in_half;
}

const struct sim_span *
run_span(struct sim_warp *w, uint64_t first, uint32_t access)
{
    return mmu_slot(w->mmu, first, access);
}

/* The low half of its first address. */
uint32_t
run_window(const struct sim_span *s, uint64_t first)
{
    return (uint32_t)window(s, first);
}

uint8_t *
run_window_host(const struct sim_span *s, uint64_t first)
{
    return s->host + (window(s, first) - s->lo);
}

uint32_t
run_window_misses(const struct sim_span *s, uint64_t first, uint32_t bytes)
{
    return first - s->lo >= s->size || window_bytes(s, first) < bytes;
}

/* The last offset of an access of so many bytes. */
uint32_t
run_window_last(const struct sim_span *s, uint64_t first, uint32_t bytes)
{
    return (uint32_t)(window_bytes(s, first) - bytes);
}

uint32_t
run_first(uint64_t exec)
{
    return (uint32_t)__builtin_ctzll(exec);
}

/* Offsets of private memory, of which `last` is the largest: whether all are inside. */
uint32_t
run_private_fits(struct sim_warp *w, uint32_t last, uint32_t bytes,
                 uint32_t store);

uint32_t
run_private_fits(struct sim_warp *w, uint32_t last, uint32_t bytes,
                 uint32_t store)
{
    return mem_private_fits(w, (uint64_t)last + bytes, store);
}

/* Their addresses, of the lanes from `lane` on. */
strip
run_private(struct sim_warp *w, strip offset, uint32_t lane);

strip
run_private(struct sim_warp *w, strip offset, uint32_t lane)
{
    uint32_t pds = w->group->pds, all = mem_group_threads(w);
    uint32_t thread = w->id * w->num_thread + lane, at[STRIP];
    memcpy(at, &offset, sizeof at);
    each(i) at[i] = mem_private(pds, at[i], all, thread + i);
    memcpy(&offset, at, sizeof at);
    return offset;
}

/* Stores of `bytes` bytes at offsets, of the lanes in exec, in ascending order: one that
 * is off is never written. */
void
shared_scatter(uint8_t *host, const uint32_t *offset, const uint32_t *data,
               uint64_t exec, uint32_t bytes);

void
shared_scatter(uint8_t *host, const uint32_t *offset, const uint32_t *data,
               uint64_t exec, uint32_t bytes)
{
    for (; exec; exec &= exec - 1) {
        unsigned i = (unsigned)__builtin_ctzll(exec);
        uint8_t *to = host + offset[i];
        uint16_t h = (uint16_t)data[i];
        if (bytes == 4)
            memcpy(to, &data[i], 4);
        else if (bytes == 2)
            memcpy(to, &h, 2);
        else
            *to = (uint8_t)data[i];
    }
}

/* Loads of bytes or halfwords at offsets. */
void
shared_gather(const uint8_t *host, const uint32_t *offset, uint32_t *data,
              uint32_t lanes, uint32_t kind);

void
shared_gather(const uint8_t *host, const uint32_t *offset, uint32_t *data,
              uint32_t lanes, uint32_t kind)
{
    for (unsigned i = 0; i < lanes; i++) {
        const uint8_t *from = host + offset[i];
        uint16_t h = *from;
        if (kind == MEM_H || kind == MEM_HU)
            memcpy(&h, from, 2);
        data[i] = kind == MEM_B   ? (uint32_t)(int8_t)h
                  : kind == MEM_H ? (uint32_t)(int16_t)h
                                  : h;
    }
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
