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

void
collect_enter(struct sm *s, struct flight *f)
{
    unsigned i = lowest(~s->collect.used), banks = s->m->config.banks;
    struct collector *c = &s->collect.at[i];
    const struct model_op *o = f->op;
    s->collect.used |= bit_of(i);
    s->collect.reading |= bit_of(i);
    s->collect.entering |= bit_of(i);
    c->state = COLLECT_ENTERS;
    c->since = s->now + 1;
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

/*
 * The operands of a collector that a bank has, from one on.  All four banks are
 * compared at once, a byte each; the product gathers the four answers.
 */
static unsigned
operands_at(const struct collector *c, unsigned slot, unsigned from)
{
    const uint32_t ones = 0x01010101, low = 0x7f7f7f7f, gather = 0x01020408;
    uint32_t differs;
    memcpy(&differs, c->slot, sizeof differs);
    differs ^= ones * slot;
    uint32_t same = ~(((differs & low) + low) | differs | low) >> 7;
    return c->missing >> from << from & same * gather >> 24;
}

/* It has all: it may leave in the next cycle. */
static void
complete(struct sm *s, unsigned i)
{
    struct collector *c = &s->collect.at[i];
    c->state = COLLECT_OUT;
    c->since = s->now + 1;
    s->collect.reading &= ~bit_of(i);
    s->collect.out |= bit_of(i);
}

/* What was issued in the last cycle asks from now on. */
static void
begin_asking(struct sm *s)
{
    struct collect *all = &s->collect;
    uint64_t left = all->entering;
    for (; left; left &= left - 1) {
        unsigned i = lowest(left);
        struct collector *c = &all->at[i];
        if (c->since > s->now)
            continue;
        all->entering &= ~bit_of(i);
        c->state = COLLECT_READS;
        if (!c->missing)
            complete(s, i);
        for (unsigned rest = c->missing; rest; rest &= rest - 1) {
            unsigned slot = c->slot[lowest(rest)];
            all->wants[slot] |= bit_of(i);
            all->asked |= bit_of(slot);
        }
    }
}

static void
stop_asking(struct collect *all, unsigned i, unsigned slot)
{
    if (operands_at(&all->at[i], slot, 0))
        return;
    all->wants[slot] &= ~bit_of(i);
    if (!all->wants[slot])
        all->asked &= ~bit_of(slot);
}

/* Operands that have come. */
static void
take_operands(struct sm *s)
{
    struct collect *all = &s->collect;
    for (uint64_t left = all->arriving; left; left &= left - 1) {
        unsigned i = lowest(left), coming = 0;
        struct collector *c = &all->at[i];
        for (unsigned rest = c->missing; rest; rest &= rest - 1) {
            unsigned k = lowest(rest);
            if (c->there[k] > s->now) {
                coming += c->there[k] != UINT64_MAX;
                continue;
            }
            c->missing &= (uint8_t) ~(1u << k);
            stop_asking(all, i, c->slot[k]);
        }
        if (!coming)
            all->arriving &= ~bit_of(i);
        if (!c->missing)
            complete(s, i);
    }
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
    c->next[slot] = r + 1 == 4 * s->m->config.collectors ? 0 : r + 1;
    return r;
}

/*
 * All banks serve, but what they give goes through one crossbar, which the
 * lowest banks have, their scalar halves first.  The others are asked again.
 */
static void
read_banks(struct sm *s)
{
    unsigned room = s->m->config.crossbar;
    for (uint64_t asked = s->collect.asked; asked; asked &= asked - 1) {
        unsigned r = serve_bank(s, lowest(asked));
        uint64_t *there = &s->collect.at[r / 4].there[r % 4];
        if (!room) {
            s->stats.bank_conflicts++;
            continue;
        }
        room--;
        if (*there != UINT64_MAX)
            continue;
        *there = s->now + 2;
        s->collect.arriving |= bit_of(r / 4);
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
        if (c->since > s->now)
            continue;
        if (!units_take(s, f))
            return;
        s->acts = true;
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
    s->acts = true;
    if (s->collect.entering)
        begin_asking(s);
    take_operands(s);
    read_banks(s);
}
