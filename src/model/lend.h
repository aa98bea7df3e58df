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

/* Where an SM is: with the thread of the launch, given to another one, or
 * taken by that. */
enum lend_place { LEND_HOME, LEND_GIVEN, LEND_AWAY };

struct lend_sm {
    alignas(64) _Atomic enum lend_place place;
    uint64_t until;          /* it may not go on behind */
    _Atomic uint64_t wanted; /* the machine waits until this cycle is over */
    bool ordered;            /* one cycle, behind those of others before it */
    /* Told now and then: its cycles below are over; * 2, + 1: it is back. */
    alignas(64) _Atomic uint64_t done;
    alignas(64) atomic_bool returns; /* for who looks often */
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
    struct lend_worker *worker;
    struct lend_sm *sm;
    struct race race;
    alignas(64) bool notes; /* SMs note what they touch: one was lent */
    uint64_t compare_at;    /* not before this cycle */
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

/* Behind each cycle of an SM: what it needs of others in the next ones. */
void
lend_look(struct sm *s);

/*
 * Waits until an SM that was given away has a cycle behind it, or is back:
 * false.
 */
bool
lend_wait(struct model *m, unsigned sm, uint64_t cycle);

/* Another thread does this cycle of an SM, and it is done; false: none has. */
bool
lend_cycle(struct model *m, unsigned sm);

/* All SMs are back. */
void
lend_recall(struct model *m);
