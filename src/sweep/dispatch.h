/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "sweep/store.h"

/* Digits of a key that lists show, and that are enough to name its point. */
enum { SWEEP_KEY_SHOWN = 12 };

/* How the points that have no result are run. */
struct sweep_run {
    unsigned jobs;    /* at the same time; 0: one for each processor */
    bool retry;       /* those that failed, too */
    const char *only; /* the key, or its beginning, of what is run; or NULL */
    /* How far it is, after each point; or NULL. */
    void (*progress)(const struct sweep_run *run);
    /* What came out: */
    size_t points, ran, kept, failed; /* failed: of `ran` and `kept` */
    bool interrupted;                 /* SIGINT, SIGTERM or SIGHUP came */
    unsigned workers;
    double seconds; /* by the clock */
    double busy;    /* of `workers` * `seconds`: a program was running */
    double cpu_seconds, own_cpu_seconds; /* of the programs, of this process */
};

/*
 * Runs what has no record yet.  On an interrupt the programs end and leave no
 * record; all others have one.  False: something cannot be written, and that is
 * reported.
 */
bool
sweep_dispatch(const struct sweep_plan *plan, const struct sweep_points *points,
               struct store *store, struct sweep_run *run,
               struct diag_sink *sink);

/* Runs nothing: sets `points`, `kept` and `failed` from the records that there are. */
void
sweep_count(const struct sweep_points *points, struct store *store,
            struct sweep_run *run);
