/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The instruction cache (microarchitecture.md, Instruction cache): a request
 * reads the tags one cycle later and is answered after two.  An MSHR records a
 * miss, and fetch repeats the request until it hits; there is no queue of waiting
 * requests.  With icache_subentries the MSHR of a line notes its repetitions, too, and
 * gives back one a cycle when the line comes; meanwhile no other line is taken
 * (missRsqBusy of ICacheMSHR.scala).
 */
#include "model/memory/icache.h"

#include "model/bits.h"

/* The place of a request for a line under way: the first free one, not of the line's own
 * MSHR but of the one whose line is being answered, or else of the first MSHR
 * (ICacheMSHR.scala, subentryStatus). */
static unsigned
next_subentry(const struct icache_state *t, uint64_t now)
{
    bool comes = t->filled_at == now;
    if (!comes && now < t->busy_until) /* the first place is free again */
        return 0;
    const struct icache_miss *e = &t->miss[comes ? t->filled_entry : 0];
    unsigned taken = comes || e->valid ? e->subentries : 0;
    return (unsigned)__builtin_ctz(~taken);
}

static void
note_again(struct icache *c, struct icache_miss *e, uint64_t now)
{
    unsigned place = next_subentry(&c->state, now);
    if (place < c->config->icache.subentries)
        e->subentries |= (uint16_t)(1u << place);
}

/*
 * Remembers a miss in the first free MSHR.  A line that comes back this very
 * cycle is not asked for again; but if another one is, and the MSHR that comes
 * back is below the free one, the Verilog design (no subentries) marks the wrong of the
 * two as taken: the old line is asked for once more, and the new miss is lost.
 */
static void
note_miss(struct icache *c, uint64_t line, uint64_t now)
{
    struct icache_state *t = &c->state;
    bool filled = t->filled_at == now;
    int free = NEVER;
    if ((filled || now < t->busy_until) && t->filled == line)
        return;
    for (int i = (int)c->config->icache.mshrs; i-- > 0;) {
        struct icache_miss *e = &t->miss[i];
        if (e->valid && e->line == line) {
            note_again(c, e, now);
            return;
        }
        if (!e->valid && e->leaves_at <= now)
            free = i;
    }
    if (free < 0)
        return;
    if (!c->config->icache.subentries && filled && free > t->filled_entry) {
        free = t->filled_entry;
        line = t->filled;
    }
    struct icache_miss *e = &t->miss[free];
    t->misses += !e->valid;
    t->unsent += e->sent || !e->valid;
    *e = (struct icache_miss){
        .valid = true, .subentries = 1, .line = line, .at = now + 1
    };
    assert(t->unsent <= t->misses && t->misses <= c->config->icache.mshrs &&
           "counts are those of the MSHRs");
}

/* A line that was written while the tags were read: it is what all ways show,
 * and the way is the sum of those that are valid. */
static bool
is_bypassed(const struct icache_state *t, const struct way *set, uint64_t now)
{
    return now && t->filled_at == now - 1 && t->filled_set == set;
}

/* The same without a bypass: the way that was written shows no line. */
static int
find_other_way(const struct icache *c, const struct way *set, uint64_t line)
{
    for (unsigned i = 0; i < c->tags.ways; i++)
        if (&set[i] != c->state.filled_way && set[i].valid &&
            set[i].tag == line)
            return (int)i;
    return NEVER;
}

static int
find_way(const struct icache *c, const struct way *set, uint64_t line,
         uint64_t now)
{
    const struct icache_state *t = &c->state;
    bool bypassed = is_bypassed(t, set, now);
    int way = NEVER;
    if (bypassed && !c->config->icache_bypass)
        return find_other_way(c, set, line);
    for (unsigned i = 0; i < c->tags.ways; i++)
        if (set[i].valid && (bypassed ? t->filled : set[i].tag) == line)
            way = way < 0 ? (int)i : way | (int)i;
    /* Ways that are no power of two: the sum is none of them. */
    return way < (int)c->tags.ways ? way : (int)c->tags.ways - 1;
}

bool
icache_search(struct icache *c, uint64_t line, uint64_t now)
{
    struct icache_state *t = &c->state;
    struct way *set = set_assoc_set(&c->tags, line);
    int way = find_way(c, set, line, now);
    if (way < 0) {
        c->stats->icache_misses++;
        note_miss(c, line, now);
        return false;
    }
    t->hit_set = set;
    t->hit_way = &set[way];
    t->hit_index = set_assoc_index(&c->tags, t->hit_way);
    t->hit_line = line;
    set_assoc_touch(&c->tags, t->hit_way, c->age0 + now);
    t->hit_at = now;
    c->stats->icache_hits++;
    /* The way that a line showed while it was being written is not where the line is. */
    if (is_bypassed(t, set, now) && c->config->icache_bypass)
        t->hit_way = NULL;
    return true;
}

