/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reader of ELF files.  Order of the checks: the ELF header; each section and
 * segment lies inside the file; string tables end in zero, so that every offset below
 * their size is a string; symbols and relocations refer to existing sections, strings
 * and symbols.
 *
 * Memory: the headers take no more bytes than the file, but section headers may all
 * point to the same bytes.  So the tables decoded from them (symbols, relocations)
 * share a budget of one file size.
 */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/cursor.h"
#include "obj/elf.h"
#include "obj/report.h"

struct reader {
    struct arena *arena;
    struct elf *elf;
    struct diag_sink *sink;
    uint64_t section_offset, segment_offset;
    unsigned section_names; /* section number of .shstrtab */
    size_t budget;          /* bytes of tables that may still be decoded */
    struct elf_section *section;
    size_t symtab;
};

static bool
elf_fail(struct reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool
elf_fail(struct reader *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diag_vreport(r->sink, DIAG_ERROR, (struct diag_at){ .file = r->elf->file },
                 format, args);
    va_end(args);
    return false;
}

/* The name of a section for messages: "section 3 '.text'". */
static const char *
section_title(struct reader *r, size_t i)
{
    const char *name = r->section[i].name;
    if (!name)
        return arena_printf(r->arena, "section %zu", i);
    return arena_printf(r->arena, "section %zu '%s'", i,
                        report_printable(r->arena, name));
}

static bool
is_in_file(const struct reader *r, uint64_t offset, uint64_t size)
{
    return offset <= r->elf->size && size <= r->elf->size - offset;
}

static bool
check_in_file(struct reader *r, const char *title, uint64_t offset,
              uint64_t size)
{
    if (is_in_file(r, offset, size))
        return true;
    return elf_fail(r,
                    "%s: offset 0x%" PRIx64 " + size 0x%" PRIx64
                    " is past the end of the file (%zu bytes)",
                    title, offset, size, r->elf->size);
}

/* Reads a number of the class's size: 4 or 8 bytes. */
static uint64_t
read_word(struct cursor *c, bool is_64)
{
    return is_64 ? cursor_u64(c) : cursor_u32(c);
}

static bool
check_ident(struct reader *r)
{
    static const uint8_t magic[4] = { 0x7f, 'E', 'L', 'F' };
    const uint8_t *ident = r->elf->image;
    if (r->elf->size < 16 || memcmp(ident, magic, 4) != 0)
        return elf_fail(r, "not an ELF file");
    if (ident[4] != 1 && ident[4] != 2)
        return elf_fail(r, "ELF class %u: expected 1 (32 bits) or 2 (64 bits)",
                        ident[4]);
    if (ident[5] != 1)
        return elf_fail(r, "ELF data encoding %u: expected 1 (little endian)",
                        ident[5]);
    r->elf->is_64 = ident[4] == 2;
    return true;
}

static bool
check_table(struct reader *r, const char *title, uint64_t offset, size_t count,
            unsigned entry_size, unsigned expected)
{
    if (!count)
        return true;
    if (entry_size != expected)
        return elf_fail(r, "%s have %u bytes each: expected %u", title,
                        entry_size, expected);
    return check_in_file(r, title, offset, (uint64_t)count * entry_size);
}

static bool
read_header(struct reader *r)
{
    struct elf *elf = r->elf;
    if (!check_ident(r))
        return false;
    bool is_64 = elf->is_64;
    struct cursor c = cursor_over(elf->image, elf->size);
    cursor_bytes(&c, 16);
    elf->type = cursor_u16(&c);
    elf->machine = cursor_u16(&c);
    cursor_u32(&c); /* version */
    elf->entry = read_word(&c, is_64);
    r->segment_offset = read_word(&c, is_64);
    r->section_offset = read_word(&c, is_64);
    elf->flags = cursor_u32(&c);
    cursor_u16(&c); /* size of this header */
    unsigned segment_size = cursor_u16(&c);
    elf->n_segments = cursor_u16(&c);
    unsigned section_size = cursor_u16(&c);
    elf->n_sections = cursor_u16(&c);
    r->section_names = cursor_u16(&c);
    if (c.failed)
        return elf_fail(r, "the ELF header is cut off: %zu bytes", elf->size);
    if (!elf->n_sections && r->section_offset)
        return elf_fail(r, "more than 65279 sections are not supported");
    return check_table(r, "section headers", r->section_offset, elf->n_sections,
                       section_size, is_64 ? 64 : 40) &&
           check_table(r, "program headers", r->segment_offset, elf->n_segments,
                       segment_size, is_64 ? 56 : 32);
}

/* Reads one header; returns the offset of the name. */
static uint32_t
read_section_header(struct cursor *c, bool is_64, struct elf_section *s)
{
    uint32_t name = cursor_u32(c);
    s->type = cursor_u32(c);
    s->flags = read_word(c, is_64);
    s->addr = read_word(c, is_64);
    s->offset = read_word(c, is_64);
    s->size = read_word(c, is_64);
    s->link = cursor_u32(c);
    s->info = cursor_u32(c);
    s->align = read_word(c, is_64);
    s->entry_size = read_word(c, is_64);
    return name;
}

static bool
find_contents(struct reader *r, size_t i)
{
    struct elf_section *s = &r->section[i];
    if (s->type == ELF_SHT_NULL || s->type == ELF_SHT_NOBITS)
        return true;
    if (!is_in_file(r, s->offset, s->size))
        return check_in_file(r, section_title(r, i), s->offset, s->size);
    assert(s->offset <= r->elf->size);
    s->contents = r->elf->image + s->offset;
    return true;
}

/* Checks a string table: only if it ends in zero do all its strings end. */
static bool
check_strings(struct reader *r, size_t i, const char *user)
{
    if (i >= r->elf->n_sections || r->section[i].type != ELF_SHT_STRTAB)
        return elf_fail(r, "%s: section %zu of %zu is no string table", user, i,
                        r->elf->n_sections);
    const struct elf_section *s = &r->section[i];
    if (!check_in_file(r, section_title(r, i), s->offset, s->size))
        return false;
    if (s->size && r->elf->image[s->offset + s->size - 1] != 0)
        return elf_fail(r, "%s: the string table does not end in a zero byte",
                        section_title(r, i));
    return true;
}

/* A string of a table that check_strings accepted; NULL if `offset` is past its end. */
static const char *
string_at(struct reader *r, size_t table, uint32_t offset)
{
    assert(table < r->elf->n_sections);
    const struct elf_section *s = &r->section[table];
    if (offset < s->size)
        return (const char *)r->elf->image + s->offset + offset;
    return offset ? NULL : "";
}

static bool
name_sections(struct reader *r, const uint32_t *name)
{
    if (!r->section_names) {
        for (size_t i = 0; i < r->elf->n_sections; i++)
            r->section[i].name = "";
        return true;
    }
    if (!check_strings(r, r->section_names, "section names"))
        return false;
    for (size_t i = 0; i < r->elf->n_sections; i++) {
        const char *s = string_at(r, r->section_names, name[i]);
        if (!s)
            return elf_fail(
                r,
                "section %zu: its name, at 0x%x, is past the end of "
                "the string table (0x%" PRIx64 ")",
                i, name[i], r->section[r->section_names].size);
        r->section[i].name = s;
    }
    return true;
}

static bool
read_sections(struct reader *r)
{
    struct elf *elf = r->elf;
    size_t n = elf->n_sections;
    if (!n)
        return true;
    struct cursor c = cursor_over(elf->image + r->section_offset,
                                  elf->size - r->section_offset);
    r->section = arena_new(r->arena, struct elf_section, n);
    uint32_t *name = arena_new(r->arena, uint32_t, n);
    for (size_t i = 0; i < n; i++)
        name[i] = read_section_header(&c, elf->is_64, &r->section[i]);
    if (!name_sections(r, name))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!find_contents(r, i))
            return false;
    elf->section = r->section;
    return true;
}

