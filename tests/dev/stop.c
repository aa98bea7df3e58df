/* SPDX-License-Identifier: Apache-2.0 */
/* A launch that the host ends: on both engines, wherever it is. */
#include "test.h"

#include <pthread.h>
#include <stdint.h>
#include <time.h>

#include <ventus/dev.h>

#include "base/file.h"

static struct arena arena;

static struct ventus_dev *
open_device(const char *engine, const char *setting)
{
    /* A host that comes late to stop a loop finds no deadlock in its place. */
    const char *set[] = { engine, setting, "deadlock=1000000000000" };
    struct ventus_dev *d =
        ventus_dev_open(&(struct ventus_dev_options){ .set = set, .n_set = 3 });
    if (!CHECK(d))
        puts(ventus_dev_message());
    return d;
}

static const struct ventus_dev_kernel *
load(struct ventus_dev *d, const char *kernel)
{
    struct diag_sink sink = { .arena = &arena };
    size_t size;
    uint8_t *elf = file_read(&arena, PROGRAMS "/kernels.elf", &size, &sink);
    struct ventus_dev_program *p =
        elf ? ventus_dev_load(d, elf, size, "kernels") : NULL;
    return CHECK(p) ? ventus_dev_find(p, kernel) : NULL;
}

static struct ventus_dev_ticket *
submit_number(struct ventus_dev *d, const struct ventus_dev_kernel *kernel,
              uint64_t x, uint64_t groups, uint32_t number)
{
    struct ventus_dev_arg args[] = { ventus_dev_buffer(x),
                                     ventus_dev_bytes(&number, 4) };
    struct ventus_dev_launch l = { .kernel = kernel,
                                   .work_dim = 1,
                                   .global = { 64 * groups },
                                   .local = { 64 },
                                   .args = args,
                                   .n_args = 2,
                                   .stats = true };
    struct ventus_dev_ticket *t = ventus_dev_submit(d, &l);
    if (!CHECK(t))
        puts(ventus_dev_message());
    return t;
}

static struct ventus_dev_ticket *
submit_on(struct ventus_dev *d, const struct ventus_dev_kernel *kernel,
          uint64_t x, uint64_t groups)
{
    return submit_number(d, kernel, x, groups, 1);
}

static struct ventus_dev_ticket *
submit(struct ventus_dev *d, const char *kernel, uint64_t groups)
{
    const struct ventus_dev_kernel *k = load(d, kernel);
    return submit_on(d, k, ventus_dev_alloc(d, 4 << 20, 0), groups);
}

static void
pause_ms(long ms)
{
    nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000 }, NULL);
}

static bool
says(const char *message, const char *words)
{
    bool found = strstr(message, words) != NULL;
    if (!found)
        printf("found: %s\n", message);
    return found;
}

static const char *const engines[] = { "engine=sim", "engine=model" };
static const char *const threads[] = { "host_threads=1", "host_threads=2" };

/* Workgroups that have ended and instructions of the others, so many at least; fewer if
 * the launch has ended, which the test finds. */
static void
wait_until(const struct ventus_dev_ticket *t, uint64_t ended, uint64_t executed)
{
    uint64_t all;
    while (ventus_dev_query(t) < VENTUS_DEV_DONE &&
           (ventus_dev_progress(t, &all) < ended ||
            ventus_dev_executed(t) < executed))
        pause_ms(1);
}

static void
stop_and_use_again(struct ventus_dev *d, struct ventus_dev_ticket *t,
                   struct ventus_dev_result *r)
{
    ventus_dev_stop(t);
    CHECK(!ventus_dev_wait(t, r));
    CHECK_STR(r->fault.kind, "stopped");
    CHECK(r->stats.warp_instructions > 1000);
    ventus_dev_ticket_free(t);
    t = submit(d, "put", 4);
    CHECK(ventus_dev_wait(t, NULL));
    ventus_dev_ticket_free(t);
    ventus_dev_close(d);
}

