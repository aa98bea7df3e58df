/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/json.h"
#include "sweep/plan.h"

/* The end of a point's program, and its output. */
struct sweep_end {
    const char *command; /* the command line that was run */
    const char *out;     /* standard output: launches, a line of JSON each */
    const char *err;     /* its messages */
    const char *json;    /* file with the launches of a host program */
    int exit, signal;    /* exit status, or the signal that ended it */
    bool late;           /* killed after the time limit */
    int not_started;     /* an errno, or 0 */
    double seconds, cpu_seconds;
    int64_t began; /* in seconds since 1970 */
};

/*
 * Writes the record of a point, one line of JSON:
 *
 *     key, status (ok or failed), error, exit, program, preset, settings,
 *     command, version, commit, tools, host, began, seconds, cpu_seconds,
 *     launches: as `ventus exec --json` or `ventus run --json` wrote them
 *
 * False: the record says "failed".
 */
bool
record_write(struct json *j, const struct sweep_plan *plan,
             const struct sweep_point *point, const struct sweep_end *end);
