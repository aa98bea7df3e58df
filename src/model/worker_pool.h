/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/tuning.h"

struct model;

struct pool_worker {
    struct model *m;
    unsigned id;
    bool started; /* it has a thread, until the model is destroyed */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wakes;
    atomic_bool sleeps, ends;
    /* Polls in which another thread's SM was not begun: */
    unsigned late, late_sm;
    uint64_t late_until;
};

/* The first worker is the thread of the launch. */
struct worker_pool {
    unsigned threads;
    struct pool_worker *worker;
    struct tuning tuning;
    _Atomic unsigned *owner; /* of each SM: the thread that ran it last */
    alignas(64) atomic_bool uncore_taken; /* a thread runs the uncore */
};

bool
worker_pool_create(struct model *m, unsigned threads);

void
worker_pool_destroy(struct model *m);

/* Are there several threads, and no trace? */
bool
worker_pool_is_usable(const struct model *m);

/*
 * All cycles of a launch of so many workgroups, or those until it fails; or
 * none, if the host has no more threads.
 */
void
worker_pool_run(struct model *m, uint64_t groups);
