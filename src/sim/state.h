/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "base/hash.h"
#include "base/thread_pool.h"
#include "isa/hostfloat.h"
#include "sim/lanes.h"
#include "sim/warp.h"

/* The machine, shared by its host threads while a launch runs. */
#ifdef VENTUS_TINY
enum { CODE_RECENT = 1 };
#else
enum { CODE_RECENT = 64 };
#endif

struct sim_code {
    pthread_mutex_t lock;
    struct sim_code_page **page;
    struct hash_index index; /* rows of `page` by their base */
    size_t n, cap;
    _Atomic unsigned rows; /* vector registers that decoded code may touch */
};

struct ventus_sim;
struct sim_translator;
struct native_code;

/* Translated code of the machine: native_run.c. */
struct sim_native {
    const struct sim_translator *translator; /* native.h; NULL: none */
    const char *why; /* some code was not translated; NULL: all was */
    struct sim_code_page *asked; /* whose code is being made; NULL: none */
    struct native_code *coming;  /* what is known of that code */
    struct native_code *old;     /* which was replaced */
    /* A thread changes the members above, or `native` of pages; something is asked for;
     * some page has code. */
    _Atomic bool busy, waits, any;
};

/*
 * Completes op, whose registers, immediate and prefix are there already: sets
 * op->fn, and may change the rest.  False: the instruction is illegal.
 */
typedef bool
sim_bind_fn(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
            struct sim_op *op);

struct sim_how {
    sim_bind_fn *bind;
    uint8_t kind; /* becomes op->kind */
};

struct ventus_sim {
    struct ventus_sim_config config;
    struct sim_mem mem;
    struct sim_host host;
    struct sim_code code;
    struct sim_how how[VENTUS_ISA_OP_COUNT]; /* how each instruction is bound */
    struct sim_lanes lanes;                  /* lane loops for this processor */
    struct sim_worker *worker;               /* config.host_threads */
    struct thread_pool threads;              /* which run them */
    struct sim_native native;
    uint64_t slice; /* instructions of a warp's turn */
};

/* A launch, shared by its workers. */
struct sim_run {
    struct ventus_sim *sim;
    struct ventus_sim_launch launch; /* defaults filled in */
    uint64_t groups, end;            /* how many; the number after the last */
    unsigned resident;               /* workgroups that fit an SM together */
    _Atomic uint64_t next;           /* workgroup to start */
    _Atomic uint64_t limit; /* the lowest that faulted: later ones stop */
    unsigned workers;       /* sim->worker[] that take part */
    _Atomic uint64_t sure;  /* livelock.c */
    _Atomic bool failed;    /* an assertion did, on one of the threads */
    pthread_mutex_t lock;   /* fault, print hook */
    struct ventus_sim_fault fault;
    uint64_t deadline_ns; /* 0: none */
};

/* Memory of this process, if the launch may use it; or NULL. */
static inline struct sim_host *
run_host(struct sim_run *run)
{
    return run->launch.own_hi ? &run->sim->host : NULL;
}

/* The limit of time, if there is one, counts from then on; 0: from now on. */
void
run_start_clock(struct sim_run *run, uint64_t began_ns);

/* Is the time of the launch over?  Reads the clock if it has a limit. */
bool
run_is_late(const struct sim_run *run);

/* Has the host ended it, or a failed assertion? */
static inline bool
run_is_stopped(const struct sim_run *run)
{
    const int *stop = run->launch.stop;
    return (stop && __atomic_load_n(stop, __ATOMIC_RELAXED)) ||
           atomic_load_explicit(&run->failed, memory_order_relaxed);
}

enum { PADDED = 64 };

struct sim_worker {
    /* A cache line of its own: threads do not share one. */
    alignas(64) struct ventus_sim *sim;
    struct sim_run *run;
    struct sim_mmu mmu;
    struct fp_host fp;
    const struct sim_code_page *recent[CODE_RECENT];
    struct ventus_sim_fault fault;
    struct ventus_sim_stats stats;
    struct sim_group *group; /* those that run are the first ones */
    unsigned groups, groups_capacity;
    unsigned warps_capacity; /* of each */
    bool native;             /* translated code may run */
    bool traced;             /* statistics or hooks are asked for */
    const struct ventus_sim_instrumentation *instrumentation; /* or NULL */
    /* Instructions of launches that may run translated code; of the interpreted ones
     * those that are not counted for a page; of the translated ones those that were
     * there when it was counted last. */
    uint64_t translated, interpreted, unlooked, counted;
    uint64_t unchecked;      /* instructions since limits were checked */
    bool fp_idle;            /* the FPU is the application's: nothing uses it */
    uint32_t padded[PADDED]; /* pcs that have been told of, by pc; or 0 */
    /* For livelock.c: workgroups that run, and 1 while there is room for more;
     * those of them that only wait; changes of that. */
    _Atomic unsigned busy, quiet;
    _Atomic uint64_t events;
};

