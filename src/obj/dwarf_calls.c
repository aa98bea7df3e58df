/* SPDX-License-Identifier: Apache-2.0 */
#include "obj/dwarf_calls.h"

#include <assert.h>
#include <string.h>

#include "base/cursor.h"
#include "obj/dwarf_defs.h"
#include "obj/elf.h"

/* MAX_STEPS limits the abbreviations that searches pass over: without the limit a
 * malicious file could take time in proportion to the product of its entries and
 * abbreviations. */
enum { DEEPEST = 64, MAX_STEPS = 1 << 24 };

struct unit {
    const struct elf *elf;
    const uint8_t *start, *end; /* bytes of the unit in .debug_info */
    unsigned version, address_B;
    struct cursor shapes; /* abbreviations of the unit */
    uint64_t line_table, base;
    bool failed; /* a form is unknown */
    unsigned steps;
};

/* The attributes of an entry that the search needs. */
struct entry {
    unsigned tag;
    bool has_children;
    const char *name;
    uint64_t origin; /* offset of DW_AT_abstract_origin in the unit; 0: none */
    bool has_low, has_high, has_ranges;
    uint64_t low, high, ranges;
    uint64_t file, line;
};

struct value {
    uint64_t number;
    const char *text;
    bool is_address;
};

static struct cursor
section_over(const struct elf *elf, const char *name)
{
    const struct elf_section *s = elf_find_section(elf, name);
    return cursor_over(s ? s->contents : NULL,
                       s && s->contents ? (size_t)s->size : 0);
}

static const char *
text_at(struct cursor c, uint64_t offset)
{
    cursor_bytes(&c, offset);
    bool ends = cursor_left(&c) && memchr(c.at, 0, cursor_left(&c));
    return ends ? (const char *)c.at : NULL;
}

static const char *
inline_text(struct cursor *c)
{
    const char *text = text_at(*c, 0);
    cursor_bytes(c, text ? strlen(text) + 1 : cursor_left(c) + 1);
    return text;
}

static struct value
read_form(struct unit *u, struct cursor *c, uint64_t form, int64_t constant)
{
    struct value v = { 0 };
    switch (form) {
    case DW_FORM_addr:
        v.number = cursor_number(c, u->address_B);
        v.is_address = true;
        break;
    case DW_FORM_data1:
    case DW_FORM_ref1:
    case DW_FORM_flag:
        v.number = cursor_u8(c);
        break;
    case DW_FORM_data2:
    case DW_FORM_ref2:
        v.number = cursor_u16(c);
        break;
    case DW_FORM_data4:
    case DW_FORM_ref4:
    case DW_FORM_sec_offset:
        v.number = cursor_u32(c);
        break;
    case DW_FORM_data8:
    case DW_FORM_ref8:
    case DW_FORM_ref_sig8:
        v.number = cursor_u64(c);
        break;
    case DW_FORM_data16:
        cursor_bytes(c, 16);
        break;
    case DW_FORM_udata:
    case DW_FORM_ref_udata:
    case DW_FORM_strx:
    case DW_FORM_addrx:
    case DW_FORM_sdata: /* a signed LEB128 number has the same length */
        v.number = cursor_uleb128(c);
        break;
    case DW_FORM_string:
        v.text = inline_text(c);
        break;
    case DW_FORM_strp:
        v.text = text_at(section_over(u->elf, ".debug_str"), cursor_u32(c));
        break;
    case DW_FORM_line_strp:
        v.text =
            text_at(section_over(u->elf, ".debug_line_str"), cursor_u32(c));
        break;
    case DW_FORM_strx1:
    case DW_FORM_addrx1:
        cursor_u8(c);
        break;
    case DW_FORM_block1:
        cursor_bytes(c, cursor_u8(c));
        break;
    case DW_FORM_block2:
        cursor_bytes(c, cursor_u16(c));
        break;
    case DW_FORM_block4:
        cursor_bytes(c, cursor_u32(c));
        break;
    case DW_FORM_block:
    case DW_FORM_exprloc:
        cursor_bytes(c, cursor_uleb128(c));
        break;
    case DW_FORM_implicit_const:
        v.number = (uint64_t)constant;
        break;
    case DW_FORM_flag_present:
        v.number = 1;
        break;
    default:
        u->failed = true;
    }
    return v;
}

