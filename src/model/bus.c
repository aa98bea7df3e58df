/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between SMs and the L2 (cycle.md 3b): in an SM the instruction cache goes
 * first, of the SMs the lowest, page walks last; a queue before the L2.  Answers go
 * straight back.
 */
#include <assert.h>

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

/* Its SM may be ahead. */
static bool
send_data(struct model *m, unsigned sm)
{
    struct bus_port *p = &m->port[sm];
    if (!p->leaves || p->at > m->now)
        return false;
    m->l2.in_at[fifo_push(&m->l2.in, m->now)] = p->request;
    p->leaves = false;
    m->leaving--;
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
        if ((may_ask(m, i) && send_fetch(&m->sm[i])) || send_data(m, i))
            room = false;
    for (unsigned i = 0; room && i < m->sms; i++)
        if (may_ask(m, i) && tlb_send(&m->sm[i]))
            room = false;
}

uint64_t
bus_next(const struct model *m)
{
    uint64_t first = UINT64_MAX;
    for (unsigned i = 0; i < m->sms; i++)
        if (m->port[i].leaves && m->port[i].at < first)
            first = m->port[i].at;
    return first;
}

bool
bus_is_asked(const struct model *m, unsigned sm)
{
    const struct bus_port *p = &m->port[sm];
    return (p->leaves && p->at <= m->now) ||
           (may_ask(m, sm) && icache_wants(&m->sm[sm]));
}

/* Lower SMs go first. */
static bool
is_open(const struct sm *s)
{
    bool open = s->m->bus_room;
    for (unsigned i = 0; i < s->id && open; i++)
        open = !bus_is_asked(s->m, i);
    return open;
}

/* And its own instruction cache. */
bool
bus_is_ready(const struct sm *s)
{
    bool open = s->m->ahead.on ? s->bus_open : is_open(s);
    return open && !icache_wants(&s->m->sm[s->id]);
}

bool
bus_answer(struct model *m, const struct mem_request *r)
{
    struct sm *s = &m->sm[r->sm];
    assert(!is_away(m, r->sm));
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
