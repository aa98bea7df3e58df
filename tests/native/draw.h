/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of each row of the table, on the registers that machines.h loads. */
#pragma once

#include "machines.h"

static inline bool
is_named(const struct ventus_isa_insn *in, const char *meaning)
{
    return strcmp(ventus_isa_info[in->op].meaning, meaning) == 0;
}

static inline bool
is_access(const struct ventus_isa_insn *in)
{
    return ventus_isa_info[in->op].flags &
           (VENTUS_ISA_F_LOAD | VENTUS_ISA_F_STORE | VENTUS_ISA_F_ATOMIC);
}

/* A branch of threads, which ends at the join of its fragment. */
static inline bool
divides(const struct ventus_isa_insn *in)
{
    return strncmp(ventus_isa_info[in->op].meaning, "vb", 2) == 0;
}

static inline bool
is_offset(const struct ventus_isa_insn *in)
{
    return (ventus_isa_info[in->op].flags & VENTUS_ISA_F_PRIVATE) ||
           in->space == VENTUS_ISA_SPACE_PRIVATE ||
           in->space == VENTUS_ISA_SPACE_LOCAL;
}

static inline unsigned
draw_register(const struct ventus_isa_insn *in,
              const struct ventus_isa_field *f)
{
    bool vector = f->kind == VENTUS_ISA_KIND_V || f->kind == VENTUS_ISA_KIND_A;
    unsigned any = random_below(VALUES);
    if (random_below(3) == 0)
        any &= ~1u;
    if (is_access(in) && f->member == VENTUS_ISA_MEMBER_1) {
        if (is_offset(in))
            return vector ? V_OFFSET : X_OFFSET;
        return vector ? V_ADDRESS : X_ADDRESS;
    }
    if (is_access(in) && f->member == VENTUS_ISA_MEMBER_2 &&
        mem_mode_of(in->op) == MODE_INDEX)
        return V_INDEX;
    if (is_access(in) && f->member == VENTUS_ISA_MEMBER_2 && !vector &&
        mem_mode_of(in->op) == MODE_STRIDE)
        return X_STRIDE;
    if (is_named(in, "jalr") && f->member == VENTUS_ISA_MEMBER_1)
        return X_HERE;
    if (vector && f->out && random_below(2))
        return V_RESULT + any;
    if (!vector && random_below(12) == 0)
        return 0;
    return (vector ? V_VALUE : X_VALUE) + any;
}

static inline int32_t
draw_number(const struct ventus_isa_insn *in, const struct ventus_isa_field *f)
{
    int32_t top = f->is_signed ? (1 << (f->width - 1)) - 1
                               : (int32_t)((UINT64_C(1) << f->width) - 1);
    int32_t low = f->is_signed ? -top - 1 : 0;
    const int32_t corners[] = { 0, 1, low, top, f->is_signed ? -1 : 16 };
    int32_t any = low + (int32_t)random_below((uint32_t)top - (uint32_t)low);
    if (is_named(in, "jalr"))
        return 12;
    if (is_access(in))
        return random_below(4)   ? 4 * (int32_t)random_below(3)
               : random_below(2) ? (int32_t)random_below(8)
                                 : any;
    return random_below(2)
               ? any
               : corners[random_below(sizeof corners / sizeof *corners)];
}

static inline int32_t
draw_operand(const struct ventus_isa_insn *in, const struct ventus_isa_field *f)
{
    static const int32_t vtypes[] = { 0, 8, 16, 16, 16, 1, 9, 17, 24, 0x47 };
    unsigned csr;
    switch ((enum ventus_isa_kind)f->kind) {
    case VENTUS_ISA_KIND_X:
    case VENTUS_ISA_KIND_V:
    case VENTUS_ISA_KIND_A:
        return (int32_t)(draw_register(in, f) & (f->scale ? ~1u : ~0u));
    case VENTUS_ISA_KIND_S:
    case VENTUS_ISA_KIND_U:
        return draw_number(in, f);
    case VENTUS_ISA_KIND_HI:
        return (int32_t)random_below(1 << 20);
    case VENTUS_ISA_KIND_B:
    case VENTUS_ISA_KIND_J:
        return 8;
    case VENTUS_ISA_KIND_CSR:
        do
            csr = ventus_isa_csrs[random_below(VENTUS_ISA_CSR_COUNT)].number;
        while (csr_counts(csr));
        return (int32_t)csr;
    case VENTUS_ISA_KIND_VTYPE:
        return vtypes[random_below(sizeof vtypes / sizeof *vtypes)];
    case VENTUS_ISA_KIND_IORW:
    case VENTUS_ISA_KIND_BARRIER:
    case VENTUS_ISA_KIND_AQRL:
        return (int32_t)random_below(4);
    case VENTUS_ISA_KIND_RM:
        return random_below(2) ? 7 : (int32_t)random_below(5);
    case VENTUS_ISA_KIND_VM:
        return random_below(2) != 0;
    case VENTUS_ISA_KIND_EXT:
    case VENTUS_ISA_KIND_EXTI:
    case VENTUS_ISA_KIND_OPT:
        break;
    }
    return 0;
}

static inline struct ventus_isa_insn
draw(unsigned op, unsigned space)
{
    struct ventus_isa_insn in = { .op = (uint16_t)op,
                                  .vm = 1,
                                  .space = (uint8_t)space };
    const struct ventus_isa_format_info *format =
        &ventus_isa_formats[ventus_isa_info[op].format];
    for (unsigned i = 0; i < format->fields; i++) {
        const struct ventus_isa_field *f = &ventus_isa_fields[format->field[i]];
        ventus_isa_set(&in, f, draw_operand(&in, f));
    }
    in.space = 0;
    return in;
}

/* The bits of a prefix: pair, signs and cache hint, and sometimes higher registers. */
static inline uint32_t
draw_prefix(unsigned prefix)
{
    const struct ventus_isa_info *row = &ventus_isa_info[prefix];
    uint32_t bits = random_below(1 << 7) << 13;
    if (random_below(6) == 0)
        bits |= random_below(1 << 12) << 20;
    return row->match | (bits & ~row->mask);
}

/* An instruction of a row with a prefix; false: they do not fit each other. */
static inline bool
draw_prefixed(enum ventus_isa_version isa, unsigned op, unsigned prefix,
              struct ventus_isa_insn *in)
{
    /* Addresses in private and local memory are other registers. */
    uint32_t words[3] = { draw_prefix(prefix), ventus_isa_info[op].match };
    unsigned space = ventus_isa_decode(isa, words, 2, in) == 2 ? in->space : 0;
    for (unsigned tries = 0; tries < 8; tries++) {
        struct ventus_isa_insn alone = draw(op, space);
        words[0] = draw_prefix(prefix);
        if (ventus_isa_encode(&alone, words + 1) == 1 &&
            ventus_isa_decode(isa, words, 2, in) == 2)
            return true;
    }
    return false;
}
