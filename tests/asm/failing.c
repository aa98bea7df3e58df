/* SPDX-License-Identifier: Apache-2.0 */
/* The assembler when the host has no memory left. */
#include "failing.h"

#include <ventus/asm.h>

#include "obj/elf.h"

/* Each part of the assembler that allocates: macros, strings, lines, data. */
static const char source[] = ".macro both d, s\n"
                             "  vadd.vv \\d, \\s, \\s\n"
                             "  addi x5, x5, 1\n"
                             ".endm\n"
                             ".section .rodata\n"
                             "text: .asciz \"a text\", \"another\"\n"
                             "  .uleb128 300\n"
                             "  .word end - text, . - text\n"
                             "end:\n"
                             ".text\n"
                             ".globl kernel\n"
                             ".set limit, 3\n"
                             "kernel:\n"
                             "  lui a0, %hi(text)\n"
                             "1: beq x0, x0, 1b\n"
                             ".rept 3\n"
                             "  both v1, v2\n"
                             ".endr\n"
                             ".irp r, x6, x7\n"
                             "  addi \\r, \\r, limit\n"
                             ".endr\n"
                             ".if limit > 2\n"
                             "  jal x1, elsewhere\n"
                             ".endif\n"
                             "  endprg x0, x0, x0\n";

static struct ventus_asm_result expected;

static bool
is_out_of_memory(const struct ventus_asm_result *r)
{
    return r->message_count == 1 && r->errors == 1 &&
           strcmp(r->messages[0].text, "out of memory") == 0;
}

static enum failing_end
assemble(void *ctx)
{
    const char *text = ctx;
    const struct ventus_asm_options options = { .file = "k.s",
                                                .debug = true,
                                                .listing = true };
    struct ventus_asm_result r;
    enum failing_end end = FAILING_DONE;
    if (!ventus_asm_assemble(&options, text, strlen(text), &r)) {
        CHECK(!r.object && is_out_of_memory(&r));
        end = FAILING_ERROR;
    } else if (CHECK_EQ(r.object_size, expected.object_size)) {
        CHECK(!memcmp(r.object, expected.object, r.object_size));
        CHECK_STR(r.listing, expected.listing);
    }
    ventus_asm_free(&r);
    return end;
}

TEST(each_allocation_of_the_assembler)
{
    const struct ventus_asm_options options = { .file = "k.s",
                                                .debug = true,
                                                .listing = true };
    if (CHECK(ventus_asm_assemble(&options, source, strlen(source), &expected)))
        failing_each("asm", assemble, (void *)(uintptr_t)source);
    else
        ventus_asm_print_messages(&expected, stdout, false);
    ventus_asm_free(&expected);
}

/* Messages take memory as well: those of the text give way. */
static enum failing_end
report(void *ctx)
{
    struct ventus_asm_result r;
    enum failing_end end = FAILING_ERROR;
    CHECK(!ventus_asm_assemble(&(struct ventus_asm_options){ 0 }, ctx,
                               strlen(ctx), &r));
    CHECK(!r.object);
    if (!is_out_of_memory(&r)) {
        CHECK_EQ(r.errors, 2);
        end = FAILING_DONE;
    }
    ventus_asm_free(&r);
    return end;
}

TEST(each_allocation_of_its_messages)
{
    char text[] = "frob x1\nvadd.vv v1, x7, v2\n";
    failing_each("asm, messages", report, text);
}

TEST_MAIN
