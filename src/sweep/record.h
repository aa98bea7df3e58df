/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/json.h"
#include "sweep/plan.h"

/* How the program of a point ended, and what it wrote. */
struct sweep_end {
    const char *command; /* as it was started */
    const char *out;     /* what it printed: launches, a line of JSON each */
    const char *err;     /* its messages */
    const char *json;    /* of a host program: the file with its launches */
    int exit, signal;    /* exit status, or the signal that ended it */
    bool late;           /* it was killed after the limit of time */
    int not_started;     /* an errno */
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
