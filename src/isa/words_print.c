/* SPDX-License-Identifier: Apache-2.0 */
/* Prints instructions of words.h by the syntax strings of the table. */
#include "isa/words.h"

#include <stdarg.h>
#include <stdio.h>

struct out {
    char *at;
    size_t length, size;
    const struct words_isa *isa;
    const void *insn;
    const struct ventus_words_print *options;
};

__attribute__((format(printf, 2, 3))) static void
put_format(struct out *o, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    bool fits = o->length < o->size;
    int n = vsnprintf(fits ? o->at + o->length : NULL,
                      fits ? o->size - o->length : 0, format, args);
    va_end(args);
    o->length += n > 0 ? (size_t)n : 0;
}

const char *
words_register(unsigned kind, unsigned number)
{
    static const char *const names[2][32] = {
        { "zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
          "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
          "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6" },
        { "ft0", "ft1", "ft2",  "ft3",  "ft4", "ft5", "ft6",  "ft7",
          "fs0", "fs1", "fa0",  "fa1",  "fa2", "fa3", "fa4",  "fa5",
          "fa6", "fa7", "fs2",  "fs3",  "fs4", "fs5", "fs6",  "fs7",
          "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11" },
    };
    return names[kind == WORDS_F][number & 31];
}

static void
put_register(struct out *o, unsigned kind, int32_t number)
{
    if (kind == WORDS_V || o->options->numeric)
        put_format(o, "%c%d", "xfv"[kind], number);
    else
        put_format(o, "%s", words_register(kind, (unsigned)number));
}

static void
put_target(struct out *o, int32_t offset)
{
    if (o->options->has_pc)
        put_format(
            o, "0x%llx",
            (unsigned long long)(o->options->pc + (uint64_t)(int64_t)offset));
    else
        put_format(o, "%d", offset);
}

static void
put_csr(struct out *o, int32_t number)
{
    for (unsigned i = 0; i < o->isa->csr_count; i++) {
        if (o->isa->csrs[i].number == number) {
            put_format(o, "%s", o->isa->csrs[i].name);
            return;
        }
    }
    put_format(o, "%d", number);
}

/* Prints vtype: [7] ma [6] ta [5:3] SEW = 8 << n [2:0] LMUL (RVV 1.0, 3.4). */
static void
put_vtype(struct out *o, int32_t vtype)
{
    static const char *const lmul[8] = { "m1", "m2",  "m4",  "m8",
                                         NULL, "mf8", "mf4", "mf2" };
    unsigned sew = (unsigned)vtype >> 3 & 7;
    if (vtype >> 8 || sew > 3 || !lmul[vtype & 7])
        put_format(o, "%d", vtype);
    else
        put_format(o, "e%u, %s, %s, %s", 8u << sew, lmul[vtype & 7],
                   vtype & 0x40 ? "ta" : "tu", vtype & 0x80 ? "ma" : "mu");
}

/* Prints the sets of a fence: [7:4] pred [3:0] succ, each i o r w from bit 3 down. */
static void
put_order(struct out *o, int32_t order)
{
    if (order == 0x833) {
        put_format(o, "tso");
        return;
    }
    for (int part = 1; part >= 0; part--) {
        unsigned set = (unsigned)order >> (4 * part) & 15;
        for (int i = 3; i >= 0; i--)
            if (set >> i & 1)
                put_format(o, "%c", "wroi"[i]);
        put_format(o, "%s%s", set ? "" : "0", part ? ", " : "");
    }
}

