/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words to instructions.
 *
 * This file is also the one place that says what the table cannot hold: how a
 * prefix word and the word behind it become one instruction (manual 4.2.2 and
 * 4.2.3, draft: PREFIX and PREFIX_MEMORY).
 *
 *   word                     31       28       25       22      19
 *   regext regpair prefix  |  x3   |   x2   |   x1   |   xd   | ...
 *   regexti regpairi prefixi |   imm[10:5]  |   x2   |   xd   | ...
 *   pre_m_*                |  x3   |   x2   |   x1   |   xd   | ...
 *
 * Each x is bits 7:5 of the register in that place of the next word; xd is by
 * position (bits 11:7), whatever the operand there is.
 */
#include <ventus/isa.h>

#include <string.h>

#include "base/bits.h"
#include "isa/lookup.h"
#include "isa/prefix.h"

/* What isa_info says of a word. */
struct row {
    uint32_t match, mask;
};

/* The first 16 bytes of struct isa_insn:
 *
 *     [0] op:pair:aqrl   [1] reg[3..0]   [2] imm   [3] aux:rm:vm
 */
typedef uint32_t parts __attribute__((vector_size(16)));
typedef int32_t signed_parts __attribute__((vector_size(16)));

/*
 * Where the operands of a format are: masks of the word after it has moved to
 * the right by 3, 4, 7, 25 and `right`, and to the left by 4.  `sign` is the
 * top bit of a signed immediate, unless that is bit 31 of the word.
 */
struct shape {
    parts by_3, by_4, by_7, by_25, up_4, own, sign;
    uint32_t right;
};

#include "isa/isa_decode.inc"

_Static_assert(offsetof(struct isa_insn, aqrl) == 0 &&
                   offsetof(struct isa_insn, op) == 2 &&
                   offsetof(struct isa_insn, reg) == 4 &&
                   offsetof(struct isa_insn, imm) == 8 &&
                   offsetof(struct isa_insn, vm) == 12 &&
                   offsetof(struct isa_insn, rm) == 13 &&
                   offsetof(struct isa_insn, aux) == 14,
               "decoder.py (PARTS) says the same");

static inline parts
operands(const struct shape *s, uint32_t word)
{
    parts w = { word, word, word, word };
#ifdef __SSE2__
    /* Else compilers move the word six times, and copy all that. */
    __asm__("" : "+x"(w));
#endif
    parts v = (w >> 3 & s->by_3) | (w >> 4 & s->by_4) | (w >> 7 & s->by_7) |
              (w >> 25 & s->by_25) | (w << 4 & s->up_4);
    /* The pieces are apart, so that ^ is |; the longest way comes last. */
    return (v ^ s->sign ^ ((parts)((signed_parts)w >> s->right) & s->own)) -
           s->sign;
}

bool
isa_decode_word(enum isa_version version, uint32_t word, struct isa_insn *out)
{
    uint32_t leaf =
        version == ISA_V1 ? lookup_leaf(&v1, word) : lookup_leaf(&v2, word);
    /* The shape is in the leaf, too, not to wait for the row. */
    unsigned op = leaf & 0xffff, shape = leaf >> 16;
    if ((word & rows[op].mask) != rows[op].match) {
        *out = (struct isa_insn){ 0 };
        return false;
    }
    if (shape < OTHER) {
        parts v = operands(&shapes[shape], word);
        memcpy(out, &v, sizeof v);
        memset((char *)out + sizeof v, 0, sizeof *out - sizeof v);
    } else {
        *out = (struct isa_insn){ 0 };
        extract(word, shape - OTHER, out);
    }
    out->op = (uint16_t)op;
    return true;
}

const struct isa_field *
isa_wide_field(const struct isa_insn *in)
{
    const struct isa_format_info *f = &isa_formats[isa_info[in->op].format];
    for (unsigned i = 0; i < f->fields; i++)
        if (isa_fields[f->field[i]].wide)
            return &isa_fields[f->field[i]];
    return NULL;
}

bool
isa_prefix_is_imm(unsigned op)
{
    return isa_info[op].format == ISA_FORMAT_EXTI ||
           isa_info[op].format == ISA_FORMAT_PREFIXI;
}

