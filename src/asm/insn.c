/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions: finds the syntax that matches, the prefix that it needs, and
 * the bytes.
 *
 * The assembler inserts a prefix for registers above 31, pairs and immediates
 * of more than five bits.  If the text has a prefix directly before, as the
 * output of compilers does, the word takes the low bits of the registers, and
 * registers above 31 must be those that the two words encode together.
 */
#include <assert.h>

#include "asm/expr.h"
#include "asm/insn.h"
#include "asm/lines.h"
#include "asm/symbol.h"
#include "base/bytes.h"

uint8_t
insn_field(const char *name)
{
    for (unsigned i = 0; i < VENTUS_ISA_FIELD_COUNT; i++)
        if (strcmp(ventus_isa_fields[i].name, name) == 0)
            return (uint8_t)i;
    assert(!"a field that the table has not");
    return 0;
}

uint32_t
insn_put_field(uint32_t word, const struct ventus_isa_field *f, int64_t value)
{
    uint64_t rest = (uint64_t)value >> f->scale;
    assert(f->pieces); /* not a field of another format */
    for (unsigned p = f->pieces; p-- > 0;) {
        unsigned lo = f->piece[p].lo, width = f->piece[p].hi - lo + 1u;
        assert(lo + width <= 32);
        uint32_t mask = (uint32_t)((1ull << width) - 1);
        word = (word & ~(mask << lo)) | ((uint32_t)rest & mask) << lo;
        rest >>= width;
    }
    return word;
}

const char *
insn_check_range(struct assembler *a, const struct ventus_isa_field *f,
                 unsigned width, int64_t value)
{
    assert(width && width + f->scale < 63);
    int64_t unit = (int64_t)1 << f->scale;
    int64_t low = f->is_signed ? -unit * ((int64_t)1 << (width - 1)) : 0;
    int64_t end = low + unit * ((int64_t)1 << width);
    if (value < low || value >= end)
        return arena_printf(a->arena, "%lld is outside %lld..%lld",
                            (long long)value, (long long)low,
                            (long long)(end - unit));
    if (value % unit)
        return arena_printf(a->arena, "%lld is not a multiple of %lld",
                            (long long)value, (long long)unit);
    return NULL;
}

static int64_t
fold_modifier(enum modifier m, int64_t value)
{
    if (m == MOD_HI)
        return (value + 0x800) >> 12 & 0xfffff;
    if (m == MOD_LO)
        return ((value & 0xfff) ^ 0x800) - 0x800;
    return value;
}

/* The fixup that an immediate needs which is no number. */
static enum fix
fix_of(const struct attempt *t, const struct ventus_isa_field *f)
{
    assert(t->has_imm && t->modifier <= MOD_PCREL_LO);
    switch ((enum modifier)t->modifier) {
    case MOD_HI:
        return FIX_HI;
    case MOD_LO:
        return FIX_LO;
    case MOD_PCREL_HI:
        return FIX_PCREL_HI;
    case MOD_PCREL_LO:
        return FIX_PCREL_LO;
    case MOD_NONE:
        break;
    }
    return f->kind == VENTUS_ISA_KIND_B   ? FIX_BRANCH
           : f->kind == VENTUS_ISA_KIND_J ? FIX_JAL
                                          : FIX_IMM;
}

/*
 * Puts the immediate into t->in if it is a number, or else makes `fix` for
 * it.  32-bit numbers may be written without sign: addi x1, x0, 0xffffffff.
 */
static bool
settle_immediate(struct assembler *a, struct attempt *t, struct fixup *fix,
                 bool *has_fix)
{
    const struct ventus_isa_field *f = &ventus_isa_fields[t->imm_field];
    assert(t->imm_field < VENTUS_ISA_FIELD_COUNT);
    bool pc_relative = t->modifier >= MOD_PCREL_HI;
    *has_fix = false;
    if (t->imm.add == &a->pc && !t->imm.sub && !t->modifier &&
        (f->kind == VENTUS_ISA_KIND_B || f->kind == VENTUS_ISA_KIND_J))
        t->imm.add = NULL; /* pc + 8 is the distance 8 */
    if (pc_relative || !value_is_number(&t->imm)) {
        *has_fix = true;
        *fix = (struct fixup){ .kind = (uint8_t)fix_of(t, f),
                               .value = t->imm,
                               .field = t->imm_field,
                               .operand = t->imm_operand,
                               .position = position_here(a, t->imm_at) };
        t->in.imm = 0;
        return true;
    }
    int64_t value = fold_modifier((enum modifier)t->modifier, t->imm.num);
    if (f->is_signed && f->kind == VENTUS_ISA_KIND_S && value > INT32_MAX &&
        value <= UINT32_MAX)
        value -= (int64_t)1 << 32;
    const char *wrong =
        insn_check_range(a, f, f->wide ? f->width + 6u : f->width, value);
    if (wrong) {
        asm_error(a, t->imm_at, "operand %u: %s", t->imm_operand, wrong);
        return false;
    }
    assert(value >= INT32_MIN && value <= INT32_MAX);
    t->in.imm = (int32_t)value;
    return true;
}

