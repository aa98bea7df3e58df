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

bool
connections_fetch_source(void *ctx, unsigned sm, bool take,
                         struct mem_request *r)
{
    struct ventus_model *m = ctx;
    struct icache *c = &m->sm[sm].icache;
    uint64_t line;
    if (!may_ask(m, sm) || !icache_asks(c, m->now, &line))
        return false;
    if (!take)
        return true;
    icache_asked(c, line);
    r->op = MEM_GET;
    r->cache = MEM_ICACHE;
    r->line = line;
    return true;
}

bool
connections_walk_source(void *ctx, unsigned sm, bool take,
                        struct mem_request *r)
{
    struct ventus_model *m = ctx;
    struct tlb *tlb = m->sm[sm].tlb;
    uint64_t line = 0;
    unsigned i = 0;
    if (!may_ask(m, sm))
        return false;
    while (i < TLBS && !tlb_asks(&tlb[i], m->line_shift, &line))
        i++;
    if (i == TLBS || !take)
        return i < TLBS;
    tlb_asked(&tlb[i]);
    r->op = MEM_GET;
    r->cache = MEM_TABLES;
    r->source = (uint8_t)i;
    r->line = line;
    return true;
}

bool
connections_deliver(void *ctx, const struct mem_request *r, uint64_t now)
{
    struct ventus_model *m = ctx;
    struct sm *s = &m->sm[r->sm];
    assert(!is_away(m, r->sm));
    sleep_wake_at(s, now + 1);
    switch ((enum mem_cache)r->cache) {
    case MEM_ICACHE:
        return icache_deliver(&s->icache, r->line, now);
    case MEM_TABLES:
        tlb_answer(&s->tlb[r->source]);
        return true;
    case MEM_DCACHE:
        break;
    }
    return dcache_deliver(&s->dcache, now, r);
}

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
