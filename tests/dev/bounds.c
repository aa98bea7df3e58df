/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a launch puts into memory ends at a byte as buffers do, and contexts do
 * not see each other, on both machines.
 */
#include "test.h"

#include <stdint.h>

#include <ventus/dev.h>

#include "base/file.h"
#include "dev/device.h"
#include "heap.h"

static struct arena arena;

static const char *const engines[] = { "engine=sim", "engine=model" };

static struct ventus_dev *
open_device(const char *engine, const char *setting)
{
    const char *set[] = { engine, "num_thread=8", "num_warp=8", "bounds=strict",
                          setting };
    struct ventus_dev *d = ventus_dev_open(
        &(struct ventus_dev_options){ .set = set, .n_set = setting ? 5 : 4 });
    if (!CHECK(d))
        puts(ventus_dev_message());
    return d;
}

static struct ventus_dev_program *
load(struct ventus_dev *d, struct ventus_dev_context *c, const char *name)
{
    struct diag_sink sink = { .arena = &arena };
    size_t size;
    char *path = arena_printf(&arena, "%s/%s.elf", PROGRAMS, name);
    uint8_t *elf = file_read(&arena, path, &size, &sink);
    struct ventus_dev_program *p = !elf ? NULL
                                   : c  ? ventus_dev_load_in(c, elf, size, name)
                                        : ventus_dev_load(d, elf, size, name);
    if (!CHECK(p))
        puts(ventus_dev_message());
    return p;
}

static void
on_print(void *ctx, const void *records, size_t size)
{
    (void)ctx, (void)records, (void)size;
}

/* One work-item; its arguments are an address and a number. */
static bool
run_to(struct ventus_dev *d, const struct ventus_dev_program *p,
       const char *kernel, uint64_t x, uint32_t number,
       struct ventus_dev_result *r)
{
    struct ventus_dev_hooks hooks = { .print = on_print };
    struct ventus_dev_arg args[] = { ventus_dev_buffer(x),
                                     ventus_dev_bytes(&number, 4) };
    return ventus_dev_run(
        d,
        &(struct ventus_dev_launch){ .kernel = ventus_dev_find(p, kernel),
                                     .work_dim = 1,
                                     .args = args,
                                     .n_args = 2,
                                     .print_B = 100,
                                     .hooks = &hooks },
        r);
}

static bool
run(struct ventus_dev *d, const struct ventus_dev_program *p,
    const char *kernel, uint64_t x, uint32_t number)
{
    return run_to(d, p, kernel, x, number, NULL);
}

static uint32_t
word(struct ventus_dev *d, uint64_t address)
{
    uint32_t w = 0xdeadbeef;
    CHECK(ventus_dev_read(d, address, &w, 4));
    return w;
}

static void
check_says(const char *words)
{
    if (!CHECK(strstr(ventus_dev_message(), words)))
        printf("  %s\n  %s\n", ventus_dev_message(), words);
}

static const struct {
    const char *kernel;
    uint32_t number;
    const char *words; /* NULL: it is there */
} cases[] = {
    { "args", 4, NULL },
    { "args", 8, "; 0 bytes past the end of the metadata and arguments, 72" },
    { "args", 4000, "; 3992 bytes past the end of the metadata and argu" },
    { "args", (uint32_t)-68, "; 4 bytes before the start of the metadata" },
    { "prints", 96, NULL },
    { "prints", 100, "; 0 bytes past the end of the print buffer, 100 byt" },
    { "private", 508, NULL },
    { "private", 512, "; 0 bytes past the end of private memory, 512 bytes" },
    { "local", 1040, NULL },
    { "local", 1044, "access outside of local memory to 0x70000414" },
    { "local", 1044, "; 0 bytes past the end of the work-group's local mem" },
    { "local", 4096, "; 3052 bytes past the end of the work-group's local" },
    { "local", (uint32_t)-4, "; 4 bytes before the start of the work-group's" },
    { "far", 36, NULL },
    { "far", 40, "; 0 bytes past the end of argument 0, 40 bytes" },
};

TEST(what_launches_use_ends_at_a_byte)
{
    for (int e = 0; e < 2; e++) {
        struct ventus_dev *d = open_device(engines[e], NULL);
        struct ventus_dev_program *p = load(d, NULL, "kernels");
        uint64_t x = ventus_dev_alloc(d, 40, 0);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            bool ok = run(d, p, cases[i].kernel, x, cases[i].number);
            CHECK_EQ(ok, !cases[i].words);
            check_says(!ok && cases[i].words ? cases[i].words : "");
        }
        ventus_dev_close(d);
    }
}

