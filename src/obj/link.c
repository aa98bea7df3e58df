/* SPDX-License-Identifier: Apache-2.0 */
/* Merges objects into one, of which elf_link makes a program: concatenates the
 * sections of each kind and resolves global symbols. */
#include "obj/link.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

#include "base/map.h"
#include "obj/functions.h"
#include "obj/note.h"

/* A global symbol, common to all objects. */
struct global {
    unsigned number;   /* number in the result */
    const char *where; /* object that defines it; NULL: none so far */
    bool weak;
};

struct merge {
    struct arena *arena;
    struct elf_out to;
    struct map globals;
    struct diag_sink *sink;
    /* Tables of the object that is being added: */
    const struct elf *from;
    unsigned *section;  /* section of the result, by number; 0: none */
    uint32_t *offset;   /* offset in the section of the result, by number */
    unsigned *symbol;   /* symbol of the result, by number */
    int32_t *in_symbol; /* added to addends, by number of the symbol */
};

static bool
merge_fail(struct merge *m, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool
merge_fail(struct merge *m, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diag_vreport(m->sink, DIAG_ERROR, (struct diag_at){ .file = m->from->file },
                 format, args);
    va_end(args);
    return false;
}

bool
link_check_isa(const struct elf *elf, unsigned *isa, const char **isa_file,
               struct diag_sink *sink)
{
    unsigned version;
    if (!note_read_isa(elf, &version, sink))
        return false;
    if (version && *isa && version != *isa) {
        diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = elf->file },
                    "is for version %u of the instruction set, but '%s' is "
                    "for version %u",
                    version, *isa_file, *isa);
        return false;
    }
    if (version && !*isa) {
        *isa = version;
        *isa_file = elf->file;
    }
    return true;
}

/* ---- sections ---- */

/* The section of the result that a section goes to: by its kind if it occupies memory,
 * else by its name.  NULL: it is left out. */
static const char *
goes_to(const struct elf_section *s)
{
    static const char *const dropped[] = { ".comment", ".riscv.attributes",
                                           ".note.GNU-stack" };
    if (s->flags & ELF_SHF_ALLOC) {
        if (strcmp(s->name, ".text.start") == 0)
            return s->name;
        return s->flags & ELF_SHF_EXEC    ? ".text"
               : s->flags & ELF_SHF_WRITE ? ".data"
                                          : ".rodata";
    }
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
        if (strcmp(s->name, dropped[i]) == 0)
            return NULL;
    return s->type == ELF_SHT_PROGBITS || s->type == ELF_SHT_NOTE ? s->name
                                                                  : NULL;
}

static bool
add_section(struct merge *m, size_t i)
{
    enum { MAX_ALIGN = 1 << 20, MAX_B = 1 << 28 };
    const struct elf_section *s = &m->from->section[i];
    const char *name = i ? goes_to(s) : NULL;
    if (!name)
        return true;
    if (s->align & (s->align - 1) || s->align > MAX_ALIGN)
        return merge_fail(
            m,
            "section '%s' has the alignment %llu: expected a power of "
            "two up to %d",
            s->name, (unsigned long long)s->align, MAX_ALIGN);
    if (s->size > MAX_B)
        return merge_fail(m, "section '%s' has %llu bytes: expected %d at most",
                          s->name, (unsigned long long)s->size, MAX_B);
    bool memory = s->flags & ELF_SHF_ALLOC;
    unsigned to = elf_out_find(&m->to, name);
    if (!to)
        to = elf_out_section(&m->to, name, memory ? ELF_SHT_PROGBITS : s->type,
                             (unsigned)s->flags &
                                 ~(unsigned)(ELF_SHF_MERGE | ELF_SHF_STRINGS),
                             1);
    struct elf_out_section *out = &m->to.sections.at[to - 1];
    uint32_t align = s->align ? (uint32_t)s->align : 1;
    if (out->align < align)
        out->align = align;
    buf_align(&out->contents, align, 0);
    assert(to && out->contents.n % align == 0 && "buf_align has aligned it");
    m->section[i] = to;
    m->offset[i] = (uint32_t)out->contents.n;
    if (s->contents)
        buf_put(&out->contents, s->contents, (size_t)s->size);
    else
        buf_fill(&out->contents, 0, (size_t)s->size);
    return true;
}

