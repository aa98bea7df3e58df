/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/debug_assert.h"

/*
 * A queue of the hardware: positions in an array that its owner has.  What is
 * pushed in one cycle can be seen `latency` cycles later.  One that flows has
 * room for as many as it gives away in the same cycle; the others look at how
 * full they were when the cycle began.  One that was emptied begins at the start of
 * its array again, so that most need few of the processor's cache lines.
 */
enum { FIFO_MAX = 32 };

struct fifo {
    uint8_t depth, latency, n, head;
    bool flows;
    uint64_t popped;
    uint64_t at[FIFO_MAX]; /* when it can be seen */
};

static inline void
fifo_init(struct fifo *f, unsigned depth, unsigned latency, bool flows)
{
    assert(depth <= FIFO_MAX && "limits of the configuration are no larger");
    *f = (struct fifo){ .depth = (uint8_t)depth,
                        .latency = (uint8_t)latency,
                        .flows = flows,
                        .popped = UINT64_MAX };
}

static inline bool
fifo_has_room(const struct fifo *f, uint64_t now)
{
    return f->n + (!f->flows && f->popped == now) < f->depth;
}

static inline bool
fifo_ready(const struct fifo *f, uint64_t now)
{
    return f->n && f->at[f->head] <= now;
}

static inline unsigned
fifo_push(struct fifo *f, uint64_t now)
{
    debug_assert(f->n < FIFO_MAX && f->head < FIFO_MAX);
    unsigned i = (f->head + f->n++) % FIFO_MAX;
    f->at[i] = now + f->latency;
    return i;
}

static inline unsigned
fifo_pop(struct fifo *f, uint64_t now)
{
    debug_assert(f->n && f->at[f->head] <= now &&
                 "only what is seen can be taken");
    unsigned i = f->head;
    f->head = --f->n ? (uint8_t)((i + 1) % FIFO_MAX) : 0;
    f->popped = now;
    return i;
}

/* When the first item can be seen; UINT64_MAX: there is none. */
static inline uint64_t
fifo_next(const struct fifo *f)
{
    return f->n ? f->at[f->head] : UINT64_MAX;
}
