/* SPDX-License-Identifier: Apache-2.0 */
#include "obj/dwarf.h"

#include "sample.h"
#include "test.h"

struct lines {
    struct arena arena;
    struct diag_sink sink;
    struct elf elf;
    struct dwarf_lines lines;
};

static void
read_sample(struct lines *l)
{
    *l = (struct lines){ 0 };
    l->sink.arena = &l->arena;
    size_t size;
    const uint8_t *bytes = sample_object(&l->arena, &size, &l->sink);
    CHECK(elf_read(&l->arena, "k.o", bytes, size, &l->elf, &l->sink));
    CHECK(dwarf_line_read(&l->arena, &l->elf, &l->lines, &l->sink));
    CHECK_EQ(l->sink.errors, 0);
}

static void
check_line(struct lines *l, uint32_t section, uint64_t address,
           const char *path, unsigned line, unsigned column)
{
    const struct dwarf_row *row = dwarf_line_find(&l->lines, section, address);
    if (!CHECK(row != NULL))
        return;
    CHECK_EQ(row->line, line);
    CHECK_EQ(row->column, column);
    CHECK_STR(dwarf_file_path(&l->arena, &l->lines.file[row->file]), path);
}

TEST(written_is_read)
{
    struct lines l;
    read_sample(&l);
    CHECK_EQ(l.lines.n_rows, 7);
    check_line(&l, 1, 0, "/code/k.cl", 10, 1);
    check_line(&l, 1, 3, "/code/k.cl", 10, 1);
    check_line(&l, 1, 4, "/code/k.cl", 11, 5);
    check_line(&l, 1, 8, "/usr/include/cl/math.h", 300, 9);
    check_line(&l, 1, 15, "/usr/include/cl/math.h", 300, 9);
    CHECK(dwarf_line_find(&l.lines, 1, 16) == NULL);
    check_line(&l, 2, 0, "/code/inc/inc.h", 7, 0);
    check_line(&l, 2, 399, "/code/inc/inc.h", 7, 0);
    check_line(&l, 2, 400, "/code/inc/inc.h", 6, 2);
    CHECK(dwarf_line_find(&l.lines, 2, 404) == NULL);
    CHECK(dwarf_line_find(&l.lines, 3, 0) == NULL);
    CHECK(dwarf_line_find(&l.lines, 0, 0) == NULL);
    arena_free(&l.arena);
}

static void
check_text(struct lines *l, uint64_t address, uint32_t line, const char *text)
{
    const struct dwarf_row *row = dwarf_line_find(&l->lines, 1, address);
    if (!CHECK(row != NULL))
        return;
    const char *found =
        dwarf_file_line(&l->arena, &l->lines.file[row->file], line);
    CHECK(!found == !text);
    if (text)
        CHECK_STR(found, text);
}

/* Programs that are compiled from strings have their source nowhere else. */
TEST(source_is_kept)
{
    struct lines l;
    read_sample(&l);
    check_text(&l, 0, 1, "one");
    check_text(&l, 0, 2, "  two");
    check_text(&l, 0, 3, "");
    check_text(&l, 0, 4, "four");
    check_text(&l, 0, 5, NULL);
    check_text(&l, 8, 1, NULL);
    arena_free(&l.arena);
}

TEST(no_lines)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct elf_out o = { .arena = &a };
    struct buf b = { 0 };
    struct elf elf;
    struct dwarf_lines lines;
    CHECK(elf_write(&o, "k.o", &b, &sink));
    CHECK(elf_read(&a, "k.o", b.at, b.n, &elf, &sink));
    CHECK(dwarf_line_read(&a, &elf, &lines, &sink));
    CHECK_EQ(lines.n_rows, 0);
    CHECK(dwarf_line_find(&lines, 0, 0) == NULL);
    buf_free(&b);
    arena_free(&a);
}

static void
check_refused(struct dwarf_out_row row, uint32_t size, const char *message)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct elf_out o = { .arena = &a };
    unsigned text = elf_out_section(&o, ".text", ELF_SHT_PROGBITS, 0, 4);
    struct dwarf_out_row rows[2] = { { 4, 0, 1, 0, false }, row };
    struct dwarf_out_sequence sequence = { text, size, rows, 2 };
    struct dwarf_unit unit = { .files = sample_files,
                               .n_files = 2,
                               .sequences = &sequence,
                               .n_sequences = 1 };
    CHECK(!dwarf_line_write(&unit, &o, "k.s", &sink));
    CHECK_EQ(o.sections.n, 1);
    CHECK_STR(sink.first ? sink.first->message : NULL, message);
    arena_free(&a);
}

