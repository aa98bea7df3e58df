/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "dbg/spots.h"

/*
 * Counts what the lanes of an executed instruction did: which lines of `line_B`
 * bytes they access, in how many passes of `banks` banks of local memory (0: it
 * has none), whether they went different ways.
 */
void
spot_count(struct spot_use *u, const struct ventus_sim_step *step,
           unsigned line_B, unsigned banks);
