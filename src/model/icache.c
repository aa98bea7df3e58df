/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The instruction cache (cycle.md 3b, 3c): a request reads the tags one cycle
 * later and answers after two.  A miss is remembered in an MSHR, and the
 * request is simply made again until it hits; there is no waiting list.
 */
#include "model/machine.h"

static struct icache_line *
set_of(struct sm *s, uint32_t line)
{
    const struct model_cache *c = &s->m->config.icache;
    return &s->icache.line[(line & (c->sets - 1)) * c->ways];
}

/*
 * Remembers a miss in the first free MSHR.  A line that comes back this very
 * cycle is not asked for again; but if another one is, and the MSHR that comes
 * back is below the free one, the port marks the wrong of the two as taken: the
 * old line is asked for once more, and the new miss is forgotten.
 */
static void
note_miss(struct sm *s, uint32_t line)
{
    struct icache *c = &s->icache;
    bool filled = c->filled_at == s->m->now;
    int free = NEVER;
    if (filled && c->filled == line)
        return;
    for (int i = (int)s->m->config.icache.mshrs; i-- > 0;) {
        if (c->miss[i].valid && c->miss[i].line == line)
            return;
        if (!c->miss[i].valid && !(filled && i == c->filled_entry))
            free = i;
    }
    if (free < 0)
        return;
    if (filled && free > c->filled_entry) {
        free = c->filled_entry;
        line = c->filled;
    }
    c->unsent += c->miss[free].sent || !c->miss[free].valid;
    c->miss[free] = (struct icache_miss){ .valid = true,
                                          .line = line,
                                          .at = s->m->now + 1 };
}

bool
icache_lookup(struct sm *s, uint32_t pc)
{
    uint32_t line = pc / s->m->config.icache.line_B;
    struct icache_line *set = set_of(s, line);
    for (unsigned i = 0; i < s->m->config.icache.ways; i++)
        if (set[i].valid && set[i].tag == line && set[i].seen <= s->m->now) {
            set[i].used = s->m->now;
            s->stats.icache_hits++;
            return true;
        }
    s->stats.icache_misses++;
    note_miss(s, line);
    return false;
}

static void
fill(struct sm *s, uint32_t line)
{
    struct icache_line *set = set_of(s, line), *oldest = set;
    for (unsigned i = 1; i < s->m->config.icache.ways; i++)
        if (set[i].used < oldest->used)
            oldest = &set[i];
    *oldest = (struct icache_line){
        .tag = line, .valid = true, .seen = s->m->now + 1, .used = s->m->now
    };
    for (unsigned i = 0; i < s->m->config.icache.mshrs; i++)
        if (s->icache.miss[i].valid && s->icache.miss[i].line == line) {
            s->icache.unsent -= !s->icache.miss[i].sent;
            s->icache.miss[i].valid = false;
            s->icache.filled_entry = (int)i;
        }
}

void
icache_cycle(struct sm *s)
{
    struct icache *c = &s->icache;
    if (!fifo_ready(&c->response, s->m->now))
        return;
    c->filled = c->response_line[fifo_pop(&c->response, s->m->now)];
    c->filled_at = s->m->now;
    fill(s, c->filled);
}

struct icache_miss *
icache_wants(struct sm *s)
{
    for (unsigned i = 0; s->icache.unsent && i < s->m->config.icache.mshrs;
         i++) {
        struct icache_miss *e = &s->icache.miss[i];
        if (e->valid && !e->sent && e->at <= s->m->now)
            return e;
    }
    return NULL;
}

void
icache_invalidate(struct sm *s)
{
    const struct model_cache *c = &s->m->config.icache;
    for (unsigned i = 0; i < c->sets * c->ways; i++)
        s->icache.line[i].valid = false;
}
