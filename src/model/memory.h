/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/dram.h"

enum { MEMORY_REQUESTS = 64 };

/* State of one run. */
struct memory_state {
    unsigned n;
    uint64_t popped; /* in this cycle the last was answered */
    struct memory_request at[MEMORY_REQUESTS]; /* oldest first */
};

/* External memory, below the L2. */
struct memory {
    const struct ventus_model_config *config;
    struct ventus_model_stats *stats;
    const struct ventus_model_hooks *hooks; /* of the run */
    struct memory_state state;
    struct dram dram;
};

void
memory_init(struct memory *y, const struct ventus_model_config *config,
            struct ventus_model_stats *stats);

void
memory_reset(struct memory *y, const struct ventus_model_hooks *hooks);

/* Its port: is there room, and a request for an MSHR of the L2. */
bool
memory_ready(const struct memory *y, uint64_t now);

void
memory_ask(struct memory *y, uint64_t now, bool write, unsigned mshr,
           uint64_t line);

/* Requests under way; while there are none a tick does nothing. */
static inline unsigned
memory_busy(const struct memory *y)
{
    return y->state.n;
}

/* A cycle; true: a request was answered, *answer. */
bool
memory_tick(struct memory *y, uint64_t now, struct memory_request *answer);

/* So many cycles pass in which nothing changes. */
void
memory_skip(struct memory *y, uint64_t cycles);

/* When it has an answer; no later, if it is not known. */
uint64_t
memory_next_event(const struct memory *y, uint64_t now);

/* Lookahead: a request takes so many cycles, at least; and the answer for an MSHR
 * does not come before. */
uint64_t
memory_latency(const struct memory *y);

uint64_t
memory_lookahead(const struct memory *y, unsigned mshr, uint64_t now);
