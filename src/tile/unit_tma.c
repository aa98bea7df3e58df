/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tensor copies.  A tensor map (64 bytes in global memory, our definition):
 *
 *     +0  u64 base       +8 u8 rank, log2 of element bytes, 0, 0
 *     +16 u32 dim[4]     +32 u64 stride[3] in bytes, of dimensions 1 to 3
 *     +56 u16 box[4]
 *
 * The other side is dense, dimension 0 fastest.  What is outside of the map
 * reads as 0 and is not written.  Linear copies have no map.
 */
#include <assert.h>

#include "tile/tma.h"

#include "tile/vector.h"

struct map {
    uint64_t base;
    unsigned rank, log2;
    uint32_t dim[4];
    uint64_t stride[4];
    uint32_t box[4];
};

static struct map
read_map(const uint8_t bytes[64])
{
    struct map m = { .rank = bytes[8], .log2 = bytes[9] };
    uint16_t box[4];
    memcpy(&m.base, bytes, 8);
    memcpy(m.dim, bytes + 16, sizeof m.dim);
    m.stride[0] = UINT64_C(1) << (m.log2 & 7);
    memcpy(m.stride + 1, bytes + 32, 24);
    memcpy(box, bytes + 56, sizeof box);
    for (unsigned d = 0; d < 4; d++)
        m.box[d] = box[d];
    return m;
}

bool
tma_is_linear(const struct ventus_tile_insn *in)
{
    return in->op >= VENTUS_TILE_TMA_CPB && in->op <= VENTUS_TILE_TMA_CPS;
}

/* Is memory written by a map (st), or read by one (ld)? */
bool
tma_stores(const struct ventus_tile_insn *in)
{
    return in->op >= VENTUS_TILE_TMA_STB && in->op <= VENTUS_TILE_TMA_STS;
}

static enum tma_completion
completion(const struct ventus_tile_insn *in)
{
    switch (in->op) {
    case VENTUS_TILE_TMA_LDM:
    case VENTUS_TILE_TMA_STM:
    case VENTUS_TILE_TMA_CPM:
        return TMA_MBARRIER;
    case VENTUS_TILE_TMA_LDS:
    case VENTUS_TILE_TMA_STS:
    case VENTUS_TILE_TMA_CPS:
        return TMA_SEMAPHORE;
    }
    return TMA_BULK;
}

enum tma_completion
tma_completion_of(const struct ventus_tile_insn *in)
{
    return completion(in);
}

/* dstloc, srcloc of a side: which memory; 1, 2, 3 are kinds of share memory. */
static unsigned
location(const struct ventus_tile_insn *in, bool destination)
{
    if (tma_is_linear(in))
        return destination ? in->loc >> 1 : in->loc & 1;
    if (tma_stores(in))
        return destination ? 0 : in->loc;
    return destination ? in->loc : 0;
}

struct tma_side
tma_side(const struct thread_op *op, bool destination)
{
    unsigned where = location(&op->in, destination);
    return (struct tma_side){ where ? MEMORY_SHARE : MEMORY_GLOBAL,
                              destination ? op->b : op->a, where };
}

/* The share address must lie where the location says. */
static bool
place_fits(struct tma_side s)
{
    switch (s.where) {
    case 1:
        return s.address < MEMORY_PE_SHARE;
    case 2:
        return s.address >= MEMORY_PE_SHARE && s.address < MEMORY_L2_SHARE;
    case 3:
        return s.address >= MEMORY_L2_SHARE;
    }
    return true;
}

/* ---- capture ------------------------------------------------------------- */

uint64_t
tma_bytes(const struct thread_op *op)
{
    if (tma_is_linear(&op->in))
        return op->tma.box[0];
    struct map m = read_map(op->tma.map);
    uint64_t bytes = UINT64_C(1) << m.log2;
    for (unsigned d = 0; d < 4; d++)
        if (__builtin_mul_overflow(bytes, op->tma.box[d], &bytes))
            return UINT64_MAX; /* is in no memory */
    return bytes;
}

static enum thread_result
capture_map(struct tile_thread *t, struct thread_op *op)
{
    uint64_t at = tma_stores(&op->in) ? op->b : op->a;
    const uint8_t *bytes =
        memory_tile(&t->machine->memory, MEMORY_GLOBAL, t->pe, at, 64);
    if (at % 64)
        return thread_fault(t, op->pc, VENTUS_TILE_CAUSE_LOAD_MISALIGNED, at);
    if (!bytes)
        return thread_fault(t, op->pc, VENTUS_TILE_CAUSE_LOAD, at);
    memcpy(op->tma.map, bytes, 64);
    struct map m = read_map(op->tma.map);
    if (m.rank != op->in.dim + 1u || m.log2 > 3 || bytes[10] || bytes[11])
        return thread_fault(t, op->pc, VENTUS_TILE_CAUSE_ILLEGAL, at);
    for (unsigned d = 0; d < 4; d++) {
        if (!op->tma.box[d])
            op->tma.box[d] = m.box[d];
        if (d >= m.rank)
            op->tma.box[d] = 1;
    }
    return THREAD_DONE;
}

