/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tile extension's instructions: decode, encode, print.
 *
 * The library is generated from one table, src/isa/tile.isa.  A tile instruction
 * is a sequence of 1 to 4 words, [W2 [W2]] W1 W0 in rising addresses, and
 * architecturally one instruction: redundant fields must agree, reserved bits
 * must be 0, values must be listed, or the whole instruction is illegal.
 *
 *     struct ventus_tile_insn in;
 *     unsigned n = ventus_tile_decode(words, count, &in);  n = words taken
 *     in.op == VENTUS_TILE_LD_UI, in.td == 16, in.rs1 == 10, in.n == 3 (log2)
 *     char text[VENTUS_TILE_TEXT_MAX];
 *     ventus_tile_print(&in, NULL, text, sizeof text);
 *                                           "tld.g   tr16, 0(a0), n=8"
 *     ventus_tile_encode(&in, words);              == n, same words
 *
 * The document that the encodings come from leaves much open; docs/tile.md
 * marks each fact as stated there, inferred, or defined by this project.
 * The library allocates nothing, keeps no state and is safe from any thread.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ventus/tile_ops.h> /* generated: struct ventus_tile_insn */
#include <ventus/words.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__ /* Exported, whatever -fvisibility says. */
#pragma GCC visibility push(default)
#endif

enum { VENTUS_TILE_WORDS_MAX = 4, VENTUS_TILE_TEXT_MAX = 96 };

/* Sizes that tinfo reports; the document does not state them. */
enum ventus_tile_size {
    VENTUS_TILE_ROWS = 8,
    VENTUS_TILE_ROW_B = 32,
    VENTUS_TILE_B = VENTUS_TILE_ROWS * VENTUS_TILE_ROW_B,
    VENTUS_TILE_REGISTERS = 256,
    VENTUS_TILE_THREADS = 8, /* per PE */
    VENTUS_TILE_PES = 4      /* per cluster */
};

/* Whether a word belongs to the extension. */
static inline bool
ventus_tile_is_word(uint32_t word)
{
    return (word & 0x7f) == VENTUS_TILE_OP;
}

/* Decodes an instruction and returns its words; 0: illegal, or cut off at `count`. */
unsigned
ventus_tile_decode(const uint32_t *words, size_t count,
                   struct ventus_tile_insn *out);

/* Encodes an instruction and returns its words; 0: a member does not fit. */
unsigned
ventus_tile_encode(const struct ventus_tile_insn *in,
                   uint32_t words[VENTUS_TILE_WORDS_MAX]);

/* The reason why an instruction cannot be encoded, in `text` or static; NULL: it can
 * be. */
const char *
ventus_tile_check(const struct ventus_tile_insn *in, char *text, size_t size);

/* Prints into `out`, with a zero byte, cut to `size`; returns the length. */
size_t
ventus_tile_print(const struct ventus_tile_insn *in,
                  const struct ventus_words_print *options, char *out,
                  size_t size);

/* The unit of the row in the table; glsu stands for slsu, too. */
enum ventus_tile_unit
ventus_tile_unit_of(const struct ventus_tile_insn *in);

/* Flags of an instruction: enum ventus_tile_flag, or-ed. */
uint32_t
ventus_tile_flags_of(const struct ventus_tile_insn *in);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