TEST(writer_refuses)
{
    check_refused((struct dwarf_out_row){ 8, 2, 1, 0, false }, 16,
                  "line table: sequence 0, row 1: its file is not in the list");
    check_refused((struct dwarf_out_row){ 6, 1, 1, 0, false }, 16,
                  "line table: sequence 0, row 1: its offset is within an "
                  "instruction");
    check_refused((struct dwarf_out_row){ 0, 1, 1, 0, false }, 16,
                  "line table: sequence 0, row 1: its offset is below that of "
                  "the row before");
    check_refused((struct dwarf_out_row){ 16, 1, 1, 0, false }, 16,
                  "line table: sequence 0, row 1: its offset is past the end "
                  "of the code");
}

/* Puts a .debug_line into an object and reads it. */
static bool
read_with_strings(struct lines *l, const void *bytes, size_t n,
                  const char *strings)
{
    *l = (struct lines){ 0 };
    l->sink.arena = &l->arena;
    struct elf_out o = { .arena = &l->arena };
    struct buf b = { 0 };
    unsigned s = elf_out_section(&o, ".debug_line", ELF_SHT_PROGBITS, 0, 1);
    buf_put(elf_out_contents(&o, s), bytes, n);
    s = elf_out_section(&o, ".debug_line_str", ELF_SHT_PROGBITS, 0, 1);
    buf_put(elf_out_contents(&o, s), strings, strlen(strings) + 1);
    CHECK(elf_write(&o, "k.o", &b, &l->sink));
    const uint8_t *image =
        (uint8_t *)arena_strndup(&l->arena, (char *)b.at, b.n);
    CHECK(elf_read(&l->arena, "k.o", image, b.n, &l->elf, &l->sink));
    buf_free(&b);
    elf_out_free(&o);
    return dwarf_line_read(&l->arena, &l->elf, &l->lines, &l->sink);
}

static bool
read_bytes(struct lines *l, const void *bytes, size_t n)
{
    return read_with_strings(l, bytes, n, "");
}

/*
 * Version 2, by hand from the standard: opcode base 10, so no opcodes past
 * fixed_advance_pc; file 1 in folder 1, file 2 in folder 0.
 */
static const uint8_t version_2[] = {
    65, 0, 0, 0,               /* length */
    2, 0,                      /* version */
    34, 0, 0, 0,               /* header length */
    4, 1, 0xff, 4, 10,         /* step, stmt, base, range */
    0, 1, 1, 1, 1, 0, 0, 0, 1, /* operands */
    'd', 'i', 'r', 0, 0,       /* folders */
    'a', '.', 'c', 0, 1, 0, 0, /* file 1 */
    'b', '.', 'c', 0, 0, 0, 0, /* file 2 */
    0,                         /* */
    /* 0x80000000: line 5 */
    0, 5, 2, 0, 0, 0, 0x80, /* */
    3, 4, 1,                /* advance_line 4, copy */
    4, 2, 15,               /* set_file 2; special: 4 bytes, 0 lines */
    9, 16, 0, 5, 3, 1, 8,   /* 16 bytes, column 3, copy, 61 steps */
    2, 1, 0, 1, 1,          /* 1 step, end */
};

TEST(version_2_by_hand)
{
    struct lines l;
    CHECK(read_bytes(&l, version_2, sizeof version_2));
    CHECK_EQ(l.lines.n_rows, 4);
    check_line(&l, 0, 0x80000000, "dir/a.c", 5, 0);
    check_line(&l, 0, 0x80000004, "b.c", 5, 0);
    check_line(&l, 0, 0x80000014, "b.c", 5, 3);
    check_line(&l, 0, 0x80000014 + 61 * 4 + 3, "b.c", 5, 3);
    CHECK(!dwarf_line_find(&l.lines, 0, 0x80000014 + 62 * 4));
    CHECK(!dwarf_line_find(&l.lines, 0, 0x7fffffff));
    arena_free(&l.arena);
}

