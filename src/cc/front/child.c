/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* memfd_create, closefrom, environ */
#include "cc/front/child.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/env.h"
#include "base/vec.h"

bool
front_child_fail(struct diag_sink *sink, const char *what, int error)
{
    diag_report(sink, DIAG_ERROR, (struct diag_at){ 0 }, "%s: %s", what,
                strerror(error));
    return false;
}

/*
 * The compiler's, and no names in the stack of a crash: those want a file and
 * another process, and LLVM's programs end at the first without saying what happened.
 */
char **
front_child_environment(struct arena *a)
{
    vec(char *) list = { 0 };
    for (char **from = env_of_compiler(a); *from; from++)
        vec_push(a, &list, *from);
    vec_push(a, &list, "LLVM_DISABLE_SYMBOLIZATION=1");
    vec_push(a, &list, NULL);
    return list.at;
}

/* ---- start ---- */

/* The path of a program as execvp finds it; the name itself if there is none. */
static const char *
find_in_path(struct arena *a, const char *name)
{
    const char *list = env_get("PATH");
    for (list = list ? list : "/usr/bin:/bin"; list;) {
        size_t n = strcspn(list, ":");
        const char *path = n ? arena_printf(a, "%.*s/%s", (int)n, list, name)
                             : arena_printf(a, "./%s", name);
        if (access(path, X_OK) == 0)
            return path;
        list = list[n] ? list + n + 1 : NULL;
    }
    return name;
}

const char *
front_child_path(struct arena *a, const char *variable, const char *name)
{
    const char *named = variable ? env_get(variable) : NULL;
    if (named)
        name = named;
    return strchr(name, '/') ? name : find_in_path(a, name);
}

static void
close_all(const int *fds, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (fds[i] >= 0)
            close(fds[i]);
}

/* Pairs of [ours, the child's].  Sockets, since writing to one whose reader died
 * need not raise a signal. */
static bool
open_pipes(int fds[6])
{
    for (unsigned i = 0; i < 6; i++)
        fds[i] = -1;
    for (unsigned i = 0; i < 3; i++)
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds + 2 * i) != 0)
            return false;
    for (unsigned i = 0; i < 6; i++)
        fcntl(fds[i], F_SETFD, FD_CLOEXEC);
    for (unsigned i = 0; i < 6; i += 2)
        fcntl(fds[i], F_SETFL, O_NONBLOCK);
    return true;
}

/* A file in memory with the whole input; -1: errno says why there is none. */
static int
make_file(const struct front_child *c)
{
    int fd = memfd_create("input", MFD_CLOEXEC);
    for (unsigned i = 0; fd >= 0 && i < 2; i++) {
        const struct front_piece *piece = &c->input[i];
        for (size_t at = 0; at < piece->size;) {
            ssize_t n =
                write(fd, (const char *)piece->at + at, piece->size - at);
            if (n < 0 && errno == EINTR)
                continue;
            if (n <= 0) {
                close(fd);
                return -1;
            }
            at += (size_t)n;
        }
    }
    return fd;
}

/* Puts the file with the input in the place of the first pipe. */
static bool
put_file(const struct front_child *c, int fds[6])
{
    close_all(fds, 2);
    fds[0] = -1;
    fds[1] = make_file(c);
    return fds[1] >= 0;
}

/* Gives a process that was forked what execve would: default handlers of signals, no
 * stack for them, no files but the first three. */
