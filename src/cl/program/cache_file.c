/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* memmem */
#include "cl/program/cache_file.h"
#include "base/arith.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"

/* Flags for opening an entry.  O_NONBLOCK: opening a pipe without a writer returns. */
enum { OPEN_ENTRY = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC };

static bool
read_all(int fd, uint8_t *to, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = read(fd, to + done, size - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false; /* the file was truncated meanwhile */
        done += (size_t)n;
    }
    return true;
}

uint8_t *
cache_file_read(int folder, const char *name, size_t limit_B, size_t *size)
{
    struct stat st;
    uint8_t *bytes = NULL;
    int fd = openat(folder, name, OPEN_ENTRY);
    if (fd < 0)
        return NULL;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
        st.st_size > 0 && (uint64_t)st.st_size <= limit_B) {
        *size = (size_t)st.st_size;
        bytes = malloc(*size);
        if (bytes && !read_all(fd, bytes, *size)) {
            free(bytes);
            bytes = NULL;
        }
    }
    close(fd);
    return bytes;
}

bool
cache_file_write(int folder, const char *name, const struct buf *bytes)
{
    struct output o;
    if (!output_open_at(&o, folder, name))
        return false;
    output_write(&o, bytes->at, bytes->n);
    return output_close(&o, true);
}

bool
cache_text_asks(const void *bytes, size_t size)
{
    static const char *const words[] = { "__has_include", "__has_embed" };
    for (unsigned i = 0; i < ARRAY_SIZE(words); i++)
        if (memmem(bytes, size, words[i], strlen(words[i])))
            return true;
    return false;
}

bool
cache_file_asks(const char *path)
{
    /* WORD is more than the length of a word. */
    enum { PART = 16384, WORD = 16 };
    char part[WORD + PART];
    struct stat st;
    size_t kept = 0;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    bool yes = fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode);
    for (ssize_t n = 1; !yes && n != 0;) {
        n = read(fd, part + kept, PART);
        if (n < 0 && errno == EINTR)
            continue;
        size_t size = kept + (n > 0 ? (size_t)n : 0);
        yes = n < 0 || cache_text_asks(part, size);
        kept = size < WORD ? size : WORD;
        memmove(part, part + size - kept, kept);
    }
    if (fd >= 0)
        close(fd);
    return yes;
}

void
cache_file_touch(int folder, const char *name)
{
    utimensat(folder, name, NULL, AT_SYMLINK_NOFOLLOW);
}
