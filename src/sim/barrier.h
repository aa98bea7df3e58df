/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "sim/state.h"

/*
 * When a barrier is over (manual 4.2.4, USE_CNT).  A warp asks for a number of
 * threads, or for all.  Its own are its active lanes.
 *
 *   1. Warps that ask for the same number meet each other: when as many of
 *      their threads wait, they continue, and the count begins anew.
 *   2. When all warps wait that have not ended, all threads have arrived: all
 *      continue but those that ask for more threads than that.
 *   3. If those are all, the barrier can never be over: a deadlock.
 *
 * So teams of different sizes may meet as often as they like while others wait
 * for all.
 */
/* A warp has come to the barrier: rule 1. */
void
barrier_arrive(struct sim_group *g, struct sim_warp *w);

/* All warps that have not ended wait: rule 2.  False: rule 3, a fault. */
bool
barrier_release(struct sim_worker *k, struct sim_group *g);

/* Why a warp waits for ever though so many threads are there. */
enum { BARRIER_TEXT = 96 };

void
barrier_tell(char text[BARRIER_TEXT], const struct barrier_wait *w,
             uint32_t threads);
