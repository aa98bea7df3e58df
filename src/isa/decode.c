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

#include "base/bits.h"
#include "isa/lookup.h"
#include "isa/prefix.h"

/*
 * What isa_info says of a word, and where its operands are: masks of the usual
 * places, and for the immediate
 *
 *     (((w >> right, arithmetic) & a) | (w >> 7 & b) | (w << 4 & c))
 *
 * which covers I, S, B, U and all short immediates; `sign` is their top bit,
 * unless that is bit 31 of the word.  Without branches: random words decode
 * twice as fast as by a switch over the formats.
 */
struct row {
    uint32_t match, mask;
    uint32_t regs; /* reg[0], reg[1] << 8, reg[2] << 16, reg[3] << 24 */
    uint32_t rest; /* aux, vm << 16, rm << 24 */
    uint32_t a, b, c;
    uint16_t sign;
    uint8_t aqrl;
    uint8_t right; /* or OTHER + 1 + the format: extract() does it */
};

enum { OTHER = 32 };

#include "isa/isa_decode.inc"

static inline unsigned
find_row(enum isa_version version, uint32_t w)
{
    const uint16_t *op =
        version == ISA_V1 ? lookup_chain(&v1, w) : lookup_chain(&v2, w);
    while ((w & rows[*op].mask) != rows[*op].match) /* rows[0] fits all */
        op++;
    return *op;
}

static inline int32_t
immediate(const struct row *r, uint32_t w)
{
    uint32_t high = (uint32_t)((int32_t)w >> r->right);
    uint32_t value = (high & r->a) | (w >> 7 & r->b) | (w << 4 & r->c);
    return (int32_t)((value ^ r->sign) - r->sign);
}

bool
isa_decode_word(enum isa_version version, uint32_t word, struct isa_insn *out)
{
    unsigned op = find_row(version, word);
    const struct row *r = &rows[op];
    if (r->right >= OTHER) {
        *out = (struct isa_insn){ .op = (uint16_t)op };
        extract(word, r->right - OTHER, out);
        return op != ISA_NONE;
    }
    uint32_t regs = ((word >> 7 & 0x1f1f) | (word >> 4 & 0x1f0000) |
                     (word >> 3 & 0x1f000000)) &
                    r->regs;
    uint32_t rest = ((word >> 20 & 0xfff) | (word >> 9 & 0x10000) |
                     (word << 12 & 0x7000000)) &
                    r->rest;
    *out = (struct isa_insn){
        .op = (uint16_t)op,
        .reg = { (uint8_t)regs, (uint8_t)(regs >> 8), (uint8_t)(regs >> 16),
                 (uint8_t)(regs >> 24) },
        .imm = immediate(r, word),
        .aux = (uint16_t)rest,
        .vm = (uint8_t)(rest >> 16),
        .rm = (uint8_t)(rest >> 24),
        .aqrl = word >> 25 & r->aqrl,
    };
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
