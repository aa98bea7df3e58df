/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/model.h>

#include "base/debug_assert.h"
#include "model/bits.h"

/* Issue ports; with one, everything goes through the first. */
enum { PORT_ANY, PORT_VECTOR = 0, PORT_SCALAR = 1, PORTS = 2 };

/* Persists between launches: whose turn it is. */
struct scheduler_turn {
    unsigned next[PORTS];
};

/* State of one run. */
struct scheduler_state {
    unsigned last[PORTS]; /* warp that issued last, */
    uint64_t at[PORTS];   /* and when */
    unsigned outer_next;
    uint64_t inner; /* warps of the inner set, which is that of all ports */
    uint64_t started, age[MAX_WARPS]; /* order in which warps came */
};

/* The warp scheduler of an SM. */
struct scheduler {
    const struct ventus_model_config *config;
    unsigned sm, warps;
    struct scheduler_turn turn;
    struct scheduler_state state;
};

/* Sets of warps: those that may issue, of all, and of these those that wait for
 * memory or at a barrier. */
struct scheduler_warps {
    uint64_t ready, active, waiting;
};

void
scheduler_init(struct scheduler *d, const struct ventus_model_config *config,
               unsigned sm, unsigned warps);

void
scheduler_reset(struct scheduler *d);

/* A warp begins in a slot: it is the youngest. */
void
scheduler_start(struct scheduler *d, unsigned warp);

/* The first of some warps from one on, around the end. */
static inline unsigned
scheduler_first_from(uint64_t warps, unsigned from)
{
    debug_assert(warps && from < MAX_WARPS);
    uint64_t later = warps & ~(bit_of(from) - 1);
    return lowest(later ? later : warps);
}

/* With another policy than rr. */
int
scheduler_choose_other(struct scheduler *d, unsigned port, uint64_t now,
                       struct scheduler_warps w);

/* A ready warp for a port, or NEVER; and that it issued.  With rr, as the hardware
 * has it, inline. */
static inline int
scheduler_choose(struct scheduler *d, unsigned port, uint64_t now,
                 struct scheduler_warps w)
{
    debug_assert(w.ready && port < PORTS);
    return d->config->scheduler == VENTUS_MODEL_RR
               ? (int)scheduler_first_from(w.ready, d->turn.next[port])
               : scheduler_choose_other(d, port, now, w);
}

/* Warps to which a port is open while some are ready: with rr, those up to the one
 * that has its turn. */
uint64_t
scheduler_open(const struct scheduler *d, unsigned port, uint64_t ready);

void
scheduler_issued(struct scheduler *d, unsigned port, uint64_t now,
                 unsigned warp);

/* Has a port issued in this cycle? */
static inline bool
scheduler_has_issued(const struct scheduler *d, unsigned port, uint64_t now)
{
    return d->state.at[port] == now;
}
