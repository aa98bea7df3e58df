/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ports between SMs, uncore, CTA scheduler and host.  SMs send requests and ends
 * of warps; they receive answers, workgroups and warps.  The host receives the begin
 * and the end of each workgroup.
 */
#include "model/connections.h"

#include <assert.h>

#include "model/livelock.h"
#include "model/machine.h"
#include "model/parallel/access_log.h"
#include "model/sleep.h"

/* ---- ports between SMs and what they share ---- */

static bool
may_ask(const struct ventus_model *m, unsigned sm)
{
    return !is_away(m, sm) && m->sm[sm].calls;
}

static bool
fetch_peek(void *ctx, unsigned sm)
{
    const struct ventus_model *m = ctx;
    return may_ask(m, sm) && icache_l2_peek(&m->sm[sm].icache, m->now);
}

static struct mem_request
fetch_take(void *ctx, unsigned sm)
{
    struct ventus_model *m = ctx;
    uint64_t line = icache_l2_take(&m->sm[sm].icache, m->now);
    return (struct mem_request){
        .op = MEM_GET, .sm = (uint8_t)sm, .cache = MEM_ICACHE, .line = line
    };
}

const struct bus_source connections_fetch = { fetch_peek, fetch_take };

static bool
walk_peek(void *ctx, unsigned sm)
{
    const struct ventus_model *m = ctx;
    return may_ask(m, sm) && sm_asks_tables(&m->sm[sm]);
}

static struct mem_request
walk_take(void *ctx, unsigned sm)
{
    struct ventus_model *m = ctx;
    struct tlb *tlb = m->sm[sm].tlb;
    enum tlb_kind kind = tlb_l2_peek(&tlb[TLB_DATA]) ? TLB_DATA : TLB_FETCH;
    uint64_t line = tlb_l2_take(&tlb[kind], m->line_shift);
    return (struct mem_request){ .op = MEM_GET,
                                 .sm = (uint8_t)sm,
                                 .cache = MEM_TABLES,
                                 .source = (uint8_t)kind,
                                 .line = line };
}

const struct bus_source connections_walk = { walk_peek, walk_take };

static bool
answer_can_send(void *ctx, const struct mem_request *r, uint64_t now)
{
    const struct ventus_model *m = ctx;
    const struct sm *s = &m->sm[r->sm];
    assert(!is_away(m, r->sm) && "an SM that is ahead has seen no answer");
    switch ((enum mem_cache)r->cache) {
    case MEM_ICACHE:
        return icache_l2_can_send(&s->icache, now);
    case MEM_TABLES: /* a walk has a place for the one that it waits for */
        return true;
    case MEM_DCACHE:
        break;
    }
    return dcache_l2_can_send(&s->dcache, now, r);
}

static void
answer_send(void *ctx, const struct mem_request *r, uint64_t now)
{
    struct ventus_model *m = ctx;
    struct sm *s = &m->sm[r->sm];
    sleep_wake_at(s, now + 1);
    switch ((enum mem_cache)r->cache) {
    case MEM_ICACHE:
        icache_l2_send(&s->icache, now, r->line);
        return;
    case MEM_TABLES:
        tlb_l2_send(&s->tlb[r->source]);
        return;
    case MEM_DCACHE:
        dcache_l2_send(&s->dcache, now, r);
        return;
    }
}

const struct l2_port connections_answers = { .can_send = answer_can_send,
                                             .send = answer_send };

/* ---- ports between the CTA scheduler, SMs and the host ---- */

static bool
on_away(void *ctx, unsigned sm)
{
    return is_away(ctx, sm);
}

static void
tell_group(const struct ventus_model *m, enum ventus_model_event_kind kind,
           unsigned sm, uint64_t group, uint64_t cycle)
{
    const struct ventus_model_hooks *h = m->hooks;
    if (events_on(h))
        h->event(h->ctx,
                 &(struct ventus_model_event){
                     .kind = kind, .cycle = cycle, .sm = sm, .group = group });
}

