/* SPDX-License-Identifier: Apache-2.0 */
/* The tile extension's instance of the functions of words.h. */
#include <ventus/tile_isa.h>

#include "isa/words.h"

unsigned
ventus_tile_decode(const uint32_t *words, size_t count,
                   struct ventus_tile_insn *out)
{
    return words_decode(&tile_words, words, count, out) / 4;
}

unsigned
ventus_tile_encode(const struct ventus_tile_insn *in,
                   uint32_t words[VENTUS_TILE_WORDS_MAX])
{
    return words_encode(&tile_words, in, words);
}

const char *
ventus_tile_check(const struct ventus_tile_insn *in, char *text, size_t size)
{
    return words_check(&tile_words, in, text, size);
}

size_t
ventus_tile_print(const struct ventus_tile_insn *in,
                  const struct ventus_words_print *options, char *out,
                  size_t size)
{
    return words_print(&tile_words, in, options, out, size);
}

enum ventus_tile_unit
ventus_tile_unit_of(const struct ventus_tile_insn *in)
{
    unsigned unit = tile_words.rows[in->op].unit;
    if (unit == VENTUS_TILE_UNIT_GLSU && in->space)
        return VENTUS_TILE_UNIT_SLSU;
    return (enum ventus_tile_unit)unit;
}

uint32_t
ventus_tile_flags_of(const struct ventus_tile_insn *in)
{
    return tile_words.rows[in->op].flags;
}
