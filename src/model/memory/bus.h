/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/memory/l2.h"

/* The register of an SM before the bus, which its L1D fills: the interconnect's,
 * since the SM may be ahead of it. */
struct bus_register {
    bool full;
    uint64_t at; /* not before */
    struct mem_request request;
};

/* Requests of an SM besides that register: misses of its L1I, reads of page walks. */
struct bus_source {
    bool (*peek)(void *ctx, unsigned sm); /* is there one? */
    struct mem_request (*take)(void *ctx, unsigned sm);
};

/* The interconnect between SMs and the L2: one request a cycle. */
struct bus {
    struct l2 *l2;
    unsigned sms;
    struct bus_source fetch, walk;
    void *ctx;                /* for both */
    struct bus_register *reg; /* one for each SM */
    unsigned full;            /* registers */
    bool room;                /* in the L2, when the cycle began */
};

bool
bus_create(struct bus *b, unsigned sms, struct l2 *l2, struct bus_source fetch,
           struct bus_source walk, void *ctx);

void
bus_destroy(struct bus *b);

void
bus_reset(struct bus *b);

/* A cycle begins: the L2's room is what all are judged by. */
static inline void
bus_begin(struct bus *b, uint64_t now)
{
    b->room = l2_can_send(b->l2, now);
}

/* Passes one request to the L2. */
void
bus_tick(struct bus *b, uint64_t now);

/* The register of an SM: is it empty, and a request, which may go on in the next cycle. */
static inline bool
bus_can_send(const struct bus *b, unsigned sm)
{
    return !b->reg[sm].full;
}

void
bus_send(struct bus *b, unsigned sm, const struct mem_request *r, uint64_t now);

static inline bool
bus_has_room(const struct bus *b)
{
    return b->room;
}

/* Does the L2 take what is in a register, if it is there long enough? */
static inline bool
bus_is_due(const struct bus *b)
{
    return b->full && b->room;
}

/* When the first request in a register may go on; UINT64_MAX: not before the L2 has
 * done something. */
uint64_t
bus_next_event(const struct bus *b);

/* Does an SM ask for the bus in this cycle? */
bool
bus_is_asked(const struct bus *b, unsigned sm, uint64_t now);

/* Would the bus take a request of an SM's L1D: is there room, and asks no lower
 * SM? */
bool
bus_is_open(const struct bus *b, unsigned sm, uint64_t now);

/* Lookahead: before this cycle the bus takes nothing. */
uint64_t
bus_opens(const struct bus *b, uint64_t now);

/* Lookahead: an SM has no answer before this cycle. */
uint64_t
bus_lookahead(const struct bus *b, unsigned sm, uint64_t now);
