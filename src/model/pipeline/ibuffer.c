/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The instruction buffer (microarchitecture.md, Instruction buffer): a queue of
 * fetched pairs for each warp and, after it, a register that issues the
 * instructions of a pair one by one.  The register is refilled when it is empty and
 * the warp is ready; an empty register tests readiness with the first instruction of
 * its old pair.  With `overlaps` it is also refilled in the cycle in which its last
 * instruction issues, and tests with the second instruction.
 */
#include "model/pipeline/ibuffer.h"

#include <stdlib.h>
#include <string.h>

unsigned
ibuffer_push(struct ibuffer *b, unsigned warp, const struct model_op *op,
             unsigned mask)
{
    struct ibuffer_queue *w = &b->queue[warp];
    debug_assert(warp < b->warps && op && w->pairs < b->depth);
    mask &= ~(op[0].skip | (unsigned)op[1].skip << 1);
    w->pair[(w->first + w->pairs++) % IBUFFER_MAX] =
        (struct pair){ op, (uint8_t)mask };
    b->state.queued |= bit_of(warp);
    b->state.full |= (uint64_t)(w->pairs >= b->depth) << warp;
    return mask;
}

void
ibuffer_flush(struct ibuffer *b, unsigned warp)
{
    struct ibuffer_queue *w = &b->queue[warp];
    uint64_t bit = bit_of(warp);
    assert(warp < b->warps);
    w->pairs = 0;
    w->current.mask = 0;
    w->head = NULL;
    b->state.queued &= ~bit;
    b->state.full &= ~bit;
    b->state.empty |= bit;
    b->state.changed |= bit;
}

static void
show_pair(const struct ibuffer *b, struct ibuffer_queue *w)
{
    const struct pair *p = &w->current;
    bool second = p->mask == 2 || (!p->mask && b->overlaps);
    w->head = second ? p->op + 1 : p->op;
}

static void
refill_register(struct ibuffer *b, unsigned warp)
{
    struct ibuffer_queue *w = &b->queue[warp];
    struct ibuffer_state *t = &b->state;
    debug_assert(w->pairs && !w->current.mask &&
                 "the register is refilled when it is empty");
    w->current = w->pair[w->first];
    w->first = (w->first + 1) % IBUFFER_MAX;
    show_pair(b, w);
    t->full &= ~bit_of(warp);
    t->queued &= ~((uint64_t) !--w->pairs << warp);
    t->empty &= ~((uint64_t)(w->current.mask != 0) << warp);
}

void
ibuffer_take(struct ibuffer *b, unsigned warp)
{
    struct ibuffer_queue *w = &b->queue[warp];
    debug_assert(w->current.mask && w->current.mask < 4);
    w->current.mask = w->current.mask == 3 ? 2 : 0;
    show_pair(b, w);
    b->state.empty |= (uint64_t)!w->current.mask << warp;
    b->state.changed |= bit_of(warp);
    if (b->overlaps && !w->current.mask && w->pairs)
        refill_register(b, warp);
}

/* A pair of which nothing is left leaves its register empty. */
void
ibuffer_refill(struct ibuffer *b, uint64_t warps)
{
    struct ibuffer_state *t = &b->state;
    uint64_t left = warps & t->queued;
    debug_assert(!(left & ~t->empty));
    t->changed |= left;
    for (; left; left &= left - 1)
        refill_register(b, lowest(left));
}

void
ibuffer_reset(struct ibuffer *b)
{
    memset(b->queue, 0, b->warps * sizeof *b->queue);
    b->state = (struct ibuffer_state){ .empty = UINT64_MAX };
}

bool
ibuffer_create(struct ibuffer *b, unsigned warps, unsigned depth, bool overlaps)
{
    assert(depth && depth <= IBUFFER_MAX && warps <= MAX_WARPS);
    *b = (struct ibuffer){ .warps = warps,
                           .depth = depth,
                           .overlaps = overlaps };
    b->queue = calloc(warps, sizeof *b->queue);
    return b->queue;
}

void
ibuffer_destroy(struct ibuffer *b)
{
    free(b->queue);
}
