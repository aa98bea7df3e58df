/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The time of fences under coherence = rcc.  L1 data caches are not kept coherent:
 *
 *     .rl, FENCE W,W              global flush: dirty bytes go to the L2
 *     .aq, FENCE R,R, FENCE W,R   global invalidate: flush, invalidate all
 *     FENCE R,W                   waits for the loads and stores of the warp
 *     barrier, scope device       global invalidate by each warp that arrives
 *
 * .aq and .rl of local memory do not involve the L1D and only wait: only the workgroup
 * of such an atomic can see it, on this SM.
 *
 * An effect begins when its instruction comes to the LSU.  A flush waits until the
 * LSU is empty and no line is outstanding, writes the dirty lines one by one, and ends
 * when the L2 has answered all stores.
 */
#include "model/memory/fence.h"

#include <assert.h>

#include "model/memory/l1d.h"
#include "model/pipeline/decode.h"
#include "model/pipeline/lsu.h"

enum {
    ORDER_W = 1, /* in FENCE's predecessors and successors */
    ORDER_R = 2,
    ORDER_SUCC = 0,
    ORDER_PRED = 4,
    ACQUIRE = 2 /* in aqrl */
};

static enum fence_effect
effect_of_fence(const struct model_op *op)
{
    unsigned pred = op->order >> ORDER_PRED, succ = op->order >> ORDER_SUCC;
    if (succ & ORDER_R && pred & (ORDER_R | ORDER_W))
        return FENCE_INVALIDATE;
    return pred & ORDER_W && succ & ORDER_W ? FENCE_FLUSH : FENCE_DRAIN;
}

enum fence_effect
fence_effect_of(const struct model_op *op, bool local)
{
    if (op->fence)
        return effect_of_fence(op);
    if (op->orders & ORDERS_DEVICE)
        return FENCE_INVALIDATE;
    if (!op->atomic || !op->aqrl)
        return FENCE_NOTHING;
    return local                ? FENCE_DRAIN
           : op->aqrl & ACQUIRE ? FENCE_INVALIDATE
                                : FENCE_FLUSH;
}

void
fence_issue(struct fence *f, unsigned warp, enum fence_effect effect)
{
    assert(warp < MAX_WARPS && f->state.issued[warp] == FENCE_NOTHING);
    f->state.issued[warp] = (uint8_t)effect;
}

void
fence_arrive(struct fence *f, unsigned warp)
{
    struct fence_state *t = &f->state;
    uint8_t effect = t->issued[warp];
    if (!effect)
        return;
    t->issued[warp] = FENCE_NOTHING;
    t->arrived |= bit_of(warp);
    if (effect > t->effect[warp])
        t->effect[warp] = effect;
}

/* The effect is done; a stronger one of the warp, which has come meanwhile, is not. */
static int
end_effect(struct fence *f)
{
    struct fence_state *t = &f->state;
    assert(t->arrived >> f->warp & 1 && t->effect[f->warp] >= t->doing);
    t->step = FENCE_IDLE;
    if (t->effect[f->warp] != t->doing)
        return NEVER;
    t->arrived &= ~bit_of(f->warp);
    t->effect[f->warp] = FENCE_NOTHING;
    return (int)f->warp;
}

/* Warps have their turn in a circle. */
static void
begin_effect(struct fence *f)
{
    struct fence_state *t = &f->state;
    uint64_t later = t->arrived & UINT64_MAX << f->warp << 1;
    f->warp = lowest(later ? later : t->arrived);
    t->next = 0;
    t->doing = t->effect[f->warp];
    assert(t->doing != FENCE_NOTHING &&
           "a warp that has arrived has an effect");
    t->step = t->doing == FENCE_DRAIN ? FENCE_DRAINS : FENCE_WAITS;
}

static int
settle_effect(struct fence *f, bool bus_full)
{
    if (bus_full || !dcache_is_settled(f->dcache))
        return NEVER;
    if (f->state.doing == FENCE_INVALIDATE)
        dcache_invalidate(f->dcache);
    f->stats->cache_flushes++;
    return end_effect(f);
}

bool
fence_asks_bus(const struct fence *f)
{
    return f->state.step == FENCE_SETTLES && !dcache_has_stores(f->dcache);
}

int
fence_tick(struct fence *f, uint64_t now, bool bus_full)
{
    struct fence_state *t = &f->state;
    assert((t->arrived || t->step == FENCE_IDLE) && "an effect is some warp's");
    switch (t->step) {
    case FENCE_IDLE:
        if (t->arrived)
            begin_effect(f);
        break;
    case FENCE_DRAINS:
        if (!lsu_has_accesses(f->lsu, f->warp))
            return end_effect(f);
        break;
    case FENCE_WAITS:
        if (lsu_is_empty(f->lsu) && !dcache_misses(f->dcache))
            t->step = FENCE_WRITES;
        break;
    case FENCE_WRITES:
        if (!dcache_write_next(f->dcache, now, &t->next, true))
            t->step = FENCE_SETTLES;
        break;
    case FENCE_SETTLES:
        return settle_effect(f, bus_full);
    }
    return NEVER;
}

void
fence_init(struct fence *f, struct dcache *dcache, const struct lsu *lsu,
           struct ventus_model_stats *stats)
{
    *f = (struct fence){ .dcache = dcache, .lsu = lsu, .stats = stats };
}

void
fence_reset(struct fence *f)
{
    f->state = (struct fence_state){ .step = FENCE_IDLE };
}