/* Appends a word and its line of debugging information. */
bool
insn_word(struct assembler *a, uint32_t word)
{
    if (a->section->size % 4) {
        asm_error(a, a->start,
                  "an instruction at offset 0x%llx, which is no multiple of "
                  "4; put .balign 4 before it",
                  (unsigned long long)a->section->size);
        return false;
    }
    uint8_t *at = section_extend(a, 4);
    if (!at)
        return false;
    assert(a->section->size % 4 == 0); /* the section ends after the word */
    bytes_store(at, 4, word);
    return true;
}

static const char *
reg_text(struct assembler *a, struct reg r, unsigned number)
{
    return arena_printf(a->arena, "%c%u", r.file, number);
}

/* Only the address of an access can be a pair. */
static bool
check_data(struct assembler *a, const struct attempt *t)
{
    if (!(ventus_isa_info[t->in.op].flags &
          (VENTUS_ISA_F_LOAD | VENTUS_ISA_F_STORE)))
        return true;
    for (unsigned slot = 0; slot < 4; slot++) {
        if (slot == VENTUS_ISA_SLOT_1 || !(t->pairs >> slot & 1))
            continue;
        asm_error(a, t->slot_at[slot],
                  "operand %u: only the address of an access is a register "
                  "pair, this is of 32 bits: write %s",
                  t->slot_operand[slot],
                  reg_text(a, t->regs[slot], t->regs[slot].number));
        return false;
    }
    return true;
}

/* Whether the written accumulator is the one that the written prefix makes of it. */
static bool
agrees_accumulator(struct assembler *a, const struct attempt *t,
                   const struct ventus_isa_insn *both)
{
    if (!(ventus_isa_info[t->in.op].flags & VENTUS_ISA_F_ACCUM))
        return true;
    assert(t->slots >> VENTUS_ISA_SLOT_D & 1);
    bool written = t->accumulator_at != NULL;
    struct reg r = written ? t->accumulator : t->regs[VENTUS_ISA_SLOT_D];
    unsigned is =
        both->reg[both->split ? VENTUS_ISA_SLOT_3 : VENTUS_ISA_SLOT_D];
    unsigned low = t->regs[VENTUS_ISA_SLOT_D].number & 31u;
    bool same = r.number > 31 ? r.number == is : r.number == low;
    if (same)
        return true;
    asm_error(a, written ? t->accumulator_at : t->slot_at[VENTUS_ISA_SLOT_D],
              "operand %u: '%s' makes the accumulator v%u, not v%u: the last "
              "operand can name it",
              written ? t->accumulator_operand : 1u,
              ventus_isa_info[a->pending.op].name, is, r.number);
    asm_report(a, DIAG_NOTE, &a->pending.position, "the prefix");
    return false;
}

/* Whether each operand names what the written prefix makes of it. */
static bool
agrees(struct assembler *a, struct attempt *t,
       const struct ventus_isa_insn *both)
{
    const char *prefix = ventus_isa_info[a->pending.op].name;
    for (unsigned slot = 0; slot < 4; slot++) {
        struct reg r = t->regs[slot];
        if (!(t->slots >> slot & 1))
            continue;
        if (r.number > 31 && both->reg[slot] != r.number) {
            asm_error(a, t->slot_at[slot],
                      "operand %u: '%s' makes this register %s, not %s",
                      t->slot_operand[slot], prefix,
                      reg_text(a, r, both->reg[slot]),
                      reg_text(a, r, r.number));
            asm_report(a, DIAG_NOTE, &a->pending.position, "the prefix");
            return false;
        }
        if (t->pairs >> slot & 1 && !both->pair) {
            asm_error(a, t->slot_at[slot],
                      "operand %u: '%s' makes no register pairs",
                      t->slot_operand[slot], prefix);
            asm_report(a, DIAG_NOTE, &a->pending.position, "the prefix");
            return false;
        }
    }
    return check_data(a, t) && agrees_accumulator(a, t, both);
}

