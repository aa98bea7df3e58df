/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "cl/program/source_file.h"

#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

enum { MAX_DEPTH = 3, MAX_ENTRIES = 10000, MAX_WORDS_B = 1 << 16 };

struct search {
    const char *text;
    size_t size;
    unsigned entries; /* directory entries read so far */
    char *found;
};

static bool
has_text(const struct search *s, int fd)
{
    char chunk[4096];
    size_t at = 0;
    ssize_t n;
    while ((n = read(fd, chunk, sizeof chunk)) > 0) {
        if ((size_t)n > s->size - at || memcmp(s->text + at, chunk, (size_t)n))
            return false;
        at += (size_t)n;
    }
    return n == 0 && at == s->size;
}

static char *
with_folder(const char *path)
{
    char *text;
    return asprintf(&text, "%s%s", file_folder(path), path) < 0 ? NULL : text;
}

/* Tries a path; true: the file is the source. */
static bool
try_file(struct search *s, const char *path)
{
    struct stat st;
    if (stat(path, &st) || !S_ISREG(st.st_mode) ||
        (size_t)st.st_size != s->size)
        return false;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    if (has_text(s, fd))
        s->found = with_folder(path);
    close(fd);
    return s->found;
}

/* Tries the arguments of the program, as /proc has them. */
static void
try_arguments(struct search *s)
{
    char words[MAX_WORDS_B];
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, words, sizeof words - 1);
    if (fd >= 0)
        close(fd);
    if (n <= 0)
        return;
    words[n] = 0;
    for (const char *word = words; word < words + n; word += strlen(word) + 1)
        if (try_file(s, word))
            return;
}

static void
try_folder(struct search *s, const char *folder, unsigned depth)
{
    assert(depth <= MAX_DEPTH && !s->found && "the search ends with the file");
    struct dirent *e;
    DIR *d = opendir(*folder ? folder : ".");
    while (d && !s->found && s->entries++ < MAX_ENTRIES && (e = readdir(d))) {
        char path[4096];
        int n = snprintf(path, sizeof path, "%s%s%s", folder,
                         *folder ? "/" : "", e->d_name);
        if (e->d_name[0] == '.' || n < 0 || (size_t)n >= sizeof path)
            continue;
        if (e->d_type == DT_DIR && depth < MAX_DEPTH)
            try_folder(s, path, depth + 1);
        else if (e->d_type != DT_DIR)
            try_file(s, path);
    }
    if (d)
        closedir(d);
}

char *
source_file_find(const char *text, size_t size)
{
    struct search s = { .text = text, .size = size };
    assert(text && "a program without source has no file");
    try_arguments(&s);
    if (!s.found)
        try_folder(&s, "", 0);
    return s.found;
}
