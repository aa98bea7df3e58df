/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/pace.h"

struct model;

struct crew_worker {
    struct model *m;
    unsigned id;
    bool started; /* it has a thread, which stays until the model ends */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wakes;
    atomic_bool sleeps, ends;
    /* Turns in which another's SM was not taken: */
    unsigned late, late_sm;
    uint64_t late_until;
};

/* The first worker is the thread of the launch. */
struct crew {
    unsigned threads;
    struct crew_worker *worker;
    struct pace pace;
    _Atomic unsigned *owner; /* of each SM: the thread that had it last */
    alignas(64) atomic_bool shares; /* a thread has the shared parts */
};

bool
crew_create(struct model *m, unsigned threads);

void
crew_destroy(struct model *m);

/* Whether there are several threads, and nobody who watches. */
bool
crew_may(const struct model *m);

/*
 * All cycles of a launch of so many workgroups, or those until it fails; or
 * none, if the host has no more threads.
 */
void
crew_run(struct model *m, uint64_t groups);