static enum thread_result
check_side(struct tile_thread *t, const struct thread_op *op, bool destination)
{
    struct tma_side s = tma_side(op, destination);
    if (s.address % VENTUS_TILE_ROW_B)
        return thread_fault(t, op->pc,
                            destination ? VENTUS_TILE_CAUSE_STORE_MISALIGNED
                                        : VENTUS_TILE_CAUSE_LOAD_MISALIGNED,
                            s.address);
    if (!place_fits(s) || !memory_tile(&t->machine->memory, s.space, t->pe,
                                       s.address, tma_bytes(op)))
        return thread_fault(t, op->pc,
                            destination ? VENTUS_TILE_CAUSE_STORE
                                        : VENTUS_TILE_CAUSE_LOAD,
                            s.address);
    return THREAD_DONE;
}

static enum thread_result
check_object(struct tile_thread *t, const struct thread_op *op)
{
    if (completion(&op->in) != TMA_MBARRIER)
        return THREAD_DONE;
    if (op->c % 8)
        return thread_fault(t, op->pc, VENTUS_TILE_CAUSE_STORE_MISALIGNED,
                            op->c);
    if (!memory_tile(&t->machine->memory, MEMORY_SHARE, t->pe, op->c, 8))
        return thread_fault(t, op->pc, VENTUS_TILE_CAUSE_STORE, op->c);
    return THREAD_DONE;
}

/* The vector: e0..e3 coordinates, e4..e7 box or, linear, e4 bytes. */
enum thread_result
capture_tma(struct tile_thread *t, struct thread_op *op)
{
    struct hart *h = &t->hart;
    const struct ventus_tile_insn *in = &op->in;
    enum thread_result r = THREAD_DONE;
    bool linear = tma_is_linear(in);
    if (h->vtype >> 31 || (in->mc && location(in, true) != 1))
        return thread_fault(t, op->pc, VENTUS_TILE_CAUSE_ILLEGAL, 0);
    for (unsigned e = 0; e < 4; e++) {
        op->tma.coord[e] = e < h->vl ? (int32_t)vector_get(h, in->va, e, 2) : 0;
        op->tma.box[e] =
            e + 4 < h->vl ? (uint32_t)vector_get(h, in->va, e + 4, 2) : 0;
    }
    op->group = completion(in) == TMA_BULK ? ~0u : ~1u;
    if (!linear)
        r = capture_map(t, op);
    else if (op->tma.box[0] % VENTUS_TILE_ROW_B)
        return thread_fault(t, op->pc, VENTUS_TILE_CAUSE_ILLEGAL,
                            op->tma.box[0]);
    if (r == THREAD_DONE && !tma_stores(in))
        r = check_side(t, op, true);
    if (r == THREAD_DONE && (linear || tma_stores(in)))
        r = check_side(t, op, false);
    return r == THREAD_DONE ? check_object(t, op) : r;
}

/* ---- rows ---------------------------------------------------------------- */

/* The range in which [0, box) elements from `coord` on are inside [0, dim). */
static void
clip(int64_t coord, uint32_t box, uint32_t dim, uint32_t *first, uint32_t *n)
{
    int64_t from = coord < 0 ? -coord : 0, to = (int64_t)dim - coord;
    if (to > box)
        to = box;
    *first = from < box ? (uint32_t)from : box;
    *n = to > from ? (uint32_t)(to - from) : 0;
    assert(*n == 0 || (uint64_t)*first + *n <= box);
}

void
tma_rows(const struct thread_op *op,
         void (*row)(void *ctx, const struct tma_row *r), void *ctx)
{
    assert(!tma_is_linear(&op->in)); /* those have no map */
    if (!tma_bytes(op))
        return; /* a box of no elements, however many rows it has */
    struct map m = read_map(op->tma.map);
    const uint32_t *box = op->tma.box;
    uint32_t first, inside;
    clip(op->tma.coord[0], box[0], m.dim[0], &first, &inside);
    uint64_t rows = (uint64_t)box[1] * box[2] * box[3];
    for (uint64_t i = 0; i < rows; i++) {
        uint64_t rest = i, at = m.base;
        bool in_map = true;
        for (unsigned d = 1; d < 4; d++) {
            int64_t c = op->tma.coord[d] + (int64_t)(rest % box[d]);
            rest /= box[d];
            if (d >= m.rank)
                continue;
            in_map = in_map && c >= 0 && c < m.dim[d];
            at += (uint64_t)c * m.stride[d];
        }
        at += (uint64_t)(op->tma.coord[0] + (int64_t)first) << m.log2;
        row(ctx, &(struct tma_row){ .mapped = at,
                                    .dense = i * box[0] << m.log2,
                                    .bytes = box[0] << m.log2,
                                    .first = first << m.log2,
                                    .inside = in_map ? inside << m.log2 : 0 });
    }
}

