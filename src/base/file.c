/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/defer.h"
#include "base/output.h"

/* Reports that `path` could not be read or written, for the reason in errno. */
static void
report_failure(struct diag_sink *sink, const char *path, const char *verb)
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
        got = fread(buf_extend(b, CHUNK), 1, CHUNK, in);
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
        report_failure(sink, path, "read");
    }
    oom_release(&free_b);
    oom_release(&close_in);
    return bytes;
}

bool
file_write(const char *path, const void *bytes, size_t size,
           struct diag_sink *sink)
{
    struct output o;
    bool ok = output_open(&o, path, 0);
    if (ok) {
        output_write(&o, bytes, size);
        ok = output_close(&o, true);
    }
    if (!ok)
        report_failure(sink, path, "write");
    return ok;
}

/* Finds the folder of a file that may not exist yet. */
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

const char *
file_folder(const char *path)
{
    bool has = *path == '/' || strncmp(path, "./", 2) == 0 ||
               strncmp(path, "../", 3) == 0;
    return has ? "" : "./";
}
