/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cl/event.h"

/*
 * The time of a command that moves bytes.  The key max_ms (VENTUS_TIME_LIMIT_MS) bounds it as
 * it bounds a launch:
 *
 *     struct limit limit = limit_begin(e);
 *     while (what is left && limit_allows(&limit))
 *         move a piece of LIMIT_PIECE_B at most
 *     CL_CHECK(limit_end(&limit, e, "a copy"));
 */
enum {
    LIMIT_PIECE_B = 16 << 20
}; /* some milliseconds; a multiple of every pattern */

struct limit {
    cl_ulong end_ns; /* 0: there is none */
    bool begun;      /* a piece was allowed */
    bool over;       /* one was not */
};

/* Of a command that runs. */
struct limit
limit_begin(cl_event e);

/* Looks at the clock, but before the first piece: what is moved at once never fails. */
bool
limit_allows(struct limit *l);

/* CL_SUCCESS, or CL_OUT_OF_RESOURCES if the command stopped before its end: then the
 * context is told, and standard error. */
cl_int
limit_end(const struct limit *l, cl_event e, const char *what);
