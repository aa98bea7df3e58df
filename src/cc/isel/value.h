/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/isel/tr.h"

struct tr_value
tr_get(struct tr *t, LLVMValueRef v);

/* The only word of a value. */
ir_val
tr_get1(struct tr *t, LLVMValueRef v);

void
tr_set(struct tr *t, LLVMValueRef key, const ir_val *words, unsigned n);

void
tr_set1(struct tr *t, LLVMValueRef key, ir_val v);

/* The two words of an integer of 64 bits that is tr_unit() values at `at`, and
 * back. */
void
tr_split(struct tr *t, const ir_val *at, ir_val words[2]);

void
tr_join(struct tr *t, const ir_val words[2], ir_val *at);

/* A scalar as words, whatever its IR values are; and sets one, or a structure
 * that begins with it. */
struct tr_value
tr_get_words(struct tr *t, LLVMValueRef v);

void
tr_set_words(struct tr *t, LLVMValueRef key, const ir_val *words, unsigned n);

struct tr_value
tr_new_value(struct tr *t, unsigned n);

/* isel/const.c: the words of a constant, as tr_get has them.  It is declared here because a
 * constant expression is an instruction (isel/int.h) on values. */
struct tr_value
tr_constant(struct tr *t, LLVMValueRef v);
