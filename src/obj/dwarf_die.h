/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/arena.h"
#include "base/vec.h"
#include "obj/dwarf_defs.h"
#include "obj/elf.h"

/*
 * Debugging information entries (DWARF 5, 2.1): a tree of tags with attributes, which
 * a compile unit has besides its lines.
 *
 *     struct dwarf_die *type = dwarf_die_new(&a, NULL, DW_TAG_base_type);
 *     dwarf_die_string(&a, type, DW_AT_name, "int");
 *     dwarf_die_number(&a, type, DW_AT_byte_size, 4);
 *     struct dwarf_die *x = dwarf_die_new(&a, NULL, DW_TAG_variable);
 *     dwarf_die_entry(&a, x, DW_AT_type, type);
 *     dwarf_die_add(&a, parent, x);
 *
 * The writer keeps the order in which attributes were set.  It does not copy strings,
 * bytes and lists.  Offsets are relative to the section that the entry names; the
 * linker turns them into addresses.
 */
struct dwarf_range {
    unsigned section;
    uint32_t start, end; /* offsets in bytes; end is exclusive */
};

/* The location of a variable at the addresses of a range: DWARF 5, 2.6. */
struct dwarf_location {
    struct dwarf_range at;
    const uint8_t *expression;
    size_t size;
};

struct dwarf_attribute {
    uint16_t name, form;
    unsigned section; /* section of an offset */
    uint64_t number;  /* a number, an offset, or the length of a list */
    union {
        const char *string;
        const struct dwarf_die *entry;
        const uint8_t *bytes;
        const struct dwarf_range *ranges;
        const struct dwarf_location *locations;
    } of;
};

struct dwarf_die {
    unsigned tag;
    vec(struct dwarf_attribute) attributes;
    vec(struct dwarf_die *) children;
    uint32_t abbreviation, offset; /* set when the entry is written */
};

/* Creates an entry, the last child of `parent` unless that is NULL. */
struct dwarf_die *
dwarf_die_new(struct arena *a, struct dwarf_die *parent, unsigned tag);

void
dwarf_die_add(struct arena *a, struct dwarf_die *parent,
              struct dwarf_die *child);

void
dwarf_die_string(struct arena *a, struct dwarf_die *d, unsigned name,
                 const char *s);

void
dwarf_die_number(struct arena *a, struct dwarf_die *d, unsigned name,
                 uint64_t x);

void
dwarf_die_signed(struct arena *a, struct dwarf_die *d, unsigned name,
                 int64_t x);

void
dwarf_die_flag(struct arena *a, struct dwarf_die *d, unsigned name);

/* Sets an attribute to another entry of the unit, which must be in the tree when
 * written. */
void
dwarf_die_entry(struct arena *a, struct dwarf_die *d, unsigned name,
                const struct dwarf_die *to);

void
dwarf_die_expression(struct arena *a, struct dwarf_die *d, unsigned name,
                     const uint8_t *bytes, size_t n);

/* Sets DW_AT_location to an address in the section. */
void
dwarf_die_place(struct arena *a, struct dwarf_die *d, unsigned section,
                uint32_t offset);

/* Sets DW_AT_low_pc and DW_AT_high_pc for one range, DW_AT_ranges for several. */
void
dwarf_die_ranges(struct arena *a, struct dwarf_die *d,
                 const struct dwarf_range *ranges, size_t n);

/* Sets DW_AT_location to a list of locations. */
void
dwarf_die_locations(struct arena *a, struct dwarf_die *d,
                    const struct dwarf_location *locations, size_t n);

/* Writes .debug_abbrev, .debug_info, and .debug_rnglists and .debug_loclists if there
 * are lists.  `unit` is a DW_TAG_compile_unit; its DW_AT_stmt_list is set to the start
 * of section `line`. */
void
dwarf_die_write(struct elf_out *o, struct dwarf_die *unit, unsigned line);
