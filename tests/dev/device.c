/* SPDX-License-Identifier: Apache-2.0 */
/* The driver through its contract, on real programs. */
#include "test.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include <ventus/dev.h>

#include "base/file.h"

static struct arena arena;

static struct ventus_dev *
open_device(const char *setting)
{
    const char *set[] = { "bounds=strict", setting };
    struct ventus_dev *d = ventus_dev_open(
        &(struct ventus_dev_options){ .set = set, .n_set = setting ? 2 : 1 });
    if (!CHECK(d))
        puts(ventus_dev_message());
    return d;
}

static struct ventus_dev_program *
load(struct ventus_dev *d, const char *name)
{
    struct diag_sink sink = { .arena = &arena };
    size_t size;
    char *path = arena_printf(&arena, "%s/%s.elf", PROGRAMS, name);
    uint8_t *elf = file_read(&arena, path, &size, &sink);
    struct ventus_dev_program *p =
        elf ? ventus_dev_load(d, elf, size, name) : NULL;
    if (!CHECK(p))
        puts(ventus_dev_message());
    return p;
}

struct shot {
    struct ventus_dev *d;
    const struct ventus_dev_kernel *kernel;
    uint64_t x;
    uint32_t number;
    uint64_t global, local;
    uint64_t local_arg; /* a third argument of local memory */
};

static bool
run(struct shot s, struct ventus_dev_result *result)
{
    struct ventus_dev_arg args[] = { ventus_dev_buffer(s.x),
                                     ventus_dev_bytes(&s.number, 4),
                                     ventus_dev_local(s.local_arg) };
    return ventus_dev_run(s.d,
                          &(struct ventus_dev_launch){
                              .kernel = s.kernel,
                              .work_dim = 1,
                              .global = { s.global },
                              .local = { s.local },
                              .args = args,
                              .n_args = s.local_arg ? 3 : 2,
                          },
                          result);
}

static uint32_t
word(struct ventus_dev *d, uint64_t address)
{
    uint32_t w = 0xdeadbeef;
    CHECK(ventus_dev_read(d, address, &w, 4));
    return w;
}

TEST(partial_warps_and_groups_stop_at_the_grid)
{
    struct ventus_dev *d = open_device(NULL);
    struct ventus_dev_program *p = load(d, "kernels");
    uint64_t x = ventus_dev_alloc(d, 4 * 200, 0);
    for (uint32_t n = 1; n <= 130; n += 43) {
        uint32_t out[200];
        CHECK(ventus_dev_fill(d, x, &(uint32_t){ 7 }, 4, sizeof out));
        CHECK(run((struct shot){ d, ventus_dev_find(p, "put"), x, n, n, 40, 0 },
                  NULL));
        CHECK(ventus_dev_read(d, x, out, sizeof out));
        for (uint32_t i = 0; i < 200; i++)
            if (!CHECK_EQ(out[i], i < n ? n : 7))
                break;
    }
    ventus_dev_close(d);
}

/* Every length of pattern, up to more than is copied at once. */
TEST(fills)
{
    enum { MOST = 40000 };
    static uint8_t back[MOST];
    struct ventus_dev *d = open_device(NULL);
    uint64_t x = ventus_dev_alloc(d, MOST, 0);
    for (size_t size = 1; size <= 128; size += size < 4 ? 1 : 31) {
        uint8_t pattern[128];
        for (size_t i = 0; i < size; i++)
            pattern[i] = (uint8_t)(i * i + size);
        for (size_t n = 0; n * size < MOST - 2; n = 3 * n + 1) {
            unsigned wrong = 0;
            CHECK(ventus_dev_fill(d, x, &(uint8_t){ 0xee }, 1, MOST));
            CHECK(ventus_dev_fill(d, x + 1, pattern, size, n * size));
            CHECK(ventus_dev_read(d, x, back, MOST));
            for (size_t i = 0; i < MOST; i++)
                wrong +=
                    back[i] !=
                    (i > 0 && i <= n * size ? pattern[(i - 1) % size] : 0xee);
            CHECK_EQ(wrong, 0);
        }
    }
    ventus_dev_close(d);
}

