/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/fetch.h"
#include "model/fifo.h"
#include "model/set_assoc.h"

struct icache_miss {
    bool valid, sent;
    uint32_t line;
    uint64_t at;
};

struct icache {
    struct fetch_request tagged, done; /* stages 1 and 2 */
    bool missed;                       /* of `done` */
    unsigned unsent;                   /* misses */
    uint32_t hit_line;                 /* of the last hit, */
    struct way *hit_way;               /* where it was, until lines change, */
    struct way *hit_set;
    uint64_t hit_at; /* and when */
    struct set_assoc tags;
    uint32_t filled; /* line that came last, and when */
    int filled_entry;
    uint64_t filled_at;
    struct way *filled_set, *filled_way;
    struct fifo response;
    uint32_t response_line[FIFO_MAX];
    struct icache_miss miss[16];
};

void
icache_cycle(struct sm *s);

bool
icache_lookup(struct sm *s, uint32_t pc);

void
icache_fill(struct sm *s);

void
icache_invalidate(struct sm *s);

void
icache_settle(struct sm *s);

/* The miss to ask for next, or NULL; and that it was asked for. */
struct icache_miss *
icache_wants(struct sm *s);
