/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* O_TMPFILE, memfd_create */
#include "recording/output.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_ROOM = 64, TRIES = 1000 };

/* The folder of the path, with its slash; of "x" the empty string. */
static size_t
folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

static void
name_hidden(struct output *o, char *name, unsigned i)
{
    size_t n = folder_of(o->path);
    memcpy(name, o->path, n);
    snprintf(name + n, NAME_ROOM, ".ventus-%ld-%u", (long)getpid(), i);
}

/* Not every file system has files without a name. */
static int
open_nameless(const struct output *o)
{
    char *folder = strdup(o->path);
    int fd = -1;
    if (folder) {
        size_t n = folder_of(folder);
        folder[n] = 0;
        fd = open(n ? folder : ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    }
    free(folder);
    return fd;
}

static int
open_hidden(struct output *o)
{
    o->hidden = malloc(strlen(o->path) + NAME_ROOM);
    for (unsigned i = 0; o->hidden && i < TRIES; i++) {
        name_hidden(o, o->hidden, i);
        int fd =
            open(o->hidden,
                 O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

/* What is there and would be replaced: a file, or a link to one. */
static bool
may_replace(const char *path)
{
    struct stat st;
    if (lstat(path, &st) != 0 || S_ISREG(st.st_mode) || S_ISLNK(st.st_mode))
        return true;
    errno = S_ISDIR(st.st_mode) ? EISDIR : EEXIST;
    return false;
}

bool
output_open_memory(struct output *o)
{
    *o = (struct output){ .fd = memfd_create("ventus", MFD_CLOEXEC) };
    return o->fd >= 0;
}

bool
output_open(struct output *o, const char *path)
{
    *o = (struct output){ .fd = -1, .path = strdup(path) };
    if (o->path && may_replace(path)) {
        o->fd = open_nameless(o);
        if (o->fd < 0)
            o->fd = open_hidden(o);
    }
    if (o->fd >= 0)
        return true;
    int why = errno;
    free(o->hidden);
    free(o->path);
    errno = why;
    return false;
}

bool
output_write(struct output *o, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size) {
        ssize_t n = write(o->fd, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

/* Gives it a hidden name, which is renamed then: linkat replaces nothing. */
static bool
give_name(struct output *o)
{
    char from[64];
    o->hidden = malloc(strlen(o->path) + NAME_ROOM);
    snprintf(from, sizeof from, "/proc/self/fd/%d", o->fd);
    for (unsigned i = 0; o->hidden && i < TRIES; i++) {
        name_hidden(o, o->hidden, i);
        if (linkat(AT_FDCWD, from, AT_FDCWD, o->hidden, AT_SYMLINK_FOLLOW) == 0)
            return true;
        if (errno != EEXIST)
            break;
    }
    free(o->hidden);
    o->hidden = NULL;
    return false;
}

bool
output_close(struct output *o, bool keep)
{
    bool ok = !keep || o->hidden || give_name(o);
    assert(!keep || o->path);
    int why = errno;
    if (close(o->fd) != 0 && ok) {
        ok = false;
        why = errno;
    }
    if (keep && ok && rename(o->hidden, o->path) != 0) {
        ok = false;
        why = errno;
    }
    if (o->hidden && !(keep && ok))
        unlink(o->hidden);
    free(o->hidden);
    free(o->path);
    *o = (struct output){ .fd = -1 };
    errno = why;
    return ok;
}