/* The MSHR of the line that came gives the requests back, one a cycle. */
static void
release_miss(struct icache *c, int entry, uint64_t now)
{
    struct icache_state *t = &c->state;
    struct icache_miss *e = &t->miss[entry];
    unsigned noted = (unsigned)__builtin_popcount(e->subentries);
    t->unsent -= !e->sent;
    t->misses--;
    t->filled_entry = entry;
    e->valid = false;
    e->leaves_at = t->busy_until = now + noted;
}

/* A line takes the way of the policy's victim, as it was before this cycle's
 * lookup. */
bool
icache_tick(struct icache *c, uint64_t now)
{
    struct icache_state *t = &c->state;
    if (now < t->busy_until || !line_port_peek(&t->response, now))
        return false;
    t->filled = line_port_take(&t->response, now);
    t->filled_at = now;
    t->filled_set = set_assoc_set(&c->tags, t->filled);
    t->filled_way =
        set_assoc_policy_victim(&c->tags, t->filled, c->age0 + now, UINT64_MAX);
    for (unsigned i = 0; i < c->config->icache.mshrs; i++)
        if (t->miss[i].valid && t->miss[i].line == t->filled)
            release_miss(c, (int)i, now);
    return true;
}

/* A hit in the same set makes the new line no younger. */
void
icache_write(struct icache *c, uint64_t now)
{
    struct icache_state *t = &c->state;
    assert(t->filled_at == now &&
           "a line is written in the cycle in which it comes");
    bool hit = t->hit_at == now && t->hit_set == t->filled_set;
    t->hit_way = NULL;
    if (hit)
        set_assoc_put(&c->tags, t->filled_way, t->filled);
    else
        set_assoc_fill(&c->tags, t->filled_way, t->filled, c->age0 + now);
}

/* ---- to the L2 and back ---- */

static int
first_unsent(const struct icache *c, uint64_t now)
{
    const struct icache_state *t = &c->state;
    for (unsigned i = 0; t->unsent && i < c->config->icache.mshrs; i++)
        if (t->miss[i].valid && !t->miss[i].sent && t->miss[i].at <= now)
            return (int)i;
    return NEVER;
}

const uint64_t *
icache_l2_peek(const struct icache *c, uint64_t now)
{
    int first = first_unsent(c, now);
    return first == NEVER ? NULL : &c->state.miss[first].line;
}

uint64_t
icache_l2_take(struct icache *c, uint64_t now)
{
    int first = first_unsent(c, now);
    assert(first != NEVER && "only what is seen can be taken");
    c->state.miss[first].sent = true;
    c->state.unsent--;
    return c->state.miss[first].line;
}

/*
 * Not in the cycle in which a line comes: the RTL loses one or the other.
 */
void
icache_invalidate(struct icache *c, uint64_t now)
{
    if (c->state.filled_at == now && !c->config->icache_emptied)
        return;
    c->state.hit_way = NULL;
    set_assoc_invalidate(&c->tags);
}

/* ---- life ---- */

bool
icache_create(struct icache *c, const struct ventus_model_config *config,
              struct ventus_model_stats *stats, unsigned sm)
{
    const struct ventus_model_cache *cache = &config->icache;
    assert(cache->mshrs <= ICACHE_MSHRS);
    *c = (struct icache){ .config = config, .stats = stats };
    return set_assoc_create(&c->tags, cache->replacement, cache->sets,
                            cache->ways,
                            random_of(config->seed, sm, SEED_ICACHE));
}

void
icache_destroy(struct icache *c)
{
    set_assoc_destroy(&c->tags);
}

/* Lines that were asked for come after the last workgroup, too. */
static void
settle_misses(struct icache *c, uint64_t age)
{
    for (unsigned i = 0; i < c->config->icache.mshrs; i++) {
        const struct icache_miss *e = &c->state.miss[i];
        if (!e->valid)
            continue;
        struct way *way =
            set_assoc_policy_victim(&c->tags, e->line, age, UINT64_MAX);
        set_assoc_fill(&c->tags, way, e->line, age);
    }
}

void
icache_reset(struct icache *c, uint64_t ended, uint64_t age0)
{
    unsigned reply = c->config->bus_reply_cycles;
    if (c->config->icache_emptied)
        set_assoc_invalidate(&c->tags);
    else
        settle_misses(c, c->age0 + ended);
    c->age0 = age0;
    c->state =
        (struct icache_state){ .filled_at = UINT64_MAX, .hit_at = UINT64_MAX };
    line_port_init(&c->state.response, 1 + reply, reply, true);
}
