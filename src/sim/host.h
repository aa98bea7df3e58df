/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <pthread.h>
#include <ventus/sim.h>

#include "sim/mem.h"

/*
 * Memory of this process that programs access at its own address: what the
 * host has mapped, with its permissions, but not the banks of the machine.
 *
 * The list of what is mapped is read at the first access of a launch, and
 * again where it is out of date.  What the host unmaps after
 * it was found is the error of the host's program, as with any other thread
 * that uses memory which is given back.  Thread-safe.
 */
struct sim_host {
    pthread_mutex_t lock;
    const struct sim_mem *mem;
    uint64_t own_lo, own_hi; /* addresses of the machine's own; hi 0: all */
    const struct ventus_sim_hooks *hooks; /* of the launch, or NULL */
    struct host_range *range;             /* ascending, apart */
    size_t n, cap;
    bool read; /* the list is of this launch */
};

/* Around an address: what programs access there in the same way. */
struct host_piece {
    uint64_t lo, size;
};

void
host_open(struct sim_host *h, const struct sim_mem *mem);

void
host_close(struct sim_host *h);

/* A launch begins, no thread uses the list. */
void
host_begin(struct sim_host *h, const struct ventus_sim_launch *l);

/* Finds the target of an access; VENTUS_SIM_FAULT_NONE, or the fault. */
enum ventus_sim_fault_kind
host_find(struct sim_host *h, uint64_t address, bool write,
          struct host_piece *piece);
