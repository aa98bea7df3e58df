/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/model.h>

struct sm;

/* Warps when the cycle began, before what is done in it. */
struct began {
    uint64_t active, waits, branching, collecting;
};

/* What kept a warp from issuing when the cycle began. */
enum model_stall
issue_why(const struct sm *s, unsigned warp);

/* Of all warps, that of the one that is nearest to an issue; none was ready. */
enum model_stall
issue_why_none(const struct sm *s);

void
issue_check(struct sm *s);

void
issue_cycle(struct sm *s);
