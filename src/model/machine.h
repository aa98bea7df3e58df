/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdalign.h>

#include <ventus/model.h>

#include "model/advance.h"
#include "model/bits.h"
#include "model/bus.h"
#include "model/check.h"
#include "model/collect.h"
#include "model/cta.h"
#include "model/dram.h"
#include "model/events.h"
#include "model/fetch.h"
#include "model/ibuffer.h"
#include "model/icache.h"
#include "model/issue.h"
#include "model/l1d.h"
#include "model/l2.h"
#include "model/livelock.h"
#include "model/local.h"
#include "model/lookahead.h"
#include "model/lsu.h"
#include "model/memory.h"
#include "model/rcc.h"
#include "model/schedule.h"
#include "model/scoreboard.h"
#include "model/sfu.h"
#include "model/speculation.h"
#include "model/stats.h"
#include "model/tlb.h"
#include "model/units.h"
#include "model/warp.h"
#include "sim/step.h"

/*
 * The parts of the machine, in the order in which an instruction meets them.
 * Every part has a file; a cycle runs them from the end of the pipeline to its
 * start, so that each sees what the registers before it held when the cycle
 * began.  Times that a part writes down are cycles in which others may see it.
 */
struct sm {
    /* What each cycle needs comes first: it is on few lines of the host's. */
    alignas(64) struct ventus_model *m;
    uint64_t now;    /* its cycle: the machine's, or a later one: advance.c */
    uint64_t wake;   /* nothing changes before */
    uint64_t age0;   /* cycles of all launches before */
    bool is_active;  /* its state changed in this cycle */
    bool is_pending; /* something may be under way behind the pipeline */
    bool calls;      /* it may have something for the uncore */
    bool checked;    /* its readiness was found already */
    bool failed;     /* a fault ends the launch */
    bool detects_livelock; /* repetitions of warps are looked for: livelock.c */
    bool branched;         /* a branch took the warp scheduler this cycle */
    bool freed;            /* a warp ended in this cycle, */
    uint8_t ended;         /* and so many workgroups */
    uint8_t ports;         /* of issue */
    uint8_t line_shift;
    enum { SM_EMPTY, SM_RUNS, SM_DRAINS } state;
    unsigned resident;
    struct warp *warp;
    /* Bits are warps. */
    uint64_t active, starting;
    uint64_t waits;        /* at a barrier */
    uint64_t arriving;     /* of those: their accesses are not done */
    uint64_t changed;      /* whose next instruction is to be looked at again */
    uint64_t empty;        /* what was found then */
    uint64_t scalar_heads; /* whose next one is for the scalar port */
    uint64_t shared_heads; /* whose next one others may see */
    /* When the cycle began: */
    struct began began;
    uint64_t candidates, refills;
    uint64_t last_issue, issues, all_lanes;
    struct events events;
    struct ventus_model_stats stats;
    unsigned id;
    unsigned endings;    /* of warps, issued */
    uint64_t visible_at; /* its first cycle that is an event: lookahead.c */
    uint64_t changed_at; /* it changed what others may see, while it spins */
    bool takes;          /* it has room for another workgroup */
    bool ordered;        /* its next cycle is behind those of lower SMs */
    bool awaits;         /* an answer of the L2 */
    bool bus_open;       /* in this cycle, on several threads */
    bool log_full;       /* its window ends, so that logs are compared */
    enum access_mode access_mode;
    uint64_t granted_at;
    unsigned warps;
    uint64_t served; /* when the scheduler counts the warps that ended */
    uint64_t drained_at, idle_at;
    struct ibuffer ibuffer;
    struct scoreboard scoreboard;
    struct scheduler scheduler;
    struct collect collect;
    struct icache icache;
    struct fetch fetch;
    struct decoder decoder;
    struct units units;
    struct lsu lsu;
    struct dcache dcache;
    struct local local;
    struct tlb tlb[TLBS];
    struct rcc rcc;
    struct group *group;
    struct sim_stepper *stepper;
    struct inflight_pool inflight;
};

struct ventus_model {
    struct ventus_sim *sim;
    struct ventus_model_config config;
    struct ventus_sim_config machine;
    unsigned line_shift;
    struct sm *sm;
    unsigned sms;
    struct code_store code;
    unsigned slots;
    uint64_t age; /* cycles of all launches before */
    const struct ventus_sim_launch *launch;
    const struct ventus_sim_hooks *host; /* as the caller gave them */
    const struct ventus_model_hooks *hooks;
    struct ventus_sim_fault *fault;
    _Atomic uint64_t ended; /* workgroups of this run, */
    uint64_t reported;      /* and those that were reported before a rollback */
    struct lookahead lookahead;
    struct speculation speculation;
    /* What changes in each cycle is on other lines than what others read. */
    alignas(64) uint64_t now;
    uint64_t rests_until; /* the uncore, unless it is called */
    bool runs;            /* an SM did something in the last cycle */
    bool failed;
    bool detects_livelock; /* SMs do */
    uint64_t last_issue;
    uint64_t started_at, started; /* workgroups, since it spins; how many */
    uint64_t next_group, end_group, done_groups;
    uint64_t launch_at; /* when the host may ask for the next workgroup */
    unsigned preferred; /* SM that is asked first */
    unsigned walks;     /* under way */
    struct l2 l2;
    struct bus bus;
    struct l2_tlb l2_tlb;
    struct ventus_model_stats *l2_stats; /* what it counts of each SM */
    struct memory memory;
    struct ventus_model_stats stats;
};

/* The cycle since the model was made. */
static inline uint64_t
age_of(const struct ventus_model *m)
{
    return m->age + m->now;
}

static inline uint64_t
sm_age(const struct sm *s)
{
    return s->age0 + s->now;
}

/* Has the SM nothing for the others, because it is ahead of them? */
static inline bool
is_away(const struct ventus_model *m, unsigned sm)
{
    return m->lookahead.on && lookahead_is_away(m, sm);
}

/* A warp's next instruction, or what that needs, may be another. */
static inline void
warp_changed(struct sm *s, unsigned warp)
{
    s->changed |= bit_of(warp);
}

/* Is a miss of a TLB under way? */
static inline bool
sm_translates(const struct sm *s)
{
    return tlb_is_busy(&s->tlb[TLB_DATA]) || tlb_is_busy(&s->tlb[TLB_FETCH]);
}

/* Does the LSU take nothing, because a cache is flushed? */
static inline bool
rcc_blocks(const struct sm *s)
{
    return fence_blocks(&s->rcc.fence);
}
