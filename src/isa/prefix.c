/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The effect of a prefix word on the next word, which the table cannot express (manual
 * 4.2.2 and 4.2.3, draft, PREFIX and PREFIX_MEMORY; decision 8).
 *
 *   word                     31       28       25       22      19
 *   regext regpair prefix  |  x3   |   x2   |   x1   |   xd   | ...
 *   regexti regpairi prefixi |   imm[10:5]  |   x2   |   xd   | ...
 *   pre_m_*                |  x3   |   x2   |   x1   |   xd   | ...
 *
 * Each x is bits 7:5 of the register in that operand of the next word; xd is by
 * position (bits 11:7), whatever the operand there is.
 *
 * An accumulating instruction reads vs3 and writes vd, which are the same five bits of
 * its word.  Version 1 extends both by xd, as upstream's machines and compiler do; in
 * version 2 "the high bits of vs3 and vd are separate": x3 extends vs3.  Where they
 * differ, struct ventus_isa_insn has `split` set and vs3 in reg[VENTUS_ISA_SLOT_3].
 */
#include "isa/prefix.h"

#include <stddef.h>

#include "base/bits.h"

const struct ventus_isa_field *
isa_wide_field(const struct ventus_isa_insn *in)
{
    const struct ventus_isa_format_info *f =
        &ventus_isa_formats[ventus_isa_info[in->op].format];
    for (unsigned i = 0; i < f->fields; i++)
        if (ventus_isa_fields[f->field[i]].wide)
            return &ventus_isa_fields[f->field[i]];
    return NULL;
}

bool
isa_prefix_is_imm(unsigned op)
{
    return ventus_isa_info[op].format == VENTUS_ISA_FORMAT_EXTI ||
           ventus_isa_info[op].format == VENTUS_ISA_FORMAT_PREFIXI;
}

unsigned
isa_slots(const struct ventus_isa_insn *in)
{
    const struct ventus_isa_format_info *f =
        &ventus_isa_formats[ventus_isa_info[in->op].format];
    unsigned slots = 0;
    for (unsigned i = 0; i < f->fields; i++)
        if (ventus_isa_fields[f->field[i]].member <= VENTUS_ISA_MEMBER_3)
            slots |= 1u << ventus_isa_fields[f->field[i]].member;
    return slots;
}

bool
isa_prefix_acts_on(const struct ventus_isa_insn *p,
                   const struct ventus_isa_insn *in)
{
    uint32_t flags = ventus_isa_info[in->op].flags;
    if (flags & VENTUS_ISA_F_PREFIX)
        return false;
    /* The draft: "If the next one is no access, this one has no effect." */
    if (ventus_isa_info[p->op].format == VENTUS_ISA_FORMAT_PREM)
        return flags & (VENTUS_ISA_F_LOAD | VENTUS_ISA_F_STORE);
    return true;
}

/* Sets vs3 of an accumulating instruction, whose vd is complete. */
static void
fold_accumulator(enum ventus_isa_version version, bool imm, unsigned ext,
                 struct ventus_isa_insn *in)
{
    if (version != VENTUS_ISA_V2 ||
        !(ventus_isa_info[in->op].flags & VENTUS_ISA_F_ACCUM))
        return;
    unsigned vd = in->reg[VENTUS_ISA_SLOT_D];
    unsigned vs3 =
        isa_prefix_bits(ext, imm, VENTUS_ISA_SLOT_3) << 5 | (vd & 31);
    in->split = vs3 != vd;
    if (in->split)
        in->reg[VENTUS_ISA_SLOT_3] = (uint8_t)vs3;
}

void
isa_prefix_fold(enum ventus_isa_version version,
                const struct ventus_isa_insn *p, struct ventus_isa_insn *in)
{
    bool imm = isa_prefix_is_imm(p->op);
    unsigned slots = isa_slots(in);
    for (unsigned slot = 0; slot < 4; slot++)
        if (slots >> slot & 1)
            in->reg[slot] |= (uint8_t)(isa_prefix_bits(p->ext, imm, slot) << 5);
    fold_accumulator(version, imm, p->ext, in);
    const struct ventus_isa_field *wide = imm ? isa_wide_field(in) : NULL;
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
    if (p->op == VENTUS_ISA_REGPAIR || p->op == VENTUS_ISA_REGPAIRI)
        in->pair = 1;
    /* regext and similar have fields rd and rs1 without a meaning: they are spare
     * bits. */
    in->prefix_spare = p->spare | (uint16_t)(p->reg[1] << 5 | p->reg[0]);
    if (ventus_isa_info[p->op].format == VENTUS_ISA_FORMAT_PREM) {
        /* Bits of the row: [6:5] space, [4:3] words - 1. */
        in->space = (uint8_t)bits(ventus_isa_info[p->op].match, 6, 5);
        in->width = (uint8_t)(bits(ventus_isa_info[p->op].match, 4, 3) + 1);
    }
}

