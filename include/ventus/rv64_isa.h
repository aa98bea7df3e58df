/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The instructions of the tile core's RISC-V hart: decode, encode, print.
 *
 * Made from src/isa/rv64.isa: RV64IMAFDC, Zicsr, Zifencei, and the part of V
 * that feeds a tile core.  An instruction is 2 or 4 bytes:
 *
 *     struct rv64_insn in;
 *     unsigned bytes = rv64_decode(word, &in);      0: none; of two bytes the
 *                                                   upper half is not looked at
 * Compressed instructions are rows of their own; rv64_fill completes their
 * operands.  Allocates nothing, keeps no state.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ventus/rv64_ops.h> /* generated: enum rv64_op, struct rv64_insn */

#ifdef __cplusplus
extern "C" {
#endif

enum { RV64_TEXT_MAX = 96 };

struct words_isa;
struct words_print;
extern const struct words_isa rv64_words; /* the table, see isa/words.h */

/* Returns 2 or 4, or 0 if it is no instruction. */
unsigned
rv64_decode(uint32_t word, struct rv64_insn *out);

/* Returns 2 or 4, or 0 if a member does not fit. */
unsigned
rv64_encode(const struct rv64_insn *in, uint32_t *word);

size_t
rv64_print(const struct rv64_insn *in, const struct words_print *options,
           char *out, size_t size);

/* Fills in the operands that a compressed instruction leaves out. */
void
rv64_fill(struct rv64_insn *in);

/* enum rv64_flag, or-ed. */
uint32_t
rv64_flags_of(const struct rv64_insn *in);

#ifdef __cplusplus
}
#endif
