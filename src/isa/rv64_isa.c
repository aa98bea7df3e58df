/* SPDX-License-Identifier: Apache-2.0 */
/* The RISC-V hart's instance of the functions of words.h. */
#include <ventus/rv64_isa.h>

#include "isa/words.h"

unsigned
ventus_rv64_decode(uint32_t word, struct ventus_rv64_insn *out)
{
    if ((word & 3) != 3)
        word &= 0xffff;
    return words_decode(&rv64_words, &word, 1, out);
}

unsigned
ventus_rv64_encode(const struct ventus_rv64_insn *in, uint32_t *word)
{
    uint32_t words[WORDS_MAX];
    if (!words_encode(&rv64_words, in, words))
        return 0;
    *word = words[0];
    return in->size;
}

size_t
ventus_rv64_print(const struct ventus_rv64_insn *in,
                  const struct ventus_words_print *options, char *out,
                  size_t size)
{
    return words_print(&rv64_words, in, options, out, size);
}

void
ventus_rv64_fill(struct ventus_rv64_insn *in)
{
    uint32_t flags = ventus_rv64_flags_of(in);
    if (flags & VENTUS_RV64_F_ACCUM)
        in->rs1 = in->rd;
    if (flags & VENTUS_RV64_F_ONSP)
        in->rs1 = 2;
    if (flags & VENTUS_RV64_F_LINK)
        in->rd = 1;
}

uint32_t
ventus_rv64_flags_of(const struct ventus_rv64_insn *in)
{
    return rv64_words.rows[in->op].flags;
}
