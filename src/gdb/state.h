/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "sim/instrumentation.h"
#include "sim/state.h"

/*
 * A launch that can be stopped at any instruction and taken back to an earlier
 * one.
 *
 * One host thread runs it.  Its time is the number of instructions that warps
 * have executed, all together.  What happens is a function of memory and of the
 * order of warps, so the turns, a list of which warp runs from what time on, and
 * snapshots (snapshot.h) are all that is needed to be at any time again:
 *
 *     turns       |start 0| 0.0      | 0.1      | 0.0   |start 1| 1.0 ...
 *     snapshots   ^               ^               ^         ^
 *     time        0 ------------------------------ now ---- frontier
 *
 * Before the frontier the turns say who runs.  At the frontier the machine
 * decides that and appends to them: warps take turns of so many instructions;
 * a workgroup begins when none is left, or when the others run for long.
 */
struct gdb_turn {
    uint64_t time;  /* from which on */
    uint64_t group; /* linear number of the workgroup that starts */
    uint32_t slot, warp;
    bool starts; /* a workgroup starts; else this warp has its turn */
};

/* A position in the order of turns, which a snapshot has, too. */
struct gdb_position {
    uint64_t time;
    size_t turn;         /* how many turns have begun */
    uint64_t next;       /* workgroup to start */
    uint32_t slot, warp; /* whose turn it is */
    uint64_t turn_end;   /* when the next one has it, at the frontier */
    uint64_t started;    /* time of the last start of a workgroup */
};

struct gdb_snapshot;

/* Print buffer of the launch, for the driver to drain; see gdb.h. */
struct gdb_printing {
    void (*drain)(void *ctx, bool quiet);
    void *ctx;
    uint64_t address, size; /* of its buffer, physical */
    uint32_t *drained;      /* which a snapshot keeps */
};

struct gdb_machine {
    struct sim_run *run;
    struct sim_worker *k;
    const struct ventus_sim_instrumentation
        *check; /* which then runs warps, or NULL */
    struct gdb_printing printing;
    struct ventus_sim_hooks hooks;
    struct gdb_position at;
    uint64_t frontier;
    bool live, over; /* at the frontier; all has ended, or faulted */
    uint8_t *busy;   /* slots that have a workgroup */
    unsigned busy_n;
    struct sim_group *local_of; /* whose local memory is mapped */
    struct gdb_turn *turn;
    size_t turns, turns_cap, begun; /* begun: once at least */
    void **checked; /* what the check keeps of each slot at the frontier */
    struct gdb_snapshot *snapshot; /* in order of time */
    size_t snapshots, snapshots_cap;
    uint64_t snapshot_due;
    bool blind; /* the host had no memory: what was before is lost */
    /* Accesses to guarded pages; touched: by the last instruction. */
    struct sim_guard guard;
    bool touched, noticed;
    uint64_t touched_at, unspent;
    unsigned touched_access;
    int touched_lane, noticed_lane; /* -1: of the warp */
    const struct sim_op *op;        /* that is being done */
};

/* Tests whether changes by hand are possible: the state of a check does not go back,
 * so it needs the frontier. */
static inline bool
gdb_machine_may_change(const struct gdb_machine *m)
{
    return !m->check || m->at.time >= m->frontier;
}

static inline struct sim_warp *
gdb_machine_warp(const struct gdb_machine *m)
{
    return &m->k->group[m->at.slot].warp[m->at.warp];
}
