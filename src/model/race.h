/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sim/step.h"

struct model;
struct model_op;
struct sm;
struct warp;

/*
 * What SMs that are not in step touched, until they are in step again:
 * lines of the host, and which bytes of them.
 */
enum { RACE_LINE = 64, RACE_NOTES = 1 << 15 };

enum race_notes {
    RACE_NONE, /* one thread */
    RACE_HERE, /* in order */
    RACE_AHEAD /* of other SMs */
};

struct race_note {
    uintptr_t line;
    uint64_t bytes, cycle;
    uint64_t since; /* when it went ahead */
    bool write, ahead;
};

struct race_log {
    struct race_note *note;
    unsigned n, writes;
    bool blind; /* not all was noted */
    struct step_access access;
};

/* Cycles in which, or since which; last < first: none. */
struct race_time {
    uint64_t first, last;
};

/* All that an SM wrote of a line. */
struct race_written {
    uintptr_t line;
    uint64_t bytes;
    unsigned sm;
    struct race_time here, ahead; /* ahead.first: when it went */
    unsigned next;                /* with the same hash, + 1 */
};

struct race {
    struct race_log **log; /* of each SM */
    struct race_written *written;
    unsigned *hash; /* index in it, + 1 */
    unsigned n;
};

bool
race_create(struct model *m);

void
race_destroy(struct model *m);

/* Before an access of several words a lane; behind any other one. */
void
race_note_wide(struct sm *s, const struct warp *w, const struct model_op *op);

void
race_note(struct sm *s, const struct warp *w, const struct model_op *op,
          const struct sim_step *step);

/* Private memory is cleared before a workgroup starts in a slot. */
void
race_note_start(struct sm *s, unsigned slot);

/*
 * All SMs are in step: has one seen, or another one hidden, what would not be
 * so on one thread?  Forgets the notes.
 */
bool
race_found(struct model *m);
