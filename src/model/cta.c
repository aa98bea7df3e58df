/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CTA scheduler (microarchitecture.md, Launch):
 * takes a workgroup from the host, finds an SM that has room, and gives the
 * SM a warp every few cycles.  After a workgroup the caches of its SM are
 * emptied, and only then is it done; or, with flush_behind, it is done at once,
 * and the caches are emptied while others run.
 */
#include <assert.h>

#include "model/machine.h"

static unsigned
free_warps(const struct sm *s)
{
    unsigned n = 0;
    for (unsigned i = 0; i < s->warps; i++)
        n += !s->warp[i].resident;
    return n;
}

static struct group *
free_group(const struct sm *s)
{
    for (unsigned i = 0; i < s->m->slots; i++)
        if (!s->group[i].valid)
            return &s->group[i];
    return NULL;
}

/* Whenever workgroups or warps of an SM, or its state, have changed. */
static void
find_room(struct sm *s)
{
    const struct ventus_model_config *c = &s->m->config;
    bool mixes = c->flush_behind || (!c->one_group && s->state != SM_DRAINS);
    s->takes = (mixes || s->state == SM_EMPTY) && free_group(s) &&
               free_warps(s) >= s->m->launch->warps;
}

/* Nothing is left of the warp that was in a slot. */
static void
clear_slot(struct sm *s, unsigned slot)
{
    uint64_t others = ~bit_of(slot);
    s->waits &= others;
    s->arriving &= others;
    scoreboard_start(&s->scoreboard, slot);
}

/* The first that comes takes the lowest slot: the last warp, or warp 0. */
static void
start_warp(struct sm *s, struct group *g, unsigned slot, unsigned place)
{
    const struct ventus_model_config *c = &s->m->config;
    unsigned id = c->first_warp_first ? place : g->warps - 1 - place;
    struct warp *w = s->warp;
    while (w->resident)
        w++;
    assert(w < s->warp + s->warps);
    uint64_t at = s->m->now + c->launch_cycles + place * c->dispatch_cycles;
    uint32_t pc = (uint32_t)s->m->launch->pc;
    *w = (struct warp){ .resident = true,
                        .active = true,
                        .start_at = at,
                        .group = slot,
                        .id = id,
                        .next_pc = pc,
                        .issued_at = UINT64_MAX };
    scheduler_start(&s->scheduler, (unsigned)(w - s->warp));
    lsu_start(&s->lsu, (unsigned)(w - s->warp), id);
    fetch_jump(&s->fetch, (unsigned)(w - s->warp), pc);
    clear_slot(s, (unsigned)(w - s->warp));
    if (!step_exists(s->stepper, slot, id)) {
        w->active = w->resident = false;
        g->live--;
        return;
    }
    s->resident++;
    s->starting |= bit_of((unsigned)(w - s->warp));
    if (events_are_on(&s->events))
        events_emit(
            &s->events, s->now,
            (struct ventus_model_event){ .kind = VENTUS_MODEL_EVENT_WARP,
                                         .warp = (unsigned)(w - s->warp),
                                         .group = g->number,
                                         .number = id });
}

/* The scheduler's clock may be behind that of the SM, which it wakes. */
static void
emit_group(const struct sm *s, enum ventus_model_event_kind kind,
           uint64_t cycle, const struct group *g)
{
    const struct ventus_model_hooks *h = s->m->hooks;
    if (events_are_on(&s->events))
        h->event(h->ctx, &(struct ventus_model_event){ .kind = kind,
                                                       .cycle = cycle,
                                                       .sm = s->id,
                                                       .group = g->number });
}

static void
start_group(struct sm *s)
{
    struct ventus_model *m = s->m;
    struct group *g = free_group(s);
    assert(g && s->takes && m->next_group < m->end_group);
    unsigned slot = (unsigned)(g - s->group);
    advance_wake(s);
    *g = (struct group){ .valid = true,
                         .warps = m->launch->warps,
                         .live = m->launch->warps,
                         .number = m->next_group };
    if (s->access_mode)
        access_log_start(s, slot);
    step_start(s->stepper, slot, m->next_group++);
    emit_group(s, VENTUS_MODEL_EVENT_GROUP, m->now, g);
    for (unsigned i = 0; i < g->warps; i++)
        start_warp(s, g, slot, i);
    s->stats.workgroups++;
    s->state = SM_RUNS;
    find_room(s);
}

