/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "dev/device.h"
#include "dev/padding.h"
#include "dev/print.h"

/*
 * A launch from its submission to its result: the one description of it that is passed
 * through the driver.  `launch` is what the caller asked for, completed; `run` is what
 * the engine is told, which validate.c begins, launch.c completes, and observers of the
 * device add to.
 */
struct ventus_dev_ticket {
    struct ventus_dev *dev;
    struct arena arena;
    struct ventus_dev_launch launch; /* its pointers are into the arena */
    struct engine_launch run;
    uint64_t args_B;
    enum ventus_dev_state state;
    uint64_t all_groups;
    uint64_t at_once; /* workgroups that an engine is given together */
    _Atomic uint64_t done_groups;
    int stop;          /* run.launch.stop points to it */
    uint64_t executed; /* run.launch.executed points to it */
    struct ventus_dev_result result;
    bool lacks_memory; /* the reason why it failed */
    struct ventus_dev_ticket *next;

    /* State of a launch that runs. */
    struct ventus_sim_hooks
        hooks; /* run.launch.hooks points to it; ctx: the ticket */
    struct ventus_sim_stats counts; /* run.launch.stats, if they are wanted */
    struct print print;
    struct padding padding;
};
