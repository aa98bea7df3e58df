/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses to source lines, each source file read once. */
#include "asm/dis/source_lines.h"

#include <assert.h>
#include <string.h>

#include "asm/dis/quote.h"
#include "base/file.h"
#include "base/vec.h"
#include "obj/dwarf.h"

struct text {
    const char *path;
    bool tried;
    vec(const char *) line; /* [0] is line 1; NULL list: not readable */
};

struct dis_source {
    struct arena *arena;
    struct dwarf_lines lines;
    struct text *file; /* by index into lines.file */
    uint32_t section;
    bool linked;
    const struct dwarf_row *last; /* the row of the last answer */
    const char *answer;
};

struct dis_source *
dis_source_open(struct arena *a, const struct elf *elf, struct diag_sink *sink)
{
    struct dis_source *s = arena_new(a, struct dis_source, 1);
    s->arena = a;
    s->linked = elf->type != ELF_ET_REL;
    if (!dwarf_line_read(a, elf, &s->lines, sink))
        return NULL;
    s->file = arena_new(a, struct text, s->lines.n_files + 1);
    return s;
}

void
dis_source_section(struct dis_source *s, uint32_t section)
{
    s->section = s->linked ? 0 : section;
}

/* Cuts the file into lines; a file that is not here leaves no lines. */
static void
read_text(struct dis_source *s, struct text *t)
{
    struct diag_sink ignored = { .arena = s->arena };
    size_t size;
    char *at = (char *)file_read(s->arena, t->path, &size, &ignored);
    while (at && *at) {
        vec_push(s->arena, &t->line, at);
        at += strcspn(at, "\n");
        if (*at)
            *at++ = 0;
    }
}

const char *
dis_source_line(void *ctx, uint64_t address)
{
    struct dis_source *s = ctx;
    const struct dwarf_row *row =
        dwarf_line_find(&s->lines, s->section, address);
    if (!row || row == s->last)
        return row ? s->answer : NULL;
    assert(row->file < s->lines.n_files);
    struct text *t = &s->file[row->file];
    if (!t->tried) {
        t->tried = true;
        t->path = dwarf_file_path(s->arena, &s->lines.file[row->file]);
        read_text(s, t);
    }
    const char *text =
        row->line && row->line <= t->line.n ? t->line.at[row->line - 1] : "";
    s->last = row;
    s->answer = arena_printf(s->arena, "%s:%u:%s%s", t->path, row->line,
                             *text ? " " : "", text);
    return s->answer;
}

/* Number 0 of the reader is a file that a table does not name. */
void
dis_source_files(struct dis_source *s, struct buf *out)
{
    for (size_t i = 1; i < s->lines.n_files; i++) {
        const struct dwarf_file *f = &s->lines.file[i];
        buf_printf(out, "    .file   %zu ", i - 1);
        if (*f->dir) {
            dis_put_quoted(out, f->dir);
            buf_put(out, " ", 1);
        }
        dis_put_quoted(out, f->name);
        if (*f->source) {
            buf_printf(out, " source ");
            dis_put_quoted(out, f->source);
        }
        buf_put(out, "\n", 1);
    }
}

void
dis_source_loc(void *ctx, struct buf *out, uint64_t address)
{
    const struct dis_source *s = ctx;
    const struct dwarf_row *last =
        dwarf_line_find(&s->lines, s->section, address);
    const struct dwarf_row *row = last;
    while (row && row > s->lines.row && row[-1].address == address &&
           row[-1].section == last->section)
        row--;
    for (; row && row <= last; row++)
        if (row->address == address && !row->end_sequence && row->file)
            buf_printf(out, "    .loc    %u %u %u%s\n", row->file - 1,
                       row->line, row->column,
                       row->prologue_end ? " prologue_end" : "");
}

struct dis_position
dis_source_place(void *ctx, uint64_t address)
{
    struct dis_source *s = ctx;
    const struct dwarf_row *row =
        dwarf_line_find(&s->lines, s->section, address);
    if (!row || !row->file || !row->line)
        return (struct dis_position){ NULL, 0, 0 };
    struct text *t = &s->file[row->file];
    if (!t->path)
        t->path = dwarf_file_path(s->arena, &s->lines.file[row->file]);
    return (struct dis_position){ t->path, row->line, row->column };
}
