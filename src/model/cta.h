/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct ventus_model;
struct model_op;
struct sm;

/* A workgroup that an SM holds. */
struct group {
    bool valid;
    unsigned warps, live, waiting;
    uint64_t number;
    uint64_t done_at; /* flush_behind: the host hears of its end */
};

/* Before the first cycle of a launch. */
void
cta_begin(struct ventus_model *m);

void
cta_cycle(struct ventus_model *m);

/* When it can do something again. */
uint64_t
cta_next(const struct ventus_model *m);

/* Does an SM get a workgroup as soon as it can? */
bool
cta_wants(const struct sm *s);

void
cta_warp_ended(struct sm *s, unsigned warp);

void
cta_barrier(struct sm *s, unsigned warp, const struct model_op *op);

/* Of the warps that came to a barrier those arrive whose accesses are done. */
void
cta_arrivals(struct sm *s);
