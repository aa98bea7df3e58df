/* SPDX-License-Identifier: Apache-2.0 */
/* The tile extension's names for what words.h does. */
#include <ventus/tile_isa.h>

#include "isa/words.h"

unsigned
tile_decode(const uint32_t *words, size_t count, struct tile_insn *out)
{
    return words_decode(&tile_words, words, count, out) / 4;
}

unsigned
tile_encode(const struct tile_insn *in, uint32_t words[TILE_WORDS_MAX])
{
    return words_encode(&tile_words, in, words);
}

const char *
tile_check(const struct tile_insn *in, char *text, size_t size)
{
    return words_check(&tile_words, in, text, size);
}

size_t
tile_print(const struct tile_insn *in, const struct words_print *options,
           char *out, size_t size)
{
    return words_print(&tile_words, in, options, out, size);
}

enum tile_unit
tile_unit_of(const struct tile_insn *in)
{
    unsigned unit = tile_words.rows[in->op].unit;
    if (unit == TILE_UNIT_GLSU && in->space)
        return TILE_UNIT_SLSU;
    return (enum tile_unit)unit;
}

uint32_t
tile_flags_of(const struct tile_insn *in)
{
    return tile_words.rows[in->op].flags;
}
