/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "sim/step.h"

struct ventus_model;
struct model_op;
struct sm;
struct warp;

/*
 * Accesses of SMs that are not in the same cycle, until they are again: lines of
 * host memory, and which bytes of them.
 */
enum { ACCESS_LINE = 64, ACCESS_ENTRIES = 1 << 15 };

enum access_mode {
    ACCESS_UNLOGGED, /* one thread */
    ACCESS_IN_ORDER, /* in order */
    ACCESS_AHEAD     /* of other SMs */
};

struct access_entry {
    uintptr_t line;
    uint64_t bytes, cycle;
    uint64_t since; /* when it went ahead */
    bool write, ahead;
};

struct access_log {
    struct access_entry *note;
    unsigned n, writes;
    bool blind; /* not all was logged */
    struct step_access access;
};

/* Cycles in which, or since which; last < first: none. */
struct access_time {
    uint64_t first, last;
};

/* All that an SM wrote of a line. */
struct access_written {
    uintptr_t line;
    uint64_t bytes;
    unsigned sm;
    struct access_time here, ahead; /* ahead.first: when it went */
};

struct access_check {
    struct access_log **log; /* of each SM */
    struct access_written *written;
    struct hash_index lines; /* rows of `written` */
    unsigned n;
};

bool
access_log_create(struct ventus_model *m);

void
access_log_destroy(struct ventus_model *m);

/* Before an access of several words a lane; behind any other one. */
void
access_log_wide(struct sm *s, const struct warp *w, const struct model_op *op);

void
access_log_note(struct sm *s, const struct warp *w, const struct model_op *op,
                const struct ventus_sim_step *step);

/* Private memory is cleared before a workgroup starts in a slot. */
void
access_log_start(struct sm *s, unsigned slot);

/*
 * All SMs are in step: has one seen, or another one hidden, what would not be
 * so on one thread?  Clears the log.
 */
bool
access_log_has_race(struct ventus_model *m);
