/* SPDX-License-Identifier: Apache-2.0 */
/* Instruction words drawn from the ISA table, with operands that do something:
 * few registers, CSRs that exist, branches that stay near. */
#pragma once

#include <ventus/isa.h>

#include "random.h"

/* Registers that the prologue of machine.h gives a meaning, and some others. */
static inline unsigned
code_register(struct rng *r)
{
    return rng_one_of(r, 6) ? rng_below(r, 32) : rng_below(r, 16);
}

static inline int32_t
code_operand(struct rng *r, const struct ventus_isa_field *f, int32_t drawn)
{
    switch (f->kind) {
    case VENTUS_ISA_KIND_X:
    case VENTUS_ISA_KIND_V:
    case VENTUS_ISA_KIND_A:
        return (int32_t)(code_register(r) & (f->scale ? ~1u : ~0u));
    case VENTUS_ISA_KIND_B:
    case VENTUS_ISA_KIND_J:
        return 4 * ((int32_t)rng_below(r, 17) - 8);
    case VENTUS_ISA_KIND_CSR:
        return ventus_isa_csrs[rng_below(r, VENTUS_ISA_CSR_COUNT)].number;
    case VENTUS_ISA_KIND_VTYPE: /* e8, e16, e32 with m1, m2, and whatever */
        return rng_one_of(r, 4)
                   ? drawn
                   : (int32_t)(rng_below(r, 3) << 3 | rng_below(r, 2));
    case VENTUS_ISA_KIND_S:
    case VENTUS_ISA_KIND_U:
        return rng_one_of(r, 2) ? drawn : (int32_t)(drawn & 0x3c);
    case VENTUS_ISA_KIND_RM:
        return rng_one_of(r, 4) ? drawn : 7;
    default:
        return drawn;
    }
}

/* A word of a row of that version. */
static inline uint32_t
code_word(struct rng *r, enum ventus_isa_version version)
{
    uint32_t words[2];
    struct ventus_isa_insn in;
    const struct ventus_isa_info *row;
    do
        row = &ventus_isa_info[1 + rng_below(r, VENTUS_ISA_OP_COUNT - 1)];
    while (!(row->versions & version));
    uint32_t word = row->match | (rng_word(r) & ~row->mask);
    if (!ventus_isa_decode_word(version, word, &in))
        return word;
    const struct ventus_isa_format_info *format =
        &ventus_isa_formats[ventus_isa_info[in.op].format];
    for (unsigned i = 0; i < format->fields; i++) {
        const struct ventus_isa_field *f = &ventus_isa_fields[format->field[i]];
        int32_t drawn = ventus_isa_get(&in, f);
        if (!rng_one_of(r, 8))
            ventus_isa_set(&in, f, code_operand(r, f, drawn));
    }
    return ventus_isa_encode(&in, words) == 1 ? words[0] : word;
}
