/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/depend.h"
#include "model/fence.h"
#include "model/shadow.h"

struct sm;
struct ventus_sim_hooks;
struct ventus_sim_step;

/* Coherence by release consistency, in an SM. */
struct rcc {
    /* Of what is being issued: */
    uint8_t effect; /* enum fence_effect */
    bool accesses;  /* memory */
    bool grouped;   /* LMUL is 2 */
    struct fence fence;
    struct shadow shadow; /* with coherence = rcc alone, as the next */
    struct depend depend;
};

bool
rcc_create(struct sm *s);

void
rcc_destroy(struct sm *s);

/* A launch begins, of which m->launch is known. */
void
rcc_reset(struct sm *s);

/* What is printed is read by the host: the caches are emptied before. */
void
rcc_wrap(struct ventus_model *m, struct ventus_sim_launch *launch,
         struct ventus_sim_hooks *hooks);

/* The host sees what all SMs wrote. */
void
rcc_end(struct ventus_model *m);

/* A warp begins in the slot. */
void
depend_start(struct sm *s, unsigned warp);

/* Around a step of a warp: values and ages.  step: NULL if there was a fault. */
void
rcc_before(struct sm *s, unsigned warp, const struct model_op *op);

void
rcc_after(struct sm *s, unsigned warp, const struct model_op *op,
          const struct ventus_sim_step *step);

/* No line of the SM's values is valid. */
void
rcc_invalidate(struct sm *s);

/* What was stepped last has been issued, and has an effect: its warp waits for it. */
void
rcc_issued(struct sm *s, unsigned warp);

/* Does a warp wait for an effect? */
static inline bool
rcc_is_pending(const struct rcc *r, unsigned warp)
{
    return fence_is_pending(&r->fence, warp);
}

/* It came to the LSU, where it begins. */
void
rcc_arrived(struct sm *s, unsigned warp);

void
rcc_cycle(struct sm *s);
