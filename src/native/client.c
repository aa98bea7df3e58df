/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* dladdr, prlimit, pipe2 */
#include "native/client.h"

#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/scratch.h"
#include "base/spawn.h"
#include "native/access.h"

/* Where nothing is translated there is nothing to call. */
#ifdef NATIVE_HOST
#define CALLS (&native_access)
#else
#define CALLS NULL
#endif

enum { CPU_SECONDS = 60, REPLY_MAX = 64 << 20, PIPE_B = 1 << 20 };

struct native_client {
    struct sim_translator translator;
    char program[PATH_MAX];
    char why[256]; /* of the last page that was not translated */
    /* The request that is being answered. */
    int fd;           /* of the reply; -1: there is none */
    pid_t pid, owner; /* of the program; of the process that started it */
    struct buf reply; /* as much of it as has come */
    struct arena arena;
    struct scratch scratch;
    const char *file;
};

/* Mapped code. */
struct image {
    void *at;
    size_t size;
};

/* ---- the program ---- */

/* Whether `folder`/[bin/]ventus-native can be run. */
static bool
try_folder(struct native_client *c, const char *folder, const char *below)
{
    int n = snprintf(c->program, sizeof c->program, "%s%s/ventus-native",
                     folder, below);
    return n > 0 && (size_t)n < sizeof c->program &&
           access(c->program, X_OK) == 0;
}

/* Beside this program, or in the folder bin of a folder that has this library. */
static bool
find_program(struct native_client *c)
{
    char path[PATH_MAX];
    Dl_info info;
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n > 0) {
        path[n] = 0;
        *strrchr(path, '/') = 0;
        if (try_folder(c, path, ""))
            return true;
    }
    static const char here;
    if (!dladdr(&here, &info) || !realpath(info.dli_fname, path))
        return false;
    for (char *slash; (slash = strrchr(path, '/')) && slash != path;) {
        *slash = 0;
        if (try_folder(c, path, "/bin"))
            return true;
    }
    return false;
}

/* Starts it on the file of a request, whose reply comes through c->fd. */
static bool
start_program(struct native_client *c, const char *file)
{
    int fds[2];
    if (pipe2(fds, O_CLOEXEC | O_NONBLOCK) != 0)
        return false;
    fcntl(fds[1], F_SETFL, 0);
    fcntl(fds[1], F_SETPIPE_SZ, PIPE_B); /* it need not wait for its reader */
    const char *const args[] = { "ventus-native", file, NULL };
    const struct spawn s = {
        .path = c->program, .args = args, .out = fds[1], .err = STDERR_FILENO
    };
    int error = spawn_start(&s, &c->pid);
    close(fds[1]);
    if (error) {
        close(fds[0]);
        return false;
    }
    const struct rlimit cpu = { CPU_SECONDS, CPU_SECONDS + 1 };
    prlimit(c->pid, RLIMIT_CPU, &cpu, NULL);
    c->fd = fds[0];
    c->owner = getpid();
    return true;
}

/* Another part of the application may have reaped it: then its number says nothing. */
static void
end_program(struct native_client *c)
{
    int status;
    if (c->owner != getpid())
        return;
    if (waitpid(c->pid, &status, WNOHANG) != 0)
        return;
    kill(-c->pid, SIGKILL);
    while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
        ;
}

/* Frees all that a request has. */
static void
close_request(struct native_client *c)
{
    if (c->fd < 0)
        return;
    close(c->fd);
    c->fd = -1;
    end_program(c);
    if (c->owner == getpid()) {
        unlink(c->file);
        scratch_close(&c->scratch);
    } else {
        close(c->scratch.fd);
    }
    arena_free(&c->arena);
}

enum progress { PROGRESS_NONE, PROGRESS_ENDED, PROGRESS_FAILED };

/* Reads what is there of the reply. */
static enum progress
collect(struct native_client *c, bool wait)
{
    char bytes[65536];
    for (;;) {
        ssize_t n = read(c->fd, bytes, sizeof bytes);
        struct pollfd p = { .fd = c->fd, .events = POLLIN };
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN && !wait)
            return PROGRESS_NONE;
        if (n < 0 && errno == EAGAIN)
            poll(&p, 1, -1);
        else if (n <= 0)
            return n == 0 ? PROGRESS_ENDED : PROGRESS_FAILED;
        else if (c->reply.n + (size_t)n > REPLY_MAX ||
                 !buf_reserve(&c->reply, (size_t)n))
            return PROGRESS_FAILED;
        else
            buf_put(&c->reply, bytes, (size_t)n);
    }
}