static void
take_attribute(struct entry *e, struct unit *u, uint64_t name,
               const struct value *v)
{
    switch (name) {
    case DW_AT_name:
        e->name = v->text;
        break;
    case DW_AT_abstract_origin:
        e->origin = v->number;
        break;
    case DW_AT_low_pc:
        e->has_low = v->is_address;
        e->low = v->number;
        break;
    case DW_AT_high_pc:
        e->has_high = true;
        e->high = v->is_address ? v->number : e->low + v->number;
        break;
    case DW_AT_ranges:
        e->has_ranges = true;
        e->ranges = v->number;
        break;
    case DW_AT_call_file:
        e->file = v->number;
        break;
    case DW_AT_call_line:
        e->line = v->number;
        break;
    case DW_AT_stmt_list:
        u->line_table = v->number;
        break;
    }
}

/* Moves `shape` to the tag of the abbreviation with this number; false: there is none. */
static bool
find_shape(struct unit *u, uint64_t number, struct cursor *shape)
{
    *shape = u->shapes;
    for (;;) {
        uint64_t found = cursor_uleb128(shape);
        if (!found || shape->failed || u->steps > MAX_STEPS)
            return false;
        if (found == number)
            return true;
        cursor_uleb128(shape);
        cursor_u8(shape);
        for (uint64_t name = 1, form; name && !shape->failed;) {
            u->steps++;
            name = cursor_uleb128(shape);
            form = cursor_uleb128(shape);
            if (form == DW_FORM_implicit_const)
                cursor_uleb128(shape);
        }
    }
}

/* Reads an entry.  False: the end of a list of children, or an unknown form. */
static bool
read_entry(struct unit *u, struct cursor *c, struct entry *e)
{
    struct cursor shape;
    uint64_t number = cursor_uleb128(c);
    *e = (struct entry){ 0 };
    if (!number)
        return false;
    if (!find_shape(u, number, &shape)) {
        u->failed = true;
        return false;
    }
    e->tag = (unsigned)cursor_uleb128(&shape);
    e->has_children = cursor_u8(&shape) == DW_CHILDREN_yes;
    for (;;) {
        uint64_t name = cursor_uleb128(&shape), form = cursor_uleb128(&shape);
        int64_t constant = form == DW_FORM_implicit_const
                               ? (int64_t)cursor_uleb128(&shape)
                               : 0;
        if ((!name && !form) || shape.failed || u->failed || c->failed)
            break;
        struct value v = read_form(u, c, form, constant);
        take_attribute(e, u, name, &v);
    }
    u->failed |= c->failed || shape.failed;
    return !u->failed;
}

/* ---- ranges ---- */

static bool
in_ranges_5(struct unit *u, uint64_t offset, uint64_t address)
{
    struct cursor c = section_over(u->elf, ".debug_rnglists");
    uint64_t base = u->base, start, end;
    cursor_bytes(&c, offset);
    while (!c.failed) {
        switch (cursor_u8(&c)) {
        case DW_RLE_base_address:
            base = cursor_number(&c, u->address_B);
            continue;
        case DW_RLE_offset_pair:
            start = base + cursor_uleb128(&c);
            end = base + cursor_uleb128(&c);
            break;
        case DW_RLE_start_end:
            start = cursor_number(&c, u->address_B);
            end = cursor_number(&c, u->address_B);
            break;
        case DW_RLE_start_length:
            start = cursor_number(&c, u->address_B);
            end = start + cursor_uleb128(&c);
            break;
        /* The end, or a form with a table of addresses, unknown here. */
        default:
            return false;
        }
        if (address >= start && address < end)
            return true;
    }
    return false;
}

static bool
in_ranges_4(struct unit *u, uint64_t offset, uint64_t address)
{
    struct cursor c = section_over(u->elf, ".debug_ranges");
    uint64_t base = u->base;
    cursor_bytes(&c, offset);
    while (!c.failed) {
        uint64_t start = cursor_number(&c, u->address_B);
        uint64_t end = cursor_number(&c, u->address_B);
        if (!start && !end)
            return false;
        if (start == (u->address_B == 8 ? UINT64_MAX : UINT32_MAX))
            base = end;
        else if (address >= base + start && address < base + end)
            return true;
    }
    return false;
}

