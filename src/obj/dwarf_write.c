/* SPDX-License-Identifier: Apache-2.0 */
/* The writer of one compile unit: its line table in .debug_line, and its tree of
 * entries, which dwarf_info.c writes. */
#include "base/map.h"
#include "obj/dwarf.h"
#include "obj/dwarf_bytes.h"

/* Parameters of special opcodes, whose one byte advances line and address; DWARF 5,
 * 6.2.5.1. */
enum { LINE_BASE = -5, LINE_RANGE = 14, OPCODE_BASE = 13 };

struct writer {
    const struct dwarf_unit *unit;
    struct elf_out *o;
    unsigned line;   /* section number */
    unsigned step;   /* min_inst_length */
    struct map dirs; /* folder -> its number */
    size_t *dir_of_file;
};

static const char *
comp_dir(const struct dwarf_unit *unit)
{
    return unit->comp_dir ? unit->comp_dir : "";
}

/* Sets the attributes of the unit; its child entries are the caller's. */
static struct dwarf_die *
unit_entry(struct writer *w)
{
    struct arena *a = w->o->arena;
    const struct dwarf_unit *u = w->unit;
    struct dwarf_die *d = dwarf_die_new(a, NULL, DW_TAG_compile_unit);
    dwarf_die_string(a, d, DW_AT_producer,
                     u->producer ? u->producer : "ventus");
    dwarf_die_number(a, d, DW_AT_language,
                     u->language ? u->language : DW_LANG_Mips_Assembler);
    dwarf_die_string(a, d, DW_AT_name, u->files[0].name);
    if (u->comp_dir)
        dwarf_die_string(a, d, DW_AT_comp_dir, u->comp_dir);
    struct dwarf_range *ranges =
        arena_new(a, struct dwarf_range, u->n_sequences + 1);
    for (size_t i = 0; i < u->n_sequences; i++)
        ranges[i] = (struct dwarf_range){ u->sequences[i].section, 0,
                                          u->sequences[i].size };
    if (u->n_sequences)
        dwarf_die_ranges(a, d, ranges, u->n_sequences);
    for (size_t i = 0; i < u->n_entries; i++)
        dwarf_die_add(a, d, u->entries[i]);
    return d;
}

/* Numbers the directories: 0 is comp_dir, the others follow in order of first use. */
static void
number_directories(struct writer *w)
{
    const struct dwarf_unit *u = w->unit;
    w->dir_of_file = arena_new(w->o->arena, size_t, u->n_files);
    for (size_t i = 0; i < u->n_files; i++) {
        const char *dir = u->files[i].dir;
        if (!dir)
            continue;
        void **value = map_put(w->o->arena, &w->dirs, dir, strlen(dir));
        if (!*value)
            *value = (void *)(uintptr_t)w->dirs.n;
        w->dir_of_file[i] = (size_t)(uintptr_t)*value;
        assert(w->dir_of_file[i] && w->dir_of_file[i] <= w->dirs.n);
    }
}

static void
put_file_tables(struct writer *w, struct buf *b)
{
    const struct dwarf_unit *u = w->unit;
    assert(u->n_files && "the first file names the unit");
    number_directories(w);
    buf_u8(b, 1); /* number of fields of a directory */
    buf_uleb128(b, DW_LNCT_path);
    buf_uleb128(b, DW_FORM_string);
    buf_uleb128(b, w->dirs.n + 1);
    dwarf_put_string(b, comp_dir(u));
    for (size_t i = 0; i < w->dirs.n; i++)
        dwarf_put_string(b, w->dirs.entry[i].key);
    bool sources = false;
    for (size_t i = 0; i < u->n_files; i++)
        sources |= u->files[i].source != NULL;
    buf_u8(b, sources ? 3 : 2); /* number of fields of a file */
    buf_uleb128(b, DW_LNCT_path);
    buf_uleb128(b, DW_FORM_string);
    buf_uleb128(b, DW_LNCT_directory_index);
    buf_uleb128(b, DW_FORM_udata);
    if (sources) {
        buf_uleb128(b, DW_LNCT_LLVM_source);
        buf_uleb128(b, DW_FORM_string);
    }
    buf_uleb128(b, u->n_files);
    for (size_t i = 0; i < u->n_files; i++) {
        dwarf_put_string(b, u->files[i].name);
        buf_uleb128(b, w->dir_of_file[i]);
        if (sources)
            dwarf_put_string(b, u->files[i].source ? u->files[i].source : "");
    }
}

/* Advances by `advance` steps and `delta` lines, and emits a row. */
static void
put_row(struct buf *b, uint32_t advance, int64_t delta)
{
    if (delta < LINE_BASE || delta >= LINE_BASE + LINE_RANGE) {
        buf_u8(b, DW_LNS_advance_line);
        buf_sleb128(b, delta);
        delta = 0;
    }
    uint64_t special = (uint64_t)(delta - LINE_BASE) +
                       (uint64_t)LINE_RANGE * advance + OPCODE_BASE;
    if (special > 255) {
        buf_u8(b, DW_LNS_advance_pc);
        buf_uleb128(b, advance);
        special = (uint64_t)(delta - LINE_BASE) + OPCODE_BASE;
    }
    assert(special >= OPCODE_BASE && special <= 255);
    buf_u8(b, (uint8_t)special);
}