/* The wide immediate that is written may also be the one both words mean. */
static bool
agrees_immediate(struct assembler *a, struct attempt *t, int32_t full,
                 const struct ventus_isa_insn *both)
{
    const struct ventus_isa_field *f = &ventus_isa_fields[t->imm_field];
    if (!t->has_imm || !f->wide || !insn_check_range(a, f, f->width, full) ||
        both->imm == full)
        return true;
    asm_error(a, t->imm_at, "operand %u: '%s' makes this number %d, not %d",
              t->imm_operand, ventus_isa_info[a->pending.op].name, both->imm,
              full);
    asm_report(a, DIAG_NOTE, &a->pending.position, "the prefix");
    return false;
}

/* Encodes an instruction after a written prefix: into one word, from the low bits. */
static bool
encode_prefixed(struct assembler *a, struct attempt *t, uint32_t words[2])
{
    struct ventus_isa_insn in = t->in, both;
    /* whatever comes between the two words ends the wait */
    assert(a->pending.section == a->section);
    assert(a->pending.end == a->section->size);
    assert(ventus_isa_is_prefix(a->pending.op) &&
           !ventus_isa_is_prefix(t->in.op));
    const struct ventus_isa_field *f = &ventus_isa_fields[t->imm_field];
    for (unsigned slot = 0; slot < 4; slot++)
        in.reg[slot] &= 31;
    if (t->has_imm && f->wide) {
        uint32_t low = (uint32_t)in.imm & 31;
        in.imm = (int32_t)(f->is_signed && low > 15 ? low - 32 : low);
    }
    if (ventus_isa_encode(&in, words) != 1)
        return false;
    uint32_t pair[2] = { a->pending.word, words[0] };
    const char *refused = ventus_isa_refused(a->version, pair, 2);
    if (refused) {
        asm_error(a, a->start, "'%s' before '%s': %s",
                  ventus_isa_info[a->pending.op].name,
                  ventus_isa_info[in.op].name, refused);
        asm_report(a, DIAG_NOTE, &a->pending.position, "the prefix");
        return false;
    }
    if (ventus_isa_decode(a->version, pair, 2, &both) != 2) {
        asm_report(
            a, DIAG_WARNING, &a->pending.position, "'%s' does nothing to '%s'",
            ventus_isa_info[a->pending.op].name, ventus_isa_info[in.op].name);
        both = in;
    }
    return agrees(a, t, &both) && agrees_immediate(a, t, t->in.imm, &both);
}

/* Words can name x64 to x255, the machine has none of them. */
static bool
check_registers(struct assembler *a, const struct attempt *t)
{
    for (unsigned slot = 0; slot < 4; slot++) {
        struct reg r = t->regs[slot];
        if (!(t->slots >> slot & 1) || r.file != 'x' || r.number < 64)
            continue;
        asm_error(a, t->slot_at[slot], "%s",
                  register_missing(a, t->slot_operand[slot], 'x', r.number));
        return false;
    }
    return true;
}

/*
 * Every even register beside a pair is a pair, so an even one that is not written as a
 * pair is an error; x0 is not, because it reads as 0 all the same.
 */
static bool
check_pairs(struct assembler *a, const struct attempt *t)
{
    if (ventus_isa_info[t->in.op].flags &
        (VENTUS_ISA_F_LOAD | VENTUS_ISA_F_STORE))
        return check_data(a, t);
    for (unsigned slot = 0; t->pairs && slot < 4; slot++) {
        struct reg r = t->regs[slot];
        if (!(t->slots >> slot & 1) || t->pairs >> slot & 1 ||
            t->pair_fields >> slot & 1 || r.number % 2 ||
            (r.file == 'x' && !r.number))
            continue;
        asm_error(a, t->slot_at[slot],
                  "operand %u: beside a register pair every even register is "
                  "a pair: write [%c%u:%c%u], or use an odd register for 32 "
                  "bits",
                  t->slot_operand[slot], r.file, r.number + 1, r.file,
                  r.number);
        return false;
    }
    return true;
}

