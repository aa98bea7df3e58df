/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/collect.h"
#include "model/fifo.h"

struct result {
    const struct model_op *op;
    uint8_t warp;
    uint64_t id;
};

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

struct branch {
    uint8_t warp;
    bool jump, none; /* none: nothing but the lock to release */
    uint32_t target;
    uint64_t id;
};

struct units {
    struct fifo out[QUEUES];
    unsigned full;         /* bits of queues that hold something */
    uint64_t due;          /* no result is ready before */
    unsigned branches;     /* in the three queues below */
    uint64_t free[QUEUES]; /* when the next may start */
    struct result result[QUEUES][FIFO_MAX];
    struct fifo scalar_branch, vector_branch, simt;
    struct branch sb[FIFO_MAX], vb[FIFO_MAX], st[FIFO_MAX];
    uint64_t sfu_free;
    bool x_free, v_free; /* write-back has room for the LSU */
};

void
units_writeback(struct sm *s);

void
units_branches(struct sm *s);

bool
units_take(struct sm *s, struct flight *f);

void
units_result(struct sm *s, enum unit_queue q, struct result r, unsigned cycles);
