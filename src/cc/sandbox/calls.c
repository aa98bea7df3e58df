/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System calls of the sandbox.  A list permits those that the compiler needs.  All
 * others fail as on a kernel without them (ENOSYS), for which the C library has an
 * alternative; those that the sandbox must prevent are refused (EPERM).
 */
#define _GNU_SOURCE /* CLONE_THREAD */
#include "cc/sandbox/calls.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

/* A comparison of an argument with all members: SCMP_CMP64 leaves one out here, which
 * clang warns of. */
#define EQUALS(arg, value) \
    ((struct scmp_arg_cmp){ (arg), SCMP_CMP_EQ, (value), 0 })

/* Files that are open or that Landlock lets be opened, memory, time, threads,
 * signals to itself.  A call that a processor lacks is no error here. */
static const int allowed[] = {
    /* files */
    SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(write),
    SCMP_SYS(writev), SCMP_SYS(pwrite64), SCMP_SYS(close), SCMP_SYS(lseek),
    SCMP_SYS(_llseek), SCMP_SYS(stat), SCMP_SYS(lstat), SCMP_SYS(fstat),
    SCMP_SYS(newfstatat), SCMP_SYS(statx), SCMP_SYS(statfs), SCMP_SYS(fstatfs),
    SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2),
    SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(getcwd),
    SCMP_SYS(getdents64), SCMP_SYS(fcntl), SCMP_SYS(dup), SCMP_SYS(dup2),
    SCMP_SYS(dup3), SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(fadvise64),
    SCMP_SYS(ftruncate), SCMP_SYS(umask),
    /* memory */
    SCMP_SYS(mmap), SCMP_SYS(mmap2), SCMP_SYS(munmap), SCMP_SYS(mremap),
    SCMP_SYS(mprotect), SCMP_SYS(madvise), SCMP_SYS(mincore), SCMP_SYS(brk),
    /* threads and signals */
    SCMP_SYS(futex), SCMP_SYS(set_robust_list), SCMP_SYS(get_robust_list),
    SCMP_SYS(set_tid_address), SCMP_SYS(rseq), SCMP_SYS(arch_prctl),
    SCMP_SYS(set_thread_area), SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity), SCMP_SYS(sched_getparam),
    SCMP_SYS(sched_getscheduler), SCMP_SYS(getcpu), SCMP_SYS(membarrier),
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sigreturn), SCMP_SYS(sigaltstack), SCMP_SYS(restart_syscall),
    SCMP_SYS(exit), SCMP_SYS(exit_group),
    /* itself and time */
    SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(getppid), SCMP_SYS(getpgrp),
    SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid), SCMP_SYS(getegid),
    SCMP_SYS(getrlimit), SCMP_SYS(getrusage), SCMP_SYS(times), SCMP_SYS(uname),
    SCMP_SYS(sysinfo), SCMP_SYS(getrandom), SCMP_SYS(time),
    SCMP_SYS(gettimeofday), SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres),
    SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep)
};

/* The calls that a sanitizer's run time uses besides, for leaks when a program ends. */
static const int sanitizers[] = {
    SCMP_SYS(clone),   SCMP_SYS(ptrace),      SCMP_SYS(prctl),
    SCMP_SYS(wait4),   SCMP_SYS(pipe),        SCMP_SYS(pipe2),
    SCMP_SYS(tgkill),  SCMP_SYS(personality), SCMP_SYS(process_vm_readv),
    SCMP_SYS(getdents)
};

/* The calls by which this process replaces files: it renames a new one over the old
 * one. */
static const int writers[] = { SCMP_SYS(rename),    SCMP_SYS(renameat),
                               SCMP_SYS(renameat2), SCMP_SYS(unlink),
                               SCMP_SYS(unlinkat),  SCMP_SYS(fchmod) };

