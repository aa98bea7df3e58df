/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Which commands of a context are ordered, by vector clocks, for --check=api.  Commands of
 * which each is ordered behind the one before form a chain; an in-order queue is one.  A
 * command has a number in its chain, and a clock: of each chain the last command that
 * is ordered before it.  The program has a clock, too: of what it has waited for, which is
 * ordered before all that it enqueues later.
 *
 *     queue 0:  1 ── 2 ── 3            clock of 3: (3, 1)
 *                   /                  2 waits for an event of the first of queue 1
 *     queue 1:  1 ── 2                 clock of 2: (0, 2): neither order with 2 or 3
 *
 * All of it is under the lock of the context.
 */
enum { ORDER_CHAINS = 64 };

struct order_clock {
    uint32_t at[ORDER_CHAINS];
};

struct order {
    struct order_clock program;
    uint32_t last[ORDER_CHAINS]; /* the number of the last command of a chain */
    unsigned chains;
    struct order_read *reads; /* owned; among them some that were waited for */
};

/* A read without blocking, until the program has waited for it. */
struct order_read {
    struct order_read *next;
    unsigned chain;
    uint32_t number; /* 0: it has not begun */
    bool ignored;    /* and never will, or there are too many chains */
    unsigned type;   /* of the command */
    void *caller;
};

/* Of a command, or of a user event, which has no number. */
struct order_stamp {
    struct order_clock clock;
    unsigned chain;
    uint32_t number; /* 0: it has not begun, or there are too many chains */
    void *caller;    /* origin.h: who enqueued it */
    struct order_read *read; /* of the context's list; or NULL */
};

/* All of `before` is ordered before what has the clock. */
void
order_join(struct order_clock *clock, const struct order_clock *before);

/* The command, which is enqueued, is a read.  False: no host memory, and it is none. */
bool
order_add_read(struct order *order, struct order_stamp *stamp, unsigned type);

/* Frees the reads of which the program knows that they have ended; all reads if `all`. */
void
order_drop_reads(struct order *order, bool all);

/* A command begins, and all that it had to wait for has ended: its number. */
void
order_begin(struct order *order, struct order_stamp *stamp);

/* Is command `number` of a chain ordered before what has the clock?  0: as if it was. */
static inline bool
order_is_before(unsigned chain, uint32_t number,
                const struct order_clock *clock)
{
    return number <= clock->at[chain];
}
