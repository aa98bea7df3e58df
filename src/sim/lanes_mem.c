/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lane loops of the load/store unit, 32-bit addresses, one word a lane.
 *
 * Most accesses are of all lanes to contiguous words: these are tested first and
 * need one copy.  Otherwise the addresses of all lanes are computed.  The cases, from
 * fast to slow: contiguous, all equal (one load), all inside one span of host memory
 * (a loop without checks), others lane by lane (mem_lanewise.c).
 */
#include "sim/lane_loop.h"

#include <string.h>

/* ---- addresses ---- */

/* Are the offsets of the active lanes inside of private memory? */
static always_inline bool
private_fits(const struct sim_warp *w, const uint32_t *offset, unsigned bytes,
             const uint32_t *mask, bool store)
{
    uint32_t last = 0;
    lane_loop (i, lanes_of(w)) {
        uint32_t x = offset[i] & mask[i];
        last = x > last ? x : last;
    }
    return likely(mem_private_fits(w, (uint64_t)last + bytes, store));
}

/* False: an active lane is outside of private memory, `at` are offsets. */
static always_inline bool
addresses(const struct sim_warp *w, const struct sim_op *op, enum mem_mode mode,
          unsigned bytes, const uint32_t *mask, bool store, uint32_t *at)
{
    unsigned n = lanes_of(w);
    if (mode == MODE_OFFSET || mode == MODE_PRIVATE) {
        const uint32_t *v1 = vreg(w, op->s1);
        lane_loop (i, n)
            at[i] = v1[i] + (uint32_t)op->imm;
        if (mode == MODE_OFFSET)
            return true;
        if (!private_fits(w, at, bytes, mask, store))
            return false;
        uint32_t pds = w->group->pds, all = mem_group_threads(w);
        uint32_t thread = w->id * w->num_thread;
        lane_loop (i, n)
            at[i] = mem_private(pds, at[i], all, thread + i);
        return true;
    }
    uint32_t base = w->x[op->s1];
    if (mode == MODE_INDEX) {
        const uint32_t *v2 = vreg(w, op->s2), bits = mem_index_mask(op);
        lane_loop (i, n)
            at[i] = base + (v2[i] & bits);
        return true;
    }
    uint32_t step = mode == MODE_UNIT ? bytes : w->x[op->s2];
    lane_loop (i, n)
        at[i] = base + i * step;
    return true;
}

/* Whether the addresses of the active lanes are in a row. */
static always_inline bool
is_unit(const uint32_t *at, const uint32_t *m, unsigned n, uint32_t base,
        unsigned bytes)
{
    uint32_t diff = 0;
    lane_loop (i, n)
        diff |= (at[i] - base - i * bytes) & m[i];
    return !diff;
}

/* Offsets into the span, 0 for lanes that are off; true if all are inside. */
static always_inline bool
offsets(const uint32_t *at, const uint32_t *m, unsigned n, unsigned bytes,
        const struct sim_span *span, uint32_t *offset)
{
    uint32_t lo = (uint32_t)span->lo, above = UINT32_MAX - lo;
    uint32_t last = span->size - 1 < above ? (uint32_t)(span->size - 1) : above;
    uint32_t odd = 0, far = 0;
    lane_loop (i, n) {
        uint32_t o = (at[i] - lo) & m[i];
        offset[i] = o;
        odd |= at[i] & m[i];
        far = o > far ? o : far;
    }
    return !(odd & (bytes - 1)) && far <= last;
}

/*
 * The host address if all lanes are on and access words in a row, which is
 * what most do; else NULL, and nothing is known.
 */
