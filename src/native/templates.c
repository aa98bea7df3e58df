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

/* ---- vectors in memory ---- */

/*
 * Accesses of all lanes in a window: the part of a cached span that has the high half of
 * the first lane's address, so that an offset in it has 32 bits.  They are called, not
 * inlined, on rows of registers in memory:
 *
 *     lo, hi  addresses less imm; hi only of those with 64 bits
 *     mask    of the lanes that are on, exec the same as bits
 *     data    the rows of `words` words of each lane
 *
 * False: nothing was done, since a lane is outside of the window or misaligned.
 */
enum { STRIPS = SIM_LANES_MAX / STRIP };

struct place {
    uint8_t *host;
    strip offset[STRIPS]; /* 0 of lanes that are off */
};

typedef int strip_bits __attribute__((vector_size(32)));
typedef long long strip_halves __attribute__((vector_size(32)));

static always_inline bool
is_zero(strip x)
{
    return __builtin_ia32_ptestz256((strip_halves)x, (strip_halves)x);
}

static always_inline strip
multiples(uint32_t step)
{
    return (strip){ 0, 1, 2, 3, 4, 5, 6, 7 } * step;
}

/* The window that has `first`, and the last offset of an access of so many bytes. */
static always_inline bool
find_window(struct sim_warp *w, uint64_t first, uint32_t bytes, unsigned access,
            struct place *p, uint32_t *low, uint32_t *last)
{
    const struct sim_span *s = mmu_slot(w->mmu, first, access);
    uint64_t start = first & ~(uint64_t)UINT32_MAX;
    if (first - s->lo >= s->size)
        return false;
    start = s->lo > start ? s->lo : start;
    uint64_t in_span = s->size - (start - s->lo);
    uint64_t in_half = (UINT64_C(1) << 32) - (uint32_t)start;
    uint64_t size = in_span < in_half ? in_span : in_half;
    p->host = s->host + (start - s->lo);
    *low = (uint32_t)start;
    *last = (uint32_t)(size - bytes);
    return size >= bytes;
}

/* wide, some: constants, whether there are `hi` and `mask`. */
static always_inline bool
find_place(struct sim_warp *w, const strip *lo, const strip *hi, int32_t imm,
           const strip *mask, uint64_t exec, unsigned strips, bool wide,
           bool some, uint32_t bytes, uint32_t words, unsigned access,
           struct place *p)
{
    if (some && !exec)
        return false;
    unsigned lane = some ? (unsigned)__builtin_ctzll(exec) : 0;
    uint32_t low, last, near = ((const uint32_t *)lo)[lane];
    uint64_t first = (uint32_t)(near + (uint32_t)imm);
    if (wide)
        first = (near | (uint64_t)((const uint32_t *)hi)[lane] << 32) +
                (uint64_t)(int64_t)imm;
    if (!find_window(w, first, bytes + 4 * (words - 1), access, p, &low, &last))
        return false;
    strip far = { 0 }, odd = { 0 }, by = { 0 };
    by += (uint32_t)imm;
    for (unsigned s = 0; s < strips; s++) {
        strip at = lo[s] + by, offset = at - low, wrong = at & (bytes - 1);
        if (wide) {
            strip carry = (strip)(at < by); /* -1 */
            strip high = hi[s] - carry + (imm < 0 ? UINT32_MAX : 0);
            wrong |= high ^ (uint32_t)(first >> 32);
        }
        if (some) {
            offset &= mask[s];
            wrong &= mask[s];
        }
        odd |= wrong;
        far = __builtin_elementwise_max(far, offset);
        p->offset[s] = offset;
    }
    return is_zero(odd | (strip)(far > last));
}

/* Whether the lanes of each strip are `step` bytes apart. */
static always_inline bool
are_apart(const struct place *p, unsigned strips, uint32_t step)
{
    strip odd = { 0 };
    for (unsigned s = 0; s < strips; s++)
        odd |= p->offset[s] ^ (p->offset[s][0] + multiples(step));
    return is_zero(odd);
}

