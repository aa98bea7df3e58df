/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler that stays loaded: what a build gives, whom it belongs to, and its end. */
#define _GNU_SOURCE /* syscall, memmem */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cl.h"

static const char good[] = "kernel void k(global int *x) { *x = N; }\n";

/* The parent of a process; 0: it has ended. */
static int
parent_of(int pid)
{
    char path[64], state = 'X';
    int parent = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *in = fopen(path, "r");
    if (in && fscanf(in, "%*d (%*[^)]) %c %d", &state, &parent) != 2)
        parent = 0;
    if (in)
        fclose(in);
    return state == 'Z' || state == 'X' ? 0 : parent;
}

/* Whether a process is a compiler that was started to stay loaded for the client. */
static bool
serves(int pid, long client)
{
    char path[64], words[256], end[64];
    snprintf(path, sizeof path, "/proc/%d/cmdline", pid);
    FILE *in = fopen(path, "r");
    if (!in)
        return false;
    size_t n = fread(words, 1, sizeof words, in);
    fclose(in);
    int m = snprintf(end, sizeof end, "%c--serve%c%ld%c", 0, 0, client, 0);
    return memmem(words, n, end, (size_t)m) != NULL && parent_of(pid);
}

/* The number of the compiler that is loaded for a process; 0: there is none. */
static int
server_of(long client)
{
    int found = 0;
    DIR *all = opendir("/proc");
    for (const struct dirent *e; (e = readdir(all));) {
        int pid = atoi(e->d_name);
        if (pid > 0 && serves(pid, client) && !serves(parent_of(pid), client))
            found = pid;
    }
    closedir(all);
    return found;
}

/* Builds; the code, and the program's bytes. */
static cl_int
build(struct cl *t, const char *text, const char *options, unsigned char *bytes,
      size_t *size, char *log, size_t room)
{
    cl_program p = cl_source(t, text);
    cl_int code = clBuildProgram(p, 1, &t->device, options, NULL, NULL);
    *size = 0;
    if (code == CL_SUCCESS) {
        OK(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof *size, size,
                            NULL));
        CHECK(*size <= 1 << 20);
        OK(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof bytes, &bytes,
                            NULL));
    }
    snprintf(log, room, "%s", cl_log(p, t->device));
    OK(clReleaseProgram(p));
    return code;
}

static unsigned char one[1 << 20], other[1 << 20];
static char one_log[16384], other_log[16384];

/* Builds in the loaded compiler and by a program; the code, which must be the same. */
static cl_int
build_both(struct cl *t, const char *text, const char *options)
{
    size_t one_size, other_size;
    cl_int code =
        build(t, text, options, one, &one_size, one_log, sizeof one_log);
    CHECK(server_of(getpid()));
    setenv("VENTUS_WARM_COMPILER", "0", 1);
    cl_int again = build(t, text, options, other, &other_size, other_log,
                         sizeof other_log);
    unsetenv("VENTUS_WARM_COMPILER");
    CHECK_EQ(code, again);
    CHECK_EQ(one_size, other_size);
    CHECK(one_size == other_size && memcmp(one, other, one_size) == 0);
    return code;
}

TEST(it_gives_the_same_bytes_and_messages)
{
    struct cl t = cl_open(0);
    for (int i = 0; i < 4; i++) {
        OK(build_both(&t, good, "-DN=1 -g"));
        CHECK_STR(one_log, other_log);
        CHECK_EQ(build_both(&t, good, "-DN=y"), CL_BUILD_PROGRAM_FAILURE);
        CHECK(strstr(one_log, "undeclared identifier 'y'") != NULL);
        CHECK_STR(one_log, other_log);
        CHECK_EQ(build_both(&t, good, "-DN=1 -foo"), CL_INVALID_BUILD_OPTIONS);
        CHECK_STR(one_log, other_log);
    }
    cl_close(&t);
}

static void *
build_some(void *ctx)
{
    char options[32];
    for (int i = 0; i < 8; i++) {
        snprintf(options, sizeof options, "-DN=%d", i);
        OK(clReleaseProgram(cl_build(ctx, good, options)));
    }
    return NULL;
}