TEST(fills_that_cannot_be_are_refused)
{
    uint8_t pattern[256] = { 7 };
    struct ventus_dev *d = open_device(NULL);
    uint64_t x = ventus_dev_alloc(d, 4096, 0);
    CHECK(ventus_dev_fill(d, x, pattern, 128, 256));
    CHECK(!ventus_dev_fill(d, x, pattern, 0, 256));
    CHECK_STR(ventus_dev_message(),
              "ventus_dev_fill: expected a pattern of 1 to 128 bytes, found 0");
    CHECK(!ventus_dev_fill(d, x, pattern, 129, 258));
    CHECK_STR(
        ventus_dev_message(),
        "ventus_dev_fill: expected a pattern of 1 to 128 bytes, found 129");
    CHECK(!ventus_dev_fill(d, x, pattern, 256, 256));
    CHECK(!ventus_dev_fill(d, x, pattern, 4, 6));
    CHECK_STR(ventus_dev_message(),
              "ventus_dev_fill: 6 bytes are no multiple of a pattern of 4");
    CHECK(!ventus_dev_fill(d, x + (1 << 30), pattern, 4, 8));
    CHECK_EQ(word(d, x + 128), 7);
    CHECK_EQ(word(d, x + 256), 0);
    ventus_dev_close(d);
}

TEST(two_programs_at_one_address)
{
    struct ventus_dev *d = open_device(NULL);
    struct ventus_dev_program *a = load(d, "kernels"), *b = load(d, "other");
    uint64_t x = ventus_dev_alloc(d, 64, 0);
    for (uint32_t i = 1; i < 5; i++) {
        CHECK(run((struct shot){ d, ventus_dev_find(a, "put"), x, i, 1, 1, 0 },
                  NULL));
        CHECK_EQ(word(d, x), i);
        CHECK(run((struct shot){ d, ventus_dev_find(b, "put"), x, 0, 1, 1, 0 },
                  NULL));
        CHECK_EQ(word(d, x), 1000 + i);
    }
    ventus_dev_unload(a);
    a = load(d, "other"); /* into the place that is free now, from its start */
    CHECK(run((struct shot){ d, ventus_dev_find(a, "put"), x, 0, 1, 1, 0 },
              NULL));
    CHECK_EQ(word(d, x), 1001);
    ventus_dev_unload(a);
    ventus_dev_unload(b);
    ventus_dev_close(d);
}

TEST(metadata_is_as_the_manual_says)
{
    struct ventus_dev *d = open_device(NULL);
    struct ventus_dev_program *p = load(d, "kernels");
    const struct ventus_dev_kernel *k = ventus_dev_find(p, "knl");
    uint64_t x = ventus_dev_alloc(d, 64, 0);
    uint32_t knl[16];
    struct ventus_dev_arg args[] = { ventus_dev_buffer(x) };
    struct ventus_dev_launch l = { .kernel = k,
                                   .work_dim = 3,
                                   .global = { 6, 5, 4 },
                                   .local = { 3, 5, 2 },
                                   .offset = { 10, 20, 30 },
                                   .args = args,
                                   .n_args = 1 };
    CHECK(ventus_dev_run(d, &l, NULL));
    CHECK(ventus_dev_read(d, x, knl, sizeof knl));
    const uint32_t wanted[] = {
        (uint32_t)k->entry, knl[1], 3, 6, 5, 4, 3, 5, 2, 10, 20, 30, 0, 0, 0, 0
    };
    for (int i = 0; i < 16; i++)
        CHECK_EQ(knl[i], wanted[i]);
    ventus_dev_close(d);
}

