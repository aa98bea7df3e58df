/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/fetch.h"
#include "model/fifo.h"

struct icache_line {
    uint32_t tag;
    bool valid;
    uint64_t used;
};

struct icache_miss {
    bool valid, sent;
    uint32_t line;
    uint64_t at;
};

struct icache {
    struct icache_line *line;
    struct icache_miss miss[16];
    unsigned unsent;                   /* of them */
    struct fetch_request tagged, done; /* stages 1 and 2 */
    bool missed;                       /* of `done` */
    struct fifo response;
    uint32_t response_line[FIFO_MAX];
    uint32_t filled; /* line that came last, and when */
    uint64_t filled_at;
    int filled_entry;
    struct icache_line *filled_set, *filled_way;
    struct icache_line *hit_set; /* of the last hit, and when */
    uint64_t hit_at;
    struct icache_line *hit_way; /* where it was, until lines change */
    uint32_t hit_line;
};

void
icache_cycle(struct sm *s);

bool
icache_lookup(struct sm *s, uint32_t pc);

void
icache_fill(struct sm *s);

void
icache_invalidate(struct sm *s);

/* The miss to ask for next, or NULL; and that it was asked for. */
struct icache_miss *
icache_wants(struct sm *s);
