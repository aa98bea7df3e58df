/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <pthread.h>
#include <ventus/dev.h>
#include <ventus/sim.h>

/*
 * Accesses of a launch to padding: the bytes after an object that kernels may access with
 * `bounds = padded`.  Each instruction is told once for each program, by a line in the
 * message of a launch that ends well.  Of all its accesses in the launch it has that of the
 * first workgroup, so that the line does not depend on host threads.
 */
enum { PADDING_TOLD = 32 }; /* instructions of one launch; others are counted */

struct padding_access {
    enum ventus_sim_fault_kind kind; /* that it would be */
    uint64_t pc, group, address;
    uint32_t group_at[3];
    unsigned warp, bytes;
    int lane;
    bool write;
};

struct padding {
    pthread_mutex_t lock;
    struct padding_access at[PADDING_TOLD];
    unsigned n, others;
};

void
padding_open(struct padding *p);

void
padding_close(struct padding *p);

/* Notes an access, as the hook `padding` of struct ventus_sim_hooks; from any thread. */
void
padding_add(struct padding *p, const struct ventus_sim_fault *fault,
            unsigned bytes, bool write);
