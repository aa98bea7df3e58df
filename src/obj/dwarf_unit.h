/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/cursor.h"
#include "obj/dwarf.h"

/* Private to dwarf_read.c and dwarf_files.c. */
struct dwarf_reader {
    struct arena *arena;
    const struct elf *elf;
    struct diag_sink *sink;
    const uint8_t *start;          /* contents of .debug_line, relocated */
    const struct elf_reloc *reloc; /* relocations by offset */
    size_t n_relocs;
    vec(struct dwarf_row) rows;
    vec(struct dwarf_table) tables;
    vec(struct dwarf_file) files; /* [0] stands for files that do not exist */
    struct cursor strings[2];     /* contents of .debug_str, .debug_line_str */
    bool strings_read[2];
};

/* The header of a unit that is read. */
struct dwarf_unit_in {
    unsigned version, offset_size;
    unsigned min_inst_length, line_range, opcode_base;
    int line_base;
    uint8_t operands[256]; /* number of operands of each standard opcode */
    size_t first_file, n_files;
    uint32_t file_base; /* number of the first file: 0 in version 5 */
};

/* Reports an error at the position of `c`; returns false. */
bool
dwarf_fail(struct dwarf_reader *r, const struct cursor *c, const char *format,
           ...) __attribute__((format(printf, 3, 4)));

/* Reads the header and moves `c` to the line number program. */
bool
dwarf_read_header(struct dwarf_reader *r, struct dwarf_unit_in *u,
                  struct cursor *c);

/* The index in dwarf_reader.files of the unit's file with that number. */
uint32_t
dwarf_file_index(const struct dwarf_unit_in *u, uint32_t number);
