/* SPDX-License-Identifier: Apache-2.0 */
/* A fork while a thread packs blocks. */
#include <sys/wait.h>

#include "packing.h"

/* The child, which has no thread, neither waits for it nor writes. */
TEST(a_forked_child_writes_nothing)
{
    struct recording_writer *w = recording_writer_open(path);
    if (!CHECK(w != NULL))
        return;
    write_pages(w, 0, 300);
    pid_t child = fork();
    if (child == 0) {
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

TEST_MAIN_THAT_FORKS
