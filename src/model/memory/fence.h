/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/model.h>

#include "model/bits.h"

struct dcache;
struct lsu;
struct model_op;

/* The effect of an instruction on the L1D under coherence = rcc, the strongest last.
 * Each includes those before it. */
enum fence_effect {
    FENCE_NOTHING,
    FENCE_DRAIN,     /* accesses of the warp are waited for */
    FENCE_FLUSH,     /* dirty lines go to the L2 */
    FENCE_INVALIDATE /* and no line stays */
};

/* State of one run; effects are enum fence_effect. */
struct fence_state {
    enum {
        FENCE_IDLE,
        FENCE_DRAINS,
        FENCE_WAITS,
        FENCE_WRITES,
        FENCE_SETTLES
    } step;
    uint8_t issued[MAX_WARPS]; /* effect of what a warp issued last, */
    uint8_t
        effect[MAX_WARPS]; /* and of what came to the LSU, until it is done */
    uint8_t doing;         /* effect of the warp whose turn it is */
    unsigned next;         /* line of the L1D */
    uint64_t arrived;      /* warps */
};

/* Fences of an SM in the L1D that keeps time: one effect after the other. */
struct fence {
    struct dcache *dcache;
    const struct lsu *lsu;
    struct ventus_model_stats *stats;
    unsigned warp; /* persists between launches: whose turn it was */
    struct fence_state state;
};

/* The effect of an instruction that orders accesses.  local: an atomic of local memory
 * alone. */
enum fence_effect
fence_effect_of(const struct model_op *op, bool local);

void
fence_init(struct fence *f, struct dcache *dcache, const struct lsu *lsu,
           struct ventus_model_stats *stats);

void
fence_reset(struct fence *f);

/* A warp issued an instruction with an effect. */
void
fence_issue(struct fence *f, unsigned warp, enum fence_effect effect);

/* The instruction came to the LSU, where its effect begins. */
void
fence_arrive(struct fence *f, unsigned warp);

/* Does a warp wait for an effect? */
static inline bool
fence_is_pending(const struct fence *f, unsigned warp)
{
    return f->state.issued[warp] || f->state.effect[warp];
}

/* Does the LSU take nothing, because the cache is emptied? */
static inline bool
fence_blocks(const struct fence *f)
{
    return f->state.step > FENCE_DRAINS;
}

/* Does the end of an effect wait for the register before the bus alone? */
bool
fence_asks_bus(const struct fence *f);

/* The warp whose effect is done in this cycle; or NEVER.  bus_full: the bus has not
 * taken what left the L1D. */
int
fence_tick(struct fence *f, uint64_t now, bool bus_full);

/* When a tick can do something: in each cycle, while an effect has begun. */
static inline uint64_t
fence_next_event(const struct fence *f, uint64_t now)
{
    return f->state.arrived ? now : UINT64_MAX;
}
