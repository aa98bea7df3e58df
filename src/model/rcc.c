/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coherence by release consistency (coherence = rcc), as the slides of the
 * instruction set have it; docs/memory-model.md.  Consists of:
 *
 *     shadow.c   the values that its L1D holds
 *     depend.c   how young they are, in registers too
 *     fence.c    the time that fences take
 */
#include "model/rcc.h"

#include <assert.h>

enum { RELEASE = 1 }; /* of aqrl */

/* ---- around a step ---- */

/* The words that a warp is about to access are as the SM sees them. */
static void
begin_access(struct rcc *r, struct sim_stepper *stepper, struct warp_place at,
             unsigned warp, const struct model_op *op)
{
    const struct shadow_kind kind = { op->write, op->atomic, op->hint };
    step_peek(stepper, at.group, at.id, shadow_begin(&r->shadow));
    bool local = shadow_is_local(&r->shadow);
    r->effect = (uint8_t)fence_effect_of(op, local);
    if (op->aqrl & RELEASE && r->effect >= FENCE_FLUSH)
        shadow_flush(&r->shadow);
    if (local)
        shadow_pass(&r->shadow);
    else
        shadow_before(&r->shadow, &kind,
                      depend_address(&r->depend, warp, op, r->grouped));
}

void
rcc_before(struct rcc *r, struct sim_stepper *stepper, struct warp_place at,
           unsigned warp, const struct model_op *op)
{
    assert(r->on);
    r->grouped = step_is_grouped(stepper, at.group, at.id);
    r->accesses = op->memory && !op->fence;
    r->effect = FENCE_NOTHING;
    if (r->accesses)
        begin_access(r, stepper, at, warp, op);
    else if (op->fence || op->orders)
        r->effect = (uint8_t)fence_effect_of(op, true);
}

/* What the access of a step and its effect changed; how young what it read is. */
static bool
end_access(struct rcc *r, const struct model_op *op, struct depend_step *step)
{
    if (r->accesses) {
        shadow_after(&r->shadow);
        step->read = shadow_age(&r->shadow, &step->local);
    }
    if (r->effect == FENCE_INVALIDATE)
        shadow_invalidate(&r->shadow);
    else if (r->effect == FENCE_FLUSH && op->fence)
        shadow_flush(&r->shadow);
    return shadow_take_changed(&r->shadow);
}

/* Only vsetvli and the like change whether registers are grouped: they have no vector. */
bool
rcc_after(struct rcc *r, unsigned warp, const struct model_op *op,
          const struct ventus_sim_step *step)
{
    struct depend_step did = { .exec = step ? step->exec : 0,
                               .grouped = r->grouped };
    bool changed = (r->accesses || r->effect) && end_access(r, op, &did);
    if (step)
        depend_write(&r->depend, warp, op, &did);
    return changed;
}

bool
rcc_invalidate(struct rcc *r)
{
    assert(r->on);
    shadow_invalidate(&r->shadow);
    return shadow_take_changed(&r->shadow);
}

bool
rcc_issued(struct rcc *r, unsigned warp)
{
    if (!r->effect)
        return false;
    fence_issue(&r->fence, warp, r->effect);
    return true;
}

/* ---- life ---- */

void
rcc_start(struct rcc *r, unsigned warp)
{
    if (r->on)
        depend_clear(&r->depend, warp);
}

bool
rcc_open(struct rcc *r, uint64_t root, struct sim_stepper *stepper)
{
    fence_reset(&r->fence);
    if (!r->on)
        return true;
    if (!shadow_open(&r->shadow, root))
        return false;
    step_divert(stepper, shadow_copies(&r->shadow));
    return true;
}

void
rcc_close(struct rcc *r)
{
    shadow_close(&r->shadow);
}

bool
rcc_create(struct rcc *r, const struct ventus_model_config *config,
           struct ventus_model_stats *stats, const struct rcc_machine *of,
           struct dcache *dcache, const struct lsu *lsu)
{
    *r = (struct rcc){ .on = config->rcc };
    fence_init(&r->fence, dcache, lsu, stats);
    return !r->on || (shadow_create(&r->shadow, config, stats, of->sim, of->sm,
                                    of->port) &&
                      depend_create(&r->depend, of->warps, of->lanes));
}

void
rcc_destroy(struct rcc *r)
{
    shadow_destroy(&r->shadow);
    depend_destroy(&r->depend);
}