/* A launch that needed more room leaves none to the next one. */
TEST(room_of_an_earlier_launch_is_not_there)
{
    struct ventus_dev *d = open_device("engine=sim", NULL);
    struct ventus_dev_program *p = load(d, NULL, "kernels");
    uint64_t x = ventus_dev_alloc(d, 4 * 4096, 0);
    struct ventus_dev_arg args[] = { ventus_dev_buffer(x),
                                     ventus_dev_bytes(&(uint32_t){ 0 }, 4) };
    struct ventus_dev_launch large = { .kernel = ventus_dev_find(p, "stack"),
                                       .work_dim = 1,
                                       .global = { 4096 },
                                       .args = args,
                                       .n_args = 2 };
    CHECK(ventus_dev_run(d, &large, NULL));
    CHECK(!run(d, p, "private", x, 512));
    ventus_dev_close(d);
}

TEST(contexts_do_not_see_each_other)
{
    for (int e = 0; e < 2; e++) {
        struct ventus_dev *d = open_device(engines[e], NULL);
        struct ventus_dev_context *a = ventus_dev_context_new(d),
                                  *b = ventus_dev_context_new(d);
        struct ventus_dev_program *pa = load(d, a, "kernels");
        struct ventus_dev_program *also = load(d, a, "kernels");
        struct ventus_dev_program *pb = load(d, b, "kernels");
        struct ventus_dev_program *own = load(d, NULL, "kernels");
        uint64_t xa = ventus_dev_alloc_in(a, 64, 0),
                 xb = ventus_dev_alloc_in(b, 64, 0);
        uint64_t x = ventus_dev_alloc(d, 64, 0);
        CHECK(ventus_dev_fill(d, xa + 4, &(uint32_t){ 4711 }, 4, 4));
        for (int round = 0; round < 3; round++) {
            CHECK(run(d, pa, "read", xa, (uint32_t)xa + 4));
            CHECK(run(d, also, "read", xa, (uint32_t)xa + 4));
            CHECK_EQ(word(d, xa), 4711);
            CHECK(!run(d, pb, "read", xb, (uint32_t)xa + 4));
            check_says("; in a buffer of another context");
            CHECK(!run(d, own, "read", x, (uint32_t)xa + 4));
            CHECK(!run(d, pa, "read", xa, (uint32_t)x));
            CHECK(!run(d, pb, "far", xb, (uint32_t)(xa - xb)));
            CHECK_EQ(word(d, xb), 0);
            /* What launches use is there for each in turn. */
            CHECK(run(d, pb, "prints", xb, 96));
            CHECK(run(d, pb, "stack", xb, 0));
        }
        CHECK(!run(d, pb, "read", xa, (uint32_t)xa));
        check_says("argument 0: 0x90000000 is in a buffer of another context");
        ventus_dev_context_free(a);
        CHECK(!run(d, pb, "read", xb, (uint32_t)xa));
        CHECK(run(d, pb, "read", xb, (uint32_t)xb + 8));
        CHECK_EQ(ventus_dev_alloc_in(b, 64, 0), xa); /* its memory is free */
        CHECK_EQ(word(d, xa + 4), 0);
        ventus_dev_context_free(b);
        ventus_dev_close(d);
    }
}

TEST(released_memory_is_out_of_reach)
{
    for (int e = 0; e < 2; e++) {
        struct ventus_dev *d = open_device(engines[e], "tlb_entries=16");
        struct ventus_dev_program *p = load(d, NULL, "kernels");
        uint64_t x = ventus_dev_alloc(d, 64, 0), y = ventus_dev_alloc(d, 64, 0);
        CHECK(run(d, p, "read", x, (uint32_t)y + 60));
        CHECK(ventus_dev_free(d, y));
        CHECK(!run(d, p, "read", x, (uint32_t)y + 60));
        check_says("; at byte 60 of a buffer of 64 bytes that was released");
        uint64_t z = ventus_dev_alloc(d, 128, 0);
        CHECK_EQ(z, y);
        CHECK(run(d, p, "read", x, (uint32_t)y + 60)); /* it is another's */
        ventus_dev_close(d);
    }
}

/* One work-item of `put` with these last two. */
static bool
put_with(struct ventus_dev *d, const struct ventus_dev_program *p, uint64_t x,
         struct ventus_dev_arg number, uint32_t print_B)
{
    struct ventus_dev_hooks hooks = { .print = on_print };
    struct ventus_dev_arg args[] = { ventus_dev_buffer(x), number };
    return ventus_dev_run(
        d,
        &(struct ventus_dev_launch){ .kernel = ventus_dev_find(p, "put"),
                                     .work_dim = 1,
                                     .args = args,
                                     .n_args = 2,
                                     .print_B = print_B,
                                     .hooks = &hooks },
        NULL);
}