/* ---- prefixes without a meaning ---- */

/* Bit i: source i + 1 exists and could be negated or made absolute; an immediate takes
 * the place of rs1 or of rs2. */
static unsigned
sources(const struct ventus_isa_insn *in)
{
    const struct ventus_isa_info *info = &ventus_isa_info[in->op];
    const struct ventus_isa_format_info *format =
        &ventus_isa_formats[info->format];
    unsigned found = 0;
    if (info->flags &
        (VENTUS_ISA_F_LOAD | VENTUS_ISA_F_STORE | VENTUS_ISA_F_NOPAIR))
        return 0;
    for (unsigned i = 0; i < format->fields; i++) {
        const struct ventus_isa_field *f = &ventus_isa_fields[format->field[i]];
        bool number =
            f->kind == VENTUS_ISA_KIND_S || f->kind == VENTUS_ISA_KIND_U;
        if (f->member == VENTUS_ISA_MEMBER_D)
            found |= f->read ? 4 : 0;
        else if (f->member <= VENTUS_ISA_MEMBER_3)
            found |= 1u << (f->member - VENTUS_ISA_MEMBER_1);
        else if (f->member == VENTUS_ISA_MEMBER_IMM && number)
            found |= f->piece[f->pieces - 1].lo == 15 ? 1 : 2;
    }
    return found;
}

const char *
isa_prefix_refuses(const struct ventus_isa_insn *in)
{
    uint32_t flags = ventus_isa_info[in->op].flags;
    if (in->pair && flags & VENTUS_ISA_F_NOPAIR)
        return "the instruction has no 64-bit form";
    if (in->pair && flags & VENTUS_ISA_F_PAIR64)
        return "the instruction has its own register pairs";
    if ((in->abs | in->neg) & ~sources(in))
        return "abs or neg of a source that the instruction does not have";
    if (isa_prefix_is_imm(in->prefix) && in->ext >> 6 && !isa_wide_field(in))
        return "the instruction has no immediate that the prefix widens";
    if (in->width > 2 && flags & VENTUS_ISA_F_ATOMIC)
        return "an atomic is of one or two words";
    if (in->width > 1 && flags & VENTUS_ISA_F_ATOMIC &&
        in->space == VENTUS_ISA_SPACE_PRIVATE)
        return "the words of a thread's private memory are apart: an atomic "
               "there has one word";
    return NULL;
}

const char *
isa_prefix_wrong_accumulator(enum ventus_isa_version version,
                             const struct ventus_isa_insn *in)
{
    bool accum = ventus_isa_info[in->op].flags & VENTUS_ISA_F_ACCUM;
    unsigned vd = in->reg[VENTUS_ISA_SLOT_D], vs3 = in->reg[VENTUS_ISA_SLOT_3];
    if (in->split && (!accum || (vd ^ vs3) & 31 || vd == vs3))
        return "an accumulator read from another register than vd has the "
               "same low five bits of its number";
    if (in->split && version == VENTUS_ISA_V1)
        return "in version 1 the accumulator is vd";
    bool imm = isa_prefix_is_imm(in->prefix);
    if (accum && !in->split && version == VENTUS_ISA_V2 && in->prefix &&
        isa_prefix_bits(in->ext, imm, VENTUS_ISA_SLOT_3) != vd >> 5)
        return "x3 of the prefix makes the accumulator another register than "
               "vd";
    return NULL;
}

void
isa_prefix_join_accumulator(enum ventus_isa_version version,
                            struct ventus_isa_insn *in)
{
    bool imm = isa_prefix_is_imm(in->prefix);
    if (version == VENTUS_ISA_V2 && !in->split &&
        ventus_isa_info[in->op].flags & VENTUS_ISA_F_ACCUM)
        in->ext = isa_prefix_put(in->ext, imm, VENTUS_ISA_SLOT_3,
                                 in->reg[VENTUS_ISA_SLOT_D] >> 5);
}

/* ---- from an instruction back to its prefix ---- */

struct ventus_isa_insn
ventus_isa_prefix_of(const struct ventus_isa_insn *in)
{
    struct ventus_isa_insn p = { .op = in->prefix };
    if (!p.op)
        return p;
    bool imm = isa_prefix_is_imm(p.op);
    unsigned format = ventus_isa_info[p.op].format, slots = isa_slots(in);
    if (in->split)
        slots |= 1u << VENTUS_ISA_SLOT_3;
    p.ext = in->ext;
    for (unsigned slot = 0; slot < 4; slot++)
        if (slots >> slot & 1)
            p.ext = isa_prefix_put(p.ext, imm, slot, in->reg[slot] >> 5);
    if (imm && isa_wide_field(in))
        p.ext = (uint16_t)((p.ext & 077) | bits((uint32_t)in->imm, 10, 5) << 6);
    if (format == VENTUS_ISA_FORMAT_EXT || format == VENTUS_ISA_FORMAT_EXTI) {
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