static void
on_taken(void *ctx, uint64_t group, uint64_t cycle)
{
    tell_group(ctx, VENTUS_MODEL_EVENT_GROUP, 0, group, cycle);
}

static void
on_done(void *ctx, unsigned sm, uint64_t group, uint64_t cycle)
{
    tell_group(ctx, VENTUS_MODEL_EVENT_GROUP_END, sm, group, cycle);
}

static void
on_start(void *ctx, unsigned sm, unsigned slot, uint64_t group)
{
    struct sm *s = &((struct ventus_model *)ctx)->sm[sm];
    sleep_wake_now(s);
    if (s->access_mode)
        access_log_start(s, slot);
    workgroup_start(&s->workgroup, slot, group);
    s->stats.workgroups++;
}

static void
tell_warp(const struct sm *s, unsigned slot, unsigned warp, unsigned id)
{
    if (events_are_on(&s->events))
        events_emit(&s->events, s->m->now,
                    (struct ventus_model_event){
                        .kind = VENTUS_MODEL_EVENT_WARP,
                        .warp = warp,
                        .group = workgroup_number(&s->workgroup, slot),
                        .number = id });
}

/* Nothing is left in the components of the warp that was in its slot. */
static bool
on_start_warp(void *ctx, unsigned sm, unsigned slot, unsigned id, uint64_t at)
{
    struct ventus_model *m = ctx;
    struct sm *s = &m->sm[sm];
    uint32_t pc = (uint32_t)m->launch->pc;
    int warp = workgroup_start_warp(&s->workgroup, slot, id);
    if (warp == NEVER)
        return false;
    unsigned i = (unsigned)warp;
    s->warp[i] = (struct warp){ .next_pc = pc, .issued_at = UINT64_MAX };
    scheduler_start(&s->scheduler, i);
    lsu_start(&s->lsu, i, id);
    fetch_jump(&s->fetch, i, pc);
    scoreboard_start(&s->scoreboard, i);
    issue_start(&s->issue, i, at);
    rcc_start(&s->rcc, i);
    tell_warp(s, slot, i, id);
    return true;
}

const struct cta_ports connections_cta_ports = { .is_away = on_away,
                                                 .taken = on_taken,
                                                 .done = on_done,
                                                 .start_group = on_start,
                                                 .start_warp = on_start_warp };

/* ---- ports of the workgroups of an SM ---- */

static void
on_wake(void *ctx)
{
    sleep_wake_now(ctx);
}

static void
on_invalidate(void *ctx)
{
    struct sm *s = ctx;
    if (s->m->config.rcc)
        livelock_note(s, rcc_invalidate(&s->rcc));
}

/* The caller gets as many reports as there are workgroups, also after a rollback. */
static void
on_group_ended(void *ctx, uint64_t group)
{
    struct ventus_model *m = ((struct sm *)ctx)->m;
    const struct ventus_sim_hooks *hooks = m->host;
    if (hooks && hooks->ended && atomic_fetch_add(&m->ended, 1) >= m->reported)
        hooks->ended(hooks->ctx, group);
}

static void
on_warp_ended(void *ctx, unsigned slot, bool last)
{
    const struct sm *s = ctx;
    cta_warp_ended(&s->m->cta, s->id, slot, last, s->now);
}

static void
on_drained(void *ctx)
{
    const struct sm *s = ctx;
    cta_drained(&s->m->cta, s->id, s->m->now);
}

void
connections_join_workgroups(struct sm *s)
{
    const struct workgroup_ports port = { .issue = &s->issue,
                                          .lsu = &s->lsu,
                                          .rcc = &s->rcc,
                                          .dcache = &s->dcache,
                                          .icache = &s->icache,
                                          .ctx = s,
                                          .wake = on_wake,
                                          .invalidate = on_invalidate,
                                          .group_ended = on_group_ended,
                                          .warp_ended = on_warp_ended,
                                          .drained = on_drained };
    workgroup_init(&s->workgroup, &s->m->config, s->warps, &port);
}