/* Line -1, no byte: the special opcode that is the opcode base. */
TEST(first_special_opcode)
{
    enum { SPECIAL = 56 };
    struct lines l;
    uint8_t bytes[sizeof version_2];
    memcpy(bytes, version_2, sizeof bytes);
    CHECK_EQ(bytes[SPECIAL], 15);
    bytes[SPECIAL] = 10;
    CHECK(read_bytes(&l, bytes, sizeof bytes));
    CHECK_EQ(l.lines.n_rows, 4);
    check_line(&l, 0, 0x80000000, "b.c", 4, 0);
    check_line(&l, 0, 0x80000010, "b.c", 4, 3);
    arena_free(&l.arena);
}

/* Version 5: a folder and a file, both in .debug_line_str, and one row. */
static const uint8_t version_5[] = {
    54, 0, 0,    0,    5, 0,  4, 0,          /* length, version, sizes */
    31, 0, 0,    0,                          /* header length */
    4,  1, 1,    0xff, 4, 10,                /* step, ops, stmt, base, range */
    0,  1, 1,    1,    1, 0,  0, 0, 1,       /* operands */
    1,  1, 0x1f, 1,    0, 0,  0, 0,          /* folder: path at 0 */
    1,  1, 0x1f, 1,    4, 0,  0, 0,          /* file: path at 4 */
    4,  0, 0,    5,    2, 0,  0, 0, 0x80, 1, /* set_file 0, set_address, copy */
    2,  1, 0,    1,    1,                    /* 1 step, end */
};

TEST(version_5_by_hand)
{
    struct lines l;
    CHECK(read_with_strings(&l, version_5, sizeof version_5, "/diry.c"));
    CHECK_EQ(l.lines.n_rows, 2);
    check_line(&l, 0, 0x80000003, "/diry.c/y.c", 1, 0);
    arena_free(&l.arena);
    CHECK(!read_with_strings(&l, version_5, sizeof version_5, "y.c"));
    CHECK(l.sink.first &&
          strstr(l.sink.first->message, "a name at 0x4 is past the end"));
    arena_free(&l.arena);
}

/* The same bytes, one of them changed. */
static void
check_bad(size_t at, uint8_t byte, const char *message)
{
    struct lines l;
    uint8_t bytes[sizeof version_2];
    memcpy(bytes, version_2, sizeof bytes);
    bytes[at] = byte;
    CHECK(!read_bytes(&l, bytes, sizeof bytes));
    CHECK_EQ(l.lines.n_rows, 0);
    CHECK_STR(l.sink.first ? l.sink.first->message : NULL, message);
    arena_free(&l.arena);
}

TEST(reader_refuses)
{
    check_bad(0, 0xf0,
              ".debug_line at 0x4: a unit of 0xf0 bytes is past the "
              "end of the section");
    check_bad(4, 6, ".debug_line at 0x6: version 6: expected 2 to 5");
    check_bad(6, 0xf0, ".debug_line at 0xa: the header of a unit is cut off");
    check_bad(6, 30, ".debug_line at 0x28: the file table is cut off");
    check_bad(13, 0,
              ".debug_line at 0x18: line range 0, opcode base 10: "
              "expected neither to be 0");
    check_bad(sizeof version_2 - 1, 4,
              ".debug_line at 0x45: the last sequence does not end");
}

/* What is at the same address must not be hidden by a sequence of length 0. */
TEST(empty_sequence_covers_nothing)
{
    struct lines l;
    uint8_t bytes[2 * sizeof version_2];
    memcpy(bytes, version_2, sizeof version_2);
    memcpy(bytes + sizeof version_2, version_2, sizeof version_2);
    /* The second: set_file, copy, end, and the rest in front as columns. */
    uint8_t *program = bytes + 2 * sizeof version_2 - 18;
    static const uint8_t empty[] = { 4, 2, 1, 5, 7, 5, 7, 5, 7,
                                     5, 7, 5, 7, 6, 6, 0, 1, 1 };
    memcpy(program, empty, sizeof empty);
    CHECK(read_bytes(&l, bytes, sizeof bytes));
    CHECK_EQ(l.lines.n_rows, 4);
    check_line(&l, 0, 0x80000000, "dir/a.c", 5, 0);
    arena_free(&l.arena);
}

TEST_MAIN
