/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/isel/tr.h"

/* Adds a block and makes it the current one; branches are the caller's. */
struct ir_block *
tr_new_block(struct tr *t);

/* An instruction of the line that is translated. */
static inline void
tr_set_place(const struct tr *t, struct ir_insn *in)
{
    in->line = t->line;
    in->column = t->column;
    in->file = t->file;
    in->scope = t->scope;
}

/* An error about the user's kernel; false. */
bool
tr_fail(struct tr *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

ir_val
tr_const(struct tr *t, int32_t x);

bool
tr_is_const(struct tr *t, ir_val v, int32_t *x);

/* Operation on sources in slots 1 and 2; folds constants.  If one has two
 * words, of 64 bits: the other one, if it is one word, is sign-extended. */
ir_val
tr_op(struct tr *t, unsigned op, ir_val a, ir_val b);

ir_val
tr_op1(struct tr *t, unsigned op, ir_val a);

ir_val
tr_opi(struct tr *t, unsigned op, ir_val a, int32_t imm);

ir_val
tr_select(struct tr *t, ir_val c, ir_val a, ir_val b);

/* A new instruction at the end of the block, with a result of `words`. */
struct ir_insn *
tr_emit(struct tr *t, unsigned op, unsigned words);

/* A word of the metadata, or two of them.  Those that lie by dimension are
 * loaded at the start, where they become one access (combine.c). */
ir_val
tr_knl_word(struct tr *t, unsigned offset, unsigned words);

/* A word as 64 bits. */
ir_val
tr_extend(struct tr *t, ir_val word, bool is_signed);

ir_val
tr_pair(struct tr *t, ir_val lo, ir_val hi);

ir_val
tr_lo(struct tr *t, ir_val pair);

ir_val
tr_hi(struct tr *t, ir_val pair);

/* A pair operation on pairs. */
ir_val
tr_pair_op(struct tr *t, unsigned op, ir_val a, ir_val b);
