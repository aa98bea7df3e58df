/* SPDX-License-Identifier: Apache-2.0 */
#include "obj/kernels.h"

#include "sample.h"
#include "test.h"

struct made {
    struct arena arena;
    struct diag_sink sink;
    struct elf_out out;
    struct buf bytes;
    struct elf elf;
};

static void
begin(struct made *m)
{
    *m = (struct made){ 0 };
    m->sink.arena = m->out.arena = &m->arena;
}

/* Writes and reads the object that was put together. */
static void
turn(struct made *m)
{
    buf_free(&m->bytes);
    CHECK(elf_write(&m->out, "k.o", &m->bytes, &m->sink));
    CHECK(
        elf_read(&m->arena, "k.o", m->bytes.at, m->bytes.n, &m->elf, &m->sink));
}

static void
end(struct made *m)
{
    elf_out_free(&m->out);
    buf_free(&m->bytes);
    arena_free(&m->arena);
}

static void
check_same_arg(const struct kernel_arg *x, const struct kernel_arg *y)
{
    CHECK_STR(x->name, y->name);
    CHECK_STR(x->type_name, y->type_name);
    CHECK_EQ(x->kind, y->kind);
    CHECK_EQ(x->access, y->access);
    CHECK_EQ(x->qualifiers, y->qualifiers);
    CHECK_EQ(x->size_B, y->size_B);
    CHECK_EQ(x->align_B, y->align_B);
}

static void
check_same(const struct kernel_info *x, const struct kernel_info *y)
{
    CHECK_STR(x->name, y->name);
    CHECK_EQ(x->isa, y->isa);
    CHECK_EQ(x->sgprs, y->sgprs);
    CHECK_EQ(x->vgprs, y->vgprs);
    CHECK_EQ(x->local_B, y->local_B);
    CHECK_EQ(x->private_B, y->private_B);
    CHECK_EQ(x->spills, y->spills);
    CHECK_EQ(x->uniform_groups, y->uniform_groups);
    CHECK_EQ(x->exchange_at, y->exchange_at);
    CHECK_EQ(x->required_sub_group, y->required_sub_group);
    CHECK_EQ(x->exchange_B, y->exchange_B);
    CHECK_STR(x->hint_type ? x->hint_type : "",
              y->hint_type ? y->hint_type : "");
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(x->required_wg[i], y->required_wg[i]);
        CHECK_EQ(x->hint_wg[i], y->hint_wg[i]);
    }
    if (CHECK_EQ(x->n_args, y->n_args))
        for (size_t i = 0; i < x->n_args; i++)
            check_same_arg(&x->args[i], &y->args[i]);
}

/* Two sections of the same name in one, as the linker leaves them. */
TEST(written_is_read)
{
    struct made m;
    struct kernel_list list;
    begin(&m);
    CHECK(kernels_write(&m.out, "k.o", sample_kernels, 2, &m.sink));
    turn(&m);
    CHECK(kernels_read(&m.arena, &m.elf, &list, &m.sink));
    if (CHECK_EQ(list.n, 2))
        for (size_t i = 0; i < 2; i++)
            check_same(&list.at[i], &sample_kernels[i]);
    CHECK(kernels_find(&list, "second") == &list.at[1]);
    CHECK(kernels_find(&list, "third") == NULL);
    end(&m);
}

TEST(parts_behind_each_other)
{
    struct made m;
    struct kernel_list list;
    begin(&m);
    CHECK(kernels_write(&m.out, "k.o", sample_kernels, 1, &m.sink));
    CHECK(kernels_write(&m.out, "k.o", sample_kernels + 1, 1, &m.sink));
    CHECK(kernels_write(&m.out, "k.o", NULL, 0, &m.sink));
    for (unsigned i = 2; i <= 3; i++) {
        struct buf *b = elf_out_contents(&m.out, i);
        buf_put(elf_out_contents(&m.out, 1), b->at, b->n);
    }
    turn(&m);
    CHECK(kernels_read(&m.arena, &m.elf, &list, &m.sink));
    if (CHECK_EQ(list.n, 2))
        for (size_t i = 0; i < 2; i++)
            check_same(&list.at[i], &sample_kernels[i]);
    end(&m);
}