/* One without room for its header was taken for 4 GiB. */
TEST(a_print_buffer_has_room_for_its_header_and_a_record)
{
    struct ventus_dev *d = open_device("engine=sim", NULL);
    struct ventus_dev_program *p = load(d, NULL, "kernels");
    uint64_t x = ventus_dev_alloc(d, 4, 0);
    struct ventus_dev_arg seven = ventus_dev_bytes(&(uint32_t){ 7 }, 4);
    for (uint32_t size = 1; size < 12; size++) {
        CHECK(!put_with(d, p, x, seven, size));
        check_says("dev_launch.print_B: ");
        check_says(", expected 12 at least");
    }
    CHECK_EQ(word(d, x), 0);
    CHECK(put_with(d, p, x, seven, 12));
    CHECK_EQ(word(d, x), 7);
    ventus_dev_close(d);
}

TEST(arguments_of_absurd_size_and_alignment_are_refused)
{
    static const uint8_t bytes[(1 << 20) + 1];
    struct ventus_dev *d = open_device("engine=sim", NULL);
    struct ventus_dev_program *p = load(d, NULL, "kernels");
    uint64_t x = ventus_dev_alloc(d, 4, 0);
    CHECK(!put_with(d, p, x, ventus_dev_bytes(bytes, sizeof bytes), 0));
    check_says("kernel 'put': argument 1: more than 1048576 bytes");
    struct ventus_dev_arg args[] = { ventus_dev_bytes(bytes, 4),
                                     ventus_dev_local(4) };
    for (int i = 0; i < 2; i++) {
        args[i].align = 1u << 31;
        CHECK(!put_with(d, p, x, args[i], 0));
        check_says("kernel 'put': argument 1: alignment above 1048576");
    }
    args[0].align = 4096;
    CHECK(put_with(d, p, x, args[0], 0));
    ventus_dev_close(d);
}

/* The number of workgroups wrapped to 0, which ended the application. */
TEST(more_workgroups_than_can_be_counted_are_refused)
{
    struct ventus_dev *d = open_device("engine=sim", "host_threads=1");
    struct ventus_dev_program *p = load(d, NULL, "kernels");
    uint64_t x = ventus_dev_alloc(d, 4, 0);
    struct ventus_dev_arg args[] = { ventus_dev_buffer(x),
                                     ventus_dev_bytes(&(uint32_t){ 7 }, 4) };
    struct ventus_dev_launch l = { .kernel = ventus_dev_find(p, "put"),
                                   .work_dim = 3,
                                   .global = { 1u << 31, 1u << 31, 4 },
                                   .local = { 1, 1, 1 },
                                   .args = args,
                                   .n_args = 2 };
    CHECK(!ventus_dev_run(d, &l, NULL));
    check_says("kernel 'put': 2147483648 x 2147483648 x 4 workgroups, expected "
               "less than 2^64");
    l.global[2] = 3; /* as many as 3 * 2^62 begin: the second has no room */
    CHECK(!ventus_dev_run(d, &l, NULL));
    check_says("workgroup 1 (1,0,0)");
    ventus_dev_close(d);
}

/* More contexts than there are tables, one after the other. */
TEST(contexts_give_their_tables_back)
{
    struct ventus_dev *d = open_device("engine=sim", NULL);
    for (int i = 0; i < 12000; i++) {
        struct ventus_dev_context *c = ventus_dev_context_new(d);
        uint64_t x = ventus_dev_alloc_in(c, 4, 0);
        if (!CHECK(x) || (i % 2 && !CHECK(ventus_dev_free(d, x))))
            break;
        if (i % 1000 == 0) {
            struct ventus_dev_program *p = load(d, c, "kernels");
            uint64_t y = ventus_dev_alloc_in(c, UINT64_C(1) << 30, 0);
            CHECK(run(d, p, "read", y + (1 << 30) - 4, (uint32_t)y));
        }
        ventus_dev_context_free(c);
    }
    ventus_dev_close(d);
}

/* Tables of pages that something is in. */
static size_t
tables_taken(const struct ventus_dev *d)
{
    return d->paging.tables - d->paging.n_spare;
}

TEST(programs_give_their_tables_back)
{
    struct ventus_dev *d = open_device("engine=sim", NULL);
    struct ventus_dev_context *c = ventus_dev_context_new(d);
    size_t before = tables_taken(d);
    for (unsigned i = 0; i < 3; i++) {
        struct ventus_dev_program *p = load(d, c, "kernels");
        CHECK(tables_taken(d) > before);
        ventus_dev_unload(p);
        CHECK_EQ(tables_taken(d), before);
    }
    ventus_dev_context_free(c);
    ventus_dev_close(d);
}

