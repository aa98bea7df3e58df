/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The speeds of the machine on one host thread, and on all. */
struct tuning {
    bool all;           /* the next cycles are run in parallel */
    bool tries;         /* the slower way is being measured */
    unsigned far;       /* pieces of a launch until the next measurement */
    double ns[2];       /* for a unit of work; 0: unknown */
    double cycle_ns[2]; /* for a cycle */
    bool was_late;      /* the last piece in parallel ended early */
    bool patient;       /* no piece ends early, so that a test sees all of it */
    double start;       /* of the piece, on the clock of the host in ns, */
    double late;        /* and when it has taken too long; 0: never */
};

/* Called when a launch begins. */
void
tuning_begin(struct tuning *p);

/* The number of cycles to run next, on one thread or all, */
uint64_t
tuning_cycles(struct tuning *p);

/* of which fewer are run if they take too long on all threads, */
bool
tuning_is_late(const struct tuning *p);

/* and called after them with their work, by which the two ways are compared, as a
 * cycle costs more in one part of a launch than in another. */
void
tuning_end(struct tuning *p, uint64_t cycles, uint64_t work);
