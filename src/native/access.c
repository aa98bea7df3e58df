/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accesses of vectors that translated code calls: compiled for x86-64-v3 when the project
 * is built, so that a translation need not.
 *
 * All lanes have to be in a window: the part of a cached span with the high half of the
 * first lane's address, so that an offset in it has 32 bits.  First two shapes are tried
 * whose lanes need no offsets: in a row, and all the same.
 */
#include "native/access.h"

#include <immintrin.h>
#include <string.h>

#include "sim/lanes.h"
#include "sim/mmu.h"
#include "sim/native.h"
#include "sim/state.h"

#define always_inline inline __attribute__((always_inline))

enum { STRIP = 8 };

/* Operands of an access; `wide` and `some` say whether there are `hi` and `mask`. */
struct lanes {
    const uint32_t *lo, *hi, *mask;
    uint64_t exec;
    int32_t imm;
    uint32_t bytes, words; /* of a lane, in memory */
    unsigned strips;
    bool wide, some;
};

static always_inline __m256i
strip_of(const uint32_t *row, unsigned s)
{
    return _mm256_load_si256((const __m256i *)(const void *)row + s);
}

static always_inline __m256i
splat(uint32_t x)
{
    return _mm256_set1_epi32((int)x);
}

/* Numbers of the lanes of a strip, times `step`. */
static always_inline __m256i
multiples(unsigned s, uint32_t step)
{
    const int i = (int)(s * STRIP);
    return _mm256_mullo_epi32(
        _mm256_setr_epi32(i, i + 1, i + 2, i + 3, i + 4, i + 5, i + 6, i + 7),
        splat(step));
}

static always_inline bool
is_zero(__m256i x)
{
    return _mm256_testz_si256(x, x);
}

static always_inline unsigned
first_lane(const struct lanes *l)
{
    return l->some ? (unsigned)__builtin_ctzll(l->exec) : 0;
}

static always_inline uint64_t
first_address(const struct lanes *l)
{
    uint32_t near = l->lo[first_lane(l)];
    if (!l->wide)
        return (uint32_t)(near + (uint32_t)l->imm);
    return (near | (uint64_t)l->hi[first_lane(l)] << 32) +
           (uint64_t)(int64_t)l->imm;
}

enum shapes { IS_ROW = 1, IS_SAME = 2 };

/* The shapes that the addresses of the active lanes have. */
static always_inline unsigned
shapes(const struct lanes *l)
{
    const unsigned lane = first_lane(l);
    const uint32_t near = l->lo[lane];
    const __m256i same = splat(near), row = splat(near - lane * l->bytes);
    const __m256i high = splat(l->wide ? l->hi[lane] : 0);
    __m256i no_row = _mm256_setzero_si256(), no_same = no_row;
    for (unsigned s = 0; s < l->strips; s++) {
        __m256i at = strip_of(l->lo, s);
        __m256i a =
            _mm256_xor_si256(_mm256_sub_epi32(at, multiples(s, l->bytes)), row);
        __m256i b = _mm256_xor_si256(at, same);
        if (l->wide) {
            __m256i h = _mm256_xor_si256(strip_of(l->hi, s), high);
            a = _mm256_or_si256(a, h);
            b = _mm256_or_si256(b, h);
        }
        if (l->some) {
            __m256i mask = strip_of(l->mask, s);
            a = _mm256_and_si256(a, mask);
            b = _mm256_and_si256(b, mask);
        }
        no_row = _mm256_or_si256(no_row, a);
        no_same = _mm256_or_si256(no_same, b);
    }
    bool is_row = l->words == 1 && is_zero(no_row);
    return (is_row ? IS_ROW : 0) | (is_zero(no_same) ? IS_SAME : 0);
}

/* Whether one span has `n` bytes at an address; *host becomes that of the host. */
static always_inline bool
is_inside(struct sim_warp *w, uint64_t at, uint64_t n, unsigned access,
          uint8_t **host)
{
    const struct sim_span *s = mmu_span(w->mmu, at, 1, access);
    if (!s)
        return false;
    *host = s->host + (at - s->lo);
    return s->size - (at - s->lo) >= n;
}

/* Offsets of all lanes in the window of the first; `extent`: bytes from each that have to
 * be in it. */
