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

enum dcache_flush {
    FLUSH_NO,
    FLUSH_WANTED,
    FLUSH_WRITES, /* dirty lines leave */
    FLUSH_L2,     /* the L2 is asked, and walks its lines */
    FLUSH_HINTS,  /* it has, and is asked once more; requests pass */
    FLUSH_DONE
};

/* State of one run.  What each cycle looks at comes first. */
struct dcache_state {
    unsigned misses;    /* valid MSHRs */
    unsigned writes;    /* valid entries of stores */
    bool busy;          /* false: nothing changes until something comes, */
    bool awaits_bus;    /* or the bus is open for what is in `queue` */
    bool leaves;        /* `leaving` goes to the bus's register */
    bool fill_out;      /* a request that waited for a line leaves now */
    bool filled_before; /* one was answered in the last cycle */
    bool write_waits;   /* a store to a line that is being read */
    bool late; /* it waited, and is looked up once more in the next cycle */
    /* A register holds what stage 1 did: a hit waits there for its answer. */
    bool held, held_hit, answered;
    bool status_was_odd;
    bool probed_write;              /* on the wires to the tags, */
    uint64_t probed;                /* with this line */
    bool missed;                    /* a load's miss was noted in this cycle */
    bool missed_new;                /* and took an MSHR */
    bool victim_waits, victim_left; /* left: in this cycle */
    /* The LSU offers the flush that is wanted; the one that follows, before accesses. */
    bool flush_offered, flush_first;
    uint64_t missed_line, victim;
    enum dcache_flush flush;
    unsigned flush_next, fill_next;
    unsigned flushes;       /* that are to follow this one */
    unsigned acks;          /* of the L2, that are awaited */
    unsigned queued;        /* in queue, when the cycle began */
    uint64_t blocked_until; /* tags are busy */
    uint64_t inject_at, victim_at, flush_at;
    struct dcache_miss *closing; /* MSHR of the line that came: not free yet */
    struct data_request held_request, fill_request, filled_request;
    struct data_request late_request;
    uint64_t tags[DCACHE_WAYS]; /* of the set that was read last */
    struct data_port in;        /* from the LSU */
    struct data_port st1;       /* tags were read */
    struct data_port out;       /* answers */
    /* A line that came: its waiting requests are answered one a cycle. */
    struct dcache_miss fill;
    struct mem_request leaving;
    struct write_entry write[DCACHE_WRITES];
    struct mem_port queue;    /* to the L2 */
    struct mem_port response; /* from the L2 */
    /* Entries of stores that the L2 answered, if these pass the lines. */
    struct line_port stores_done;
    struct dcache_miss miss[DCACHE_MSHRS];
};

/* The L1 data cache of an SM. */
struct dcache {
    const struct ventus_model_config *config;
    struct ventus_model_stats *stats;
    unsigned sm;
    uint64_t age0;          /* cycles of all launches before */
    uint64_t now;           /* its cycle, while it is ticked */
    struct set_assoc lines; /* persists between launches */
    struct dcache_state state;
};

/* What is outside of it, in a cycle. */
struct dcache_wires {
    bool bus_open;   /* the bus would take a request */
    bool bus_polled; /* it need not be ticked to find out: dcache_awaits_bus */
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

/* The port of the LSU: is there room, and a request. */
static inline bool
dcache_has_room(const struct dcache *d, uint64_t now)
{
    return data_port_has_room(&d->state.in, now);
}

void
dcache_request(struct dcache *d, uint64_t now, const struct data_request *r);

/* Answers to the LSU: is one ready, and that. */
static inline bool
dcache_has_answer(const struct dcache *d, uint64_t now)
{
    return data_port_ready(&d->state.out, now);
}

static inline struct data_request
dcache_take_answer(struct dcache *d, uint64_t now)
{
    return data_port_pop(&d->state.out, now);
}

/* An answer of the L2; false: there is no room, it comes again. */
bool
dcache_deliver(struct dcache *d, uint64_t now, const struct mem_request *r);

/* What goes to the bus after a tick: is there a request, and that. */
static inline bool
dcache_leaves(const struct dcache *d)
{
    return d->state.leaves;
}

struct mem_request
dcache_take_leaving(struct dcache *d);

/* Might a tick in this cycle look at the wires? */
static inline bool
dcache_needs_bus(const struct dcache *d, uint64_t now)
{
    return mem_port_ready(&d->state.queue, now);
}

static inline bool
dcache_waits_for_lsu(const struct dcache *d)
{
    return d->state.flush == FLUSH_WANTED;
}

/* While it is not busy a tick changes nothing. */
static inline bool
dcache_is_busy(const struct dcache *d)
{
    return d->state.busy;
}

/* But that a request leaves, once the bus would take it. */
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
    d->state.busy |= d->state.awaits_bus;
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
    return !t->busy && !t->awaits_bus && !t->in.fifo.n && !t->out.fifo.n;
}

/* When it can do something again, of what is not busy: an answer leaves. */
static inline uint64_t
dcache_next_event(const struct dcache *d)
{
    return data_port_next(&d->state.out);
}

/* Lookahead: when a request may go on towards the L2; UINT64_MAX: not before
 * others do something. */
uint64_t
dcache_lookahead(const struct dcache *d);

/* Is an answer of the L2 awaited? */
static inline bool
dcache_awaits_l2(const struct dcache *d)
{
    return d->state.misses || d->state.writes || d->state.flush ||
           d->state.acks;
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

/* ---- end of a workgroup: dirty lines out, behind them the L2's flush ---- */

void
dcache_begin_flush(struct dcache *d);

/* One that nothing waits for but the requests behind it; it may follow others
 * that are not done. */
void
dcache_queue_flush(struct dcache *d, uint64_t now);

/* The previous flush is dropped. */
void
dcache_end_flush(struct dcache *d);

/* FLUSH_DONE: since *at. */
static inline enum dcache_flush
dcache_flush_state(const struct dcache *d, uint64_t *at)
{
    *at = d->state.flush_at;
    return d->state.flush;
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
    return d->state.misses;
}

/* Are stores in the queue or not answered, or is something else in the queue? */
bool
dcache_has_stores(const struct dcache *d);

/* Have all stores been answered, and has nothing to leave? */
bool
dcache_is_settled(const struct dcache *d);

/* Does the victim of a line wait for room in the queue, with faults = rtl?  The
 * answers that those in the queue wait for may be behind the next line, for ever. */
bool
dcache_is_stuck(const struct dcache *d);
