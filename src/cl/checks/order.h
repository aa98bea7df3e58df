/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * The order of the commands of a context, by vector clocks, for --check=api.  Commands
 * of which each is ordered after the one before form a chain; an in-order queue is
 * one.  A command has a number in its chain, and a clock: for each chain the last
 * command that is ordered before it.  The program has a clock, too: of the commands
 * that it has waited for, which are ordered before all that it enqueues later.
 *
 *     queue 0:  1 ── 2 ── 3            clock of 3: (3, 1)
 *                   /                  2 waits for an event of the first of queue 1
 *     queue 1:  1 ── 2                 clock of 2: (0, 2): neither order with 2 or 3
 *
 * All data are protected by the lock of the context.
 */
enum { ORDER_CHAINS = 64 };

struct order_clock {
    uint32_t at[ORDER_CHAINS];
};

struct order {
    struct order_clock program;
    uint32_t last[ORDER_CHAINS]; /* number of the last command by chain */
    unsigned chains;
    struct order_read *reads; /* owned; some may have been waited for */
};

/* A read without blocking, until the program has waited for it. */
struct order_read {
    struct order_read *next;
    unsigned chain;
    uint32_t number; /* 0: not begun */
    bool ignored;    /* will never begin, or there are too many chains */
    unsigned type;   /* type of the command */
    void *caller;
};

/* The stamp of a command, or of a user event, which has no number. */
struct order_stamp {
    struct order_clock clock;
    unsigned chain;
    uint32_t number;         /* 0: not begun, or there are too many chains */
    void *caller;            /* caller that enqueued it: call_site.h */
    struct order_read *read; /* element of the context's list; or NULL */
};

/* Orders all commands of `before` before the one with the clock. */
void
order_join(struct order_clock *clock, const struct order_clock *before);

/* Records an enqueued command as a read.  False: no host memory, it is not recorded. */
bool
order_add_read(struct order *order, struct order_stamp *stamp, unsigned type);

/* Frees the reads whose end the program knows; all reads if `all`. */
void
order_drop_reads(struct order *order, bool all);

/* Numbers a command that begins: all its predecessors have ended. */
void
order_begin(struct order *order, struct order_stamp *stamp);

/* Whether command `number` of a chain is ordered before the one with the clock; true
 * for 0. */
static inline bool
order_is_before(unsigned chain, uint32_t number,
                const struct order_clock *clock)
{
    return number <= clock->at[chain];
}
