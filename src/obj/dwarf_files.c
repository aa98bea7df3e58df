/* SPDX-License-Identifier: Apache-2.0 */
/* The header of a unit in .debug_line.  Versions 2 to 4 list folders and files as
 * strings, numbered from 1; version 5 first lists the fields of an entry and their
 * forms, and numbers from 0. */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/bits.h"
#include "obj/dwarf_defs.h"
#include "obj/dwarf_unit.h"

typedef vec(const char *) string_list;

enum { MAX_FIELDS = 255 };

/* Formats of the fields of an entry in version 5. */
struct format {
    unsigned n;
    uint64_t content[MAX_FIELDS], form[MAX_FIELDS];
};

struct field {
    const char *string; /* text of a string; NULL: the field is a number */
    uint64_t number;
};

static bool
open_strings(struct dwarf_reader *r, const struct cursor *c, unsigned which)
{
    static const char *const name[2] = { ".debug_str", ".debug_line_str" };
    if (r->strings_read[which])
        return true;
    const struct elf_section *s = elf_find_section(r->elf, name[which]);
    if (!s || !s->contents || !s->size || s->contents[s->size - 1] != 0)
        return dwarf_fail(r, c, "%s is missing or does not end in a zero byte",
                          name[which]);
    r->strings[which] = cursor_over(s->contents, (size_t)s->size);
    r->strings_read[which] = true;
    return true;
}

static bool
read_indirect_string(struct dwarf_reader *r, const struct dwarf_unit_in *u,
                     struct cursor *c, unsigned which, struct field *field)
{
    assert(which < 2 && (u->offset_size == 4 || u->offset_size == 8));
    uint64_t offset = cursor_number(c, u->offset_size);
    if (!open_strings(r, c, which))
        return false;
    struct cursor strings = r->strings[which];
    if (offset >= cursor_left(&strings))
        return dwarf_fail(r, c, "a name at 0x%" PRIx64 " is past the end",
                          offset);
    field->string = (const char *)strings.at + offset;
    return true;
}

static bool
read_field(struct dwarf_reader *r, const struct dwarf_unit_in *u,
           struct cursor *c, uint64_t form, struct field *field)
{
    *field = (struct field){ 0 };
    switch (form) {
    case DW_FORM_string:
        field->string = cursor_string(c);
        return true;
    case DW_FORM_strp:
        return read_indirect_string(r, u, c, 0, field);
    case DW_FORM_line_strp:
        return read_indirect_string(r, u, c, 1, field);
    case DW_FORM_udata:
        field->number = cursor_uleb128(c);
        return true;
    case DW_FORM_data1:
        field->number = cursor_u8(c);
        return true;
    case DW_FORM_data2:
        field->number = cursor_u16(c);
        return true;
    case DW_FORM_data4:
        field->number = cursor_u32(c);
        return true;
    case DW_FORM_data8:
        field->number = cursor_u64(c);
        return true;
    case DW_FORM_data16:
        cursor_bytes(c, 16);
        return true;
    case DW_FORM_block:
        cursor_bytes(c, cursor_uleb128(c));
        return true;
    }
    return dwarf_fail(r, c, "form 0x%" PRIx64 " is not supported", form);
}

static bool
read_format(struct dwarf_reader *r, struct cursor *c, struct format *f)
{
    f->n = cursor_u8(c);
    for (unsigned i = 0; i < f->n; i++) {
        f->content[i] = cursor_uleb128(c);
        f->form[i] = cursor_uleb128(c);
    }
    return !c->failed || dwarf_fail(r, c, "the file table is cut off");
}

/* Reads the count of a table.  Each field takes a byte or more, so a count above the
 * remaining bytes is refused. */
static bool
read_count(struct dwarf_reader *r, struct cursor *c, const struct format *f,
           uint64_t *count)
{
    *count = cursor_uleb128(c);
    if (c->failed || *count > cursor_left(c) || (*count && !f->n))
        return dwarf_fail(r, c, "a table of %" PRIu64 " entries is cut off",
                          *count);
    return true;
}

/* An entry: a folder, or a file with the number of its folder. */
struct entry {
    const char *path, *source;
    uint64_t dir;
};

static bool
read_entry(struct dwarf_reader *r, const struct dwarf_unit_in *u,
           struct cursor *c, const struct format *f, struct entry *e)
{
    *e = (struct entry){ .path = "", .source = "" };
    for (unsigned i = 0; i < f->n; i++) {
        struct field field;
        if (!read_field(r, u, c, f->form[i], &field))
            return false;
        if (f->content[i] == DW_LNCT_path && field.string)
            e->path = field.string;
        else if (f->content[i] == DW_LNCT_LLVM_source && field.string)
            e->source = field.string;
        else if (f->content[i] == DW_LNCT_directory_index)
            e->dir = field.number;
    }
    return !c->failed || dwarf_fail(r, c, "the file table is cut off");
}

