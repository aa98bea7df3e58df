/* SPDX-License-Identifier: Apache-2.0 */
/* Sections, symbols and relocations as an ELF object. */
#include <assert.h>
#include <string.h>

#include "asm/expr.h"
#include "asm/fixup.h"
#include "asm/kernel.h"
#include "asm/lines.h"
#include "asm/object.h"
#include "asm/object_symbol.h"
#include "obj/note.h"

static bool
is_local_name(const struct symbol *s)
{
    return !s->name ||
           (s->name_length >= 2 && s->name[0] == '.' && s->name[1] == 'L');
}

/* Numbers the symbols in order of first mention; .L names stay away, and undefined ones that are not
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
            object_section(o, s);
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
