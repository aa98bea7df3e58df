/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/memory/memory.h"
#include "model/memory/set_assoc.h"
#include "model/request.h"

enum { L2_MSHRS = 64, L2_LIST = 16, L2_HITS = 8 };

struct l2_mshr {
    bool ask, filled, write_tags;
    bool get, mixed;       /* the first request is a GET; others came, too */
    bool allocates, keeps; /* as one of its loads wants it */
    struct way *way;       /* the line's, if that was chosen with the miss */
    uint64_t ask_at, fill_at;
    uint64_t line;
    struct mem_request list[L2_LIST];
    unsigned n;
};

/* State that persists between launches. */
struct l2_persistent {
    unsigned last; /* MSHR that had its turn */
    bool walked;   /* the counter of the walk has been used */
    uint16_t
        lfsr; /* state of the policy: only reset clears it (Directory_test.scala) */
};

/* A line whose tag is written when the walk is over. */
struct l2_late {
    struct way *way;
    uint64_t line;
    bool keeps;
};

/* State of one run. */
struct l2_state {
    uint64_t valid, valid_before; /* bits of its MSHRs */
    unsigned listed, puts;
    unsigned listed_before, puts_before; /* when the cycle began */
    struct mem_port in, hits;
    struct line_port writes; /* the write buffer */
    bool looked;             /* a request reads the directory */
    bool look_hits;          /* the last one that did has hit */
    bool hits_open;          /* room for a hit when the cycle began */
    struct mem_request look;
    uint64_t look_at, dir_written;
    uint64_t dir_line, seen_set; /* written then; of the last request seen */
    bool answering, answer_sent, answer_written, answer_from_memory;
    uint64_t answer_at, free_at;
    struct mem_request answer;
    uint64_t opens_at; /* the directory is being cleared before */
    bool flushing;
    uint64_t flushed_at;
    struct mem_request flush;
    struct l2_late late[L2_MSHRS]; /* lines that came during a walk */
    unsigned lates;
    struct l2_mshr mshr[L2_MSHRS];
};

/* Where answers go: the ports of the SMs' caches and TLBs. */
struct l2_port {
    bool (*can_send)(void *ctx, const struct mem_request *r, uint64_t now);
    void (*send)(void *ctx, const struct mem_request *r, uint64_t now);
    void *ctx;
};

struct l2 {
    const struct ventus_model_config *config;
    struct ventus_model_stats *stats; /* one for each SM */
    struct memory *memory;
    struct l2_port port;
    uint64_t age0; /* cycles of all launches before */
    struct set_assoc lines;
    struct l2_persistent persistent;
    struct l2_state *state;
};

bool
l2_create(struct l2 *l, const struct ventus_model_config *config,
          struct ventus_model_stats *stats, struct memory *memory,
          const struct l2_port *port);

void
l2_destroy(struct l2 *l);

/* A run begins, so many cycles after the machine was made. */
void
l2_reset(struct l2 *l, uint64_t age0);

/* Checkpoints: what persists between launches. */
struct l2_persistent
l2_checkpoint(const struct l2 *l);

void
l2_restore(struct l2 *l, struct l2_persistent from);

/* Requests.  Is the queue full before a tick; does it take one, as of the begin of the
 * cycle? */
static inline bool
l2_is_full(const struct l2 *l)
{
    return l->state->in.fifo.n == l->state->in.fifo.depth;
}

static inline bool
l2_can_send(const struct l2 *l, uint64_t now)
{
    return mem_port_can_send(&l->state->in, now);
}

void
l2_send(struct l2 *l, uint64_t now, const struct mem_request *r);

/* A line that memory was asked for, for an MSHR. */
void
l2_memory_send(struct l2 *l, uint64_t now, const struct memory_request *r);

void
l2_tick(struct l2 *l, uint64_t now);

/* Nothing is in it: a tick does nothing. */
bool
l2_is_idle(const struct l2 *l);

/* Does the L2 walk its lines, at the end of a workgroup? */
bool
l2_is_flushing(const struct l2 *l);

/* The last cycle up to `now` in which it did; 0: none. */
uint64_t
l2_walked(const struct l2 *l, uint64_t now);

/* When it can do something again; no later, if it is not known. */
uint64_t
l2_next_event(const struct l2 *l);

/*
 * Lookahead: an SM has no answer before this cycle, neither of what it asked nor of
 * `next`, which comes to the port at cycle `at`, unless that is NULL.  UINT64_MAX:
 * it asked nothing.
 */
uint64_t
l2_lookahead(const struct l2 *l, unsigned sm, uint64_t now,
             const struct mem_request *next, uint64_t at);

/* Lookahead: the port has no room before this cycle, as of the begin of a cycle. */
uint64_t
l2_opens(const struct l2 *l, uint64_t now);

/* ---- between l2.c and l2_lookahead.c ---- */

static inline unsigned
l2_mshr_index(const struct l2 *l, const struct l2_mshr *e)
{
    assert(e >= l->state->mshr && e < l->state->mshr + l->config->l2.mshrs);
    return (unsigned)(e - l->state->mshr);
}

/* Cycles of a walk, the first or a later one, from the request to the next. */
uint64_t
l2_walk_cycles(const struct l2 *l, bool later);
