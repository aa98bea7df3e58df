/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operand collectors (cycle.md 3b): an instruction waits in one until the
 * register banks have given it all operands.  A bank serves one request a cycle,
 * the collectors in turn; one operand a cycle passes the crossbar behind all
 * banks.  It takes two cycles until a collector knows what it has, and it asks
 * again meanwhile.  An instruction enters the cycle after it was issued.
 */
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

void
collect_enter(struct sm *s, struct flight *f)
{
    unsigned i = lowest(~s->collect.used), banks = s->m->config.banks;
    struct collector *c = &s->collect.at[i];
    const struct model_op *o = f->op;
    s->collect.used |= bit_of(i);
    s->collect.reading |= bit_of(i);
    c->state = COLLECT_ENTERS;
    c->since = s->m->now + 1;
    c->f = f;
    c->missing = 0;
    for (unsigned k = 0; k < 4; k++) {
        if (!o->read[k])
            continue;
        unsigned bank = (f->warp + o->reg[k]) % banks;
        c->missing |= (uint8_t)(1u << k);
        c->there[k] = UINT64_MAX;
        c->slot[k] = (uint8_t)(2 * bank + (o->read[k] == READ_VECTOR));
    }
}

/* Who asks which bank; the banks that are asked. */
static uint64_t
find_requests(struct sm *s)
{
    uint64_t asked = 0, now = s->m->now;
    for (uint64_t left = s->collect.reading; left; left &= left - 1) {
        unsigned i = lowest(left);
        struct collector *c = &s->collect.at[i];
        if (c->since > now)
            continue;
        for (unsigned k = 0; k < 4; k++) {
            if (!(c->missing >> k & 1))
                continue;
            if (c->there[k] <= now) {
                c->missing &= (uint8_t) ~(1u << k);
                continue;
            }
            unsigned slot = c->slot[k];
            if (!(asked >> slot & 1))
                s->collect.wants[slot] = 0;
            s->collect.wants[slot] |= bit_of(i);
            asked |= bit_of(slot);
        }
    }
    return asked;
}

/* The operands of a collector that a bank has, from one on. */
static unsigned
operands_at(const struct collector *c, unsigned slot, unsigned from)
{
    unsigned found = 0;
    for (unsigned k = from; k < 4; k++)
        if (c->missing >> k & 1 && c->slot[k] == slot)
            found |= 1u << k;
    return found;
}

/* The request that a bank serves, as collector * 4 + operand. */
static unsigned
serve_bank(struct sm *s, unsigned slot)
{
    struct collect *c = &s->collect;
    unsigned first = c->next[slot] / 4, from = c->next[slot] % 4;
    uint64_t wants = c->wants[slot];
    unsigned k = 0, i = first;
    if (wants >> first & 1)
        k = operands_at(&c->at[first], slot, from);
    if (!k) {
        uint64_t later = wants & ~(2 * bit_of(first) - 1);
        i = lowest(later ? later : wants);
        k = operands_at(&c->at[i], slot, 0);
    }
    unsigned r = 4 * i + lowest(k);
    c->next[slot] = (r + 1) % (4 * s->m->config.collectors);
    return r;
}

/*
 * All banks serve, but what they give goes through one crossbar, which the
 * lowest banks have, their scalar halves first.  The others are asked again.
 */
static void
read_banks(struct sm *s, uint64_t asked)
{
    unsigned room = s->m->config.crossbar;
    for (; asked; asked &= asked - 1) {
        unsigned r = serve_bank(s, lowest(asked));
        uint64_t *there = &s->collect.at[r / 4].there[r % 4];
        if (!room) {
            s->stats.bank_conflicts++;
            continue;
        }
        room--;
        if (*there == UINT64_MAX)
            *there = s->m->now + 2;
    }
}

static void
step_collector(struct sm *s, unsigned i)
{
    struct collector *c = &s->collect.at[i];
    uint64_t now = s->m->now;
    if (c->since > now)
        return;
    if (!c->missing) {
        c->state = COLLECT_OUT;
        c->since = now + 1;
        s->collect.reading &= ~bit_of(i);
        s->collect.out |= bit_of(i);
    } else if (c->state == COLLECT_ENTERS) {
        c->state = COLLECT_READS;
        c->since = now + 1;
    }
}

/* The lowest of some that is complete goes to its unit, if that takes it. */
static void
leave(struct sm *s, uint64_t left)
{
    for (; left; left &= left - 1) {
        unsigned i = lowest(left);
        struct collector *c = &s->collect.at[i];
        struct flight *f = c->f;
        if (c->since > s->m->now)
            continue;
        if (!units_take(s, f))
            return;
        s->warp[f->warp].collecting = false;
        warp_changed(s, f->warp);
        c->state = COLLECT_IDLE;
        s->collect.used &= ~bit_of(i);
        s->collect.out &= ~bit_of(i);
        if (is_watched(s->m))
            watch_flight(s, MODEL_EVENT_STARTED, f->warp, f->op, f->id);
        if (!f->kept)
            flight_free(s, f);
        return;
    }
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
    read_banks(s, find_requests(s));
    for (uint64_t left = s->collect.reading; left; left &= left - 1)
        step_collector(s, lowest(left));
}