static always_inline bool
offsets(struct sim_warp *w, const struct lanes *l, uint32_t extent,
        unsigned access, struct native_place *p)
{
    const uint64_t first = first_address(l);
    const struct sim_span *span = mmu_span(w->mmu, first, 1, access);
    if (!span)
        return false;
    uint64_t start = first & ~(uint64_t)UINT32_MAX;
    start = span->lo > start ? span->lo : start;
    const uint64_t in_span = span->size - (start - span->lo);
    const uint64_t in_half = (UINT64_C(1) << 32) - (uint32_t)start;
    const uint64_t size = in_span < in_half ? in_span : in_half;
    if (size < extent)
        return false;
    const __m256i by = splat((uint32_t)l->imm), low = splat((uint32_t)start);
    const __m256i sign = splat(l->imm < 0 ? UINT32_MAX : 0);
    const __m256i high = splat((uint32_t)(first >> 32));
    __m256i far = _mm256_setzero_si256(), odd = far;
    for (unsigned s = 0; s < l->strips; s++) {
        __m256i near = strip_of(l->lo, s), at = _mm256_add_epi32(near, by);
        __m256i offset = _mm256_sub_epi32(at, low);
        __m256i wrong = _mm256_and_si256(at, splat(l->bytes - 1));
        if (l->wide) {
            /* All ones where the low half has no carry, which is at >= near. */
            __m256i none = _mm256_cmpeq_epi32(_mm256_max_epu32(at, near), at);
            __m256i carry = _mm256_add_epi32(none, splat(1));
            __m256i top = _mm256_add_epi32(
                _mm256_add_epi32(strip_of(l->hi, s), sign), carry);
            wrong = _mm256_or_si256(wrong, _mm256_xor_si256(top, high));
        }
        if (l->some) {
            __m256i mask = strip_of(l->mask, s);
            offset = _mm256_and_si256(offset, mask);
            wrong = _mm256_and_si256(wrong, mask);
        }
        odd = _mm256_or_si256(odd, wrong);
        far = _mm256_max_epu32(far, offset);
        _mm256_store_si256((__m256i *)(void *)p->offset + s, offset);
    }
    const __m256i last = splat((uint32_t)(size - extent));
    const __m256i beyond = _mm256_xor_si256(_mm256_max_epu32(far, last), last);
    p->host = span->host + (start - span->lo);
    p->shape = NATIVE_GATHER;
    return is_zero(_mm256_or_si256(odd, beyond));
}

/* Loads of less than a word fetch whole words in gathers. */
static always_inline bool
find(struct sim_warp *w, const struct lanes *l, unsigned access,
     struct native_place *p)
{
    const uint32_t all = l->bytes * l->words;
    if (l->some && !l->exec) {
        p->shape = NATIVE_GATHER;
        p->host = NULL;
        return true;
    }
    const unsigned shape = shapes(l);
    const uint64_t first = first_address(l);
    if (shape && !(first & (l->bytes - 1))) {
        const unsigned last = l->some ? 63 - (unsigned)__builtin_clzll(l->exec)
                                      : l->strips * STRIP - 1;
        const unsigned lane = first_lane(l);
        const bool row = !(shape & IS_SAME);
        /* Translated code loads rows of less than a word without a mask. */
        const bool loads_all = access == MMU_READ && l->some && l->bytes < 4;
        const uint64_t n = row ? (uint64_t)(last - lane + 1) * all : all;
        /* A row of 32-bit addresses that passes the last one is in two places. */
        if ((l->wide || first + n <= UINT64_C(1) << 32) &&
            !(row && loads_all)) {
            p->shape = row ? NATIVE_ROW : NATIVE_SAME;
            if (!is_inside(w, first, n, access, &p->host))
                return false;
            p->host -= row ? (uint64_t)lane * all : 0;
            return true;
        }
    }
    const uint32_t fetched = access == MMU_READ && all < 4 ? 4 : all;
    return offsets(w, l, fetched, access, p);
}

static always_inline struct lanes
lanes_of(const struct sim_warp *w, const uint32_t *lo, const uint32_t *hi,
         const uint32_t *mask, uint64_t exec, int32_t imm, uint32_t how,
         bool wide, bool some)
{
    return (struct lanes){ .lo = lo,
                           .hi = hi,
                           .mask = mask,
                           .exec = exec,
                           .imm = imm,
                           .bytes = how & 0xff,
                           .words = how >> 8,
                           .strips = w->lanes / STRIP,
                           .wide = wide,
                           .some = some };
}

/* ---- stores ---- */

static always_inline void
put(uint8_t *host, uint32_t x, uint32_t bytes)
{
    uint16_t h = (uint16_t)x;
    if (bytes == 4)
        memcpy(host, &x, 4);
    else if (bytes == 2)
        memcpy(host, &h, 2);
    else
        *host = (uint8_t)x;
}

/* A lane that is off is never written; of lanes with the same address the last one is. */
static always_inline void
scatter(const struct native_place *p, const struct lanes *l, uint64_t exec,
        uint32_t word, const uint32_t *data)
{
    for (; exec; exec &= exec - 1) {
        unsigned i = (unsigned)__builtin_ctzll(exec);
        put(p->host + p->offset[i] + 4 * word, data[i], l->bytes);
    }
}

