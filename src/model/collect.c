/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operand collectors (cycle.md 3b): an instruction waits in one until the
 * register banks have given it all operands.  A bank serves one request a cycle,
 * the collectors in turn; one operand a cycle passes the crossbar behind all
 * banks.  It takes two cycles until a collector knows what it has, and it asks
 * again meanwhile.  An instruction enters the cycle after it was issued.
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

/* The request that a bank serves, as collector * 4 + operand; or none. */
static int
serve_bank(struct sm *s, unsigned kind, unsigned bank)
{
    unsigned n = 4 * s->m->config.collectors;
    unsigned *next = &s->bank_next[(kind - 1) * s->m->config.banks + bank];
    for (unsigned i = 0; i < n; i++) {
        unsigned r = (*next + i) % n;
        if (!asks(s, r / 4, r % 4, kind, bank))
            continue;
        *next = (r + 1) % n;
        return (int)r;
    }
    return NEVER;
}

/*
 * All banks serve, but what they give goes through one crossbar, which the
 * lowest bank has, its scalar half first.  The others are asked again.
 */
static void
read_banks(struct sm *s)
{
    int through = NEVER;
    for (unsigned bank = 0; bank < s->m->config.banks; bank++)
        for (unsigned kind = READ_SCALAR; kind <= READ_VECTOR; kind++) {
            int r = serve_bank(s, kind, bank);
            if (r < 0)
                continue;
            if (through >= 0)
                s->stats.bank_conflicts++;
            else
                through = r;
        }
    if (through < 0)
        return;
    uint64_t *there = &s->collector[through / 4].there[through % 4];
    if (*there == UINT64_MAX)
        *there = s->m->now + 2;
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
            if (is_watched(s->m))
                watch_flight(s, MODEL_EVENT_STARTED, c->f.warp, c->f.op,
                             c->f.id);
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
    read_banks(s);
    for (unsigned i = 0; i < s->m->config.collectors; i++)
        step_collector(s, &s->collector[i]);
}
