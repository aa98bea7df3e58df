/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What joins SMs to the uncore and to the CTA scheduler: requests go up, answers,
 * workgroups and warps come down, and the host hears of both ends of a workgroup.
 */
#include "model/wiring.h"

#include <assert.h>

#include "model/machine.h"
#include "model/wake.h"
#include "model/workgroup.h"

/* ---- ports between SMs and what they share ---- */

static bool
may_ask(const struct ventus_model *m, unsigned sm)
{
    return !is_away(m, sm) && m->sm[sm].calls;
}

bool
wiring_fetch_source(void *ctx, unsigned sm, bool take, struct mem_request *r)
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
wiring_walk_source(void *ctx, unsigned sm, bool take, struct mem_request *r)
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
wiring_deliver(void *ctx, const struct mem_request *r, uint64_t now)
{
    struct ventus_model *m = ctx;
    struct sm *s = &m->sm[r->sm];
    assert(!is_away(m, r->sm));
    wake_at(s, now + 1);
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
    workgroup_start(&((struct ventus_model *)ctx)->sm[sm], slot, group);
}

static bool
on_start_warp(void *ctx, unsigned sm, unsigned slot, unsigned warp, uint64_t at)
{
    struct ventus_model *m = ctx;
    return workgroup_start_warp(&m->sm[sm], slot, warp, at);
}

const struct cta_ports wiring_cta_ports = { .is_away = on_away,
                                            .taken = on_taken,
                                            .done = on_done,
                                            .start_group = on_start,
                                            .start_warp = on_start_warp };
