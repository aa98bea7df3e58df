/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/defer.h"

/* Says that `path` could not be read or written, for the reason in errno. */
static void
report(struct diag_sink *sink, const char *path, const char *verb)
{
    int why = errno;
    if (strcmp(path, "-") == 0)
        path = *verb == 'r' ? "<stdin>" : "<stdout>";
    diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = path },
                "cannot %s: %s", verb, strerror(why));
}

static bool
read_all(FILE *in, struct buf *b)
{
    size_t got;
    do {
        enum { CHUNK = 64 * 1024 };
        got = fread(buf_room(b, CHUNK), 1, CHUNK, in);
        b->n -= CHUNK - got;
    } while (got > 0);
    return !ferror(in);
}

static void
close_input(void *in)
{
    if (in && in != stdin)
        fclose(in);
}

uint8_t *
file_read(struct arena *a, const char *path, size_t *size,
          struct diag_sink *sink)
{
    bool is_stdin = strcmp(path, "-") == 0;
    FILE *in = is_stdin ? stdin : fopen(path, "rb");
    struct oom_cleanup close_in, free_b;
    struct buf b = { 0 };
    uint8_t *bytes = NULL;
    oom_defer(&close_in, close_input, in);
    oom_defer_buf(&free_b, &b);
    if (in && read_all(in, &b)) {
        *size = b.n;
        bytes = (uint8_t *)arena_strndup(a, (char *)b.at, b.n);
    } else {
        report(sink, path, "read");
    }
    oom_release(&free_b);
    oom_release(&close_in);
    return bytes;
}

/* Writes and closes; false, with errno set, if either failed. */
static bool
write_close(FILE *out, const void *bytes, size_t size)
{
    bool ok = size == 0 || fwrite(bytes, 1, size, out) == size;
    int why = errno;
    if (fclose(out) == 0) {
        errno = why;
        return ok;
    }
    if (!ok)
        errno = why;
    return false;
}

static bool
write_stdout(const void *bytes, size_t size)
{
    bool ok = size == 0 || fwrite(bytes, 1, size, stdout) == size;
    return fflush(stdout) == 0 && ok;
}

static bool
write_in_place(const char *path, const void *bytes, size_t size)
{
    FILE *out = fopen(path, "wb");
    return out && write_close(out, bytes, size);
}

/* For ".ventus-", two numbers and the zero byte. */
enum { NAME_ROOM = 64 };

/*
 * Opens a new file in the folder of `path` and puts its name into `name`,
 * which has NAME_ROOM bytes more than it.  Not mkstemp: that one ignores the umask.
 */
static int
open_beside(const char *path, char *name)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash + 1 - path) : 0;
    memcpy(name, path, folder);
    for (unsigned i = 0;; i++) {
        snprintf(name + folder, NAME_ROOM, ".ventus-%ld-%u", (long)getpid(), i);
        int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
}

/* `mode` is that of the file to be replaced, NULL if there is none. */
static bool
replace(const char *path, const mode_t *mode, const void *bytes, size_t size)
{
    char *name = malloc(strlen(path) + NAME_ROOM);
    int fd = name ? open_beside(path, name) : -1;
    if (fd < 0) {
        free(name);
        return false;
    }
    bool ok = !mode || fchmod(fd, *mode & 07777) == 0;
    FILE *out = ok ? fdopen(fd, "wb") : NULL;
    ok = out && write_close(out, bytes, size) && rename(name, path) == 0;
    int why = errno;
    if (!out)
        close(fd);
    if (!ok)
        unlink(name);
    free(name);
    errno = why;
    return ok;
}

bool
file_write(const char *path, const void *bytes, size_t size,
           struct diag_sink *sink)
{
    struct stat st;
    bool ok;
    if (strcmp(path, "-") == 0) {
        ok = write_stdout(bytes, size);
    } else if (stat(path, &st) != 0) {
        ok = replace(path, NULL, bytes, size);
    } else if (!S_ISREG(st.st_mode)) {
        ok = write_in_place(path, bytes, size);
    } else {
        /* Through a symbolic link: the link stays, its target is replaced. */
        char *target = realpath(path, NULL);
        ok = target && replace(target, &st.st_mode, bytes, size);
        free(target);
    }
    if (!ok)
        report(sink, path, "write");
    return ok;
}

FILE *
file_open_output(const char *path)
{
    return strcmp(path, "-") == 0 ? stdout : fopen(path, "wb");
}

bool
file_close_output(FILE *out)
{
    if (!out)
        return true;
    bool whole = !ferror(out);
    return (out == stdout ? fflush(out) : fclose(out)) == 0 && whole;
}

bool
file_may_write(const char *path)
{
    struct stat st;
    const char *slash = strrchr(path, '/');
    if (strcmp(path, "-") == 0)
        return true;
    if (stat(path, &st) == 0) {
        errno = S_ISDIR(st.st_mode) ? EISDIR : 0;
        return !errno && access(path, W_OK) == 0;
    }
    if (!*path || !slash)
        return *path && access(".", W_OK | X_OK) == 0;
    char folder[PATH_MAX];
    size_t n = (size_t)(slash - path) + 1;
    errno = ENAMETOOLONG;
    if (n >= sizeof folder)
        return false;
    memcpy(folder, path, n);
    folder[n] = 0;
    return access(folder, W_OK | X_OK) == 0;
}

/* The folder of a file that may not exist yet. */
static bool
find_folder(const char *path, struct stat *st)
{
    const char *slash = strrchr(path, '/');
    size_t n = slash ? (size_t)(slash - path) + 1 : 0;
    char folder[PATH_MAX] = ".";
    if (n >= sizeof folder)
        return false;
    if (n)
        memcpy(folder, path, n);
    return stat(folder, st) == 0;
}

bool
file_is_same(const char *a, const char *b)
{
    struct stat at_a, at_b;
    if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0)
        return false;
    bool has_a = stat(a, &at_a) == 0, has_b = stat(b, &at_b) == 0;
    if (has_a != has_b)
        return false;
    if (has_a)
        return S_ISREG(at_a.st_mode) && at_a.st_dev == at_b.st_dev &&
               at_a.st_ino == at_b.st_ino;
    const char *name_a = strrchr(a, '/'), *name_b = strrchr(b, '/');
    return strcmp(name_a ? name_a + 1 : a, name_b ? name_b + 1 : b) == 0 &&
           find_folder(a, &at_a) && find_folder(b, &at_b) &&
           at_a.st_dev == at_b.st_dev && at_a.st_ino == at_b.st_ino;
}
