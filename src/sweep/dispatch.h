/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "sweep/store.h"

/* The digits of a key that lists show, which are enough to identify its point. */
enum { SWEEP_KEY_SHOWN = 12 };

/* A run of the points that have no result, and its outcome. */
struct sweep_run {
    unsigned jobs; /* programs at the same time; 0: one per processor */
    bool retry;    /* also runs points that failed */
    /* The key, or its prefix, of the points to run; or NULL. */
    const char *only;
    /* Called after each point with the progress; or NULL. */
    void (*progress)(const struct sweep_run *run);
    /* Outcome of the run: */
    size_t points, ran, kept, failed; /* failed: of `ran` and `kept` */
    bool interrupted;                 /* SIGINT, SIGTERM or SIGHUP arrived */
    unsigned workers;
    double seconds; /* wall clock */
    double busy;    /* time of running programs, of `workers` * `seconds` */
    double cpu_seconds, own_cpu_seconds; /* of the programs; of this process */
};

/* Runs the points that have no record.  On an interrupt the running programs end
 * without a record; all others have one.  False: a file cannot be written, which is
 * reported. */
bool
sweep_dispatch(const struct sweep_plan *plan, const struct sweep_points *points,
               struct store *store, struct sweep_run *run,
               struct diag_sink *sink);

/* Sets `points`, `kept` and `failed` from the existing records; runs nothing. */
void
sweep_count(const struct sweep_points *points, struct store *store,
            struct sweep_run *run);