/* Counts the entries of a table; false if its sizes do not fit. */
static bool
open_table(struct reader *r, size_t i, unsigned entry_size, size_t *count)
{
    const struct elf_section *s = &r->section[i];
    if (s->entry_size != entry_size)
        return elf_fail(r, "%s: entries of %" PRIu64 " bytes: expected %u",
                        section_title(r, i), s->entry_size, entry_size);
    if (s->size % entry_size)
        return elf_fail(r,
                        "%s: size 0x%" PRIx64
                        " is not a multiple of its entries, "
                        "%u bytes",
                        section_title(r, i), s->size, entry_size);
    if (s->size > r->budget)
        return elf_fail(r,
                        "%s: tables overlap: together they are larger than the "
                        "file",
                        section_title(r, i));
    r->budget -= (size_t)s->size;
    assert(r->budget <= r->elf->size && "the size was within the budget");
    *count = (size_t)s->size / entry_size;
    return true;
}

static bool
read_symbol(struct reader *r, struct cursor *c, size_t i, struct elf_symbol *s)
{
    bool is_64 = r->elf->is_64;
    uint32_t name = cursor_u32(c);
    if (!is_64) {
        s->value = cursor_u32(c);
        s->size = cursor_u32(c);
    }
    uint8_t info = cursor_u8(c);
    s->binding = info >> 4;
    s->type = info & 15;
    s->visibility = cursor_u8(c) & 3;
    s->section = cursor_u16(c);
    if (is_64) {
        s->value = cursor_u64(c);
        s->size = cursor_u64(c);
    }
    s->name = string_at(r, r->section[r->symtab].link, name);
    if (!s->name)
        return elf_fail(r,
                        "symbol %zu: its name, at 0x%x, is past the end of the "
                        "string table (0x%" PRIx64 ")",
                        i, name, r->section[r->section[r->symtab].link].size);
    if (s->section >= r->elf->n_sections && s->section < ELF_SHN_RESERVED)
        return elf_fail(r, "symbol %zu '%s': section %u of %zu", i,
                        report_printable(r->arena, s->name), s->section,
                        r->elf->n_sections);
    return true;
}

