/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "dbg/spots.h"

/*
 * Statistics of the lanes of an executed instruction: the lines of `line_B` bytes
 * that they access, the passes of local memory, which serves line by line, over
 * `banks` banks (0: no local memory), and whether the instruction was a divergent branch.
 */
void
spot_count(struct spot_use *u, const struct ventus_sim_step *step,
           unsigned line_B, unsigned banks);
