/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/code.h"
#include "cc/debuginfo/debug.h"
#include "cc/live.h"

/* Between debuginfo/flow.c, which finds what holds where, and debuginfo/ranges.c. */
/* Numbers of places: registers, words of the warp's stack, words of private memory
 * after the arrays. */
enum {
    DEBUG_REGS = 258,
    DEBUG_STACK = 2 * DEBUG_REGS,
    DEBUG_STACK_WORDS = 256
};

/* A word of a value that some ir_debug names. */
struct unit {
    ir_val v;
    unsigned place; /* DEBUG_NO_PLACE: nowhere */
    bool physical;  /* a scalar, or its word on the stack */
};

enum { DEBUG_NO_PLACE = UINT32_MAX };

/* A part of a variable. */
struct slot {
    uint32_t variable, offset_B, size_B;
    uint32_t next; /* of the same variable, 1 + its number */
};

/* The state of the dataflow analysis at one point. */
struct state {
    uint64_t *held;          /* by unit */
    struct ir_debug **bound; /* by slot */
};

struct unit_list {
    vec(unsigned) of;
};

/* An expression that holds from `start` on; n is 0: none does. */
struct open {
    uint32_t start;
    struct buf now;
};

struct flow {
    struct cc *c;
    struct ir_func *f;
    struct arena *arena;
    const struct cc_code *code;
    unsigned text;
    uint32_t text_start;
    vec(struct unit) units;
    uint32_t *first_unit; /* by value: 1 + its first */
    struct unit_list *at_place;
    unsigned n_places;
    vec(struct slot) slots;
    vec(uint32_t) variables; /* those that have slots */
    uint32_t *first_slot;    /* by variable: 1 + a slot */
    uint32_t *local;         /* by variable: its place in `variables` */
    struct state *out;       /* by block id */
    bool *known;             /* by block id: `out` is */
    uint64_t **leaves;       /* by block id: units that are lost there */
    struct live_edges *extra;
    struct state now;
    ir_val **at;
    bool *dirty;       /* by place in `variables` */
    struct open *open; /* likewise */
    bool writing;
};

static inline bool
flow_is_held(const struct flow *w, unsigned unit)
{
    return w->now.held[unit / 64] >> unit % 64 & 1;
}

/* w->now is what holds at the start of a block. */
void
flow_begin_block(struct flow *w, const struct ir_block *b);

/* A record, and what an instruction writes and then has written, change it. */
void
flow_take_record(struct flow *w, struct ir_debug *d);

void
flow_lose(struct flow *w, struct ir_insn *in);

void
flow_define(struct flow *w, struct ir_insn *in);

/* Finds the parts of variables and the words of values, and what holds at the
 * end of each block. */
void
flow_find(struct flow *w);
