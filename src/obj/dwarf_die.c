/* SPDX-License-Identifier: Apache-2.0 */
#include "obj/dwarf_die.h"

#include <assert.h>

struct dwarf_die *
dwarf_die_new(struct arena *a, struct dwarf_die *parent, unsigned tag)
{
    struct dwarf_die *d = arena_new(a, struct dwarf_die, 1);
    d->tag = tag;
    if (parent)
        dwarf_die_add(a, parent, d);
    return d;
}

void
dwarf_die_add(struct arena *a, struct dwarf_die *parent,
              struct dwarf_die *child)
{
    assert(parent != child);
    vec_push(a, &parent->children, child);
}

static struct dwarf_attribute *
add_attribute(struct arena *a, struct dwarf_die *d, unsigned name,
              unsigned form)
{
    struct dwarf_attribute x = { .name = (uint16_t)name,
                                 .form = (uint16_t)form };
    vec_push(a, &d->attributes, x);
    return &d->attributes.at[d->attributes.n - 1];
}

void
dwarf_die_string(struct arena *a, struct dwarf_die *d, unsigned name,
                 const char *s)
{
    add_attribute(a, d, name, DW_FORM_string)->of.string = s;
}

void
dwarf_die_number(struct arena *a, struct dwarf_die *d, unsigned name,
                 uint64_t x)
{
    add_attribute(a, d, name, DW_FORM_udata)->number = x;
}

void
dwarf_die_signed(struct arena *a, struct dwarf_die *d, unsigned name, int64_t x)
{
    add_attribute(a, d, name, DW_FORM_sdata)->number = (uint64_t)x;
}

void
dwarf_die_flag(struct arena *a, struct dwarf_die *d, unsigned name)
{
    add_attribute(a, d, name, DW_FORM_flag_present);
}

void
dwarf_die_entry(struct arena *a, struct dwarf_die *d, unsigned name,
                const struct dwarf_die *to)
{
    add_attribute(a, d, name, DW_FORM_ref4)->of.entry = to;
}

void
dwarf_die_expression(struct arena *a, struct dwarf_die *d, unsigned name,
                     const uint8_t *bytes, size_t n)
{
    struct dwarf_attribute *x = add_attribute(a, d, name, DW_FORM_exprloc);
    x->number = n;
    x->of.bytes = bytes;
}

void
dwarf_die_place(struct arena *a, struct dwarf_die *d, unsigned section,
                uint32_t offset)
{
    struct dwarf_attribute *x =
        add_attribute(a, d, DW_AT_location, DW_FORM_exprloc);
    assert(section);
    x->section = section;
    x->number = offset;
}

void
dwarf_die_ranges(struct arena *a, struct dwarf_die *d,
                 const struct dwarf_range *ranges, size_t n)
{
    assert(n);
    if (n > 1) {
        struct dwarf_attribute *x =
            add_attribute(a, d, DW_AT_ranges, DW_FORM_sec_offset);
        x->number = n;
        x->of.ranges = ranges;
        return;
    }
    struct dwarf_attribute *low =
        add_attribute(a, d, DW_AT_low_pc, DW_FORM_addr);
    low->section = ranges->section;
    low->number = ranges->start;
    dwarf_die_number(a, d, DW_AT_high_pc, ranges->end - ranges->start);
}

void
dwarf_die_locations(struct arena *a, struct dwarf_die *d,
                    const struct dwarf_location *locations, size_t n)
{
    struct dwarf_attribute *x =
        add_attribute(a, d, DW_AT_location, DW_FORM_sec_offset);
    assert(n);
    x->number = n;
    x->of.locations = locations;
}
