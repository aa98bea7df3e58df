/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* getresuid, realpath */
#include "cl/program/warm.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cl/api.h"

/* The run times of sanitizers start threads, which no process that is forked has. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif
enum { DEFAULT_ON = !SANITIZED };

const char *
warm_program(struct arena *a, const char *program)
{
    static const char command[] = "/ventus", name[] = "-cc";
    char path[PATH_MAX];
    if (!cl_env_number("VENTUS_WARM_COMPILER", DEFAULT_ON, 1) ||
        !realpath(program, path))
        return NULL;
    const char *slash = strrchr(path, '/');
    if (strcmp(slash, command) != 0)
        return NULL;
    const char *warm = arena_printf(a, "%s%s", path, name);
    return access(warm, X_OK) == 0 ? warm : NULL;
}

/* ---- what a process was started with ---- */

/* The rights of this process and the file of the program: a process that was started
 * with others is not used. */
struct origin {
    uid_t users[3];
    gid_t groups[3];
    int more; /* how many supplementary groups */
    int confined[2];
    dev_t root_device, device;
    ino_t root, file;
    struct timespec written;
};

static bool
find_origin(const char *program, struct origin *o)
{
    struct stat root, file;
    memset(o, 0, sizeof *o);
    if (stat("/", &root) != 0 || stat(program, &file) != 0 ||
        getresuid(&o->users[0], &o->users[1], &o->users[2]) != 0 ||
        getresgid(&o->groups[0], &o->groups[1], &o->groups[2]) != 0)
        return false;
    o->more = getgroups(0, NULL);
    o->confined[0] = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
    o->confined[1] = prctl(PR_GET_SECCOMP, 0, 0, 0, 0);
    o->root_device = root.st_dev;
    o->root = root.st_ino;
    o->device = file.st_dev;
    o->file = file.st_ino;
    o->written = file.st_mtim;
    return true;
}

/* ---- the process ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    int socket; /* 0: there is no process */
    struct stat opened;
    struct origin origin;
} server;

/* Whether the socket is still open: an application may close all of its descriptors, and
 * have the number again for a socket of its own. */
static bool
has_socket(void)
{
    struct stat now;
    return server.socket && fstat(server.socket, &now) == 0 &&
           now.st_dev == server.opened.st_dev &&
           now.st_ino == server.opened.st_ino;
}

static void
forget(void)
{
    if (has_socket())
        close(server.socket);
    server.socket = 0;
}

static void
before_fork(void)
{
    pthread_mutex_lock(&lock);
}

static void
after_fork(void)
{
    pthread_mutex_unlock(&lock);
}

/* A child of the application has its own process. */
static void
in_child(void)
{
    forget();
    pthread_mutex_unlock(&lock);
}

static void
watch_forks(void)
{
    pthread_atfork(before_fork, after_fork, in_child);
}

/* Starts the process unless it is there; the lock is held. */
static bool
provide(const char *program, char **env)
{
    struct origin now;
    char self[32];
    if (!find_origin(program, &now))
        return false;
    if (has_socket() && memcmp(&now, &server.origin, sizeof now) == 0)
        return true;
    forget();
    snprintf(self, sizeof self, "%ld", (long)getpid());
    const char *const args[] = { "ventus-cc", "--serve", self, NULL };
    int socket = fork_client_start(program, args, env);
    if (socket < 0)
        return false;
    if (fstat(socket, &server.opened) != 0) {
        close(socket);
        return false;
    }
    server.socket = socket;
    server.origin = now;
    return true;
}

bool
warm_run(const char *program, char **env, const struct fork_run *run,
         struct fork_running *r)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    bool ok = false;
    pthread_mutex_lock(&lock);
    /* A second time: the process may have been killed since it was last used. */
    for (int i = 0; !ok && i < 2 && provide(program, env); i++) {
        ok = fork_client_run(server.socket, run, r);
        if (!ok)
            forget();
    }
    pthread_mutex_unlock(&lock);
    return ok;
}
