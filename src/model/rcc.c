/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coherence by release consistency (coherence = rcc), as the slides of the
 * instruction set have it; docs/memory-model.md.  Joins to an SM:
 *
 *     shadow.c   the values that its L1D holds
 *     depend.c   how young they are, in registers too
 *     fence.c    the time that fences take
 */
#include <assert.h>

#include "model/livelock.h"
#include "model/machine.h"

enum { RELEASE = 1 }; /* of aqrl */

static void
note_changes(struct sm *s)
{
    if (shadow_take_changed(&s->rcc.shadow))
        livelock_changed(s);
}

/* ---- around a step ---- */

void
depend_start(struct sm *s, unsigned warp)
{
    depend_clear(&s->rcc.depend, warp);
}

/* Memory has what the SM sees of the words that a warp is about to access. */
static void
begin_access(struct sm *s, unsigned warp, const struct model_op *op)
{
    struct rcc *r = &s->rcc;
    const struct warp *w = &s->warp[warp];
    const struct shadow_kind kind = { op->write, op->atomic };
    step_peek(s->stepper, w->group, w->id, shadow_begin(&r->shadow));
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
rcc_before(struct sm *s, unsigned warp, const struct model_op *op)
{
    struct rcc *r = &s->rcc;
    const struct warp *w = &s->warp[warp];
    r->grouped = step_is_grouped(s->stepper, w->group, w->id);
    r->accesses = op->memory && !op->fence;
    r->effect = FENCE_NOTHING;
    if (r->accesses)
        begin_access(s, warp, op);
    else if (op->fence || op->orders)
        r->effect = (uint8_t)fence_effect_of(op, true);
}

/* What the access of a step and its effect changed; how young what it read is. */
static void
end_access(struct sm *s, const struct model_op *op, struct depend_step *step)
{
    struct rcc *r = &s->rcc;
    if (r->accesses) {
        shadow_after(&r->shadow, op->write);
        step->read = shadow_age(&r->shadow, &step->local);
    }
    if (r->effect == FENCE_INVALIDATE)
        shadow_invalidate(&r->shadow);
    else if (r->effect == FENCE_FLUSH && op->fence)
        shadow_flush(&r->shadow);
    note_changes(s);
}

/* Only vsetvli and the like change whether registers are grouped: they have no vector. */
void
rcc_after(struct sm *s, unsigned warp, const struct model_op *op,
          const struct ventus_sim_step *step)
{
    struct rcc *r = &s->rcc;
    struct depend_step did = { .exec = step ? step->exec : 0,
                               .grouped = r->grouped };
    if (r->accesses || r->effect)
        end_access(s, op, &did);
    if (step)
        depend_write(&r->depend, warp, op, &did);
}

void
rcc_invalidate(struct sm *s)
{
    shadow_invalidate(&s->rcc.shadow);
    note_changes(s);
}

/* ---- the time it takes ---- */

void
rcc_issued(struct sm *s, unsigned warp)
{
    fence_issue(&s->rcc.fence, warp, s->rcc.effect);
    scoreboard_fence(&s->scoreboard, warp);
}

void
rcc_arrived(struct sm *s, unsigned warp)
{
    fence_arrive(&s->rcc.fence, warp);
}

void
rcc_cycle(struct sm *s)
{
    int warp =
        fence_tick(&s->rcc.fence, s->now, bus_is_full(&s->m->bus, s->id));
    if (warp != NEVER)
        issue_changed(&s->issue, (unsigned)warp);
}

/* ---- life ---- */

void
rcc_reset(struct sm *s)
{
    fence_reset(&s->rcc.fence);
    if (s->m->config.rcc)
        shadow_reset(&s->rcc.shadow, s->m->launch->ptbr);
}

bool
rcc_create(struct sm *s)
{
    const struct ventus_model_config *c = &s->m->config;
    struct rcc *r = &s->rcc;
    fence_init(&r->fence, &s->dcache, &s->lsu, &s->stats);
    return !c->rcc ||
           (shadow_create(&r->shadow, c, &s->stats, s->m->sim, s->id) &&
            depend_create(&r->depend, s->warps, s->m->machine.num_thread));
}

void
rcc_destroy(struct sm *s)
{
    shadow_destroy(&s->rcc.shadow);
    depend_destroy(&s->rcc.depend);
}

/* ---- what the host sees ---- */

void
rcc_end(struct ventus_model *m)
{
    for (unsigned i = 0; m->config.rcc && i < m->sms; i++)
        if (m->sm[i].stepper)
            rcc_invalidate(&m->sm[i]);
}

static void
on_print(void *ctx, uint64_t group, unsigned warp, uint32_t value)
{
    struct ventus_model *m = ctx;
    rcc_end(m);
    m->host->print(m->host->ctx, group, warp, value);
}

void
rcc_wrap(struct ventus_model *m, struct ventus_sim_launch *launch,
         struct ventus_sim_hooks *hooks)
{
    *hooks = (struct ventus_sim_hooks){ .ctx = m };
    if (m->host && m->host->print)
        hooks->print = on_print;
    launch->hooks = hooks;
}