void
cta_begin(struct ventus_model *m)
{
    for (unsigned i = 0; i < m->sms; i++)
        find_room(&m->sm[i]);
}

bool
cta_wants(const struct sm *s)
{
    return s->takes && s->m->next_group != s->m->end_group;
}

static void
launch(struct ventus_model *m)
{
    if (m->next_group == m->end_group || m->launch_at > m->now)
        return;
    for (unsigned i = 0; i < m->sms; i++) {
        unsigned id = (m->preferred + i) % m->sms;
        struct sm *s = &m->sm[id];
        if (is_away(m, id) || !s->takes)
            continue;
        start_group(s);
        if (!m->config.one_group) /* the port has but one SM that works */
            m->preferred = (s->id + 1) % m->sms;
        m->launch_at = m->config.one_group ? UINT64_MAX : m->now + 1;
        return;
    }
}

static void
done(struct sm *s)
{
    struct ventus_model *m = s->m;
    assert(s->state == SM_DRAINS && !s->resident);
    advance_wake(s);
    for (unsigned i = 0; i < m->slots; i++) {
        if (s->group[i].valid && !s->group[i].live) {
            m->done_groups++;
            emit_group(s, VENTUS_MODEL_EVENT_GROUP_END, m->now + 1,
                       &s->group[i]);
        }
        s->group[i].valid = s->group[i].valid && s->group[i].live;
    }
    s->state = SM_EMPTY;
    dcache_end_flush(&s->dcache);
    if (m->config.rcc)
        rcc_invalidate(s);
    find_room(s);
    if (m->config.one_group)
        m->launch_at = m->now + m->config.next_cycles;
}

/* The caller hears of as many as there are, also after a rollback. */
static void
report_ended(struct ventus_model *m, uint64_t group)
{
    const struct ventus_sim_hooks *hooks = m->host;
    if (hooks && hooks->ended && atomic_fetch_add(&m->ended, 1) >= m->reported)
        hooks->ended(hooks->ctx, group);
}

