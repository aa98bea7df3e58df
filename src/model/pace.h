/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* How fast the machine is on one host thread, and on all. */
struct pace {
    bool all;     /* threads do the cycles that come */
    bool tries;   /* what was the slower one the last time */
    unsigned far; /* pieces of a launch until that is tried again */
    double ns[2]; /* for a cycle; 0: not known */
    double start;
};

/* A launch begins. */
void
pace_begin(struct pace *p);

/* So many cycles are to be done, on one thread or all, */
uint64_t
pace_cycles(struct pace *p);

/* and so many were done. */
void
pace_end(struct pace *p, uint64_t cycles);
