/* SPDX-License-Identifier: Apache-2.0 */
/* Manual pages of instructions, from the table. */
#include "isa/page.h"

#include <stdio.h>
#include <string.h>

/* A run of bits of the word with one owner: a field, or fixed bits. */
struct cell {
    const struct ventus_isa_field *field; /* NULL: fixed bits */
    unsigned hi, lo, width; /* bits; width in characters of the picture */
    char text[40];
};

static const struct ventus_isa_format_info *
format_of(enum ventus_isa_op op)
{
    return &ventus_isa_formats[ventus_isa_info[op].format];
}

static const struct ventus_isa_field *
owner_of(enum ventus_isa_op op, unsigned bit)
{
    const struct ventus_isa_format_info *f = format_of(op);
    for (unsigned i = 0; i < f->fields; i++) {
        const struct ventus_isa_field *field = &ventus_isa_fields[f->field[i]];
        for (unsigned p = 0; p < field->pieces; p++)
            if (field->piece[p].hi >= bit && field->piece[p].lo <= bit)
                return field;
    }
    return NULL;
}

/* Appends "[12]" or "[10:5]" to the name of a field in several pieces: the bits of the
 * value that this piece holds. */
static void
name_piece(struct cell *c)
{
    unsigned at = c->field->width + c->field->scale;
    for (unsigned p = 0; p < c->field->pieces; p++) {
        unsigned n = c->field->piece[p].hi - c->field->piece[p].lo + 1u;
        at -= n;
        if (c->field->piece[p].hi != c->hi)
            continue;
        if (n == 1)
            snprintf(c->text, sizeof c->text, "imm[%u]", at);
        else
            snprintf(c->text, sizeof c->text, "imm[%u:%u]", at + n - 1, at);
    }
}

static void
fill_cell(struct cell *c, enum ventus_isa_op op)
{
    if (!c->field) {
        for (unsigned i = 0; i <= c->hi - c->lo; i++)
            c->text[i] =
                (char)('0' + (ventus_isa_info[op].match >> (c->hi - i) & 1));
        c->text[c->hi - c->lo + 1] = 0;
    } else if (c->field->pieces > 1 &&
               c->field->member == VENTUS_ISA_MEMBER_IMM) {
        name_piece(c);
    } else {
        snprintf(c->text, sizeof c->text, "%s", c->field->name);
    }
    char ends[12];
    int n = c->hi == c->lo ? snprintf(ends, sizeof ends, "%u", c->hi)
                           : snprintf(ends, sizeof ends, "%u %u", c->hi, c->lo);
    c->width = (unsigned)strlen(c->text);
    if ((unsigned)n > c->width)
        c->width = (unsigned)n;
}

static unsigned
make_cells(enum ventus_isa_op op, struct cell *cells)
{
    unsigned n = 0;
    for (unsigned bit = 32; bit-- > 0;) {
        const struct ventus_isa_field *f = owner_of(op, bit);
        bool starts = !n || cells[n - 1].field != f;
        for (unsigned p = 0; f && p < f->pieces; p++)
            starts |= f->piece[p].hi == bit;
        if (starts)
            cells[n++] = (struct cell){ .field = f, .hi = bit };
        cells[n - 1].lo = bit;
    }
    for (unsigned i = 0; i < n; i++)
        fill_cell(&cells[i], op);
    return n;
}

static void
rule(struct buf *out, const struct cell *cells, unsigned n)
{
    buf_printf(out, "    +");
    for (unsigned i = 0; i < n; i++) {
        buf_fill(out, '-', cells[i].width + 2);
        buf_printf(out, "+");
    }
    buf_printf(out, "\n");
}

/*
 * Draws the word:
 *
 *      31    25 24   20 ...
 *     +--------+-------+
 *     | 000000 | vs2   |
 *     +--------+-------+
 */
static void
picture(struct buf *out, enum ventus_isa_op op)
{
    struct cell cells[32];
    unsigned n = make_cells(op, cells);
    buf_printf(out, "     ");
    for (unsigned i = 0; i < n; i++) {
        const struct cell *c = &cells[i];
        if (c->hi == c->lo)
            buf_printf(out, " %-*u ", (int)c->width, c->hi);
        else
            buf_printf(out, " %u%*u ", c->hi,
                       (int)c->width - (c->hi > 9 ? 2 : 1), c->lo);
        buf_printf(out, i + 1 < n ? " " : "\n");
    }
    rule(out, cells, n);
    buf_printf(out, "    |");
    for (unsigned i = 0; i < n; i++)
        buf_printf(out, " %-*s |", (int)cells[i].width, cells[i].text);
    buf_printf(out, "\n");
    rule(out, cells, n);
}

void
isa_page_syntax(struct buf *out, const char *syntax)
{
    for (const char *c = syntax; *c; c++) {
        unsigned char byte = (unsigned char)*c;
        if (byte < 128) {
            if (byte != 1)
                buf_u8(out, byte);
            continue;
        }
        const struct ventus_isa_field *f = &ventus_isa_fields[byte - 128];
        if (f->kind == VENTUS_ISA_KIND_VM)
            buf_printf(out, "[, v0.t]");
        else if (f->kind == VENTUS_ISA_KIND_RM)
            buf_printf(out, "[, rounding]");
        else if (f->kind == VENTUS_ISA_KIND_OPT)
            buf_printf(out, "[, %.*s=n]", (int)strcspn(f->name, "_"), f->name);
        else
            buf_printf(out, "%s", f->name);
    }
}

static const char *
suffix(enum ventus_isa_op op)
{
    const struct ventus_isa_format_info *f = format_of(op);
    for (unsigned i = 0; i < f->fields; i++)
        if (ventus_isa_fields[f->field[i]].kind == VENTUS_ISA_KIND_AQRL)
            return "[.aq|.rl|.aqrl]";
    return "";
}

