/* SPDX-License-Identifier: Apache-2.0 */
/* Objects are written, linked and read when the host has no memory left. */
#include "failing.h"

#include "base/defer.h"
#include "obj/link.h"
#include "sample.h"

/* What the callers of obj do: each part is a protected call of theirs. */
struct work {
    struct arena arena;
    struct diag_sink sink;
    const uint8_t *object;
    size_t size;
    bool ok;
};

static struct work expected;

static void
make_and_read(void *ctx)
{
    struct work *w = ctx;
    struct elf elf;
    struct kernel_list kernels;
    struct dwarf_lines lines;
    unsigned isa;
    w->object = sample_object(&w->arena, &w->size, &w->sink);
    w->ok = elf_read(&w->arena, "a.o", w->object, w->size, &elf, &w->sink) &&
            kernels_read(&w->arena, &elf, &kernels, &w->sink) &&
            dwarf_line_read(&w->arena, &elf, &lines, &w->sink) &&
            note_read_isa(&elf, &isa, &w->sink);
}

static enum failing_end
use(void *ctx)
{
    void (*const *work)(void *) = ctx;
    struct work w = { .ok = false };
    w.sink.arena = &w.arena;
    bool had_memory = oom_call(*work, &w);
    if (had_memory && CHECK(w.ok) && CHECK_EQ(w.size, expected.size))
        CHECK(!memcmp(w.object, expected.object, w.size));
    if (!had_memory)
        diag_out_of_memory(&w.sink);
    CHECK_EQ(w.sink.errors, !had_memory);
    arena_free(&w.arena);
    return had_memory ? FAILING_DONE : FAILING_ERROR;
}

/* Two objects: one calls what the other one defines. */
static void
write_part(struct work *w, bool starts, struct buf *out)
{
    struct elf_out o = { .arena = &w->arena };
    struct oom_cleanup free_o;
    elf_out_defer(&free_o, &o);
    unsigned text =
        elf_out_section(&o, starts ? ".text.start" : ".text", ELF_SHT_PROGBITS,
                        ELF_SHF_ALLOC | ELF_SHF_EXEC, 4);
    buf_u32(elf_out_contents(&o, text), 0x0000006f); /* jal x0, 0 */
    elf_out_symbol(
        &o, &(struct elf_out_symbol){ .name = starts ? "_start" : "there",
                                      .section = text,
                                      .binding = ELF_STB_GLOBAL });
    unsigned there =
        starts ? elf_out_symbol(
                     &o, &(struct elf_out_symbol){ .name = "there",
                                                   .binding = ELF_STB_GLOBAL })
               : 0;
    if (starts)
        elf_out_reloc(&o, text,
                      (struct elf_out_reloc){ 0, ELF_R_RISCV_JAL, there, 0 });
    note_write_isa(&o, 1);
    w->ok = elf_write(&o, "part.o", out, &w->sink) && w->ok;
    oom_release(&free_o);
}

static void
link_parts(void *ctx)
{
    struct work *w = ctx;
    struct buf part[2] = { { 0 } }, out = { 0 };
    struct oom_cleanup cleanup[3];
    struct elf elf[2];
    w->ok = true;
    oom_defer_buf(&cleanup[0], &part[0]);
    oom_defer_buf(&cleanup[1], &part[1]);
    oom_defer_buf(&cleanup[2], &out);
    for (int i = 0; i < 2; i++) {
        write_part(w, i == 0, &part[i]);
        w->ok = w->ok && elf_read(&w->arena, i ? "b.o" : "a.o", part[i].at,
                                  part[i].n, &elf[i], &w->sink);
    }
    w->ok = w->ok && link_program(&w->arena, "p.elf", elf, 2, &out, &w->sink);
    if (w->ok)
        w->object = (uint8_t *)arena_strndup(&w->arena, (char *)out.at, out.n);
    w->size = out.n;
    for (int i = 2; i >= 0; i--)
        oom_release(&cleanup[i]);
}

static void
each_of(const char *what, void (*work)(void *))
{
    expected = (struct work){ .sink = { .arena = &expected.arena } };
    work(&expected);
    if (CHECK(expected.ok))
        failing_each(what, use, &work);
    else
        diag_print(&expected.sink, stdout, false);
    arena_free(&expected.arena);
}

TEST(each_allocation_of_an_object)
{
    each_of("obj", make_and_read);
}

TEST(each_allocation_of_a_link)
{
    each_of("link", link_parts);
}

TEST_MAIN
