/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb/image.h"

#include <string.h>

enum {
    HEADER_B = 64,
    SEGMENT_B = 56,
    SECTION_B = 64,
    SYMBOL_B = 24,
    CLASS_64 = 2,
    AT_CLASS = 4,
    IDENT_B = 16,
    AT_SECTIONS = 40,
    PAGE_B = 4096
};

/* Offset of a name in its table. */
static uint32_t
name_offset(const struct elf_section *table, const char *name)
{
    return (uint32_t)((const uint8_t *)name - table->contents);
}

/* The table that the names of sections are in; NULL: there are no sections. */
static const struct elf_section *
section_names(const struct elf *e)
{
    for (size_t i = 1; i < e->n_sections; i++) {
        const struct elf_section *s = &e->section[i];
        const uint8_t *name = (const uint8_t *)e->section[1].name;
        if (s->type == ELF_SHT_STRTAB && s->contents && name >= s->contents &&
            name < s->contents + s->size)
            return s;
    }
    return NULL;
}

static void
put_header(const struct elf *e, const struct elf_section *names,
           struct buf *out)
{
    uint8_t ident[IDENT_B];
    memcpy(ident, e->image, sizeof ident);
    ident[AT_CLASS] = CLASS_64;
    buf_put(out, ident, sizeof ident);
    buf_u16(out, e->type);
    buf_u16(out, e->machine);
    buf_u32(out, 1);
    buf_u64(out, e->entry);
    buf_u64(out, HEADER_B);
    buf_u64(out, 0); /* AT_SECTIONS */
    buf_u32(out, e->flags);
    buf_u16(out, HEADER_B);
    buf_u16(out, SEGMENT_B);
    buf_u16(out, (uint16_t)e->n_segments);
    buf_u16(out, SECTION_B);
    buf_u16(out, names ? (uint16_t)e->n_sections : 0);
    buf_u16(out, names ? (uint16_t)(names - e->section) : 0);
}

/* `moved`: where the old file begins in the new one. */
static void
put_segments(const struct elf *e, uint64_t moved, struct buf *out)
{
    for (size_t i = 0; i < e->n_segments; i++) {
        const struct elf_segment *s = &e->segment[i];
        uint64_t offset =
            s->contents ? moved + (uint64_t)(s->contents - e->image) : 0;
        buf_u32(out, s->type);
        buf_u32(out, s->flags);
        buf_u64(out, offset);
        buf_u64(out, s->vaddr);
        buf_u64(out, s->paddr);
        buf_u64(out, s->file_size);
        buf_u64(out, s->mem_size);
        buf_u64(out, s->align);
    }
}

static void
put_symbols(const struct elf *e, const struct elf_section *table,
            struct buf *out)
{
    const struct elf_section *names = &e->section[table->link];
    for (size_t i = 0; i < e->n_symbols; i++) {
        const struct elf_symbol *s = &e->symbol[i];
        buf_u32(out, i ? name_offset(names, s->name) : 0);
        buf_u8(out, (uint8_t)(s->binding << 4 | s->type));
        buf_u8(out, s->visibility);
        buf_u16(out, (uint16_t)s->section);
        buf_u64(out, s->value);
        buf_u64(out, s->size);
    }
}

/* `symbols`: where those are in the new file. */
static void
put_sections(const struct elf *e, const struct elf_section *names,
             uint64_t moved, uint64_t symbols, struct buf *out)
{
    buf_fill(out, 0, SECTION_B);
    for (size_t i = 1; i < e->n_sections; i++) {
        const struct elf_section *s = &e->section[i];
        bool table = s->type == ELF_SHT_SYMTAB;
        bool relocations = s->type == ELF_SHT_RELA;
        buf_u32(out, name_offset(names, s->name));
        buf_u32(out, relocations ? ELF_SHT_NULL : s->type);
        buf_u64(out, s->flags);
        buf_u64(out, s->addr);
        buf_u64(out, table ? symbols : moved + s->offset);
        buf_u64(out, table ? e->n_symbols * SYMBOL_B : s->size);
        buf_u32(out, s->link);
        buf_u32(out, s->info);
        buf_u64(out, table ? 8 : s->align);
        buf_u64(out, table ? SYMBOL_B : s->entry_size);
    }
}

void
gdb_image_as_64(const struct elf *e, struct buf *out)
{
    const struct elf_section *names = section_names(e);
    out->n = 0;
    put_header(e, names, out);
    uint64_t size = HEADER_B + SEGMENT_B * e->n_segments;
    uint64_t moved = (size + PAGE_B - 1) / PAGE_B * PAGE_B;
    put_segments(e, moved, out);
    buf_align(out, PAGE_B, 0);
    buf_put(out, e->image, e->size);
    if (!names)
        return;
    buf_align(out, 8, 0);
    uint64_t symbols = out->n;
    for (size_t i = 1; i < e->n_sections; i++)
        if (e->section[i].type == ELF_SHT_SYMTAB)
            put_symbols(e, &e->section[i], out);
    uint64_t sections = out->n;
    for (unsigned i = 0; i < 8; i++)
        out->at[AT_SECTIONS + i] = (uint8_t)(sections >> 8 * i);
    put_sections(e, names, moved, symbols, out);
}
