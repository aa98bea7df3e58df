/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks that a thread packs: more than wait at once, a full disk. */
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "packing.h"

/* Three times what may wait. */
TEST(pages_beyond_the_bound_wait_and_are_in_order)
{
    enum { N = 3 * (PACKER_WAITING / RECORDING_PAGE) + 5 };
    struct recording_writer *w = recording_writer_open(path);
    if (!CHECK(w != NULL))
        return;
    write_pages(w, 0, N / 2);
    write_launch(w);
    write_pages(w, N / 2, N);
    write_launch(w);
    CHECK(recording_writer_close(w, true));
    check_pages(N);
    unlink(path);
}

TEST(a_recording_that_is_not_wanted_leaves_nothing)
{
    struct stat st;
    struct recording_writer *w = recording_writer_open(path);
    if (!CHECK(w != NULL))
        return;
    write_pages(w, 0, 1000);
    CHECK(recording_writer_close(w, false));
    CHECK_EQ(stat(path, &st), -1);
}

/* The thread fails; the program hears of it, at the latest when it closes. */
TEST(a_write_that_fails_is_said_at_the_end)
{
    struct rlimit old, small;
    struct stat st;
    CHECK_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, SIG_IGN);
    small = (struct rlimit){ 1 << 20, old.rlim_max };
    CHECK_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    struct recording_writer *w = recording_writer_open(path);
    if (CHECK(w != NULL)) {
        write_pages(w, 0, 3 * (PACKER_WAITING / RECORDING_PAGE));
        CHECK(!recording_writer_ok(w)); /* more than waits: it is known */
        write_launch(w);
        errno = 0;
        CHECK(!recording_writer_close(w, true));
        CHECK_EQ(errno, EFBIG);
    }
    CHECK_EQ(stat(path, &st), -1);
    CHECK_EQ(setrlimit(RLIMIT_FSIZE, &old), 0);
}

TEST_MAIN
