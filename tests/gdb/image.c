/* SPDX-License-Identifier: Apache-2.0 */
/* Programs as ELF64 files, read back by the reader of ELF files. */
#include "gdb/image.h"

#include <string.h>

#include "test.h"

static void
make_program(struct arena *a, struct buf *to)
{
    struct elf_out o = { .arena = a }, program = { .arena = a };
    struct diag_sink sink = { .arena = a };
    unsigned text = elf_out_section(&o, ".text", ELF_SHT_PROGBITS,
                                    ELF_SHF_ALLOC | ELF_SHF_EXEC, 4);
    unsigned data = elf_out_section(&o, ".data", ELF_SHT_PROGBITS,
                                    ELF_SHF_ALLOC | ELF_SHF_WRITE, 4);
    buf_u32(elf_out_contents(&o, text), 0x0000400b);
    buf_u64(elf_out_contents(&o, data), 0x1122334455667788);
    elf_out_symbol(&o, &(struct elf_out_symbol){ .name = "_start",
                                                 .section = text,
                                                 .size = 4,
                                                 .binding = ELF_STB_GLOBAL,
                                                 .type = ELF_STT_FUNC });
    elf_out_symbol(&o, &(struct elf_out_symbol){ .name = "number",
                                                 .section = data,
                                                 .size = 8,
                                                 .binding = ELF_STB_GLOBAL,
                                                 .type = ELF_STT_OBJECT });
    CHECK(elf_link(&o, "k.o", &program, &sink));
    CHECK(elf_write(&program, "k.elf", to, &sink));
    elf_out_free(&program);
    elf_out_free(&o);
}

static void
same_section(const struct elf_section *x, const struct elf_section *y)
{
    CHECK_STR(y->name, x->name);
    CHECK_EQ(y->type, x->type);
    CHECK_EQ(y->flags, x->flags);
    CHECK_EQ(y->addr, x->addr);
    if (x->type == ELF_SHT_SYMTAB)
        return;
    CHECK_EQ(y->size, x->size);
    CHECK(!x->contents || memcmp(y->contents, x->contents, x->size) == 0);
}

static void
same(const struct elf *x, const struct elf *y)
{
    CHECK(!x->is_64 && y->is_64);
    CHECK_EQ(y->type, x->type);
    CHECK_EQ(y->machine, x->machine);
    CHECK_EQ(y->entry, x->entry);
    CHECK_EQ(y->n_sections, x->n_sections);
    CHECK_EQ(y->n_segments, x->n_segments);
    CHECK_EQ(y->n_symbols, x->n_symbols);
    for (size_t i = 1; i < x->n_sections; i++)
        same_section(&x->section[i], &y->section[i]);
    for (size_t i = 0; i < x->n_segments; i++) {
        CHECK_EQ(y->segment[i].vaddr, x->segment[i].vaddr);
        CHECK_EQ(y->segment[i].mem_size, x->segment[i].mem_size);
        CHECK_EQ(y->segment[i].file_size, x->segment[i].file_size);
        CHECK(memcmp(y->segment[i].contents, x->segment[i].contents,
                     x->segment[i].file_size) == 0);
    }
    for (size_t i = 1; i < x->n_symbols; i++) {
        CHECK_STR(y->symbol[i].name, x->symbol[i].name);
        CHECK_EQ(y->symbol[i].value, x->symbol[i].value);
        CHECK_EQ(y->symbol[i].size, x->symbol[i].size);
        CHECK_EQ(y->symbol[i].section, x->symbol[i].section);
        CHECK_EQ(y->symbol[i].binding, x->symbol[i].binding);
        CHECK_EQ(y->symbol[i].type, x->symbol[i].type);
    }
}

TEST(a_program_as_elf64_has_the_same_contents)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct buf old = { 0 }, new = { 0 };
    struct elf x, y;
    make_program(&a, &old);
    CHECK(elf_read(&a, "old", old.at, old.n, &x, &sink));
    buf_u32(&new, 7); /* of the program before */
    gdb_image_as_64(&x, &new);
    CHECK(elf_read(&a, "new", new.at, new.n, &y, &sink));
    CHECK(elf_find_symbol(&y, "number") != NULL);
    same(&x, &y);
    buf_free(&old);
    buf_free(&new);
    arena_free(&a);
}

TEST(a_program_without_sections_has_its_segments)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct buf old = { 0 }, new = { 0 };
    struct elf x, y;
    make_program(&a, &old);
    old.at[48] = old.at[49] = 0; /* e_shnum */
    old.at[50] = old.at[51] = 0; /* e_shstrndx */
    memset(old.at + 32, 0, 4);   /* e_shoff */
    CHECK(elf_read(&a, "old", old.at, old.n, &x, &sink));
    gdb_image_as_64(&x, &new);
    CHECK(elf_read(&a, "new", new.at, new.n, &y, &sink));
    CHECK_EQ(y.n_segments, x.n_segments);
    CHECK_EQ(y.segment[0].vaddr, 0x80000000);
    CHECK_EQ(y.segment[0].contents[1], 0x40);
    buf_free(&old);
    buf_free(&new);
    arena_free(&a);
}

TEST_MAIN
