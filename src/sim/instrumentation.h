/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "sim/warp.h"

/*
 * A run loop instead of warp_run, for checkers: they see each instruction and
 * its operands before and after it is done, and may do it for fewer lanes.  A
 * launch without one pays a test for each slice of a warp.
 *
 * The functions may keep what belongs to a workgroup in group->checked, which
 * moves with it.
 */
struct sim_run;

struct ventus_sim_watch {
    void *ctx;
    /* Or NULL.  Runs the workgroups on the calling thread, instead of the
     * machine's own threads; the first worker is prepared for that.  Sets
     * run->fault, or the launch has ended well.  A debugger does this. */
    void (*launch)(void *ctx, struct sim_run *run);
    bool shares; /* several host threads may call; else the launch has one */
    /* The workgroup begins; its warps have registers and masks. */
    void (*start)(void *ctx, struct sim_group *g);
    /* As warp_run; sets group->livelock.stored where the warp has an effect. */
    void (*run)(void *ctx, struct sim_warp *w, uint64_t instructions);
    /* The same for what it has run before, when a launch was taken back: with
     * the same effects, and nothing is noted. */
    void (*again)(void *ctx, struct sim_warp *w, uint64_t instructions);
    /* It has ended or faulted. */
    void (*end)(void *ctx, struct sim_group *g);
};
