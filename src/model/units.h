/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/collect.h"
#include "model/fifo.h"

struct sm;

struct result {
    const struct model_op *op;
    uint64_t id;
    uint8_t warp;
    bool vector; /* what it writes */
    bool again;  /* it was written already */
};

/* In the order in which they write results back. */

enum unit_queue {
    Q_SALU,
    Q_VALU,
    Q_FPU,
    Q_LSU,
    Q_CSR,
    Q_SFU,
    Q_MUL,
    Q_TENSOR,
    QUEUES
};

/* What starts an instruction. */
enum unit_kind {
    UNIT_PIPELINED,
    UNIT_SCALAR,
    UNIT_LSU,
    UNIT_SFU,
    UNIT_SIMT,
    UNIT_CONTROL
};

struct branch {
    uint8_t warp;
    bool jump, none; /* none: nothing but the lock to release */
    uint32_t target;
    uint64_t id;
};

struct units {
    uint64_t due;        /* no result is ready before */
    unsigned full;       /* bits of queues that hold something */
    unsigned branches;   /* in the three queues below */
    bool x_free, v_free; /* write-back has room for the LSU */
    bool sum_vector;     /* the last sum of the FPU was a vector */
    uint64_t sfu_free;
    uint64_t free[QUEUES]; /* when the next may start */
    struct fifo out[QUEUES];
    struct result result[QUEUES][FIFO_MAX];
    struct fifo scalar_branch, vector_branch, simt;
    struct branch sb[FIFO_MAX], vb[FIFO_MAX], st[FIFO_MAX];
};

void
units_writeback(struct sm *s);

void
units_branches(struct sm *s);

bool
units_take(struct sm *s, struct inflight *f);

/* Of a vector of a warp through a unit. */
unsigned
units_passes(const struct ventus_model_config *config, unsigned lanes);

/* Where an instruction starts and how long that takes, on this machine. */
void
units_place(struct model_op *o, const struct ventus_model_config *config,
            unsigned lanes);

void
units_result(struct sm *s, enum unit_queue q, struct result r, unsigned cycles);
