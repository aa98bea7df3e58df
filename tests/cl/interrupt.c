/* SPDX-License-Identifier: Apache-2.0 */
/* Ctrl-C of `ventus run` in an application that has closed all descriptors, and has files
 * with their numbers: nothing of theirs is read or written. */
#define _GNU_SOURCE /* closefrom */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cl.h"

enum { FILES = 16 };

static const char source[] = "kernel void k(global int *x) { *x = 1; }\n";

/* The application; Ctrl-C ends it with status 130. */
static _Noreturn void
run_application(const char *folder)
{
    char path[64];
    struct cl t = cl_open(0);
    size_t one = 1;
    cl_int code;
    cl_program p = cl_build(&t, source, "");
    cl_kernel k = clCreateKernel(p, "k", &code);
    cl_mem x =
        clCreateBuffer(t.context, CL_MEM_READ_WRITE, sizeof(int), NULL, &code);
    OK(clSetKernelArg(k, 0, sizeof(cl_mem), &x));
    OK(clEnqueueNDRangeKernel(t.queue, k, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clFinish(t.queue));
    closefrom(3);
    for (int i = 0; i < FILES; i++) {
        snprintf(path, sizeof path, "%s/%d", folder, i);
        CHECK(open(path, O_RDWR | O_CREAT, 0600) >= 0);
    }
    raise(SIGINT);
    for (;;)
        pause();
}

TEST(files_of_the_application_stay_as_they_are)
{
    char folder[] = "/tmp/ventus-interrupt-XXXXXX", path[64];
    struct stat s;
    int status;
    CHECK(mkdtemp(folder));
    setenv("VENTUS_INTERRUPT", "1", 1);
    pid_t pid = fork();
    if (pid == 0)
        run_application(folder);
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    CHECK(WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 130);
    for (int i = 0; i < FILES; i++) {
        snprintf(path, sizeof path, "%s/%d", folder, i);
        CHECK_EQ(stat(path, &s), 0);
        CHECK_EQ(s.st_size, 0);
        unlink(path);
    }
    rmdir(folder);
}

TEST_MAIN
