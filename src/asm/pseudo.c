/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions that become more than one word, or depend on a number:
 *
 *     li rd, n         addi rd, x0, n   or   lui rd, hi; addi rd, rd, lo
 *     la rd, s         auipc rd, %pcrel_hi(s); addi rd, rd, %pcrel_lo(.)
 *     lw rd, s         auipc rd, %pcrel_hi(s); lw rd, %pcrel_lo(.)(rd)
 *     sw rs, s, rt     auipc rt, %pcrel_hi(s); sw rs, %pcrel_lo(.)(rt)
 *     call s           auipc ra, s; jalr ra, ra, s       (one relocation)
 *     tail s           auipc t1, s; jalr zero, t1, s
 *     setrpc s         auipc t1, %pcrel_hi(s); setrpc zero, t1, %pcrel_lo(.)
 *
 * and the directive .insn, which makes a word from its fields.
 */
#include <assert.h>

#include "asm/expr.h"
#include "asm/insn.h"
#include "asm/pseudo.h"
#include "asm/register.h"
#include "asm/symbol.h"

enum { REG_RA = 1, REG_T1 = 6 };

static bool
emit(struct assembler *a, struct ventus_isa_insn in, const char *field,
     struct value imm, enum modifier m, const struct attempt *from)
{
    struct attempt t = { .in = in,
                         .has_imm = field != NULL,
                         .imm = imm,
                         .imm_at = from->imm_at,
                         .imm_operand = from->imm_operand,
                         .modifier = (uint8_t)m };
    if (field)
        t.imm_field = insn_field(field);
    assert(in.op && in.op < VENTUS_ISA_OP_COUNT &&
           !ventus_isa_is_prefix(in.op));
    t.in.vm = 1;
    for (unsigned slot = 0; slot < 4; slot++) {
        if (in.reg[slot] < 32)
            continue;
        t.slots |= (uint8_t)(1u << slot);
        t.regs[slot] = (struct reg){ .file = 'x', .number = in.reg[slot] };
        t.slot_at[slot] = a->start;
    }
    return insn_emit(a, &t);
}

static bool
emit_li(struct assembler *a, const struct attempt *t)
{
    uint8_t rd = t->in.reg[VENTUS_ISA_SLOT_D];
    struct ventus_isa_insn addi = { .op = VENTUS_ISA_ADDI, .reg = { rd } };
    struct value v = expr_resolve(a, t->imm);
    const char *why = expr_not_number(a, &v);
    if (why) {
        asm_error(a, t->imm_at,
                  "operand 2: li needs a number that is known here (%s); la "
                  "loads an address",
                  why);
        return false;
    }
    if (v.num < INT32_MIN || v.num > UINT32_MAX) {
        asm_error(a, t->imm_at, "operand 2: %lld does not fit 32 bits",
                  (long long)v.num);
        return false;
    }
    int32_t n = (int32_t)(uint32_t)v.num;
    if (n >= -2048 && n <= 2047)
        return emit(a, addi, "imm_i", value_of(n), MOD_NONE, t);
    struct ventus_isa_insn lui = { .op = VENTUS_ISA_LUI, .reg = { rd } };
    uint32_t high = ((uint32_t)n + 0x800) >> 12 & 0xfffff;
    int32_t low = (int32_t)((uint32_t)n - (high << 12));
    assert(((uint32_t)low + (high << 12)) == (uint32_t)n && low >= -2048);
    if (!emit(a, lui, "imm_u", value_of(high), MOD_NONE, t))
        return false;
    addi.reg[VENTUS_ISA_SLOT_1] = rd;
    return !low || emit(a, addi, "imm_i", value_of(low), MOD_NONE, t);
}

/* auipc tmp, %pcrel_hi(s), then `in` with %pcrel_lo of that. */
static bool
emit_relative(struct assembler *a, const struct attempt *t, uint8_t tmp,
              struct ventus_isa_insn in, const char *field)
{
    struct ventus_isa_insn auipc = { .op = VENTUS_ISA_AUIPC, .reg = { tmp } };
    if (value_is_number(&t->imm)) {
        asm_error(a, t->imm_at, "operand %u: expected a symbol, found %s",
                  t->imm_operand, lex_found(a, t->imm_at));
        return false;
    }
    if (!emit(a, auipc, "imm_u", t->imm, MOD_PCREL_HI, t))
        return false;
    assert(a->section->size >= 4);
    struct symbol *hi = symbol_anonymous(a, a->section->size - 4);
    return emit(a, in, field, (struct value){ .add = hi }, MOD_PCREL_LO, t);
}

