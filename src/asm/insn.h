/* SPDX-License-Identifier: Apache-2.0 */
/* Encodes instructions. */
#pragma once

#include "asm/operand.h"

/* Encodes and appends what an attempt holds, with a prefix if it needs one. */
bool
insn_emit(struct assembler *a, struct attempt *t);

/* Appends one plain word that may carry a fixup. */
bool
insn_word(struct assembler *a, uint32_t word);

/* Puts a value into the pieces of a field. */
uint32_t
insn_put_field(uint32_t word, const struct ventus_isa_field *f, int64_t value);

/* The number `value` in a field: NULL, or what is wrong with it. */
const char *
insn_check_range(struct assembler *a, const struct ventus_isa_field *f,
                 unsigned width, int64_t value);

/* Index of the field of that name. */
uint8_t
insn_field(const char *name);