unsigned
isa_slots(const struct isa_insn *in)
{
    const struct isa_format_info *f = &isa_formats[isa_info[in->op].format];
    unsigned slots = 0;
    for (unsigned i = 0; i < f->fields; i++)
        if (isa_fields[f->field[i]].member <= ISA_MEMBER_3)
            slots |= 1u << isa_fields[f->field[i]].member;
    return slots;
}

/* Joins the prefix p to the instruction `in` behind it. */
static void
fold(const struct isa_insn *p, struct isa_insn *in)
{
    bool imm = isa_prefix_is_imm(p->op);
    unsigned slots = isa_slots(in);
    for (unsigned slot = 0; slot < 4; slot++)
        if (slots >> slot & 1)
            in->reg[slot] |= (uint8_t)(isa_prefix_bits(p->ext, imm, slot) << 5);
    const struct isa_field *wide = imm ? isa_wide_field(in) : NULL;
    if (wide) {
        uint32_t value = (p->ext >> 6u) << 5 | ((uint32_t)in->imm & 31);
        in->imm = wide->is_signed ? sext(value, 11) : (int32_t)value;
    }
    in->prefix = p->op;
    in->ext = p->ext;
    in->abs = p->abs;
    in->neg = p->neg;
    in->hint = p->hint;
    in->pair = p->pair;
    if (p->op == ISA_REGPAIR || p->op == ISA_REGPAIRI)
        in->pair = 1;
    /* regext and its kin have rd and rs1, which nothing reads. */
    in->prefix_spare = p->spare | (uint16_t)(p->reg[1] << 5 | p->reg[0]);
    if (isa_info[p->op].format == ISA_FORMAT_PREM) {
        /* [6:5] space, [4:3] words - 1: the row's own bits */
        in->space = (uint8_t)bits(isa_info[p->op].match, 6, 5);
        in->width = (uint8_t)(bits(isa_info[p->op].match, 4, 3) + 1);
    }
}

/* Whether the prefix does anything to that instruction. */
static bool
acts_on(const struct isa_insn *p, const struct isa_insn *in)
{
    uint32_t flags = isa_info[in->op].flags;
    if (flags & ISA_F_PREFIX)
        return false;
    if (isa_info[p->op].format == ISA_FORMAT_PREM)
        return flags & (ISA_F_LOAD | ISA_F_STORE);
    return true;
}

unsigned
isa_decode(enum isa_version version, const uint32_t *words, size_t count,
           struct isa_insn *out)
{
    if (!count || !isa_decode_word(version, words[0], out)) {
        *out = (struct isa_insn){ 0 };
        return 0;
    }
    if (!(isa_info[out->op].flags & ISA_F_PREFIX) || count < 2)
        return 1;
    struct isa_insn next;
    if (!isa_decode_word(version, words[1], &next) || !acts_on(out, &next))
        return 1;
    fold(out, &next);
    *out = next;
    return 2;
}

struct isa_insn
isa_prefix_of(const struct isa_insn *in)
{
    struct isa_insn p = { .op = in->prefix };
    if (!p.op)
        return p;
    bool imm = isa_prefix_is_imm(p.op);
    unsigned format = isa_info[p.op].format, slots = isa_slots(in);
    p.ext = in->ext;
    for (unsigned slot = 0; slot < 4; slot++)
        if (slots >> slot & 1)
            p.ext = isa_prefix_put(p.ext, imm, slot, in->reg[slot] >> 5);
    if (imm && isa_wide_field(in))
        p.ext = (uint16_t)((p.ext & 077) | bits((uint32_t)in->imm, 10, 5) << 6);
    if (format == ISA_FORMAT_EXT || format == ISA_FORMAT_EXTI) {
        p.reg[0] = in->prefix_spare & 31;
        p.reg[1] = (in->prefix_spare >> 5) & 31;
        return p;
    }
    p.pair = in->pair;
    p.abs = in->abs;
    p.neg = in->neg;
    p.hint = in->hint;
    p.spare = in->prefix_spare;
    return p;
}
