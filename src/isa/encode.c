/* SPDX-License-Identifier: Apache-2.0 */
/* The encoder: instructions to words. */
#include <ventus/isa.h>

#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "isa/prefix.h"

int32_t
ventus_isa_get(const struct ventus_isa_insn *in,
               const struct ventus_isa_field *field)
{
    switch ((enum ventus_isa_member)field->member) {
    case VENTUS_ISA_MEMBER_D:
    case VENTUS_ISA_MEMBER_1:
    case VENTUS_ISA_MEMBER_2:
    case VENTUS_ISA_MEMBER_3:
        return in->reg[field->member];
    case VENTUS_ISA_MEMBER_IMM:
        return in->imm;
    case VENTUS_ISA_MEMBER_AUX:
        return in->aux;
    case VENTUS_ISA_MEMBER_VM:
        return in->vm;
    case VENTUS_ISA_MEMBER_RM:
        return in->rm;
    case VENTUS_ISA_MEMBER_AQRL:
        return in->aqrl;
    case VENTUS_ISA_MEMBER_EXT:
        return in->ext;
    case VENTUS_ISA_MEMBER_PAIR:
        return in->pair;
    case VENTUS_ISA_MEMBER_ABS:
        return in->abs;
    case VENTUS_ISA_MEMBER_NEG:
        return in->neg;
    case VENTUS_ISA_MEMBER_HINT:
        return in->hint;
    case VENTUS_ISA_MEMBER_SPARE:
        return in->spare;
    }
    return 0;
}

void
ventus_isa_set(struct ventus_isa_insn *in, const struct ventus_isa_field *field,
               int32_t value)
{
    uint8_t byte = (uint8_t)value;
    uint16_t half = (uint16_t)value;
    switch ((enum ventus_isa_member)field->member) {
    case VENTUS_ISA_MEMBER_D:
    case VENTUS_ISA_MEMBER_1:
    case VENTUS_ISA_MEMBER_2:
    case VENTUS_ISA_MEMBER_3:
        in->reg[field->member] = byte;
        break;
    case VENTUS_ISA_MEMBER_IMM:
        in->imm = value;
        break;
    case VENTUS_ISA_MEMBER_AUX:
        in->aux = half;
        break;
    case VENTUS_ISA_MEMBER_VM:
        in->vm = byte;
        break;
    case VENTUS_ISA_MEMBER_RM:
        in->rm = byte;
        break;
    case VENTUS_ISA_MEMBER_AQRL:
        in->aqrl = byte;
        break;
    case VENTUS_ISA_MEMBER_EXT:
        in->ext = half;
        break;
    case VENTUS_ISA_MEMBER_PAIR:
        in->pair = byte;
        break;
    case VENTUS_ISA_MEMBER_ABS:
        in->abs = byte;
        break;
    case VENTUS_ISA_MEMBER_NEG:
        in->neg = byte;
        break;
    case VENTUS_ISA_MEMBER_HINT:
        in->hint = byte;
        break;
    case VENTUS_ISA_MEMBER_SPARE:
        in->spare = half;
        break;
    }
}

/* Whether a field of `width` bits can hold the value, which is divided by its scale. */
static bool
fits(int32_t value, unsigned width, bool is_signed)
{
    if (is_signed)
        return sext((uint32_t)value, width) == value;
    return width >= 32 || (uint32_t)value >> width == 0;
}

/* Encodes one word; fields are cut to their width. */
static uint32_t
encode_word(const struct ventus_isa_insn *in)
{
    uint32_t word = ventus_isa_info[in->op].match;
    const struct ventus_isa_format_info *f =
        &ventus_isa_formats[ventus_isa_info[in->op].format];
    for (unsigned i = 0; i < f->fields; i++) {
        const struct ventus_isa_field *field = &ventus_isa_fields[f->field[i]];
        uint32_t value = (uint32_t)ventus_isa_get(in, field) >> field->scale;
        for (unsigned p = field->pieces; p-- > 0;) {
            unsigned lo = field->piece[p].lo, hi = field->piece[p].hi;
            word |= bits(value, hi - lo, 0) << lo;
            value = hi - lo == 31 ? 0 : value >> (hi - lo + 1);
        }
    }
    return word;
}

/* The bits that `field` has in this instruction, including those of its prefix. */
static unsigned
field_bits(const struct ventus_isa_insn *in,
           const struct ventus_isa_field *field)
{
    unsigned width = field->width;
    if (!in->prefix)
        return width;
    bool imm = isa_prefix_is_imm(in->prefix);
    if (field->member <= VENTUS_ISA_MEMBER_3 &&
        isa_prefix_shift(imm, field->member) >= 0)
        return width + 3;
    return field->wide && imm ? width + 6 : width;
}

