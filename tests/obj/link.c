/* SPDX-License-Identifier: Apache-2.0 */
/*
 * link_program on objects that no assembler writes: fields of a small object
 * are changed in its bytes, and what is expected is an error that names them.
 */
#include "obj/link.h"
#include "obj/functions.h"
#include "obj/kernels.h"
#include "test.h"

struct linked {
    struct arena arena;
    struct diag_sink sink;
    struct buf object, program;
};

/* _start, in a section of 8 bytes, a word of which is relocated. */
static void
begin(struct linked *l, struct elf_out *o)
{
    l->sink.arena = &l->arena;
    o->arena = &l->arena;
    unsigned text = elf_out_section(o, ".text", ELF_SHT_PROGBITS,
                                    ELF_SHF_ALLOC | ELF_SHF_EXEC, 4);
    buf_u32(elf_out_contents(o, text), 0x00000013); /* nop */
    buf_u32(elf_out_contents(o, text), 0x00000013);
    unsigned start = elf_out_section_symbol(o, text);
    elf_out_symbol(o, &(struct elf_out_symbol){ .name = "_start",
                                                .section = text,
                                                .binding = ELF_STB_GLOBAL,
                                                .type = ELF_STT_FUNC });
    elf_out_reloc(o, text,
                  (struct elf_out_reloc){
                      .offset = 4, .type = ELF_R_RISCV_32, .symbol = start });
}

static bool
link_one(struct linked *l, struct elf_out *o)
{
    struct elf elf;
    if (!l->object.n)
        CHECK(elf_write(o, "l.o", &l->object, &l->sink));
    return elf_read(&l->arena, "l.o", l->object.at, l->object.n, &elf,
                    &l->sink) &&
           link_program(&l->arena, "l.elf", &elf, 1, &l->program, &l->sink);
}

static void
end(struct linked *l, struct elf_out *o)
{
    elf_out_free(o);
    buf_free(&l->object);
    buf_free(&l->program);
    arena_free(&l->arena);
}

static void
check_error(const struct linked *l, const char *expected)
{
    CHECK_EQ(l->sink.errors, 1);
    CHECK_EQ(l->program.n, 0);
    if (l->sink.first)
        CHECK(strstr(l->sink.first->message, expected) != NULL);
}

static void
put(struct buf *b, size_t at, uint32_t x, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        b->at[at + i] = (uint8_t)(x >> 8 * i);
}

static uint32_t
word(const struct buf *b, size_t at)
{
    return b->at[at] | (uint32_t)b->at[at + 1] << 8 |
           (uint32_t)b->at[at + 2] << 16 | (uint32_t)b->at[at + 3] << 24;
}

TEST(sound_object)
{
    struct linked l = { 0 };
    struct elf_out o = { 0 };
    begin(&l, &o);
    CHECK(link_one(&l, &o));
    CHECK_EQ(l.sink.errors, 0);
    end(&l, &o);
}

/* In the header of section 1, sh_addralign is word 8. */
TEST(alignment_that_is_no_power_of_two)
{
    static const uint32_t wrong[] = { 3, 12, 0x80000000, 0x80000004 };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct linked l = { 0 };
        struct elf_out o = { 0 };
        begin(&l, &o);
        CHECK(elf_write(&o, "l.o", &l.object, &l.sink));
        put(&l.object, word(&l.object, 32) + 40 + 32, wrong[i], 4);
        CHECK(!link_one(&l, &o));
        check_error(&l, "alignment");
        end(&l, &o);
    }
}

/* In the header of section 1, sh_size is word 5, and SHT_NOBITS takes no file. */
TEST(section_of_gigabytes)
{
    struct linked l = { 0 };
    struct elf_out o = { 0 };
    begin(&l, &o);
    CHECK(elf_write(&o, "l.o", &l.object, &l.sink));
    size_t header = word(&l.object, 32) + 40;
    put(&l.object, header + 4, ELF_SHT_NOBITS, 4);
    put(&l.object, header + 20, 0xfffffff0, 4);
    CHECK(!link_one(&l, &o));
    check_error(&l, "has 4294967280 bytes");
    end(&l, &o);
}

/* The relocation is at 4 of a section of 8 bytes: r_offset is its first word. */
TEST(relocation_past_the_end_of_its_section)
{
    struct linked l = { 0 };
    struct elf_out o = { 0 };
    struct elf elf;
    begin(&l, &o);
    CHECK(elf_write(&o, "l.o", &l.object, &l.sink));
    CHECK(elf_read(&l.arena, "l.o", l.object.at, l.object.n, &elf, &l.sink));
    put(&l.object, (size_t)elf_find_section(&elf, ".rela.text")->offset, 0x1000,
        4);
    CHECK(!link_one(&l, &o));
    check_error(&l, "is past the end of section 1");
    end(&l, &o);
}

/* Expects an error where st_shndx, the last half of a symbol, is `section`. */
static void
link_with_symbol_in(size_t symbol, uint32_t section, const char *expected)
{
    struct linked l = { 0 };
    struct elf_out o = { 0 };
    struct elf elf;
    begin(&l, &o);
    CHECK(elf_write(&o, "l.o", &l.object, &l.sink));
    CHECK(elf_read(&l.arena, "l.o", l.object.at, l.object.n, &elf, &l.sink));
    const struct elf_section *symtab = elf_find_section(&elf, ".symtab");
    put(&l.object, (size_t)symtab->offset + 16 * symbol + 14, section, 2);
    CHECK(!link_one(&l, &o));
    check_error(&l, expected);
    end(&l, &o);
}

/* Symbol 1 is the section's. */
TEST(section_symbol_of_no_section)
{
    static const uint32_t wrong[] = { 0, ELF_SHN_ABS, ELF_SHN_RESERVED };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        link_with_symbol_in(1, wrong[i], "stands for section");
}

/* Symbol 2 is _start; 0xff01 failed an assertion. */
TEST(symbol_in_a_reserved_section)
{
    link_with_symbol_in(2, ELF_SHN_COMMON, "is common");
    link_with_symbol_in(2, ELF_SHN_RESERVED, "0xff00, which is reserved");
    link_with_symbol_in(2, 0xff01, "0xff01, which is reserved");
    link_with_symbol_in(2, 0xffff, "0xffff, which is reserved");
}

/* A chain of 16 calls that each take 256 MiB of private memory: 2^32 bytes. */
TEST(private_memory_beyond_32_bits)
{
    enum { N = 17 };
    struct linked l = { 0 };
    struct elf_out o = { 0 };
    struct function_info f[N];
    struct function_call call[N];
    struct kernel_info kernel = {
        .name = "f0", .isa = 1, .sgprs = 8, .vgprs = 8
    };
    begin(&l, &o);
    for (unsigned i = 0; i < N; i++) {
        call[i] = (struct function_call){ .callee = arena_printf(&l.arena,
                                                                 "f%u", i + 1),
                                          .private_B = FUNCTION_PRIVATE_MAX_B };
        f[i] = (struct function_info){ .name = arena_printf(&l.arena, "f%u", i),
                                       .sgprs = 8,
                                       .vgprs = 8,
                                       .calls = &call[i],
                                       .n_calls = i + 1 < N };
    }
    functions_write(&o, f, N);
    CHECK(kernels_write(&o, "l.o", &kernel, 1, &l.sink));
    CHECK(!link_one(&l, &o));
    check_error(&l, "256 MiB");
    end(&l, &o);
}

TEST_MAIN
