/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operand collectors (cycle.md 3b): an instruction waits in one until the
 * register banks have given it all operands.  A bank serves one request a cycle,
 * the collectors in turn; one operand a cycle passes the crossbar behind all
 * banks.  It takes two cycles until a collector knows what it has, and it asks
 * again meanwhile.  An instruction enters the cycle after it was issued.
 */
#include <assert.h>
#include <string.h>

#include "model/machine.h"

/* No operand is read; the round robin of banks persists between launches. */
void
collect_reset(struct sm *s)
{
    struct collect *c = &s->collect;
    unsigned collectors = s->m->config.collectors;
    assert(collectors && collectors <= MAX_COLLECTORS);
    assert(s->m->config.banks <= MAX_BANKS);
    memset(c->asks, 0, sizeof c->asks);
    memset(c->given, 0, sizeof c->given);
    memset(c->missing, 0, sizeof c->missing);
    memset(c->coming, 0, sizeof c->coming);
    for (unsigned i = 0; i < sizeof c->bank_of; i++)
        c->bank_of[i] = (uint8_t)(i % s->m->config.banks);
    for (c->words = 1; 64 * c->words < 4 * collectors;)
        c->words *= 2;
    c->crossbar = s->m->config.crossbar;
    c->all = UINT64_MAX >> (64 - collectors);
    c->used = c->reading = c->out = c->scalar = c->entered = 0;
    c->asked = c->waiting = 0;
}

void
collect_enter(struct sm *s, struct inflight *f)
{
    struct collect *c = &s->collect;
    const struct model_op *o = f->op;
    debug_assert(collect_has_room(c));
    unsigned i = lowest(~c->used), first = 4 * i, word = first / 64;
    uint64_t bit = bit_of(i);
    c->used |= bit;
    c->reading |= bit;
    c->scalar = (c->scalar & ~bit) | (uint64_t)o->scalar_port << i;
    c->inflight[i] = f;
    c->missing[word] |= (uint64_t)o->reads << first % 64;
    c->given[word] &= ~((uint64_t)o->reads << first % 64);
    if (!o->reads)
        c->entered |= bit;
    for (unsigned left = o->reads; left; left &= left - 1) {
        unsigned k = lowest(left);
        unsigned bank =
            2 * c->bank_of[f->warp + o->reg[k]] + (o->read[k] == READ_VECTOR);
        debug_assert(bank < 2 * MAX_BANKS && k < OP_SOURCES);
        c->bank[first + k] = (uint8_t)bank;
        c->asks[word][bank] |= bit_of((first + k) % 64);
        c->asked |= bit_of(bank);
        c->waiting++;
    }
}

/* They have all: they may leave in the next cycle. */
static void
complete(struct collect *c, uint64_t collectors)
{
    debug_assert(!(collectors & ~(c->reading | c->out)));
    c->reading &= ~collectors;
    c->out |= collectors;
}

/*
 * Most machines have so few collectors that all requests are in one word: below,
 * `words` is then a constant, and the compiler leaves the other ones out.
 */
static inline void
take_operands(struct collect *c, uint64_t (*coming)[REQUEST_WORDS],
              unsigned words)
{
    for (unsigned w = 0; w < words; w++) {
        uint64_t come = (*coming)[w];
        (*coming)[w] = 0;
        c->missing[w] &= ~come;
        for (; come; come &= come - 1) {
            unsigned i = lowest(come), bank = c->bank[64 * w + i];
            uint64_t others = c->asks[w][bank] &= ~bit_of(i);
            for (unsigned k = 0; k < words && words > 1; k++)
                others |= c->asks[k][bank];
            c->asked &= ~((uint64_t)!others << bank);
            bool all = !(c->missing[w] >> i / 4 * 4 & 15);
            complete(c, (uint64_t)all << (16 * w + i / 4));
        }
    }
}

/*
 * The request that a bank serves, its bit in a word: the first from the last
 * one's on.  With one word there is no branch: none could be foreseen.
 */
