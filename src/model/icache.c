/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The instruction cache (cycle.md 3b, 3c): a request reads the tags one cycle
 * later and answers after two.  A miss is remembered in an MSHR, and the
 * request is simply made again until it hits; there is no waiting list.
 */
#include "model/machine.h"

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
    bool filled = c->filled_at == s->now;
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
    s->stirs = true;
    c->unsent += c->miss[free].sent || !c->miss[free].valid;
    c->miss[free] =
        (struct icache_miss){ .valid = true, .line = line, .at = s->now + 1 };
}

/* A line that was written while the tags were read: it is what all ways show,
 * and the way is the sum of those that are valid. */
static bool
is_bypassed(const struct icache *c, const struct way *set, uint64_t now)
{
    return now && c->filled_at == now - 1 && c->filled_set == set;
}

static int
find_way(const struct sm *s, const struct way *set, uint32_t line)
{
    const struct icache *c = &s->icache;
    bool bypassed = is_bypassed(c, set, s->now);
    int way = NEVER;
    for (unsigned i = 0; i < s->m->config.icache.ways; i++)
        if (set[i].valid && (bypassed ? c->filled : set[i].tag) == line)
            way = way < 0 ? (int)i : way | (int)i;
    return way;
}

bool
icache_lookup(struct sm *s, uint32_t pc)
{
    if (!tlb_ready_fetch(s, pc))
        return false;
    struct icache *c = &s->icache;
    uint32_t line = pc >> s->m->line_shift;
    if (!c->hit_way || c->hit_line != line) {
        struct way *set = set_assoc_set(&c->tags, line);
        int way = find_way(s, set, line);
        if (way < 0) {
            s->stats.icache_misses++;
            note_miss(s, line);
            return false;
        }
        c->hit_set = set;
        c->hit_way = &set[way];
        c->hit_line = line;
    }
    set_assoc_touch(&c->tags, c->hit_way, sm_age(s));
    c->hit_at = s->now;
    s->stats.icache_hits++;
    /* What a line that was being written showed is not where it is. */
    if (is_bypassed(c, c->hit_set, s->now))
        c->hit_way = NULL;
    return true;
}

/* A line comes: takes the way of the policy's victim, as it was before this cycle's lookup. */
void
icache_cycle(struct sm *s)
{
    struct icache *c = &s->icache;
    if (!fifo_ready(&c->response, s->now))
        return;
    s->acts = true;
    c->filled = c->response_line[fifo_pop(&c->response, s->now)];
    c->filled_at = s->now;
    c->filled_set = set_assoc_set(&c->tags, c->filled);
    c->filled_way =
        set_assoc_policy_victim(&c->tags, c->filled, sm_age(s), UINT64_MAX);
    for (unsigned i = 0; i < s->m->config.icache.mshrs; i++)
        if (c->miss[i].valid && c->miss[i].line == c->filled) {
            c->unsent -= !c->miss[i].sent;
            c->miss[i].valid = false;
            c->filled_entry = (int)i;
        }
}

/* After the lookup: a hit in the same set makes the new line no younger. */
void
icache_fill(struct sm *s)
{
    struct icache *c = &s->icache;
    if (c->filled_at != s->now)
        return;
    bool hit = c->hit_at == s->now && c->hit_set == c->filled_set;
    c->hit_way = NULL;
    if (hit)
        set_assoc_put(&c->tags, c->filled_way, c->filled);
    else
        set_assoc_fill(&c->tags, c->filled_way, c->filled, sm_age(s));
}

/* What was asked for comes after the last workgroup, too. */
void
icache_settle(struct sm *s)
{
    const struct model_cache *cache = &s->m->config.icache;
    struct icache *c = &s->icache;
    for (unsigned i = 0; i < cache->mshrs; i++) {
        if (!c->miss[i].valid)
            continue;
        struct way *way = set_assoc_policy_victim(&c->tags, c->miss[i].line,
                                                  sm_age(s), UINT64_MAX);
        set_assoc_fill(&c->tags, way, c->miss[i].line, sm_age(s));
    }
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

/*
 * Not in the cycle in which a line comes: the port forgets one or the other.
 */
void
icache_invalidate(struct sm *s)
{
    if (s->icache.filled_at == s->m->now && !s->m->config.icache_emptied)
        return;
    s->icache.hit_way = NULL;
    set_assoc_invalidate(&s->icache.tags);
}