TEST(local_arguments_lie_behind_stacks_and_static_memory)
{
    struct ventus_dev *d = open_device(NULL);
    struct ventus_dev_program *p = load(d, "kernels");
    const struct ventus_dev_kernel *k = ventus_dev_find(p, "locals");
    uint64_t x = ventus_dev_alloc(d, 64, 0);
    CHECK(run((struct shot){ d, k, x, 9, 64, 64, 100 }, NULL));
    CHECK_EQ(word(d, x), 9);
    CHECK_EQ(word(d, x + 4), 0x70000000);
    /* Two warps' stacks, 20 bytes, aligned to 128. */
    CHECK_EQ(word(d, x + 8), 0x70000000 + 2 * 1024 + 128);
    CHECK(!run((struct shot){ d, k, x, 9, 64, 64, 128 << 10 }, NULL));
    CHECK_STR(ventus_dev_message(),
              "kernel 'locals': a workgroup needs 133248 bytes of local "
              "memory (2048 of it for the stacks of 2 warps), an SM has "
              "131072");
    ventus_dev_close(d);
}

TEST(private_memory_is_per_work_item_also_in_parts)
{
    struct ventus_dev *d = open_device("private_pool=64K");
    struct ventus_dev_program *p = load(d, "kernels");
    enum { N = 5000 }; /* 64 bytes each: more than the pool */
    static uint32_t out[N];
    uint64_t x = ventus_dev_alloc(d, sizeof out, 0);
    CHECK(run((struct shot){ d, ventus_dev_find(p, "stack"), x, 0, N, 64, 0 },
              NULL));
    CHECK(ventus_dev_read(d, x, out, sizeof out));
    for (uint32_t i = 0; i < N; i++)
        if (!CHECK_EQ(out[i], 4 * i))
            break;
    ventus_dev_close(d);
}

static void
check_fault(struct shot s, const char *kernel, struct ventus_dev_program *p,
            const char *const *words)
{
    struct ventus_dev_result r;
    s.kernel = ventus_dev_find(p, kernel);
    CHECK(!run(s, &r));
    CHECK(!r.ok);
    for (; *words; words++)
        if (!strstr(r.message, *words)) {
            printf("found: %s\n", r.message);
            CHECK_STR(kernel, *words);
        }
    CHECK_STR(r.message, ventus_dev_message());
}

/* In parts of the pool, behind a kernel with another layout, after a fault. */
TEST(private_memory_is_zero_at_the_start_of_every_workgroup)
{
    static const char *const engines[] = { "engine=sim", "engine=model" };
    for (int e = 0; e < 2; e++) {
        const char *set[] = { engines[e], "private_pool=64K", "num_warp=8" };
        struct ventus_dev *d = ventus_dev_open(
            &(struct ventus_dev_options){ .set = set, .n_set = 3 });
        struct ventus_dev_program *p = load(d, "kernels");
        uint32_t out[2048];
        uint64_t x = ventus_dev_alloc(d, sizeof out, 0);
        struct shot s = { d, ventus_dev_find(p, "peek"), x, 0, 2048, 64, 0 };
        CHECK(run(s, NULL));
        CHECK(run(s, NULL));
        s.kernel = ventus_dev_find(p, "stack");
        s.local = 32;
        CHECK(run(s, NULL));
        s.global = 4096; /* the second half faults */
        s.kernel = ventus_dev_find(p, "peek");
        CHECK(!run(s, NULL));
        s.global = 2048;
        s.local = 96;
        CHECK(run(s, NULL));
        CHECK(ventus_dev_read(d, x, out, sizeof out));
        for (uint32_t i = 0; i < 2048; i++)
            if (!CHECK_EQ(out[i], 1))
                break;
        ventus_dev_close(d);
    }
}