/* All warps of two workgroups are in their loop when the third has ended. */
TEST(loops_without_end_are_stopped_and_say_where_all_warps_are)
{
    for (int i = 0; i < 2; i++) {
        static struct ventus_dev_result r;
        struct ventus_dev *d = open_device(engines[0], threads[i]);
        struct ventus_dev_ticket *t = submit_number(
            d, load(d, "gather"), ventus_dev_alloc(d, 4, 0), 3, 2 * 64);
        wait_until(t, 1, 1001);
        stop_and_use_again(d, t, &r);
        CHECK(says(r.message, "kernel 'gather': stopped at pc 0x8000"));
        CHECK(says(r.message, "rest ("));
        CHECK(says(r.message, "\n  workgroup 2: warp 0 "));
        CHECK_EQ(r.cycles, 0);
    }
}

/* Its cycle-level model has one workgroup at a time. */
TEST(a_loop_without_end_is_stopped_on_the_model)
{
    for (int i = 0; i < 2; i++) {
        static struct ventus_dev_result r;
        struct ventus_dev *d = open_device(engines[1], threads[i]);
        struct ventus_dev_ticket *t = submit(d, "spin", 2);
        wait_until(t, 0, 1001);
        stop_and_use_again(d, t, &r);
        CHECK(says(r.message, "kernel 'spin': stopped at pc 0x8000"));
        CHECK(says(r.message, "spin ("));
        /* Warps at the same place are named together. */
        CHECK(says(r.message, ", workgroup 0: warp 0 "));
        CHECK(r.cycles > 1000);
    }
}

/* None of them is long enough to be looked at while it runs, and together they take longer
 * than any host is late. */
TEST(a_launch_of_short_workgroups_is_stopped)
{
    for (int i = 0; i < 4; i++) {
        static struct ventus_dev_result r;
        struct ventus_dev *d = open_device(engines[i / 2], threads[i % 2]);
        struct ventus_dev_ticket *t = submit_number(
            d, load(d, "far"), ventus_dev_alloc(d, 4, 0), 1 << 25, 0);
        uint64_t all;
        wait_until(t, 8, 0);
        ventus_dev_stop(t);
        CHECK(!ventus_dev_wait(t, &r));
        CHECK(says(r.message, "kernel 'far': stopped"));
        CHECK(ventus_dev_progress(t, &all) < all);
        ventus_dev_ticket_free(t);
        ventus_dev_close(d);
    }
}

TEST(a_launch_that_waits_is_stopped_when_its_turn_comes)
{
    static struct ventus_dev_result r;
    struct ventus_dev *d = open_device(engines[0], threads[0]);
    /* Memory calls wait for the launch that runs: all before it begins. */
    const struct ventus_dev_kernel *spin = load(d, "spin");
    const struct ventus_dev_kernel *put = load(d, "put");
    uint64_t x = ventus_dev_alloc(d, 4096, 0);
    struct ventus_dev_ticket *first = submit_on(d, spin, x, 1);
    struct ventus_dev_ticket *second = submit_on(d, put, x, 1);
    ventus_dev_stop(second);
    CHECK(ventus_dev_query(second) == VENTUS_DEV_QUEUED);
    ventus_dev_stop(first);
    CHECK(!ventus_dev_wait(second, &r));
    CHECK_STR(r.message, "kernel 'put': stopped before workgroup 0");
    CHECK_EQ(r.stats.warp_instructions, 0);
    ventus_dev_ticket_free(first);
    ventus_dev_stop(second); /* it has ended: nothing happens */
    CHECK(ventus_dev_query(second) == VENTUS_DEV_FAILED);
    ventus_dev_ticket_free(second);
    ventus_dev_close(d);
}

int
main(int argc, char **argv)
{
    int status = test_main(argc, argv);
    arena_free(&arena);
    return status;
}
