/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* environ, closefrom, chdir, clone */
#include "base/spawn.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int
spawn_start(const struct spawn *s, pid_t *pid)
{
    assert(s->args[0] && s->out >= 0 && s->err >= 0);
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attr;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&files);
    if (s->in)
        posix_spawn_file_actions_adddup2(&files, s->in, 0);
    else
        posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, s->out, 1);
    posix_spawn_file_actions_adddup2(&files, s->err, 2);
    posix_spawn_file_actions_addclosefrom_np(&files, 3);
    if (s->folder)
        posix_spawn_file_actions_addchdir_np(&files, s->folder);
    posix_spawnattr_init(&attr);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP |
                                        POSIX_SPAWN_SETSIGMASK |
                                        POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attr, 0);
    posix_spawnattr_setsigmask(&attr, &none);
    posix_spawnattr_setsigdefault(&attr, &all);
    int error = posix_spawn(pid, s->path, &files, &attr,
                            (char *const *)(uintptr_t)s->args,
                            s->env ? s->env : environ);
    posix_spawnattr_destroy(&attr);
    posix_spawn_file_actions_destroy(&files);
    return error;
}

/* ---- apart ---- */

struct apart {
    const struct spawn *program;
    pid_t pid;
};

/* The process between shares the memory of its parent, which stands still meanwhile.
 * Clang's ThreadSanitizer knows clone() as a fork only. */
#if defined __has_feature
#if __has_feature(thread_sanitizer)
#define SHARED 0
#endif
#endif
#ifndef SHARED
#define SHARED (CLONE_VM | CLONE_VFORK)
#endif

static int
start_and_end(void *ctx)
{
    struct apart *a = ctx;
    return spawn_start(a->program, &a->pid);
}

/*
 * The program is the child of a process that ends at once, so that it gets another parent.
 * The process between has no signal for its end: only a wait with __WCLONE finds it.  A
 * program cannot be started so, because exec sets that signal to SIGCHLD.
 */
int
spawn_apart(const struct spawn *s, pid_t *pid)
{
    enum { STACK_B = 256 << 10 };
    struct apart a = { .program = s, .pid = -1 };
    int status = 0, error = 0;
    sigset_t all, before;
    uint8_t *stack = mmap(NULL, STACK_B, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED)
        return ENOMEM;
    sigfillset(&all); /* a handler would run in both processes */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t between = clone(start_and_end, stack + STACK_B, SHARED, &a);
    if (between < 0)
        error = errno;
    else
        while (waitpid(between, &status, (int)__WCLONE) < 0 && errno == EINTR)
            ;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    munmap(stack, STACK_B);
    *pid = a.pid;
    return error ? error : WIFEXITED(status) ? WEXITSTATUS(status) : EAGAIN;
}

void
spawn_adopted(pid_t pid)
{
    int adopts = 0;
    prctl(PR_GET_CHILD_SUBREAPER, &adopts);
    if (pid <= 0 || (!adopts && getpid() != 1))
        return;
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}
