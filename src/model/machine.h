/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdalign.h>
#include <stdatomic.h>

#include <ventus/model.h>

#include "model/bits.h"
#include "model/events.h"
#include "model/memory/bus.h"
#include "model/memory/dram.h"
#include "model/memory/icache.h"
#include "model/memory/l1d.h"
#include "model/memory/l2.h"
#include "model/memory/local.h"
#include "model/memory/memory.h"
#include "model/memory/rcc.h"
#include "model/memory/tlb.h"
#include "model/pipeline/collect.h"
#include "model/pipeline/cta.h"
#include "model/pipeline/fetch.h"
#include "model/pipeline/ibuffer.h"
#include "model/pipeline/issue.h"
#include "model/pipeline/lsu.h"
#include "model/pipeline/schedule.h"
#include "model/pipeline/scoreboard.h"
#include "model/pipeline/sfu.h"
#include "model/pipeline/units.h"
#include "model/pipeline/warp.h"
#include "model/pipeline/workgroup.h"
#include "pdes/pdes.h"
#include "sim/step.h"

struct model_variant;

/*
 * The parts of the machine, in the order in which an instruction meets them.
 * Every part has a file; a cycle runs them from the end of the pipeline to its
 * start, so that each sees what the registers before it held when the cycle
 * began.  Times that a part writes down are cycles in which others may see it.
 */
/* Members that are assigned together: s->run.now is s->now. */
#define GROUP(tag, name, ...) \
    union {                   \
        struct {              \
            __VA_ARGS__       \
        };                    \
        struct tag {          \
            __VA_ARGS__       \
        } name;               \
    }

/* clang-format off */
struct sm {
    /* State of one run: a launch begins with one assignment of it.  What each cycle
     * needs comes first: it is on few lines of the host's. */
    alignas(64) GROUP(sm_run, run,
        uint64_t now;    /* the SM's cycle: the machine's, or a later one */
        uint64_t wake;   /* nothing changes before, */
        uint64_t pipeline_wake; /* or nothing but memory */
        uint64_t age0;   /* cycles of all launches before */
        bool is_pending; /* something may be under way outside of the pipeline */
        bool calls;      /* the SM may have something for the uncore */
        bool checked;    /* readiness of warps was found already */
        bool failed;     /* a fault ends the launch */
        bool detects_livelock; /* repetitions of warps are detected: livelock.c */
        bool branched;   /* a branch took the warp scheduler this cycle */
        struct events events;
        struct ventus_model_stats stats;
        uint64_t visible_at; /* first cycle that is an event: visible.c */
        uint64_t changed_at; /* last change of what others may see, in a livelock */
        bool ordered;        /* the next cycle comes after those of lower SMs */
        bool awaits;         /* an answer of the L2 */
        bool bus_open;       /* in this cycle, on several threads; */
        uint64_t bus_opens;  /* and it is not before this one */
        bool log_full;       /* the window ends, so that logs are compared */
        uint8_t access_mode; /* enum access_mode: access_log.h */
        uint64_t granted_at;
        struct sim_stepper *stepper;
        struct decoder decoder;
    );
    /* Configuration. */
    struct ventus_model *m;
    unsigned id, warps;
    uint8_t ports; /* issue ports */
    uint8_t line_shift;
    uint64_t all_lanes;
    struct issue issue;
    struct workgroup workgroup;
    struct warp *warp; /* cleared when a launch begins */
    /* Components of which something persists between launches: a checkpoint is one
     * assignment of them, and copies of tags. */
    GROUP(sm_kept, kept,
        uint64_t ended_at; /* cycle in which the last run did */
        struct scheduler scheduler;
        struct collect collect;
        struct icache icache;
        struct lsu lsu;
        struct dcache dcache;
        struct rcc rcc;
    );
    /* Components of which nothing persists between launches. */
    struct ibuffer ibuffer;
    struct scoreboard scoreboard;
    struct fetch fetch;
    struct units units;
    struct local local;
    struct tlb tlb[TLBS];
    struct inflight_pool inflight;
};

struct ventus_model {
    /* Configuration. */
    const struct model_variant *variant; /* the build that created the machine */
    struct ventus_sim *sim;
    struct ventus_model_config config;
    struct ventus_sim_config machine;
    unsigned line_shift;
    struct sm *sm;
    unsigned sms;
    /* A launch, as the caller gave it. */
    unsigned slots;
    const struct ventus_sim_launch *launch;
    const struct ventus_sim_hooks *host;
    const struct ventus_model_hooks *hooks;
    struct ventus_sim_fault *fault;
    uint64_t reported; /* workgroups that were reported before a rollback */
    struct ventus_model_stats stats;
    /* State that persists between launches. */
    uint64_t age; /* cycles of all launches before */
    struct code_store code;
    /* On several host threads; NULL: there is one. */
    struct lookahead *lookahead;
    struct access_check *accesses;
    struct speculation *speculation;
    struct pdes pdes;
    bool runs_ahead;           /* SMs may be ahead of the uncore */
    atomic_bool misspeculated; /* seen by any thread */
    /* State of one run.  What changes in each cycle is on other lines than what
     * others read. */
    alignas(64) GROUP(model_run, run,
        uint64_t now;
        uint64_t rests_until;   /* the uncore, unless it is called */
        bool runs;              /* an SM did something in the last cycle */
        bool failed;
        bool detects_livelock;  /* SMs do */
        unsigned checks;        /* calls of the checks that end a launch */
        unsigned acting;        /* the SM whose cycle it is, or their number */
        uint64_t last_issue;
        uint64_t started_at, started; /* workgroups, since it repeats; how many */
        _Atomic uint64_t ended; /* workgroups */
    );
    struct cta cta;
    struct l2 l2;
    struct bus bus;
    struct l2_tlb l2_tlb;
    struct ventus_model_stats *l2_stats; /* the L2's counts of each SM */
    struct memory memory;
};
/* clang-format on */

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

/* Is the SM not parked, or is it ahead of the uncore?  Then no event of it is
 * the uncore's yet. */
static inline bool
is_away(const struct ventus_model *m, unsigned sm)
{
    return m->runs_ahead &&
           (!pdes_is_parked(&m->pdes, sm) || m->sm[sm].now > m->now + 1);
}

/* Is a miss of a TLB under way? */
static inline bool
sm_translates(const struct sm *s)
{
    return tlb_is_busy(&s->tlb[TLB_DATA]) || tlb_is_busy(&s->tlb[TLB_FETCH]);
}

/* Does one ask for an entry of a table? */
static inline bool
sm_asks_tables(const struct sm *s)
{
    return tlb_l2_peek(&s->tlb[TLB_DATA]) || tlb_l2_peek(&s->tlb[TLB_FETCH]);
}

/* When one can do something, in a cycle that is in the order of SMs. */
static inline uint64_t
sm_next_translation(const struct sm *s, uint64_t now)
{
    uint64_t data = tlb_next_event(&s->tlb[TLB_DATA], now);
    uint64_t fetch = tlb_next_event(&s->tlb[TLB_FETCH], now);
    return data < fetch ? data : fetch;
}