/* ---- code ---- */

static native_fn *
fail(struct native_client *c, const char **why, const char *text)
{
    snprintf(c->why, sizeof c->why, "%s", text);
    *why = c->why;
    return NULL;
}

/* Pages are written first, and can be executed after that: never both. */
static native_fn *
map_code(struct native_client *c, const struct native_reply *r,
         const uint8_t *code, void **image, const char **why)
{
    struct image *i = calloc(1, sizeof *i);
    if (!i)
        return fail(c, why, "no memory");
    i->size = r->size;
    i->at = mmap(NULL, i->size, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (i->at == MAP_FAILED) {
        free(i);
        return fail(c, why, "no memory");
    }
    memcpy(i->at, code, r->size);
    if (mprotect(i->at, i->size, PROT_READ | PROT_EXEC) != 0) {
        munmap(i->at, i->size);
        free(i);
        return fail(c, why, "this host lets no process make code");
    }
    *image = i;
    native_fn *run;
    void *start = (uint8_t *)i->at + r->start;
    memcpy(&run, &start, sizeof run);
    return run;
}

static native_fn *
take_reply(struct native_client *c, const struct buf *b, void **image,
           const char **why)
{
    struct native_reply r;
    if (b->n < sizeof r)
        return fail(c, why, "ventus-native failed");
    memcpy(&r, b->at, sizeof r);
    const uint8_t *rest = b->at + sizeof r;
    size_t size = b->n - sizeof r;
    if (r.magic == NATIVE_REPLY_MAGIC && !r.size && r.text == size) {
        char text[200];
        snprintf(text, sizeof text, "%.*s", (int)(size < 199 ? size : 199),
                 (const char *)rest);
        return fail(c, why, text);
    }
    if (r.magic != NATIVE_REPLY_MAGIC || r.size != size || r.start >= size)
        return fail(c, why, "ventus-native is of another version");
    return map_code(c, &r, rest, image, why);
}

static bool
start(void *ctx, const struct native_request *r, const char **why)
{
    struct native_client *c = ctx;
    struct diag_sink sink = { 0 };
    size_t size = sizeof *r + r->n * sizeof r->op[0];
    assert(c->fd < 0 && "one request at a time");
    c->arena = (struct arena){ 0 };
    c->reply.n = 0;
    if (!scratch_open(&c->scratch, &c->arena, &sink)) {
        arena_free(&c->arena);
        fail(c, why, "no folder for temporary files");
        return false;
    }
    c->file = arena_printf(&c->arena, "%s/request", c->scratch.path);
    if (file_write(c->file, r, size, &sink) && start_program(c, c->file))
        return true;
    fail(c, why, "ventus-native cannot be started");
    unlink(c->file);
    scratch_close(&c->scratch);
    arena_free(&c->arena);
    return false;
}

static void
drop(void *ctx)
{
    struct native_client *c = ctx;
    close_request(c);
    buf_free(&c->reply);
}

/* A process that was forked meanwhile has the pipe, too, but the reply is not its own. */
static bool
take(void *ctx, bool wait, native_fn **run, void **image, const char **why)
{
    struct native_client *c = ctx;
    assert(c->fd >= 0 && "take follows start");
    bool own = c->owner == getpid();
    enum progress p = own ? collect(c, wait) : PROGRESS_FAILED;
    if (p == PROGRESS_NONE)
        return false;
    *run = p == PROGRESS_ENDED ? take_reply(c, &c->reply, image, why)
                               : fail(c, why, "ventus-native failed");
    drop(c);
    return true;
}

static void
release(void *ctx, void *image)
{
    struct image *i = image;
    (void)ctx;
    munmap(i->at, i->size);
    free(i);
}

struct native_client *
native_client_open(uint64_t hot, const char **why)
{
    struct native_client *c = calloc(1, sizeof *c);
    *why = "no memory";
    if (!c)
        return NULL;
    c->fd = -1;
    c->translator = (struct sim_translator){ .ctx = c,
                                             .calls = CALLS,
                                             .hot = hot,
                                             .start = start,
                                             .take = take,
                                             .drop = drop,
                                             .release = release };
    if (!find_program(c)) {
        *why =
            "ventus-native is not beside this program; it is built on x86-64 "
            "if LLVM 19 is there";
        free(c);
        return NULL;
    }
    *why = NULL;
    return c;
}

void
native_client_close(struct native_client *c)
{
    if (c)
        drop(c);
    free(c);
}

const struct sim_translator *
native_client_translator(struct native_client *c)
{
    return &c->translator;
}
