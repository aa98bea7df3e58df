/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/vec.h"
#include "cl/api.h"

/*
 * An entry: magic, hash of what follows it, then three blocks, each a size of
 * 8 bytes and the bytes: the included files, the log, the binary.  A file is
 * its hash and its path with the zero byte.
 */
static const char magic[8] = "VTKC0001";
enum { HEAD = sizeof magic + SHA256_SIZE };

enum { DEFAULT_MB = 512, STALE_S = 3600, SWEEP_S = 60 };

/* ---- where ---- */

/* The folder, made if it is missing; NULL: there is no cache. */
static const char *
folder(struct arena *a)
{
    const char *path = cl_env("VENTUS_CACHE_DIR");
    const char *base = cl_env("XDG_CACHE_HOME"), *home = cl_env("HOME");
    const char *on = cl_env("VENTUS_CACHE");
    if (on && strcmp(on, "0") == 0)
        return NULL;
    if (!path && base && *base == '/')
        path = arena_printf(a, "%s/ventus", base);
    else if (!path && home)
        path = arena_printf(a, "%s/.cache/ventus", home);
    if (!path)
        return NULL;
    char *part = arena_printf(a, "%s", path);
    for (char *s = part + 1; *s; s++) {
        if (*s != '/')
            continue;
        *s = 0;
        mkdir(part, 0700);
        *s = '/';
    }
    return mkdir(part, 0700) == 0 || errno == EEXIST ? path : NULL;
}

static const char *
entry_path(struct arena *a, const uint8_t key[SHA256_SIZE])
{
    const char *dir = folder(a);
    char text[SHA256_TEXT];
    sha256_text(key, text);
    return dir ? arena_printf(a, "%s/%s.kernel", dir, text) : NULL;
}

/* ---- reading ---- */

static uint8_t *
read_file(struct arena *a, const char *path, size_t *size)
{
    struct diag_sink sink = { .arena = a };
    return file_read(a, path, size, &sink);
}

static void
hash_bytes(const void *bytes, size_t size, uint8_t digest[SHA256_SIZE])
{
    struct sha256 s = sha256_begin();
    sha256_add(&s, bytes, size);
    sha256_end(&s, digest);
}

bool
cache_hash_file(const char *path, uint8_t digest[SHA256_SIZE])
{
    struct arena a = { 0 };
    size_t size;
    struct stat st;
    uint8_t *bytes = NULL;
    if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
        bytes = read_file(&a, path, &size);
    if (bytes)
        hash_bytes(bytes, size, digest);
    arena_free(&a);
    return bytes != NULL;
}

/* The next block of what is left; NULL if it is not whole. */
static const uint8_t *
next_block(const uint8_t **at, size_t *left, size_t *size)
{
    uint64_t n;
    if (*left < sizeof n)
        return NULL;
    memcpy(&n, *at, sizeof n);
    if (n > *left - sizeof n)
        return NULL;
    const uint8_t *block = *at + sizeof n;
    *size = n;
    *at = block + n;
    *left -= sizeof n + n;
    return block;
}

static bool
files_are_unchanged(const uint8_t *at, size_t left)
{
    while (left) {
        uint8_t digest[SHA256_SIZE];
        const uint8_t *end = NULL;
        if (left > SHA256_SIZE)
            end = memchr(at + SHA256_SIZE, 0, left - SHA256_SIZE);
        if (!end || !cache_hash_file((const char *)at + SHA256_SIZE, digest) ||
            memcmp(digest, at, SHA256_SIZE) != 0)
            return false;
        left -= (size_t)(end + 1 - at);
        at = end + 1;
    }
    return true;
}

static bool
parse(const uint8_t *bytes, size_t size, struct cache_entry *entry)
{
    uint8_t digest[SHA256_SIZE];
    if (size < HEAD || memcmp(bytes, magic, sizeof magic) != 0)
        return false;
    hash_bytes(bytes + HEAD, size - HEAD, digest);
    if (memcmp(bytes + sizeof magic, digest, sizeof digest) != 0)
        return false;
    const uint8_t *at = bytes + HEAD, *block[3];
    size_t left = size - HEAD, n[3];
    for (int i = 0; i < 3; i++)
        if (!(block[i] = next_block(&at, &left, &n[i])))
            return false;
    if (left || !files_are_unchanged(block[0], n[0]))
        return false;
    buf_put(&entry->log, block[1], n[1]);
    buf_put(&entry->binary, block[2], n[2]);
    return true;
}

