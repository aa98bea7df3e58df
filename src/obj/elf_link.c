/* SPDX-License-Identifier: Apache-2.0 */
/* The linker of one object to a program.  The table below places the sections that
 * occupy memory; the others keep their contents, at address 0.  Then each symbol gets
 * its address, and the relocations are applied. */
#include <assert.h>
#include <string.h>

#include "obj/elf.h"

enum { BASE = 0x80000000u, PAGE = 4096, PIECES = 2 };

/* Layout of the program as in lib/ventus.ld: sections of the object, in this order. */
static const struct {
    const char *name;
    const char *pieces[PIECES];
    unsigned flags;
} places[] = {
    { ".text", { ".text.start", ".text" }, ELF_PF_R | ELF_PF_X },
    { ".rodata", { ".rodata" }, ELF_PF_R },
    { ".data", { ".data" }, ELF_PF_R | ELF_PF_W },
    { ".bss", { ".bss" }, ELF_PF_R | ELF_PF_W },
};
enum { PLACES = sizeof places / sizeof *places };

/* The position of a section of the object in the program. */
struct spot {
    unsigned section; /* section of the program; 0: not placed yet */
    uint32_t offset;  /* offset in that section */
};

struct linker {
    const struct elf_out *object;
    const char *file;
    struct elf_out *program;
    struct spot *spots; /* by number of the section in the object */
    struct diag_sink *sink;
};

static bool
link_fail(struct linker *l, const char *what, const char *name)
{
    diag_report(l->sink, DIAG_ERROR, (struct diag_at){ .file = l->file },
                "%s '%s'", what, name ? name : "");
    return false;
}

/* Appends a section of the object to a section of the program. */
static void
append_section(struct linker *l, unsigned number, unsigned to)
{
    assert(number && number <= l->object->sections.n);
    assert(!l->spots[number].section && "placed twice");
    const struct elf_out_section *from = &l->object->sections.at[number - 1];
    struct elf_out_section *s = &l->program->sections.at[to - 1];
    if (s->align < from->align)
        s->align = from->align;
    buf_align(&s->contents, from->align ? from->align : 1, 0);
    l->spots[number] = (struct spot){ to, (uint32_t)s->contents.n };
    /* NOBITS sections have one piece only. */
    s->nobits_size += from->nobits_size;
    buf_put(&s->contents, from->contents.at, from->contents.n);
}

static unsigned
add_like(struct linker *l, const char *name, unsigned number)
{
    const struct elf_out_section *s = &l->object->sections.at[number - 1];
    unsigned n = elf_out_section(l->program, name, s->type, s->flags, 1);
    l->program->sections.at[n - 1].entry_size = s->entry_size;
    return n;
}

/* Gives a section its address, `end` or above, and puts it into a segment: of its own,
 * at the start of a page; zeros go to the segment of the variables before them.
 * Returns the end. */
static uint32_t
place_section(struct linker *l, unsigned number, unsigned flags, uint32_t end)
{
    struct elf_out *p = l->program;
    struct elf_out_section *s = &p->sections.at[number - 1];
    struct elf_out_segment *last =
        p->segments.n ? &p->segments.at[p->segments.n - 1] : NULL;
    uint32_t size = (uint32_t)s->contents.n + s->nobits_size;
    bool joins = s->type == ELF_SHT_NOBITS && last && last->flags == flags;
    uint32_t align = joins ? (s->align ? s->align : 1) : PAGE;
    s->addr = (end + align - 1) / align * align;
    if (joins)
        last->zeros = number;
    else if (size)
        vec_push(p->arena, &p->segments,
                 ((struct elf_out_segment){ number, flags, 0 }));
    return s->addr + size;
}

/* Places code, constants and variables, in this order. */
static void
place_memory(struct linker *l)
{
    uint32_t end = BASE;
    for (unsigned i = 0; i < PLACES; i++) {
        unsigned to = 0;
        for (unsigned k = 0; k < PIECES && places[i].pieces[k]; k++) {
            unsigned from = elf_out_find(l->object, places[i].pieces[k]);
            if (from && !to)
                to = add_like(l, places[i].name, from);
            if (from)
                append_section(l, from, to);
        }
        if (to)
            end = place_section(l, to, places[i].flags, end);
    }
}

