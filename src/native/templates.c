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
run_read(struct sim_warp *w, uint32_t at, uint32_t n, uint32_t align);
uint8_t *
run_write(struct sim_warp *w, uint32_t at, uint32_t n, uint32_t align);

uint8_t *
run_read(struct sim_warp *w, uint32_t at, uint32_t n, uint32_t align)
{
    return cached(w, at, n, align, MMU_READ);
}

uint8_t *
run_write(struct sim_warp *w, uint32_t at, uint32_t n, uint32_t align)
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

/* Words at the addresses of a strip, where the mask is set, in the span that may have
 * the address `first`: whether it has all, and the words. */
const struct sim_span *
run_span(struct sim_warp *w, uint32_t first);
uint32_t
run_misses(const struct sim_span *s, uint32_t first, strip vat, strip vmask);
strip
run_gather(const struct sim_span *s, strip vat, strip vmask);
uint32_t
run_first(uint64_t exec);

const struct sim_span *
run_span(struct sim_warp *w, uint32_t first)
{
    return mmu_slot(w->mmu, first, MMU_READ);
}

uint32_t
run_misses(const struct sim_span *s, uint32_t first, strip vat, strip vmask)
{
    uint32_t lo = (uint32_t)s->lo, above = UINT32_MAX - lo;
    uint32_t last = s->size - 1 < above ? (uint32_t)(s->size - 1) : above;
    uint32_t at[STRIP], mask[STRIP], odd = 0, far = 0;
    memcpy(at, &vat, sizeof at);
    memcpy(mask, &vmask, sizeof mask);
    each(i)
    {
        uint32_t offset = (at[i] - lo) & mask[i];
        odd |= at[i] & mask[i];
        far = offset > far ? offset : far;
    }
    return first - s->lo >= s->size || odd & 3 || far > last;
}

strip
run_gather(const struct sim_span *s, strip vat, strip vmask)
{
    uint32_t at[STRIP], mask[STRIP], d[STRIP];
    memcpy(at, &vat, sizeof at);
    memcpy(mask, &vmask, sizeof mask);
    for (unsigned i = 0; i < STRIP; i++)
        memcpy(&d[i], s->host + ((at[i] - (uint32_t)s->lo) & mask[i]), 4);
    memcpy(&vat, d, sizeof d);
    return vat;
}

uint32_t
run_first(uint64_t exec)
{
    return (uint32_t)__builtin_ctzll(exec);
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
