/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operand collectors (microarchitecture.md, Operand collectors): an instruction
 * waits in a collector until it has read all operands from the register banks.  A
 * bank serves one request a cycle, with round-robin arbitration of the collectors;
 * one operand a cycle passes the crossbar after the banks.  A collector sees an
 * operand after two cycles and repeats its request until then.  It sends the first
 * request in the cycle after the issue, or in the same cycle (collect_cycles = 0).
 */
#include "model/pipeline/collect.h"

#include <assert.h>
#include <string.h>

/* The one that an instruction enters. */
static unsigned
place(const struct collect *c, const struct inflight *f)
{
    bool scalar = c->ports == PORTS && f->op->scalar_port;
    uint64_t room = collect_room(c, scalar ? PORT_SCALAR : PORT_VECTOR);
    debug_assert(room && "issue has asked collect_has_room");
    return lowest(room);
}

void
collect_enter(struct collect *c, struct inflight *f)
{
    struct collect_state *t = &c->state;
    const struct model_op *o = f->op;
    unsigned i = place(c, f), first = 4 * i, word = first / 64;
    uint64_t bit = bit_of(i);
    debug_assert(!(t->used & bit));
    t->used |= bit;
    t->entering |= bit;
    t->reading |= bit;
    t->scalar = (t->scalar & ~bit) | (uint64_t)o->scalar_port << i;
    t->inflight[i] = f;
    t->missing[word] |= (uint64_t)o->reads << first % 64;
    t->given[word] &= ~((uint64_t)o->reads << first % 64);
    if (!o->reads)
        t->entered |= bit;
    for (unsigned left = o->reads; left; left &= left - 1) {
        unsigned k = lowest(left);
        unsigned bank =
            2 * c->bank_of[f->warp + o->reg[k]] + (o->read[k] == READ_VECTOR);
        debug_assert(bank < 2 * MAX_BANKS && k < OP_SOURCES);
        t->bank[first + k] = (uint8_t)bank;
        t->asks[word][bank] |= bit_of((first + k) % 64);
        t->asked |= bit_of(bank);
        t->waiting++;
    }
}

/* Collectors that have all operands may leave in the next cycle. */
static void
complete_collectors(struct collect_state *t, uint64_t collectors)
{
    debug_assert(!(collectors & ~(t->reading | t->out)));
    t->reading &= ~collectors;
    t->out |= collectors;
}

/*
 * Most machines have so few collectors that all requests are in one word: below,
 * `words` is then a constant, and the compiler leaves the other ones out.
 */
static inline void
take_operands(struct collect_state *t, uint64_t (*coming)[REQUEST_WORDS],
              unsigned words)
{
    for (unsigned w = 0; w < words; w++) {
        uint64_t come = (*coming)[w];
        (*coming)[w] = 0;
        t->missing[w] &= ~come;
        for (; come; come &= come - 1) {
            unsigned i = lowest(come), bank = t->bank[64 * w + i];
            uint64_t others = t->asks[w][bank] &= ~bit_of(i);
            for (unsigned k = 0; k < words && words > 1; k++)
                others |= t->asks[k][bank];
            t->asked &= ~((uint64_t)!others << bank);
            bool all = !(t->missing[w] >> i / 4 * 4 & 15);
            complete_collectors(t, (uint64_t)all << (16 * w + i / 4));
        }
    }
}

/*
 * The request that a bank serves, its bit in a word: the first from the last
 * one's on.  With one word there is no branch: none could be foreseen.
 */
static inline uint64_t
serve_bank(struct collect *c, unsigned bank, unsigned words, unsigned *word)
{
    unsigned w = words == 1 ? 0 : c->turn.word[bank];
    uint64_t asks = c->state.asks[w][bank], later = asks & c->turn.after[bank];
    if (words == 1)
        later = later ? later : asks;
    for (; words > 1 && !later; later = c->state.asks[w][bank])
        c->turn.word[bank] = (uint8_t)(w = (w + 1) & (words - 1));
    uint64_t served = later & -later;
    c->turn.after[bank] = -(served << 1);
    *word = w;
    return served;
}