/* Prints an operand that is left out when it has its usual value. */
static void
put_optional(struct out *o, const struct words_field *f, int32_t value)
{
    static const char *const rounding[8] = { ", rne", ", rtz", ", rdn", ", rup",
                                             ", rmm", ", rm5", ", rm6", "" };
    static const char *const order[4] = { "", ".rl", ".aq", ".aqrl" };
    if (f->kind == WORDS_RM)
        put_format(o, "%s", rounding[value & 7]);
    else if (f->kind == WORDS_VM)
        put_format(o, "%s", value ? "" : ", v0.t");
    else if (f->kind == WORDS_AQRL)
        put_format(o, "%s", order[value & 3]);
    else if (!value)
        return;
    else if (f->kind == WORDS_FLAG)
        put_format(o, ", %s", f->label);
    else if (f->kind == WORDS_LOG2)
        put_format(o, ", %s=%d", f->label, 1 << value);
    else if (f->kind == WORDS_OPT)
        put_format(o, ", %d", value);
    else
        put_format(o, "-");
}

static void
put_operand(struct out *o, const struct words_field *f)
{
    int32_t value = words_get(o->insn, f);
    switch ((enum words_kind)f->kind) {
    case WORDS_X:
    case WORDS_F:
    case WORDS_V:
        put_register(o, f->kind, value);
        break;
    case WORDS_T:
        put_format(o, "tr%d", value);
        break;
    case WORDS_S:
    case WORDS_U:
        put_format(o, "%d", value);
        break;
    case WORDS_HEX:
        put_format(o, "0x%02x", (unsigned)value);
        break;
    case WORDS_HI: /* a compressed instruction keeps the sign of 20 bits */
        put_format(o, "%u", (unsigned)value);
        break;
    case WORDS_B:
    case WORDS_J:
        put_target(o, value);
        break;
    case WORDS_CSR:
        put_csr(o, value);
        break;
    case WORDS_VTYPE:
        put_vtype(o, value);
        break;
    case WORDS_IORW:
        put_order(o, value);
        break;
    case WORDS_LIST:
        put_format(o, "%s", words_name(&o->isa->lists[f->list - 1], value));
        break;
    case WORDS_RM:
    case WORDS_VM:
    case WORDS_AQRL:
    case WORDS_FLAG:
    case WORDS_LOG2:
    case WORDS_OPT:
    case WORDS_MINUS:
        put_optional(o, f, value);
        break;
    }
}

static void
put_syntax(struct out *o, const char *syntax)
{
    for (const char *c = syntax; *c; c++) {
        unsigned char byte = (unsigned char)*c;
        if (byte >= 128)
            put_operand(o, &o->isa->fields[byte - 128]);
        else
            put_format(o, "%c", *c);
    }
}

static bool
alias_fits(const struct words_isa *isa, const struct words_alias *a,
           const void *insn)
{
    for (unsigned i = 0; i < a->fixed; i++) {
        int32_t want = a->fix[i].value;
        if (a->fix[i].same)
            want = words_get(insn, &isa->fields[a->fix[i].same - 1]);
        if (words_get(insn, &isa->fields[a->fix[i].field]) != want)
            return false;
    }
    return true;
}

static const struct words_alias *
find_alias(const struct words_isa *isa, const void *insn)
{
    unsigned op = ((const struct words_insn *)insn)->op;
    for (unsigned i = 0; i < isa->alias_count; i++)
        if (isa->aliases[i].printed && isa->aliases[i].op == op &&
            alias_fits(isa, &isa->aliases[i], insn))
            return &isa->aliases[i];
    return NULL;
}

size_t
words_print(const struct words_isa *isa, const void *insn,
            const struct ventus_words_print *options, char *out, size_t size)
{
    static const struct ventus_words_print defaults = { 0 };
    struct out o = { out, 0, size, isa, insn, options ? options : &defaults };
    const struct words_row *row =
        &isa->rows[((const struct words_insn *)insn)->op];
    const char *name = row->mnemonic, *syntax = row->syntax;
    const struct words_alias *alias =
        o.options->no_alias ? NULL : find_alias(isa, insn);
    if (alias) {
        name = alias->name;
        syntax = alias->syntax;
    }
    if (size)
        out[0] = 0;
    put_syntax(&o, name);
    if (*syntax) {
        do
            put_format(&o, " ");
        while (o.length < 8);
        put_syntax(&o, syntax);
    }
    return o.length < size ? o.length : size ? size - 1 : 0;
}