static void
stop(struct sm *s, unsigned warp)
{
    uint64_t others = ~bit_of(warp);
    s->active &= others;
    s->candidates &= others;
    s->refills &= others;
    s->began.active &= others;
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

static void
wake(struct sm *s, unsigned warp)
{
    assert(s->waits >> warp & 1);
    s->waits &= ~bit_of(warp);
    warp_changed(s, warp);
}

/* ---- barriers: sim/barrier.h ---- */

/* Warps that wait no more go on. */
static void
wake_released(struct sm *s, unsigned slot)
{
    for (uint64_t left = s->waits & ~s->arriving; left; left &= left - 1) {
        unsigned i = lowest(left);
        const struct warp *w = &s->warp[i];
        if (w->group != slot || step_waits(s->stepper, slot, w->id))
            continue;
        assert(s->group[slot].waiting);
        s->group[slot].waiting--;
        wake(s, i);
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
        wake(s, warp);
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
cta_arrivals(struct sm *s)
{
    for (uint64_t left = s->arriving; left; left &= left - 1) {
        unsigned i = lowest(left);
        if (!is_ordered(s, i))
            continue;
        s->arriving &= ~bit_of(i);
        s->is_active = true;
        arrive(s, i);
    }
}

void
cta_barrier(struct sm *s, unsigned warp, const struct model_op *op)
{
    assert(op->barrier && !(s->waits >> warp & 1));
    s->waits |= bit_of(warp);
    s->warp[warp].barrier = op;
    rcc_arrived(s, warp);
    if (is_ordered(s, warp)) {
        arrive(s, warp);
        return;
    }
    s->arriving |= bit_of(warp);
    s->is_pending = true;
}

/* Done, and its L1D has to be flushed: the others of the SM run on. */
static void
end_before_flush(struct sm *s, struct group *g)
{
    g->done_at = s->now + s->m->config.done_cycles;
    dcache_queue_flush(&s->dcache, s->now);
    if (s->m->config.rcc)
        rcc_invalidate(s);
}

/* The host hears of workgroups that are done; is another one to be told of? */
static bool
tell_done(struct sm *s)
{
    struct ventus_model *m = s->m;
    bool more = false;
    for (unsigned i = 0; i < m->slots; i++) {
        struct group *g = &s->group[i];
        if (!g->valid || g->live)
            continue;
        if (g->done_at > m->now + 1) {
            more = true;
            continue;
        }
        m->done_groups++;
        emit_group(s, VENTUS_MODEL_EVENT_GROUP_END, m->now + 1, g);
        g->valid = false;
        find_room(s);
    }
    return more;
}

static uint64_t
next_done(const struct sm *s)
{
    uint64_t first = UINT64_MAX;
    for (unsigned i = 0; s->freed && i < s->m->slots; i++)
        if (s->group[i].valid && !s->group[i].live &&
            s->group[i].done_at < first)
            first = s->group[i].done_at - 1;
    return first;
}

void
cta_warp_ended(struct sm *s, unsigned warp)
{
    struct warp *w = &s->warp[warp];
    struct group *g = &s->group[w->group];
    if (events_are_on(&s->events))
        events_emit(&s->events, s->now,
                    (struct ventus_model_event){
                        .kind = VENTUS_MODEL_EVENT_WARP_END, .warp = warp });
    assert(w->resident && g->live && s->resident && s->endings);
    w->active = w->resident = false;
    stop(s, warp);
    s->resident--;
    s->endings--;
    g->live--;
    serve_end(s);
    if (!g->live)
        report_ended(s->m, g->number);
    if (s->m->config.flush_behind) {
        if (!g->live)
            end_before_flush(s, g);
    } else if (!s->m->config.one_group && !g->live && s->resident) {
        g->valid = false;
        s->ended++;
        emit_group(s, VENTUS_MODEL_EVENT_GROUP_END, s->now + 1, g);
    }
    if (!s->resident)
        s->state = SM_DRAINS;
    if (!s->resident && !s->m->config.flush_behind) {
        s->drained_at = drain_time(s);
        dcache_end_flush(&s->dcache);
    }
    s->freed = s->is_pending = true;
    find_room(s);
    if (g->live)
        look(s, w->group);
}

/* The SM is empty: its caches, then the host. */
static void
drain(struct sm *s)
{
    uint64_t now = s->m->now, at;
    enum dcache_flush flush = dcache_flush_state(&s->dcache, &at);
    if (s->drained_at > now)
        return;
    if (flush == FLUSH_NO) {
        advance_wake(s);
        dcache_begin_flush(&s->dcache);
        icache_invalidate(&s->icache, now);
    } else if (flush == FLUSH_DONE && at + s->m->config.reply_cycles <= now) {
        done(s);
    }
}

uint64_t
cta_next(const struct ventus_model *m)
{
    uint64_t first = UINT64_MAX;
    for (unsigned i = 0; i < m->sms; i++) {
        const struct sm *s = &m->sm[i];
        uint64_t at = UINT64_MAX, flushed_at;
        if (is_away(m, i))
            continue;
        bool drains =
            s->calls && s->state == SM_DRAINS && !m->config.flush_behind;
        enum dcache_flush flush = dcache_flush_state(&s->dcache, &flushed_at);
        if (drains && flush == FLUSH_NO)
            at = s->drained_at;
        else if (drains && flush == FLUSH_DONE)
            at = flushed_at + m->config.reply_cycles;
        else if (cta_wants(s))
            at = m->launch_at;
        if (m->config.flush_behind && next_done(s) < at)
            at = next_done(s);
        first = at < first ? at : first;
    }
    return first;
}

void
cta_cycle(struct ventus_model *m)
{
    for (unsigned i = 0; i < m->sms; i++) {
        struct sm *s = &m->sm[i];
        if (is_away(m, i) || !s->calls)
            continue;
        m->done_groups += s->ended;
        s->ended = 0;
        s->freed = m->config.flush_behind && tell_done(s);
        if (s->state == SM_DRAINS && !m->config.flush_behind)
            drain(s);
    }
    launch(m);
}
