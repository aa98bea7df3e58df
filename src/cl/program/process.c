/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* prlimit, closefrom */
#include "cl/program/process.h"
#include "base/clock.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/spawn.h"
#include "cl/api.h"
#include "cl/program/warm.h"

/* Sets limits, which child processes inherit; in whole seconds, rounded up. */
static void
limit_process(pid_t pid, const struct process_limits *l)
{
    assert(pid > 0);
    const rlim_t most = (rlim_t)(l->cpu_ms / 1000 + 1), B = l->memory_B;
    prlimit(pid, RLIMIT_CPU, &(struct rlimit){ most, most + 1 }, NULL);
    if (B)
        prlimit(pid, RLIMIT_AS, &(struct rlimit){ B, B }, NULL);
}

/* The processor time of a process and of its children that it has waited for (proc(5):
 * words 14 to 17, after a name in parentheses); 0 if the process has ended. */
static uint64_t
cpu_ms(pid_t pid)
{
    char path[64], text[1024];
    unsigned long long ticks[4] = { 0 };
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    FILE *in = fopen(path, "r");
    if (!in)
        return 0;
    size_t n = fread(text, 1, sizeof text - 1, in);
    fclose(in);
    text[n] = 0;
    const char *rest = strrchr(text, ')');
    if (!rest || sscanf(rest + 1,
                        " %*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
                        "%llu %llu %llu %llu",
                        &ticks[0], &ticks[1], &ticks[2], &ticks[3]) != 4)
        return 0;
    return (ticks[0] + ticks[1] + ticks[2] + ticks[3]) * 1000 /
           (uint64_t)sysconf(_SC_CLK_TCK);
}

/* Appends output up to the limit; the rest is dropped. */
static void
put_output(struct buf *output, size_t begin, const char *bytes, size_t n)
{
    assert(begin <= output->n);
    static const char cut[] = "\n... output beyond 16 MiB is dropped\n";
    const size_t most = begin + PROCESS_MAX_OUTPUT;
    size_t memory = output->n < most ? most - output->n : 0;
    buf_put(output, bytes, n < memory ? n : memory);
    if (memory && n >= memory)
        buf_put(output, cut, sizeof cut - 1);
}

/* Reads until the pipe is closed by all writers; false: the time is over.  The limit
 * is of processor time, so that a busy host costs none of it; a process that only
 * waits is ended by the wall clock. */
static bool
collect_output(int fd, pid_t pid, uint64_t limit_ms, struct buf *output,
               bool *memory)
{
    enum { LOOK_MS = 100 };
    const size_t begin = output->n;
    cl_ulong end = clock_now_ns() + limit_ms * PROCESS_PATIENCE * 1000000;
    for (;;) {
        struct pollfd p = { fd, POLLIN, 0 };
        if (clock_now_ns() >= end || cpu_ms(pid) >= limit_ms)
            return false;
        if (poll(&p, 1, LOOK_MS) <= 0)
            continue;
        char bytes[4096];
        *memory =
            buf_reserve(output, 2 * sizeof bytes); /* including the note */
        if (!*memory)
            return false;
        ssize_t n = read(fd, bytes, sizeof bytes);
        if (n > 0)
            put_output(output, begin, bytes, (size_t)n);
        else if (n == 0 || errno != EINTR)
            return true;
    }
}

static enum process_end
judge_status(int status, int *code)
{
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
    return WIFEXITED(status) ? PROCESS_EXITED : PROCESS_SIGNALLED;
}

static enum process_end
reap_process(pid_t pid, int *code)
{
    assert(pid > 0);
    int status;
    pid_t got;
    do {
        got = waitpid(pid, &status, 0);
    } while (got < 0 && errno == EINTR);
    return got < 0 ? PROCESS_UNKNOWN : judge_status(status, code);
}

/* The end of a process, of which its own part says `end`. */
static enum process_end
judge_end(enum process_end end, int code, bool in_time, bool memory)
{
    if (!memory)
        return PROCESS_NO_MEMORY;
    if (end == PROCESS_SIGNALLED && code == SIGXCPU)
        return PROCESS_TIMEOUT;
    return in_time ? end : PROCESS_TIMEOUT;
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

/* Lowers a limit of a run, as limit_process does. */
static void
lower_limit(struct rlimit *old, rlim_t soft, rlim_t hard)
{
    old->rlim_max = hard < old->rlim_max ? hard : old->rlim_max;
    old->rlim_cur = soft < old->rlim_max ? soft : old->rlim_max;
}

/* Asks the compiler that stays loaded for a run; false: it cannot. */
static bool
start_warm(const struct process_command *command, char **env,
           const struct process_limits *l, int out, struct fork_running *r)
{
    const rlim_t most = (rlim_t)(l->cpu_ms / 1000 + 1), B = l->memory_B;
    struct fork_run run = { .words = command->words, .env = env, .out = out };
    for (unsigned i = 0; i < RLIM_NLIMITS; i++)
        if (getrlimit((__rlimit_resource_t)i, &run.limits[i]) != 0)
            return false;
    lower_limit(&run.limits[RLIMIT_CPU], most, most + 1);
    if (B)
        lower_limit(&run.limits[RLIMIT_AS], B, B);
    return warm_run(command->warm, env, &run, r);
}

/* Runs a command in a process that is already loaded; false: none could be, or it was
 * lost, and the command is to be run by a program. */
static bool
run_warm(const struct process_command *command, char **env,
         const struct process_limits *limits, struct buf *output, int *code,
         enum process_end *end)
{
    enum { NOT_BEGUN = 127 }; /* base/fork_server.h */
    int fds[2], status;
    struct fork_running r;
    size_t begin = output->n;
    if (!open_pipe(fds))
        return false;
    bool started = start_warm(command, env, limits, fds[1], &r);
    close(fds[1]);
    if (!started) {
        close(fds[0]);
        return false;
    }
    bool memory = true;
    bool in_time =
        collect_output(fds[0], r.pid, limits->cpu_ms, output, &memory);
    if (!in_time)
        fork_client_kill(&r);
    close(fds[0]);
    bool known = fork_client_wait(&r, &status);
    *end = judge_end(known ? judge_status(status, code) : PROCESS_UNKNOWN,
                     *code, in_time, memory);
    if (!in_time || (known && !(*end == PROCESS_EXITED && *code == NOT_BEGUN)))
        return true;
    output->n = begin;
    return false;
}

/* Runs a command as a program. */
static enum process_end
run_program(const char *const *args, char **env,
            const struct process_limits *limits, struct buf *output, int *code)
{
    int fds[2];
    pid_t pid;
    if (!open_pipe(fds)) {
        *code = errno;
        return PROCESS_NOT_STARTED;
    }
    const struct spawn program = {
        .path = args[0], .args = args, .env = env, .out = fds[1], .err = fds[1]
    };
    *code = spawn_start(&program, &pid);
    close(fds[1]);
    if (*code) {
        close(fds[0]);
        return PROCESS_NOT_STARTED;
    }
    limit_process(pid, limits);
    bool memory = true;
    bool in_time = collect_output(fds[0], pid, limits->cpu_ms, output, &memory);
    if (!in_time)
        kill(-pid, SIGKILL);
    close(fds[0]);
    enum process_end end = reap_process(pid, code);
    return judge_end(end, *code, in_time, memory);
}

enum process_end
process_run(const struct process_command *command, char **env,
            const struct process_limits *limits, struct buf *output, int *code)
{
    enum process_end end;
    if (command->warm && run_warm(command, env, limits, output, code, &end))
        return end;
    return run_program(command->args, env, limits, output, code);
}
