/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the runtime that need no device. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "cl/kernel/kernel.h"
#include "cl/program/cache_file.h"
#include "cl/program/process.h"
#include "test.h"

/* Divisors within the limit, whatever the range. */
TEST(group_sizes)
{
    for (size_t x = 1; x <= 300; x++)
        for (size_t y = 1; y <= 40; y += 3) {
            const size_t global[3] = { x, y, 5 };
            size_t local[3];
            group_choose(1024, 32, 3, global, local);
            CHECK(x % local[0] == 0 && y % local[1] == 0 && 5 % local[2] == 0);
            CHECK(local[0] * local[1] * local[2] <= 1024);
        }
}

static void
check_group(size_t x, size_t y, size_t lx, size_t ly)
{
    const size_t global[3] = { x, y, 1 };
    size_t local[3];
    group_choose(1024, 32, y > 1 ? 2 : 1, global, local);
    CHECK_EQ(local[0], lx);
    CHECK_EQ(local[1], ly);
}

TEST(group_sizes_are_good)
{
    check_group(1 << 20, 1, 256, 1);
    check_group(64, 1, 64, 1);
    check_group(1000, 1, 250, 1); /* 250 of 256 lanes work */
    check_group(997, 1, 997, 1);  /* a prime */
    check_group(1920, 1080, 128, 2);
    check_group(16, 16, 16, 16);
}

/* ---- the compiler's process ---- */

/* Its end is its own, though it has closed its output before. */
TEST(a_process_may_close_its_output_before_it_ends)
{
    const struct process_limits limits = { .cpu_ms = 5000 };
    const char *const args[] = { "/bin/sh", "-c",
                                 "echo said; exec >&- 2>&-; sleep 0.3; exit 7",
                                 NULL };
    const struct process_command command = { .args = args };
    char *env[] = { NULL };
    struct buf output = { 0 };
    int code = 0;
    CHECK_EQ(process_run(&command, env, &limits, &output, &code),
             PROCESS_EXITED);
    CHECK_EQ(code, 7);
    CHECK_EQ(output.n, 5);
    buf_free(&output);
}

/* What sleeps takes no processor time: the clock ends it, and what it started. */
TEST(a_process_that_sleeps_is_ended_by_the_clock)
{
    const struct process_limits limits = { .cpu_ms = 10 };
    const char *const args[] = { "/bin/sh", "-c",
                                 "sleep 60 & sleep 60; :", NULL };
    const struct process_command command = { .args = args };
    char *env[] = { NULL };
    struct buf output = { 0 };
    int code;
    cl_ulong begin = clock_now_ns();
    CHECK_EQ(process_run(&command, env, &limits, &output, &code),
             PROCESS_TIMEOUT);
    CHECK(clock_now_ns() - begin < 30 * UINT64_C(1000000000));
    buf_free(&output);
}

/* ---- the cache ---- */

/* The sweep takes those that were used longest ago: use is a time of the file,
 * and not of what a link in the folder refers to. */
TEST(a_use_of_an_entry_is_its_time)
{
    char path[] = "cl-unit-XXXXXX";
    const struct timespec old[2] = { { 1000, 0 }, { 1000, 0 } };
    struct stat st;
    int folder = CHECK(mkdtemp(path)) ? open(path, O_RDONLY | O_DIRECTORY) : -1;
    struct buf bytes = { 0 };
    buf_fill(&bytes, 7, 10);
    CHECK(cache_file_write(folder, "used", &bytes));
    CHECK_EQ(symlinkat("used", folder, "link"), 0);
    CHECK_EQ(utimensat(folder, "used", old, 0), 0);
    cache_file_touch(folder, "link");
    CHECK(fstatat(folder, "used", &st, 0) == 0 && st.st_mtime == 1000);
    cache_file_touch(folder, "used");
    CHECK(fstatat(folder, "used", &st, 0) == 0 && st.st_mtime > 1000);
    unlinkat(folder, "link", 0);
    unlinkat(folder, "used", 0);
    close(folder);
    rmdir(path);
    buf_free(&bytes);
}

TEST_MAIN