/* The gather of AVX2 has signed offsets: from the middle of 4 GB. */
static always_inline strip
gather(const uint8_t *host, strip offset, strip mask, strip old)
{
    const int *middle = (const int *)(const void *)(host + 0x80000000u);
    return (strip)__builtin_ia32_gatherd_d256(
        (strip_bits)old, middle, (strip_bits)(offset ^ 0x80000000u),
        (strip_bits)mask, 1);
}

static always_inline bool
load(struct sim_warp *w, const strip *lo, const strip *hi, int32_t imm,
     const strip *mask, uint64_t exec, uint32_t strips, uint32_t words,
     strip *data, bool wide, bool some)
{
    struct place p;
    if (!find_place(w, lo, hi, imm, mask, exec, strips, wide, some, 4, words,
                    MMU_READ, &p))
        return false;
    if (!some && words == 1 && are_apart(&p, strips, 4)) {
        for (unsigned s = 0; s < strips; s++)
            memcpy(&data[s], p.host + p.offset[s][0], sizeof data[s]);
        return true;
    }
    if (!some && words == 1 && are_apart(&p, strips, 0)) {
        for (unsigned s = 0; s < strips; s++) {
            uint32_t x;
            memcpy(&x, p.host + p.offset[s][0], 4);
            data[s] = (strip){ 0 } + x;
        }
        return true;
    }
    for (unsigned k = 0; k < words; k++, data += strips)
        for (unsigned s = 0; s < strips; s++)
            data[s] = gather(p.host + 4 * k, p.offset[s],
                             some ? mask[s] : (strip){ 0 } - 1,
                             some ? data[s] : (strip){ 0 });
    return true;
}

/* A lane that is off is never written; of lanes with the same address the last one is. */
static always_inline void
scatter(uint8_t *host, const struct place *p, const strip *data, uint64_t exec,
        uint32_t bytes)
{
    const uint32_t *offset = (const uint32_t *)p->offset;
    const uint32_t *from = (const uint32_t *)data;
    for (; exec; exec &= exec - 1) {
        unsigned i = (unsigned)__builtin_ctzll(exec);
        uint16_t h = (uint16_t)from[i];
        if (bytes == 4)
            memcpy(host + offset[i], &from[i], 4);
        else if (bytes == 2)
            memcpy(host + offset[i], &h, 2);
        else
            host[offset[i]] = (uint8_t)h;
    }
}

static always_inline bool
store(struct sim_warp *w, const strip *lo, const strip *hi, int32_t imm,
      const strip *mask, uint64_t exec, uint32_t strips, uint32_t words,
      const strip *data, bool wide, bool some)
{
    struct place p;
    if (!find_place(w, lo, hi, imm, mask, exec, strips, wide, some, 4, words,
                    MMU_WRITE, &p))
        return false;
    if (!some && words == 1 && are_apart(&p, strips, 4)) {
        for (unsigned s = 0; s < strips; s++)
            memcpy(p.host + p.offset[s][0], &data[s], sizeof data[s]);
        return true;
    }
    for (unsigned k = 0; k < words; k++, data += strips)
        scatter(p.host + 4 * k, &p, data, exec, 4);
    return true;
}

#define ACCESS(name, do, wide, some, pointer)                            \
    uint32_t name(struct sim_warp *w, const strip *lo, const strip *hi,  \
                  int32_t imm, const strip *mask, uint64_t exec,         \
                  uint32_t strips, uint32_t words, pointer data);        \
    uint32_t name(struct sim_warp *w, const strip *lo, const strip *hi,  \
                  int32_t imm, const strip *mask, uint64_t exec,         \
                  uint32_t strips, uint32_t words, pointer data)         \
    {                                                                    \
        return do(w, lo, hi, imm, mask, exec, strips, words, data, wide, \
                  some);                                                 \
    }
