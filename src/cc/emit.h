/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/cc.h"
#include "cc/code.h"
#include "cc/moves.h"
#include "cc/rpc.h"

/* The state that emit.c, which lays blocks out, and emit_insn.c share. */
enum {
    REG_RA = 1,
    REG_SP = 2,
    REG_TP = 4,
    REG_T1 = 6,
    MOVES_MAX = 1024,
    BRANCH_RANGE = 4000
};

/* The way in which t1 gets its base address. */
enum anchor {
    ANCHOR_NEAR, /* the kernel's start */
    ANCHOR_FAR,  /* ANCHOR_MIDDLE after its start */
    ANCHOR_NONE  /* anew each time */
};

enum { ANCHOR_MIDDLE = 2047, SETRPC_MIN = -2048, SETRPC_MAX = 2047 };

struct emit {
    struct cc *c;
    const struct cc_target *target;
    struct ir_func *f;
    struct cc_code *code;
    struct ir_block **order;
    unsigned n;
    uint32_t *at; /* by block id: offset */
    bool *far;    /* by block id: its branch needs jumps */
    bool *skip;   /* by block id: only jumps on, not emitted */
    struct rpc_plan rpc;
    enum anchor anchor;
    bool final; /* offsets are right now: errors count */
    bool bad;
    uint32_t line, column, file;
    bool prologue; /* the next row is the first after it */
};

/* The offset of the next word. */
static inline uint32_t
emit_here(const struct emit *e)
{
    return (uint32_t)e->code->words.n;
}

void
emit_word(struct emit *e, struct ventus_isa_insn in);

/* Emits the hint of the object of an access (abi/hints.h). */
void
emit_object(struct emit *e, const struct ir_insn *in);

/* The block that a jump to b leads to: blocks that only jump on are skipped. */
const struct ir_block *
emit_target(const struct emit *e, const struct ir_block *b);

/* Sets t1 for the whole kernel, by its first instructions. */
void
emit_anchor(struct emit *e);

int32_t
emit_from_anchor(const struct emit *e, const struct ir_block *b);

void
emit_setrpc(struct emit *e, const struct ir_block *meet);

/* The offset of ra from sp. */
int32_t
emit_ra_at(const struct emit *e);

/* Whether the instruction becomes machine code; a block without any is left out. */
bool
emit_has_code(const struct emit *e, const struct ir_insn *in);

/* Emits an instruction of b; the block `next` follows b. */
void
emit_insn(struct emit *e, const struct ir_block *b, const struct ir_insn *in,
          const struct ir_block *next);
