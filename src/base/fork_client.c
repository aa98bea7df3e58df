/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* O_PATH */
#include "base/fork_client.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fork_server.h"
#include "base/spawn.h"

int
fork_client_start(const char *path, const char *const *args, char **env)
{
    int ends[2], status;
    pid_t pid;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return -1;
    const struct spawn s = {
        .path = path, .args = args, .env = env, .out = ends[1], .err = ends[1]
    };
    int error = spawn_start(&s, &pid);
    close(ends[1]);
    /* Another part of the application may have waited for it, or nobody may. */
    while (!error && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (!error)
        return ends[0];
    close(ends[0]);
    return -1;
}

/* Sends the three files of a request. */
static bool
send_files(int socket, const int files[FORK_FILES])
{
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(FORK_FILES * sizeof(int))];
    } control;
    char byte = 0;
    struct iovec out = { &byte, 1 };
    struct msghdr m = { .msg_iov = &out,
                        .msg_iovlen = 1,
                        .msg_control = &control,
                        .msg_controllen = sizeof control };
    memset(&control, 0, sizeof control);
    control.head.cmsg_level = SOL_SOCKET;
    control.head.cmsg_type = SCM_RIGHTS;
    control.head.cmsg_len = CMSG_LEN(FORK_FILES * sizeof(int));
    memcpy(CMSG_DATA(&control.head), files, FORK_FILES * sizeof(int));
    ssize_t n;
    do {
        n = sendmsg(socket, &m, MSG_NOSIGNAL);
    } while (n < 0 && errno == EINTR);
    return n == 1;
}

static bool
send_all(int fd, const void *from, size_t size)
{
    for (const char *at = from; size;) {
        ssize_t n = send(fd, at, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

static bool
receive_number(int fd, int *number)
{
    int32_t got;
    ssize_t n;
    do {
        n = recv(fd, &got, sizeof got, MSG_WAITALL);
    } while (n < 0 && errno == EINTR);
    *number = (int)got;
    return n == sizeof got;
}

static uint32_t
measure(const char *const *list, uint64_t *size)
{
    uint32_t n = 0;
    for (; list[n]; n++)
        *size += strlen(list[n]) + 1;
    return n;
}

static bool
send_strings(int fd, const char *const *list)
{
    bool ok = true;
    for (; ok && *list; list++)
        ok = send_all(fd, *list, strlen(*list) + 1);
    return ok;
}

static bool
send_request(int stream, const struct fork_run *run)
{
    const char *const *env = (const char *const *)run->env;
    struct fork_request r = { .size = 0 };
    r.words = measure(run->words, &r.size);
    r.env = measure(env, &r.size);
    memcpy(r.limits, run->limits, sizeof r.limits);
    return send_all(stream, &r, sizeof r) && send_strings(stream, run->words) &&
           send_strings(stream, env);
}

bool
fork_client_run(int socket, const struct fork_run *run, struct fork_running *r)
{
    int ends[2], pid;
    int folder = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return false;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        close(folder);
        return false;
    }
    const int files[FORK_FILES] = { [FORK_STREAM] = ends[1],
                                    [FORK_OUTPUT] = run->out,
                                    [FORK_FOLDER] = folder };
    bool ok = send_files(socket, files);
    close(ends[1]);
    close(folder);
    ok = ok && receive_number(ends[0], &pid) && send_request(ends[0], run);
    if (!ok) {
        close(ends[0]);
        return false;
    }
    *r = (struct fork_running){ (pid_t)pid, ends[0] };
    return true;
}

void
fork_client_kill(const struct fork_running *r)
{
    shutdown(r->stream, SHUT_WR);
}

bool
fork_client_wait(struct fork_running *r, int *status)
{
    bool ok = receive_number(r->stream, status);
    close(r->stream);
    r->stream = -1;
    return ok;
}