/* code.c: the decoded page with this address, or NULL and *why. */
const struct sim_code_page *
code_page(struct sim_worker *k, uint32_t pc, enum ventus_sim_fault_kind *why);

/*
 * Has `fn` do the instruction at pc; returns what did it, which must be put
 * back before the launch ends.  NULL: there is no code.  No other thread runs.
 */
sim_fn *
code_replace(struct sim_worker *k, uint32_t pc, sim_fn *fn);

/*
 * Whether a setrpc of the program names this join of the page: one whose
 * address is made by the auipc or lui before it, as compilers do.
 */
bool
code_names_join(struct sim_worker *k, const struct sim_code_page *page,
                uint32_t pc);

/* Compares all decoded pages with memory; before a launch.  False: one has changed. */
bool
code_validate(struct ventus_sim *sim, uint64_t ptbr);

/* The checkpoint ends; rolled_back: pages decoded meanwhile are discarded. */
void
code_settle(struct ventus_sim *sim, bool rolled_back);

void
code_free(struct sim_code *c);

/* padding.c: padding of a workgroup's private memory, so many bytes a thread. */
void
padding_reset(struct sim_group *g, uint32_t bytes);

void
padding_free(struct sim_group *g);

/* warp_run.c: runs a warp until it stops. */
void
warp_run(struct sim_warp *w, uint64_t instructions);

/* trace.c: the same with statistics and hooks. */
void
warp_run_traced(struct sim_warp *w, uint64_t instructions);

/* Runs a warp by the loop of the instrumentation, with statistics alone. */
void
warp_run_instrumented(struct sim_warp *w, uint64_t instructions);

/* The step of a warp that still waits at its barrier, if that is wanted. */
void
trace_waiting(struct sim_warp *w);

/* native_run.c: whether some page has code. */
static inline bool
native_is_there(const struct ventus_sim *sim)
{
    return atomic_load_explicit(&sim->native.any, memory_order_acquire);
}

/* csr.c: does a CSR give another value each time? */
bool
csr_counts(unsigned csr);

/* group.c: prepares a workgroup; runs one to its end, or for some turns. */
void
group_start(struct sim_worker *k, struct sim_group *g, uint64_t number);

/* Bytes from its pds on that group_clear_private will write. */
uint64_t
group_private(const struct sim_worker *k, const struct sim_group *g);

/* Leaves its private memory zero, if that is wanted. */
void
group_clear_private(struct sim_worker *k, struct sim_group *g);

enum group_state { GROUP_RUNS, GROUP_ENDED, GROUP_FAULTED };

enum group_state
group_run(struct sim_worker *k, struct sim_group *g, bool until_end);

/* Has a warp gone beyond a limit of the configuration?  The fault says so. */
bool
group_is_over(const struct sim_worker *k, struct sim_group *g,
              struct sim_warp *w);

/* The fault of a barrier that is never over for a warp, with all places. */
enum group_state
group_deadlock(struct sim_group *g, struct sim_warp *w, const char *why);

/* livelock.c: all that decides what a warp does, but memory and counters. */
void
warp_hash(const struct sim_warp *w, uint64_t hash[2]);

/* After a turn in which some warps wait and others run. */
bool
livelock_found(struct sim_worker *k, struct sim_group *g);

/* The workgroup got on. */
void
livelock_reset(struct sim_worker *k, struct sim_group *g);

/* More or fewer are busy. */
void
livelock_event(struct sim_worker *k, int busy);

/* sim.c: fills defaults in and checks that it fits.  False: *fault. */
bool
run_prepare(struct sim_run *run, struct ventus_sim *sim,
            const struct ventus_sim_launch *launch,
            struct ventus_sim_fault *fault);

/* The fault of a launch that the host has no room for; always false. */
bool
run_refuse_memory(struct ventus_sim_fault *fault);

/* worker.c: room for a launch; takes and runs workgroups until none is left. */
bool
worker_prepare(struct sim_worker *k, struct sim_run *run, unsigned groups,
               unsigned warps);

/* An assertion that fails in it is the fault VENTUS_SIM_FAULT_INTERNAL. */
void
worker_run(struct sim_worker *k);

void
worker_free(struct sim_worker *k);

/* fault.c: writes fault->text from its other members. */
void
fault_describe(struct ventus_sim_fault *fault, const char *more);

void
fault_describe_word(struct ventus_sim_fault *fault, uint32_t word);

/* Adds a warp to the text, the first with warp 0. */
void
fault_add_warp(struct ventus_sim_fault *fault, unsigned warp, uint32_t pc,
               const char *state);

/* trace.c: an instruction that was done; depth: of the SIMT stack before it; at: the
 * addresses of its lanes, if it has an access. */
struct stats_step {
    unsigned op; /* enum ventus_isa_op */
    bool vector, prefix;
    uint64_t exec;
    unsigned depth, access_B;
    const uint64_t *at;
};

void
stats_count_step(struct sim_warp *w, const struct stats_step *t);

void
stats_add(struct ventus_sim_stats *to, const struct ventus_sim_stats *from);
