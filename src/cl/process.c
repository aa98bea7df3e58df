/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/env.h"
#include "cl/api.h"

/* A group of its own, so that it can be killed with its children, and signals
 * as a program expects them, whatever the application did. */
static int
spawn(const char *const *args, char **env, int output, pid_t *pid)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attr;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, output, 1);
    posix_spawn_file_actions_adddup2(&files, output, 2);
    posix_spawnattr_init(&attr);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP |
                                        POSIX_SPAWN_SETSIGMASK |
                                        POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attr, 0);
    posix_spawnattr_setsigmask(&attr, &none);
    posix_spawnattr_setsigdefault(&attr, &all);
    int error = posix_spawn(pid, args[0], &files, &attr,
                            (char *const *)(uintptr_t)args, env);
    posix_spawnattr_destroy(&attr);
    posix_spawn_file_actions_destroy(&files);
    return error;
}

/* Reads until nobody has the pipe open any more; false: time is up. */
static bool
collect(int fd, uint64_t limit_ms, struct buf *output)
{
    cl_ulong end = cl_now_ns() + limit_ms * 1000000;
    for (;;) {
        cl_ulong now = cl_now_ns();
        struct pollfd p = { fd, POLLIN, 0 };
        if (now >= end)
            return false;
        cl_ulong left = (end - now) / 1000000 + 1;
        if (poll(&p, 1, left < 60000 ? (int)left : 60000) <= 0)
            continue;
        char bytes[4096];
        ssize_t n = read(fd, bytes, sizeof bytes);
        if (n > 0)
            buf_put(output, bytes, (size_t)n);
        else if (n == 0 || errno != EINTR)
            return true;
    }
}

static enum process_end
reap(pid_t pid, int *code)
{
    int status;
    pid_t got;
    do {
        got = waitpid(pid, &status, 0);
    } while (got < 0 && errno == EINTR);
    if (got < 0)
        return PROCESS_UNKNOWN;
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
    return WIFEXITED(status) ? PROCESS_EXITED : PROCESS_SIGNALLED;
}

static bool
open_pipe(int fds[2])
{
    if (pipe(fds) != 0)
        return false;
    fcntl(fds[0], F_SETFD, FD_CLOEXEC);
    fcntl(fds[1], F_SETFD, FD_CLOEXEC);
    return true;
}

enum process_end
process_run(const char *const *args, uint64_t limit_ms, struct buf *output,
            int *code)
{
    int fds[2];
    pid_t pid;
    if (!open_pipe(fds)) {
        *code = errno;
        return PROCESS_NOT_STARTED;
    }
    struct arena a = { 0 };
    *code = spawn(args, env_of_compiler(&a), fds[1], &pid);
    arena_free(&a);
    close(fds[1]);
    if (*code) {
        close(fds[0]);
        return PROCESS_NOT_STARTED;
    }
    bool in_time = collect(fds[0], limit_ms, output);
    if (!in_time)
        kill(-pid, SIGKILL);
    close(fds[0]);
    enum process_end end = reap(pid, code);
    return in_time ? end : PROCESS_TIMEOUT;
}
