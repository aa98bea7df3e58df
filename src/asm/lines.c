/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The source line of each instruction: that of the last .loc (of compilers), or,
 * with ventus_asm_options.debug, the line of this text.  Instructions of a macro
 * have the line that uses it.
 */
#include <assert.h>
#include <string.h>

#include "asm/expr.h"
#include "asm/lex.h"
#include "asm/lines.h"
#include "obj/dwarf.h"

enum { MAX_FILES = 65536 };

static void
set_file(struct assembler *a, size_t number, struct source_file file)
{
    while (a->files.n <= number)
        vec_push(a->arena, &a->files, (struct source_file){ 0 });
    assert(number < a->files.n);
    a->files.at[number] = file;
}

/* The number of a file of this text; they are few. */
static uint32_t
own_file(struct assembler *a, const char *name)
{
    for (size_t i = 0; i < a->files.n; i++)
        if (a->files.at[i].name == name ||
            strcmp(a->files.at[i].name, name) == 0)
            return (uint32_t)i;
    set_file(a, a->files.n, (struct source_file){ .name = name });
    return (uint32_t)(a->files.n - 1);
}

static struct line_row
own_row(struct assembler *a)
{
    const struct origin *o = a->frame->origin;
    unsigned line = a->frame->line;
    while (o->parent && o->what && *o->what != '\'') {
        line = o->parent_line;
        o = o->parent;
    }
    return (struct line_row){ .file = own_file(a, o->file), .line = line };
}

/* Appends a row: each .loc has one, and each line of the text itself that is not the
 * line of the row before. */
static void
add_row(struct assembler *a, struct line_row row, bool is_loc)
{
    struct section *s = a->section;
    row.offset = s->size;
    if (s->lines.n) {
        struct line_row *last = &s->lines.at[s->lines.n - 1];
        assert(last->offset <= row.offset); /* dwarf_write.c refuses others */
        if (!is_loc && last->file == row.file && last->line == row.line)
            return;
        if (last->offset == row.offset) {
            *last = row;
            return;
        }
    }
    vec_push(a->arena, &s->lines, row);
}

void
line_here(struct assembler *a)
{
    if (a->has_loc) {
        if (a->loc_waits)
            add_row(a, a->loc, true);
        a->loc_waits = false;
    } else if (a->options->debug) {
        add_row(a, own_row(a), false);
    }
}

/* The text of a file after `source`, which is kept in the table. */
static bool
take_source(struct assembler *a, struct source_file *file)
{
    lex_blanks(a);
    const char *before = a->p;
    struct span word = lex_name(a);
    a->p = before;
    if (!span_is(word, "source"))
        return true;
    a->p += word.n;
    lex_blanks(a);
    file->source = lex_string_copy(a, NULL);
    return file->source != NULL;
}

/* .file "name"; .file number ["dir"] "name" [source "text"] [md5 0x...] */
bool
line_file_directive(struct assembler *a, int argument)
{
    int64_t number;
    (void)argument;
    lex_blanks(a);
    if (*a->p == '"') {
        lex_skip_statement(a); /* the name of the compiler's input */
        return true;
    }
    const char *at = a->p;
    if (!expr_number(a, &number))
        return false;
    if (number < 0 || number > MAX_FILES) {
        asm_error(a, at, "file number %lld is outside 0..%d", (long long)number,
                  MAX_FILES);
        return false;
    }
    struct source_file file = { 0 };
    lex_blanks(a);
    file.name = lex_string_copy(a, NULL);
    if (!file.name)
        return false;
    lex_blanks(a);
    if (*a->p == '"') {
        file.dir = file.name;
        file.name = lex_string_copy(a, NULL);
    }
    if (file.name && !take_source(a, &file))
        return false;
    if (!a->has_loc) { /* what the text itself gave until now is void */
        a->has_loc = true;
        a->files.n = 0;
        for (struct section *s = a->sections; s; s = s->next)
            s->lines.n = 0;
    }
    if (file.name)
        set_file(a, (size_t)number, file);
    lex_skip_statement(a);
    return file.name != NULL;
}

/* prologue_end, among is_stmt 1, discriminator 2 and the like. */
static bool
has_prologue_end(struct assembler *a)
{
    bool found = false;
    for (lex_blanks(a); !lex_is(*a->p, CLASS_END); lex_blanks(a)) {
        struct span word = lex_name(a);
        found |= span_is(word, "prologue_end");
        if (!word.n)
            a->p++;
    }
    return found;
}

