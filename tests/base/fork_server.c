/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* environ */
#include "base/fork_server.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fork_client.h"
#include "test.h"

/* Prints the words of a request and a variable, then ends as the first word says. */
static int
run(int n, char **words)
{
    const char *value = getenv("GIVEN");
    for (int i = 0; i < n; i++)
        dprintf(1, "%s,", words[i]);
    dprintf(2, "%s", value ? value : "none");
    if (strcmp(words[0], "abort") == 0)
        abort();
    while (strcmp(words[0], "wait") == 0)
        pause();
    return atoi(words[0]);
}

/* A server in a process of its own; returns the client's socket. */
static int
serve(pid_t *pid)
{
    int ends[2], status = 0;
    CHECK_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
    fflush(NULL);
    struct fork_server s = { .socket = ends[1],
                             .client = getpid(),
                             .run = run };
    *pid = fork();
    if (*pid == 0) {
        close(ends[0]);
        _exit(fork_server_serve(&s, &status) ? status : 0);
    }
    close(ends[1]);
    return ends[0];
}

static void
end(int socket, pid_t pid)
{
    int status = -1;
    close(socket);
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    CHECK_EQ(status, 0);
}

static bool
begin(int socket, const char *const *words, struct fork_running *r, int *out)
{
    static char given[] = "GIVEN=now";
    char *env[] = { given, NULL };
    int fds[2];
    CHECK_EQ(pipe(fds), 0);
    struct fork_run request = { .words = words, .env = env, .out = fds[1] };
    for (int i = 0; i < RLIM_NLIMITS; i++)
        getrlimit((__rlimit_resource_t)i, &request.limits[i]);
    request.limits[RLIMIT_CORE] = (struct rlimit){ 0, 0 };
    bool ok = fork_client_run(socket, &request, r);
    close(fds[1]);
    *out = fds[0];
    return ok;
}

/* Reads all that a run writes, as a string. */
static void
read_all(int fd, char *text, size_t room)
{
    size_t n = 0;
    for (ssize_t got;
         n < room - 1 && (got = read(fd, text + n, room - 1 - n)) > 0;)
        n += (size_t)got;
    text[n] = 0;
    close(fd);
}

TEST(a_run_has_its_words_and_its_environment)
{
    pid_t pid;
    int socket = serve(&pid);
    for (int i = 0; i < 3; i++) {
        struct fork_running r;
        int out, status = -1;
        char text[64];
        CHECK(begin(socket, (const char *const[]){ "7", "a b", "", NULL }, &r,
                    &out));
        read_all(out, text, sizeof text);
        CHECK_STR(text, "7,a b,,now");
        CHECK(fork_client_wait(&r, &status));
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    }
    end(socket, pid);
}

TEST(a_run_that_crashes_or_is_killed_harms_no_other)
{
    pid_t pid;
    int socket = serve(&pid), status = -1;
    struct fork_running waits, crashes, ends;
    int fd[3];
    CHECK(begin(socket, (const char *const[]){ "wait", NULL }, &waits, &fd[0]));
    CHECK(begin(socket, (const char *const[]){ "abort", NULL }, &crashes,
                &fd[1]));
    CHECK(fork_client_wait(&crashes, &status));
    CHECK(WIFSIGNALED(status) ||
          WEXITSTATUS(status) != 0); /* a sanitizer's exit */
    CHECK(begin(socket, (const char *const[]){ "3", NULL }, &ends, &fd[2]));
    CHECK(fork_client_wait(&ends, &status));
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    fork_client_kill(&waits);
    CHECK(fork_client_wait(&waits, &status));
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    for (int i = 0; i < 3; i++)
        close(fd[i]);
    end(socket, pid);
}

/* Whoever asks for a run of a server that has ended is told so. */
TEST(a_server_that_has_ended)
{
    pid_t pid;
    int socket = serve(&pid), out, status;
    struct fork_running r;
    CHECK(begin(socket, (const char *const[]){ "wait", NULL }, &r, &out));
    CHECK_EQ(kill(pid, SIGKILL), 0);
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    CHECK(!fork_client_wait(&r, &status)); /* it ended with the server */
    close(out);
    CHECK(!begin(socket, (const char *const[]){ "0", NULL }, &r, &out));
    close(out);
    close(socket);
}

TEST_MAIN