/* Refused in words that say so: no other process, no network, no rights. */
static const int refused[] = { SCMP_SYS(fork),
                               SCMP_SYS(vfork),
                               SCMP_SYS(execveat),
                               SCMP_SYS(socket),
                               SCMP_SYS(socketpair),
                               SCMP_SYS(connect),
                               SCMP_SYS(bind),
                               SCMP_SYS(listen),
                               SCMP_SYS(accept),
                               SCMP_SYS(accept4),
                               SCMP_SYS(sendmsg),
                               SCMP_SYS(sendmmsg),
                               SCMP_SYS(process_vm_writev),
                               SCMP_SYS(pidfd_open),
                               SCMP_SYS(pidfd_getfd),
                               SCMP_SYS(pidfd_send_signal),
                               SCMP_SYS(rt_sigqueueinfo),
                               SCMP_SYS(rt_tgsigqueueinfo),
                               SCMP_SYS(io_uring_setup),
                               SCMP_SYS(bpf),
                               SCMP_SYS(perf_event_open),
                               SCMP_SYS(userfaultfd),
                               SCMP_SYS(keyctl),
                               SCMP_SYS(add_key),
                               SCMP_SYS(request_key),
                               SCMP_SYS(mount),
                               SCMP_SYS(umount2),
                               SCMP_SYS(unshare),
                               SCMP_SYS(setns),
                               SCMP_SYS(chroot),
                               SCMP_SYS(pivot_root),
                               SCMP_SYS(symlink),
                               SCMP_SYS(symlinkat),
                               SCMP_SYS(link),
                               SCMP_SYS(linkat),
                               SCMP_SYS(mknod),
                               SCMP_SYS(mknodat),
                               SCMP_SYS(mkdir),
                               SCMP_SYS(mkdirat),
                               SCMP_SYS(rmdir),
                               SCMP_SYS(chmod),
                               SCMP_SYS(fchmodat),
                               SCMP_SYS(chown),
                               SCMP_SYS(fchown),
                               SCMP_SYS(lchown),
                               SCMP_SYS(fchownat),
                               SCMP_SYS(truncate),
                               SCMP_SYS(creat),
                               SCMP_SYS(utime),
                               SCMP_SYS(utimes),
                               SCMP_SYS(utimensat),
                               SCMP_SYS(setxattr),
                               SCMP_SYS(open_by_handle_at),
                               SCMP_SYS(shmget),
                               SCMP_SYS(shmat),
                               SCMP_SYS(msgget),
                               SCMP_SYS(semget),
                               SCMP_SYS(mq_open),
                               SCMP_SYS(memfd_create) };

#define N(list) (sizeof(list) / sizeof *(list))

static bool
put_calls(scmp_filter_ctx f, uint32_t action, const int *calls, size_t n)
{
    int error = 0;
    for (size_t i = 0; !error && i < n; i++)
        error = seccomp_rule_add(f, action, calls[i], 0);
    return !error;
}

static bool
allow_if(scmp_filter_ctx f, int call, struct scmp_arg_cmp what)
{
    return seccomp_rule_add(f, SCMP_ACT_ALLOW, call, 1, what) == 0;
}

/* Truncating needs no right to write where Landlock is of a kernel before 6.2:
 * it must be opened for writing. */
static bool
put_open(scmp_filter_ctx f, int call, unsigned arg)
{
    const uint64_t mask = O_TRUNC | O_ACCMODE;
    return allow_if(f, call, SCMP_CMP64(arg, SCMP_CMP_MASKED_EQ, O_TRUNC, 0)) &&
           allow_if(
               f, call,
               SCMP_CMP64(arg, SCMP_CMP_MASKED_EQ, mask, O_TRUNC | O_WRONLY)) &&
           allow_if(
               f, call,
               SCMP_CMP64(arg, SCMP_CMP_MASKED_EQ, mask, O_TRUNC | O_RDWR));
}

/* Allows threads and no processes.  clone3 hides its flags in memory, and every C
 * library continues with clone without it. */
static bool
put_threads(scmp_filter_ctx f)
{
    const uint64_t flag = CLONE_THREAD;
    return SANDBOX_SANITIZED ||
           (allow_if(f, SCMP_SYS(clone),
                     SCMP_CMP64(0, SCMP_CMP_MASKED_EQ, flag, flag)) &&
            seccomp_rule_add(f, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                             SCMP_CMP64(0, SCMP_CMP_MASKED_EQ, flag, 0)) == 0);
}

