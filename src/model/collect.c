/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operand collectors (cycle.md 3b): an instruction waits in one until the
 * register banks have given it all operands.  A bank gives one a cycle, to the
 * collectors in turn; it takes two cycles until the collector knows, and asks
 * again meanwhile.
 */
#include "model/machine.h"

bool
collect_has_room(const struct sm *s)
{
    for (unsigned i = 0; i < s->m->config.collectors; i++)
        if (s->collector[i].state == COLLECT_IDLE)
            return true;
    return false;
}

void
collect_enter(struct sm *s, const struct flight *f)
{
    struct collector *c = s->collector;
    while (c->state != COLLECT_IDLE)
        c++;
    c->state = COLLECT_ENTERS;
    c->since = s->m->now + 1;
    c->f = *f;
    for (unsigned i = 0; i < 4; i++)
        c->there[i] = f->op->read[i] ? UINT64_MAX : c->since;
}

static bool
asks(const struct sm *s, unsigned collector, unsigned operand, unsigned kind,
     unsigned bank)
{
    const struct collector *c = &s->collector[collector];
    const struct model_op *o = c->f.op;
    if (c->state != COLLECT_ENTERS && c->state != COLLECT_READS)
        return false;
    if (c->since > s->m->now || o->read[operand] != kind ||
        c->there[operand] <= s->m->now)
        return false;
    return (c->f.warp + o->reg[operand]) % s->m->config.banks == bank;
}

static void
serve_bank(struct sm *s, unsigned kind, unsigned bank)
{
    unsigned n = 4 * s->m->config.collectors;
    unsigned *next = &s->bank_next[(kind - 1) * s->m->config.banks + bank];
    unsigned first = n;
    for (unsigned i = 0; i < n; i++) {
        unsigned r = (*next + i) % n;
        if (!asks(s, r / 4, r % 4, kind, bank))
            continue;
        if (first == n)
            first = r;
        else if (s->collector[r / 4].there[r % 4] == UINT64_MAX)
            s->m->stats.bank_conflicts++;
    }
    if (first == n)
        return;
    uint64_t *there = &s->collector[first / 4].there[first % 4];
    if (*there == UINT64_MAX)
        *there = s->m->now + 2;
    *next = (first + 1) % n;
}

static bool
is_complete(const struct sm *s, const struct collector *c)
{
    for (unsigned i = 0; i < 4; i++)
        if (c->there[i] > s->m->now)
            return false;
    return true;
}

static void
step_collector(struct sm *s, struct collector *c)
{
    uint64_t now = s->m->now;
    switch (c->state) {
    case COLLECT_ENTERS:
        if (c->since > now)
            return;
        c->state = is_complete(s, c) ? COLLECT_OUT : COLLECT_READS;
        c->since = now + 1;
        return;
    case COLLECT_READS:
        if (c->since > now || !is_complete(s, c))
            return;
        c->state = COLLECT_OUT;
        c->since = now + 1;
        return;
    case COLLECT_IDLE:
    case COLLECT_OUT:
        return;
    }
}

/* The lowest that is complete goes to its unit, if that takes it. */
static void
leave(struct sm *s)
{
    for (unsigned i = 0; i < s->m->config.collectors; i++) {
        struct collector *c = &s->collector[i];
        if (c->state != COLLECT_OUT || c->since > s->m->now)
            continue;
        if (units_take(s, &c->f)) {
            s->warp[c->f.warp].collecting = false;
            c->state = COLLECT_IDLE;
        }
        return;
    }
}

void
collect_cycle(struct sm *s)
{
    unsigned active = 0;
    leave(s);
    for (unsigned i = 0; i < s->m->config.collectors; i++)
        active += s->collector[i].state != COLLECT_IDLE;
    if (!active)
        return;
    for (unsigned kind = READ_SCALAR; kind <= READ_VECTOR; kind++)
        for (unsigned bank = 0; bank < s->m->config.banks; bank++)
            serve_bank(s, kind, bank);
    for (unsigned i = 0; i < s->m->config.collectors; i++)
        step_collector(s, &s->collector[i]);
}
