/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/access_log.h"

struct model;
struct sm;

/*
 * An SM is parked until it is granted a window of cycles; then a thread may take
 * it and run it.  Its clock, the cycle before which it has no event, is in one word
 * with its state: clock * 4 + state.
 */
enum lookahead_state {
    LOOKAHEAD_PARKED,
    LOOKAHEAD_GRANTED,
    LOOKAHEAD_RUNNING,
    LOOKAHEAD_STATES = 4
};

struct lookahead_sm {
    /* Of the thread that runs it; while it is parked, that of the uncore: */
    alignas(64) _Atomic uint64_t state;
    _Atomic uint64_t until; /* end of its window, */
    bool ordered;           /* of which only the last cycle, in order */
    bool asks;              /* for the bus, in cycle asked_at */
    /* Of the thread that runs the uncore, and of those that wait: */
    alignas(64) _Atomic uint64_t need; /* its window may grow when the uncore
                                          and all SMs are here; * 2, + 1: and
                                          lower SMs are behind it */
    _Atomic uint64_t wanted; /* a thread waits for its clock to be here */
};

struct lookahead {
    bool on; /* SMs may be ahead of the uncore */
    struct lookahead_sm *sm;
    struct access_check accesses;
    uint64_t end;   /* workgroups of the launch */
    uint64_t pause; /* all SMs stop in this cycle */
    atomic_bool over;
    alignas(64) uint64_t asked_at, compare_at;
};

bool
lookahead_create(struct model *m);

void
lookahead_destroy(struct model *m);

/* All SMs are parked in one cycle; up to a cycle of a launch of so many
 * workgroups. */
void
lookahead_begin(struct model *m, uint64_t groups, uint64_t pause);

/* They are in one cycle again; a race is a misspeculation. */
void
lookahead_end(struct model *m);

/* Behind each cycle of an SM: the lookahead of what it does by itself. */
void
lookahead_update(struct sm *s);

/* Has it been granted a window of at least so many cycles? */
bool
lookahead_is_granted(const struct model *m, unsigned sm, uint64_t cycles);

/* Takes an SM and runs it in its window, as far as it can; false: another thread
 * has it. */
bool
lookahead_run(struct sm *s);

/* Might lookahead_run_uncore grant an SM a window now? */
bool
lookahead_is_due(struct model *m, unsigned sm);

/*
 * By one thread at a time: the uncore does the cycles that all SMs have behind
 * them, and parked SMs are granted their windows.  False: neither.
 */
bool
lookahead_run_uncore(struct model *m);

/* Is the SM not parked, or is it ahead of the uncore?  Then no event of it is
 * the uncore's yet. */
bool
lookahead_is_away(const struct model *m, unsigned sm);
