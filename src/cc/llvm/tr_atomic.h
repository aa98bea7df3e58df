/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/llvm/tr.h"

/* Between tr_atomic.c and tr_atomic64.c. */

/* Of aqrl in an instruction. */
enum { RL = 1, AQ = 2 };

unsigned
tr_atomic_marks(LLVMValueRef in);

unsigned
tr_exchange_marks(LLVMValueRef in);

/* An atomic row on a word; v may be IR_NONE.  What it gives. */
ir_val
tr_atomic_word(struct tr *t, unsigned op, enum ir_space space, ir_val address,
               ir_val v, unsigned marks);

/* Upstream's machines disagree on atomics: an error there, true after one. */
bool
tr_refuse_atomics(struct tr *t);

/* LLVM's instructions on 64 bits. */
bool
tr_wide_rmw(struct tr *t, LLVMValueRef in);

bool
tr_wide_cmpxchg(struct tr *t, LLVMValueRef in);

bool
tr_wide_load(struct tr *t, LLVMValueRef in);

bool
tr_wide_store(struct tr *t, LLVMValueRef in);
