/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct ventus_model;
struct model_op;
struct sm;

/* From the CTA scheduler: a workgroup comes into a slot, then its warps, which are
 * fetched from a cycle on.  False: it has no such warp. */
void
workgroup_start(struct sm *s, unsigned slot, uint64_t number);

bool
workgroup_start_warp(struct sm *s, unsigned slot, unsigned id, uint64_t at);

/* A warp has ended. */
void
workgroup_warp_ended(struct sm *s, unsigned warp);

/* A warp comes to a barrier; those arrive whose accesses are done. */
void
workgroup_barrier(struct sm *s, unsigned warp, const struct model_op *op);

void
workgroup_arrivals(struct sm *s);

/* The end of the last workgroup of an SM, which the CTA scheduler waits for: flushes.
 * And when there is something to do for it. */
void
workgroup_drain(struct sm *s);

uint64_t
workgroup_next_drain(const struct sm *s);
