/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/pipeline/warp.h"

struct ventus_model;
struct ventus_sim_step;
struct model_op;
struct sm;

/* Whether the accesses of an SM are logged, while it is where. */
enum access_mode {
    ACCESS_UNLOGGED, /* one thread */
    ACCESS_IN_ORDER, /* in order */
    ACCESS_AHEAD     /* ahead of other SMs */
};

bool
access_log_create(struct ventus_model *m);

void
access_log_destroy(struct ventus_model *m);

/* Called before an access of several words a lane, and after any other one. */
void
access_log_wide(struct sm *s, struct warp_place at, const struct model_op *op);

void
access_log_note(struct sm *s, struct warp_place at, const struct model_op *op,
                const struct ventus_sim_step *step);

/* Under coherence = rcc, for any SM (ctx): bytes of memory were read or written. */
void
access_log_bytes(void *ctx, const uint8_t *host, size_t n, bool write);

/* Private memory is cleared before a workgroup starts in a slot. */
void
access_log_start(struct sm *s, unsigned slot);

/*
 * All SMs are in step: has one seen, or another one hidden, what would not be
 * so on one thread?  Clears the log.
 */
bool
access_log_has_race(struct ventus_model *m);
