/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between SMs and the L2 (cycle.md 3b): in an SM the instruction cache goes
 * first, of the SMs the lowest, page walks last; a queue before the L2.  Answers go
 * straight back.
 */
#include "model/machine.h"

static bool
send_fetch(struct sm *s)
{
    struct model *m = s->m;
    struct icache_miss *miss = icache_wants(s);
    if (!miss)
        return false;
    m->l2.in_at[fifo_push(&m->l2.in, m->now)] = (struct mem_request){
        .op = MEM_GET, .line = miss->line, .sm = (uint8_t)s->id
    };
    miss->sent = true;
    s->icache.unsent--;
    return true;
}

static bool
send_data(struct sm *s)
{
    struct model *m = s->m;
    struct dcache *d = &s->dcache;
    if (!d->leaving || d->leaving_at > m->now)
        return false;
    m->l2.in_at[fifo_push(&m->l2.in, m->now)] = d->leave;
    d->leaving = false;
    return true;
}

static bool
may_ask(const struct model *m, unsigned sm)
{
    return !is_away(m, sm) && m->sm[sm].calls;
}

/*
 * After the SMs' caches.  An L1D's next request may follow into stage 3 only
 * in a cycle in which the bus would take one: dcache_bus_ready.
 */
void
bus_cycle(struct model *m)
{
    bool room = m->bus_room;
    for (unsigned i = 0; room && i < m->sms; i++)
        if (may_ask(m, i) && (send_fetch(&m->sm[i]) || send_data(&m->sm[i])))
            room = false;
    for (unsigned i = 0; room && i < m->sms; i++)
        if (may_ask(m, i) && tlb_send(&m->sm[i]))
            room = false;
}

/* Lower SMs go first. */
bool
bus_is_open(const struct sm *s)
{
    struct model *m = s->m;
    for (unsigned i = 0; i < s->id; i++) {
        const struct dcache *d = &m->sm[i].dcache;
        if (!may_ask(m, i))
            continue;
        if (icache_wants(&m->sm[i]) || (d->leaving && d->leaving_at <= m->now))
            return false;
    }
    return m->bus_room;
}

/* And its own instruction cache. */
bool
bus_is_ready(const struct sm *s)
{
    bool open = s->notes == RACE_AHEAD ? s->bus_open : bus_is_open(s);
    return open && !icache_wants(&s->m->sm[s->id]);
}

bool
bus_answer(struct model *m, const struct mem_request *r)
{
    struct sm *s = &m->sm[r->sm];
    if (s->wake > m->now + 1)
        s->wake = m->now + 1;
    s->stirs = true;
    if (!r->cache) {
        struct icache *c = &s->icache;
        if (!fifo_has_room(&c->response, m->now))
            return false;
        c->response_line[fifo_push(&c->response, m->now)] = r->line;
        return true;
    }
    if (r->cache == CACHE_TABLES) {
        tlb_answer(s, r->source);
        return true;
    }
    struct dcache *d = &s->dcache;
    if (!fifo_has_room(&d->response, m->now))
        return false;
    d->response_at[fifo_push(&d->response, m->now)] = *r;
    d->busy = true;
    return true;
}
