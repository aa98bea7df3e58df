/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/isel/tr.h"

/* The number of words of a type, as in tr_value. */
unsigned
tr_words(struct tr *t, LLVMTypeRef type);

/* Width of an integer, pointer or floating type. */
unsigned
tr_width(const struct tr *t, LLVMTypeRef type);

/* The number of IR values of an integer or a pointer of this width. */
unsigned
tr_unit(const struct tr *t, unsigned width);

/* Whether the IR value of a type, or of each element of a vector type, is a pair of two
 * words. */
bool
tr_is_pair(const struct tr *t, LLVMTypeRef type);

/* Returns the number of words of each of the tr_words() IR values of a type. */
const uint8_t *
tr_value_sizes(struct tr *t, LLVMTypeRef type);

/* Reports a type that struct tr_value has no words for; false if it is one: bitcode
 * may have integers of 128 bits, say, which clang does not make. */
bool
tr_check_type(struct tr *t, LLVMTypeRef type);

enum ir_space
tr_space(struct tr *t, LLVMValueRef pointer);
