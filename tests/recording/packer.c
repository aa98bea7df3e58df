/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks that a thread packs: more than wait at once, a full disk, a fork. */
#include "test.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recording/packer.h"
#include "recording/reader.h"
#include "recording/writer.h"

static char folder[64], path[96];

__attribute__((constructor)) static void
make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/ventus-packer-XXXXXX");
    if (!mkdtemp(folder))
        abort();
    snprintf(path, sizeof path, "%s/a.rec", folder);
}

__attribute__((destructor)) static void
remove_folder(void)
{
    rmdir(folder); /* empty: of what failed nothing is left */
}

/* Pages that differ, and that no packer makes smaller. */
static void
make_page(uint8_t *page, uint64_t number)
{
    uint64_t x = number + 1;
    for (size_t i = 0; i < RECORDING_PAGE; i += sizeof x) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        memcpy(page + i, &x, sizeof x);
    }
}

static void
write_pages(struct recording_writer *w, uint64_t from, uint64_t to)
{
    uint8_t page[RECORDING_PAGE];
    for (uint64_t i = from; i < to; i++) {
        make_page(page, i);
        CHECK_EQ(recording_writer_page(w, page), i + 1);
    }
}

static void
write_launch(struct recording_writer *w)
{
    struct recording_launch l = { .kernel = "k",
                                  .work_dim = 1,
                                  .global = { 1, 1, 1 },
                                  .local = { 1, 1, 1 } };
    l.program = recording_writer_program(w, "elf", 3);
    recording_writer_launch(w, &l);
}

static void
check_pages(uint64_t n)
{
    struct arena arena = { 0 };
    struct diag_sink sink = { .arena = &arena };
    uint8_t page[RECORDING_PAGE], wanted[RECORDING_PAGE];
    struct recording *r = recording_open(path, &sink);
    CHECK(r != NULL);
    for (uint64_t i = 0; r && i < n; i++) {
        make_page(wanted, i);
        if (!CHECK(recording_read_page(r, i + 1, page, &sink)) ||
            !CHECK(memcmp(page, wanted, sizeof page) == 0))
            break;
    }
    recording_close(r);
    arena_free(&arena);
}

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

/* The child, which has no thread, neither waits for it nor writes. */
TEST(a_forked_child_writes_nothing)
{
    struct recording_writer *w = recording_writer_open(path);
    if (!CHECK(w != NULL))
        return;
    write_pages(w, 0, 300);
    pid_t child = fork();
    if (child == 0) {
        alarm(60); /* if it waits */
        write_pages(w, 300, 3 * (PACKER_WAITING / RECORDING_PAGE));
        write_launch(w);
        _exit(recording_writer_ok(w));
    }
    int status = -1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK_EQ(status, 0);
    write_pages(w, 300, 600);
    write_launch(w);
    CHECK(recording_writer_close(w, true));
    check_pages(600);
    unlink(path);
}

TEST_MAIN
