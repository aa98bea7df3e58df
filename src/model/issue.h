/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/model.h>

struct model_op;
struct ventus_sim_step;
struct sm;
struct warp;

/* Warps when the cycle began, before what is done in it. */
struct began {
    uint64_t active, waits, branching, collecting;
};

/* What kept a warp from issuing when the cycle began. */
enum ventus_model_stall
issue_why(const struct sm *s, unsigned warp);

/* Of all warps, that of the one that is nearest to an issue; none was ready. */
enum ventus_model_stall
issue_why_none(const struct sm *s);

/* The values: does the next instruction of a warp; NULL: a fault. */
const struct ventus_sim_step *
issue_step(struct sm *s, const struct warp *w, const struct model_op *op);

void
issue_check(struct sm *s);

void
issue_cycle(struct sm *s);
