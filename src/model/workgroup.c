/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Workgroups of an SM: their warps come into slots, meet at barriers, and end.
 * Behind the last of them the SM drains: its caches are flushed, and then the CTA
 * scheduler hears of it.  With flush_behind each workgroup has a flush of its own,
 * which nothing waits for but what the SM asks its L1D later (microarchitecture.md,
 * End of a workgroup).
 */
#include "model/workgroup.h"

#include <assert.h>

#include "model/access_log.h"
#include "model/livelock.h"
#include "model/machine.h"
#include "model/wake.h"

/* Nothing is left of the warp that was in a slot. */
static void
clear_slot(struct sm *s, unsigned slot)
{
    uint64_t others = ~bit_of(slot);
    s->arriving &= others;
    scoreboard_start(&s->scoreboard, slot);
}

/* It takes the lowest slot that is free. */
bool
workgroup_start_warp(struct sm *s, unsigned slot, unsigned id, uint64_t at)
{
    struct group *g = &s->group[slot];
    struct warp *w = s->warp;
    assert(g->valid && s->state == SM_RUNS);
    if (!step_exists(s->stepper, slot, id)) {
        g->live--;
        return false;
    }
    while (w->resident)
        w++;
    assert(w < s->warp + s->warps);
    unsigned i = (unsigned)(w - s->warp);
    uint32_t pc = (uint32_t)s->m->launch->pc;
    wake_now(s);
    *w = (struct warp){ .resident = true,
                        .group = slot,
                        .id = id,
                        .next_pc = pc,
                        .issued_at = UINT64_MAX };
    scheduler_start(&s->scheduler, i);
    lsu_start(&s->lsu, i, id);
    fetch_jump(&s->fetch, i, pc);
    clear_slot(s, i);
    s->resident++;
    issue_start(&s->issue, i, at);
    rcc_start(&s->rcc, i);
    if (events_are_on(&s->events))
        events_emit(
            &s->events, s->m->now,
            (struct ventus_model_event){ .kind = VENTUS_MODEL_EVENT_WARP,
                                         .warp = i,
                                         .group = g->number,
                                         .number = id });
    return true;
}

void
workgroup_start(struct sm *s, unsigned slot, uint64_t number)
{
    struct group *g = &s->group[slot];
    assert(slot < s->m->slots && !g->live);
    wake_now(s);
    *g = (struct group){ .valid = true,
                         .warps = s->m->launch->warps,
                         .live = s->m->launch->warps,
                         .number = number };
    if (s->access_mode)
        access_log_start(s, slot);
    step_start(s->stepper, slot, number);
    s->stats.workgroups++;
    s->state = SM_RUNS;
}

/* The caller hears of as many as there are, also after a rollback. */
static void
report_ended(struct ventus_model *m, uint64_t group)
{
    const struct ventus_sim_hooks *hooks = m->host;
    if (hooks && hooks->ended && atomic_fetch_add(&m->ended, 1) >= m->reported)
        hooks->ended(hooks->ctx, group);
}

enum { HEARS = 2, SERVES = 3 };

/*
 * The scheduler hears of a warp's end two cycles later, and is busy for three
 * then.  It counts all that have ended before; a warp that ends in that very cycle
 * waits for it.
 */
static void
serve_end(struct sm *s)
{
    if (s->served > s->now)
        return;
    uint64_t free = s->served + SERVES, heard = s->now + HEARS;
    s->served = s->served == s->now || free > heard ? free : heard;
}

/* One end alone is served in done_cycles. */
static uint64_t
drain_time(const struct sm *s)
{
    uint64_t at = s->now + s->m->config.done_cycles;
    return s->m->config.one_group ? at + s->served - (s->now + HEARS) : at;
}

/* ---- barriers: sim/barrier.h ---- */

/* Warps that wait no more go on. */
static void
wake_released(struct sm *s, unsigned slot)
{
    for (uint64_t left = issue_waits(&s->issue) & ~s->arriving; left;
         left &= left - 1) {
        unsigned i = lowest(left);
        const struct warp *w = &s->warp[i];
        if (w->group != slot || step_waits(s->stepper, slot, w->id))
            continue;
        assert(s->group[slot].waiting);
        s->group[slot].waiting--;
        issue_release(&s->issue, i);
    }
}

/* A warp has come, or ended: do all wait that are left? */
static void
look(struct sm *s, unsigned slot)
{
    if (s->group[slot].waiting != s->group[slot].live)
        return;
    if (step_release(s->stepper, slot))
        wake_released(s, slot);
    else
        s->failed = true;
}

