/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/model.h>

#include "model/memory/set_assoc.h"
#include "model/request.h"

enum {
    DCACHE_WAYS = 64,
    DCACHE_MSHRS = 16,
    DCACHE_LIST = 16,
    DCACHE_WRITES = 16
};

struct dcache_miss {
    bool valid;
    bool allocates, keeps; /* as one of them wants it */
    uint64_t line;
    unsigned n;
    struct data_request sub[DCACHE_LIST];
};

struct write_entry {
    bool valid;
    uint64_t line;
};

enum dcache_flush_step {
    FLUSH_NO,
    FLUSH_WANTED,
    FLUSH_WRITES, /* dirty lines leave */
    FLUSH_L2,     /* the L2 is asked, and walks its lines */
    FLUSH_HINTS, /* the walk is done, the L2 is asked once more; requests pass */
    FLUSH_DONE
};

/* Stage 0: the request of the LSU that is before the tags. */
struct dcache_request_stage {
    bool write;        /* on the wires to the tags is a store, */
    bool mshrs_full;   /* and in the last cycle no MSHR took its line */
    bool store_waits;  /* a store waits for a line that is being read */
    uint64_t line;     /* on the wires: without a request that of the last */
    uint64_t again_at; /* the store that waited is looked up once more */
    uint64_t blocked_until; /* the tags are busy */
    struct data_port in;    /* from the LSU */
};

/* Stage 1: tags were read, hit or miss is known. */
struct dcache_tags_stage {
    bool missed;     /* a load's miss was noted in this cycle, */
    bool missed_new; /* and took an MSHR */
    bool late;       /* the store that waited is looked up in the next cycle */
    uint64_t missed_line;
    struct data_port in;
    struct data_request late_store;
    uint64_t read[DCACHE_WAYS]; /* tags of the set that was read last */
};

/* The register that holds what stage 1 did, and the answers to the LSU. */
struct dcache_pipeline {
    bool held;     /* the register is full, */
    bool hit;      /* with a hit, which waits for its answer */
    bool answered; /* something else was answered in this cycle */
    struct data_request request;
    struct data_port out;
};

/* A line that came: the requests that waited for it are answered one a cycle. */
struct dcache_fill {
    bool leaves;   /* `request` leaves now; */
    bool left;     /* `last` did in the last cycle */
    unsigned next; /* index of a request in `miss` */
    struct data_request request, last;
    struct dcache_miss *closing; /* the line's MSHR, which is not free yet */
    struct dcache_miss miss;
};

/* A dirty line whose way was given to another one. */
struct dcache_victim {
    bool waits; /* for its write, from cycle `at` on */
    bool left;  /* written in this cycle */
    uint64_t line, at;
};

/* Flushes: the one that is under way, and those that follow it. */
struct dcache_flush {
    enum dcache_flush_step step;
    bool offered; /* by the LSU, if it is wanted; */
    bool first;   /* the one that follows comes before accesses */
    unsigned
        next; /* FLUSH_WRITES: the next way; FLUSH_HINTS: requests to come */
    unsigned queued; /* flushes that are to follow */
    unsigned acks;   /* answers of the L2 that are awaited */
    uint64_t at;     /* when the step begins, or ended */
};

/* The way to the L2 and back. */
struct dcache_l2 {
    bool leaves;     /* `leaving` goes to the register of the interconnect */
    unsigned stores; /* not answered by the L2: valid entries of `store` */
    unsigned queued; /* in `queue`, when the cycle began */
    struct mem_port queue;
    struct mem_port response;
    struct line_port stores_done; /* entries, if answers of stores pass lines */
    struct write_entry store[DCACHE_WRITES];
    struct mem_request leaving;
};

/* Misses that the L2 has not answered. */
struct dcache_mshrs {
    unsigned used;
    struct dcache_miss at[DCACHE_MSHRS];
};

/* State of one run. */
struct dcache_state {
    uint64_t
        next_tick;   /* ticks before this cycle change nothing, until something
                         * comes, */
    bool awaits_bus; /* or the interconnect takes what is in l2.queue */
    struct dcache_victim victim;
    struct dcache_flush flush;
    struct dcache_request_stage request;
    struct dcache_tags_stage tags;
    struct dcache_pipeline pipeline;
    struct dcache_fill fill;
    struct dcache_l2 l2;
    struct dcache_mshrs mshr;
};

/* The L1 data cache of an SM. */
struct dcache {
    const struct ventus_model_config *config;
    struct ventus_model_stats *stats;
    unsigned sm;
    uint64_t age0;          /* cycles of all launches before */
    uint64_t now;           /* the cycle of the tick */
    struct set_assoc lines; /* persists between launches */
    struct dcache_state state;
};

/* Wires from outside of the L1D, in a cycle. */
struct dcache_wires {
    bool bus_open;   /* the bus would take a request */
    bool bus_polled; /* no tick is needed to find that out: dcache_awaits_bus */
    bool lsu_empty;  /* no access is under way */
};

bool
dcache_create(struct dcache *d, const struct ventus_model_config *config,
              struct ventus_model_stats *stats, unsigned sm);

void
dcache_destroy(struct dcache *d);