TEST(threads_build_at_once)
{
    struct cl t = cl_open(0);
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, build_some, &t), 0);
    for (int i = 0; i < 3; i++)
        CHECK_EQ(pthread_join(threads[i], NULL), 0);
    cl_close(&t);
}

static unsigned
count(const char *text, const char *word)
{
    unsigned n = 0;
    for (; (text = strstr(text, word)); text++)
        n++;
    return n;
}

/* The lines of a log without those of clang's stack, whose bottom differs. */
static unsigned
lines(const char *log)
{
    return count(log, "\n") - count(log, " 0x0000");
}

/* A build that ends clang, one without memory, one without time: each says what it
 * says in a process of its own, and the next one builds. */
TEST(a_build_that_fails_harms_no_other)
{
    struct cl t = cl_open(0);
    OK(clReleaseProgram(cl_build(&t, good, "-DN=1")));
    int server = server_of(getpid());
    CHECK_EQ(build_both(&t, "#pragma clang __debug crash\n", ""),
             CL_BUILD_PROGRAM_FAILURE);
    CHECK(strstr(one_log, "clang crashed on this input") != NULL);
    CHECK_EQ(count(one_log, "Program arguments: "), 1);
    CHECK_EQ(lines(one_log), lines(other_log));
    OK(clReleaseProgram(cl_build(&t, good, "-DN=2")));

    setenv("VENTUS_COMPILE_LIMIT_MB", "24", 1);
    CHECK_EQ(build_both(&t, good, "-DN=3"), CL_BUILD_PROGRAM_FAILURE);
    CHECK(strstr(one_log, "VENTUS_COMPILE_LIMIT_MB") != NULL);
    unsetenv("VENTUS_COMPILE_LIMIT_MB");
    OK(clReleaseProgram(cl_build(&t, good, "-DN=4")));

    static const char endless[] =
        "#define A(x) x x x x x x x x x x\n#define B(x) A(A(A(A(x))))\n"
        "#if 0 B(B(B(+ 1)))\n#endif\nint i = 0 B(B(B(+ 1)));\n";
    setenv("VENTUS_COMPILE_LIMIT_MS", "1000", 1);
    CHECK_EQ(build_both(&t, endless, ""), CL_BUILD_PROGRAM_FAILURE);
    CHECK(strstr(one_log, "VENTUS_COMPILE_LIMIT_MS") != NULL);
    unsetenv("VENTUS_COMPILE_LIMIT_MS");
    OK(clReleaseProgram(cl_build(&t, good, "-DN=5")));
    CHECK_EQ(server_of(getpid()), server);
    cl_close(&t);
}

/* The working folder and the environment are those of the moment of the build. */
TEST(a_build_sees_what_the_application_has_now)
{
    static const char includes[] =
        "#include \"here.h\"\nkernel void k(global int *x) { *x = HERE; }\n";
    char folder[] = "/tmp/ventus-test-XXXXXX", before[4096];
    struct cl t = cl_open(0);
    OK(clReleaseProgram(cl_build(&t, good, "-DN=1")));
    CHECK(getcwd(before, sizeof before) && mkdtemp(folder));
    CHECK_EQ(chdir(folder), 0);
    FILE *out = fopen("here.h", "w");
    fputs("#define HERE 7\n", out);
    fclose(out);
    OK(clReleaseProgram(cl_build(&t, includes, "-I .")));
    CHECK_EQ(remove("here.h"), 0);
    CHECK_EQ(chdir(before), 0);
    CHECK_EQ(rmdir(folder), 0);
    setenv("VENTUS_SANDBOX", "wrong", 1);
    CHECK_EQ(build_both(&t, good, "-DN=2"), CL_BUILD_PROGRAM_FAILURE);
    CHECK(strstr(one_log, "VENTUS_SANDBOX: expected") != NULL);
    CHECK_STR(one_log, other_log);
    unsetenv("VENTUS_SANDBOX");
    cl_close(&t);
}

/* An application may wait for all of its children. */
TEST(it_is_no_child_of_the_application)
{
    struct cl t = cl_open(0);
    OK(clReleaseProgram(cl_build(&t, good, "-DN=1")));
    int server = server_of(getpid());
    CHECK(server > 0);
    CHECK(parent_of(server) != getpid());
    CHECK_EQ(waitpid(-1, NULL, 0), -1);
    CHECK_EQ(errno, ECHILD);
    cl_close(&t);
}

