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

/*
 * What an SM has for the bus besides that register: a miss of its L1I, a read of
 * a page walk.  take: it goes now, into *r; else: is there one?
 */
typedef bool
bus_source(void *ctx, unsigned sm, bool take, struct mem_request *r);

/* The interconnect between SMs and the L2: one request a cycle. */
struct bus {
    struct l2 *l2;
    unsigned sms;
    bus_source *fetch, *walk;
    void *ctx;
    struct bus_register *reg; /* of each SM */
    unsigned full;            /* registers */
    bool room;                /* of the L2, when the cycle began */
};

bool
bus_create(struct bus *b, unsigned sms, struct l2 *l2, bus_source *fetch,
           bus_source *walk, void *ctx);

void
bus_destroy(struct bus *b);

void
bus_reset(struct bus *b);

/* A cycle begins: the L2's room is what all are judged by. */
static inline void
bus_begin(struct bus *b, uint64_t now)
{
    b->room = l2_has_room(b->l2, now);
}

/* One request goes to the L2. */
void
bus_tick(struct bus *b, uint64_t now);

/* The register of an SM, which must be empty, is filled in a cycle. */
void
bus_put(struct bus *b, unsigned sm, const struct mem_request *r, uint64_t now);

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

static inline bool
bus_is_full(const struct bus *b, unsigned sm)
{
    return b->reg[sm].full;
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

/* And before this one an SM has no answer. */
uint64_t
bus_lookahead(const struct bus *b, unsigned sm, uint64_t now);