ACCESS(shared_load_all, load, false, false, strip *)
ACCESS(shared_load_some, load, false, true, strip *)
ACCESS(shared_load_wide_all, load, true, false, strip *)
ACCESS(shared_load_wide_some, load, true, true, strip *)
ACCESS(shared_store_all, store, false, false, const strip *)
ACCESS(shared_store_some, store, false, true, const strip *)
ACCESS(shared_store_wide_all, store, true, false, const strip *)
ACCESS(shared_store_wide_some, store, true, true, const strip *)
#undef ACCESS

/* Bytes and halfwords; `hi` may be NULL, `mask` not. */
uint32_t
shared_load_small(struct sim_warp *w, const strip *lo, const strip *hi,
                  int32_t imm, const strip *mask, uint64_t exec,
                  uint32_t strips, uint32_t kind, strip *data);
uint32_t
shared_store_small(struct sim_warp *w, const strip *lo, const strip *hi,
                   int32_t imm, const strip *mask, uint64_t exec,
                   uint32_t strips, uint32_t kind, const strip *data);

static always_inline bool
find_small(struct sim_warp *w, const strip *lo, const strip *hi, int32_t imm,
           const strip *mask, uint64_t exec, uint32_t strips, uint32_t kind,
           unsigned access, struct place *p)
{
    uint32_t bytes = kind == MEM_H || kind == MEM_HU ? 2 : 1;
    if (hi)
        return find_place(w, lo, hi, imm, mask, exec, strips, true, true, bytes,
                          1, access, p);
    return find_place(w, lo, hi, imm, mask, exec, strips, false, true, bytes, 1,
                      access, p);
}

uint32_t
shared_load_small(struct sim_warp *w, const strip *lo, const strip *hi,
                  int32_t imm, const strip *mask, uint64_t exec,
                  uint32_t strips, uint32_t kind, strip *data)
{
    struct place p;
    if (!find_small(w, lo, hi, imm, mask, exec, strips, kind, MMU_READ, &p))
        return false;
    uint32_t *to = (uint32_t *)data;
    for (uint64_t rest = exec; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctzll(rest);
        const uint8_t *from = p.host + ((const uint32_t *)p.offset)[i];
        uint16_t h = *from;
        if (kind == MEM_H || kind == MEM_HU)
            memcpy(&h, from, 2);
        to[i] = kind == MEM_B   ? (uint32_t)(int8_t)h
                : kind == MEM_H ? (uint32_t)(int16_t)h
                                : h;
    }
    return true;
}

uint32_t
shared_store_small(struct sim_warp *w, const strip *lo, const strip *hi,
                   int32_t imm, const strip *mask, uint64_t exec,
                   uint32_t strips, uint32_t kind, const strip *data)
{
    struct place p;
    if (!find_small(w, lo, hi, imm, mask, exec, strips, kind, MMU_WRITE, &p))
        return false;
    scatter(p.host, &p, data, exec, kind == MEM_H || kind == MEM_HU ? 2 : 1);
    return true;
}

/* Addresses of offsets of private memory; false: a lane that is on is outside. */
uint32_t
shared_private(struct sim_warp *w, const strip *offset, uint32_t imm,
               const strip *mask, uint32_t strips, uint32_t bytes,
               uint32_t store, strip *to);

uint32_t
shared_private(struct sim_warp *w, const strip *offset, uint32_t imm,
               const strip *mask, uint32_t strips, uint32_t bytes,
               uint32_t store, strip *to)
{
    uint32_t pds = w->group->pds, all = mem_group_threads(w);
    uint32_t thread = w->id * w->num_thread;
    strip far = { 0 };
    for (unsigned s = 0; s < strips; s++) {
        strip at = offset[s] + imm;
        far = __builtin_elementwise_max(far, at & mask[s]);
        to[s] = pds + (at & ~3u) * all + (at & 3u) + 4 * thread + 32 * s +
                multiples(4);
    }
    uint32_t last = __builtin_reduce_max(far);
    return mem_private_fits(w, (uint64_t)last + bytes, store);
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