static bool
place_rest(struct linker *l)
{
    for (unsigned n = 1; n <= l->object->sections.n; n++) {
        const struct elf_out_section *s = &l->object->sections.at[n - 1];
        if (l->spots[n].section)
            continue;
        if (s->flags & ELF_SHF_ALLOC)
            return link_fail(l, "a program has no place for the section",
                             s->name);
        append_section(l, n, add_like(l, s->name, n));
    }
    return true;
}

/* The address of a symbol; its offset, if the section occupies no memory. */
static uint32_t
symbol_address(const struct linker *l, unsigned symbol)
{
    const struct elf_out_symbol *s = &l->object->symbols.at[symbol - 1];
    if (s->section == ELF_SHN_ABS)
        return s->value;
    assert(s->section && s->section <= l->object->sections.n);
    struct spot spot = l->spots[s->section];
    assert(spot.section && "place_rest has placed every section");
    return l->program->sections.at[spot.section - 1].addr + spot.offset +
           s->value;
}

static bool
put_symbols(struct linker *l)
{
    bool has_start = false;
    for (unsigned n = 1; n <= l->object->symbols.n; n++) {
        struct elf_out_symbol s = l->object->symbols.at[n - 1];
        if (!s.section)
            return link_fail(l, "undefined symbol", s.name);
        if (s.type == ELF_STT_SECTION)
            continue;
        s.value = symbol_address(l, n);
        if (s.section != ELF_SHN_ABS)
            s.section = l->spots[s.section].section;
        elf_out_symbol(l->program, &s);
        if (s.name && strcmp(s.name, "_start") == 0) {
            l->program->entry = s.value;
            has_start = true;
        }
    }
    return has_start || link_fail(l, "undefined symbol", "_start");
}

/* Finds the value of a relocation: the symbol's address plus the addend.  For the low
 * half of a distance, whose symbol is the position of the high half, the value is that
 * distance. */
static bool
find_value(struct linker *l, const struct elf_out_reloc *r, uint32_t *x)
{
    *x = (r->symbol ? symbol_address(l, r->symbol) : 0) + (uint32_t)r->addend;
    if (r->type != ELF_R_RISCV_PCREL_LO12_I &&
        r->type != ELF_R_RISCV_PCREL_LO12_S)
        return true;
    const struct elf_out_symbol *s = &l->object->symbols.at[r->symbol - 1];
    const struct elf_out_section *in = &l->object->sections.at[s->section - 1];
    for (size_t i = 0; i < in->relocs.n; i++) {
        const struct elf_out_reloc *high = &in->relocs.at[i];
        if (high->offset != s->value || high->type != ELF_R_RISCV_PCREL_HI20)
            continue;
        *x = symbol_address(l, high->symbol) + (uint32_t)high->addend - *x;
        return true;
    }
    return false;
}

static bool
relocate_section(struct linker *l, unsigned number)
{
    const struct elf_out_section *from = &l->object->sections.at[number - 1];
    struct spot spot = l->spots[number];
    struct elf_out_section *to = &l->program->sections.at[spot.section - 1];
    for (size_t i = 0; i < from->relocs.n; i++) {
        const struct elf_out_reloc *r = &from->relocs.at[i];
        uint32_t at = spot.offset + r->offset;
        uint32_t x;
        assert(at <= to->contents.n);
        if (r->offset > from->contents.n || !find_value(l, r, &x) ||
            elf_reloc_apply(r->type, to->contents.at + at,
                            from->contents.n - r->offset, x,
                            to->addr + at) != ELF_RELOC_DONE)
            return link_fail(l, "a relocation cannot be applied in the section",
                             from->name);
    }
    return true;
}

bool
elf_link(const struct elf_out *object, const char *file,
         struct elf_out *program, struct diag_sink *sink)
{
    struct linker l = { object, file, program, NULL, sink };
    l.spots = arena_new(program->arena, struct spot, object->sections.n + 1);
    program->flags = object->flags;
    place_memory(&l);
    if (!place_rest(&l) || !put_symbols(&l))
        return false;
    for (unsigned n = 1; n <= object->sections.n; n++)
        if (!relocate_section(&l, n))
            return false;
    return true;
}