/* A line for each instruction of the program; launches that follow add none. */
TEST(padding_behind_buffers_is_there_and_no_more)
{
    for (size_t e = 0; e < sizeof engines / sizeof *engines; e++) {
        struct ventus_dev *d = open_device(engines[e], "bounds=padded");
        struct ventus_dev_program *p = load(d, NULL, "kernels");
        uint64_t x = ventus_dev_alloc(d, 4096, 0);
        struct ventus_dev_result r;
        uint32_t out;
        CHECK_EQ(ventus_dev_alloc(d, 4096, 0), x + 2 * 4096);
        CHECK(ventus_dev_fill(d, x, &(uint32_t){ 1 }, 4, 4096));
        CHECK(run_to(d, p, "far", x, 4092, &r));
        CHECK_STR(r.message, "");
        CHECK(run_to(d, p, "far", x, 4096, &r));
        CHECK(strstr(r.message, "kernel 'far': a write of 4 bytes at 0x90001000"
                                " is done in padding; far+0xc ("));
        CHECK(strstr(r.message, "; 0 bytes past the end of argument 0, 4096 "
                                "bytes; bounds=strict makes it a fault"));
        CHECK(!strchr(r.message, '\n'));
        CHECK(run_to(d, p, "far", x, 4096 + 2044, &r));
        CHECK_STR(r.message, "");
        CHECK(!ventus_dev_read(d, x + 4096, &out, 4)); /* it is not x's */
        CHECK(!run(d, p, "far", x, 4096 + 2048));
        check_says("2048 bytes past the end of argument 0, 4096 bytes");
        ventus_dev_close(d);
    }
}

/* The whole of memory is one buffer, and has padding nevertheless. */
TEST(padding_takes_none_of_memory)
{
    struct ventus_dev *d = open_device("engine=sim", "bounds=padded");
    uint64_t all = ventus_dev_setting(d, "memory_size");
    uint64_t x = ventus_dev_alloc(d, all, 0);
    CHECK_EQ(x, 0x90000000);
    CHECK_EQ(ventus_dev_alloc(d, 1, 0), 0);
    CHECK(ventus_dev_free(d, x));
    CHECK_EQ(ventus_dev_alloc(d, all, 0), x);
    ventus_dev_close(d);
}

/* What one buffer's had is nothing to the one that has its place. */
TEST(padding_of_a_new_buffer_is_zero)
{
    struct ventus_dev *d = open_device("engine=sim", "bounds=padded");
    struct ventus_dev_program *p = load(d, NULL, "kernels");
    uint64_t x = ventus_dev_alloc(d, 4096, 0), to, size = 4;
    struct space_range *r = space_find(&d->space, x);
    CHECK(run(d, p, "far", x, 4100));
    const uint32_t *word = d->ops->pointer(d->machine, r->physical + 4100, &to);
    CHECK_EQ(*word, 4100);
    CHECK(ventus_dev_free(d, x));
    CHECK_EQ(ventus_dev_alloc(d, 4096, 0), x);
    r = space_find(&d->space, x);
    word = d->ops->pointer(d->machine, r->physical + 4100, &size);
    CHECK_EQ(*word, 0);
    ventus_dev_close(d);
}

TEST(devices_give_their_memory_back)
{
    enum { MANY = 8 };
    size_t before = 0;
    for (unsigned i = 0; i < 2 * MANY; i++) {
        struct ventus_dev *d = open_device("engine=sim", NULL);
        struct ventus_dev_context *c = ventus_dev_context_new(d);
        CHECK(load(d, c, "kernels"));
        ventus_dev_context_free(c);
        ventus_dev_close(d);
        arena_free(&arena); /* with the file */
        if (i == MANY)
            before = heap_B();
    }
    CHECK(heap_B() < before + 4096);
}

/* In the last page there was none, and no error either. */
TEST(bare_memory_ends_below_the_last_page)
{
    static const struct {
        uint64_t address, size;
        bool fits;
    } place[] = {
        { 0x10001, 1, true },
        { 0x10fff, 2, true },
        { 0x10000, 0, false },
        { 0xfffffffffffff000, 4095, false },
        { 0xfffffffffffff001, 1, false },
        { 0xfffffffffffff000, 8192, false },
        { 1, UINT64_MAX, false },
    };
    struct ventus_dev *d =
        ventus_dev_open(&(struct ventus_dev_options){ .bare = true });
    uint8_t byte = 7, back = 0;
    CHECK(d);
    for (size_t i = 0; i < sizeof place / sizeof *place; i++)
        CHECK_EQ(ventus_dev_place(d, place[i].address, place[i].size),
                 place[i].fits);
    CHECK(ventus_dev_write(d, 0x11fff, &byte, 1) &&
          ventus_dev_read(d, 0x11fff, &back, 1));
    CHECK_EQ(back, 7);
    CHECK(!ventus_dev_write(d, 0x12000, &byte, 1));
    ventus_dev_close(d);
}

TEST_MAIN
