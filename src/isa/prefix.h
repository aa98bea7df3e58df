/* SPDX-License-Identifier: Apache-2.0 */
/* The effect of prefix words on the next word (prefix.c); private to isa. */
#pragma once

#include <ventus/isa.h>

/* The position of the three bits for a slot in ext (bits 31:20 of the prefix), or -1.
 * regext: x3 11:9, x2 8:6, x1 5:3, xd 2:0.  regexti: x2 5:3, xd 2:0. */
static inline int
isa_prefix_shift(bool imm, unsigned slot)
{
    static const int8_t plain[4] = { 0, 3, 6, 9 };
    static const int8_t with_imm[4] = { 0, -1, 3, -1 };
    return imm ? with_imm[slot] : plain[slot];
}

static inline unsigned
isa_prefix_bits(unsigned ext, bool imm, unsigned slot)
{
    int shift = isa_prefix_shift(imm, slot);
    return shift < 0 ? 0 : (ext >> shift) & 7;
}

static inline uint16_t
isa_prefix_put(unsigned ext, bool imm, unsigned slot, unsigned value)
{
    int shift = isa_prefix_shift(imm, slot);
    return (uint16_t)(shift < 0 ? ext
                                : (ext & ~(7u << shift)) | value << shift);
}

/* The immediate that regexti and similar widen, or NULL. */
const struct ventus_isa_field *
isa_wide_field(const struct ventus_isa_insn *in);

/* Whether a prefix carries imm[10:5]. */
bool
isa_prefix_is_imm(unsigned op);

/* The register slots of an instruction, bit s for slot s. */
unsigned
isa_slots(const struct ventus_isa_insn *in);

/* Whether the prefix p and `in` after it are one instruction; else p stands alone and
 * has no effect. */
bool
isa_prefix_acts_on(const struct ventus_isa_insn *p,
                   const struct ventus_isa_insn *in);

/* Joins the prefix p to the instruction `in` after it. */
void
isa_prefix_fold(enum ventus_isa_version version,
                const struct ventus_isa_insn *p, struct ventus_isa_insn *in);

/* The part of the prefix of `in` that is without a meaning for `in`; or NULL. */
const char *
isa_prefix_refuses(const struct ventus_isa_insn *in);

/* The error in the accumulator of `in` for that version; or NULL. */
const char *
isa_prefix_wrong_accumulator(enum ventus_isa_version version,
                             const struct ventus_isa_insn *in);

/* Makes a prefix that was chosen for `in` extend the accumulator as it extends vd. */
void
isa_prefix_join_accumulator(enum ventus_isa_version version,
                            struct ventus_isa_insn *in);
