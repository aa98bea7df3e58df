/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The writer of a tree of entries:
 *
 *     .debug_abbrev    abbreviations: tag and forms of entries, each once
 *     .debug_info      the entries
 *     .debug_rnglists  address ranges of entries that have several
 *     .debug_loclists  locations of variables, by address
 *
 * Strings are inline, and entries refer to each other by their offset in the unit, so
 * the only relocations are those between these sections and to the code.  Code does
 * not change its size at linking (there is no linker relaxation), so the lengths of
 * ranges are plain numbers.
 */
#include "base/defer.h"
#include "base/map.h"
#include "obj/dwarf_bytes.h"
#include "obj/dwarf_die.h"

struct info {
    struct elf_out *o;
    unsigned abbrev, info, ranges, locations, line; /* section numbers */
    struct map shapes; /* bytes of an abbreviation -> number of it */
    uint32_t at;       /* current offset while offsets are assigned */
    size_t ranges_length, locations_length;
};

static unsigned
add_section(struct info *w, const char *name)
{
    return elf_out_section(w->o, name, ELF_SHT_PROGBITS, 0, 1);
}

/* ---- offsets ---- */

/* Appends the header of .debug_rnglists or .debug_loclists; 12 bytes. */
static size_t
begin_lists(struct info *w, unsigned section)
{
    struct buf *b = elf_out_contents(w->o, section);
    size_t start = dwarf_begin_length(b);
    buf_u16(b, 5); /* version */
    buf_u8(b, 4);  /* size of an address */
    buf_u8(b, 0);  /* size of a segment selector */
    buf_u32(b, 0); /* entries of the table of offsets */
    return start;
}

/* Adds the section of a list, before anything is written, so that entries can refer to
 * it. */
static void
need_lists(struct info *w, const struct dwarf_attribute *x)
{
    if (x->name == DW_AT_ranges && !w->ranges) {
        w->ranges = add_section(w, ".debug_rnglists");
        w->ranges_length = begin_lists(w, w->ranges);
    } else if (x->name == DW_AT_location && !w->locations) {
        w->locations = add_section(w, ".debug_loclists");
        w->locations_length = begin_lists(w, w->locations);
    }
}

static uint32_t
uleb_size(uint64_t x)
{
    uint32_t n = 1;
    for (; x >= 0x80; x >>= 7)
        n++;
    return n;
}

static void
put_value(struct info *w, struct buf *b, const struct dwarf_attribute *x);

/* The size of an attribute whose form needs no relocation. */
static uint32_t
plain_size(struct info *w, const struct dwarf_attribute *x)
{
    struct buf b = { 0 };
    struct oom_cleanup free_b;
    oom_defer_buf(&free_b, &b);
    put_value(w, &b, x);
    uint32_t n = (uint32_t)b.n;
    oom_release(&free_b);
    return n;
}

static uint32_t
attribute_size(struct info *w, const struct dwarf_attribute *x)
{
    switch (x->form) {
    case DW_FORM_addr:
    case DW_FORM_ref4:
        return 4;
    case DW_FORM_sec_offset:
        need_lists(w, x);
        return 4;
    case DW_FORM_exprloc:
        if (x->section)
            return 6; /* length, DW_OP_addr, address */
        return uleb_size(x->number) + (uint32_t)x->number;
    }
    return plain_size(w, x);
}

/* The number of an entry's abbreviation, added if it is new. */
static uint32_t
shape_of(struct info *w, const struct dwarf_die *d)
{
    struct buf b = { 0 };
    struct oom_cleanup free_b;
    oom_defer_buf(&free_b, &b);
    buf_uleb128(&b, d->tag);
    buf_u8(&b, d->children.n ? DW_CHILDREN_yes : DW_CHILDREN_no);
    for (size_t i = 0; i < d->attributes.n; i++) {
        buf_uleb128(&b, d->attributes.at[i].name);
        buf_uleb128(&b, d->attributes.at[i].form);
    }
    void **at = map_put(w->o->arena, &w->shapes, (const char *)b.at, b.n);
    if (!*at) {
        struct buf *to = elf_out_contents(w->o, w->abbrev);
        *at = (void *)(uintptr_t)w->shapes.n;
        buf_uleb128(to, w->shapes.n);
        buf_put(to, b.at, b.n);
        buf_u16(to, 0);
    }
    uint32_t number = (uint32_t)(uintptr_t)*at;
    oom_release(&free_b);
    return number;
}

static void
lay_out(struct info *w, struct dwarf_die *d)
{
    d->offset = w->at;
    d->abbreviation = shape_of(w, d);
    w->at += uleb_size(d->abbreviation);
    for (size_t i = 0; i < d->attributes.n; i++)
        w->at += attribute_size(w, &d->attributes.at[i]);
    for (size_t i = 0; i < d->children.n; i++)
        lay_out(w, d->children.at[i]);
    w->at += d->children.n > 0;
}

/* ---- lists ---- */

