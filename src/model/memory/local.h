/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/model.h>

#include "model/request.h"
#include "sim/mem.h"

enum { LOCAL_REQUESTS = 8, LOCAL_AHEAD = 128 };

struct local_request {
    struct data_request r;
    uint64_t since; /* first answer */
    unsigned rounds, given;
    uint64_t round[64]; /* lanes */
};

/* State of one run. */
struct local_state {
    struct local_request at[LOCAL_REQUESTS];
    unsigned head, n;
    uint64_t busy[LOCAL_AHEAD]; /* cycle + 1 in which it takes nothing */
};

/* Local memory of an SM. */
struct local {
    const struct ventus_model_config *config;
    struct ventus_model_stats *stats;
    struct local_state state;
};

void
local_memory_init(struct local *l, const struct ventus_model_config *config,
                  struct ventus_model_stats *stats);

void
local_memory_reset(struct local *l);

/* Is this in the window of local memory? */
static inline bool
local_has(uint64_t address)
{
    return address - SIM_LOCAL_BASE < SIM_LOCAL_SIZE;
}

/* Is anything in it? */
static inline bool
local_memory_is_busy(const struct local *l)
{
    return l->state.n;
}

/* Requests; `at` are the lanes' addresses. */
bool
local_memory_can_send(const struct local *l, uint64_t now);

void
local_memory_send(struct local *l, uint64_t now, const struct data_request *d,
                  const uint64_t *at);

/* When the next answer can leave; UINT64_MAX: nothing is in it. */
static inline uint64_t
local_memory_next_event(const struct local *local)
{
    const struct local_state *l = &local->state;
    const struct local_request *r = &l->at[l->head];
    return l->n ? r->since + r->given : UINT64_MAX;
}

/* Answers: the request that one is for, which leaves with the lanes of a round. */
static inline const struct data_request *
local_memory_peek(const struct local *l, uint64_t now)
{
    return local_memory_next_event(l) <= now ? &l->state.at[l->state.head].r
                                             : NULL;
}

struct data_request
local_memory_take(struct local *l, uint64_t now);
