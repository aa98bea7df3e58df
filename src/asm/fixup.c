/* SPDX-License-Identifier: Apache-2.0 */
/*
 * References that could not be encoded where they were read, because they refer
 * forward or to another section or object.  An address in the same section is at a
 * known distance and becomes bytes; the others become relocations of the RISC-V
 * psABI.  Without linker relaxation distances stay the same, and R_RISCV_RELAX and
 * R_RISCV_ALIGN do not occur.
 */
#include <assert.h>

#include "asm/expr.h"
#include "asm/fixup.h"
#include "asm/insn.h"
#include "asm/object_symbol.h"
#include "base/bisect.h"
#include "base/bytes.h"

struct job {
    struct assembler *a;
    struct elf_out *o;
    struct section *s;
};

static uint32_t
load_word(const struct job *j, uint64_t offset)
{
    assert(offset % 4 == 0 && offset + 4 <= j->s->bytes.n);
    return bytes_load_u32(j->s->bytes.at + offset);
}

static void
store_bytes(const struct job *j, uint64_t offset, uint64_t v, unsigned width)
{
    assert(offset + width <= j->s->bytes.n);
    bytes_store(j->s->bytes.at + offset, width, v);
}

static void
put_field(const struct job *j, uint64_t offset, unsigned field, int64_t value)
{
    assert(field < VENTUS_ISA_FIELD_COUNT);
    uint32_t word = load_word(j, offset);
    store_bytes(j, offset,
                insn_put_field(word, &ventus_isa_fields[field], value), 4);
}

static void
relocate(const struct job *j, uint64_t offset, unsigned type,
         struct symbol *symbol, int64_t addend)
{
    /* Numeric labels have no name: their section and offset will do. */
    if (symbol && !symbol->name && symbol->state == SYMBOL_LABEL &&
        symbol->type != ELF_STT_SECTION && type != ELF_R_RISCV_PCREL_LO12_I &&
        type != ELF_R_RISCV_PCREL_LO12_S) {
        addend += (int64_t)symbol->offset;
        symbol = &symbol->section->anchor;
    }
    assert(j->s->index && offset < j->s->size);
    struct elf_out_reloc r = { .offset = (uint32_t)offset,
                               .type = type,
                               .addend = (int32_t)addend };
    if (symbol)
        r.symbol = object_symbol(j->a, j->o, symbol);
    elf_out_reloc(j->o, j->s->index, r);
}

static void
report(const struct job *j, const struct fixup *f, const char *why)
{
    if (f->operand)
        asm_report(j->a, DIAG_ERROR, &f->position, "operand %u: %s", f->operand,
                   why);
    else
        asm_report(j->a, DIAG_ERROR, &f->position, "%s", why);
}

/* A label that is used and was never defined: 5f, or a numeric one. */
static bool
check_symbol(const struct job *j, const struct fixup *f, const struct symbol *s)
{
    if (!s || s->name || s->state != SYMBOL_UNDEFINED)
        return true;
    report(j, f,
           s == &j->a->pc ? "'pc' stands only for the target of a branch"
                          : "this local label does not follow");
    return false;
}

/* The distance to an address that the linker cannot move from this one. */
static bool
distance(const struct job *j, const struct fixup *f, const struct value *v,
         int64_t *out)
{
    const struct symbol *s = v->add;
    if (!s || v->sub || v->tree || s->state != SYMBOL_LABEL ||
        s->section != j->s || s->weak)
        return false;
    *out = (int64_t)(s->offset + (uint64_t)v->num - f->offset);
    return true;
}

/* Symbol and number, or an error. */
static bool
is_linkable(const struct job *j, const struct fixup *f, const struct value *v)
{
    if (v->add && !v->sub && !v->tree)
        return true;
    report(j, f,
           v->tree || v->sub ? "only symbol + number can be left to the linker"
                             : "expected a symbol");
    return false;
}