/* A run begins, so many cycles after the machine was made: it is empty. */
void
dcache_reset(struct dcache *d, uint64_t age0);

/* Requests of the LSU. */
static inline bool
dcache_can_send(const struct dcache *d, uint64_t now)
{
    return data_port_can_send(&d->state.request.in, now);
}

void
dcache_send(struct dcache *d, uint64_t now, const struct data_request *r);

/* Answers to the LSU. */
static inline const struct data_request *
dcache_peek(const struct dcache *d, uint64_t now)
{
    return data_port_peek(&d->state.pipeline.out, now);
}

static inline struct data_request
dcache_take(struct dcache *d, uint64_t now)
{
    return data_port_take(&d->state.pipeline.out, now);
}

/* Answers of the L2. */
bool
dcache_l2_can_send(const struct dcache *d, uint64_t now,
                   const struct mem_request *r);

void
dcache_l2_send(struct dcache *d, uint64_t now, const struct mem_request *r);

/* Requests to the L2: what leaves in this cycle, after its tick. */
static inline const struct mem_request *
dcache_l2_peek(const struct dcache *d)
{
    return d->state.l2.leaves ? &d->state.l2.leaving : NULL;
}

struct mem_request
dcache_l2_take(struct dcache *d);

/* Might a tick in this cycle look at the wires? */
static inline bool
dcache_needs_bus(const struct dcache *d, uint64_t now)
{
    return mem_port_peek(&d->state.l2.queue, now);
}

static inline bool
dcache_waits_for_lsu(const struct dcache *d)
{
    return d->state.flush.step == FLUSH_WANTED;
}

/* Does a tick in this cycle change anything? */
static inline bool
dcache_is_due(const struct dcache *d, uint64_t now)
{
    return d->state.next_tick <= now;
}

/* Would it, once the interconnect takes a request? */
static inline bool
dcache_awaits_bus(const struct dcache *d)
{
    return d->state.awaits_bus;
}

void
dcache_tick(struct dcache *d, uint64_t now, const struct dcache_wires *wires);

/* The bus is polled for it no more: it is ticked in each cycle. */
static inline void
dcache_unpoll(struct dcache *d)
{
    if (d->state.awaits_bus)
        d->state.next_tick = 0;
    d->state.awaits_bus = false;
}

/* So many cycles pass in which nothing changes. */
void
dcache_skip(struct dcache *d, uint64_t cycles);

/* Is nothing in it but what waits for the L2? */
static inline bool
dcache_is_idle(const struct dcache *d)
{
    const struct dcache_state *t = &d->state;
    return t->next_tick == UINT64_MAX && !t->awaits_bus &&
           !t->request.in.fifo.n && !t->pipeline.out.fifo.n;
}

/* The cycle of its next tick that changes something, or in which an answer can be
 * taken. */
static inline uint64_t
dcache_next_event(const struct dcache *d)
{
    uint64_t answer = data_port_next(&d->state.pipeline.out);
    return d->state.next_tick < answer ? d->state.next_tick : answer;
}

/* Lookahead: when a request may go on towards the L2; UINT64_MAX: not before
 * others do something. */
uint64_t
dcache_lookahead(const struct dcache *d);

/* Is an answer of the L2 awaited? */
static inline bool
dcache_awaits_l2(const struct dcache *d)
{
    return d->state.mshr.used || d->state.l2.stores || d->state.flush.step ||
           d->state.flush.acks;
}

/* Checkpoints: what persists between launches. */
static inline void
dcache_checkpoint(const struct dcache *d, struct set_assoc *to)
{
    set_assoc_copy(to, &d->lines);
}

static inline void
dcache_restore(struct dcache *d, const struct set_assoc *from)
{
    set_assoc_copy(&d->lines, from);
}

/* ---- end of a workgroup: dirty lines out, then the flush of the L2 ---- */

void
dcache_begin_flush(struct dcache *d);

/* Begins a flush that no workgroup waits for, only the requests that follow it; others
 * may be under way. */
void
dcache_queue_flush(struct dcache *d, uint64_t now);

/* The previous flush is dropped. */
void
dcache_end_flush(struct dcache *d);

/* FLUSH_DONE: since *at. */
static inline enum dcache_flush_step
dcache_flush_state(const struct dcache *d, uint64_t *at)
{
    *at = d->state.flush.at;
    return d->state.flush.step;
}

/* ---- fences without coherence ---- */

/*
 * The next dirty line from *next on goes to the L2, once there is room if it
 * waits for that; false: none is left.  And: all lines are invalid.
 */
bool
dcache_write_next(struct dcache *d, uint64_t now, unsigned *next, bool waits);

void
dcache_invalidate(struct dcache *d);

static inline unsigned
dcache_misses(const struct dcache *d)
{
    return d->state.mshr.used;
}

/* Are stores in the queue or not answered, or is something else in the queue? */
bool
dcache_has_stores(const struct dcache *d);

/* Have all stores been answered, and has nothing to leave? */
bool
dcache_is_settled(const struct dcache *d);

/* Does the victim of a line wait for room in the queue, with faults = rtl?  The
 * requests in the queue may wait for answers that come after the next line: for ever. */
bool
dcache_is_stuck(const struct dcache *d);