/* auipc and jalr with one relocation for both. */
static bool
emit_call(struct assembler *a, const struct attempt *t, uint8_t link,
          uint8_t tmp)
{
    struct ventus_isa_insn auipc = { .op = VENTUS_ISA_AUIPC, .reg = { tmp } };
    struct ventus_isa_insn jalr = { .op = VENTUS_ISA_JALR,
                                    .reg = { link, tmp } };
    struct value zero = value_of(0);
    if (tmp > 31) {
        asm_error(a, a->start, "operand 1: a call needs a register up to x31");
        return false;
    }
    if (value_is_number(&t->imm)) {
        asm_error(a, t->imm_at, "operand %u: expected a symbol, found %s",
                  t->imm_operand, lex_found(a, t->imm_at));
        return false;
    }
    if (!emit(a, auipc, "imm_u", zero, MOD_NONE, t))
        return false;
    uint64_t at = a->section->size - 4;
    if (!emit(a, jalr, "imm_i", zero, MOD_NONE, t))
        return false;
    assert(a->section->size == at + 8);
    section_fixup(a, (struct fixup){ .kind = FIX_CALL,
                                     .offset = at,
                                     .value = t->imm,
                                     .operand = t->imm_operand,
                                     .position = position_here(a, t->imm_at) });
    return true;
}

bool
pseudo_emit(struct assembler *a, enum pseudo pseudo, struct attempt *t)
{
    uint8_t rd = t->in.reg[VENTUS_ISA_SLOT_D],
            rs2 = t->in.reg[VENTUS_ISA_SLOT_2];
    bool plain = t->slots >> VENTUS_ISA_SLOT_D & 1;
    struct ventus_isa_insn in = { .op = t->in.op };
    if (t->pairs) {
        asm_error(a, a->start, "no register pairs in a pseudo-instruction");
        return false;
    }
    section_interrupts_prefix(a, "a pseudo-instruction");
    switch (pseudo) {
    case PSEUDO_LI:
        return emit_li(a, t);
    case PSEUDO_LA:
    case PSEUDO_LOAD:
        in.reg[VENTUS_ISA_SLOT_D] = in.reg[VENTUS_ISA_SLOT_1] = rd;
        return emit_relative(a, t, rd, in, "imm_i");
    case PSEUDO_STORE:
        in.reg[VENTUS_ISA_SLOT_2] = rs2;
        in.reg[VENTUS_ISA_SLOT_1] = rd;
        return emit_relative(a, t, rd, in, "imm_s");
    case PSEUDO_SETRPC:
        in.reg[VENTUS_ISA_SLOT_1] = REG_T1;
        return emit_relative(a, t, REG_T1, in, "imm_i");
    case PSEUDO_CALL:
        return emit_call(a, t, plain ? rd : REG_RA, plain ? rd : REG_RA);
    case PSEUDO_TAIL:
        return emit_call(a, t, 0, REG_T1);
    case PSEUDO_NONE:
        break;
    }
    return false;
}

/* ---- .insn ---- */

static bool
insn_number(struct assembler *a, unsigned width, bool is_signed, uint32_t *out)
{
    int64_t v;
    lex_blanks(a);
    const char *at = a->p;
    if (!expr_number(a, &v))
        return false;
    assert(width && width <= 32);
    int64_t low = is_signed ? -((int64_t)1 << (width - 1)) : 0;
    int64_t high = is_signed ? -low : (int64_t)1 << width;
    if (v < low || v >= high) {
        asm_error(a, at, "%lld is outside %lld..%lld", (long long)v,
                  (long long)low, (long long)high - 1);
        return false;
    }
    *out = (uint32_t)v & (uint32_t)(((uint64_t)1 << width) - 1);
    return true;
}

