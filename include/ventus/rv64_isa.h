/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The instructions of the tile core's RISC-V hart: decode, encode, print.
 *
 * Generated from src/isa/rv64.isa: RV64IMAFDC, Zicsr, Zifencei, and the part of V
 * that feeds a tile core.  An instruction is 2 or 4 bytes:
 *
 *     struct ventus_rv64_insn in;
 *     unsigned bytes = ventus_rv64_decode(word, &in);
 *
 * 0 bytes: no instruction.  For 2 bytes the upper half of the word is ignored.
 * Compressed instructions are rows of their own; ventus_rv64_fill completes
 * their operands.  Allocates nothing, keeps no state.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ventus/rv64_ops.h> /* generated: struct ventus_rv64_insn */
#include <ventus/words.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__ /* Exported, whatever -fvisibility says. */
#pragma GCC visibility push(default)
#endif

enum { VENTUS_RV64_TEXT_MAX = 96 };

/* Decodes an instruction and returns its bytes, 2 or 4; 0: the word is no instruction. */
unsigned
ventus_rv64_decode(uint32_t word, struct ventus_rv64_insn *out);

/* Encodes an instruction and returns its bytes, 2 or 4; 0: a member does not fit. */
unsigned
ventus_rv64_encode(const struct ventus_rv64_insn *in, uint32_t *word);

size_t
ventus_rv64_print(const struct ventus_rv64_insn *in,
                  const struct ventus_words_print *options, char *out,
                  size_t size);

/* Fills in the operands that a compressed instruction leaves out. */
void
ventus_rv64_fill(struct ventus_rv64_insn *in);

/* Flags of an instruction: enum ventus_rv64_flag, or-ed. */
uint32_t
ventus_rv64_flags_of(const struct ventus_rv64_insn *in);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