bool
cache_find(const uint8_t key[SHA256_SIZE], struct cache_entry *entry)
{
    struct arena a = { 0 };
    size_t size;
    struct stat st;
    const char *path = entry_path(&a, key);
    uint8_t *bytes = NULL;
    if (path && stat(path, &st) == 0)
        bytes = read_file(&a, path, &size);
    bool ok = bytes && parse(bytes, size, entry);
    if (ok)
        utimensat(AT_FDCWD, path, NULL, 0); /* it was used now */
    arena_free(&a);
    return ok;
}

/* ---- writing ---- */

struct found {
    const char *path;
    time_t used;
    uint64_t size;
};

static int
compare_use(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    return (x->used > y->used) - (x->used < y->used);
}

/*
 * Looking at a folder of 30,000 entries takes as long as compiling one more, so
 * it is done once a minute, by whoever stores then: a file has that time.
 */
static bool
sweep_is_due(struct arena *a, const char *dir)
{
    const char *path = arena_printf(a, "%s/.swept", dir);
    struct stat st;
    time_t now = time(NULL);
    if (stat(path, &st) == 0 && st.st_mtime <= now &&
        now - st.st_mtime < SWEEP_S)
        return false;
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return true;
    futimens(fd, NULL);
    close(fd);
    return true;
}

/* Removes what was used longest ago until the rest is small enough, and what
 * processes that were killed have left. */
static void
sweep(struct arena *a, const char *dir)
{
    vec(struct found) files = { 0 };
    uint64_t total = 0;
    uint64_t limit = cl_env_number("VENTUS_CACHE_MB", DEFAULT_MB) << 20;
    DIR *d = opendir(dir);
    for (struct dirent *e; d && (e = readdir(d));) {
        struct stat st;
        const char *path = arena_printf(a, "%s/%s", dir, e->d_name);
        if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
            continue;
        if (e->d_name[0] == '.' && st.st_mtime + STALE_S < time(NULL))
            unlink(path);
        if (e->d_name[0] == '.')
            continue;
        total += (uint64_t)st.st_size;
        vec_push(a, &files,
                 ((struct found){ path, st.st_mtime, (uint64_t)st.st_size }));
    }
    if (d)
        closedir(d);
    if (total <= limit)
        return;
    qsort(files.at, files.n, sizeof *files.at, compare_use);
    /* Well below, so that not every sweep has to do this. */
    for (size_t i = 0; i < files.n && total > limit / 4 * 3; i++) {
        unlink(files.at[i].path);
        total -= files.at[i].size;
    }
}

static void
put_block(struct buf *to, const struct buf *block)
{
    buf_u64(to, block->n);
    buf_put(to, block->at, block->n);
}

/* Hashes and paths; false if a file cannot be read any more. */
static bool
list_files(const struct buf *files, struct buf *list)
{
    for (size_t i = 0; i < files->n;) {
        const char *path = (const char *)files->at + i;
        uint8_t digest[SHA256_SIZE];
        if (!cache_hash_file(path, digest))
            return false;
        buf_put(list, digest, sizeof digest);
        buf_put(list, path, strlen(path) + 1);
        i += strlen(path) + 1;
    }
    return true;
}

void
cache_store(const uint8_t key[SHA256_SIZE], const struct cache_entry *entry,
            const struct buf *files)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct buf body = { 0 }, list = { 0 }, all = { 0 };
    uint8_t digest[SHA256_SIZE];
    const char *path = entry_path(&a, key);
    if (path && list_files(files, &list)) {
        put_block(&body, &list);
        put_block(&body, &entry->log);
        put_block(&body, &entry->binary);
        hash_bytes(body.at, body.n, digest);
        buf_put(&all, magic, sizeof magic);
        buf_put(&all, digest, sizeof digest);
        buf_put(&all, body.at, body.n);
        /* A cache that cannot be written is none; nobody needs to know. */
        const char *dir = folder(&a);
        if (file_write(path, all.at, all.n, &sink) && sweep_is_due(&a, dir))
            sweep(&a, dir);
    }
    buf_free(&body);
    buf_free(&list);
    buf_free(&all);
    arena_free(&a);
}

void
cache_entry_free(struct cache_entry *entry)
{
    buf_free(&entry->binary);
    buf_free(&entry->log);
}
