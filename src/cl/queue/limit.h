/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cl/queue/event.h"

/*
 * The time limit of a command that moves bytes.  The key max_ms (VENTUS_TIME_LIMIT_MS)
 * bounds it as it bounds a launch:
 *
 *     struct limit limit = limit_begin(e);
 *     while (bytes are left && limit_allows(&limit))
 *         move a piece of LIMIT_PIECE_B at most
 *     CL_CHECK(limit_end(&limit, e, "a copy"));
 */
enum {
    LIMIT_PIECE_B = 16 << 20
}; /* takes some milliseconds; a multiple of every pattern */

struct limit {
    cl_ulong end_ns; /* 0: no limit */
    bool begun;      /* the first piece was allowed */
    bool over;       /* a piece was refused */
};

/* The limit of a running command. */
struct limit
limit_begin(cl_event e);

/* Whether the next piece may be moved.  The first piece always may: a single piece
 * never fails. */
bool
limit_allows(struct limit *l);

/* CL_SUCCESS, or CL_OUT_OF_RESOURCES if the command stopped early, which is reported
 * to the context and on standard error. */
cl_int
limit_end(const struct limit *l, cl_event e, const char *what);
