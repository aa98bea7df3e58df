/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Local memory (microarchitecture.md, Local memory): as many banks as
 * local_banks, a word wide.  Lanes that meet in a bank, even for the same word,
 * go one after the other; each round is an answer of its own.  It takes nothing
 * while rounds are left, while a store is in its array, or while an answer
 * waits.
 */
#include "model/local.h"

#include "model/bits.h"

/* The lowest lane of each bank. */
static uint64_t
one_round(const uint8_t *bank, uint64_t lanes)
{
    uint64_t taken[4] = { 0 }, round = 0;
    for (; lanes; lanes &= lanes - 1) {
        unsigned b = bank[lowest(lanes)];
        if (taken[b / 64] >> b % 64 & 1)
            continue;
        taken[b / 64] |= bit_of(b % 64);
        round |= lanes & -lanes;
    }
    return round;
}

/* Answers that wait now. */
static unsigned
waiting(const struct local_state *l, uint64_t now)
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
local_memory_is_ready(const struct local *local, uint64_t now)
{
    const struct local_state *l = &local->state;
    return l->busy[now % LOCAL_AHEAD] != now + 1 && l->n < LOCAL_REQUESTS &&
           waiting(l, now) != local->config->local_answers;
}

static void
block(struct local_state *l, uint64_t from, uint64_t to)
{
    debug_assert(to - from < LOCAL_AHEAD);
    for (uint64_t t = from; t < to; t++)
        l->busy[t % LOCAL_AHEAD] = t + 1;
}

void
local_memory_take(struct local *local, uint64_t now,
                  const struct data_request *d, const uint64_t *at)
{
    const struct ventus_model_config *c = local->config;
    struct local_state *l = &local->state;
    debug_assert(l->n < LOCAL_REQUESTS);
    struct local_request *r = &l->at[(l->head + l->n++) % LOCAL_REQUESTS];
    uint64_t left = d->lanes;
    r->r = *d;
    for (uint64_t i = left; i; i &= i - 1)
        r->bank[lowest(i)] =
            (uint8_t)((uint32_t)at[lowest(i)] / 4 % c->local_banks);
    r->since = now + 1 + c->local_cycles;
    r->rounds = r->given = 0;
    do {
        left &= ~one_round(r->bank, left);
        r->rounds++;
    } while (left);
    local->stats->local_requests++;
    local->stats->local_conflicts += r->rounds - 1;
    if (r->rounds > 1)
        block(l, now + 1, now + r->rounds + c->local_conflict_cycles);
    if (d->write)
        block(l, now + c->local_store_cycles,
              now + r->rounds + c->local_store_cycles);
}

bool
local_memory_answer(struct local *local, uint64_t now,
                    struct data_request *answer)
{
    struct local_state *l = &local->state;
    struct local_request *r = &l->at[l->head];
    if (!l->n || r->since + r->given > now)
        return false;
    debug_assert(r->given < r->rounds);
    *answer = r->r;
    answer->lanes = one_round(r->bank, r->r.lanes);
    r->r.lanes &= ~answer->lanes;
    if (++r->given == r->rounds) {
        l->head = (l->head + 1) % LOCAL_REQUESTS;
        l->n--;
    }
    return true;
}

uint64_t
local_memory_next_event(const struct local *local)
{
    const struct local_state *l = &local->state;
    const struct local_request *r = &l->at[l->head];
    return l->n ? r->since + r->given : UINT64_MAX;
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
