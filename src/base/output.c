/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* O_TMPFILE, memfd_create, fopencookie */
#include "base/output.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

/* TEMPORARY_SUFFIX_MAX holds ".ventus-", two numbers and the zero byte. */
enum { TEMPORARY_SUFFIX_MAX = 64, TRIES = 1000, MAX_LINKS = 40 };

/* ---- resolving the target ---- */

/* The length of the folder in a path, with its slash; 0: no folder. */
static size_t
folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

/* A copy of the folder of a path; "." if it has none. */
static char *
folder_of(const char *path)
{
    size_t n = folder_length(path);
    return n ? strndup(path, n) : strdup(".");
}

/* Whether a link is an open descriptor, as in /proc, whose file is not known by name. */
static bool
is_descriptor(const char *link)
{
    struct statfs fs;
    char *folder = folder_of(link);
    bool yes = folder && statfs(folder, &fs) == 0 &&
               (unsigned long)fs.f_type == PROC_SUPER_MAGIC;
    free(folder);
    return yes;
}

/* The target of the symbolic link `path`, whose text is `to`, as a path from the current
 * folder.  Frees `path`; NULL: no memory. */
static char *
follow_link(char *path, const char *to)
{
    size_t n = *to == '/' ? 0 : folder_length(path);
    char *next = malloc(n + strlen(to) + 1);
    if (next) {
        memcpy(next, path, n);
        strcpy(next + n, to);
    }
    free(path);
    return next;
}

/* The target of a path through all symbolic links; it need not exist.  Sets
 * `descriptor` if the target is an open descriptor.  NULL: errno says why. */
static char *
resolve_links(const char *path, bool *descriptor)
{
    char *at = strdup(path), to[PATH_MAX];
    *descriptor = false;
    for (int i = 0; at && i < MAX_LINKS; i++) {
        ssize_t n = readlink(at, to, sizeof to - 1);
        if (n < 0)
            return at;
        to[n] = 0;
        if (is_descriptor(at)) {
            *descriptor = true;
            return at;
        }
        at = follow_link(at, to);
    }
    if (at)
        errno = ELOOP;
    free(at);
    return NULL;
}

/* ---- temporary files ---- */

static char *
hidden_name(const struct output *o, unsigned i)
{
    size_t n = folder_length(o->target);
    char *name = malloc(n + TEMPORARY_SUFFIX_MAX);
    if (!name)
        return NULL;
    memcpy(name, o->target, n);
    snprintf(name + n, TEMPORARY_SUFFIX_MAX, ".ventus-%ld-%u", (long)getpid(),
             i);
    return name;
}

/* Tries hidden names until one is free; take() creates the file and sets errno. */
static bool
take_name(struct output *o, bool (*take)(struct output *o, mode_t mode),
          mode_t mode)
{
    for (unsigned i = 0; i < TRIES; i++) {
        o->hidden = hidden_name(o, i);
        if (!o->hidden)
            return false;
        if (take(o, mode))
            return true;
        int why = errno;
        free(o->hidden);
        o->hidden = NULL;
        errno = why;
        if (why != EEXIST)
            return false;
    }
    return false;
}

/* Creates the temporary file with a name, beside the target.  mkstemp would ignore the
 * umask. */
