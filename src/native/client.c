/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* dladdr, memfd_create, pipe2 */
#include "native/client.h"

#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/spawn.h"
#include "native/access.h"

/* Functions for the code; hosts that translate nothing have none. */
#ifdef NATIVE_HOST
#define CALLS (&native_access)
#else
#define CALLS NULL
#endif

enum { REPLY_MAX = 64 << 20 };

/* A descriptor that the application can close, as all of those that it does not know; its
 * number is then that of another file. */
struct handle {
    int fd;
    dev_t device;
    ino_t file;
};

struct native_client {
    struct sim_translator translator;
    char program[PATH_MAX];
    char why[256]; /* of the last page that was not translated */
    /* The request that is being answered. */
    struct handle reply; /* a file in memory; fd -1: there is no request */
    struct handle end;   /* a pipe that closes when the program has ended */
    pid_t pid, owner;    /* of the program; of the process that started it */
};

/* Mapped code. */
struct image {
    void *at;
    size_t size;
};

/* ---- the program ---- */

static char own_path[PATH_MAX];

/* Finds the library, or the program that contains it, when it is loaded: a relative name
 * refers to the current folder of that moment. */
__attribute__((constructor)) static void
find_own_path(void)
{
    Dl_info info;
    if (dladdr(own_path, &info) && strchr(info.dli_fname, '/') &&
        realpath(info.dli_fname, own_path))
        return;
    ssize_t n = readlink("/proc/self/exe", own_path, sizeof own_path - 1);
    own_path[n > 0 ? n : 0] = 0;
}

/* In the folder bin of a folder that has the library: the application's folder may be
 * another user's. */
static bool
find_program(struct native_client *c)
{
    char path[PATH_MAX];
    memcpy(path, own_path, sizeof path);
    for (char *slash; (slash = strrchr(path, '/')) && slash != path;) {
        *slash = 0;
        int n = snprintf(c->program, sizeof c->program, "%s/bin/ventus-native",
                         path);
        if (n > 0 && (size_t)n < sizeof c->program &&
            access(c->program, X_OK) == 0)
            return true;
    }
    return false;
}

/* Takes a descriptor, as one above those of standard input, output and errors, which
 * may be closed. */
static bool
open_handle(struct handle *h, int fd)
{
    struct stat st;
    h->fd = fd < 0 || fd > 2 ? fd : fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (h->fd != fd)
        close(fd);
    if (h->fd < 0 || fstat(h->fd, &st) != 0)
        return false;
    h->device = st.st_dev;
    h->file = st.st_ino;
    return true;
}

static bool
is_open(const struct handle *h)
{
    struct stat st;
    return h->fd >= 0 && fstat(h->fd, &st) == 0 && st.st_dev == h->device &&
           st.st_ino == h->file;
}

static void
close_handle(struct handle *h)
{
    if (is_open(h))
        close(h->fd);
    h->fd = -1;
}

/* Starts the program on a request.  Files in memory are read and written by one call. */
static bool
start_program(struct native_client *c, const void *request, size_t size)
{
    struct handle in = { .fd = -1 }, writer = { .fd = -1 };
    int ends[2] = { -1, -1 };
    const char *const args[] = { "ventus-native", NULL };
    bool ok =
        open_handle(&in, memfd_create("ventus request", MFD_CLOEXEC)) &&
        open_handle(&c->reply, memfd_create("ventus reply", MFD_CLOEXEC)) &&
        pwrite(in.fd, request, size, 0) == (ssize_t)size &&
        pipe2(ends, O_CLOEXEC) == 0;
    ok = ok & (open_handle(&c->end, ends[0]) && open_handle(&writer, ends[1]));
    const struct spawn s = { .path = c->program,
                             .args = args,
                             .in = in.fd,
                             .out = c->reply.fd,
                             .err = writer.fd };
    c->owner = getpid();
    ok = ok && spawn_apart(&s, &c->pid) == 0;
    close_handle(&in);
    close_handle(&writer);
    if (!ok) {
        close_handle(&c->reply);
        close_handle(&c->end);
    }
    return ok;
}

/* Ends the program, if it runs: nobody has the other end of its pipe then. */
static void
close_request(struct native_client *c)
{
    if (c->reply.fd < 0)
        return;
    close_handle(&c->reply);
    close_handle(&c->end);
    if (c->owner == getpid())
        spawn_adopted(c->pid);
}

/* Whether the program has ended, or its end cannot be known any more. */
static bool
has_ended(struct native_client *c, bool wait)
{
    struct pollfd p = { .fd = c->end.fd };
    if (!is_open(&c->end))
        return true;
    while (poll(&p, 1, wait ? -1 : 0) < 0 && errno == EINTR)
        ;
    return p.revents != 0;
}

/* Reads the reply; it is freed with buf_free. */
static bool
read_reply(const struct native_client *c, struct buf *to)
{
    struct stat st;
    if (!is_open(&c->reply) || fstat(c->reply.fd, &st) != 0 ||
        st.st_size > REPLY_MAX || !buf_reserve(to, (size_t)st.st_size))
        return false;
    to->n = (size_t)st.st_size;
    return pread(c->reply.fd, to->at, to->n, 0) == (ssize_t)to->n;
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
    assert(c->reply.fd < 0 && "one request at a time");
    if (start_program(c, r, sizeof *r + r->n * sizeof r->op[0]))
        return true;
    fail(c, why, "ventus-native cannot be started");
    return false;
}

static void
drop(void *ctx)
{
    close_request(ctx);
}

/* A process that was forked meanwhile has the reply, too, but it is not its own. */
static bool
take(void *ctx, bool wait, native_fn **run, void **image, const char **why)
{
    struct native_client *c = ctx;
    struct buf reply = { 0 };
    assert(c->reply.fd >= 0 && "take follows start");
    bool own = c->owner == getpid();
    if (own && !has_ended(c, wait))
        return false;
    *run = own && read_reply(c, &reply) ? take_reply(c, &reply, image, why)
                                        : fail(c, why, "ventus-native failed");
    buf_free(&reply);
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
    c->reply.fd = c->end.fd = -1;
    c->translator = (struct sim_translator){ .ctx = c,
                                             .calls = CALLS,
                                             .hot = hot,
                                             .start = start,
                                             .take = take,
                                             .drop = drop,
                                             .release = release };
    if (!find_program(c)) {
        *why = "ventus-native is not in the folder bin of this installation; "
               "it is "
               "built on x86-64 if LLVM 19 is there";
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
