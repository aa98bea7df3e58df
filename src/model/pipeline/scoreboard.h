/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/debug_assert.h"
#include "model/bits.h"
#include "model/pipeline/decode.h"

/* Marks of registers that an instruction in flight will write. */
enum { BUSY = 1, BUSY_LSU = 2 };

/* State of one run; bits are warps. */
struct scoreboard_state {
    uint64_t branching;  /* a branch, a barrier or an end is under way */
    uint64_t collecting; /* an instruction is in an operand collector */
    uint64_t fencing;    /* a fence waits for accesses */
    uint64_t needs_load, needs_result; /* as found by scoreboard_look */
    uint64_t changed; /* warps whose readiness may be another */
};

/* The scoreboard of an SM. */
struct scoreboard {
    unsigned warps;
    uint8_t (*busy)[BUSY_COUNT]; /* marks, by register, for each warp */
    struct scoreboard_state state;
};

bool
scoreboard_create(struct scoreboard *b, unsigned warps);

void
scoreboard_destroy(struct scoreboard *b);

void
scoreboard_reset(struct scoreboard *b);

/* A warp begins in a slot. */
void
scoreboard_start(struct scoreboard *b, unsigned warp);

/* Marks of the registers that follow the first ones of pairs and longer groups. */
unsigned
scoreboard_check_spans(const struct scoreboard *b, unsigned warp,
                       const struct model_op *op);

/* Marks of the registers that an instruction needs; 0: it may issue. */
static inline unsigned
scoreboard_check(const struct scoreboard *b, unsigned warp,
                 const struct model_op *op)
{
    const uint8_t *busy = b->busy[warp];
    unsigned marks = 0;
    for (unsigned i = 0; i < OP_REGISTERS; i++)
        marks |= busy[op->needs[i]];
    if (op->spans)
        marks |= scoreboard_check_spans(b, warp, op);
    return marks;
}

/* Finds what a warp's next instruction needs; NULL: there is none.  An access
 * waits for a fence before it, a fence does not wait for a fence. */
static inline void
scoreboard_look(struct scoreboard *b, unsigned warp, const struct model_op *op)
{
    struct scoreboard_state *t = &b->state;
    uint64_t bit = bit_of(warp);
    unsigned marks = op ? scoreboard_check(b, warp, op) : 0;
    if (op && op->memory && !op->fence && t->fencing & bit)
        marks |= BUSY_LSU;
    bool load = marks & BUSY_LSU, result = marks == BUSY;
    t->needs_load = (t->needs_load & ~bit) | (uint64_t)load << warp;
    t->needs_result = (t->needs_result & ~bit) | (uint64_t)result << warp;
}

/* Warps whose next instruction waits for a load, or for another result. */
static inline uint64_t
scoreboard_needs_load(const struct scoreboard *b)
{
    return b->state.needs_load;
}

static inline uint64_t
scoreboard_needs_result(const struct scoreboard *b)
{
    return b->state.needs_result;
}

/* Warps that are locked: by a branch, by an instruction that collects. */
static inline uint64_t
scoreboard_branching(const struct scoreboard *b)
{
    return b->state.branching;
}

static inline uint64_t
scoreboard_collecting(const struct scoreboard *b)
{
    return b->state.collecting;
}

static inline uint64_t
scoreboard_fencing(const struct scoreboard *b)
{
    return b->state.fencing;
}

/* Warps that scoreboard_look may find another need of; they are told once. */
static inline uint64_t
scoreboard_take_changed(struct scoreboard *b)
{
    uint64_t changed = b->state.changed;
    b->state.changed = 0;
    return changed;
}

static inline uint64_t
scoreboard_changed(const struct scoreboard *b)
{
    return b->state.changed;
}

/* An instruction is issued: its results are marked, its warp is locked. */
void
scoreboard_set(struct scoreboard *b, unsigned warp, const struct model_op *op);

/* The results of an instruction are written. */
void
scoreboard_clear(struct scoreboard *b, unsigned warp,
                 const struct model_op *op);

/* An instruction left its operand collector. */
static inline void
scoreboard_collected(struct scoreboard *b, unsigned warp)
{
    debug_assert(b->state.collecting >> warp & 1);
    b->state.collecting &= ~bit_of(warp);
    b->state.changed |= bit_of(warp);
}

/* A branch is resolved: the warp's next pc is known. */
static inline void
scoreboard_resolved(struct scoreboard *b, unsigned warp)
{
    debug_assert(b->state.branching >> warp & 1);
    b->state.branching &= ~bit_of(warp);
    b->state.changed |= bit_of(warp);
}

/* A warp's accesses wait for those before, and wait no more. */
static inline void
scoreboard_fence(struct scoreboard *b, unsigned warp)
{
    b->state.fencing |= bit_of(warp);
}

static inline void
scoreboard_fenced(struct scoreboard *b, unsigned warp)
{
    debug_assert(b->state.fencing >> warp & 1);
    b->state.fencing &= ~bit_of(warp);
    b->state.changed |= bit_of(warp);
}