/* ---- execution ----------------------------------------------------------- */

struct copy {
    struct tile_thread *t;
    const struct thread_op *op;
    unsigned pe;
    uint8_t *dense;
    uint64_t written;
    enum thread_result result;
};

static bool
moves(const struct thread_op *op, uint64_t dense)
{
    uint64_t chunk = dense / VENTUS_TILE_ROW_B;
    return chunk >= 64 || op->tmask >> chunk & 1;
}

static void
copy_row(void *ctx, const struct tma_row *r)
{
    struct copy *c = ctx;
    bool store = tma_stores(&c->op->in);
    assert((uint64_t)r->first + r->inside <= r->bytes);
    uint8_t *mapped = memory_tile(&c->t->machine->memory, MEMORY_GLOBAL, c->pe,
                                  r->mapped, r->inside);
    if (r->inside && !mapped) {
        c->result = thread_fault(c->t, c->op->pc,
                                 store ? VENTUS_TILE_CAUSE_STORE
                                       : VENTUS_TILE_CAUSE_LOAD,
                                 r->mapped);
        return;
    }
    for (uint32_t b = 0; b < r->bytes; b++) {
        uint64_t at = r->dense + b;
        bool in_map = b >= r->first && b < r->first + r->inside;
        if (!moves(c->op, at) || (store && !in_map))
            continue;
        if (store)
            mapped[b - r->first] = c->dense[at];
        else
            c->dense[at] = in_map ? mapped[b - r->first] : 0;
        c->written++;
    }
}

static void
copy_linear(struct copy *c, const uint8_t *from)
{
    for (uint64_t at = 0; at < c->op->tma.box[0]; at += VENTUS_TILE_ROW_B) {
        if (!moves(c->op, at))
            continue;
        memmove(c->dense + at, from + at, VENTUS_TILE_ROW_B);
        c->written += VENTUS_TILE_ROW_B;
    }
}

/* mbarrier: { operations, bytes }; the carry does not matter. */
static void
complete(const struct copy *c)
{
    struct ventus_tile_machine *m = c->t->machine;
    const struct ventus_tile_insn *in = &c->op->in;
    assert(completion(in) != TMA_SEMAPHORE ||
           (in->imm >= 0 && in->imm < THREAD_SEMAPHORES));
    if (completion(in) == TMA_SEMAPHORE)
        m->pe[c->pe].semaphore[in->imm]++;
    if (completion(in) != TMA_MBARRIER)
        return;
    uint8_t *at = memory_tile(&m->memory, MEMORY_SHARE, c->pe, c->op->c, 8);
    assert(at); /* check_object has seen it */
    uint64_t word;
    memcpy(&word, at, sizeof word);
    word += (UINT64_C(1) << 32) + c->written;
    memcpy(at, &word, sizeof word);
}

static enum thread_result
copy_to(struct tile_thread *t, const struct thread_op *op, unsigned pe)
{
    struct tile_memory *m = &t->machine->memory;
    struct copy c = { t, op, pe, NULL, 0, THREAD_DONE };
    struct tma_side dense = tma_side(op, !tma_stores(&op->in));
    c.dense = memory_tile(m, dense.space, pe, dense.address, tma_bytes(op));
    assert(c.dense); /* check_side has seen it */
    if (tma_is_linear(&op->in)) {
        struct tma_side from = tma_side(op, false);
        copy_linear(
            &c, memory_tile(m, from.space, t->pe, from.address, tma_bytes(op)));
    } else {
        tma_rows(op, copy_row, &c);
    }
    if (c.result == THREAD_DONE)
        complete(&c);
    return c.result;
}

enum thread_result
unit_tma(struct tile_thread *t, struct thread_op *op)
{
    enum thread_result r = THREAD_DONE;
    if (!op->in.mc)
        return copy_to(t, op, t->pe);
    for (unsigned pe = 0; pe < VENTUS_TILE_PES && r == THREAD_DONE; pe++)
        r = copy_to(t, op, pe);
    return r;
}
