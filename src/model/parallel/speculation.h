/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>

struct ventus_model;
struct ventus_sim_launch;

/* Called after lookahead_create; without lookahead there is nothing to create. */
bool
speculation_create(struct ventus_model *m);

void
speculation_destroy(struct ventus_model *m);

/* Begins a launch: speculates if it can, and takes a checkpoint.  False: it does not. */
bool
speculation_begin(struct ventus_model *m, struct ventus_sim_launch *launch);

/* Ends it; false: it was rolled back, and is to be done again on one thread. */
bool
speculation_end(struct ventus_model *m, const struct ventus_sim_launch *launch,
                bool ok);

/* Launches that were rolled back. */
unsigned
speculation_rollbacks(const struct ventus_model *m);