static bool
covers_address(struct unit *u, const struct entry *e, uint64_t address)
{
    if (e->has_ranges)
        return u->version >= 5 ? in_ranges_5(u, e->ranges, address)
                               : in_ranges_4(u, e->ranges, address);
    return e->has_low && e->has_high && address >= e->low && address < e->high;
}

/* ---- the tree ---- */

static const char *
name_of(struct unit *u, const struct entry *e)
{
    struct entry at = *e;
    for (unsigned i = 0; i < 3 && !at.name && at.origin; i++) {
        if (at.origin >= (uint64_t)(u->end - u->start))
            return NULL;
        struct cursor c =
            cursor_over(u->start + at.origin,
                        (size_t)(u->end - u->start) - (size_t)at.origin);
        uint64_t line_table = u->line_table;
        if (!read_entry(u, &c, &at))
            return NULL;
        u->line_table = line_table;
    }
    return at.name;
}

static void
add_call(struct arena *a, struct unit *u, const struct entry *e,
         struct dwarf_calls *calls)
{
    const char *name = name_of(u, e);
    if (e->tag == DW_TAG_subprogram) {
        calls->function = name;
        return;
    }
    if (!calls->at)
        calls->at = arena_new(a, struct dwarf_call, DEEPEST);
    if (calls->n == DEEPEST)
        return;
    /* The walk finds calls from the outermost inwards: the innermost goes first. */
    memmove(calls->at + 1, calls->at, calls->n * sizeof *calls->at);
    calls->n++;
    calls->at[0] = (struct dwarf_call){ .name = name ? name : "?",
                                        .file = (uint32_t)e->file,
                                        .line = (uint32_t)e->line,
                                        .line_table = u->line_table };
}

/* Walks the entries from the outermost inwards, including children of those that do
 * not cover the address. */
static void
walk_entries(struct arena *a, struct unit *u, struct cursor *c,
             uint64_t address, struct dwarf_calls *calls)
{
    unsigned depth = 0;
    struct entry e;
    do {
        if (!read_entry(u, c, &e)) {
            depth -= depth > 0;
            continue;
        }
        if (e.tag == DW_TAG_compile_unit && e.has_low)
            u->base = e.low;
        bool function =
            e.tag == DW_TAG_subprogram || e.tag == DW_TAG_inlined_subroutine;
        if (function && covers_address(u, &e, address))
            add_call(a, u, &e, calls);
        depth += e.has_children;
    } while (depth && !u->failed && cursor_left(c));
}

static bool
read_unit(struct arena *a, const struct elf *elf, struct cursor *info,
          uint64_t address, struct dwarf_calls *calls)
{
    struct unit u = { .elf = elf, .start = info->at };
    uint32_t length = cursor_u32(info);
    struct cursor c = cursor_over(info->at, cursor_left(info));
    if (!cursor_bytes(info, length)) /* a unit of 64-bit DWARF is skipped */
        return false;
    u.end = info->at;
    c.end = info->at;
    u.version = cursor_u16(&c);
    unsigned type = u.version >= 5 ? cursor_u8(&c) : DW_UT_compile;
    u.address_B = u.version >= 5 ? cursor_u8(&c) : 0;
    uint32_t shapes = cursor_u32(&c);
    if (u.version == 4)
        u.address_B = cursor_u8(&c);
    if (u.version < 4 || u.version > 5 || type != DW_UT_compile ||
        u.address_B > 8)
        return true;
    u.shapes = section_over(elf, ".debug_abbrev");
    cursor_bytes(&u.shapes, shapes);
    walk_entries(a, &u, &c, address, calls);
    return true;
}

void
dwarf_calls_find(struct arena *a, const struct elf *elf, uint64_t address,
                 struct dwarf_calls *calls)
{
    struct cursor info = section_over(elf, ".debug_info");
    *calls = (struct dwarf_calls){ 0 };
    while (cursor_left(&info) && !calls->function && !calls->n)
        if (!read_unit(a, elf, &info, address, calls))
            break;
}
