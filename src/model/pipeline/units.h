/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/model.h>

#include "model/pipeline/fpu.h"
#include "model/pipeline/inflight.h"
#include "model/pipeline/unit_class.h"
#include "model/port.h"

struct branch {
    uint8_t warp;
    bool jump, none; /* none: nothing but the lock to release */
    uint32_t target;
    uint64_t id;
};

PORT(branch_port, struct branch)

/* State of one run. */
struct units_state {
    uint64_t due;        /* no result is ready before */
    unsigned full;       /* bits of queues that hold something */
    unsigned branches;   /* in the three queues below */
    bool x_free, v_free; /* write-back has room for the LSU */
    bool sum_vector;     /* the last sum of the FPU was a vector */
    uint64_t sfu_free;
    uint64_t free[QUEUES]; /* when the next may start */
    struct fifo out[QUEUES];
    struct result result[QUEUES][FIFO_MAX];
    struct fpu fpu; /* in place of out[Q_FPU] if it has pipelines */
    struct branch_port scalar_branch, vector_branch, simt;
};

/* The execution units of an SM, but the LSU, and its write-back. */
struct units {
    const struct ventus_model_config *config;
    unsigned passes; /* a vector takes */
    bool fpu_pipes;
    struct units_state state;
};

void
units_init(struct units *u, const struct ventus_model_config *config,
           unsigned lanes);

void
units_reset(struct units *u);

/* Before write-back: a cycle begins. */
static inline void
units_begin(struct units *u)
{
    u->state.x_free = u->state.v_free = true;
}

/* Is a result ready? */
static inline bool
units_are_due(const struct units *u, uint64_t now)
{
    return u->state.due <= now;
}

/* Is a branch under way? */
static inline bool
units_have_branches(const struct units *u)
{
    return u->state.branches;
}

/* A scalar and a vector result are written in a cycle: how many, and which, until
 * the next is given. */
enum { UNITS_WRITE = 2 };

unsigned
units_writeback(struct units *u, uint64_t now, const struct result **written);

/* Branches that are resolved in a cycle: one whose warp's next pc is known, and one
 * that needs nothing but being resolved (none). */
struct units_resolved {
    bool resolved, none;
    struct branch branch, no_branch;
};

struct units_resolved
units_branches(struct units *u, uint64_t now, bool blocked);

/* May a branch that starts in this cycle be resolved in it, after the others? */
static inline bool
units_branches_flow(const struct units *u)
{
    return u->config->branch_flows && u->state.simt.fifo.n;
}

/* An instruction starts in the unit that it is for, if that takes it: not those of
 * the LSU and of warp control. */
bool
units_take(struct units *u, uint64_t now, const struct inflight *f);

/* Would it take it? */
bool
units_has_room(const struct units *u, uint64_t now, const struct inflight *f);

/* The port of the LSU to write-back: would it be free for its result; is one
 * there; and it comes. */
static inline bool
units_lsu_is_free(const struct units *u, bool vector)
{
    return vector ? u->state.v_free : u->state.x_free;
}

static inline bool
units_lsu_is_full(const struct units *u)
{
    return u->state.out[Q_LSU].n;
}

void
units_lsu_result(struct units *u, uint64_t now, const struct result *r);

/* The result is withdrawn before it was written. */
void
units_lsu_withdraw(struct units *u);

/* When a result or a branch can go on, or one that waits for its unit start. */
uint64_t
units_next_event(const struct units *u, uint64_t now, bool waits);