/* abort() sends a signal to its own thread. */
static bool
put_signals(scmp_filter_ctx f)
{
    const scmp_datum_t self = (scmp_datum_t)getpid();
    return (SANDBOX_SANITIZED ||
            allow_if(f, SCMP_SYS(tgkill), EQUALS(0, self))) &&
           allow_if(f, SCMP_SYS(kill), EQUALS(0, self));
}

/* Allows ending each child, and waiting. */
static bool
put_children(scmp_filter_ctx f, const pid_t *children)
{
    bool ok = true, any = false;
    for (unsigned i = 0; ok && children && i < SANDBOX_CHILDREN; i++) {
        if (!children[i])
            continue;
        ok = allow_if(f, SCMP_SYS(kill), EQUALS(0, (scmp_datum_t)children[i]));
        any = true;
    }
    return ok && (!any || SANDBOX_SANITIZED ||
                  seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(wait4), 0) == 0);
}

/* Names of threads and of memory; limits of itself; size of a terminal; what
 * is sent goes to a socket that is connected. */
static bool
put_rest(scmp_filter_ctx f)
{
    static const scmp_datum_t names[] = { PR_SET_NAME, PR_GET_NAME,
                                          0x53564d41 /* PR_SET_VMA */ };
    static const scmp_datum_t terminal[] = { 0x5401 /* TCGETS */, TIOCGWINSZ };
    bool ok = allow_if(f, SCMP_SYS(prlimit64), EQUALS(0, 0)) &&
              allow_if(f, SCMP_SYS(sendto), EQUALS(4, 0));
    for (size_t i = 0; ok && !SANDBOX_SANITIZED && i < N(names); i++)
        ok = allow_if(f, SCMP_SYS(prctl), EQUALS(0, names[i]));
    for (size_t i = 0; ok && i < N(terminal); i++)
        ok = allow_if(f, SCMP_SYS(ioctl), EQUALS(1, terminal[i]));
    return ok;
}

/* Allows execve with one pointer: the program that it starts does not know it, and a
 * wrong pointer ends it. */
static bool
put_program(scmp_filter_ctx f, const char *program)
{
    const scmp_datum_t at = (scmp_datum_t)(uintptr_t)program;
    const int call = SCMP_SYS(execve);
    if (!program)
        return seccomp_rule_add(f, SCMP_ACT_ERRNO(EPERM), call, 0) == 0;
    return allow_if(f, call, EQUALS(0, at)) &&
           seccomp_rule_add(f, SCMP_ACT_KILL_PROCESS, call, 1,
                            (struct scmp_arg_cmp){ 0, SCMP_CMP_NE, at, 0 }) ==
               0;
}

static bool
put_all(scmp_filter_ctx f, const struct sandbox_calls *c)
{
    return put_calls(f, SCMP_ACT_ALLOW, allowed, N(allowed)) &&
           put_calls(f, SCMP_ACT_ERRNO(EPERM), refused, N(refused)) &&
           (!c->writes || put_calls(f, SCMP_ACT_ALLOW, writers, N(writers))) &&
           (!SANDBOX_SANITIZED ||
            put_calls(f, SCMP_ACT_ALLOW, sanitizers, N(sanitizers))) &&
           put_open(f, SCMP_SYS(open), 1) && put_open(f, SCMP_SYS(openat), 2) &&
           put_threads(f) && put_signals(f) && put_children(f, c->children) &&
           put_rest(f) && put_program(f, c->program);
}

bool
sandbox_filter(const struct sandbox_calls *c)
{
    scmp_filter_ctx f = seccomp_init(SCMP_ACT_ERRNO(ENOSYS));
    int error = ENOMEM;
    if (f) {
        error = EINVAL;
        if (put_all(f, c))
            error = -seccomp_load(f); /* sets no_new_privs as well */
        seccomp_release(f);
    }
    errno = error;
    return !error;
}