static bool
read_symbols(struct reader *r)
{
    /* Symbol 0: relocations without a symbol refer to it, even in files without
     * symbols. */
    static const struct elf_symbol none = { .name = "" };
    struct elf *elf = r->elf;
    elf->symbol = &none;
    for (size_t i = 1; i < elf->n_sections; i++) {
        if (r->section[i].type != ELF_SHT_SYMTAB)
            continue;
        if (r->symtab)
            return elf_fail(r, "%s: a second symbol table",
                            section_title(r, i));
        r->symtab = i;
    }
    if (!r->symtab)
        return true;
    const struct elf_section *table = &r->section[r->symtab];
    size_t n;
    if (!open_table(r, r->symtab, elf->is_64 ? 24 : 16, &n) ||
        !check_strings(r, table->link, section_title(r, r->symtab)))
        return false;
    struct cursor c = cursor_over(table->contents, (size_t)table->size);
    assert(table->contents || !n);
    struct elf_symbol *symbol = arena_new(r->arena, struct elf_symbol, n);
    for (size_t i = 0; i < n; i++)
        if (!read_symbol(r, &c, i, &symbol[i]))
            return false;
    if (n)
        elf->symbol = symbol;
    elf->n_symbols = n;
    return true;
}

static bool
read_reloc(struct reader *r, struct cursor *c, size_t i, size_t target,
           struct elf_reloc *reloc)
{
    bool is_64 = r->elf->is_64;
    reloc->offset = read_word(c, is_64);
    uint64_t info = read_word(c, is_64);
    reloc->symbol = (uint32_t)(is_64 ? info >> 32 : info >> 8);
    reloc->type = (uint32_t)(is_64 ? info & 0xffffffff : info & 0xff);
    reloc->addend =
        is_64 ? (int64_t)cursor_u64(c) : (int64_t)(int32_t)cursor_u32(c);
    if (reloc->symbol && reloc->symbol >= r->elf->n_symbols)
        return elf_fail(r, "%s: relocation at 0x%" PRIx64 ": symbol %u of %zu",
                        section_title(r, i), reloc->offset, reloc->symbol,
                        r->elf->n_symbols);
    /* In linked files offsets are addresses.  A relocation may be at the end of the
     * section: R_RISCV_RELAX of an instruction there. */
    if (r->elf->type == ELF_ET_REL && reloc->offset > r->section[target].size)
        return elf_fail(r,
                        "%s: relocation at 0x%" PRIx64
                        " is past the end of %s (0x%" PRIx64 ")",
                        section_title(r, i), reloc->offset,
                        section_title(r, target), r->section[target].size);
    return true;
}

/* Reads the relocations of the symbol table; dynamic ones concern no loader of this
 * project. */