static void
spelling(struct buf *out, enum ventus_isa_op op)
{
    const struct ventus_isa_format_info *f = format_of(op);
    for (unsigned i = 0; i < 4; i++) {
        if (!f->syntax[i])
            continue;
        buf_printf(out, "    %s%s ", ventus_isa_info[op].name, suffix(op));
        isa_page_syntax(out, f->syntax[i]);
        buf_printf(out, "%s\n",
                   i == 1 ? "    (as upstream logs write it)" : "");
    }
}

static void
other_spellings(struct buf *out, enum ventus_isa_op op)
{
    bool first = true;
    for (unsigned i = 0; i < VENTUS_ISA_ALIAS_COUNT; i++) {
        const struct ventus_isa_alias *a = &ventus_isa_aliases[i];
        if (a->op != op)
            continue;
        buf_printf(out, first ? "\nOTHER SPELLINGS\n" : "");
        first = false;
        buf_printf(out, "    %s ", a->name);
        isa_page_syntax(out, a->syntax);
        buf_printf(out, "    with");
        for (unsigned k = 0; k < a->fixed; k++) {
            const char *name = ventus_isa_fields[a->fix[k].field].name;
            if (a->fix[k].same)
                buf_printf(out, " %s = %s", name,
                           ventus_isa_fields[a->fix[k].same - 1].name);
            else
                buf_printf(out, " %s = %d", name, a->fix[k].value);
        }
        buf_printf(out, a->fixed ? "\n" : " nothing fixed\n");
    }
}

static void
flags(struct buf *out, enum ventus_isa_op op)
{
    for (unsigned i = 0, n = 0; i < VENTUS_ISA_FLAG_COUNT; i++)
        if (ventus_isa_info[op].flags >> i & 1)
            buf_printf(out, "%s%s", n++ ? ", " : "    flags     ",
                       ventus_isa_flag_names[i]);
}

void
isa_page(struct buf *out, enum ventus_isa_op op)
{
    const struct ventus_isa_info *info = &ventus_isa_info[op];
    const struct ventus_isa_latency *lat = &ventus_isa_latency[info->lat];
    buf_printf(out, "NAME\n    %s - %s\n\nWRITTEN\n", info->name, info->prose);
    spelling(out, op);
    buf_printf(out, "\nENCODING\n");
    picture(out, op);
    buf_printf(out, "    match 0x%08x  mask 0x%08x\n", info->match, info->mask);
    if (ventus_isa_more_prose[op]) {
        buf_printf(out, "\nDESCRIPTION\n");
        for (const char *line = ventus_isa_more_prose[op]; *line;) {
            int n = (int)strcspn(line, "\n");
            buf_printf(out, "    %.*s\n", n, line);
            line += n + 1;
        }
    }
    other_spellings(out, op);
    buf_printf(out, "\nPROPERTIES\n    group     %s\n    version   %s\n",
               ventus_isa_groups[info->group],
               info->versions == 3   ? "1 and 2"
               : info->versions == 1 ? "1"
                                     : "2");
    buf_printf(out,
               "    unit      %s, class %s: %u cycles, busy %u (default "
               "machine)\n    meaning   %s\n",
               ventus_isa_unit_names[info->unit], lat->name, lat->cycles,
               lat->interval, info->meaning);
    flags(out, op);
    buf_printf(out, info->flags ? "\n" : "");
}

void
isa_page_json(struct json *j, enum ventus_isa_op op)
{
    const struct ventus_isa_info *info = &ventus_isa_info[op];
    const struct ventus_isa_latency *lat = &ventus_isa_latency[info->lat];
    struct buf syntax = { 0 };
    isa_page_syntax(&syntax, format_of(op)->syntax[0]);
    buf_u8(&syntax, 0);
    json_object(j, NULL);
    json_string(j, "name", info->name);
    json_number(j, "match", info->match);
    json_number(j, "mask", info->mask);
    json_array(j, "versions");
    for (unsigned version = 1; version <= 2; version++)
        if (info->versions & version)
            json_number(j, NULL, version);
    json_end(j);
    json_string(j, "syntax", (const char *)syntax.at);
    json_string(j, "group", ventus_isa_groups[info->group]);
    json_string(j, "unit", ventus_isa_unit_names[info->unit]);
    json_string(j, "class", lat->name);
    json_number(j, "cycles", lat->cycles);
    json_number(j, "interval", lat->interval);
    json_string(j, "meaning", info->meaning);
    json_array(j, "flags");
    for (unsigned i = 0; i < VENTUS_ISA_FLAG_COUNT; i++)
        if (info->flags >> i & 1)
            json_string(j, NULL, ventus_isa_flag_names[i]);
    json_end(j);
    json_string(j, "prose", info->prose);
    json_end(j);
    buf_free(&syntax);
}

void
isa_page_line(struct buf *out, enum ventus_isa_op op)
{
    const struct ventus_isa_info *info = &ventus_isa_info[op];
    buf_printf(out, "  %-18s %s\n", info->name, info->prose);
}

void
isa_page_list(struct buf *out, unsigned version)
{
    unsigned group = VENTUS_ISA_GROUP_COUNT;
    for (enum ventus_isa_op op = 1; op < VENTUS_ISA_OP_COUNT; op++) {
        const struct ventus_isa_info *info = &ventus_isa_info[op];
        if (version && !(info->versions & version))
            continue;
        if (info->group != group)
            buf_printf(out, "%s%s\n",
                       group == VENTUS_ISA_GROUP_COUNT ? "" : "\n",
                       ventus_isa_groups[info->group]);
        group = info->group;
        isa_page_line(out, op);
    }
}
