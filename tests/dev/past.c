/* SPDX-License-Identifier: Apache-2.0 */
/* Launches that a debugger may go back to: how many are kept, and which. */
#include "test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "dev/capture/past.h"

/* A descriptor of a file of `size` bytes. */
static int
file_of(off_t size)
{
    char name[] = "/tmp/ventus-past-XXXXXX";
    int fd = mkstemp(name);
    unlink(name);
    CHECK(fd >= 0 && ftruncate(fd, size) == 0);
    return fd;
}

static bool
is_open(int fd)
{
    return fcntl(fd, F_GETFD) >= 0;
}

TEST(the_oldest_go_when_all_are_too_large)
{
    struct past p = { .max_B = 1000 };
    int first = file_of(400);
    past_add(&p, first, "a", "a.cl");
    past_add(&p, file_of(300), "b", "b.cl");
    past_add(&p, file_of(300), "c", "c.cl");
    CHECK_EQ(p.n, 3);
    CHECK_EQ(p.used_B, 1000);
    CHECK_STR(past_find(&p, 0)->kernel, "a");
    past_add(&p, file_of(500), "d", "d.cl");
    CHECK_EQ(p.launches, 4);
    CHECK_EQ(p.n, 2);
    CHECK_EQ(p.used_B, 800);
    CHECK_STR(past_find(&p, 2)->kernel, "c");
    CHECK_STR(past_find(&p, 3)->program, "d.cl");
    CHECK(!is_open(first));
    past_free(&p);
}

TEST(one_that_is_too_large_leaves_nothing)
{
    struct past p = { .max_B = 1000 };
    past_add(&p, file_of(10), "a", "");
    past_add(&p, file_of(1001), "b", "");
    CHECK_EQ(p.n, 0);
    CHECK_EQ(p.used_B, 0);
    past_add(&p, file_of(5), "c", "");
    CHECK_EQ(p.launches, 3);
    CHECK_STR(past_find(&p, 2)->kernel, "c");
    past_free(&p);
}

/* Nothing before a gap is kept: numbers would be of other launches. */
TEST(a_launch_without_recording_is_a_gap)
{
    struct past p = { .max_B = 1000 };
    past_add(&p, file_of(10), "a", "");
    past_add(&p, -1, "b", "");
    past_add(&p, file_of(20), "c", "");
    CHECK_EQ(p.launches, 3);
    CHECK_EQ(p.n, 1);
    CHECK_EQ(p.used_B, 20);
    CHECK_STR(past_find(&p, 2)->kernel, "c");
    past_free(&p);
}

TEST_MAIN
