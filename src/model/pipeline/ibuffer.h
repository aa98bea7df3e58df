/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/debug_assert.h"
#include "model/bits.h"
#include "model/pipeline/decode.h"

enum { IBUFFER_MAX = 8 };

/* Two instructions, `op` and `op + 1`; NULL: nothing can be executed there. */
struct pair {
    const struct model_op *op;
    uint8_t mask;
};

/* The queue of a warp. */
struct ibuffer_queue {
    /* The instruction that would issue, or that readiness is tested with while
     * `current` is empty; or NULL */
    const struct model_op *head;
    struct pair current; /* the slow-down register */
    uint8_t first, pairs;
    struct pair pair[IBUFFER_MAX];
};

/* State of one run; bits are warps. */
struct ibuffer_state {
    uint64_t queued, full; /* pairs in their queues; no room for another */
    uint64_t empty;        /* nothing in their registers */
    uint64_t changed;      /* warps with another head */
};

/* The instruction buffers of an SM. */
struct ibuffer {
    unsigned warps, depth;
    bool overlaps; /* a register is refilled as its last instruction issues */
    struct ibuffer_queue *queue;
    struct ibuffer_state state;
};

bool
ibuffer_create(struct ibuffer *b, unsigned warps, unsigned depth,
               bool overlaps);

void
ibuffer_destroy(struct ibuffer *b);

void
ibuffer_reset(struct ibuffer *b);

/* A pair comes for a warp; prefixes are taken out of it.  Which are left. */
unsigned
ibuffer_push(struct ibuffer *b, unsigned warp, const struct model_op *op,
             unsigned mask);

/* A warp goes on elsewhere. */
void
ibuffer_flush(struct ibuffer *b, unsigned warp);

/* The first of the register has been issued. */
void
ibuffer_take(struct ibuffer *b, unsigned warp);

/* Refills the registers of these warps, of those that have pairs. */
void
ibuffer_refill(struct ibuffer *b, uint64_t warps);

static inline const struct model_op *
ibuffer_head(const struct ibuffer *b, unsigned warp)
{
    debug_assert(warp < b->warps);
    return b->queue[warp].head;
}

static inline uint64_t
ibuffer_full(const struct ibuffer *b)
{
    return b->state.full;
}

static inline uint64_t
ibuffer_queued(const struct ibuffer *b)
{
    return b->state.queued;
}

static inline uint64_t
ibuffer_empty(const struct ibuffer *b)
{
    return b->state.empty;
}

/* Warps that may have another head than before; they are told once. */
static inline uint64_t
ibuffer_take_changed(struct ibuffer *b)
{
    uint64_t changed = b->state.changed;
    b->state.changed = 0;
    return changed;
}

static inline uint64_t
ibuffer_changed(const struct ibuffer *b)
{
    return b->state.changed;
}