static always_inline uint8_t *
whole_row(struct sim_warp *w, const struct sim_op *op, enum mem_mode mode,
          enum mem_kind kind, unsigned access)
{
    unsigned n = lanes_of(w);
    bool by_vector = mode == MODE_OFFSET || mode == MODE_PRIVATE;
    uint32_t base = by_vector ? vreg(w, op->s1)[0] : w->x[op->s1], diff = 0;
    if (kind != MEM_W || (!by_vector && mode != MODE_UNIT) ||
        ((w->slow | op->slow) & SLOW_MASK))
        return NULL;
    const uint32_t *v1 = vreg(w, op->s1);
    uint32_t step = mode == MODE_OFFSET ? 4 : 0;
    if (by_vector)
        lane_loop (i, n)
            diff |= v1[i] ^ (base + i * step);
    if (diff)
        return NULL;
    if (by_vector)
        base += (uint32_t)op->imm;
    if (mode == MODE_PRIVATE) {
        if (base % 4 ||
            !mem_private_fits(w, (uint64_t)base + 4, access == MMU_WRITE))
            return NULL;
        base = mem_private(w->group->pds, base, mem_group_threads(w),
                           w->id * w->num_thread);
    }
    const struct sim_span *s = mmu_slot(w->mmu, base, access);
    uint64_t offset = base - s->lo;
    if (base % 4 || offset >= s->size || s->size - offset < 4 * n)
        return NULL;
    return s->host + offset;
}

/* ---- loads ---- */

static always_inline uint32_t
fetch(const uint8_t *host, enum mem_kind kind)
{
    uint8_t b;
    uint16_t h;
    uint32_t x;
    switch (kind) {
    case MEM_B:
        memcpy(&b, host, 1);
        return (uint32_t)(int8_t)b;
    case MEM_BU:
        memcpy(&b, host, 1);
        return b;
    case MEM_H:
        memcpy(&h, host, 2);
        return (uint32_t)(int16_t)h;
    case MEM_HU:
        memcpy(&h, host, 2);
        return h;
    case MEM_W:
    case MEM_KINDS:
        break;
    }
    memcpy(&x, host, 4);
    return x;
}

static always_inline unsigned
kind_bytes(enum mem_kind kind)
{
    return kind == MEM_W ? 4 : kind == MEM_H || kind == MEM_HU ? 2 : 1;
}

static always_inline uint32_t
extend(uint32_t x, enum mem_kind kind)
{
    return kind == MEM_B   ? (uint32_t)(int8_t)x
           : kind == MEM_H ? (uint32_t)(int16_t)x
                           : x;
}

static always_inline void
write_back(uint32_t *d, const uint32_t *r, const uint32_t *m, unsigned n,
           bool full)
{
    if (full) {
        memcpy(d, r, n * sizeof *d);
        return;
    }
    lane_loop (i, n)
        d[i] = blend(m[i], r[i], d[i]);
}

/* Lanes that are not all in a row; span NULL: the first one has none. */
static always_inline const struct sim_op *
gather(struct sim_warp *w, const struct sim_op *op, const uint32_t *at,
       const uint32_t *m, uint64_t exec, const struct sim_span *span,
       enum mem_kind kind, uint32_t *r)
{
    unsigned n = lanes_of(w);
    uint32_t offset[SIM_LANES_MAX];
    if (!span || !offsets(at, m, n, kind_bytes(kind), span, offset)) {
        if (!mem_load_each(w, op, at, exec, kind_bytes(kind), r))
            return NULL;
        lane_loop (i, n)
            r[i] = extend(r[i], kind);
        return op;
    }
    uint32_t same = 0, first = at[__builtin_ctzll(exec)];
    lane_loop (i, n)
        same |= (at[i] ^ first) & m[i];
    const uint8_t *host = span->host;
    if (!same) {
        uint32_t x = fetch(host + (first - (uint32_t)span->lo), kind);
        lane_loop (i, n)
            r[i] = x;
        return op;
    }
    for (unsigned i = 0; i < n; i++)
        r[i] = fetch(host + offset[i], kind);
    return op;
}

