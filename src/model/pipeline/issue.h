/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/memory/rcc.h"
#include "model/pipeline/collect.h"
#include "model/pipeline/ibuffer.h"
#include "model/pipeline/lsu.h"
#include "model/pipeline/schedule.h"
#include "model/pipeline/scoreboard.h"

/* Warps when the cycle began, before what is done in it. */
struct issue_began {
    uint64_t active, waits, branching, collecting;
};

/* State of one run; bits are warps.  What each cycle looks at comes first. */
struct issue_state {
    uint64_t active, starting;
    uint64_t waits;        /* at a barrier */
    uint64_t changed;      /* whose next instruction is to be checked again */
    uint64_t empty;        /* warps whose register was empty then */
    uint64_t scalar_heads; /* whose next one is for the scalar port */
    uint64_t shared_heads; /* whose next one others may see */
    /* When the cycle began: */
    struct issue_began began;
    uint64_t candidates, refills;
    uint64_t last, issues; /* cycle of the last issue; how many */
    unsigned together;     /* warps that issued in that cycle */
    uint64_t start_at[MAX_WARPS];
};

/* The components that the issue stage reads, those that it issues to, and the one that
 * computes values: false if there was a fault.  f has its instruction, its warp and
 * its number. */
struct issue_ports {
    struct ibuffer *ibuffer;
    struct scoreboard *scoreboard;
    struct scheduler *scheduler;
    struct collect *collect;
    struct inflight_pool *pool;
    const struct lsu *lsu;
    const struct rcc *rcc;
    void *ctx;
    bool (*execute)(void *ctx, unsigned port, struct inflight *f);
};

/* The issue stage of an SM. */
struct issue {
    const struct ventus_model_config *config;
    struct issue_ports port;
    struct issue_state state;
};

void
issue_init(struct issue *q, const struct ventus_model_config *config,
           const struct issue_ports *port);

void
issue_reset(struct issue *q);

/* A warp begins in a cycle; it has ended. */
void
issue_start(struct issue *q, unsigned warp, uint64_t at);

void
issue_stop(struct issue *q, unsigned warp);

/* A warp waits at a barrier, and continues. */
void
issue_hold(struct issue *q, unsigned warp);

void
issue_release(struct issue *q, unsigned warp);

/* A cycle begins: which warps are ready, as all registers are. */
void
issue_begin(struct issue *q, uint64_t now);

/* Issues, after the units' part of the cycle, an instruction of a warp, or with two
 * ports of two.  False: there was a fault. */
bool
issue_tick(struct issue *q, uint64_t now);

/* The next cycle after `now` in which a warp can issue or has to be checked, or its
 * issue register takes a pair, if nothing else changes before; UINT64_MAX: never. */
uint64_t
issue_next_event(const struct issue *q, uint64_t now);

/* The reason why a warp did not issue, as of the begin of the cycle. */
enum ventus_model_stall
issue_why(const struct issue *q, unsigned warp);

/* The reason of the warp that is nearest to an issue, if none was ready. */
static inline enum ventus_model_stall
issue_why_none(const struct issue *q)
{
    const struct issue_began *b = &q->state.began;
    uint64_t runs = b->active & ~b->waits, branches = runs & b->branching;
    uint64_t free = runs & ~b->branching & ~b->collecting;
    uint64_t load = scoreboard_needs_load(q->port.scoreboard);
    uint64_t result = scoreboard_needs_result(q->port.scoreboard);
    return runs & ~b->branching & b->collecting ? VENTUS_MODEL_COLLECT
           : free & result                      ? VENTUS_MODEL_DEPEND
           : free & load                        ? VENTUS_MODEL_DEPEND_LSU
           : branches                           ? VENTUS_MODEL_BRANCH
           : q->state.refills                   ? VENTUS_MODEL_FETCH
           : b->active & b->waits               ? VENTUS_MODEL_BARRIER
           : b->active                          ? VENTUS_MODEL_FETCH
                                                : VENTUS_MODEL_NO_WARP;
}

/* Warps that run; that wait at a barrier. */
static inline uint64_t
issue_active(const struct issue *q)
{
    return q->state.active;
}

static inline uint64_t
issue_waits(const struct issue *q)
{
    return q->state.waits;
}

/* Warps that are ready and have not issued; whose buffer's register takes a pair. */
static inline uint64_t
issue_candidates(const struct issue *q)
{
    return q->state.candidates;
}

static inline uint64_t
issue_refills(const struct issue *q)
{
    return q->state.refills;
}

/* Ready warps whose port issued nothing although no arbiter kept it from that: no
 * operand collector takes an instruction of the port. */
static inline uint64_t
issue_blocked(const struct issue *q, uint64_t now)
{
    const struct issue_state *t = &q->state;
    uint64_t scalar = q->config->issue_width == PORTS ? t->scalar_heads : 0;
    uint64_t heads[PORTS] = { ~scalar, scalar }, blocked = 0;
    for (unsigned port = 0; port < q->config->issue_width; port++)
        if (!scheduler_has_issued(q->port.scheduler, port, now) &&
            !collect_has_room(q->port.collect, port))
            blocked |= t->candidates & heads[port];
    return blocked;
}

/* Is one of them ready with an instruction that others may see? */
static inline bool
issue_has_shared(const struct issue *q)
{
    return q->state.candidates & q->state.shared_heads;
}

/* Is a warp held by something else than when the cycle began? */
static inline bool
issue_has_moved(const struct issue *q)
{
    const struct issue_state *t = &q->state;
    const struct issue_began *b = &t->began;
    const struct scoreboard *board = q->port.scoreboard;
    return (b->active ^ t->active) | (b->waits ^ t->waits) |
           (b->branching ^ scoreboard_branching(board)) |
           (b->collecting ^ scoreboard_collecting(board));
}

/* Cycle of the last issue. */
static inline uint64_t
issue_last(const struct issue *q)
{
    return q->state.last;
}

/* How many were issued in a cycle: the last in which it ticked, or a later one. */
static inline unsigned
issue_count(const struct issue *q, uint64_t now)
{
    return q->state.last == now ? q->state.together : 0;
}

/* The cycle in which a warp began, or will. */
static inline uint64_t
issue_start_of(const struct issue *q, unsigned warp)
{
    debug_assert(warp < MAX_WARPS);
    return q->state.start_at[warp];
}

/* A warp's next instruction, or what that needs, may be another. */
static inline void
issue_changed(struct issue *q, unsigned warp)
{
    q->state.changed |= bit_of(warp);
}
