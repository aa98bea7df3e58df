/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/model.h>

#include "model/pipeline/inflight.h"
#include "model/pipeline/schedule.h"

enum {
    MAX_BANKS = 32,
    MAX_COLLECTORS = 64,
    REQUESTS = 4 * MAX_COLLECTORS, /* collector * 4 + operand */
    REQUEST_WORDS = REQUESTS / 64,
    ON_THE_WAY = 2 /* cycles until a collector knows what it has */
};

/* Turns of the round robins, which persist between launches.  A bank has the word of
 * the request that was served, and a mask of those that follow it. */
struct collect_turn {
    uint64_t after[2 * MAX_BANKS];
    uint8_t word[2 * MAX_BANKS];
    uint8_t last[PORTS]; /* the last to leave, by issue port */
};

/*
 * State of one run.  Bits are collectors; or, in words, requests.  A bank here is
 * a scalar or a vector half of a register bank: 2 * bank + (is for vectors).
 */
struct collect_state {
    uint64_t used, reading, out;
    uint64_t entering, leaving; /* in this cycle, until its tick */
    uint64_t scalar;            /* collectors of the scalar port */
    uint64_t entered;           /* in the last cycle, with nothing to read */
    uint64_t asked;             /* bits of banks that have a request */
    unsigned waiting;           /* operands that no bank gave */
    uint64_t missing[REQUEST_WORDS]; /* operands that have not come */
    uint64_t given[REQUEST_WORDS];   /* requests that were served */
    uint64_t coming[ON_THE_WAY][REQUEST_WORDS]; /* and that in a cycle */
    uint64_t asks[REQUEST_WORDS][2 * MAX_BANKS];
    uint8_t bank[REQUESTS];
    struct inflight *inflight[MAX_COLLECTORS];
};

/* The operand collectors of an SM. */
struct collect {
    struct ventus_model_stats *stats;
    uint64_t all;
    unsigned words; /* in use of each set of requests: 1, 2, 4 */
    unsigned crossbar, ports, late;   /* late: cycles until they are asked */
    uint8_t bank_of[MAX_WARPS + 256]; /* without half; by warp + register */
    struct collect_turn turn;
    struct collect_state state;
};

void
collect_init(struct collect *c, const struct ventus_model_config *config,
             struct ventus_model_stats *stats);

void
collect_reset(struct collect *c);

/*
 * Collectors that a port may take, the lowest first.  With two ports the vector one
 * has the lowest that was free when the cycle began, and the scalar one the others,
 * whether or not the first is taken (instDemux).
 */
static inline uint64_t
collect_room(const struct collect *c, unsigned port)
{
    const struct collect_state *t = &c->state;
    uint64_t free = c->all & ~(t->used | t->leaving);
    uint64_t began = free | t->entering;
    return port == PORT_SCALAR ? free & (began & (began - 1)) : free;
}

static inline bool
collect_has_room(const struct collect *c, unsigned port)
{
    return collect_room(c, port);
}

/* Is an instruction in one? */
static inline bool
collect_is_busy(const struct collect *c)
{
    return c->state.used;
}

/* An instruction that was issued enters a collector. */
void
collect_enter(struct collect *c, struct inflight *f);

/* The first collector after the one that left last, in a circle. */
static inline unsigned
collect_first_after(uint64_t out, unsigned last)
{
    uint64_t after = out & UINT64_MAX << last << 1;
    return lowest(after ? after : out);
}

/* With two issue ports there are two ways out, too, each a round robin
 * (operandCollector.scala, DualIssueIO); with one the lowest goes first. */
static inline int
collect_choose(const struct collect *c, unsigned port)
{
    const struct collect_state *t = &c->state;
    uint64_t out = c->ports == 1         ? t->out
                   : port == PORT_SCALAR ? t->out & t->scalar
                                         : t->out & ~t->scalar;
    return !out            ? NEVER
           : c->ports == 1 ? (int)lowest(out)
                           : (int)collect_first_after(out, c->turn.last[port]);
}

/* The way out for an issue port: the one that is complete and has its turn, or
 * NULL.  With one port all leave through that.  While it waits for its unit each
 * cycle asks, hence inline. */
static inline struct inflight *
collect_front(const struct collect *c, unsigned port)
{
    debug_assert(port < c->ports);
    int i = collect_choose(c, port);
    debug_assert(i < 0 || !(c->state.reading >> i & 1));
    return i < 0 ? NULL : c->state.inflight[i];
}

/* The instruction at the front of a port leaves its collector. */
void
collect_pop(struct collect *c, unsigned port);

/* Does collect_tick come after the issue of a cycle, whose instruction is served at
 * once? */
static inline bool
collect_is_direct(const struct collect *c)
{
    return !c->late;
}

/* The banks serve requests, after instructions have left. */
void
collect_tick(struct collect *c, uint64_t now);

/* When a tick can do something; while instructions wait for their unit only,
 * never. */
static inline uint64_t
collect_next_event(const struct collect *c, uint64_t now)
{
    return c->state.reading | c->state.leaving ? now + 1 : UINT64_MAX;
}

/* Does a complete instruction wait for its unit? */
static inline bool
collect_has_complete(const struct collect *c)
{
    return c->state.out;
}