TEST(none)
{
    struct made m;
    struct kernel_list list;
    begin(&m);
    turn(&m);
    CHECK(kernels_read(&m.arena, &m.elf, &list, &m.sink));
    CHECK_EQ(list.n, 0);
    end(&m);
}

TEST(layout_of_arguments)
{
    static const uint64_t expected[8] = { 0, 4, 16, 32, 36, 40, 44, 48 };
    uint64_t offset[8];
    CHECK_EQ(kernels_lay_out_args(&sample_kernels[0], offset), 52);
    for (size_t i = 0; i < 8; i++)
        CHECK_EQ(offset[i], expected[i]);
    CHECK_EQ(kernels_lay_out_args(&sample_kernels[1], NULL), 0);
}

static void
check_refused(struct kernel_info k, const char *message)
{
    struct made m;
    begin(&m);
    CHECK(!kernels_write(&m.out, "k.o", &k, 1, &m.sink));
    CHECK_EQ(m.out.sections.n, 0);
    CHECK_STR(m.sink.first ? m.sink.first->message : NULL, message);
    end(&m);
}

TEST(writer_refuses)
{
    struct kernel_arg arg = { "a", "x", KERNEL_ARG_GLOBAL, 0, 0, 8, 8 };
    check_refused((struct kernel_info){ .isa = 1 }, "kernel '': no name");
    check_refused((struct kernel_info){ .name = "k", .isa = 3 },
                  "kernel 'k': version of the instruction set: expected 1 or "
                  "2");
    check_refused((struct kernel_info){ .name = "k", .isa = 1, .vgprs = 6 },
                  "kernel 'k': vector registers: expected a multiple of 4, at "
                  "most 256");
    check_refused((struct kernel_info){ .name = "k",
                                        .isa = 1,
                                        .required_wg = { 1, 0, 1 } },
                  "kernel 'k': work-group size: expected three sizes or none");
    check_refused(
        (struct kernel_info){ .name = "k", .isa = 1, .required_sub_group = 12 },
        "kernel 'k': size of sub-groups: expected 0 or a power of two, at "
        "most 64");
    check_refused(
        (struct kernel_info){
            .name = "k", .isa = 1, .args = &arg, .n_args = 1 },
        "kernel 'k': argument 0: size and alignment: expected 4 "
        "bytes for an address");
}

TEST(writer_refuses_a_name_that_is_there_twice)
{
    struct kernel_info k[] = { { .name = "a", .isa = 1 },
                               { .name = "ab", .isa = 1 },
                               { .name = "b", .isa = 1 },
                               { .name = "ab", .isa = 1 } };
    struct made m;
    begin(&m);
    CHECK(!kernels_write(&m.out, "k.o", k, 4, &m.sink));
    CHECK_EQ(m.sink.errors, 1);
    CHECK_STR(m.sink.first ? m.sink.first->message : NULL,
              "kernel 'ab' is there twice");
    k[3].name = "ba";
    CHECK(kernels_write(&m.out, "k.o", k, 4, &m.sink));
    end(&m);
}

/* Version 2: global addresses have 64 bits, local ones 32. */
TEST(addresses_of_version_2)
{
    struct kernel_arg arg = { "a", "x", KERNEL_ARG_GLOBAL, 0, 0, 4, 4 };
    struct kernel_info k = { .name = "k", .isa = 2, .args = &arg, .n_args = 1 };
    check_refused(k, "kernel 'k': argument 0: size and alignment: expected 8 "
                     "bytes for an address");
    arg = (struct kernel_arg){ "a", "x", KERNEL_ARG_LOCAL, 0, 0, 8, 8 };
    check_refused(k, "kernel 'k': argument 0: size and alignment: expected 4 "
                     "bytes for an address");
}

