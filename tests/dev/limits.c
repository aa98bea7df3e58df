/* SPDX-License-Identifier: Apache-2.0 */
/* What ends a launch early.  The limit of time ends those that are never long in one place:
 * none of these would end within the time that a test has.  And what was printed comes. */
#include "test.h"

#include <stdint.h>

#include <ventus/dev.h>

#include "base/file.h"
#include "clock.h"

static struct arena arena;

static const char *const engines[] = { "engine=sim", "engine=model" };
static const char *const threads[] = { "host_threads=1", "host_threads=3" };

/* The kernel runs once for each work-item of a launch that has very many. */
static void
runs_out_of_time(const char *kernel, uint64_t global, uint64_t local,
                 const char *const set[4])
{
    static struct ventus_dev_result r;
    struct ventus_dev_options o = { .set = set, .n_set = 4 };
    struct ventus_dev *d = ventus_dev_open(&o);
    struct diag_sink sink = { .arena = &arena };
    size_t size;
    uint32_t number = 0;
    uint8_t *elf = file_read(&arena, PROGRAMS "/kernels.elf", &size, &sink);
    struct ventus_dev_program *p =
        CHECK(d) ? ventus_dev_load(d, elf, size, "kernels") : NULL;
    struct ventus_dev_arg args[] = { ventus_dev_buffer(
                                         p ? ventus_dev_alloc(d, 4096, 0) : 0),
                                     ventus_dev_bytes(&number, 4) };
    struct ventus_dev_launch l = { .kernel =
                                       p ? ventus_dev_find(p, kernel) : NULL,
                                   .work_dim = 1,
                                   .global = { global },
                                   .local = { local },
                                   .args = args,
                                   .n_args = 2 };
    CHECK(!ventus_dev_run(d, &l, &r));
    CHECK_STR(r.fault.kind, "limit exceeded");
    if (!CHECK(strstr(r.message, "limit exceeded: max_ms")))
        puts(r.message);
    l.global[0] = local; /* the device can be used, and its clock begins anew */
    if (!CHECK(ventus_dev_run(d, &l, &r)))
        puts(r.message);
    ventus_dev_close(d);
}

TEST(many_short_workgroups_run_out_of_time)
{
    for (int i = 0; i < 4; i++) {
        const char *set[] = { engines[i / 2], threads[i % 2], "max_ms=150",
                              "private_pool=64M" };
        runs_out_of_time("far", 1 << 30, 64, set);
    }
}

/* The parts are as many workgroups as their private memory fits the pool. */
TEST(parts_of_a_launch_have_one_clock)
{
    for (int i = 0; i < 4; i++) {
        const char *set[] = { engines[i / 2], threads[i % 2], "max_ms=150",
                              "private_pool=64K" };
        runs_out_of_time("nothing", 1 << 30, 64, set);
    }
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

TEST(complete_records_behind_others_are_printed_when_a_launch_faults)
{
    static struct ventus_dev_result r;
    struct ventus_dev *d = ventus_dev_open(&(struct ventus_dev_options){ 0 });
    struct diag_sink sink = { .arena = &arena };
    size_t size;
    uint8_t *elf = file_read(&arena, PROGRAMS "/kernels.elf", &size, &sink);
    struct ventus_dev_program *p = ventus_dev_load(d, elf, size, "kernels");
    struct printed printed = { .next = 2 };
    const struct ventus_dev_hooks hooks = { .ctx = &printed,
                                            .print = on_print };
    const struct ventus_dev_launch l = { .kernel = ventus_dev_find(p, "torn"),
                                         .work_dim = 1,
                                         .hooks = &hooks };
    CHECK(!ventus_dev_run(d, &l, &r));
    CHECK(strstr(r.message, "unmapped memory"));
    CHECK_EQ(printed.records, 3);
    ventus_dev_close(d);
}

TEST_MAIN
