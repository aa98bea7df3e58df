/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/memory/icache.h"
#include "model/pipeline/issue.h"
#include "sim/step.h"

/*
 * Workgroups of an SM: the CTA scheduler puts them into slots, and their warps into
 * warp slots; the warps meet at barriers and end.  After the last of them the SM
 * drains.
 */
enum workgroup_phase {
    WORKGROUP_NONE,  /* the SM is empty */
    WORKGROUP_RUNS,  /* the SM has warps, */
    WORKGROUP_DRAINS /* or caches to flush after them */
};

/* A workgroup in its slot. */
struct workgroup_slot {
    bool valid;
    unsigned live, waiting; /* warps that have not ended; at a barrier */
    uint64_t number;
};

/* State of one run; bits are warps.  What each cycle looks at comes first. */
struct workgroup_state {
    enum workgroup_phase phase;
    unsigned warps;   /* warps that are there, */
    unsigned endings; /* whose end was issued */
    uint64_t resident;
    uint64_t arriving; /* at a barrier, with accesses that are not done */
    uint64_t served;   /* when the scheduler counts the warps that ended */
    uint64_t drained_at;
    struct warp_place place[MAX_WARPS];
    const struct model_op *barrier[MAX_WARPS]; /* the last one of a warp */
    struct workgroup_slot slot[MAX_WARPS];
};

/* The components that order accesses and are flushed, and the ports that lead out of
 * the SM. */
struct workgroup_ports {
    struct issue *issue;
    const struct lsu *lsu;
    struct rcc *rcc;
    struct dcache *dcache;
    struct icache *icache;
    void *ctx;
    /* The SM is changed after its part of the cycle. */
    void (*wake)(void *ctx);
    /* No value that it holds of memory is valid. */
    void (*invalidate)(void *ctx);
    /* To the host, and to the CTA scheduler: last: no warp is left, and `drained`
     * follows. */
    void (*group_ended)(void *ctx, uint64_t group);
    void (*warp_ended)(void *ctx, unsigned slot, bool last);
    void (*drained)(void *ctx);
};

/* A launch: warps of a workgroup, slots of an SM, and the stepper that executes them. */
struct workgroup_launch {
    unsigned warps, slots;
    struct sim_stepper *stepper;
};

struct workgroup {
    const struct ventus_model_config *config;
    struct workgroup_ports port;
    unsigned warps; /* slots for them */
    struct workgroup_launch launch;
    struct workgroup_state state;
};

void
workgroup_init(struct workgroup *g, const struct ventus_model_config *config,
               unsigned warps, const struct workgroup_ports *port);

void
workgroup_reset(struct workgroup *g, const struct workgroup_launch *launch);

/* From the CTA scheduler: a workgroup comes into a slot. */
void
workgroup_start(struct workgroup *g, unsigned slot, uint64_t number);

/* Then a warp of it, which takes the lowest warp slot that is free: that.  NEVER: the
 * workgroup has no such warp. */
int
workgroup_start_warp(struct workgroup *g, unsigned slot, unsigned id);

/* A warp's end was issued, */
static inline void
workgroup_ending(struct workgroup *g)
{
    g->state.endings++;
}

/* and comes to the warp scheduler.  This and the next two are false if the warps
 * that are left wait for ever. */
bool
workgroup_warp_ended(struct workgroup *g, unsigned warp, uint64_t now);

/* A warp comes to a barrier; */
bool
workgroup_barrier(struct workgroup *g, unsigned warp,
                  const struct model_op *op);

/* those that came before arrive when their accesses are done.  The LSU and fences
 * say when: no cycle is for this alone. */
static inline bool
workgroup_has_arriving(const struct workgroup *g)
{
    return g->state.arriving;
}

bool
workgroup_tick(struct workgroup *g);

/* The end of the last workgroup: caches are flushed, then the CTA scheduler receives
 * it.  In the part of a cycle in which SMs ask the uncore. */
void
workgroup_drain(struct workgroup *g, uint64_t now);

/* When it has something to do. */
uint64_t
workgroup_next_drain(const struct workgroup *g);

/* Nothing is left to be flushed: the SM is empty. */
static inline void
workgroup_leave(struct workgroup *g)
{
    debug_assert(g->state.phase == WORKGROUP_DRAINS);
    g->state.phase = WORKGROUP_NONE;
}

static inline bool
workgroup_is_none(const struct workgroup *g)
{
    return g->state.phase == WORKGROUP_NONE;
}

static inline bool
workgroup_runs(const struct workgroup *g)
{
    return g->state.phase == WORKGROUP_RUNS;
}

static inline bool
workgroup_drains(const struct workgroup *g)
{
    return g->state.phase == WORKGROUP_DRAINS;
}

/* Warps that are there. */
static inline unsigned
workgroup_warps(const struct workgroup *g)
{
    return g->state.warps;
}

static inline bool
workgroup_has_warp(const struct workgroup *g, unsigned warp)
{
    return g->state.resident >> warp & 1;
}

/* Where a warp is that is there. */
static inline struct warp_place
workgroup_place(const struct workgroup *g, unsigned warp)
{
    debug_assert(warp < MAX_WARPS && workgroup_has_warp(g, warp));
    return g->state.place[warp];
}

/* Has a slot a workgroup?  And its number. */
static inline bool
workgroup_is_live(const struct workgroup *g, unsigned slot)
{
    return g->state.slot[slot].valid && g->state.slot[slot].live;
}

static inline uint64_t
workgroup_number(const struct workgroup *g, unsigned slot)
{
    return g->state.slot[slot].number;
}

/* Is the end of warps whose ends were issued visible outside: a workgroup that is
 * done, room for one, or a scheduler that counts each? */
bool
workgroup_has_visible_end(const struct workgroup *g);
