/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/bus.h"

struct dcache_line {
    uint32_t tag;
    bool valid, dirty;
    uint64_t used;
};

enum { DCACHE_WAYS = 64 };

struct dcache_miss {
    bool valid;
    uint32_t line;
    unsigned n;
    struct data_request sub[16];
};

struct write_entry {
    bool valid;
    uint32_t line;
};

struct dcache {
    struct dcache_line *line;
    struct dcache_miss miss[16];
    unsigned misses; /* valid ones */
    bool busy;       /* false: nothing changes until something comes */
    /* in: from the LSU; st1: tags were read; out: answers */
    struct fifo in, st1, out, queue, response;
    struct data_request in_at[FIFO_MAX], st1_at[FIFO_MAX], out_at[FIFO_MAX];
    struct mem_request queue_at[FIFO_MAX], response_at[FIFO_MAX];
    unsigned queued; /* in queue, when the cycle began */
    bool leaving;    /* stage 3 */
    uint64_t leaving_at;
    struct mem_request leave, next_leave;
    bool next_leaves;
    struct write_entry write[16];
    unsigned writes;
    /* A line that came: its waiting requests are answered one a cycle. */
    struct dcache_miss fill;
    unsigned fill_next;
    bool fill_out; /* one of them leaves now */
    struct data_request fill_request;
    bool filled_before; /* one was answered in the last cycle */
    struct data_request filled_request;
    struct dcache_miss *closing; /* MSHR of that line: not free yet */
    uint64_t blocked_until;      /* tags are busy */
    bool write_waits;            /* a store to a line that is being read */
    bool late; /* it waited, and is looked up once more in the next cycle */
    struct data_request late_request;
    /* A register holds what stage 1 did: a hit waits there for its answer. */
    bool held, held_hit, answered;
    struct data_request held_request;
    uint32_t tags[DCACHE_WAYS]; /* of the set that was read last */
    bool status_was_odd;
    uint32_t probed; /* on the wires to the tags */
    bool probed_write;
    uint64_t inject_at;
    bool missed;     /* a load's miss was noted in this cycle */
    bool missed_new; /* and took an MSHR */
    uint32_t missed_line;
    bool victim_waits, victim_left; /* left: in this cycle */
    uint64_t victim_at;
    uint32_t victim;
    enum { FLUSH_NO, FLUSH_WANTED, FLUSH_WRITES, FLUSH_L2, FLUSH_DONE } flush;
    unsigned flush_next;
    uint64_t flush_at;
};

/* A request of the LSU, which has looked whether there is room. */
void
dcache_ask(struct sm *s, const struct data_request *r);

void
dcache_cycle(struct sm *s);

void
dcache_advance(struct sm *s);

/*
 * When a request may go on towards the L2; UINT64_MAX: not before others do
 * something.
 */
uint64_t
dcache_leaves(const struct sm *s);

/*
 * The next dirty line from *next on goes to the L2 once there is room; false:
 * none is left.  And: all lines are invalid.
 */
bool
dcache_write_next(struct sm *s, unsigned *next);

void
dcache_forget(struct sm *s);
