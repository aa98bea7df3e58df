/* SPDX-License-Identifier: Apache-2.0 */
/* How children end of a process whose queues and programs have threads. */
#include <sys/wait.h>
#include <unistd.h>

#include "cl.h"

static const char text[] =
    "kernel void k(global int *x) { x[0] = get_local_size(0); }\n";

static void
check_child(pid_t child)
{
    int status = -1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* A child made while threads of ours run ends as it should, by exit() and by
 * running another program, and we go on. */
TEST(a_child_ends_by_exit_or_another_program)
{
    struct cl t = cl_open(0);
    cl_program p = cl_build(&t, text, "");
    for (int i = 0; i < 4; i++) {
        CHECK_EQ(cl_result(&t, p), 1);
        fflush(stdout);
        pid_t child = fork();
        if (child == 0 && i % 2 == 0)
            exit(0);
        if (child == 0) {
            execl("/bin/true", "true", (char *)NULL);
            _exit(9);
        }
        CHECK_EQ(cl_result(&t, p), 1);
        check_child(child);
    }
    OK(clReleaseProgram(p));
    cl_close(&t);
}

TEST_MAIN_THAT_FORKS