TEST(faults_name_everything_and_leave_the_device_usable)
{
    struct ventus_dev *d = open_device("max_instructions=100000");
    struct ventus_dev_program *p = load(d, "kernels");
    uint64_t x = ventus_dev_alloc(d, 4096, 0);
    struct shot s = {
        .d = d, .x = x, .number = 4096, .global = 64, .local = 32
    };
    check_fault(s, "far", p,
                (const char *[]){ "kernel 'far': access to unmapped memory",
                                  "0x90001000", "(sw x6, 0(x5))",
                                  "workgroup 0 (0,0,0), warp 0", "far+0xc (",
                                  "kernels.s:",
                                  "0 bytes past the end of argument 0, "
                                  "4096 bytes",
                                  NULL });
    check_fault(
        s, "code", p,
        (const char *[]){ "access without permission", "code+0x4", NULL });
    check_fault(s, "odd", p,
                (const char *[]){ "misaligned access to 0x90000001", NULL });
    check_fault(s, "spin", p,
                (const char *[]){ "limit exceeded: max_instructions", NULL });
    check_fault(s, "half", p,
                (const char *[]){ "endprg while lanes wait", NULL });
    CHECK(run((struct shot){ d, ventus_dev_find(p, "put"), x, 5, 64, 64, 0 },
              NULL));
    CHECK_EQ(word(d, x + 4 * 63), 5);
    ventus_dev_close(d);
}

TEST(pages_behind_and_between_buffers_are_not_there)
{
    struct ventus_dev *d = open_device(NULL);
    uint64_t a = ventus_dev_alloc(d, 1, 0), b = ventus_dev_alloc(d, 4096, 0);
    uint8_t byte = 1;
    CHECK_EQ(a, 0x90000000);
    CHECK_EQ(b, 0x90002000);
    CHECK(ventus_dev_write(d, a, &byte, 1));
    CHECK(!ventus_dev_write(d, a + 1, &byte, 1));
    CHECK(!ventus_dev_read(d, a + 4096, &byte, 1));
    CHECK_STR(ventus_dev_message(),
              "ventus_dev_read: [0x90001000, +1) is not in one allocation");
    CHECK(!ventus_dev_free(d, b + 1));
    CHECK(ventus_dev_free(d, a));
    CHECK(!ventus_dev_free(d, a));
    CHECK_EQ(ventus_dev_alloc(d, 100, 0), a); /* zeroed again */
    CHECK_EQ(word(d, a), 0);
    ventus_dev_close(d);
}

/* Where a buffer was that is free now, there must be room for that page, too. */
TEST(a_page_stays_free_where_a_buffer_fits_between_two)
{
    struct ventus_dev *d = open_device(NULL);
    uint64_t a = ventus_dev_alloc(d, 4096, 0), b = ventus_dev_alloc(d, 4096, 0);
    uint64_t c = ventus_dev_alloc(d, 4096, 0);
    CHECK(a + 8192 == b && b + 8192 == c);
    CHECK(ventus_dev_free(d, b));
    CHECK_EQ(ventus_dev_alloc(d, 8192, 0), c + 8192);
    CHECK_EQ(ventus_dev_alloc(d, 4096, 0), b);
    ventus_dev_close(d);
}

TEST(a_gigabyte_and_no_more_than_there_is)
{
    struct ventus_dev *d = open_device(NULL);
    uint64_t x = ventus_dev_alloc(d, UINT64_C(1) << 30, 0);
    CHECK(x);
    CHECK(!ventus_dev_alloc(d, UINT64_C(1) << 30, 0));
    CHECK(!ventus_dev_alloc(d, UINT64_MAX, 0));
    CHECK(strstr(ventus_dev_message(), "no room for"));
    uint32_t end = 5;
    CHECK(ventus_dev_write(d, x + (UINT64_C(1) << 30) - 4, &end, 4));
    CHECK(ventus_dev_copy(d, x, x + (UINT64_C(1) << 30) - 4, 4));
    CHECK_EQ(word(d, x), 5);
    ventus_dev_close(d);
}

TEST(read_only_buffers_can_be_written_by_the_host_alone)
{
    struct ventus_dev *d = open_device(NULL);
    struct ventus_dev_program *p = load(d, "kernels");
    uint64_t x = ventus_dev_alloc(d, 4096, VENTUS_DEV_READ_ONLY);
    uint32_t one = 1;
    struct ventus_dev_result r;
    CHECK(ventus_dev_write(d, x, &one, 4));
    CHECK(
        !run((struct shot){ d, ventus_dev_find(p, "put"), x, 2, 1, 1, 0 }, &r));
    CHECK(strstr(r.message, "access without permission to 0x90000000"));
    CHECK(strstr(r.message, "lane 0"));
    CHECK_EQ(word(d, x), 1);
    ventus_dev_close(d);
}

