/* SPDX-License-Identifier: Apache-2.0 */
/* Sections and symbols in the tables of the object. */
#include <assert.h>
#include <string.h>

#include "asm/expr.h"
#include "asm/object_symbol.h"

static enum elf_binding
binding_of(const struct symbol *s)
{
    if (s->weak)
        return ELF_STB_WEAK;
    return s->global || s->state == SYMBOL_UNDEFINED ? ELF_STB_GLOBAL
                                                     : ELF_STB_LOCAL;
}

/* Section and offset of a symbol; false if .set gave it a value without them. */
static bool
find_place(struct assembler *a, const struct symbol *s,
           struct elf_out_symbol *out)
{
    if (s->state == SYMBOL_UNDEFINED)
        return true;
    struct value v = { .add = (struct symbol *)(uintptr_t)s };
    if (s->state == SYMBOL_SET)
        v = expr_resolve(a, *s->set);
    if (value_is_number(&v)) {
        out->section = ELF_SHN_ABS;
        out->value = (uint32_t)v.num;
        return true;
    }
    if (v.tree || v.sub || v.add->state != SYMBOL_LABEL)
        return false;
    assert(v.add->section->index); /* sections are numbered before */
    out->section = v.add->section->index;
    out->value = (uint32_t)(v.add->offset + (uint64_t)v.num);
    return true;
}

static uint32_t
size_of(struct assembler *a, const struct symbol *s)
{
    if (!s->size)
        return 0;
    struct value v = expr_resolve(a, *s->size);
    if (value_is_number(&v))
        return (uint32_t)v.num;
    asm_report(a, DIAG_ERROR, &s->defined, "the .size of '%.*s' is no number",
               (int)s->name_length, s->name);
    return 0;
}

void
object_section(struct elf_out *o, struct section *s)
{
    s->index = elf_out_section(o, s->name, s->type, s->flags, s->align);
    o->sections.at[s->index - 1].entry_size = s->entsize;
    assert(s->nobits ? !s->bytes.n : s->size == s->bytes.n);
    assert(s->size <= MAX_OUTPUT && (s->align & (s->align - 1)) == 0);
    if (s->nobits)
        o->sections.at[s->index - 1].nobits_size = (uint32_t)s->size;
}

unsigned
object_symbol(struct assembler *a, struct elf_out *o, struct symbol *s)
{
    if (s->type == ELF_STT_SECTION) {
        if (!s->section->index) /* empty, with a numeric label that is used */
            object_section(o, s->section);
        return elf_out_section_symbol(o, s->section->index);
    }
    if (s->index)
        return s->index;
    struct elf_out_symbol out = { .binding = binding_of(s),
                                  .type = (enum elf_symbol_type)s->type,
                                  .visibility =
                                      (enum elf_visibility)s->visibility,
                                  .size = size_of(a, s) };
    if (s->name)
        out.name = arena_strndup(a->arena, s->name, s->name_length);
    else
        out.name = arena_printf(a->arena, ".Lpcrel_hi%zu", o->symbols.n);
    if (!find_place(a, s, &out)) {
        asm_report(a, DIAG_ERROR, &s->defined,
                   "the value of '%s' is neither a number nor an address here",
                   out.name);
        return 0;
    }
    s->index = elf_out_symbol(o, &out);
    assert(s->index <= o->symbols.n);
    return s->index;
}
