/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <ventus/sim.h>

struct model;

/* Kernels whose bet was lost. */
enum { BET_LOST = 64 };

struct bet {
    bool on;
    atomic_bool lost;       /* by any thread */
    struct sim_hooks hooks; /* during it */
    struct sim_stats stats; /* of the launch, before it */
    /* What lies between launches, before it: */
    struct sm *sm;
    unsigned sms;
    struct set_assoc *itags, *dlines; /* of each SM */
    unsigned l2_last;
    uint64_t kernel[BET_LOST];
    unsigned kernels;
};

bool
bet_create(struct model *m);

void
bet_destroy(struct model *m);

/* Is there anything to win?  Keeps the state between launches. */
void
bet_begin(struct model *m, struct sim_launch *launch);

/* After it; false: it was lost and undone, the launch is to be done again. */
bool
bet_end(struct model *m, const struct sim_launch *launch, bool ok);
