/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/depend.h"
#include "model/fence.h"
#include "model/shadow.h"
#include "model/warp.h"

/* Coherence by release consistency, in an SM. */
struct rcc {
    bool on; /* coherence = rcc: without it there are fences, but no values */
    /* Of what is being issued: */
    uint8_t effect; /* enum fence_effect */
    bool accesses;  /* memory */
    bool grouped;   /* LMUL is 2 */
    struct fence fence;
    struct shadow shadow; /* with coherence = rcc alone, as the next */
    struct depend depend;
};

/* Of an SM: its number, warps and lanes, and the memory that the L2 has. */
struct rcc_machine {
    unsigned sm, warps, lanes;
    struct ventus_sim *sim;
};

/* False: no host memory. */
bool
rcc_create(struct rcc *r, const struct ventus_model_config *config,
           struct ventus_model_stats *stats, const struct rcc_machine *of,
           struct dcache *dcache, const struct lsu *lsu);

void
rcc_destroy(struct rcc *r);

/* A launch begins, whose page tables are at `root`. */
void
rcc_reset(struct rcc *r, uint64_t root);

/* A warp begins in the slot. */
void
rcc_start(struct rcc *r, unsigned warp);

/* Around a step of a warp: values and ages.  step: NULL if there was a fault.  True:
 * others, or this SM, may see another value than before. */
void
rcc_before(struct rcc *r, struct sim_stepper *stepper, const struct warp *w,
           unsigned warp, const struct model_op *op);

bool
rcc_after(struct rcc *r, unsigned warp, const struct model_op *op,
          const struct ventus_sim_step *step);

/* No line of the SM's values is valid; returns the same. */
bool
rcc_invalidate(struct rcc *r);

/* What was stepped last has been issued: has it an effect that its warp waits for? */
bool
rcc_issued(struct rcc *r, unsigned warp);

/* Does a warp wait for an effect? */
static inline bool
rcc_is_pending(const struct rcc *r, unsigned warp)
{
    return fence_is_pending(&r->fence, warp);
}

/* It came to the LSU, where it begins. */
static inline void
rcc_arrived(struct rcc *r, unsigned warp)
{
    fence_arrive(&r->fence, warp);
}

/* Does the LSU take nothing, because a cache is flushed? */
static inline bool
rcc_blocks(const struct rcc *r)
{
    return fence_blocks(&r->fence);
}

/* The warp whose effect is done in this cycle; or NEVER.  bus_full: the bus has not
 * taken what left the L1D. */
static inline int
rcc_tick(struct rcc *r, uint64_t now, bool bus_full)
{
    return fence_tick(&r->fence, now, bus_full);
}

static inline uint64_t
rcc_next_event(const struct rcc *r, uint64_t now)
{
    return fence_next_event(&r->fence, now);
}
