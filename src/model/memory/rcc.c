/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coherence by release consistency (coherence = rcc), as the slides of the
 * instruction set have it; docs/memory-model.md.  Consists of:
 *
 *     l1d_data.c   the values that its L1D holds
 *     value_age.c   how young they are, in registers too
 *     fence.c    the time that fences take
 */
#include "model/memory/rcc.h"

#include <assert.h>

enum { RELEASE = 1 }; /* in aqrl */

/* ---- around a step ---- */

/* The words that a warp is about to access are as the SM sees them. */
static void
begin_access(struct rcc *r, struct sim_stepper *stepper, struct warp_place at,
             unsigned warp, const struct model_op *op)
{
    const struct l1d_data_kind kind = { op->write, op->atomic, op->hint };
    step_peek(stepper, at.group, at.id, l1d_data_begin(&r->l1d_data));
    bool local = l1d_data_is_local(&r->l1d_data);
    r->effect = (uint8_t)fence_effect_of(op, local);
    if (op->aqrl & RELEASE && r->effect >= FENCE_FLUSH)
        l1d_data_flush(&r->l1d_data);
    if (local)
        l1d_data_pass(&r->l1d_data);
    else
        l1d_data_before(&r->l1d_data, &kind,
                        value_age_address(&r->value_age, warp, op, r->grouped));
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

/* Ends the access of a step and its effect: what they changed, and the age of what was
 * read. */
static bool
end_access(struct rcc *r, const struct model_op *op,
           struct value_age_step *step)
{
    if (r->accesses) {
        l1d_data_after(&r->l1d_data);
        step->read = l1d_data_age(&r->l1d_data, &step->local);
    }
    if (r->effect == FENCE_INVALIDATE)
        l1d_data_invalidate(&r->l1d_data);
    else if (r->effect == FENCE_FLUSH && op->fence)
        l1d_data_flush(&r->l1d_data);
    return l1d_data_take_changed(&r->l1d_data);
}

/* Only vsetvli and the like change whether registers are grouped: they have no vector. */
bool
rcc_after(struct rcc *r, unsigned warp, const struct model_op *op,
          const struct ventus_sim_step *step)
{
    struct value_age_step did = { .exec = step ? step->exec : 0,
                                  .grouped = r->grouped };
    bool changed = (r->accesses || r->effect) && end_access(r, op, &did);
    if (step)
        value_age_write(&r->value_age, warp, op, &did);
    return changed;
}

bool
rcc_invalidate(struct rcc *r)
{
    assert(r->on);
    l1d_data_invalidate(&r->l1d_data);
    return l1d_data_take_changed(&r->l1d_data);
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
        value_age_clear(&r->value_age, warp);
}

bool
rcc_open(struct rcc *r, uint64_t root, struct sim_stepper *stepper)
{
    fence_reset(&r->fence);
    if (!r->on)
        return true;
    if (!l1d_data_open(&r->l1d_data, root))
        return false;
    step_divert(stepper, l1d_data_copies(&r->l1d_data));
    return true;
}

void
rcc_close(struct rcc *r)
{
    l1d_data_close(&r->l1d_data);
}

bool
rcc_create(struct rcc *r, const struct ventus_model_config *config,
           struct ventus_model_stats *stats, const struct rcc_machine *of,
           struct dcache *dcache, const struct lsu *lsu)
{
    *r = (struct rcc){ .on = config->rcc };
    fence_init(&r->fence, dcache, lsu, stats);
    return !r->on || (l1d_data_create(&r->l1d_data, config, stats, of->sim,
                                      of->sm, of->port) &&
                      value_age_create(&r->value_age, of->warps, of->lanes));
}

void
rcc_destroy(struct rcc *r)
{
    l1d_data_destroy(&r->l1d_data);
    value_age_destroy(&r->value_age);
}