static bool
create_hidden(struct output *o, mode_t mode)
{
    o->fd = openat(o->folder, o->hidden,
                   O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    return o->fd >= 0;
}

/* Creates the temporary file without a name (O_TMPFILE), where the file system and
 * /proc, through which it gets its name later, permit that. */
static bool
create_nameless(struct output *o, mode_t mode)
{
    char *folder = folder_of(o->target);
    o->fd = -1;
    if (folder && access("/proc/self/fd", X_OK) == 0)
        o->fd =
            openat(o->folder, folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    free(folder);
    return o->fd >= 0;
}

static bool
name_nameless(struct output *o, mode_t mode)
{
    char from[64];
    (void)mode;
    snprintf(from, sizeof from, "/proc/self/fd/%d", o->fd);
    return linkat(AT_FDCWD, from, o->folder, o->hidden, AT_SYMLINK_FOLLOW) == 0;
}

/* ---- opening ---- */

/* Closes the stream, if there is one, and the descriptor. */
static bool
close_stream(struct output *o)
{
    FILE *stream = o->stream;
    bool ok = !stream || stream == stdout || fclose(stream) == 0;
    int fd = o->fd;
    o->stream = NULL;
    o->fd = -1;
    return (fd < 0 || close(fd) == 0) && ok;
}

/* Closes and frees everything after a failure. */
static bool
give_up(struct output *o)
{
    int why = errno;
    close_stream(o);
    if (o->hidden)
        unlinkat(o->folder, o->hidden, 0);
    free(o->hidden);
    free(o->target);
    *o = (struct output){ 0 };
    errno = why;
    return false;
}

/* Opens a temporary file beside the target; `mode` is that of the file to be replaced,
 * NULL if there is none. */
static bool
open_beside(struct output *o, const mode_t *mode, unsigned flags)
{
    mode_t made = flags & OUTPUT_PRIVATE ? 0600 : 0666;
    o->is_open = (flags & OUTPUT_LONG && create_nameless(o, made)) ||
                 take_name(o, create_hidden, made);
    if (!o->is_open || (mode && fchmod(o->fd, *mode & 07777) != 0))
        return give_up(o);
    return true;
}

static bool
open_in_place(struct output *o, bool descriptor)
{
    int how = descriptor ? O_APPEND : O_TRUNC;
    o->fd = open(o->target, O_WRONLY | how | O_CLOEXEC);
    o->is_open = o->fd >= 0;
    if (!o->is_open)
        return give_up(o);
    free(o->target);
    o->target = NULL;
    return true;
}

/* Whether the path has a file that a private file must not replace.  Sets errno. */
static bool
is_taken(const char *path)
{
    struct stat st;
    if (lstat(path, &st) != 0 || S_ISREG(st.st_mode) || S_ISLNK(st.st_mode))
        return false;
    errno = S_ISDIR(st.st_mode) ? EISDIR : EEXIST;
    return true;
}

static bool
open_private(struct output *o, int folder, const char *name, unsigned flags)
{
    *o = (struct output){ .fd = -1, .folder = folder, .target = strdup(name) };
    return o->target && open_beside(o, NULL, flags | OUTPUT_PRIVATE);
}

bool
output_open(struct output *o, const char *path, unsigned flags)
{
    struct stat st;
    bool descriptor;
    *o = (struct output){ .fd = -1, .folder = AT_FDCWD };
    if (strcmp(path, "-") == 0) {
        o->stream = stdout;
        return o->is_open = true;
    }
    if (flags & OUTPUT_PRIVATE)
        return !is_taken(path) && open_private(o, AT_FDCWD, path, flags);
    o->target = resolve_links(path, &descriptor);
    if (!o->target)
        return false;
    if (stat(o->target, &st) != 0)
        return errno == ENOENT ? open_beside(o, NULL, flags) : give_up(o);
    if (!S_ISREG(st.st_mode) || descriptor)
        return open_in_place(o, descriptor);
    if (access(o->target, W_OK) != 0)
        return give_up(o);
    return open_beside(o, &st.st_mode, flags);
}

bool
output_open_at(struct output *o, int folder, const char *name)
{
    return open_private(o, folder, name, 0);
}

bool
output_open_memory(struct output *o)
{
    *o = (struct output){ .fd = memfd_create("ventus", MFD_CLOEXEC) };
    return o->is_open = o->fd >= 0;
}

/* Writes all bytes to a descriptor.  False: errno says why. */
static bool
write_descriptor(int fd, const char *at, size_t size)
{
    while (size) {
        ssize_t n = write(fd, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

/* The write function of the stream.  stdio remembers that a write failed, but not why:
 * the output keeps the first reason. */
static ssize_t
write_stream(void *output, const char *bytes, size_t size)
{
    struct output *o = output;
    if (write_descriptor(o->fd, bytes, size))
        return (ssize_t)size;
    if (!o->why)
        o->why = errno;
    return 0;
}

/* The seek function of the stream, which ftello needs. */
static int
seek_stream(void *output, off64_t *offset, int whence)
{
    struct output *o = output;
    off64_t at = lseek(o->fd, *offset, whence);
    if (at >= 0)
        *offset = at;
    return at < 0 ? -1 : 0;
}

FILE *
output_stream(struct output *o, const char *path)
{
    if (!output_open(o, path, OUTPUT_LONG))
        return NULL;
    if (!o->stream)
        o->stream = fopencookie(o, "wb",
                                (cookie_io_functions_t){
                                    .write = write_stream,
                                    .seek = seek_stream,
                                });
    if (!o->stream)
        give_up(o);
    return o->stream;
}

bool
output_may_open(const char *path)
{
    struct stat st;
    bool descriptor;
    if (strcmp(path, "-") == 0)
        return true;
    char *target = resolve_links(path, &descriptor);
    int why = target ? 0 : errno;
    bool is_there = target && stat(target, &st) == 0;
    if (target && !is_there && (errno != ENOENT || !*target))
        why = errno;
    else if (is_there && S_ISDIR(st.st_mode))
        why = EISDIR;
    else if (is_there && access(target, W_OK) != 0)
        why = errno;
    if (!why && !descriptor && (!is_there || S_ISREG(st.st_mode))) {
        char *folder = folder_of(target);
        if (!folder || access(folder, W_OK | X_OK) != 0)
            why = errno;
        free(folder);
    }
    free(target);
    errno = why;
    return !why;
}

/* ---- writing ---- */

static bool
write_all(struct output *o, const char *at, size_t size)
{
    if (o->stream)
        return fwrite(at, 1, size, o->stream) == size;
    return write_descriptor(o->fd, at, size);
}

bool
output_write(struct output *o, const void *bytes, size_t size)
{
    assert(o->is_open && "output_open has succeeded");
    bool ok = size == 0 || write_all(o, bytes, size);
    if (!ok && !o->why)
        o->why = errno;
    return ok;
}

/* Flushes the stream.  Standard output remembers that an error occurred, but not
 * which. */
static bool
flush_stream(struct output *o)
{
    errno = 0;
    if (fflush(o->stream) == 0 && !ferror(o->stream))
        return true;
    if (o->why)
        errno = o->why;
    if (!errno)
        errno = EIO;
    return false;
}

/* Does all of output_close but the clean-up after a failure. */
static bool
replace_target(struct output *o, bool keep)
{
    errno = o->why;
    if (o->why || (o->stream && !flush_stream(o)))
        return false;
    bool replaces = keep && o->target;
    if (replaces && !o->hidden && !take_name(o, name_nameless, 0))
        return false;
    if (!close_stream(o))
        return false;
    if (!replaces)
        return true;
    if (renameat(o->folder, o->hidden, o->folder, o->target) != 0)
        return false;
    free(o->hidden);
    o->hidden = NULL;
    return true;
}

bool
output_close(struct output *o, bool keep)
{
    if (!o->is_open)
        return true;
    bool ok = replace_target(o, keep);
    give_up(o); /* frees the rest; keeps errno */
    return ok;
}
