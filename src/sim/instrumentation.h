/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "sim/warp.h"

/*
 * Instrumentation of a launch: a run loop instead of warp_run, for checkers and
 * debuggers.  The loop sees each instruction and its operands before and after it is
 * executed, and may execute it for fewer lanes.  A launch without instrumentation pays a
 * test for each slice of a warp.
 *
 * The functions may keep what belongs to a workgroup in group->checked, which moves with
 * the workgroup.
 */
struct sim_run;

struct ventus_sim_instrumentation {
    void *ctx;
    /* Runs the workgroups on the calling thread, instead of the machine's own threads;
     * the first worker is prepared for that.  Sets run->fault, or the launch has ended
     * well.  A debugger does this.  Or NULL. */
    void (*launch)(void *ctx, struct sim_run *run);
    bool shares; /* several host threads may call; else the launch has one */
    /* A workgroup begins; its warps have registers and masks. */
    void (*start)(void *ctx, struct sim_group *g);
    /* Runs a warp as warp_run does; sets group->livelock.stored where the warp has an
     * effect. */
    void (*run)(void *ctx, struct sim_warp *w, uint64_t instructions);
    /* Repeats what `run` has run, after a launch was rolled back: the effects are the
     * same, and nothing is reported. */
    void (*again)(void *ctx, struct sim_warp *w, uint64_t instructions);
    /* A workgroup has ended or faulted. */
    void (*end)(void *ctx, struct sim_group *g);
};
