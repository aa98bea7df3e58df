/* SPDX-License-Identifier: Apache-2.0 */
/* Programs of many kernels, and of kernels with long names. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include <ventus/asm.h>
#include <ventus/dev.h>

#include "base/buf.h"
#include "obj/elf.h"
#include "obj/link.h"

static struct arena arena;

/* The program of an assembly text, on a device of its own. */
static struct ventus_dev_program *
load(struct ventus_dev *d, const struct buf *text)
{
    struct ventus_asm_result r;
    struct ventus_asm_options o = { .version = VENTUS_ISA_V1 };
    struct diag_sink sink = { .arena = &arena };
    struct elf object;
    struct buf program = { 0 };
    bool ok = ventus_asm_assemble(&o, (const char *)text->at, text->n, &r);
    if (!CHECK(ok))
        ventus_asm_print_messages(&r, stdout, false);
    ok = ok &&
         elf_read(&arena, "many.o", r.object, r.object_size, &object, &sink) &&
         link_program(&arena, "many.elf", &object, 1, &program, &sink);
    struct ventus_dev_program *p =
        ok ? ventus_dev_load(d, program.at, program.n, "many") : NULL;
    if (!CHECK(p))
        puts(ventus_dev_message());
    ventus_asm_free(&r);
    buf_free(&program);
    return p;
}

/* Assembling, loading and finding took time for each pair of kernels. */
TEST(each_of_many_kernels_is_found_by_its_name)
{
    enum { KERNELS = 30000 };
    struct buf text = { 0 };
    buf_printf(&text, ".globl _start\n_start: nop\n");
    for (unsigned i = 0; i < KERNELS; i++)
        buf_printf(&text, ".ventus_kernel k%u, vgpr=%u\nk%u: endprg\n", i,
                   4 + 4 * (i % 60), i);
    struct ventus_dev *d = ventus_dev_open(&(struct ventus_dev_options){ 0 });
    struct ventus_dev_program *p = load(d, &text);
    size_t n = 0;
    const struct ventus_dev_kernel *first =
        p ? ventus_dev_kernels(p, &n) : NULL;
    CHECK_EQ(n, KERNELS);
    for (unsigned i = 0; i < n; i++) {
        const char *name = arena_printf(&arena, "k%u", i);
        const struct ventus_dev_kernel *k = ventus_dev_find(p, name);
        if (!CHECK(k == first + i && k) || !CHECK_STR(k->name, name) ||
            !CHECK_EQ(k->vgprs, 4 + 4 * (i % 60)))
            break;
    }
    CHECK(p && !ventus_dev_find(p, "k30000"));
    CHECK_STR(ventus_dev_message(), "many: no kernel 'k30000', did you mean "
                                    "'k3000'? (k0, k1, k2, k3, 30000 in all)");
    CHECK(p && !ventus_dev_find(p, "k"));
    CHECK(p && !ventus_dev_find(p, NULL));
    CHECK_STR(ventus_dev_message(),
              "many: expected the name of a kernel (k0, k1, k2, k3, 30000 in "
              "all)");
    ventus_dev_close(d);
    buf_free(&text);
}

/* Without records each global symbol is a kernel, of whatever length its name
 * is; the two end differently, behind what an index of names reads. */
TEST(kernels_that_are_symbols_have_names_of_any_length)
{
    enum { LENGTH = 5000 };
    char *same = arena_alloc(&arena, LENGTH + 1, 1, 1);
    memset(same, 'a', LENGTH);
    same[LENGTH] = 0;
    struct buf text = { 0 };
    buf_printf(&text, ".globl _start\n_start: nop\n");
    for (unsigned i = 0; i < 2; i++)
        buf_printf(&text, ".globl %s%u\n%s%u: endprg\n", same, i, same, i);
    struct ventus_dev *d = ventus_dev_open(&(struct ventus_dev_options){ 0 });
    struct ventus_dev_program *p = load(d, &text);
    for (unsigned i = 0; i < 2 && p; i++) {
        const char *name = arena_printf(&arena, "%s%u", same, i);
        const struct ventus_dev_kernel *k = ventus_dev_find(p, name);
        CHECK(k && strcmp(k->name, name) == 0);
    }
    CHECK(p && !ventus_dev_find(p, same));
    ventus_dev_close(d);
    buf_free(&text);
}

int
main(int argc, char **argv)
{
    int status = test_main(argc, argv);
    arena_free(&arena);
    return status;
}
