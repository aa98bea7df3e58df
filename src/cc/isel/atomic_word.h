/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/isel/tr.h"

/* Bits of the field aqrl of an instruction. */
enum { RL = 1, AQ = 2 };

unsigned
tr_atomic_marks(LLVMValueRef in);

unsigned
tr_exchange_marks(LLVMValueRef in);

/* An atomic row on `words` words; v may be IR_NONE.  What it gives: of sc a word. */
ir_val
tr_atomic_insn(struct tr *t, unsigned op, enum ir_space space, ir_val address,
               ir_val v, unsigned words, unsigned marks);

/* An atomic on a word; v may be IR_NONE.  Returns the old value. */
ir_val
tr_atomic_word(struct tr *t, unsigned op, enum ir_space space, ir_val address,
               ir_val v, unsigned marks);

/* Upstream's machines disagree on atomics: an error there, true after one. */
bool
tr_refuse_atomics(struct tr *t);
