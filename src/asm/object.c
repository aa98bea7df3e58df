/* SPDX-License-Identifier: Apache-2.0 */
/* Sections, symbols and relocations as an ELF object. */
#include <assert.h>
#include <string.h>

#include "asm/expr.h"
#include "asm/finish.h"
#include "obj/note.h"

static bool
is_local_name(const struct symbol *s)
{
    return !s->name ||
           (s->name_length >= 2 && s->name[0] == '.' && s->name[1] == 'L');
}

static enum elf_binding
binding_of(const struct symbol *s)
{
    if (s->weak)
        return ELF_STB_WEAK;
    return s->global || s->state == SYMBOL_UNDEFINED ? ELF_STB_GLOBAL
                                                     : ELF_STB_LOCAL;
}

/* Where a symbol is; false if .set made it something without a place. */
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

static void
add_section(struct elf_out *o, struct section *s)
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
            add_section(o, s->section);
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
                   "the value of '%s' is neither a number nor a place here",
                   out.name);
        return 0;
    }
    s->index = elf_out_symbol(o, &out);
    assert(s->index <= o->symbols.n);
    return s->index;
}

/* In order of first mention; .L names stay away, and undefined ones that are not
 * declared, unless something uses them. */
static void
add_symbols(struct assembler *a, struct elf_out *o)
{
    for (size_t i = 0; i < a->symbols.n; i++) {
        struct symbol *s = a->symbols.entry[i].value;
        bool asked = s->state == SYMBOL_UNDEFINED && (s->weak || s->global);
        if (!is_local_name(s) && (s->state != SYMBOL_UNDEFINED || asked))
            object_symbol(a, o, s);
    }
}

/* .text, .data and .bss that nothing was put in are left out. */
static bool
is_needed(const struct section *s)
{
    return s->size || s->anchor.index ||
           (strcmp(s->name, ".data") != 0 && strcmp(s->name, ".bss") != 0);
}

static void
add_sections(struct assembler *a, struct elf_out *o)
{
    for (size_t i = 0; i < a->symbols.n; i++) {
        struct symbol *s = a->symbols.entry[i].value;
        if (s->state == SYMBOL_LABEL)
            s->section->anchor.index = 1;
    }
    for (struct section *s = a->sections; s; s = s->next) {
        if (is_needed(s))
            add_section(o, s);
    }
}

static bool
write_object(struct assembler *a, struct elf_out *o, struct buf *out)
{
    const char *file = a->options->file ? a->options->file : "<input>";
    if (a->sink->errors)
        return false;
    for (struct section *s = a->sections; s; s = s->next)
        if (s->index && !s->nobits)
            buf_put(elf_out_contents(o, s->index), s->bytes.at, s->bytes.n);
    note_write_isa(o, a->version);
    note_write_attributes(o);
    functions_write(o, a->functions.at, a->functions.n);
    kernel_place_arguments(a);
    return (!a->kernels.n ||
            kernels_write(o, file, a->kernels.at, a->kernels.n, a->sink)) &&
           line_write(a, o) && elf_write(o, file, out, a->sink);
}

bool
object_write(struct assembler *a, struct buf *out)
{
    struct elf_out o = { .arena = a->arena };
    struct oom_cleanup free_o;
    elf_out_defer(&free_o, &o);
    add_sections(a, &o);
    add_symbols(a, &o);
    fixup_settle_all(a, &o);
    bool ok = write_object(a, &o, out);
    oom_release(&free_o);
    return ok;
}