struct printed {
    uint32_t next, records;
};

static void
on_print(void *ctx, const void *records, size_t size)
{
    struct printed *p = ctx;
    const uint32_t *w = records;
    for (size_t i = 0; i < size / 8; i++, p->records++) {
        CHECK_EQ(w[2 * i], 8);
        CHECK_EQ(w[2 * i + 1], p->next--);
    }
}

TEST(nothing_printed_is_lost_when_the_buffer_fills)
{
    struct ventus_dev *d = open_device(NULL);
    struct ventus_dev_program *p = load(d, "kernels");
    uint64_t x = ventus_dev_alloc(d, 4, 0);
    struct printed printed = { .next = 1000 };
    struct ventus_dev_hooks hooks = { .ctx = &printed, .print = on_print };
    uint32_t count = 1000;
    struct ventus_dev_arg args[] = { ventus_dev_buffer(x),
                                     ventus_dev_bytes(&count, 4) };
    CHECK(ventus_dev_run(
        d,
        &(struct ventus_dev_launch){ .kernel = ventus_dev_find(p, "print"),
                                     .work_dim = 1,
                                     .args = args,
                                     .n_args = 2,
                                     .print_B = 100,
                                     .hooks = &hooks },
        NULL));
    CHECK_EQ(printed.records, 1000);
    ventus_dev_close(d);
}

TEST(launches_run_in_order_while_the_caller_goes_on)
{
    struct ventus_dev *d = open_device(NULL);
    struct ventus_dev_program *p = load(d, "kernels");
    uint64_t x = ventus_dev_alloc(d, 4 * 256, 0);
    struct ventus_dev_ticket *t[200];
    for (uint32_t i = 0; i < 200; i++) {
        struct ventus_dev_arg args[] = { ventus_dev_buffer(x),
                                         ventus_dev_bytes(&i, 4) };
        t[i] = ventus_dev_submit(
            d, &(struct ventus_dev_launch){ .kernel = ventus_dev_find(p, "put"),
                                            .work_dim = 1,
                                            .global = { 256 },
                                            .args = args,
                                            .n_args = 2 });
    }
    struct ventus_dev_result first, last;
    CHECK(ventus_dev_wait(t[199], &last));
    CHECK(ventus_dev_wait(t[0], &first));
    CHECK_EQ(ventus_dev_query(t[100]), VENTUS_DEV_DONE);
    CHECK(first.queued_ns <= first.start_ns);
    CHECK(first.start_ns <= first.end_ns);
    CHECK(first.end_ns <= last.start_ns);
    CHECK_EQ(word(d, x + 4 * 255), 199);
    for (int i = 0; i < 200; i++)
        ventus_dev_ticket_free(t[i]);
    ventus_dev_close(d);
}

TEST(a_launch_that_is_waited_for_runs_behind_those_submitted)
{
    struct ventus_dev *d = open_device(NULL);
    struct ventus_dev_program *p = load(d, "kernels");
    uint64_t x = ventus_dev_alloc(d, 4 * 256, 0);
    struct ventus_dev_launch l = { .kernel = ventus_dev_find(p, "put"),
                                   .work_dim = 1,
                                   .global = { 256 } };
    for (uint32_t round = 0; round < 20; round++) {
        struct ventus_dev_ticket *t[10];
        struct ventus_dev_result before, after;
        for (uint32_t i = 0; i < 10; i++) {
            l.args = (struct ventus_dev_arg[]){ ventus_dev_buffer(x),
                                                ventus_dev_bytes(&i, 4) };
            l.n_args = 2;
            t[i] = ventus_dev_submit(d, &l);
        }
        uint32_t own = 1000 + round;
        l.args = (struct ventus_dev_arg[]){ ventus_dev_buffer(x),
                                            ventus_dev_bytes(&own, 4) };
        CHECK(ventus_dev_run(d, &l, &after));
        CHECK_EQ(ventus_dev_query(t[9]), VENTUS_DEV_DONE);
        CHECK_EQ(word(d, x + 4 * 255), own);
        for (int i = 0; i < 10; i++) {
            CHECK(ventus_dev_wait(t[i], &before));
            CHECK(before.end_ns <= after.start_ns);
            ventus_dev_ticket_free(t[i]);
        }
    }
    ventus_dev_close(d);
}