/* Spoils a word of the section, then expects the message. */
static void
check_bad(size_t offset, uint32_t x, const char *message)
{
    struct made m;
    struct kernel_list list;
    begin(&m);
    CHECK(kernels_write(&m.out, "k.o", sample_kernels, 2, &m.sink));
    struct buf *b = elf_out_contents(&m.out, 1);
    for (unsigned i = 0; i < 4; i++)
        b->at[offset + i] = (uint8_t)(x >> 8 * i);
    turn(&m);
    CHECK(!kernels_read(&m.arena, &m.elf, &list, &m.sink));
    CHECK_EQ(list.n, 0);
    CHECK_STR(m.sink.first ? m.sink.first->message : NULL, message);
    end(&m);
}

TEST(reader_refuses)
{
    check_bad(0, 1,
              "section '.ventus.kernels': magic number 0x1: expected "
              "0x4e4b5456");
    check_bad(4, 0x00200002,
              "section '.ventus.kernels': version 2: expected "
              "1");
    check_bad(32, 0xffffffff,
              "section '.ventus.kernels': kernel 0: its name "
              "is past the end of the names");
    check_bad(32 + 12 * 4, 0xffffffff,
              "section '.ventus.kernels': kernel 'first': arguments "
              "4294967295 + 8 of 8");
    check_bad(24, 0x00140000,
              "section '.ventus.kernels': records of 32, 0 and "
              "20 bytes are too short");
}

/* A program of 64 MiB has a million kernels, which could share a long name. */
TEST(names_of_kernels_have_a_limit)
{
    static char name[KERNELS_NAME_MAX + 2];
    for (size_t n = KERNELS_NAME_MAX; n <= KERNELS_NAME_MAX + 1; n++) {
        struct made m;
        struct kernel_list list;
        bool fits = n == KERNELS_NAME_MAX;
        memset(name, 'n', n);
        begin(&m);
        CHECK(kernels_write(&m.out, "k.o",
                            &(struct kernel_info){ .name = name, .isa = 1 }, 1,
                            &m.sink));
        turn(&m);
        CHECK_EQ(kernels_read(&m.arena, &m.elf, &list, &m.sink), fits);
        CHECK_EQ(list.n, fits);
        if (!fits)
            CHECK_STR(m.sink.first ? m.sink.first->message : NULL,
                      "section '.ventus.kernels': kernel 0: its name has more "
                      "than 4096 characters");
        end(&m);
    }
}

TEST(counts_past_the_end)
{
    struct made m;
    struct kernel_list list;
    for (unsigned field = 12; field <= 20; field += 4) {
        begin(&m);
        CHECK(kernels_write(&m.out, "k.o", sample_kernels, 2, &m.sink));
        memset(elf_out_contents(&m.out, 1)->at + field, 0xff, 4);
        turn(&m);
        CHECK(!kernels_read(&m.arena, &m.elf, &list, &m.sink));
        CHECK(m.sink.first && strstr(m.sink.first->message, "do not fit"));
        end(&m);
    }
}

TEST(note)
{
    struct made m;
    unsigned isa = 7;
    begin(&m);
    turn(&m);
    CHECK(note_read_isa(&m.elf, &isa, &m.sink));
    CHECK_EQ(isa, 0);
    note_write_isa(&m.out, 2);
    turn(&m);
    CHECK(note_read_isa(&m.elf, &isa, &m.sink));
    CHECK_EQ(isa, 2);
    note_write_isa(&m.out, 1);
    turn(&m);
    CHECK(!note_read_isa(&m.elf, &isa, &m.sink));
    CHECK_STR(m.sink.last->message,
              "section '.note.ventus': code for v1 and for v2 of the "
              "instruction set is mixed");
    end(&m);
}

TEST(note_is_cut_off)
{
    struct made m;
    unsigned isa;
    begin(&m);
    note_write_isa(&m.out, 1);
    for (size_t n = 23; n > 0; n--) {
        elf_out_contents(&m.out, 1)->n = n;
        turn(&m);
        CHECK(!note_read_isa(&m.elf, &isa, &m.sink));
    }
    end(&m);
}

TEST_MAIN