static void
forget_parent(void)
{
    struct sigaction old;
    const struct sigaction fresh = { .sa_handler = SIG_DFL };
    for (int i = 1; i < SIGRTMIN; i++)
        if (sigaction(i, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(i, &fresh, NULL);
    sigaltstack(&(stack_t){ .ss_flags = SS_DISABLE }, NULL);
    closefrom(3);
}

/* Runs the function in place of a program, in the sandbox; returns if that cannot be
 * entered. */
static void
run_inside(const struct front_child *c, const char *program, char **args,
           char **env, const char **what)
{
    forget_parent();
    environ = env;
    if (sandbox_enter_child(c->sandbox, what))
        _exit(c->inside(program, args));
}

/* Runs the program, or says in its log why not.  It ends with its parent, whatever ends
 * that: what waits for a pipe would stay for ever. */
static _Noreturn void
run_program(const struct front_child *c, const char *program, char **args,
            char **env, const int fds[6], pid_t parent)
{
    const char *what = program;
    bool ok = true;
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() != parent)
        _exit(127);
    for (int i = 0; ok && i < 3; i++)
        ok = dup2(fds[2 * i + 1], i) == i;
    if (ok && c->inside)
        run_inside(c, program, args, env, &what);
    else if (ok)
        sandbox_exec(c->sandbox, program, args, env, &what);
    dprintf(2, "error: %s: %s\n", what, strerror(errno));
    _exit(127);
}

bool
front_child_start(struct front_child *c, const struct sandbox *sandbox,
                  const char *program, char **args, char **env,
                  struct diag_sink *sink)
{
    static const struct sandbox open = { .mode = SANDBOX_OFF };
    c->sandbox = sandbox ? sandbox : &open;
    c->sent = 0;
    c->pid = -1;
    int fds[6];
    pid_t self = getpid();
    if (open_pipes(fds) && (!c->by_file || put_file(c, fds)))
        c->pid = fork();
    if (c->pid == 0)
        run_program(c, program, args, env, fds, self);
    int error = errno;
    close_all((int[]){ fds[1], fds[3], fds[5] }, 3);
    c->in = fds[0];
    c->out = fds[2];
    c->err = fds[4];
    if (c->pid > 0)
        return true;
    close_all((int[]){ fds[0], fds[2], fds[4] }, 3);
    return front_child_fail(
        sink, arena_printf(sink->arena, "cannot start %s", args[0]), error);
}

bool
front_child_close_calls(struct front_child *children, unsigned n,
                        struct diag_sink *sink)
{
    pid_t pids[SANDBOX_CHILDREN] = { 0 };
    assert(n && n <= SANDBOX_CHILDREN && "the sandbox knows its children");
    for (unsigned i = 0; i < n; i++)
        pids[i] = children[i].pid;
    if (sandbox_close_calls(children[0].sandbox, pids, sink))
        return true;
    for (unsigned i = 0; i < n; i++)
        front_child_drop(&children[i]);
    return false;
}

/* ---- the exchange of data ---- */

static void
close_pipe(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

unsigned
front_child_limit_s(const struct front_child *c)
{
    return c->sandbox->cpu_s;
}

/* Sends what fits of the input. */
static void
feed(struct front_child *c)
{
    size_t first = c->input[0].size;
    bool in_first = c->sent < first;
    const struct front_piece *piece = &c->input[in_first ? 0 : 1];
    size_t at = in_first ? c->sent : c->sent - first;
    size_t left = piece->size - at;
    ssize_t n =
        left ? send(c->in, (const char *)piece->at + at, left, MSG_NOSIGNAL)
             : 0;
    if (n > 0)
        c->sent += (size_t)n;
    else if (n == 0 || (errno != EAGAIN && errno != EINTR))
        close_pipe(&c->in);
}

static void
drain_pipe(int *fd, struct buf *to)
{
    char chunk[65536];
    ssize_t n = read(*fd, chunk, sizeof chunk);
    if (n > 0)
        buf_put(to, chunk, (size_t)n);
    else if (n == 0 || (errno != EAGAIN && errno != EINTR))
        close_pipe(fd);
}

/*
 * Exchanges data with the child until it has closed its ends.  False: it waits for
 * something, and time is up by the clock, of which a busy host takes many times the
 * processor's.
 */
static bool
exchange_data(struct front_child *c, struct buf *out, struct buf *log)
{
    enum { PATIENCE = 20 };
    unsigned limit_s = front_child_limit_s(c);
    long long end = (long long)clock_now_ms() + 1000LL * PATIENCE * limit_s;
    while (c->out >= 0 || c->err >= 0) {
        struct pollfd fds[] = { { c->in, POLLOUT, 0 },
                                { c->out, POLLIN, 0 },
                                { c->err, POLLIN, 0 } };
        long long left = end - (long long)clock_now_ms();
        if (limit_s && left <= 0)
            return false;
        int wait = left > INT_MAX || !limit_s ? -1 : (int)left;
        if (poll(fds, 3, wait) < 0)
            continue;
        if (fds[0].revents)
            feed(c);
        if (fds[1].revents)
            drain_pipe(&c->out, out);
        if (fds[2].revents)
            drain_pipe(&c->err, log);
    }
    return true;
}

static bool
wait_for(const struct front_child *c, int *status)
{
    while (waitpid(c->pid, status, 0) < 0)
        if (errno != EINTR)
            return false;
    return true;
}

bool
front_child_run(struct front_child *c, struct buf *out, struct buf *log,
                bool *in_time, int *status)
{
    *in_time = exchange_data(c, out, log);
    if (!*in_time)
        kill(c->pid, SIGKILL);
    close_pipe(&c->in);
    close_pipe(&c->out);
    close_pipe(&c->err);
    return wait_for(c, status);
}

void
front_child_drop(struct front_child *c)
{
    int status;
    close_pipe(&c->in);
    close_pipe(&c->out);
    close_pipe(&c->err);
    kill(c->pid, SIGKILL);
    wait_for(c, &status);
}

bool
front_child_used_up(int status)
{
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU;
}
