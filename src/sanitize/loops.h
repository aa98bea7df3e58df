/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sim/lanes.h"

/*
 * Loops that never end.  Two kinds are certain:
 *
 *   - no path from the warp's pc leads to an endprg
 *   - all warps that run repeat their state (registers, masks, stacks), no
 *     memory has changed meanwhile, and no other part can change it
 *
 * The second is searched in windows of time: one begins after 4 turns of each
 * warp, each further one when twice as many have passed.  In a window each warp's
 * state at the end of a turn is compared with that at the same pc in the next.
 * Elsewhere it costs a test for each turn and a look at what atomics change.
 */
struct sanitize;
struct sanitize_words;

/* The loop that a warp may never leave. */
struct infinite_loop_warp {
    bool over;    /* it has ended */
    bool saved;   /* the three below are there */
    bool stuck;   /* it came to the same state again */
    bool counted; /* it has read a counter since */
    uint32_t pc;
    uint64_t hash[2], changes, retired;
    unsigned sure;   /* turns since it is stuck */
    unsigned looked; /* times that its state was compared */
    uint64_t at; /* what its last load or atomic in the loop accesses, and */
    uint32_t at_pc;
    bool has_at;
};

/* The work-item that last changed a word by an atomic. */
struct infinite_loop_writer {
    uint64_t at, group;
    uint32_t pc;
    uint16_t warp;
    uint8_t lane;
    bool known;
};

enum { INFINITE_LOOP_WRITERS = 1 << 12 };

struct infinite_loops {
    bool watches;   /* in a window */
    uint64_t turns; /* of all warps */
    uint64_t next;  /* window, and where the one now ends */
    uint64_t until;
    uint64_t changes; /* of memory while watching, or what may be one */
    struct infinite_loop_writer writer[INFINITE_LOOP_WRITERS]; /* by address */
};

void
infinite_loop_start(struct sanitize *c);

/* A turn of a warp begins. */
void
infinite_loop_begin_turn(struct sanitize *c, struct sim_warp *w);

/* Compares the state at `op`, in a window, with the one that was saved. */
void
infinite_loop_look(struct sanitize *c, struct sim_warp *w,
                   const struct sim_op *op);

/* The turn has ended at `op`.  True: the launch cannot end, a finding says so. */
bool
infinite_loop_end_turn(struct sanitize *c, struct sim_warp *w,
                       const struct sim_op *op);

/* The words of an access that is about to be done.  Then: which have changed? */
struct infinite_loop_words {
    bool follows;
    uint32_t value[MEM_WORDS_MAX];
};

void
infinite_loop_before(const struct sanitize *c, struct sim_warp *w,
                     const struct sim_op *op, const struct sanitize_words *list,
                     struct infinite_loop_words *before);

void
infinite_loop_after(struct sanitize *c, struct sim_warp *w,
                    const struct sim_op *op, const struct sanitize_words *list,
                    const struct infinite_loop_words *before);