static void
settle_branch(const struct job *j, const struct fixup *f, struct value v)
{
    const struct ventus_isa_field *field = &ventus_isa_fields[f->field];
    assert(field->kind == VENTUS_ISA_KIND_B ||
           field->kind == VENTUS_ISA_KIND_J);
    int64_t d = v.num;
    if (!value_is_number(&v) && !distance(j, f, &v, &d)) {
        if (is_linkable(j, f, &v))
            relocate(j, f->offset,
                     f->kind == FIX_BRANCH ? ELF_R_RISCV_BRANCH
                                           : ELF_R_RISCV_JAL,
                     v.add, v.num);
        return;
    }
    const char *wrong = insn_check_range(j->a, field, field->width, d);
    if (wrong)
        report(j, f,
               arena_printf(j->a->arena, "the target is %lld bytes away: %s",
                            (long long)d, wrong));
    else
        put_field(j, f->offset, f->field, d);
}

static int64_t
high_part(int64_t d)
{
    return (d + 0x800) >> 12 & 0xfffff;
}

static int64_t
low_part(int64_t d)
{
    return ((d & 0xfff) ^ 0x800) - 0x800;
}

static void
settle_call(const struct job *j, const struct fixup *f, struct value v)
{
    int64_t d;
    assert(f->offset + 8 <= j->s->bytes.n); /* auipc, jalr */
    if (distance(j, f, &v, &d)) {
        put_field(j, f->offset, insn_field("imm_u"), high_part(d));
        put_field(j, f->offset + 4, insn_field("imm_i"), low_part(d));
    } else if (is_linkable(j, f, &v)) {
        relocate(j, f->offset, ELF_R_RISCV_CALL_PLT, v.add, v.num);
    }
}

static void
settle_pcrel_hi(const struct job *j, const struct fixup *f, struct value v)
{
    int64_t d;
    assert(ventus_isa_fields[f->field].kind == VENTUS_ISA_KIND_HI);
    if (distance(j, f, &v, &d))
        put_field(j, f->offset, f->field, high_part(d));
    else if (is_linkable(j, f, &v))
        relocate(j, f->offset, ELF_R_RISCV_PCREL_HI20, v.add, v.num);
}

/* The %pcrel_hi at an offset: fixups are in order of their offsets. */
static const struct fixup *
find_high(const struct job *j, uint64_t offset)
{
    size_t i;
    BISECT(i, j->s->fixups.n, j->s->fixups.at[i].offset < offset);
    for (; i < j->s->fixups.n && j->s->fixups.at[i].offset == offset; i++)
        if (j->s->fixups.at[i].kind == FIX_PCREL_HI)
            return &j->s->fixups.at[i];
    return NULL;
}

static void
settle_pcrel_lo(const struct job *j, const struct fixup *f, struct value v)
{
    const struct symbol *s = v.add;
    const struct fixup *high = NULL;
    int64_t d;
    if (s && !v.sub && !v.tree && s->state == SYMBOL_LABEL &&
        s->section == j->s && !v.num)
        high = find_high(j, s->offset);
    if (!high) {
        report(j, f,
               "%pcrel_lo() names the label of an auipc with %pcrel_hi() in "
               "this section");
        return;
    }
    assert(high->kind == FIX_PCREL_HI && high->offset == s->offset);
    struct value target = expr_resolve(j->a, high->value);
    if (distance(j, high, &target, &d))
        put_field(j, f->offset, f->field, low_part(d));
    else
        relocate(j, f->offset,
                 ventus_isa_fields[f->field].reloc == VENTUS_ISA_RELOC_S
                     ? ELF_R_RISCV_PCREL_LO12_S
                     : ELF_R_RISCV_PCREL_LO12_I,
                 v.add, 0);
}

