/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* dladdr, prlimit */
#include "native/client.h"

#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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

enum { CPU_SECONDS = 60, REPLY_MAX = 64 << 20 };

struct native_client {
    struct sim_translator translator;
    char program[PATH_MAX];
    char why[256]; /* of the last page that was not translated */
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

/* Reads what it writes; false: it is too much, or there is no memory. */
static bool
collect(int fd, struct buf *out)
{
    char bytes[65536];
    for (;;) {
        ssize_t n = read(fd, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n == 0;
        if (out->n + (size_t)n > REPLY_MAX || !buf_reserve(out, (size_t)n))
            return false;
        buf_put(out, bytes, (size_t)n);
    }
}

static bool
run_program(const struct native_client *c, const char *request, struct buf *out)
{
    int fds[2], status;
    pid_t pid, got;
    if (pipe2(fds, O_CLOEXEC) != 0)
        return false;
    const char *const args[] = { "ventus-native", request, NULL };
    const struct spawn s = {
        .path = c->program, .args = args, .out = fds[1], .err = STDERR_FILENO
    };
    int error = spawn_start(&s, &pid);
    close(fds[1]);
    if (error) {
        close(fds[0]);
        return false;
    }
    const struct rlimit cpu = { CPU_SECONDS, CPU_SECONDS + 1 };
    prlimit(pid, RLIMIT_CPU, &cpu, NULL);
    bool ok = collect(fds[0], out);
    if (!ok)
        kill(-pid, SIGKILL);
    close(fds[0]);
    do {
        got = waitpid(pid, &status, 0);
    } while (got < 0 && errno == EINTR);
    /* Another part of the application may have reaped it: then the reply decides. */
    return ok && (got < 0 || (WIFEXITED(status) && !WEXITSTATUS(status)));
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

static native_fn *
translate(void *ctx, const struct native_request *r, void **image,
          const char **why)
{
    struct native_client *c = ctx;
    struct arena a = { 0 };
    struct diag_sink sink = { 0 };
    struct scratch s;
    struct buf reply = { 0 };
    native_fn *run = NULL;
    if (!scratch_open(&s, &a, &sink)) {
        arena_free(&a);
        return fail(c, why, "no folder for temporary files");
    }
    const char *path = arena_printf(&a, "%s/request", s.path);
    size_t size = sizeof *r + r->n * sizeof r->op[0];
    bool ok = file_write(path, r, size, &sink);
    if (!ok)
        fail(c, why, "no room for temporary files");
    else if (!run_program(c, path, &reply))
        fail(c, why, "ventus-native failed");
    else
        run = take_reply(c, &reply, image, why);
    unlink(path);
    scratch_close(&s);
    buf_free(&reply);
    arena_free(&a);
    return run;
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
native_client_open(const char **why)
{
    struct native_client *c = calloc(1, sizeof *c);
    *why = "no memory";
    if (!c)
        return NULL;
    c->translator = (struct sim_translator){ c, translate, release };
    if (!find_program(c)) {
        *why =
            "ventus-native is not beside this program; it is built on x86-64 "
            "if LLVM 19 is there";
        free(c);
        return NULL;
    }
    return c;
}

void
native_client_close(struct native_client *c)
{
    free(c);
}

const struct sim_translator *
native_client_translator(struct native_client *c)
{
    return &c->translator;
}
