/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/memory/fence.h"
#include "model/memory/l1d_data.h"
#include "model/memory/value_age.h"
#include "model/pipeline/warp.h"

/* Coherence by release consistency, in an SM. */
struct rcc {
    bool on; /* coherence = rcc: without it there are fences, but no values */
    /* The instruction that is being issued: */
    uint8_t effect; /* enum fence_effect */
    bool accesses;  /* memory */
    bool grouped;   /* LMUL is 2 */
    struct fence fence;
    struct l1d_data l1d_data; /* with coherence = rcc alone, as the next */
    struct value_age value_age;
};

/* The SM: its number, warps and lanes, the memory of the L2, and a listener for
 * accesses to it. */
struct rcc_machine {
    unsigned sm, warps, lanes;
    struct ventus_sim *sim;
    struct l1d_data_port port;
};

/* False: no host memory. */
bool
rcc_create(struct rcc *r, const struct ventus_model_config *config,
           struct ventus_model_stats *stats, const struct rcc_machine *of,
           struct dcache *dcache, const struct lsu *lsu);

void
rcc_destroy(struct rcc *r);

/* Begins a launch whose page tables are at `root`; the stepper does what the SM does.
 * The launch ends after rcc_invalidate and step_close.  False: no host memory. */
bool
rcc_open(struct rcc *r, uint64_t root, struct sim_stepper *stepper);

void
rcc_close(struct rcc *r);

/* Checkpoints: what persists between launches, besides the struct. */
static inline void
rcc_checkpoint(const struct rcc *r, struct set_assoc *to)
{
    if (r->on)
        l1d_data_checkpoint(&r->l1d_data, to);
}

static inline void
rcc_restore(struct rcc *r, const struct set_assoc *from)
{
    if (r->on)
        l1d_data_restore(&r->l1d_data, from);
}

/* A warp begins in the slot. */
void
rcc_start(struct rcc *r, unsigned warp);

/* Around a step of a warp: values and ages.  step: NULL if there was a fault.  True:
 * others, or this SM, may see another value than before, while livelocks are detected. */
void
rcc_before(struct rcc *r, struct sim_stepper *stepper, struct warp_place at,
           unsigned warp, const struct model_op *op);

bool
rcc_after(struct rcc *r, unsigned warp, const struct model_op *op,
          const struct ventus_sim_step *step);

/* Does the step access what the L1D has no part in, but others may see? */
static inline bool
rcc_is_outside(const struct rcc *r)
{
    return r->accesses && l1d_data_is_outside(&r->l1d_data);
}

/* From now on it is looked whether values change, or not any more. */
static inline void
rcc_compare(struct rcc *r, bool on)
{
    l1d_data_compare(&r->l1d_data, on);
}

/* No line of the SM's values is valid; returns the same. */
bool
rcc_invalidate(struct rcc *r);

/* The instruction that was stepped last has been issued: has it an effect that its
 * warp waits for? */
bool
rcc_issued(struct rcc *r, unsigned warp);

/* Does a warp wait for an effect? */
static inline bool
rcc_is_pending(const struct rcc *r, unsigned warp)
{
    return fence_is_pending(&r->fence, warp);
}

/* The instruction came to the LSU, where its effect begins. */
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

/* Has rcc_tick to know whether the register before the bus is full? */
static inline bool
rcc_asks_bus(const struct rcc *r)
{
    return fence_asks_bus(&r->fence);
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