static void
settle_absolute(const struct job *j, const struct fixup *f, struct value v)
{
    bool high = f->kind == FIX_HI;
    assert(f->kind == FIX_HI || f->kind == FIX_LO);
    if (value_is_number(&v)) {
        put_field(j, f->offset, f->field,
                  high ? high_part(v.num) : low_part(v.num));
        return;
    }
    if (!is_linkable(j, f, &v))
        return;
    unsigned type = high ? ELF_R_RISCV_HI20
                    : ventus_isa_fields[f->field].reloc == VENTUS_ISA_RELOC_S
                        ? ELF_R_RISCV_LO12_S
                        : ELF_R_RISCV_LO12_I;
    relocate(j, f->offset, type, v.add, v.num);
}

static void
settle_number(const struct job *j, const struct fixup *f, struct value v)
{
    const struct ventus_isa_field *field = &ventus_isa_fields[f->field];
    const char *why = expr_not_number(j->a, &v);
    if (why) {
        report(j, f,
               arena_printf(j->a->arena, "expected a number: it %s%s",
                            *why == '\'' ? "says " : "", why));
        return;
    }
    why = insn_check_range(j->a, field, field->width, v.num);
    if (why)
        report(j, f, why);
    else
        put_field(j, f->offset, f->field, v.num);
}

/* .word a - b, where the linker knows the distance: add a, subtract b. */
static void
relocate_data(const struct job *j, const struct fixup *f, struct value v)
{
    assert(v.sub || v.add);
    assert(f->width == 1 || f->width == 2 || f->width == 4 || f->width == 8);
    unsigned log = f->width == 1   ? 0
                   : f->width == 2 ? 1
                   : f->width == 4 ? 2
                                   : 3;
    if (v.add && !v.sub) {
        if (f->width < 4)
            report(j, f, "an address needs 4 bytes");
        else
            relocate(j, f->offset,
                     f->width == 4 ? ELF_R_RISCV_32 : ELF_R_RISCV_64, v.add,
                     v.num);
        return;
    }
    if (v.add)
        relocate(j, f->offset, ELF_R_RISCV_ADD8 + log, v.add, v.num);
    else
        store_bytes(j, f->offset, (uint64_t)v.num, f->width);
    relocate(j, f->offset, ELF_R_RISCV_SUB8 + log, v.sub, 0);
}

static void
settle_data(const struct job *j, const struct fixup *f, struct value v)
{
    int64_t most = f->width == 8 ? 0 : (int64_t)1 << (8 * f->width);
    if (v.tree)
        report(j, f,
               "only symbol + number and symbol - symbol + number can "
               "be left to the linker");
    else if (!value_is_number(&v))
        relocate_data(j, f, v);
    else if (most && (v.num >= most || v.num < -most / 2))
        report(j, f,
               arena_printf(j->a->arena, "%lld does not fit %u byte%s",
                            (long long)v.num, f->width,
                            f->width > 1 ? "s" : ""));
    else
        store_bytes(j, f->offset, (uint64_t)v.num, f->width);
}

static void
settle(const struct job *j, const struct fixup *f)
{
    assert(f->offset < j->s->size && !j->s->nobits);
    struct value v = expr_resolve(j->a, f->value);
    if (!check_symbol(j, f, v.add) || !check_symbol(j, f, v.sub))
        return;
    switch ((enum fix)f->kind) {
    case FIX_DATA:
        settle_data(j, f, v);
        break;
    case FIX_IMM:
        settle_number(j, f, v);
        break;
    case FIX_BRANCH:
    case FIX_JAL:
        settle_branch(j, f, v);
        break;
    case FIX_CALL:
        settle_call(j, f, v);
        break;
    case FIX_HI:
    case FIX_LO:
        settle_absolute(j, f, v);
        break;
    case FIX_PCREL_HI:
        settle_pcrel_hi(j, f, v);
        break;
    case FIX_PCREL_LO:
        settle_pcrel_lo(j, f, v);
        break;
    }
}

void
fixup_settle_all(struct assembler *a, struct elf_out *o)
{
    for (struct section *s = a->sections; s; s = s->next) {
        struct job j = { a, o, s };
        for (size_t i = 0; i < s->fixups.n; i++)
            settle(&j, &s->fixups.at[i]);
    }
}
