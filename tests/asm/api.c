/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of <ventus/asm.h>, and the line table of what they make. */
#include "test.h"

#include <string.h>

#include <ventus/asm.h>

#include "obj/dwarf.h"
#include "obj/kernels.h"
#include "obj/note.h"

struct loaded {
    struct arena arena;
    struct diag_sink sink;
    struct ventus_asm_result result;
    struct elf elf;
};

static bool
load(struct loaded *l, const struct ventus_asm_options *options,
     const char *text)
{
    *l = (struct loaded){ 0 };
    l->sink.arena = &l->arena;
    if (!ventus_asm_assemble(options, text, strlen(text), &l->result)) {
        ventus_asm_print_messages(&l->result, stdout, false);
        return false;
    }
    return elf_read(&l->arena, "a.o", l->result.object, l->result.object_size,
                    &l->elf, &l->sink);
}

static void
unload(struct loaded *l)
{
    ventus_asm_free(&l->result);
    arena_free(&l->arena);
}

TEST(zero_options_are_the_default)
{
    struct loaded l;
    unsigned isa;
    CHECK(load(&l, &(struct ventus_asm_options){ 0 }, "main: nop"));
    CHECK(elf_find_symbol(&l.elf, "main") != NULL);
    CHECK(note_read_isa(&l.elf, &isa, &l.sink));
    CHECK_EQ(isa, 1);
    CHECK(l.result.listing == NULL);
    CHECK_EQ(l.result.message_count, 0);
    unload(&l);
}

TEST(messages_say_where)
{
    struct ventus_asm_result r;
    const char text[] = "nop\n  vadd.vv v1, x7, v2\n  regext 1\n";
    struct ventus_asm_options options = { .file = "k.s" };
    CHECK(!ventus_asm_assemble(&options, text, strlen(text), &r));
    CHECK(r.object == NULL);
    CHECK_EQ(r.errors, 1);
    CHECK_EQ(r.warnings, 1);
    CHECK_EQ(r.message_count, 2);
    CHECK_EQ(r.messages[0].severity, VENTUS_ASM_ERROR);
    CHECK_STR(r.messages[0].file, "k.s");
    CHECK_EQ(r.messages[0].line, 2);
    CHECK_EQ(r.messages[0].col, 15);
    CHECK(strncmp(r.messages[0].line_text, "  vadd.vv", 9) == 0);
    CHECK_EQ(r.messages[1].severity, VENTUS_ASM_WARNING);
    ventus_asm_free(&r);
    CHECK(r.memory == NULL);
}

TEST(errors_are_counted_and_limited)
{
    struct ventus_asm_result r;
    char text[150 * 5 + 1] = "";
    for (int i = 0; i < 150; i++)
        memcpy(text + 5 * i, "oops\n", 6);
    CHECK(!ventus_asm_assemble(&(struct ventus_asm_options){ 0 }, text,
                               strlen(text), &r));
    CHECK_EQ(r.errors, 150);
    CHECK_EQ(r.message_count, 100);
    ventus_asm_free(&r);
}

TEST(defines_come_first)
{
    static const char *const defines[] = { "n=3", "flag" };
    struct loaded l;
    struct ventus_asm_options options = { .defines = defines,
                                          .define_count = 2 };
    CHECK(load(&l, &options, ".if flag\n.rept n\nnop\n.endr\n.endif\n"));
    const struct elf_section *text = elf_find_section(&l.elf, ".text");
    CHECK(text != NULL);
    CHECK_EQ(text ? text->size : 0, 12);
    unload(&l);
}

TEST(a_zero_byte_is_refused)
{
    struct ventus_asm_result r;
    CHECK(!ventus_asm_assemble(&(struct ventus_asm_options){ 0 }, "nop\0nop\n",
                               8, &r));
    CHECK_EQ(r.errors, 2); /* the byte, and "nop nop" */
    ventus_asm_free(&r);
}

TEST(kernels_carry_their_resources)
{
    struct loaded l;
    struct kernel_list kernels;
    CHECK(load(&l, &(struct ventus_asm_options){ 0 },
               ".ventus_kernel k, sgpr=18, vgpr=8, local=256, private=12\n"
               "k: ret\n"));
    CHECK(kernels_read(&l.arena, &l.elf, &kernels, &l.sink));
    CHECK_EQ(kernels.n, 1);
    if (kernels.n) {
        CHECK_STR(kernels.at[0].name, "k");
        CHECK_EQ(kernels.at[0].sgprs, 20);
        CHECK_EQ(kernels.at[0].vgprs, 8);
        CHECK_EQ(kernels.at[0].local_B, 256);
        CHECK_EQ(kernels.at[0].private_B, 12);
    }
    unload(&l);
}

/* The line of an address in the first section of code. */
static unsigned
line_at(struct loaded *l, const struct dwarf_lines *lines, uint64_t address)
{
    unsigned section = 0;
    for (unsigned i = 0; i < l->elf.n_sections; i++)
        if (strcmp(l->elf.section[i].name, ".text") == 0)
            section = i;
    const struct dwarf_row *row = dwarf_line_find(lines, section, address);
    return row ? row->line : 0;
}

TEST(debug_lines_are_those_of_the_text)
{
    struct loaded l;
    struct dwarf_lines lines;
    struct ventus_asm_options options = { .file = "k.s", .debug = true };
    CHECK(load(&l, &options,
               ".macro two\nnop\nnop\n.endm\n"
               "nop\n"                 /* 5: 0 */
               "two\n"                 /* 6: 4, 8 */
               "vadd.vv v40, v1, v2\n" /* 7: 12, 16 */
               "nop\n"));              /* 8: 20 */
    CHECK(dwarf_line_read(&l.arena, &l.elf, &lines, &l.sink));
    static const unsigned want[] = { 5, 6, 6, 7, 7, 8 };
    for (unsigned i = 0; i < 6; i++)
        CHECK_EQ(line_at(&l, &lines, 4 * i), want[i]);
    unload(&l);
}

TEST(debug_lines_of_compilers_win)
{
    struct loaded l;
    struct dwarf_lines lines;
    struct ventus_asm_options options = { .file = "k.s", .debug = true };
    CHECK(load(&l, &options,
               ".file 1 \"/src\" \"k.cl\"\n.loc 1 17 3 prologue_end\nnop\n"
               "nop\n.loc 1 18 0\nnop\n"));
    CHECK(dwarf_line_read(&l.arena, &l.elf, &lines, &l.sink));
    CHECK_EQ(line_at(&l, &lines, 0), 17);
    CHECK_EQ(line_at(&l, &lines, 4), 17);
    CHECK_EQ(line_at(&l, &lines, 8), 18);
    unload(&l);
}

TEST_MAIN
