/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* environ, closefrom, POLLRDHUP */
#include "base/fork_server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the forked process ---- */

static bool
read_all(int fd, void *to, size_t size)
{
    for (char *at = to; size;) {
        ssize_t n = read(fd, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

/* Splits n strings off; NULL: the text ends before. */
static char **
split(char **at, const char *end, uint32_t n)
{
    char **list = calloc((size_t)n + 1, sizeof *list);
    for (uint32_t i = 0; list && i < n; i++) {
        char *zero = memchr(*at, 0, (size_t)(end - *at));
        if (!zero)
            return NULL;
        list[i] = *at;
        *at = zero + 1;
    }
    return list;
}

/* Puts the process where a program of the client's own would begin: files, signals,
 * group, and an end with its parent. */
static bool
settle(const int files[FORK_FILES], pid_t server)
{
    sigset_t none;
    sigemptyset(&none);
    for (int i = 1; i < SIGRTMIN; i++)
        signal(i, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    setpgid(0, 0);
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    bool ok = getppid() == server && null >= 0 && dup2(null, 0) == 0 &&
              dup2(files[FORK_OUTPUT], 1) == 1 &&
              dup2(files[FORK_OUTPUT], 2) == 2 &&
              fchdir(files[FORK_FOLDER]) == 0;
    sigprocmask(SIG_SETMASK, &none, NULL);
    return ok;
}

/* Runs the request; 127: it cannot be. */
static int
run_request(const struct fork_server *s, const int files[FORK_FILES],
            pid_t server)
{
    struct fork_request r;
    int stream = files[FORK_STREAM];
    if (!settle(files, server) || !read_all(stream, &r, sizeof r))
        return 127;
    char *text = malloc(r.size + 1), *at = text;
    if (!text || !read_all(stream, text, r.size))
        return 127;
    char **words = split(&at, text + r.size, r.words);
    char **env = words ? split(&at, text + r.size, r.env) : NULL;
    if (!env)
        return 127;
    closefrom(3);
    environ = env;
    /* A hard limit above the server's is the server's: it began with the client's. */
    for (unsigned i = 0; i < RLIM_NLIMITS; i++)
        setrlimit((__rlimit_resource_t)i, &r.limits[i]);
    return s->run((int)r.words, words);
}

/* ---- the server ---- */

enum { JOBS = 256 };

struct job {
    pid_t pid;
    int stream;
    bool killed;
};

struct state {
    const struct fork_server *s;
    struct job jobs[JOBS];
    unsigned n;
    unsigned long requests;
    int signals, client;
    bool closed; /* no more requests */
};

static void
close_files(const int files[FORK_FILES])
{
    for (int i = 0; i < FORK_FILES; i++)
        close(files[i]);
}

/* Takes the files of one request; 0: the client has closed the socket, -1: none. */
static int
take(int socket, int files[FORK_FILES])
{
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(FORK_FILES * sizeof(int))];
    } control;
    char byte;
    struct iovec in = { &byte, 1 };
    struct msghdr m = { .msg_iov = &in,
                        .msg_iovlen = 1,
                        .msg_control = &control,
                        .msg_controllen = sizeof control };
    ssize_t n = recvmsg(socket, &m, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (n < 0)
        return errno == EAGAIN || errno == EINTR ? -1 : 0;
    const struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    if (n == 0 || !c || c->cmsg_len != CMSG_LEN(FORK_FILES * sizeof(int)))
        return 0;
    memcpy(files, CMSG_DATA(c), FORK_FILES * sizeof(int));
    return 1;
}

static void
tell(int stream, int32_t number)
{
    ssize_t n;
    do {
        n = send(stream, &number, sizeof number, MSG_NOSIGNAL);
    } while (n < 0 && errno == EINTR);
}

/* Forks for a request.  True in the forked process, with its exit status. */
static bool
begin(struct state *t, int *status)
{
    int files[FORK_FILES];
    int taken = take(t->s->socket, files);
    t->closed = taken == 0;
    if (taken != 1)
        return false;
    if (t->requests++ == 1 && t->s->warm)
        t->s->warm();
    pid_t self = getpid();
    pid_t pid = t->n < JOBS ? fork() : -1;
    if (pid == 0) {
        *status = run_request(t->s, files, self);
        return true;
    }
    if (pid < 0) { /* the client does without us */
        close_files(files);
        return false;
    }
    setpgid(pid, pid); /* whichever of the two is first */
    tell(files[FORK_STREAM], (int32_t)pid);
    close(files[FORK_OUTPUT]);
    close(files[FORK_FOLDER]);
    t->jobs[t->n++] = (struct job){ pid, files[FORK_STREAM], false };
    return false;
}

/* Tells the clients of the processes that have ended. */
static void
reap(struct state *t)
{
    struct signalfd_siginfo info;
    int status;
    ssize_t n = read(t->signals, &info, sizeof info);
    (void)n;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;)
        for (unsigned i = 0; i < t->n; i++) {
            if (t->jobs[i].pid != pid)
                continue;
            tell(t->jobs[i].stream, (int32_t)status);
            close(t->jobs[i].stream);
            t->jobs[i] = t->jobs[--t->n];
            break;
        }
}

/* The client, as a file that can be read when it has ended; -1: the kernel has none, or
 * it has ended already, which the socket tells, too. */
static int
watch_client(long client)
{
    return (int)syscall(SYS_pidfd_open, client, 0);
}

static void
kill_all(const struct state *t)
{
    for (unsigned i = 0; i < t->n; i++)
        kill(-t->jobs[i].pid, SIGKILL);
}

/* Waits for what comes next; true in a forked process. */
static bool
step(struct state *t, int *status)
{
    enum { SOCKET, SIGNALS, CLIENT, FIRST };
    struct pollfd fds[FIRST + JOBS] = {
        [SOCKET] = { t->closed ? -1 : t->s->socket, POLLIN, 0 },
        [SIGNALS] = { t->signals, POLLIN, 0 },
        [CLIENT] = { t->client, POLLIN, 0 },
    };
    for (unsigned i = 0; i < t->n; i++)
        fds[FIRST + i] =
            (struct pollfd){ t->jobs[i].killed ? -1 : t->jobs[i].stream,
                             POLLRDHUP, 0 };
    if (poll(fds, FIRST + t->n, -1) < 0)
        return false;
    for (unsigned i = 0; i < t->n; i++)
        if (fds[FIRST + i].revents) {
            kill(-t->jobs[i].pid, SIGKILL);
            t->jobs[i].killed = true;
        }
    if (fds[CLIENT].revents) {
        kill_all(t);
        t->closed = true;
        t->n = 0;
        return false;
    }
    if (fds[SIGNALS].revents)
        reap(t);
    return fds[SOCKET].revents && begin(t, status);
}

_Bool
fork_server_serve(const struct fork_server *s, int *status)
{
    struct state t = { .s = s, .client = watch_client(s->client) };
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, NULL);
    t.signals = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    while (t.signals >= 0 && (!t.closed || t.n))
        if (step(&t, status))
            return true;
    kill_all(&t);
    return false;
}