static always_inline const struct sim_op *
load(struct sim_warp *w, const struct sim_op *op, enum mem_mode mode,
     enum mem_kind kind)
{
    unsigned n = lanes_of(w), bytes = kind_bytes(kind);
    if (mode == MODE_INDEX && w->sew != 32)
        return mem_lanewise_load(w, op);
    const uint8_t *row = whole_row(w, op, mode, kind, MMU_READ);
    if (likely(row != NULL)) {
        memcpy(vreg(w, op->d), row, n * sizeof(uint32_t));
        return op + op->words;
    }
    uint32_t at[SIM_LANES_MAX], storage[SIM_LANES_MAX], r[SIM_LANES_MAX];
    const uint32_t *m = op_mask(w, op, storage);
    uint64_t exec = warp_op_lanes(w, op);
    bool full = !((w->slow | op->slow) & SLOW_MASK);
    if (!exec)
        return op + op->words;
    if (!addresses(w, op, mode, bytes, m, false, at))
        return mem_lanewise_load(w, op);
    unsigned first = (unsigned)__builtin_ctzll(exec);
    struct sim_mmu *mmu = w->mmu;
    const struct sim_span *span = mmu_span(mmu, at[first], bytes, MMU_READ);
    uint32_t base = at[first] - first * bytes;
    uint64_t offset = span ? base - span->lo : 0;
    uint32_t *d = vreg(w, op->d);
    if (likely(span != NULL) && is_unit(at, m, n, base, bytes) &&
        base % bytes == 0 && offset < span->size &&
        span->size - offset >= (uint64_t)n * bytes) {
        const uint8_t *host = span->host + offset;
        if (full && kind == MEM_W) {
            memcpy(d, host, n * sizeof *d);
            return op + op->words;
        }
        lane_loop (i, n)
            r[i] = fetch(host + (size_t)i * bytes, kind);
    } else if (!gather(w, op, at, m, exec, span, kind, r)) {
        return NULL;
    }
    write_back(d, r, m, n, full);
    return op + op->words;
}

/* ---- stores ---- */

static always_inline void
put(uint8_t *host, uint32_t x, unsigned bytes)
{
    uint8_t b = (uint8_t)x;
    uint16_t h = (uint16_t)x;
    if (bytes == 4)
        memcpy(host, &x, 4);
    else if (bytes == 2)
        memcpy(host, &h, 2);
    else
        memcpy(host, &b, 1);
}

/* A span of marked pieces may end before the last lane's: the one when that is marked, too. */
static always_inline const struct sim_span *
span_to_last(struct sim_mmu *mmu, const uint32_t *at, uint64_t exec,
             unsigned bytes)
{
    unsigned last = 63 - (unsigned)__builtin_clzll(exec);
    return mmu_span(mmu, at[last], bytes, MMU_WRITE);
}

/* A lane that is off is never written, not even with what is there: another
 * host thread may be writing it. */
static always_inline const struct sim_op *
scatter(struct sim_warp *w, const struct sim_op *op, const uint32_t *at,
        const uint32_t *m, uint64_t exec, const struct sim_span *span,
        unsigned bytes, const uint32_t *s)
{
    unsigned n = lanes_of(w);
    uint32_t offset[SIM_LANES_MAX];
    if (!span)
        return mem_store_each(w, op, at, exec, bytes, s);
    bool inside = offsets(at, m, n, bytes, span, offset);
    if (!inside && w->mmu->marks) {
        span = span_to_last(w->mmu, at, exec, bytes);
        inside = span && offsets(at, m, n, bytes, span, offset);
    }
    if (!inside)
        return mem_store_each(w, op, at, exec, bytes, s);
    uint8_t *host = span->host;
    if (exec == first_lanes(n)) {
        for (unsigned i = 0; i < n; i++)
            put(host + offset[i], s[i], bytes);
        return op;
    }
    for (uint64_t rest = exec; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctzll(rest);
        put(host + offset[i], s[i], bytes);
    }
    return op;
}

