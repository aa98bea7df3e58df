/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "obj/dwarf_die.h"

/*
 * Source lines of addresses, as DWARF.
 *
 * dwarf_line_write adds to an object what debuggers need to show lines: a
 * compile unit of version 5 with its line table, and entries of types,
 * functions and variables if it has any.  One sequence covers one
 * text section; its rows are sorted by offset, and each is valid up to the
 * next.
 *
 * dwarf_line_read reads the line tables, versions 2 to 5, of objects and
 * linked files, ours and clang's, into one sorted table:
 *
 *     struct dwarf_lines lines;
 *     ok = dwarf_line_read(&a, &elf, &lines, &sink);
 *     const struct dwarf_row *row = dwarf_line_find(&lines, 0, pc);
 *     if (row)
 *         printf("%s:%u\n", dwarf_file_path(&a, &lines.file[row->file]),
 *                row->line);
 *
 * In a relocatable object every text section starts at address 0, so a row
 * and a look-up also name the section; in linked files its number is 0.
 */

/* ---- writing ---- */

struct dwarf_out_file {
    const char *name;
    const char *dir;    /* NULL: folder of the compilation */
    const char *source; /* text, to be kept in the table; or NULL */
};

struct dwarf_out_row {
    uint32_t offset; /* offset in the section, a multiple of min_inst_length */
    unsigned file;   /* index into dwarf_unit.files */
    unsigned line, column;
    bool prologue_end; /* a breakpoint at the function stops here */
};

struct dwarf_out_sequence {
    unsigned section; /* number of the section in the elf_out */
    uint32_t size;    /* size of the code; rows lie below it */
    const struct dwarf_out_row *rows;
    size_t n_rows;
};

struct dwarf_unit {
    const char *producer;
    const char
        *comp_dir; /* folder of the compilation; NULL if names need none */
    const struct dwarf_out_file *files; /* [0] is the primary source file */
    size_t n_files;
    const struct dwarf_out_sequence *sequences;
    size_t n_sequences;
    unsigned min_inst_length; /* 0: 4 */
    unsigned language;        /* DW_LANG_; 0: assembler */
    /* Further entries of the unit: dwarf_die.h. */
    struct dwarf_die *const *entries;
    size_t n_entries;
};

/* Adds .debug_line and the sections of dwarf_die_write; called once for an object.
 * False, with nothing added and errors about `file`, if the rows are out of order or
 * name files that do not exist. */
bool
dwarf_line_write(const struct dwarf_unit *unit, struct elf_out *o,
                 const char *file, struct diag_sink *sink);

/* ---- reading ---- */

/* A file of a line table.  Names point into the image, or into the arena after
 * relocation. */
struct dwarf_file {
    const char *name;
    const char *dir;      /* folder as in the table; "" if none */
    const char *comp_dir; /* "" where the table has none: before version 5 */
    const char *source; /* text of the file; "" if the table does not have it */
};

struct dwarf_row {
    uint64_t address;
    /* Number of the section in the ELF file, 0 in linked files. */
    uint32_t section;
    uint32_t file; /* index into dwarf_lines.file */
    uint32_t line, column;
    bool end_sequence; /* the first address after a sequence of code */
    bool prologue_end; /* a breakpoint at the function stops here */
};

/* The line table of a unit, which numbers the files that debug information refers to. */
struct dwarf_table {
    uint64_t offset; /* offset in .debug_line */
    uint32_t first_file, file_base, n_files;
};

struct dwarf_lines {
    const struct dwarf_row *row; /* sorted by section, then address */
    const struct dwarf_file *file;
    const struct dwarf_table *table;
    size_t n_rows, n_files, n_tables;
};

/* Reads all line tables.  A file without .debug_line has no rows, which is no error. */
bool
dwarf_line_read(struct arena *a, const struct elf *elf,
                struct dwarf_lines *lines, struct diag_sink *sink);

/* The row that covers the address; NULL: no row does. */
const struct dwarf_row *
dwarf_line_find(const struct dwarf_lines *lines, uint32_t section,
                uint64_t address);

/* The file with this number in the table at this offset; NULL: there is none. */
const struct dwarf_file *
dwarf_table_file(const struct dwarf_lines *lines, uint64_t offset,
                 uint32_t number);

/* The path of a file, with its folders before it unless it is absolute. */
const char *
dwarf_file_path(struct arena *a, const struct dwarf_file *file);

/* A line of a file, counted from 1; NULL if the table does not have its text. */
const char *
dwarf_file_line(struct arena *a, const struct dwarf_file *file, uint32_t line);