static void *
use_device(void *ctx)
{
    struct shot *s = ctx;
    s->x = ventus_dev_alloc(s->d, 4096, 0);
    for (uint32_t i = 0; i < 50; i++) {
        s->number = i;
        if (!run(*s, NULL) || word(s->d, s->x + 4 * 9) != i)
            s->global = 0; /* looked at by the test */
    }
    return NULL;
}

TEST(any_thread_may_call)
{
    struct ventus_dev *d = open_device(NULL);
    struct ventus_dev_program *p = load(d, "kernels");
    struct shot shot[4];
    pthread_t thread[4];
    for (int i = 0; i < 4; i++) {
        shot[i] = (struct shot){ .d = d,
                                 .kernel = ventus_dev_find(p, "put"),
                                 .global = 10,
                                 .local = 10 };
        pthread_create(&thread[i], NULL, use_device, &shot[i]);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(thread[i], NULL);
        CHECK_EQ(shot[i].global, 10);
    }
    ventus_dev_close(d);
}

TEST(reset_clears_everything)
{
    struct ventus_dev *d = open_device(NULL);
    load(d, "kernels");
    uint64_t x = ventus_dev_alloc(d, 10, 0);
    CHECK(ventus_dev_reset(d));
    CHECK(!ventus_dev_free(d, x));
    struct ventus_dev_program *p = load(d, "kernels");
    x = ventus_dev_alloc(d, 400, 0);
    CHECK(run((struct shot){ d, ventus_dev_find(p, "put"), x, 3, 100, 100, 0 },
              NULL));
    CHECK_EQ(word(d, x + 4 * 99), 3);
    ventus_dev_close(d);
}

TEST(launches_that_cannot_be_are_refused)
{
    struct ventus_dev *d = open_device(NULL);
    struct ventus_dev_program *p = load(d, "kernels");
    struct shot s = { .d = d,
                      .kernel = ventus_dev_find(p, "put"),
                      .x = 0x90000000,
                      .global = 1,
                      .local = 1 };
    struct ventus_dev_result r;
    CHECK(!run(s, &r));
    CHECK_STR(r.message,
              "kernel 'put': argument 0: 0x90000000 is in no buffer");
    /* A pointer of the host, of memory that a device of version 2 shares. */
    s.x = UINT64_C(0x7f0012345678);
    CHECK(!run(s, &r));
    CHECK_STR(r.message,
              "kernel 'put': argument 0: 0x7f0012345678 is in no buffer: this "
              "device has addresses of 32 bits and shares no memory with the "
              "host, as devices of version 2 do (ventus2)");
    s.x = ventus_dev_alloc(d, 4, 0);
    s.local = 2000;
    CHECK(!run(s, NULL));
    CHECK_STR(ventus_dev_message(),
              "kernel 'put': a workgroup of 2000 work-items, "
              "an SM has room for 1024 (num_warp * num_thread)");
    s.local = 1;
    s.global = UINT64_C(1) << 32;
    CHECK(!run(s, NULL));
    CHECK(!ventus_dev_find(p, "nobody"));
    CHECK(strstr(ventus_dev_message(),
                 "kernels: no kernel 'nobody' (put, spin, far, code, "));
    CHECK(
        !ventus_dev_run(d, &(struct ventus_dev_launch){ .work_dim = 1 }, NULL));
    ventus_dev_close(d);
}

int
main(int argc, char **argv)
{
    int status = test_main(argc, argv);
    arena_free(&arena);
    return status;
}