static inline uint64_t
serve(struct collect *c, unsigned bank, unsigned words, unsigned *word)
{
    unsigned w = words == 1 ? 0 : c->word[bank];
    uint64_t asks = c->asks[w][bank], later = asks & c->behind[bank];
    if (words == 1)
        later |= asks & -(uint64_t)!later;
    for (; words > 1 && !later; later = c->asks[w][bank])
        c->word[bank] = (uint8_t)(w = (w + 1) & (words - 1));
    uint64_t served = later & -later;
    c->behind[bank] = -(served << 1);
    *word = w;
    return served;
}

/*
 * All banks serve, but what they give goes through one crossbar, which the
 * lowest banks have, their scalar halves first.  The others are asked again.
 */
static inline void
read_banks(struct sm *s, uint64_t (*coming)[REQUEST_WORDS], unsigned words)
{
    struct collect *c = &s->collect;
    unsigned w, passed = 0, stopped = 0;
    uint64_t asked = c->asked;
    for (unsigned room = c->crossbar; asked && room; room--) {
        uint64_t served = serve(c, lowest(asked), words, &w);
        uint64_t first = served & ~c->given[w];
        asked &= asked - 1;
        c->given[w] |= served;
        (*coming)[w] |= first;
        passed += first != 0;
    }
    for (; asked; asked &= asked - 1) {
        uint64_t served = serve(c, lowest(asked), words, &w);
        stopped += !(served & c->given[w]);
    }
    debug_assert(passed <= c->crossbar && passed + stopped <= c->waiting);
    c->waiting -= passed;
    s->stats.crossbar_waits += stopped;
    s->stats.bank_conflicts += c->waiting - stopped;
}

/* One of those that are complete goes to its unit, if that takes it. */
static bool
leave(struct sm *s, unsigned i)
{
    struct collect *c = &s->collect;
    struct inflight *f = c->inflight[i];
    debug_assert(c->used >> i & 1 && !(c->reading >> i & 1));
    if (!units_take(s, f))
        return false;
    s->is_active = true;
    scoreboard_collected(&s->scoreboard, f->warp);
    c->used &= ~bit_of(i);
    c->out &= ~bit_of(i);
    if (events_are_on(&s->events))
        events_instruction(&s->events, s->now, VENTUS_MODEL_EVENT_STARTED,
                           f->warp, f->op, f->id);
    if (!f->kept)
        inflight_free(&s->inflight, f);
    return true;
}

/* The first behind the one that left last. */
static void
leave_in_turn(struct sm *s, uint64_t out, uint8_t *last)
{
    uint64_t behind = out & UINT64_MAX << *last << 1;
    if (!out)
        return;
    unsigned i = lowest(behind ? behind : out);
    if (leave(s, i))
        *last = (uint8_t)i;
}

/* With two issue ports there are two ways out, too, each a round robin
 * (operandCollector.scala, DualIssueIO); with one the lowest goes first. */
static void
leave_ports(struct sm *s)
{
    struct collect *c = &s->collect;
    uint64_t out = c->out;
    leave_in_turn(s, out & ~c->scalar, &c->last_vector);
    leave_in_turn(s, out & c->scalar, &c->last_scalar);
}

static inline void
read_operands(struct sm *s, unsigned words)
{
    struct collect *c = &s->collect;
    uint64_t(*now)[REQUEST_WORDS] = &c->coming[s->now % ON_THE_WAY];
    take_operands(c, now, words);
    read_banks(s, now, words);
}

void
collect_cycle(struct sm *s)
{
    struct collect *c = &s->collect;
    if (c->out && s->ports == 1)
        leave(s, lowest(c->out));
    else if (c->out)
        leave_ports(s);
    if (!c->reading)
        return;
    s->is_active = true;
    if (c->entered)
        complete(c, c->entered);
    c->entered = 0;
    if (c->words == 1)
        read_operands(s, 1);
    else
        read_operands(s, c->words);
}