static void
put_sequence(struct writer *w, const struct dwarf_out_sequence *s)
{
    struct buf *b = elf_out_contents(w->o, w->line);
    struct dwarf_out_row now = { .file = 1, .line = 1 };
    buf_u8(b, 0); /* an extended opcode follows */
    buf_uleb128(b, 5);
    buf_u8(b, DW_LNE_set_address);
    dwarf_put_address(w->o, w->line, s->section, 0);
    for (size_t i = 0; i < s->n_rows; i++) {
        const struct dwarf_out_row *row = &s->rows[i];
        assert(row->offset >= now.offset && row->offset < s->size &&
               "check_row has passed");
        assert((row->offset - now.offset) % w->step == 0 &&
               "check_row has passed");
        if (row->file != now.file) {
            buf_u8(b, DW_LNS_set_file);
            buf_uleb128(b, row->file);
        }
        if (row->column != now.column) {
            buf_u8(b, DW_LNS_set_column);
            buf_uleb128(b, row->column);
        }
        if (row->prologue_end)
            buf_u8(b, DW_LNS_set_prologue_end);
        put_row(b, (row->offset - now.offset) / w->step,
                (int64_t)row->line - now.line);
        now = *row;
    }
    assert(s->size >= now.offset);
    buf_u8(b, DW_LNS_advance_pc);
    buf_uleb128(b, (s->size - now.offset) / w->step);
    buf_u8(b, 0);
    buf_uleb128(b, 1);
    buf_u8(b, DW_LNE_end_sequence);
}

static void
put_lines(struct writer *w)
{
    static const uint8_t operands[OPCODE_BASE - 1] = { 0, 1, 1, 1, 1, 0,
                                                       0, 0, 1, 0, 0, 1 };
    struct buf *b = elf_out_contents(w->o, w->line);
    size_t start = dwarf_begin_length(b);
    buf_u16(b, 5); /* version */
    buf_u8(b, 4);  /* size of an address */
    buf_u8(b, 0);  /* size of a segment selector */
    size_t header = dwarf_begin_length(b);
    buf_u8(b, (uint8_t)w->step);
    buf_u8(b, 1); /* operations of an instruction */
    buf_u8(b, 1); /* rows are statements */
    buf_u8(b, (uint8_t)LINE_BASE);
    buf_u8(b, LINE_RANGE);
    buf_u8(b, OPCODE_BASE);
    buf_put(b, operands, sizeof operands);
    put_file_tables(w, b);
    assert(header > start && header < b->n);
    dwarf_end_length(b, header);
    for (size_t i = 0; i < w->unit->n_sequences; i++)
        put_sequence(w, &w->unit->sequences[i]);
    dwarf_end_length(b, start);
}

/* NULL, or the error in row `i`. */
static const char *
check_row(const struct writer *w, const struct dwarf_out_sequence *s, size_t i)
{
    const struct dwarf_out_row *row = &s->rows[i];
    if (row->file >= w->unit->n_files)
        return "its file is not in the list";
    if (row->offset % w->step)
        return "its offset is within an instruction";
    if (row->offset >= s->size)
        return "its offset is past the end of the code";
    if (i && row->offset < s->rows[i - 1].offset)
        return "its offset is below that of the row before";
    return NULL;
}

static bool
check_unit(const struct writer *w, const char *file, struct diag_sink *sink)
{
    struct diag_at at = { .file = file };
    unsigned before = sink->errors;
    if (!w->unit->n_files)
        diag_report(sink, DIAG_ERROR, at, "line table: no source file");
    if (w->step > 255)
        diag_report(sink, DIAG_ERROR, at,
                    "line table: instructions of %u bytes", w->step);
    for (size_t i = 0; i < w->unit->n_sequences; i++) {
        const struct dwarf_out_sequence *s = &w->unit->sequences[i];
        if (!s->section || s->section > w->o->sections.n)
            diag_report(sink, DIAG_ERROR, at,
                        "line table: sequence %zu: section %u of %zu", i,
                        s->section, w->o->sections.n);
        if (s->size % w->step)
            diag_report(sink, DIAG_ERROR, at,
                        "line table: sequence %zu: size 0x%x is within an "
                        "instruction",
                        i, s->size);
        for (size_t j = 0; j < s->n_rows; j++) {
            const char *wrong = check_row(w, s, j);
            if (wrong)
                diag_report(sink, DIAG_ERROR, at,
                            "line table: sequence %zu, row %zu: %s", i, j,
                            wrong);
        }
    }
    return sink->errors == before;
}

bool
dwarf_line_write(const struct dwarf_unit *unit, struct elf_out *o,
                 const char *file, struct diag_sink *sink)
{
    struct writer w = { .unit = unit, .o = o };
    w.step = unit->min_inst_length ? unit->min_inst_length : 4;
    if (!check_unit(&w, file, sink))
        return false;
    w.line = elf_out_section(o, ".debug_line", ELF_SHT_PROGBITS, 0, 1);
    dwarf_die_write(o, unit_entry(&w), w.line);
    put_lines(&w);
    return true;
}