static always_inline void
store_row(const struct native_place *p, const struct lanes *l, uint64_t exec,
          const uint32_t *data)
{
    if (l->bytes != 4) {
        for (; exec; exec &= exec - 1) {
            unsigned i = (unsigned)__builtin_ctzll(exec);
            put(p->host + (uint64_t)i * l->bytes, data[i], l->bytes);
        }
        return;
    }
    int *host = (int *)(void *)p->host;
    for (unsigned s = 0; s < l->strips; s++, host += STRIP)
        if (l->some)
            _mm256_maskstore_epi32(host, strip_of(l->mask, s),
                                   strip_of(data, s));
        else
            _mm256_storeu_si256((__m256i *)(void *)host, strip_of(data, s));
}

static always_inline bool
store(struct sim_warp *w, const struct lanes *l, const uint32_t *data)
{
    const unsigned n = l->strips * STRIP;
    const uint64_t exec = l->some ? l->exec : first_lanes(n);
    struct native_place p;
    if (!exec)
        return true;
    if (!find(w, l, MMU_WRITE, &p))
        return false;
    if (p.shape == NATIVE_ROW) {
        store_row(&p, l, exec, data);
        return true;
    }
    const unsigned last = 63 - (unsigned)__builtin_clzll(exec);
    for (uint32_t k = 0; k < l->words; k++, data += n)
        if (p.shape == NATIVE_SAME)
            put(p.host + 4 * k, data[last], l->bytes);
        else
            scatter(&p, l, exec, k, data);
    return true;
}

/* ---- entries, by wide addresses and by whether some lanes may be off ---- */

#define ENTRIES(suffix, wide, some)                                          \
    static uint32_t find_##suffix(struct sim_warp *w, const uint32_t *lo,    \
                                  const uint32_t *hi, const uint32_t *mask,  \
                                  uint64_t exec, int32_t imm, uint32_t how,  \
                                  struct native_place *p)                    \
    {                                                                        \
        struct lanes l =                                                     \
            lanes_of(w, lo, hi, mask, exec, imm, how, wide, some);           \
        if (how == NATIVE_WORD && l.strips == 4) {                           \
            l.strips = 4;                                                    \
            l.bytes = 4;                                                     \
            l.words = 1;                                                     \
            return find(w, &l, MMU_READ, p);                                 \
        }                                                                    \
        return find(w, &l, MMU_READ, p);                                     \
    }                                                                        \
    static uint32_t store_##suffix(struct sim_warp *w, const uint32_t *lo,   \
                                   const uint32_t *hi, const uint32_t *mask, \
                                   uint64_t exec, int32_t imm, uint32_t how, \
                                   const uint32_t *data)                     \
    {                                                                        \
        struct lanes l =                                                     \
            lanes_of(w, lo, hi, mask, exec, imm, how, wide, some);           \
        if (how == NATIVE_WORD && l.strips == 4) {                           \
            l.strips = 4;                                                    \
            l.bytes = 4;                                                     \
            l.words = 1;                                                     \
            return store(w, &l, data);                                       \
        }                                                                    \
        return store(w, &l, data);                                           \
    }
ENTRIES(all, false, false)
ENTRIES(some, false, true)
ENTRIES(wide_all, true, false)
ENTRIES(wide_some, true, true)
#undef ENTRIES

static uint32_t
find_private(struct sim_warp *w, const uint32_t *offset, int32_t imm,
             const uint32_t *mask, uint32_t bytes, uint32_t writes,
             uint32_t *to)
{
    const uint32_t pds = w->group->pds, threads = mem_group_threads(w);
    const uint32_t thread = w->id * w->num_thread;
    __m256i far = _mm256_setzero_si256();
    for (unsigned s = 0; s < w->lanes / STRIP; s++) {
        __m256i at =
            _mm256_add_epi32(strip_of(offset, s), splat((uint32_t)imm));
        far = _mm256_max_epu32(far, _mm256_and_si256(at, strip_of(mask, s)));
        __m256i words = _mm256_mullo_epi32(_mm256_andnot_si256(splat(3), at),
                                           splat(threads));
        __m256i base = _mm256_add_epi32(splat(pds + 4 * thread),
                                        _mm256_and_si256(at, splat(3)));
        base = _mm256_add_epi32(base, multiples(s, 4));
        _mm256_store_si256((__m256i *)(void *)to + s,
                           _mm256_add_epi32(words, base));
    }
    alignas(32) uint32_t x[STRIP];
    uint32_t last = 0;
    _mm256_store_si256((__m256i *)(void *)x, far);
    for (unsigned i = 0; i < STRIP; i++)
        last = x[i] > last ? x[i] : last;
    return mem_private_fits(w, (uint64_t)last + bytes, writes);
}

static const struct sim_op *
interpret(struct sim_warp *w, const struct sim_op *op, uint64_t n)
{
    for (; n && op; n--) {
        w->left--;
        op = op->fn(w, op);
    }
    return op;
}

const struct native_calls native_access = {
    .find = { { find_all, find_some }, { find_wide_all, find_wide_some } },
    .store = { { store_all, store_some }, { store_wide_all, store_wide_some } },
    .find_private = find_private,
    .interpret = interpret,
};
