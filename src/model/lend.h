/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/race.h"

struct model;
struct sm;

/* Where an SM is: with the thread of the launch, given to another one, taken
 * by that, or given back. */
enum lend_place { LEND_HOME, LEND_GIVEN, LEND_AWAY, LEND_BACK };

struct lend_sm {
    alignas(64) _Atomic enum lend_place place;
    _Atomic uint64_t done; /* its cycles below are over */
    uint64_t until;        /* it may not go on behind */
    /* Of the thread of the launch: */
    alignas(64) bool away;
    uint64_t seen;           /* done, when it was last looked at */
    uint64_t given, give_at; /* when it was, and may be again */
};

struct lend_worker {
    struct model *m;
    unsigned id; /* its SMs: those that are id modulo the threads */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wakes;
    atomic_bool sleeps, ends;
};

struct lend {
    unsigned threads; /* the launch's own among them */
    bool on;          /* in this launch */
    bool notes;       /* SMs note what they touch: one was lent */
    struct lend_worker *worker;
    struct lend_sm *sm;
    struct race race;
};

bool
lend_create(struct model *m, unsigned threads);

void
lend_destroy(struct model *m);

/* Whether there are several threads, and nobody who watches. */
bool
lend_may(const struct model *m);

/* Around a launch; a bet that it does not race is on, or one thread does it. */
void
lend_begin(struct model *m);

void
lend_end(struct model *m);

/* Before a cycle: gives away the SMs that need nobody for a while. */
void
lend_give(struct model *m);

/*
 * Waits until an SM that was given away has this cycle behind it, or is back:
 * false.
 */
bool
lend_wait(struct model *m, unsigned sm);

/* All SMs are back. */
void
lend_recall(struct model *m);