/* Appends the section of a range where it changes, then the range as offsets from it. */
static void
put_range(struct info *w, unsigned list, uint8_t base, uint8_t pair,
          const struct dwarf_range *r, unsigned *section)
{
    struct buf *b = elf_out_contents(w->o, list);
    assert(r->start <= r->end);
    if (r->section != *section) {
        buf_u8(b, base);
        dwarf_put_address(w->o, list, r->section, 0);
        *section = r->section;
    }
    buf_u8(b, pair);
    buf_uleb128(b, r->start);
    buf_uleb128(b, r->end);
}

static uint32_t
put_ranges(struct info *w, const struct dwarf_attribute *x)
{
    struct buf *b = elf_out_contents(w->o, w->ranges);
    uint32_t at = (uint32_t)b->n;
    unsigned section = 0;
    for (uint64_t i = 0; i < x->number; i++)
        put_range(w, w->ranges, DW_RLE_base_address, DW_RLE_offset_pair,
                  &x->of.ranges[i], &section);
    buf_u8(b, DW_RLE_end_of_list);
    return at;
}

static uint32_t
put_locations(struct info *w, const struct dwarf_attribute *x)
{
    struct buf *b = elf_out_contents(w->o, w->locations);
    uint32_t at = (uint32_t)b->n;
    unsigned section = 0;
    for (uint64_t i = 0; i < x->number; i++) {
        const struct dwarf_location *l = &x->of.locations[i];
        put_range(w, w->locations, DW_LLE_base_address, DW_LLE_offset_pair,
                  &l->at, &section);
        buf_uleb128(b, l->size);
        buf_put(b, l->expression, l->size);
    }
    buf_u8(b, DW_LLE_end_of_list);
    return at;
}

/* ---- entries ---- */

static void
put_value(struct info *w, struct buf *b, const struct dwarf_attribute *x)
{
    switch (x->form) {
    case DW_FORM_string:
        dwarf_put_string(b, x->of.string);
        break;
    case DW_FORM_udata:
        buf_uleb128(b, x->number);
        break;
    case DW_FORM_sdata:
        buf_sleb128(b, (int64_t)x->number);
        break;
    case DW_FORM_ref4:
        assert(x->of.entry->offset && "the entry is in the tree");
        buf_u32(b, x->of.entry->offset);
        break;
    case DW_FORM_addr:
        if (x->section)
            dwarf_put_address(w->o, w->info, x->section, (uint32_t)x->number);
        else
            buf_u32(b, (uint32_t)x->number);
        break;
    case DW_FORM_sec_offset:
        if (x->name == DW_AT_stmt_list)
            dwarf_put_address(w->o, w->info, w->line, 0);
        else if (x->name == DW_AT_ranges)
            dwarf_put_address(w->o, w->info, w->ranges, put_ranges(w, x));
        else
            dwarf_put_address(w->o, w->info, w->locations, put_locations(w, x));
        break;
    case DW_FORM_exprloc:
        if (x->section) {
            buf_uleb128(b, 5);
            buf_u8(b, DW_OP_addr);
            dwarf_put_address(w->o, w->info, x->section, (uint32_t)x->number);
            break;
        }
        buf_uleb128(b, x->number);
        buf_put(b, x->of.bytes, x->number);
        break;
    }
}

static void
put_entry(struct info *w, const struct dwarf_die *d)
{
    struct buf *b = elf_out_contents(w->o, w->info);
    buf_uleb128(b, d->abbreviation);
    for (size_t i = 0; i < d->attributes.n; i++)
        put_value(w, b, &d->attributes.at[i]);
    for (size_t i = 0; i < d->children.n; i++)
        put_entry(w, d->children.at[i]);
    if (d->children.n)
        buf_u8(b, 0);
}

void
dwarf_die_write(struct elf_out *o, struct dwarf_die *unit, unsigned line)
{
    enum { HEADER_SIZE = 12 };
    struct info w = { .o = o, .line = line };
    w.abbrev = add_section(&w, ".debug_abbrev");
    w.info = add_section(&w, ".debug_info");
    struct dwarf_attribute lines = { .name = DW_AT_stmt_list,
                                     .form = DW_FORM_sec_offset };
    vec_push(o->arena, &unit->attributes, lines);
    w.at = HEADER_SIZE;
    lay_out(&w, unit);
    buf_u8(elf_out_contents(o, w.abbrev), 0);
    struct buf *b = elf_out_contents(o, w.info);
    size_t start = dwarf_begin_length(b);
    buf_u16(b, 5); /* version */
    buf_u8(b, DW_UT_compile);
    buf_u8(b, 4); /* size of an address */
    dwarf_put_address(o, w.info, w.abbrev, 0);
    assert(b->n == HEADER_SIZE);
    put_entry(&w, unit);
    b = elf_out_contents(o, w.info);
    assert(b->n == w.at && "offsets of entries are as assigned before");
    dwarf_end_length(b, start);
    if (w.ranges)
        dwarf_end_length(elf_out_contents(o, w.ranges), w.ranges_length);
    if (w.locations)
        dwarf_end_length(elf_out_contents(o, w.locations), w.locations_length);
}
