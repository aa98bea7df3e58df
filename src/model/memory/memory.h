/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/memory/dram.h"
#include "model/port.h"

enum { MEMORY_REQUESTS = 64 };

PORT(memory_port, struct memory_request)

/* State of one run. */
struct memory_state {
    struct memory_port before, after; /* registers, if there are some */
    bool answers;                     /* `answer` leaves in this cycle */
    struct memory_request answer;
    unsigned n;
    uint64_t popped; /* in this cycle the last was answered */
    struct memory_request at[MEMORY_REQUESTS]; /* oldest first */
};

/* External memory, below the L2. */
struct memory {
    const struct ventus_model_config *config;
    struct ventus_model_stats *stats;
    const struct ventus_model_hooks *hooks; /* for this run */
    struct memory_state state;
    struct dram dram;
};

void
memory_init(struct memory *y, const struct ventus_model_config *config,
            struct ventus_model_stats *stats);

void
memory_reset(struct memory *y, const struct ventus_model_hooks *hooks);

/* Requests, for an MSHR of the L2, after its tick. */
bool
memory_can_send(const struct memory *y, uint64_t now);

void
memory_send(struct memory *y, uint64_t now, bool write, unsigned mshr,
            uint64_t line);

/* Requests under way; while there are none a tick does nothing. */
static inline unsigned
memory_busy(const struct memory *y)
{
    const struct memory_state *t = &y->state;
    return t->n + t->before.fifo.n + t->after.fifo.n;
}

/* Is there room for a request after the tick that serves earlier ones? */
static inline bool
memory_has_room(const struct memory *y)
{
    const struct memory_state *t = &y->state;
    unsigned stages = y->config->memory_stages;
    return stages ? t->before.fifo.n < stages
                  : t->n < y->config->memory_requests;
}

void
memory_tick(struct memory *y, uint64_t now);

/* The answer that leaves in this cycle, until the next tick. */
static inline const struct memory_request *
memory_peek(const struct memory *y)
{
    return y->state.answers ? &y->state.answer : NULL;
}

static inline struct memory_request
memory_take(struct memory *y)
{
    debug_assert(y->state.answers && "only what is seen can be taken");
    y->state.answers = false;
    return y->state.answer;
}

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
