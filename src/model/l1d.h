/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/bus.h"
#include "model/set_assoc.h"

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

/* What each cycle looks at comes first. */
struct dcache {
    struct set_assoc lines;
    unsigned misses;    /* valid MSHRs */
    unsigned writes;    /* valid entries of stores */
    bool busy;          /* false: nothing changes until something comes */
    bool next_leaves;   /* into stage 3: struct bus_port */
    bool fill_out;      /* a request that waited for a line leaves now */
    bool filled_before; /* one was answered in the last cycle */
    bool write_waits;   /* a store to a line that is being read */
    bool late; /* it waited, and is looked up once more in the next cycle */
    /* A register holds what stage 1 did: a hit waits there for its answer. */
    bool held, held_hit, answered;
    bool status_was_odd;
    bool probed_write;              /* on the wires to the tags, */
    uint32_t probed;                /* with this line */
    bool missed;                    /* a load's miss was noted in this cycle */
    bool missed_new;                /* and took an MSHR */
    bool victim_waits, victim_left; /* left: in this cycle */
    uint32_t missed_line, victim;
    enum { FLUSH_NO, FLUSH_WANTED, FLUSH_WRITES, FLUSH_L2, FLUSH_DONE } flush;
    unsigned flush_next, fill_next;
    unsigned queued;        /* in queue, when the cycle began */
    uint64_t blocked_until; /* tags are busy */
    uint64_t inject_at, victim_at, flush_at;
    struct dcache_miss *closing; /* MSHR of the line that came: not free yet */
    struct data_request held_request, fill_request, filled_request;
    struct data_request late_request;
    uint32_t tags[DCACHE_WAYS]; /* of the set that was read last */
    /* in: from the LSU; st1: tags were read; out: answers */
    struct fifo in, st1, out, queue, response;
    struct data_request in_at[FIFO_MAX], st1_at[FIFO_MAX], out_at[FIFO_MAX];
    /* A line that came: its waiting requests are answered one a cycle. */
    struct dcache_miss fill;
    struct mem_request next_leave;
    struct write_entry write[16];
    struct mem_request queue_at[FIFO_MAX], response_at[FIFO_MAX];
    struct dcache_miss miss[16];
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
 * The next dirty line from *next on goes to the L2, once there is room if it
 * waits for that; false: none is left.  And: all lines are invalid.
 */
bool
dcache_write_next(struct sm *s, unsigned *next, bool waits);

void
dcache_forget(struct sm *s);
