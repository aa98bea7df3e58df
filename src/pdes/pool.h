/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "pdes/tuning.h"

struct pdes;

struct pool_worker {
    struct pdes *p;
    unsigned id;
    bool started; /* it has a thread, until the pool is destroyed */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wakes;
    atomic_bool sleeps, ends;
    /* Polls in which another thread's LP was not begun: */
    unsigned late, late_lp;
    uint64_t late_until;
};

/* The first worker is the thread that calls pdes_run. */
struct pool {
    unsigned threads;
    struct pool_worker *worker;
    struct tuning tuning;
    _Atomic unsigned *owner; /* of each LP: the thread that ran it last */
    alignas(64) atomic_bool hub_taken; /* a thread runs the hub */
};

bool
pool_create(struct pdes *p, unsigned threads);

void
pool_destroy(struct pdes *p);

/* Makes the threads that are missing; false: the host has no more. */
bool
pool_start(struct pdes *p);

/* LPs go to their first owners; before windows are granted. */
void
pool_begin(struct pdes *p);

/* All threads run LPs and the hub until that is over. */
void
pool_run(struct pdes *p);