/* ---- symbols ---- */

static struct elf_out_symbol
symbol_of(const struct merge *m, const struct elf_symbol *s)
{
    struct elf_out_symbol out = {
        .name = s->name,
        .section = s->section,
        .value = (uint32_t)s->value,
        .size = (uint32_t)s->size,
        .binding = (enum elf_binding)s->binding,
        .type = (enum elf_symbol_type)s->type,
        .visibility = (enum elf_visibility)s->visibility,
    };
    if (s->section && s->section < ELF_SHN_RESERVED) {
        assert(m->section[s->section] &&
               "symbols of dropped sections are dropped before");
        out.section = m->section[s->section];
        out.value += m->offset[s->section];
    }
    return out;
}

static bool
add_global(struct merge *m, const struct elf_symbol *s, unsigned *number)
{
    void **at = map_put(m->arena, &m->globals, s->name, strlen(s->name));
    struct elf_out_symbol out = symbol_of(m, s);
    bool weak = s->binding == ELF_STB_WEAK;
    struct global *g = *at;
    if (!g) {
        *at = g = arena_new(m->arena, struct global, 1);
        g->number = elf_out_symbol(&m->to, &out);
        g->weak = weak;
        g->where = s->section ? m->from->file : NULL;
    } else if (s->section && g->where && !weak && !g->weak) {
        return merge_fail(m, "'%s' is defined here and in '%s'", s->name,
                          g->where);
    } else if (s->section && (!g->where || (g->weak && !weak))) {
        assert(g->number && g->number <= m->to.symbols.n);
        m->to.symbols.at[g->number - 1] = out;
        g->where = m->from->file;
        g->weak = weak;
    } else if (!s->section && !g->where) {
        g->weak &= weak;
    }
    *number = g->number;
    return true;
}

static bool
add_symbol(struct merge *m, size_t i)
{
    const struct elf_symbol *s = &m->from->symbol[i];
    if (!i || s->type == ELF_STT_FILE)
        return true;
    if (s->section == ELF_SHN_COMMON)
        return merge_fail(m, "'%s' is common (.comm): expected it in .bss",
                          s->name);
    bool placed = s->section && s->section < ELF_SHN_RESERVED;
    if (placed && !m->section[s->section])
        return true;
    if (s->type == ELF_STT_SECTION && !placed)
        return merge_fail(m, "symbol %zu stands for section %u, which is none",
                          i, s->section);
    if (!placed && s->section && s->section != ELF_SHN_ABS)
        return merge_fail(m, "'%s' lies in section 0x%x, which is reserved",
                          s->name, s->section);
    if (s->type == ELF_STT_SECTION) {
        m->symbol[i] = elf_out_section_symbol(&m->to, m->section[s->section]);
        m->in_symbol[i] = (int32_t)m->offset[s->section];
        return true;
    }
    if (s->binding != ELF_STB_LOCAL)
        return add_global(m, s, &m->symbol[i]);
    struct elf_out_symbol out = symbol_of(m, s);
    m->symbol[i] = elf_out_symbol(&m->to, &out);
    return true;
}

static bool
add_relocs(struct merge *m, size_t i)
{
    const struct elf_section *s = &m->from->section[i];
    for (size_t k = 0; m->section[i] && k < s->n_relocs; k++) {
        const struct elf_reloc *r = &s->reloc[k];
        if (r->offset > s->size)
            return merge_fail(m,
                              "relocation %zu of section '%s' is at 0x%llx, "
                              "past its end (0x%llx)",
                              k, s->name, (unsigned long long)r->offset,
                              (unsigned long long)s->size);
        assert((r->symbol < m->from->n_symbols || !r->symbol) &&
               "elf_read has checked the symbol");
        elf_out_reloc(&m->to, m->section[i],
                      (struct elf_out_reloc){
                          m->offset[i] + (uint32_t)r->offset, r->type,
                          m->symbol[r->symbol],
                          (int32_t)r->addend + m->in_symbol[r->symbol] });
    }
    return true;
}

