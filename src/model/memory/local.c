/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Local memory (microarchitecture.md, Local memory): as many banks as
 * local_banks, a word wide.  Lanes with addresses in one bank, even of the same word,
 * are served in successive rounds; each round has an answer of its own.  The unit
 * accepts no request while rounds are left, while a store is in its array, or while
 * an answer waits.
 */
#include "model/memory/local.h"

#include "model/bits.h"

/* The lowest lane of each bank goes in the first round, the next in the second. */
static void
find_rounds(struct local_request *r, uint64_t lanes, const uint64_t *at,
            unsigned banks)
{
    uint8_t used[64] = { 0 }; /* rounds of a bank */
    r->rounds = 1;
    r->round[0] = 0;
    for (; lanes; lanes &= lanes - 1) {
        unsigned n = used[at[lowest(lanes)] / 4 & (banks - 1)]++;
        if (n == r->rounds)
            r->round[r->rounds++] = 0;
        r->round[n] |= lanes & -lanes;
    }
}

/* Answers that wait now. */
static unsigned
waiting_answers(const struct local_state *l, uint64_t now)
{
    unsigned n = 0;
    for (unsigned i = 0; i < l->n; i++) {
        const struct local_request *r = &l->at[(l->head + i) % LOCAL_REQUESTS];
        uint64_t done = now >= r->since ? now - r->since + 1 : 0;
        n += (unsigned)(done < r->rounds ? done : r->rounds) - r->given;
    }
    return n;
}

bool
local_memory_can_send(const struct local *local, uint64_t now)
{
    const struct local_state *l = &local->state;
    return l->busy[now % LOCAL_AHEAD] != now + 1 && l->n < LOCAL_REQUESTS &&
           waiting_answers(l, now) != local->config->local_answers;
}

static void
block_unit(struct local_state *l, uint64_t from, uint64_t to)
{
    debug_assert(to - from < LOCAL_AHEAD &&
                 "the ring of busy cycles is longer than any access");
    for (uint64_t t = from; t < to; t++)
        l->busy[t % LOCAL_AHEAD] = t + 1;
}

void
local_memory_send(struct local *local, uint64_t now,
                  const struct data_request *d, const uint64_t *at)
{
    const struct ventus_model_config *c = local->config;
    struct local_state *l = &local->state;
    debug_assert(l->n < LOCAL_REQUESTS &&
                 "local_memory_can_send has counted them");
    struct local_request *r = &l->at[(l->head + l->n++) % LOCAL_REQUESTS];
    r->r = *d;
    r->since = now + 1 + c->local_cycles;
    r->given = 0;
    find_rounds(r, d->lanes, at, c->local_banks);
    local->stats->local_passes += r->rounds;
    local->stats->local_requests++;
    local->stats->local_conflicts += r->rounds - 1;
    if (r->rounds > 1)
        block_unit(l, now + 1, now + r->rounds + c->local_conflict_cycles);
    if (d->write)
        block_unit(l, now + c->local_store_cycles,
                   now + r->rounds + c->local_store_cycles);
}

struct data_request
local_memory_take(struct local *local, uint64_t now)
{
    struct local_state *l = &local->state;
    struct local_request *r = &l->at[l->head];
    debug_assert(local_memory_peek(local, now) && r->given < r->rounds);
    (void)now;
    struct data_request answer = r->r;
    answer.lanes = r->round[r->given];
    if (++r->given == r->rounds) {
        l->head = (l->head + 1) % LOCAL_REQUESTS;
        l->n--;
    }
    return answer;
}

void
local_memory_init(struct local *l, const struct ventus_model_config *config,
                  struct ventus_model_stats *stats)
{
    l->config = config;
    l->stats = stats;
    local_memory_reset(l);
}

void
local_memory_reset(struct local *l)
{
    l->state = (struct local_state){ .n = 0 };
}
