/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operand collectors (cycle.md 3b): an instruction waits in one until the
 * register banks have given it all operands.  A bank serves one request a cycle,
 * the collectors in turn; one operand a cycle passes the crossbar behind all
 * banks.  It takes two cycles until a collector knows what it has, and it asks
 * again meanwhile.  An instruction enters the cycle after it was issued.
 */
#include <string.h>

#include "model/machine.h"

struct flight *
flight_new(struct sm *s)
{
    struct flights *f = &s->flights;
    return &f->at[f->free[--f->frees]];
}

void
flight_free(struct sm *s, struct flight *f)
{
    s->flights.free[s->flights.frees++] = (uint8_t)(f - s->flights.at);
}

bool
collect_has_room(const struct sm *s)
{
    return s->collect.used != s->collect.all;
}

/* Nobody reads; whose turn it is at a bank stays between launches. */
void
collect_reset(struct sm *s)
{
    struct collect *c = &s->collect;
    unsigned collectors = s->m->config.collectors;
    memset(c->at, 0, collectors * sizeof *c->at);
    for (unsigned i = 0; i < 2 * MAX_BANKS; i++)
        memset(c->bank[i].asks, 0, sizeof c->bank[i].asks);
    memset(c->given, 0, sizeof c->given);
    memset(c->coming, 0, sizeof c->coming);
    c->words = (4 * collectors + 63) / 64;
    c->all = UINT64_MAX >> (64 - collectors);
    c->used = c->reading = c->out = c->entered = c->asked = c->waiting = 0;
}

void
collect_enter(struct sm *s, struct flight *f)
{
    struct collect *all = &s->collect;
    unsigned i = lowest(~all->used), banks = s->m->config.banks;
    struct collector *c = &all->at[i];
    const struct model_op *o = f->op;
    all->used |= bit_of(i);
    all->reading |= bit_of(i);
    c->f = f;
    c->missing = o->reads;
    if (!o->reads)
        all->entered |= bit_of(i);
    for (unsigned left = o->reads; left; left &= left - 1) {
        unsigned k = lowest(left), r = 4 * i + k;
        unsigned bank = (f->warp + o->reg[k]) % banks;
        unsigned slot = 2 * bank + (o->read[k] == READ_VECTOR);
        c->slot[k] = (uint8_t)slot;
        all->bank[slot].asks[r / 64] |= bit_of(r % 64);
        all->given[r / 64] &= ~bit_of(r % 64);
        all->asked |= bit_of(slot);
        all->waiting++;
    }
}

/* It has all: it may leave in the next cycle. */
static void
complete(struct sm *s, uint64_t collectors)
{
    s->collect.reading &= ~collectors;
    s->collect.out |= collectors;
}

static void
stop_asking(struct collect *all, unsigned slot, unsigned r)
{
    struct bank *b = &all->bank[slot];
    uint64_t others = 0;
    b->asks[r / 64] &= ~bit_of(r % 64);
    for (unsigned i = 0; i < all->words; i++)
        others |= b->asks[i];
    if (!others)
        all->asked &= ~bit_of(slot);
}

/* Operands that have come. */
static void
take_operands(struct sm *s, struct coming *come)
{
    struct collect *all = &s->collect;
    for (unsigned i = 0; i < come->n; i++) {
        unsigned r = come->request[i];
        struct collector *c = &all->at[r / 4];
        c->missing &= (uint8_t) ~(1u << r % 4);
        stop_asking(all, c->slot[r % 4], r);
        if (!c->missing)
            complete(s, bit_of(r / 4));
    }
    come->n = 0;
}

/* The request that a bank serves: the first from the last one's on. */
static unsigned
serve(struct bank *b, unsigned words, unsigned requests)
{
    unsigned word = b->next / 64;
    uint64_t later = b->asks[word] >> b->next % 64 << b->next % 64;
    while (!later) {
        word = word + 1 == words ? 0 : word + 1;
        later = b->asks[word];
    }
    unsigned r = 64 * word + lowest(later);
    b->next = r + 1 == requests ? 0 : r + 1;
    return r;
}

/*
 * All banks serve, but what they give goes through one crossbar, which the
 * lowest banks have, their scalar halves first.  The others are asked again.
 */
static void
read_banks(struct sm *s, struct coming *coming)
{
    struct collect *all = &s->collect;
    unsigned room = s->m->config.crossbar, requests = s->m->config.collectors;
    unsigned stopped = 0;
    for (uint64_t asked = all->asked; asked; asked &= asked - 1) {
        unsigned r = serve(&all->bank[lowest(asked)], all->words, 4 * requests);
        bool again = all->given[r / 64] >> r % 64 & 1;
        if (!room) {
            stopped += !again;
            continue;
        }
        room--;
        if (again)
            continue;
        all->given[r / 64] |= bit_of(r % 64);
        all->waiting--;
        coming->request[coming->n++] = (uint8_t)r;
    }
    s->stats.crossbar_waits += stopped;
    s->stats.bank_conflicts += all->waiting - stopped;
}

/* The lowest of some that is complete goes to its unit, if that takes it. */
static void
leave(struct sm *s, uint64_t left)
{
    if (!left)
        return;
    unsigned i = lowest(left);
    struct flight *f = s->collect.at[i].f;
    if (!units_take(s, f))
        return;
    s->acts = true;
    s->collecting &= ~bit_of(f->warp);
    warp_changed(s, f->warp);
    s->collect.used &= ~bit_of(i);
    s->collect.out &= ~bit_of(i);
    if (is_watched(s->m))
        watch_flight(s, MODEL_EVENT_STARTED, f->warp, f->op, f->id);
    if (!f->kept)
        flight_free(s, f);
}

/* With two issue ports there are two ways out, too. */
static void
leave_ports(struct sm *s)
{
    uint64_t scalar = 0;
    for (uint64_t left = s->collect.out; left; left &= left - 1)
        if (s->collect.at[lowest(left)].f->op->scalar_port)
            scalar |= bit_of(lowest(left));
    leave(s, s->collect.out & ~scalar);
    leave(s, s->collect.out & scalar);
}

void
collect_cycle(struct sm *s)
{
    if (s->collect.out && s->m->config.issue_width == 1)
        leave(s, s->collect.out);
    else if (s->collect.out)
        leave_ports(s);
    if (!s->collect.reading)
        return;
    struct coming *now = &s->collect.coming[s->now % ON_THE_WAY];
    s->acts = true;
    if (s->collect.entered)
        complete(s, s->collect.entered);
    s->collect.entered = 0;
    if (now->n)
        take_operands(s, now);
    if (s->collect.asked)
        read_banks(s, now);
}