static bool
add_object(struct merge *m, const struct elf *elf)
{
    m->from = elf;
    m->section = arena_new(m->arena, unsigned, elf->n_sections + 1);
    m->offset = arena_new(m->arena, uint32_t, elf->n_sections + 1);
    m->symbol = arena_new(m->arena, unsigned, elf->n_symbols + 1);
    m->in_symbol = arena_new(m->arena, int32_t, elf->n_symbols + 1);
    for (size_t i = 0; i < elf->n_sections; i++)
        if (!add_section(m, i))
            return false;
    for (size_t i = 0; i < elf->n_symbols; i++)
        if (!add_symbol(m, i))
            return false;
    for (size_t i = 0; i < elf->n_sections; i++)
        if (!add_relocs(m, i))
            return false;
    return true;
}

/* ---- undefined symbols ---- */

/* The function that contains an offset of a section: "f+0x8". */
static const char *
place_of(struct merge *m, unsigned section, uint64_t offset)
{
    const struct elf_symbol *best = NULL;
    for (size_t i = 1; i < m->from->n_symbols; i++) {
        const struct elf_symbol *s = &m->from->symbol[i];
        if (s->section == section && s->type != ELF_STT_SECTION && *s->name &&
            s->value <= offset && (!best || s->value >= best->value))
            best = s;
    }
    return arena_printf(
        m->arena, "%s+0x%llx",
        best ? best->name : m->from->section[section].name,
        (unsigned long long)(offset - (best ? best->value : 0)));
}

static bool
check_defined(struct merge *m, const struct elf *elf)
{
    bool ok = true;
    m->from = elf;
    for (size_t i = 0; i < elf->n_sections; i++) {
        const struct elf_section *s = &elf->section[i];
        for (size_t k = 0; k < s->n_relocs; k++) {
            const struct elf_symbol *to = &elf->symbol[s->reloc[k].symbol];
            if (!s->reloc[k].symbol || to->section)
                continue;
            void **at = map_find(&m->globals, to->name, strlen(to->name));
            const struct global *g = at ? *at : NULL;
            if (g && (g->where || g->weak))
                continue;
            ok = merge_fail(m, "undefined symbol '%s', which is used at %s",
                            to->name,
                            place_of(m, (unsigned)i, s->reloc[k].offset));
        }
    }
    return ok;
}

/* Makes the remaining undefined symbols absolute zero: weak ones, and unused others. */
static void
settle_undefined(struct merge *m)
{
    for (size_t i = 0; i < m->to.symbols.n; i++)
        if (!m->to.symbols.at[i].section)
            m->to.symbols.at[i].section = ELF_SHN_ABS;
}

static bool
merge_objects(struct merge *m, const struct elf *objects, size_t n)
{
    unsigned isa = 0;
    const char *isa_file = NULL;
    bool ok = true;
    for (size_t i = 0; i < n; i++)
        ok = ok && link_check_isa(&objects[i], &isa, &isa_file, m->sink) &&
             add_object(m, &objects[i]);
    for (size_t i = 0; ok && i < n; i++)
        ok = check_defined(m, &objects[i]);
    settle_undefined(m);
    m->to.flags = n ? objects[0].flags : 0;
    return ok;
}

bool
link_program(struct arena *a, const char *file, const struct elf *objects,
             size_t n, struct buf *out, struct diag_sink *sink)
{
    struct merge m = { .arena = a, .to = { .arena = a }, .sink = sink };
    struct elf_out program = { .arena = a };
    struct oom_cleanup free_to, free_program;
    size_t start = out->n;
    elf_out_defer(&free_to, &m.to);
    elf_out_defer(&free_program, &program);
    bool ok = merge_objects(&m, objects, n) &&
              elf_link(&m.to, file, &program, sink) &&
              elf_write(&program, file, out, sink) &&
              functions_settle(a, file, out->at + start, out->n - start, sink);
    if (!ok)
        out->n = start;
    oom_release(&free_program);
    oom_release(&free_to);
    return ok;
}
