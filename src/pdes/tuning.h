/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* How fast the machine is on one host thread, and on all. */
struct tuning {
    bool all;     /* the cycles that come are done in parallel */
    bool tries;   /* the way that was slower is measured */
    unsigned far; /* pieces of a launch until that is measured again */
    double ns[2]; /* for a unit of work; 0: not known */
    double start;
};

/* A launch begins. */
void
tuning_begin(struct tuning *p);

/* So many cycles are to be done, on one thread or all, */
uint64_t
tuning_cycles(struct tuning *p);

/* and so many were done, with so much work: what the two ways are compared by, as a cycle
 * costs more in one part of a launch than in another. */
void
tuning_end(struct tuning *p, uint64_t cycles, uint64_t work);