/* .loc file line [column] [options] */
bool
line_loc_directive(struct assembler *a, int argument)
{
    int64_t n[3] = { 0 };
    (void)argument;
    lex_blanks(a);
    const char *at = a->p;
    for (int i = 0; i < 3; i++) {
        lex_blanks(a);
        if (i == 2 && !lex_is(*a->p, CLASS_DIGIT))
            break;
        if (!expr_number(a, &n[i]))
            return false;
    }
    if (n[0] < 0 || (uint64_t)n[0] >= a->files.n || !a->files.at[n[0]].name ||
        !a->has_loc) {
        asm_error(a, at, "there was no .file %lld", (long long)n[0]);
        return false;
    }
    a->loc = (struct line_row){ .file = (uint32_t)n[0],
                                .line = (uint32_t)n[1],
                                .col = (uint32_t)n[2] };
    a->loc.prologue_end = has_prologue_end(a);
    a->loc_waits = true;
    return true;
}

static struct dwarf_out_sequence
sequence_of(struct assembler *a, const struct section *s)
{
    struct dwarf_out_row *rows =
        arena_new(a->arena, struct dwarf_out_row, s->lines.n);
    for (size_t i = 0; i < s->lines.n; i++) {
        assert(s->lines.at[i].offset <= s->size && !s->nobits);
        const struct line_row *r = &s->lines.at[i];
        rows[i] = (struct dwarf_out_row){ .offset = (uint32_t)r->offset,
                                          .file = r->file,
                                          .line = r->line,
                                          .column = r->col,
                                          .prologue_end = r->prologue_end };
    }
    return (struct dwarf_out_sequence){ .section = s->index,
                                        .size = (uint32_t)s->size,
                                        .rows = rows,
                                        .n_rows = s->lines.n };
}

/* Takes the line table out of `from`, whose sections have o's numbers. */
static void
move_table(struct elf_out *o, const struct elf_out_section *from,
           const struct elf_out *scratch)
{
    unsigned table = elf_out_find(o, ".debug_line");
    if (!table)
        table = elf_out_section(o, ".debug_line", ELF_SHT_PROGBITS, 0, 1);
    uint32_t base = (uint32_t)elf_out_contents(o, table)->n;
    buf_put(elf_out_contents(o, table), from->contents.at, from->contents.n);
    for (size_t i = 0; i < from->relocs.n; i++) {
        struct elf_out_reloc r = from->relocs.at[i];
        assert(r.symbol && r.symbol <= scratch->symbols.n);
        unsigned section = scratch->symbols.at[r.symbol - 1].section;
        r.offset += base;
        r.symbol = elf_out_section_symbol(o, section);
        elf_out_reloc(o, table, r);
    }
}

/*
 * Writes the line table alone, for a text that has its own .debug_info, as compilers
 * write: that expects the line table, and nothing else, in .debug_line.
 */
static bool
write_table(const struct dwarf_unit *unit, struct elf_out *o, const char *file,
            struct diag_sink *sink)
{
    struct elf_out scratch = { .arena = o->arena };
    struct oom_cleanup free_scratch;
    size_t own = o->sections.n;
    elf_out_defer(&free_scratch, &scratch);
    for (size_t i = 0; i < own; i++)
        elf_out_section(&scratch, "", ELF_SHT_PROGBITS, 0, 1);
    bool ok = dwarf_line_write(unit, &scratch, file, sink);
    unsigned made = ok ? elf_out_find(&scratch, ".debug_line") : 0;
    if (made)
        move_table(o, &scratch.sections.at[made - 1], &scratch);
    oom_release(&free_scratch);
    return ok;
}

bool
line_write(struct assembler *a, struct elf_out *o)
{
    vec(struct dwarf_out_sequence) sequences = { 0 };
    vec(struct dwarf_out_file) files = { 0 };
    for (struct section *s = a->sections; s; s = s->next)
        if (s->lines.n)
            vec_push(a->arena, &sequences, sequence_of(a, s));
    if (!sequences.n)
        return true;
    const char *main_file = a->options->file ? a->options->file : "<input>";
    for (size_t i = 0; i < a->files.n; i++)
        vec_push(a->arena, &files,
                 ((struct dwarf_out_file){ .name = a->files.at[i].name
                                                       ? a->files.at[i].name
                                                       : main_file,
                                           .dir = a->files.at[i].dir,
                                           .source = a->files.at[i].source }));
    struct dwarf_unit unit = { .files = files.at,
                               .n_files = files.n,
                               .sequences = sequences.at,
                               .n_sequences = sequences.n };
    unsigned info = elf_out_find(o, ".debug_info");
    if (info && elf_out_contents(o, info)->n)
        return write_table(&unit, o, main_file, a->sink);
    return dwarf_line_write(&unit, o, main_file, a->sink);
}
