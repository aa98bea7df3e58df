/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/thread.h"
#include "pdes/tuning.h"

/* Conservative parallel discrete-event simulation of a machine that consists of
 * logical processes (LPs), which exchange events with a hub and not with each other.
 * Time is counted in cycles; within a cycle the LPs are ordered by their number, and
 * the hub follows all of them.  docs/pdes.md says why the result is that of one
 * thread. */
static const uint64_t PDES_NEVER = UINT64_MAX / 4; /* no event: a clock */

/* Properties of the next cycle of an LP, or-ed; 0: the cycle is its own. */
enum {
    PDES_EVENT = 1, /* the LP may exchange events with the hub in it, */
    PDES_ORDER = 2, /* and it must follow that cycle of lower LPs */
    PDES_ASLEEP = 4 /* the LP has no event, nor has the hub one for it */
};

/* The machine.  Functions for an LP are called by one thread at a time: the one that
 * runs it, or while it is parked the one that runs the hub. */
struct pdes_ops {
    uint64_t (*local_time)(void *ctx, unsigned lp);
    uint64_t (*next_event)(void *ctx, unsigned lp);
    unsigned (*next_kind)(void *ctx, unsigned lp); /* PDES_* */
    /* The end of the LP's window: before it no event passes to or from the LP. */
    uint64_t (*lookahead)(void *ctx, unsigned lp);
    /* The first cycle in which the hub may have an event for an LP that has none of
     * its own. */
    uint64_t (*next_input)(void *ctx, unsigned lp);
    /* Called when a window is granted, in the cycle of the hub; it begins in cycle
     * `clock`. */
    void (*grant)(void *ctx, unsigned lp, uint64_t clock);
    /* Called when a thread begins and ends to run a window. */
    void (*begin_window)(void *ctx, unsigned lp, bool in_order);
    void (*end_window)(void *ctx, unsigned lp);
    /* Runs an LP by an event, or to the end of its window; *now is its time then.
     * False: the next event is an exchange, or after the window. */
    bool (*tick)(void *ctx, unsigned lp, uint64_t until, uint64_t *now);
    /* Runs one cycle of an LP that is an exchange. */
    void (*tick_in_order)(void *ctx, unsigned lp, uint64_t cycle);

    /* Units of work since the simulation began, of about the same cost. */
    uint64_t (*work)(void *ctx);
    uint64_t (*hub_time)(void *ctx);
    /* A cycle that the hub does not pass, whatever the LPs do. */
    uint64_t (*hub_bound)(void *ctx);
    /* Runs the hub by an event, or up to a cycle that all LPs have reached. */
    void (*hub_tick)(void *ctx, uint64_t limit);
    /* Validates what LPs did ahead of each other; in_step: none is ahead.  True: the
     * simulation is over, or has to be rolled back. */
    bool (*commit)(void *ctx, bool in_step);

    /* Called around a piece that is run in parallel; and a piece on one thread. */
    void (*begin)(void *ctx);
    void (*end)(void *ctx);
    void (*run_serial)(void *ctx, uint64_t pause);
    bool (*is_over)(void *ctx);
};

/* An LP is parked until it is granted a window; then a thread may run it. */
enum pdes_state { PDES_PARKED, PDES_GRANTED, PDES_RUNNING, PDES_STATES = 4 };

struct pdes_lp {
    /* Written by the thread that runs the LP; while it is parked, by that of the hub: */
    alignas(64) _Atomic uint64_t state; /* clock * PDES_STATES + state */
    _Atomic uint64_t until;             /* end of its window, */
    bool in_order; /* the window is only its last cycle, an exchange */
    /* Written by the thread that runs the hub, and by threads that wait: */
    /* The window may grow when the hub and all LPs have reached this clock; * 2, + 1:
     * and lower LPs have passed it. */
    alignas(64) _Atomic uint64_t need;
    _Atomic uint64_t wanted; /* clock that a thread waits for */
};

/* ---- the worker pool: pool.c ---- */

struct pdes;

/* Polls of a thread in which an LP of another thread had the same window, not yet
 * begun. */
struct pool_late {
    uint64_t until; /* end of the window */
    unsigned polls;
};

struct pool_worker {
    struct pdes *p;
    unsigned id;
    bool started; /* the thread runs, until the pool is destroyed */
    struct thread_handle thread;
    pthread_mutex_t lock;
    pthread_cond_t wakes;
    atomic_bool sleeps, ends;
    struct pool_late *late; /* by LP */
};

/* The pool of workers; the first is the thread that calls pdes_run. */
struct pool {
    unsigned threads;
    struct pool_worker *worker;
    struct tuning tuning;
    _Atomic unsigned *owner;           /* by LP: the thread that ran it last */
    alignas(64) atomic_bool hub_taken; /* a thread runs the hub */
};

struct pdes {
    const struct pdes_ops *ops;
    void *ctx;
    unsigned lps;
    struct pdes_lp *lp;
    uint64_t pause; /* cycle in which all LPs stop */
    atomic_bool over;
    atomic_bool late; /* it takes too long: the first thread ends it alone */
    /* An assertion failed on a thread, which ended: pdes_run fails. */
    atomic_bool failed;
    struct pool pool;
};

/* Creates a simulation.  False: no memory.  threads: at least 2; no thread is made
 * yet. */
bool
pdes_create(struct pdes *p, const struct pdes_ops *ops, void *ctx, unsigned lps,
            unsigned threads);

void
pdes_destroy(struct pdes *p);

/* Runs the machine until it is over; or not at all, if the host has no threads.
 * False: an assertion failed on a thread (base/guard.h), and the state of the machine
 * is undefined. */
bool
pdes_run(struct pdes *p);

/* ---- for the machine, while a piece is run in parallel ---- */

static inline bool
pdes_is_parked(const struct pdes *p, unsigned lp)
{
    return atomic_load(&p->lp[lp].state) % PDES_STATES == PDES_PARKED;
}