static void
arrive(struct sm *s, unsigned warp)
{
    const struct warp *w = &s->warp[warp];
    if (w->barrier->subgroup) {
        issue_release(&s->issue, warp);
        return;
    }
    s->group[w->group].waiting++;
    assert(s->group[w->group].waiting <= s->group[w->group].live);
    if (step_arrive(s->stepper, w->group, w->id))
        wake_released(s, w->group);
    look(s, w->group);
}

/* Has a warp at a barrier done what that orders? */
static bool
is_ordered(const struct sm *s, unsigned warp)
{
    unsigned orders = s->warp[warp].barrier->orders;
    if (rcc_is_pending(&s->rcc, warp))
        return false;
    unsigned spaces = (orders & ORDERS_LOCAL ? SPACE_LOCAL : 0) |
                      (orders & ORDERS_GLOBAL ? SPACE_GLOBAL : 0);
    return !s->m->config.barrier_waits || !lsu_accesses(&s->lsu, warp, spaces);
}

void
workgroup_arrivals(struct sm *s)
{
    for (uint64_t left = s->arriving; left; left &= left - 1) {
        unsigned i = lowest(left);
        if (!is_ordered(s, i))
            continue;
        s->arriving &= ~bit_of(i);
        arrive(s, i);
    }
}

void
workgroup_barrier(struct sm *s, unsigned warp, const struct model_op *op)
{
    assert(op->barrier);
    issue_hold(&s->issue, warp);
    s->warp[warp].barrier = op;
    rcc_arrived(&s->rcc, warp);
    if (is_ordered(s, warp)) {
        arrive(s, warp);
        return;
    }
    s->arriving |= bit_of(warp);
}

/* ---- the end ---- */

static void
flush_behind(struct sm *s)
{
    dcache_queue_flush(&s->dcache, s->now);
    if (s->m->config.rcc)
        livelock_note(s, rcc_invalidate(&s->rcc));
}

void
workgroup_warp_ended(struct sm *s, unsigned warp)
{
    struct warp *w = &s->warp[warp];
    struct group *g = &s->group[w->group];
    bool behind = s->m->config.flush_behind;
    if (events_are_on(&s->events))
        events_emit(&s->events, s->now,
                    (struct ventus_model_event){
                        .kind = VENTUS_MODEL_EVENT_WARP_END, .warp = warp });
    assert(w->resident && g->live && s->resident && s->endings);
    w->resident = false;
    issue_stop(&s->issue, warp);
    s->resident--;
    s->endings--;
    g->live--;
    g->valid = g->live;
    serve_end(s);
    if (!g->live)
        report_ended(s->m, g->number);
    if (!g->live && behind)
        flush_behind(s);
    if (!s->resident)
        s->state = SM_DRAINS;
    if (!s->resident && !behind) {
        s->drained_at = drain_time(s);
        dcache_end_flush(&s->dcache);
    }
    cta_warp_ended(&s->m->cta, s->id, w->group, !s->resident && !behind,
                   s->now);
    if (g->live)
        look(s, w->group);
}

/* The CTA scheduler has a part in it; not while dirty lines are written. */
static bool
drains_now(const struct sm *s, enum dcache_flush *flush, uint64_t *at)
{
    *flush = dcache_flush_state(&s->dcache, at);
    return s->state == SM_DRAINS && !s->m->config.flush_behind &&
           (*flush == FLUSH_NO || *flush == FLUSH_DONE);
}

uint64_t
workgroup_next_drain(const struct sm *s)
{
    uint64_t at;
    enum dcache_flush flush;
    if (!drains_now(s, &flush, &at))
        return UINT64_MAX;
    return flush == FLUSH_NO ? s->drained_at : at + s->m->config.reply_cycles;
}

static void
end_drain(struct sm *s)
{
    assert(!s->resident);
    wake_now(s);
    s->state = SM_EMPTY;
    dcache_end_flush(&s->dcache);
    if (s->m->config.rcc)
        livelock_note(s, rcc_invalidate(&s->rcc));
    cta_drained(&s->m->cta, s->id, s->m->now);
}

void
workgroup_drain(struct sm *s)
{
    uint64_t now = s->m->now, at;
    enum dcache_flush flush;
    if (!drains_now(s, &flush, &at) || s->drained_at > now)
        return;
    if (flush == FLUSH_NO) {
        wake_now(s);
        dcache_begin_flush(&s->dcache);
        icache_invalidate(&s->icache, now);
    } else if (at + s->m->config.reply_cycles <= now) {
        end_drain(s);
    }
}
