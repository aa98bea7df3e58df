/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reader of line tables.  .debug_line is a sequence of units; each has a header
 * with the folders and files (dwarf_files.c), then a line number program, which a
 * state machine executes to make rows (DWARF 5, section 6.2).
 *
 * Memory: each row and each file takes at least one byte of the section, so
 * allocations are in proportion to the size of the file.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "obj/dwarf_defs.h"
#include "obj/dwarf_unit.h"

/* Registers of the state machine; 6.2.2. */
struct state {
    struct dwarf_row row;
    size_t first_row; /* index of the first row of this sequence */
};

bool
dwarf_fail(struct dwarf_reader *r, const struct cursor *c, const char *format,
           ...)
{
    va_list args;
    va_start(args, format);
    const char *message = arena_vprintf(r->arena, format, args);
    va_end(args);
    diag_report(r->sink, DIAG_ERROR, (struct diag_at){ .file = r->elf->file },
                ".debug_line at 0x%zx: %s", (size_t)(c->at - r->start),
                message);
    return false;
}

static int
compare_relocs(const void *a, const void *b)
{
    const struct elf_reloc *x = a, *y = b;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Sorts the relocations of .debug_line by offset: they tell the section of an address. */
static void
sort_relocs(struct dwarf_reader *r, const struct elf_section *s)
{
    if (!s->n_relocs || r->elf->type != ELF_ET_REL)
        return;
    struct elf_reloc *reloc =
        arena_new(r->arena, struct elf_reloc, s->n_relocs);
    memcpy(reloc, s->reloc, s->n_relocs * sizeof *reloc);
    qsort(reloc, s->n_relocs, sizeof *reloc, compare_relocs);
    r->reloc = reloc;
    r->n_relocs = s->n_relocs;
}

/* The section of the address stored at `at`; 0: unknown. */
static uint32_t
section_of(const struct dwarf_reader *r, const uint8_t *at)
{
    if (!r->n_relocs)
        return 0;
    assert(at >= r->start && "the address is inside the section");
    uint64_t offset = (uint64_t)(at - r->start);
    size_t i;
    BISECT(i, r->n_relocs, r->reloc[i].offset < offset);
    if (i == r->n_relocs || r->reloc[i].offset != offset || !r->reloc[i].symbol)
        return 0;
    uint32_t section = r->elf->symbol[r->reloc[i].symbol].section;
    return section < ELF_SHN_RESERVED ? section : 0;
}

static void
reset_state(struct dwarf_reader *r, struct state *s)
{
    *s = (struct state){ .row = { .file = 1, .line = 1 },
                         .first_row = r->rows.n };
}

static void
emit_row(struct dwarf_reader *r, const struct dwarf_unit_in *u, struct state *s)
{
    struct dwarf_row row = s->row;
    row.file = dwarf_file_index(u, row.file);
    if (!r->elf->is_64)
        row.address &= UINT32_MAX;
    assert(row.file < r->files.n);
    vec_push(r->arena, &r->rows, row);
    s->row.prologue_end = false;
}

/* Ends a sequence.  An empty one is dropped: it covers nothing and would hide another
 * row at its address. */
static void
end_sequence(struct dwarf_reader *r, const struct dwarf_unit_in *u,
             struct state *s)
{
    s->row.end_sequence = true;
    emit_row(r, u, s);
    assert(s->first_row < r->rows.n && "the end of a sequence is a row");
    const struct dwarf_row *first = &r->rows.at[s->first_row];
    const struct dwarf_row *last = &r->rows.at[r->rows.n - 1];
    if (first->address == last->address)
        r->rows.n = s->first_row;
    reset_state(r, s);
}

static bool
run_extended(struct dwarf_reader *r, const struct dwarf_unit_in *u,
             struct cursor *c, struct state *s)
{
    uint64_t size = cursor_uleb128(c);
    const uint8_t *bytes = cursor_bytes(c, size);
    if (c->failed || !size)
        return dwarf_fail(r, c, "an extended opcode is cut off");
    struct cursor in = cursor_over(bytes, (size_t)size);
    switch (cursor_u8(&in)) {
    case DW_LNE_end_sequence:
        end_sequence(r, u, s);
        break;
    case DW_LNE_set_address:
        if (size != 5 && size != 9)
            return dwarf_fail(r, c, "an address of %" PRIu64 " bytes",
                              size - 1);
        s->row.section = section_of(r, in.at);
        s->row.address = cursor_number(&in, (unsigned)size - 1);
        break;
    case DW_LNE_define_file:
        return dwarf_fail(r, c, "DW_LNE_define_file is not supported");
    }
    return true; /* unknown operations are skipped by their size */
}

static void
advance_address(const struct dwarf_unit_in *u, struct state *s,
                uint64_t operations)
{
    s->row.address += operations * u->min_inst_length;
}

static void
run_special(struct dwarf_reader *r, const struct dwarf_unit_in *u,
            struct state *s, unsigned opcode)
{
    assert(opcode >= u->opcode_base && opcode <= 255 && u->line_range);
    unsigned adjusted = opcode - u->opcode_base;
    advance_address(u, s, adjusted / u->line_range);
    s->row.line += (uint32_t)(u->line_base + (int)(adjusted % u->line_range));
    emit_row(r, u, s);
}

static void
run_standard(struct dwarf_reader *r, const struct dwarf_unit_in *u,
             struct cursor *c, struct state *s, unsigned opcode)
{
    assert(opcode && opcode < u->opcode_base);
    switch (opcode) {
    case DW_LNS_copy:
        emit_row(r, u, s);
        return;
    case DW_LNS_set_prologue_end:
        s->row.prologue_end = true;
        return;
    case DW_LNS_advance_pc:
        advance_address(u, s, cursor_uleb128(c));
        return;
    case DW_LNS_advance_line:
        s->row.line += (uint32_t)cursor_sleb128(c);
        return;
    case DW_LNS_set_file:
        s->row.file = (uint32_t)cursor_uleb128(c);
        return;
    case DW_LNS_set_column:
        s->row.column = (uint32_t)cursor_uleb128(c);
        return;
    case DW_LNS_const_add_pc:
        advance_address(u, s, (255u - u->opcode_base) / u->line_range);
        return;
    case DW_LNS_fixed_advance_pc:
        s->row.address += cursor_u16(c);
        return;
    }
    for (unsigned i = 0; i < u->operands[opcode]; i++)
        cursor_uleb128(c);
}

static bool
run_program(struct dwarf_reader *r, const struct dwarf_unit_in *u,
            struct cursor *c)
{
    struct state s;
    reset_state(r, &s);
    while (cursor_left(c)) {
        unsigned opcode = cursor_u8(c);
        if (opcode >= u->opcode_base)
            run_special(r, u, &s, opcode);
        else if (opcode)
            run_standard(r, u, c, &s, opcode);
        else if (!run_extended(r, u, c, &s))
            return false;
        if (c->failed)
            return dwarf_fail(r, c, "an opcode is cut off");
    }
    if (r->rows.n != s.first_row)
        return dwarf_fail(r, c, "the last sequence does not end");
    return true;
}

static bool
read_unit(struct dwarf_reader *r, struct cursor *c)
{
    struct dwarf_unit_in u = { .offset_size = 4 };
    uint64_t offset = (uint64_t)(c->at - r->start), length = cursor_u32(c);
    if (length == 0xffffffff) {
        u.offset_size = 8;
        length = cursor_u64(c);
    }
    if (c->failed || length > cursor_left(c))
        return dwarf_fail(r, c,
                          "a unit of 0x%" PRIx64 " bytes is past the end of "
                          "the section",
                          length);
    struct cursor unit = cursor_over(c->at, (size_t)length);
    cursor_bytes(c, length);
    if (!dwarf_read_header(r, &u, &unit))
        return false;
    vec_push(r->arena, &r->tables,
             ((struct dwarf_table){ offset, (uint32_t)u.first_file, u.file_base,
                                    (uint32_t)u.n_files }));
    return run_program(r, &u, &unit);
}

/* Compares by section and address.  At one address the end of a sequence comes first,
 * as another may begin there; other rows keep their order: the last one is valid. */
static int
compare_rows(const void *a, const void *b)
{
    const struct dwarf_row *const *x = a, *const *y = b;
    if ((*x)->section != (*y)->section)
        return (*x)->section < (*y)->section ? -1 : 1;
    if ((*x)->address != (*y)->address)
        return (*x)->address < (*y)->address ? -1 : 1;
    if ((*x)->end_sequence != (*y)->end_sequence)
        return (*x)->end_sequence ? -1 : 1;
    return (*x > *y) - (*x < *y);
}

static const struct dwarf_row *
sort_rows(struct arena *a, const struct dwarf_row *row, size_t n)
{
    const struct dwarf_row **order = arena_new(a, const struct dwarf_row *, n);
    struct dwarf_row *sorted = arena_new(a, struct dwarf_row, n);
    for (size_t i = 0; i < n; i++)
        order[i] = &row[i];
    if (n)
        qsort(order, n, sizeof(const struct dwarf_row *), compare_rows);
    for (size_t i = 0; i < n; i++)
        sorted[i] = *order[i];
    return sorted;
}

bool
dwarf_line_read(struct arena *a, const struct elf *elf,
                struct dwarf_lines *lines, struct diag_sink *sink)
{
    *lines = (struct dwarf_lines){ 0 };
    const struct elf_section *s = elf_find_section(elf, ".debug_line");
    if (!s || !s->contents || !s->size)
        return true;
    struct dwarf_reader r = { .arena = a, .elf = elf, .sink = sink };
    r.start = elf_relocated(a, elf, s, sink);
    if (!r.start)
        return false;
    sort_relocs(&r, s);
    struct cursor c = cursor_over(r.start, (size_t)s->size);
    while (cursor_left(&c))
        if (!read_unit(&r, &c))
            return false;
    lines->row = sort_rows(a, r.rows.at, r.rows.n);
    lines->n_rows = r.rows.n;
    lines->file = r.files.at;
    lines->n_files = r.files.n;
    lines->table = r.tables.at;
    lines->n_tables = r.tables.n;
    return true;
}

const struct dwarf_file *
dwarf_table_file(const struct dwarf_lines *lines, uint64_t offset,
                 uint32_t number)
{
    for (size_t i = 0; i < lines->n_tables; i++) {
        const struct dwarf_table *t = &lines->table[i];
        uint32_t k = number - t->file_base;
        if (t->offset == offset && k < t->n_files &&
            t->first_file + k < lines->n_files)
            return &lines->file[t->first_file + k];
    }
    return NULL;
}

const struct dwarf_row *
dwarf_line_find(const struct dwarf_lines *lines, uint32_t section,
                uint64_t address)
{
    size_t i;
    BISECT(i, lines->n_rows,
           lines->row[i].section < section ||
               (lines->row[i].section == section &&
                lines->row[i].address <= address));
    if (!i)
        return NULL;
    const struct dwarf_row *row = &lines->row[i - 1];
    return row->section == section && !row->end_sequence ? row : NULL;
}