static const char *
check_field(const struct ventus_isa_insn *in,
            const struct ventus_isa_field *field, char *text, size_t size)
{
    int32_t value = ventus_isa_get(in, field);
    unsigned width = field_bits(in, field);
    if (value & ((1 << field->scale) - 1)) {
        snprintf(text, size, "%s %d is not a multiple of %d", field->name,
                 value, 1 << field->scale);
        return text;
    }
    if (fits(value >> field->scale, width, field->is_signed))
        return NULL;
    int64_t step = (int64_t)1 << field->scale;
    int64_t low = field->is_signed ? -((int64_t)1 << (width - 1)) : 0;
    int64_t high = low + ((int64_t)1 << width) - 1;
    snprintf(text, size, "%s %d is outside %lld..%lld", field->name, value,
             (long long)(low * step), (long long)(high * step));
    return text;
}

static const char *
check_fields(const struct ventus_isa_insn *in, char *text, size_t size)
{
    const struct ventus_isa_format_info *f =
        &ventus_isa_formats[ventus_isa_info[in->op].format];
    for (unsigned i = 0; i < f->fields; i++) {
        const char *wrong =
            check_field(in, &ventus_isa_fields[f->field[i]], text, size);
        if (wrong)
            return wrong;
    }
    return NULL;
}

const char *
ventus_isa_check(enum ventus_isa_version version,
                 const struct ventus_isa_insn *in, char *text, size_t size)
{
    if (in->op == VENTUS_ISA_NONE || in->op >= VENTUS_ISA_OP_COUNT ||
        in->prefix >= VENTUS_ISA_OP_COUNT)
        return "no instruction";
    if (!(ventus_isa_info[in->op].versions & version)) {
        snprintf(text, size, "%s is not in version %d of the instruction set",
                 ventus_isa_info[in->op].name, version);
        return text;
    }
    if (in->prefix && !(ventus_isa_info[in->prefix].versions & version)) {
        snprintf(text, size, "%s is not in version %d of the instruction set",
                 ventus_isa_info[in->prefix].name, version);
        return text;
    }
    const char *wrong = check_fields(in, text, size);
    if (!wrong)
        wrong = isa_prefix_wrong_accumulator(version, in);
    if (!wrong && in->prefix)
        wrong = isa_prefix_refuses(in);
    if (wrong || !in->prefix)
        return wrong;
    struct ventus_isa_insn prefix = ventus_isa_prefix_of(in);
    return check_fields(&prefix, text, size);
}

unsigned
ventus_isa_encode(const struct ventus_isa_insn *in, uint32_t words[2])
{
    char text[VENTUS_ISA_TEXT_MAX];
    enum ventus_isa_version version =
        (enum ventus_isa_version)(VENTUS_ISA_V1 | VENTUS_ISA_V2);
    if (ventus_isa_check(version, in, text, sizeof text))
        return 0;
    if (!in->prefix) {
        words[0] = encode_word(in);
        return 1;
    }
    struct ventus_isa_insn prefix = ventus_isa_prefix_of(in);
    words[0] = encode_word(&prefix);
    words[1] = encode_word(in);
    return 2;
}

/* The reasons why `in` needs a prefix. */
struct need {
    bool regs, regs_13, imm, pair, modify;
};

static struct need
prefix_needs(const struct ventus_isa_insn *in)
{
    struct need n = { .pair = in->pair, .modify = in->abs || in->neg };
    unsigned slots = isa_slots(in);
    for (unsigned slot = 0; slot < 4; slot++) {
        if (!(slots >> slot & 1) || in->reg[slot] < 32)
            continue;
        n.regs = true;
        if (isa_prefix_shift(true, slot) < 0)
            n.regs_13 = true;
    }
    if (in->split)
        n.regs = n.regs_13 = true;
    const struct ventus_isa_field *wide = isa_wide_field(in);
    n.imm = wide && !fits(in->imm, wide->width, wide->is_signed);
    return n;
}

bool
ventus_isa_add_prefix(enum ventus_isa_version version,
                      struct ventus_isa_insn *in)
{
    if (in->prefix)
        return true;
    struct need n = prefix_needs(in);
    if (!n.regs && !n.imm && !n.pair && !n.modify)
        return true;
    if (n.imm && n.regs_13)
        return false;
    if (n.modify && version == VENTUS_ISA_V1)
        return false;
    if (version == VENTUS_ISA_V2 && (n.pair || n.modify))
        in->prefix = n.imm ? VENTUS_ISA_PREFIXI : VENTUS_ISA_PREFIX;
    else if (n.pair)
        in->prefix = n.imm ? VENTUS_ISA_REGPAIRI : VENTUS_ISA_REGPAIR;
    else
        in->prefix = n.imm ? VENTUS_ISA_REGEXTI : VENTUS_ISA_REGEXT;
    isa_prefix_join_accumulator(version, in);
    return true;
}