/* Waits until a process has ended. */
static void
wait_for_end(int pid)
{
    int fd = (int)syscall(SYS_pidfd_open, pid, 0);
    struct pollfd end = { fd, POLLIN, 0 };
    if (fd < 0) {
        CHECK_EQ(errno, ESRCH);
        return;
    }
    while (poll(&end, 1, -1) < 0)
        CHECK_EQ(errno, EINTR);
    close(fd);
}

TEST(a_build_follows_its_end)
{
    struct cl t = cl_open(0);
    OK(clReleaseProgram(cl_build(&t, good, "-DN=1")));
    int server = server_of(getpid());
    CHECK(server > 0);
    CHECK_EQ(kill(server, SIGKILL), 0);
    wait_for_end(server);
    OK(clReleaseProgram(cl_build(&t, good, "-DN=2")));
    CHECK(server_of(getpid()) > 0);
    CHECK(server_of(getpid()) != server);
    cl_close(&t);
}

/* A child of the application has its own, also after one was loaded for the parent. */
TEST(a_child_has_its_own)
{
    struct cl t = cl_open(0);
    OK(clReleaseProgram(cl_build(&t, good, "-DN=1")));
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        struct cl own = cl_open(0);
        OK(clReleaseProgram(cl_build(&own, good, "-DN=2")));
        CHECK(server_of(getpid()) > 0);
        cl_close(&own);
        fflush(stdout);
        _exit(test_failures != 0);
    }
    int status = -1;
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    CHECK_EQ(status, 0);
    OK(clReleaseProgram(cl_build(&t, good, "-DN=3")));
    cl_close(&t);
}

/* Nothing is left of an application that is killed, even if a child of it, which has
 * copies of all of its files, lives on. */
/* An application may close all of its descriptors, and open others with the same
 * numbers. */
TEST(a_socket_of_the_application_is_not_the_compilers)
{
    enum { PAIRS = 40 };
    struct cl t = cl_open(0);
    struct stat s;
    int pairs[PAIRS][2], closed = 0;
    char byte;
    OK(clReleaseProgram(cl_build(&t, good, "-DN=1")));
    for (int fd = 3; fd < 64; fd++)
        if (fstat(fd, &s) == 0 && S_ISSOCK(s.st_mode))
            closed += close(fd) == 0;
    CHECK(closed >= 1);
    for (int i = 0; i < PAIRS; i++)
        CHECK_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pairs[i]), 0);
    OK(clReleaseProgram(cl_build(&t, good, "-DN=2")));
    for (int i = 0; i < PAIRS; i++)
        for (int k = 0; k < 2; k++) {
            CHECK_EQ(recv(pairs[i][k], &byte, 1, MSG_DONTWAIT), -1);
            CHECK_EQ(errno, EAGAIN);
        }
    for (int i = 0; i < 2 * PAIRS; i++)
        CHECK_EQ(close(pairs[i / 2][i % 2]), 0);
    cl_close(&t);
}

TEST(it_ends_with_the_application)
{
    int ready[2], hold[2];
    char byte;
    CHECK_EQ(pipe(ready), 0);
    CHECK_EQ(pipe(hold), 0);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        struct cl t = cl_open(0);
        OK(clReleaseProgram(cl_build(&t, good, "-DN=1")));
        OK(clReleaseProgram(cl_build(&t, good, "-DN=2")));
        close(hold[1]);
        if ((pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) == 0) {
            close(ready[1]);
            _exit(read(hold[0], &byte, 1) != 0); /* until the test is over */
        }
        CHECK_EQ(write(ready[1], "", 1), 1);
        for (;;)
            pause();
    }
    close(ready[1]);
    CHECK_EQ(read(ready[0], &byte, 1), 1);
    int server = server_of(pid);
    CHECK(server > 0);
    CHECK_EQ(kill(pid, SIGKILL), 0);
    CHECK_EQ(waitpid(pid, NULL, 0), pid);
    wait_for_end(server);
    CHECK_EQ(server_of(pid), 0);
    close(hold[1]);
    close(ready[0]);
    close(hold[0]);
}

TEST_MAIN_THAT_FORKS