/*
 * All banks serve, but what they give goes through one crossbar, which the
 * lowest banks have, their scalar halves first.  The others are asked again.
 */
static inline void
read_banks(struct collect *c, uint64_t (*coming)[REQUEST_WORDS], unsigned words)
{
    struct collect_state *t = &c->state;
    unsigned w, passed = 0, stopped = 0;
    uint64_t asked = t->asked;
    for (unsigned room = c->crossbar; asked && room; room--) {
        uint64_t served = serve_bank(c, lowest(asked), words, &w);
        uint64_t first = served & ~t->given[w];
        asked &= asked - 1;
        t->given[w] |= served;
        (*coming)[w] |= first;
        passed += first != 0;
    }
    for (; asked; asked &= asked - 1) {
        uint64_t served = serve_bank(c, lowest(asked), words, &w);
        stopped += !(served & t->given[w]);
    }
    debug_assert(passed <= c->crossbar && passed + stopped <= t->waiting &&
                 "the crossbar passes what the banks have read");
    t->waiting -= passed;
    c->stats->crossbar_waits += stopped;
    c->stats->bank_conflicts += t->waiting - stopped;
}

/* ---- the ways out ---- */

void
collect_pop(struct collect *c, unsigned port)
{
    int i = collect_choose(c, port);
    debug_assert(i >= 0 && c->state.used >> i & 1);
    c->turn.last[port] = (uint8_t)i;
    c->state.used &= ~bit_of((unsigned)i);
    c->state.leaving |= bit_of((unsigned)i);
    c->state.out &= ~bit_of((unsigned)i);
}

static inline void
read_operands(struct collect *c, uint64_t now, unsigned words)
{
    uint64_t(*coming)[REQUEST_WORDS] = &c->state.coming[now % ON_THE_WAY];
    take_operands(&c->state, coming, words);
    read_banks(c, coming, words);
}

/* Apart: collect_tick would save registers for it in each cycle. */
__attribute__((noinline)) static void
read_many(struct collect *c, uint64_t now)
{
    read_operands(c, now, c->words);
}

void
collect_tick(struct collect *c, uint64_t now)
{
    struct collect_state *t = &c->state;
    t->entering = t->leaving = 0;
    if (!t->reading)
        return;
    if (t->entered)
        complete_collectors(t, t->entered);
    t->entered = 0;
    if (c->words == 1)
        read_operands(c, now, 1);
    else
        read_many(c, now);
}

/* ---- life ---- */

void
collect_init(struct collect *c, const struct ventus_model_config *config,
             struct ventus_model_stats *stats)
{
    unsigned collectors = config->collectors;
    assert(collectors && collectors <= MAX_COLLECTORS);
    assert(config->banks && config->banks <= MAX_BANKS);
    *c = (struct collect){ .stats = stats,
                           .all = UINT64_MAX >> (64 - collectors),
                           .words = 1,
                           .crossbar = config->crossbar,
                           .ports = config->issue_width,
                           .late = config->collect_cycles };
    assert(c->ports == 1 || c->ports == PORTS);
    while (64 * c->words < 4 * collectors)
        c->words *= 2;
    for (unsigned i = 0; i < sizeof c->bank_of; i++)
        c->bank_of[i] = (uint8_t)(i % config->banks);
    unsigned begin = config->arbiters_begin;
    for (unsigned bank = 0; bank < 2 * MAX_BANKS; bank++)
        c->turn.after[bank] = UINT64_MAX << begin;
    for (unsigned port = 0; port < PORTS; port++)
        c->turn.last[port] = (uint8_t)(begin ? begin - 1 : collectors - 1);
}

void
collect_reset(struct collect *c)
{
    memset(&c->state, 0, sizeof c->state);
}
