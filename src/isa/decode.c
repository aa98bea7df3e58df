/* SPDX-License-Identifier: Apache-2.0 */
/* The decoder: words to instructions; prefix.c applies a prefix to the next word. */
#include <ventus/isa.h>

#include <string.h>

#include "base/bits.h"
#include "isa/lookup.h"
#include "isa/prefix.h"

/* The fixed bits of a row: a word is that instruction if (word & mask) == match. */
struct row {
    uint32_t match, mask;
};

/* The first 16 bytes of struct ventus_isa_insn:
 *
 *     [0] op:pair:aqrl   [1] reg[3..0]   [2] imm   [3] aux:rm:vm
 */
typedef uint32_t parts __attribute__((vector_size(16)));
typedef int32_t signed_parts __attribute__((vector_size(16)));

/* The positions of a format's operands: masks of the word after it has moved to the
 * right by 3, 4, 7, 25 and `right`, and to the left by 4.  `sign` is the top bit of a
 * signed immediate, unless that is bit 31 of the word. */
struct shape {
    parts by_3, by_4, by_7, by_25, up_4, own, sign;
    uint32_t right;
};

#include "isa/isa_decode.inc"

_Static_assert(offsetof(struct ventus_isa_insn, aqrl) == 0 &&
                   offsetof(struct ventus_isa_insn, op) == 2 &&
                   offsetof(struct ventus_isa_insn, reg) == 4 &&
                   offsetof(struct ventus_isa_insn, imm) == 8 &&
                   offsetof(struct ventus_isa_insn, vm) == 12 &&
                   offsetof(struct ventus_isa_insn, rm) == 13 &&
                   offsetof(struct ventus_isa_insn, aux) == 14,
               "decoder.py (PARTS) says the same");

static inline parts
operands(const struct shape *s, uint32_t word)
{
    parts w = { word, word, word, word };
#ifdef __SSE2__
    /* The barrier keeps one copy of the word: without it compilers move the word six
     * times, and copy all the results. */
    __asm__("" : "+x"(w));
#endif
    parts v = (w >> 3 & s->by_3) | (w >> 4 & s->by_4) | (w >> 7 & s->by_7) |
              (w >> 25 & s->by_25) | (w << 4 & s->up_4);
    /* The pieces do not overlap, so that ^ is |; the longest dependence chain comes
     * last. */
    return (v ^ s->sign ^ ((parts)((signed_parts)w >> s->right) & s->own)) -
           s->sign;
}

bool
ventus_isa_decode_word(enum ventus_isa_version version, uint32_t word,
                       struct ventus_isa_insn *out)
{
    uint32_t leaf = version == VENTUS_ISA_V1 ? lookup_leaf(&v1, word)
                                             : lookup_leaf(&v2, word);
    /* The leaf repeats the shape, so that operands do not wait for the load of the
     * row. */
    unsigned op = leaf & 0xffff, shape = leaf >> 16;
    if ((word & rows[op].mask) != rows[op].match) {
        *out = (struct ventus_isa_insn){ 0 };
        return false;
    }
    if (shape < OTHER) {
        parts v = operands(&shapes[shape], word);
        memcpy(out, &v, sizeof v);
        memset((char *)out + sizeof v, 0, sizeof *out - sizeof v);
    } else {
        *out = (struct ventus_isa_insn){ 0 };
        extract(word, shape - OTHER, out);
    }
    out->op = (uint16_t)op;
    return true;
}

/* Decodes a prefix with the word after it.  Returns the words taken: 1 if the prefix
 * stands alone, 0 if it is refused. */
static unsigned
decode_both(enum ventus_isa_version version, uint32_t word,
            struct ventus_isa_insn *out, const char **why)
{
    struct ventus_isa_insn next, prefix = *out;
    *why = NULL;
    if (!ventus_isa_decode_word(version, word, &next) ||
        !isa_prefix_acts_on(&prefix, &next))
        return 1;
    isa_prefix_fold(version, &prefix, &next);
    *why = isa_prefix_refuses(&next);
    if (*why) {
        *out = (struct ventus_isa_insn){ 0 };
        return 0;
    }
    *out = next;
    return 2;
}

unsigned
ventus_isa_decode(enum ventus_isa_version version, const uint32_t *words,
                  size_t count, struct ventus_isa_insn *out)
{
    const char *why;
    if (!count || !ventus_isa_decode_word(version, words[0], out)) {
        *out = (struct ventus_isa_insn){ 0 };
        return 0;
    }
    if (!(ventus_isa_info[out->op].flags & VENTUS_ISA_F_PREFIX) || count < 2)
        return 1;
    return decode_both(version, words[1], out, &why);
}

const char *
ventus_isa_refused(enum ventus_isa_version version, const uint32_t *words,
                   size_t count)
{
    struct ventus_isa_insn in;
    const char *why = NULL;
    if (count > 1 && ventus_isa_decode_word(version, words[0], &in) &&
        ventus_isa_info[in.op].flags & VENTUS_ISA_F_PREFIX)
        decode_both(version, words[1], &in, &why);
    return why;
}