/* A register of either file, or its number. */
static bool
insn_register(struct assembler *a, uint32_t *out)
{
    char file;
    unsigned number;
    struct mark m = mark_here(a);
    struct span s = lex_name(a);
    if (!s.n) {
        mark_return(a, m);
        return insn_number(a, 5, false, out);
    }
    if (!register_named(s, &file, &number) || number > 31) {
        asm_error(a, s.at, "expected a register up to 31, found %s",
                  lex_found(a, s.at));
        return false;
    }
    *out = number;
    return true;
}

/*
 * Each letter is a field: o opcode, 3 funct3, 7 funct7, 2 funct2, d rd, s rs1,
 * t rs2, u rs3, I S B U J immediates; blanks are commas; m: imm(rs1).
 */
static bool
insn_field_letter(struct assembler *a, char letter, uint32_t *word)
{
    static const struct {
        char letter;
        uint8_t width, shift;
        bool is_register;
    } plain[] = {
        { 'o', 7, 0, false },  { '3', 3, 12, false }, { '7', 7, 25, false },
        { '2', 2, 25, false }, { 'd', 5, 7, true },   { 's', 5, 15, true },
        { 't', 5, 20, true },  { 'u', 5, 27, true },
    };
    uint32_t v;
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
        if (plain[i].letter != letter)
            continue;
        if (plain[i].is_register ? !insn_register(a, &v)
                                 : !insn_number(a, plain[i].width, false, &v))
            return false;
        *word |= v << plain[i].shift;
        return true;
    }
    const char *field = letter == 'I'   ? "imm_i"
                        : letter == 'S' ? "imm_s"
                        : letter == 'U' ? "imm_u"
                        : letter == 'B' ? "imm_b"
                                        : "imm_j";
    const struct ventus_isa_field *f = &ventus_isa_fields[insn_field(field)];
    if (!insn_number(a, f->width + f->scale, f->is_signed, &v))
        return false;
    *word = insn_put_field(*word, f, v);
    return true;
}

static bool
insn_fields(struct assembler *a, const char *pattern, uint32_t *word)
{
    for (const char *c = pattern; *c; c++) {
        if (c != pattern && *c != '(' && *c != ')' && c[-1] != '(' &&
            !lex_expect(a, ','))
            return false;
        if (*c == '(' || *c == ')') {
            if (!lex_expect(a, *c))
                return false;
        } else if (!insn_field_letter(a, *c, word)) {
            return false;
        }
    }
    return true;
}

/* rd, imm(rs1) has one comma less than rd, rs1, imm. */
static bool
insn_is_load(const struct assembler *a)
{
    unsigned commas = 0;
    for (const char *p = a->p; !lex_is(*p, CLASS_END); p++)
        commas += *p == ',';
    return commas == 3;
}

/* .insn 4, value; .insn value; .insn r opcode, f3, f7, rd, rs1, rs2; ... */
bool
pseudo_insn_directive(struct assembler *a, int argument)
{
    static const struct {
        const char *name, *pattern;
    } forms[] = {
        { "r", "o37dst" },  { "r4", "o32dstu" }, { "i", "o3dsI" },
        { "s", "o3tS(s)" }, { "sb", "o3stB" },   { "b", "o3stB" },
        { "u", "odU" },     { "uj", "odJ" },     { "j", "odJ" },
    };
    uint32_t word = 0;
    (void)argument;
    struct span s = lex_name(a);
    lex_blanks(a);
    section_interrupts_prefix(a, ".insn");
    for (size_t i = 0; s.n && i < sizeof forms / sizeof forms[0]; i++)
        if (span_is(s, forms[i].name)) {
            bool load = strcmp(forms[i].name, "i") == 0 && insn_is_load(a);
            return insn_fields(a, load ? "o3dI(s)" : forms[i].pattern, &word) &&
                   insn_word(a, word);
        }
    if (s.n) {
        asm_error(a, s.at, "unknown format; there are r r4 i s sb b u uj j");
        return false;
    }
    int64_t v;
    const char *at = a->p;
    if (!expr_number(a, &v) || (lex_take(a, ',') && !expr_number(a, &v)))
        return false;
    if (v < 0 || v > UINT32_MAX) {
        asm_error(a, at, "%lld is outside 0..0xffffffff", (long long)v);
        return false;
    }
    return insn_word(a, (uint32_t)v);
}
