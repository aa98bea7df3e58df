/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <ventus/sim.h>

#include "model/l2.h"

struct ventus_model;

/* Kernels that are remembered after a misspeculation. */
enum { SPECULATION_FAILED = 64 };

struct speculation {
    bool on;
    atomic_bool failed;            /* misspeculation, seen by any thread */
    struct ventus_sim_hooks hooks; /* of a speculative launch */
    struct ventus_sim_stats stats; /* of the launch, before it */
    /* The checkpoint: what persists between launches. */
    struct sm_kept *kept; /* of each SM */
    unsigned sms;
    struct set_assoc *itags, *dlines; /* of each SM */
    struct l2_persistent l2;
    uint64_t kernel[SPECULATION_FAILED];
    unsigned kernels;
};

bool
speculation_create(struct ventus_model *m);

void
speculation_destroy(struct ventus_model *m);

/* Begins a launch: speculates if it can, and takes a checkpoint. */
void
speculation_begin(struct ventus_model *m, struct ventus_sim_launch *launch);

/* Ends it; false: it was rolled back, and is to be done again on one thread. */
bool
speculation_end(struct ventus_model *m, const struct ventus_sim_launch *launch,
                bool ok);