static bool
read_relocs(struct reader *r, size_t i)
{
    const struct elf_section *s = &r->section[i];
    size_t n, target = s->info;
    if (s->type != ELF_SHT_RELA || !target || s->link != r->symtab)
        return true;
    if (target >= r->elf->n_sections)
        return elf_fail(r, "%s: relocates section %zu of %zu",
                        section_title(r, i), target, r->elf->n_sections);
    if (r->section[target].reloc)
        return elf_fail(r, "%s: %s has relocations already",
                        section_title(r, i), section_title(r, target));
    if (!open_table(r, i, r->elf->is_64 ? 24 : 12, &n))
        return false;
    struct cursor c = cursor_over(s->contents, (size_t)s->size);
    assert((s->contents || !n) && "checked by find_contents");
    struct elf_reloc *reloc = arena_new(r->arena, struct elf_reloc, n);
    for (size_t k = 0; k < n; k++)
        if (!read_reloc(r, &c, i, target, &reloc[k]))
            return false;
    r->section[target].reloc = reloc;
    r->section[target].n_relocs = n;
    return true;
}

static void
read_program_header(struct cursor *c, bool is_64, struct elf_segment *s,
                    uint64_t *offset)
{
    s->type = cursor_u32(c);
    if (is_64)
        s->flags = cursor_u32(c);
    *offset = read_word(c, is_64);
    s->vaddr = read_word(c, is_64);
    s->paddr = read_word(c, is_64);
    s->file_size = read_word(c, is_64);
    s->mem_size = read_word(c, is_64);
    if (!is_64)
        s->flags = cursor_u32(c);
    s->align = read_word(c, is_64);
}

static bool
check_segment(struct reader *r, size_t i, const struct elf_segment *s)
{
    if (s->type != ELF_PT_LOAD)
        return true;
    if (s->file_size > s->mem_size)
        return elf_fail(r,
                        "segment %zu: 0x%" PRIx64
                        " bytes in the file, more than "
                        "the 0x%" PRIx64 " in memory",
                        i, s->file_size, s->mem_size);
    uint64_t last = r->elf->is_64 ? UINT64_MAX : UINT32_MAX;
    if (s->mem_size && (s->vaddr > last || s->mem_size - 1 > last - s->vaddr))
        return elf_fail(r,
                        "segment %zu: address 0x%" PRIx64 " + size 0x%" PRIx64
                        " is past the end of the address space",
                        i, s->vaddr, s->mem_size);
    return true;
}

static bool
read_segments(struct reader *r)
{
    struct elf *elf = r->elf;
    if (!elf->n_segments)
        return true;
    struct cursor c = cursor_over(elf->image + r->segment_offset,
                                  elf->size - r->segment_offset);
    struct elf_segment *segment =
        arena_new(r->arena, struct elf_segment, elf->n_segments);
    for (size_t i = 0; i < elf->n_segments; i++) {
        uint64_t offset;
        read_program_header(&c, elf->is_64, &segment[i], &offset);
        if (!check_segment(r, i, &segment[i]))
            return false;
        if (!is_in_file(r, offset, segment[i].file_size))
            return check_in_file(r, arena_printf(r->arena, "segment %zu", i),
                                 offset, segment[i].file_size);
        segment[i].contents = elf->image + offset;
    }
    elf->segment = segment;
    return true;
}

bool
elf_read(struct arena *a, const char *file, const uint8_t *image, size_t size,
         struct elf *elf, struct diag_sink *sink)
{
    *elf = (struct elf){ .file = file, .image = image, .size = size };
    struct reader r = { .arena = a, .elf = elf, .sink = sink, .budget = size };
    if (!read_header(&r) || !read_sections(&r) || !read_symbols(&r) ||
        !read_segments(&r))
        return false;
    for (size_t i = 1; i < elf->n_sections; i++)
        if (!read_relocs(&r, i))
            return false;
    return true;
}

const struct elf_section *
elf_find_section(const struct elf *elf, const char *name)
{
    for (size_t i = 1; i < elf->n_sections; i++)
        if (strcmp(elf->section[i].name, name) == 0)
            return &elf->section[i];
    return NULL;
}

const struct elf_symbol *
elf_find_symbol(const struct elf *elf, const char *name)
{
    for (size_t i = 1; i < elf->n_symbols; i++)
        if (elf->symbol[i].section && strcmp(elf->symbol[i].name, name) == 0)
            return &elf->symbol[i];
    return NULL;
}
