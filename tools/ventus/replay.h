/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of `ventus replay`, shared by its files. */
#pragma once

#include "dev/capture/replay.h"
#include "exec.h"

struct replaying {
    struct exec e; /* options in common with `ventus exec` */
    struct recording *from;
    /* Memory before and after the launch. */
    struct recording_memory memory, after;
    const char *save;
    bool list, compare, one; /* one: only launch `number` */
    uint64_t number;
    bool engine_given; /* given by --model or --set */
};

/* replay_list.c: prints the launches; returns the exit status. */
int
replay_list(struct replaying *r);

/* replay_run.c: runs launch `i`; returns the exit status. */
int
replay_run(struct replaying *r, size_t i);
