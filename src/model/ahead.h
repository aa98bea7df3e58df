/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/race.h"

struct model;
struct sm;

/*
 * An SM stands until it is given cycles; then a thread may take it and go.  Its
 * clock, the cycle before which there is nothing to do in it, is in one word
 * with that: clock * 4 + place.
 */
enum ahead_place { AHEAD_STANDS, AHEAD_MAY, AHEAD_GOES, AHEAD_PLACES = 4 };

struct ahead_sm {
    /* Of the thread that has it; while it stands, of who has the shared parts: */
    alignas(64) _Atomic uint64_t place;
    _Atomic uint64_t until; /* it may do the cycles before this one, */
    bool ordered;           /* or only the last of them, behind lower SMs */
    bool asks;              /* for the bus, in cycle asked_at */
    /* Of who has the shared parts, and of who waits: */
    alignas(64) _Atomic uint64_t need; /* it may be given more when the shared
                                          parts and all SMs are here; * 2, + 1:
                                          and lower SMs are behind it */
    _Atomic uint64_t wanted; /* somebody waits until its clock is here */
};

struct ahead {
    bool on; /* some may be */
    struct ahead_sm *sm;
    struct race race;
    uint64_t end;   /* workgroups of the launch */
    uint64_t pause; /* all SMs stop in this cycle */
    atomic_bool over;
    alignas(64) uint64_t asked_at, compare_at;
};

bool
ahead_create(struct model *m);

void
ahead_destroy(struct model *m);

/* All SMs are in step, and stand; up to a cycle of a launch of so many
 * workgroups. */
void
ahead_begin(struct model *m, uint64_t groups, uint64_t pause);

/* They are in step again: could a program tell?  Then the bet is lost. */
void
ahead_end(struct model *m);

/* Behind each cycle of an SM: what it needs of others in the next ones. */
void
ahead_look(struct sm *s);

/* May a thread take it?  For at least so many cycles? */
bool
ahead_may_go(const struct model *m, unsigned sm, uint64_t cycles);

/* Takes an SM and does the cycles that it was given, as far as it can; false:
 * it is another one's already. */
bool
ahead_go(struct sm *s);

/* Could ahead_share give an SM more, or a lower one must do so first? */
bool
ahead_is_due(struct model *m, unsigned sm);

/*
 * By one thread at a time: the shared parts do the cycles that all SMs have
 * behind them, and give SMs that stand what they can do then.  False: nothing.
 */
bool
ahead_share(struct model *m);

/* Does the SM belong to a thread, or is it ahead of the shared parts?  Then it
 * has nothing for them. */
bool
ahead_is_away(const struct model *m, unsigned sm);