static always_inline const struct sim_op *
store(struct sim_warp *w, const struct sim_op *op, enum mem_mode mode,
      enum mem_kind kind)
{
    unsigned n = lanes_of(w), bytes = kind_bytes(kind);
    if (mode == MODE_INDEX && w->sew != 32)
        return mem_lanewise_store(w, op);
    /* The data register: vs2 of custom stores, else in the place of vd. */
    bool custom = mode == MODE_OFFSET || mode == MODE_PRIVATE;
    const uint32_t *s = vreg(w, custom ? op->s2 : op->d);
    uint8_t *row = whole_row(w, op, mode, kind, MMU_WRITE);
    if (likely(row != NULL)) {
        memcpy(row, s, n * sizeof *s);
        return op + op->words;
    }
    uint32_t at[SIM_LANES_MAX], storage[SIM_LANES_MAX];
    const uint32_t *m = op_mask(w, op, storage);
    uint64_t exec = warp_op_lanes(w, op);
    if (!exec)
        return op + op->words;
    if (!addresses(w, op, mode, bytes, m, true, at))
        return mem_lanewise_store(w, op);
    unsigned first = (unsigned)__builtin_ctzll(exec);
    struct sim_mmu *mmu = w->mmu;
    const struct sim_span *span = mmu_span(mmu, at[first], bytes, MMU_WRITE);
    uint64_t offset = span ? at[0] - span->lo : 0;
    if (likely(span != NULL) && exec == first_lanes(n) &&
        is_unit(at, m, n, at[0], bytes) && at[0] % bytes == 0 &&
        offset < span->size && span->size - offset >= (uint64_t)n * bytes) {
        uint8_t *host = span->host + offset;
        if (kind == MEM_W)
            memcpy(host, s, n * sizeof *s);
        else
            for (unsigned i = 0; i < n; i++)
                put(host + (size_t)i * bytes, s[i], bytes);
    } else if (!scatter(w, op, at, m, exec, span, bytes, s)) {
        return NULL;
    }
    return op + op->words;
}

/* ---- one function for each ---- */

/* X(mode, name, kind): the accesses there are */
/* clang-format off */
#define LOADS(X)                                                           \
    X(OFFSET, offset, B) X(OFFSET, offset, H) X(OFFSET, offset, W)         \
    X(OFFSET, offset, BU) X(OFFSET, offset, HU) X(PRIVATE, private, B)     \
    X(PRIVATE, private, H) X(PRIVATE, private, W) X(PRIVATE, private, BU)  \
    X(PRIVATE, private, HU) X(UNIT, unit, BU) X(UNIT, unit, HU)            \
    X(UNIT, unit, W) X(STRIDE, stride, BU) X(STRIDE, stride, HU)             \
    X(STRIDE, stride, W) X(INDEX, index, W)

#define STORES(X)                                                          \
    X(OFFSET, offset, B) X(OFFSET, offset, H) X(OFFSET, offset, W)         \
    X(PRIVATE, private, B) X(PRIVATE, private, H) X(PRIVATE, private, W)   \
    X(UNIT, unit, B) X(UNIT, unit, H) X(UNIT, unit, W)                     \
    X(STRIDE, stride, B) X(STRIDE, stride, H) X(STRIDE, stride, W)         \
    X(INDEX, index, W)
/* clang-format on */

#define X(mode, name, kind)                                                   \
    static const struct sim_op *load_##name##_##kind(struct sim_warp *w,      \
                                                     const struct sim_op *op) \
    {                                                                         \
        return load(w, op, MODE_##mode, MEM_##kind);                          \
    }
LOADS(X)
#undef X

#define X(mode, name, kind)                                                    \
    static const struct sim_op *store_##name##_##kind(struct sim_warp *w,      \
                                                      const struct sim_op *op) \
    {                                                                          \
        return store(w, op, MODE_##mode, MEM_##kind);                          \
    }
STORES(X)
#undef X

void SIM_FN(lanes_mem)(struct sim_lanes *t);

void
SIM_FN(lanes_mem)(struct sim_lanes *t)
{
#define X(mode, name, kind) \
    t->load[MODE_##mode][MEM_##kind] = load_##name##_##kind;
    LOADS(X)
#undef X
#define X(mode, name, kind) \
    t->store[MODE_##mode][MEM_##kind] = store_##name##_##kind;
    STORES(X)
#undef X
}