/* Notes for the listing that a prefix was inserted, and for which operands. */
static void
note_prefix(struct assembler *a, const struct attempt *t)
{
    if (!a->options->listing)
        return;
    assert(ventus_isa_is_prefix(t->in.prefix)); /* of two words the first */
    const char *text = arena_printf(a->arena, "%s inserted",
                                    ventus_isa_info[t->in.prefix].name);
    const char *between = " for ";
    for (unsigned slot = 0; slot < 4; slot++) {
        struct reg r = t->regs[slot];
        bool pair = t->pairs >> slot & 1;
        if (!(t->slots >> slot & 1) || (r.number < 32 && !pair))
            continue;
        text = pair ? arena_printf(a->arena, "%s%s[%c%u:%c%u]", text, between,
                                   r.file, r.number + 1, r.file, r.number)
                    : arena_printf(a->arena, "%s%s%c%u", text, between, r.file,
                                   r.number);
        between = ", ";
    }
    if (t->has_imm && ventus_isa_fields[t->imm_field].wide &&
        (t->in.imm > 31 || t->in.imm < -16))
        text = arena_printf(a->arena, "%s%s%d", text, between, t->in.imm);
    a->list_note = text;
}

/* Encodes an instruction without a written prefix: into one word, or into two with the
 * prefix that it needs. */
static unsigned
encode_plain(struct assembler *a, struct attempt *t, uint32_t words[2])
{
    char why[VENTUS_ISA_TEXT_MAX];
    assert(!a->pending.section);
    if (!check_registers(a, t) || !check_pairs(a, t))
        return 0;
    if (!ventus_isa_is_prefix(t->in.op)) /* whose own pair= is not a need */
        t->in.pair = t->pairs != 0;
    if (t->accumulator_at) {
        t->in.split = t->accumulator.number != t->in.reg[VENTUS_ISA_SLOT_D];
        t->in.reg[VENTUS_ISA_SLOT_3] = t->in.split ? t->accumulator.number : 0;
    }
    if (!ventus_isa_is_prefix(t->in.op) &&
        !ventus_isa_add_prefix(a->version, &t->in)) {
        asm_error(a, a->start,
                  "no prefix of this version can say that: the immediate "
                  "needs one that extends only the destination and the "
                  "second source");
        return 0;
    }
    /* ventus_isa_encode does not know for which version. */
    const char *wrong = NULL;
    if (t->accumulator_at)
        wrong = ventus_isa_check(a->version, &t->in, why, sizeof why);
    unsigned n = wrong ? 0 : ventus_isa_encode(&t->in, words);
    if (!n) {
        wrong = ventus_isa_check(a->version, &t->in, why, sizeof why);
        asm_error(a, a->start, "%s", wrong ? wrong : "cannot be encoded");
    } else if (n == 2) {
        note_prefix(a, t);
    }
    assert(n <= 2);
    return n;
}

static void
remember_prefix(struct assembler *a, const struct attempt *t, uint32_t word)
{
    assert(ventus_isa_is_prefix(t->in.op) && a->section->size % 4 == 0);
    a->pending = (struct pending){ .section = a->section,
                                   .end = a->section->size,
                                   .word = word,
                                   .op = t->in.op,
                                   .position = position_here(a, a->start) };
}

bool
insn_emit(struct assembler *a, struct attempt *t)
{
    struct fixup fix;
    bool has_fix = false, is_prefix = ventus_isa_is_prefix(t->in.op);
    uint32_t words[2];
    unsigned n = 1;
    if (t->has_imm && !settle_immediate(a, t, &fix, &has_fix))
        return false;
    if (is_prefix)
        section_interrupts_prefix(a, "another prefix");
    if (a->pending.section) {
        bool ok = encode_prefixed(a, t, words);
        a->pending.section = NULL;
        if (!ok)
            return false;
    } else {
        n = encode_plain(a, t, words);
        if (!n)
            return false;
    }
    line_here(a);
    for (unsigned i = 0; i < n; i++)
        if (!insn_word(a, words[i]))
            return false;
    if (has_fix) {
        assert(a->section->size >= 4 * n);
        fix.offset = a->section->size - 4;
        section_fixup(a, fix);
    }
    if (is_prefix)
        remember_prefix(a, t, words[0]);
    return true;
}
