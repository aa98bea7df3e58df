/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Local memory (cycle.md 3b): as many banks as local_banks, a word wide.  Lanes
 * that meet in a bank, even for the same word, go one after the other; each
 * round is an answer of its own.  It takes nothing while rounds are left,
 * while a store is in its array, or while an answer waits.
 */
#include "model/machine.h"

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
waiting(const struct local *l, uint64_t now)
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
local_is_ready(const struct sm *s)
{
    const struct local *l = &s->local;
    uint64_t now = s->now;
    return l->busy[now % LOCAL_AHEAD] != now + 1 && l->n < LOCAL_REQUESTS &&
           waiting(l, now) != 1;
}

static void
block(struct local *l, uint64_t from, uint64_t to)
{
    for (uint64_t t = from; t < to; t++)
        l->busy[t % LOCAL_AHEAD] = t + 1;
}

/* Takes a line's worth of lanes; `at` are their addresses. */
void
local_take(struct sm *s, const struct data_request *d, const uint64_t *at)
{
    struct local *l = &s->local;
    struct local_request *r = &l->at[(l->head + l->n++) % LOCAL_REQUESTS];
    uint64_t now = s->now, left = d->lanes;
    r->r = *d;
    for (uint64_t i = left; i; i &= i - 1)
        r->bank[lowest(i)] =
            (uint8_t)((uint32_t)at[lowest(i)] / 4 % s->m->config.local_banks);
    r->since = now + 1 + s->m->config.local_cycles;
    r->rounds = r->given = 0;
    do {
        left &= ~one_round(r->bank, left);
        r->rounds++;
    } while (left);
    s->stats.local_requests++;
    s->stats.local_conflicts += r->rounds - 1;
    if (r->rounds > 1)
        block(l, now + 1, now + r->rounds + 1);
    if (d->write)
        block(l, now + 2, now + r->rounds + 2);
}

bool
local_answer(struct sm *s, struct data_request *answer)
{
    struct local *l = &s->local;
    struct local_request *r = &l->at[l->head];
    if (!l->n || r->since + r->given > s->now)
        return false;
    *answer = r->r;
    answer->lanes = one_round(r->bank, r->r.lanes);
    r->r.lanes &= ~answer->lanes;
    if (++r->given == r->rounds) {
        l->head = (l->head + 1) % LOCAL_REQUESTS;
        l->n--;
    }
    return true;
}