static void
add_file(struct dwarf_reader *r, struct dwarf_unit_in *u,
         const string_list *dirs, const struct entry *e)
{
    struct dwarf_file file = {
        .name = e->path, .dir = "", .comp_dir = "", .source = e->source
    };
    if (dirs->n)
        file.comp_dir = dirs->at[0];
    if (e->dir && e->dir < dirs->n)
        file.dir = dirs->at[e->dir];
    vec_push(r->arena, &r->files, file);
    u->n_files++;
    assert(r->files.n == u->first_file + u->n_files &&
           "files are numbered without gaps");
}

static bool
read_tables_5(struct dwarf_reader *r, struct dwarf_unit_in *u, struct cursor *c)
{
    string_list dirs = { 0 };
    struct format f;
    struct entry e;
    uint64_t n;
    if (!read_format(r, c, &f) || !read_count(r, c, &f, &n))
        return false;
    for (uint64_t i = 0; i < n; i++) {
        if (!read_entry(r, u, c, &f, &e))
            return false;
        vec_push(r->arena, &dirs, e.path);
    }
    if (!read_format(r, c, &f) || !read_count(r, c, &f, &n))
        return false;
    for (uint64_t i = 0; i < n; i++) {
        if (!read_entry(r, u, c, &f, &e))
            return false;
        add_file(r, u, &dirs, &e);
    }
    return true;
}

static bool
read_tables_2(struct dwarf_reader *r, struct dwarf_unit_in *u, struct cursor *c)
{
    string_list dirs = { 0 };
    vec_push(r->arena, &dirs, ""); /* folder 0 is that of the compilation */
    for (const char *dir; *(dir = cursor_string(c));)
        vec_push(r->arena, &dirs, dir);
    for (const char *path; *(path = cursor_string(c));) {
        struct entry e = { path, "", cursor_uleb128(c) };
        cursor_uleb128(c); /* time */
        cursor_uleb128(c); /* length */
        add_file(r, u, &dirs, &e);
    }
    u->file_base = 1;
    return !c->failed || dwarf_fail(r, c, "the file table is cut off");
}

static bool
read_opcodes(struct dwarf_reader *r, struct dwarf_unit_in *u, struct cursor *c)
{
    u->min_inst_length = cursor_u8(c);
    if (u->version >= 4 && cursor_u8(c) > 1)
        return dwarf_fail(r, c, "several operations in an instruction");
    cursor_u8(c); /* rows are statements */
    u->line_base = sext(cursor_u8(c), 8);
    u->line_range = cursor_u8(c);
    u->opcode_base = cursor_u8(c);
    for (unsigned i = 1; i < u->opcode_base; i++)
        u->operands[i] = cursor_u8(c);
    if (c->failed)
        return dwarf_fail(r, c, "the header of a unit is cut off");
    if (!u->line_range || !u->opcode_base)
        return dwarf_fail(r, c,
                          "line range %u, opcode base %u: expected "
                          "neither to be 0",
                          u->line_range, u->opcode_base);
    return true;
}

bool
dwarf_read_header(struct dwarf_reader *r, struct dwarf_unit_in *u,
                  struct cursor *c)
{
    u->version = cursor_u16(c);
    if (u->version < 2 || u->version > 5)
        return dwarf_fail(r, c, "version %u: expected 2 to 5", u->version);
    if (u->version == 5)
        cursor_u16(c); /* sizes of an address and of a segment selector */
    uint64_t length = cursor_number(c, u->offset_size);
    if (c->failed || length > cursor_left(c))
        return dwarf_fail(r, c, "the header of a unit is cut off");
    struct cursor header = cursor_over(c->at, (size_t)length);
    cursor_bytes(c, length);
    if (!r->files.n)
        vec_push(r->arena, &r->files, ((struct dwarf_file){ "?", "", "", "" }));
    u->first_file = r->files.n;
    if (!read_opcodes(r, u, &header))
        return false;
    return u->version == 5 ? read_tables_5(r, u, &header)
                           : read_tables_2(r, u, &header);
}

const char *
dwarf_file_line(struct arena *a, const struct dwarf_file *file, uint32_t line)
{
    const char *at = *file->source ? file->source : NULL;
    for (uint32_t i = 1; at && i < line; i++) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    return at ? arena_strndup(a, at, strcspn(at, "\r\n")) : NULL;
}

uint32_t
dwarf_file_index(const struct dwarf_unit_in *u, uint32_t number)
{
    assert(u->file_base <= 1 && "files are numbered from 0 or 1");
    /* File 0, invalid before version 5, wraps to a large index. */
    uint32_t i = number - u->file_base;
    return i < u->n_files ? (uint32_t)u->first_file + i : 0;
}

const char *
dwarf_file_path(struct arena *a, const struct dwarf_file *file)
{
    const char *name = file->name, *dir = file->dir, *root = file->comp_dir;
    if (*name == '/' || (!*dir && !*root))
        return name;
    if (*dir == '/' || !*root)
        return arena_printf(a, "%s/%s", dir, name);
    if (!*dir)
        return arena_printf(a, "%s/%s", root, name);
    return arena_printf(a, "%s/%s/%s", root, dir, name);
}
