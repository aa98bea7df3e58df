/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/thread.h"
#include "pdes/tuning.h"

/*
 * Conservative parallel discrete-event simulation of a machine that consists of
 * logical processes (LPs), which exchange events with a hub and not with each other.
 * Time is counted in cycles; in one cycle LPs come in order of their number, the hub
 * behind all of them.  docs/pdes.md says why the result is that of one thread.
 */
static const uint64_t PDES_NEVER = UINT64_MAX / 4; /* no event: a clock */

/* What the next cycle of an LP is, as a sum; none: it is a cycle of its own. */
enum {
    PDES_EVENT = 1, /* it may exchange events with the hub in it, */
    PDES_ORDER = 2, /* and has to come behind that cycle of lower LPs */
    PDES_ASLEEP = 4 /* it has no event, and the hub none for it */
};

/* The machine.  Of an LP they are called by one thread at a time: the one that
 * runs it, or while it is parked the one that runs the hub. */
struct pdes_ops {
    uint64_t (*local_time)(void *ctx, unsigned lp);
    uint64_t (*next_event)(void *ctx, unsigned lp);
    unsigned (*next_kind)(void *ctx, unsigned lp); /* PDES_* */
    /* The end of its window: before it no event passes to or from the LP. */
    uint64_t (*lookahead)(void *ctx, unsigned lp);
    /* When the hub may have an event for an LP that has none of its own. */
    uint64_t (*next_input)(void *ctx, unsigned lp);
    /* A window is granted, in the cycle of the hub; it begins in cycle `clock`. */
    void (*grant)(void *ctx, unsigned lp, uint64_t clock);
    /* A thread begins and ends to run a window. */
    void (*begin_window)(void *ctx, unsigned lp, bool in_order);
    void (*end_window)(void *ctx, unsigned lp);
    /* Runs an LP by an event, or to the end of its window; its time is *now then.
     * False: what comes next is an exchange, or behind the window. */
    bool (*tick)(void *ctx, unsigned lp, uint64_t until, uint64_t *now);
    /* Runs one cycle of an LP that is an exchange. */
    void (*tick_in_order)(void *ctx, unsigned lp, uint64_t cycle);

    /* What was done since the simulation began: units of about the same cost. */
    uint64_t (*work)(void *ctx);
    uint64_t (*hub_time)(void *ctx);
    /* The hub does not go beyond this cycle, whatever the LPs do. */
    uint64_t (*hub_bound)(void *ctx);
    /* Runs the hub by an event, or up to a cycle that all LPs have reached. */
    void (*hub_tick)(void *ctx, uint64_t limit);
    /* Validates what LPs did ahead of each other; in_step: none is ahead.  True:
     * the simulation is over, or has to be rolled back. */
    bool (*commit)(void *ctx, bool in_step);

    /* Around a piece that is run in parallel; and a piece on one thread. */
    void (*begin)(void *ctx);
    void (*end)(void *ctx);
    void (*run_serial)(void *ctx, uint64_t pause);
    bool (*is_over)(void *ctx);
};

/* An LP is parked until it is granted a window; then a thread may run it. */
enum pdes_state { PDES_PARKED, PDES_GRANTED, PDES_RUNNING, PDES_STATES = 4 };

struct pdes_lp {
    /* Of the thread that runs it; while it is parked, that of the hub: */
    alignas(64) _Atomic uint64_t state; /* clock * PDES_STATES + state */
    _Atomic uint64_t until;             /* end of its window, */
    bool in_order; /* of which only the last cycle, an exchange */
    /* Of the thread that runs the hub, and of those that wait: */
    alignas(
        64) _Atomic uint64_t need; /* its window may grow when the hub and all
                                          LPs are here; * 2, + 1: and lower LPs
                                          are behind it */
    _Atomic uint64_t wanted;       /* a thread waits for its clock to be here */
};

/* ---- the worker pool: pool.c ---- */

struct pdes;

/* A thread counts its polls in which an LP of another one had the same window, and was
 * not begun. */
struct pool_late {
    uint64_t until; /* end of the window */
    unsigned polls;
};

struct pool_worker {
    struct pdes *p;
    unsigned id;
    bool started; /* it has a thread, until the pool is destroyed */
    struct thread_handle thread;
    pthread_mutex_t lock;
    pthread_cond_t wakes;
    atomic_bool sleeps, ends;
    struct pool_late *late; /* of each LP */
};

/* The first worker is the thread that calls pdes_run. */
struct pool {
    unsigned threads;
    struct pool_worker *worker;
    struct tuning tuning;
    _Atomic unsigned *owner; /* of each LP: the thread that ran it last */
    alignas(64) atomic_bool hub_taken; /* a thread runs the hub */
};

struct pdes {
    const struct pdes_ops *ops;
    void *ctx;
    unsigned lps;
    struct pdes_lp *lp;
    uint64_t pause; /* all LPs stop in this cycle */
    atomic_bool over;
    atomic_bool
        failed; /* a thread has ended by an assertion: pdes_run gave up */
    struct pool pool;
};

/* False: no memory.  threads: at least 2; no thread is made yet. */
bool
pdes_create(struct pdes *p, const struct pdes_ops *ops, void *ctx, unsigned lps,
            unsigned threads);

void
pdes_destroy(struct pdes *p);

/* Runs the machine until it is over; or not at all, if the host has no threads.  False: an
 * assertion failed on one of the threads (base/guard.h), and the machine is anyhow. */
bool
pdes_run(struct pdes *p);

/* ---- for the machine, while a piece is run in parallel ---- */

static inline bool
pdes_is_parked(const struct pdes *p, unsigned lp)
{
    return atomic_load(&p->lp[lp].state) % PDES_STATES == PDES_PARKED;
}
