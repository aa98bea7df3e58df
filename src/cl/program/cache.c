/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/program/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/defer.h"
#include "base/vec.h"
#include "cl/api.h"
#include "cl/program/cache_file.h"

/* The format of an entry: magic, check, then three blocks, each a size of 8 bytes and
 * the bytes: the included files, the log, the binary.  A file is its hash and its path
 * with the zero byte.  The check is the hash of the key, which is the entry's name,
 * and of the blocks: an entry under another's name is invalid. */
static const char magic[8] = "VTKC0002";
enum { HEAD = sizeof magic + SHA256_SIZE };

enum { DEFAULT_MB = 512, DEFAULT_ENTRY_MB = 64, STALE_S = 3600, SWEEP_S = 60 };
enum { NAME_SIZE = SHA256_TEXT + sizeof ".kernel" };

/* ---- the folder ---- */

/* The path of the folder, which is made with all folders above it; NULL: no cache. */
static const char *
folder_path(struct arena *a)
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
    mkdir(part, 0700);
    return path;
}

struct folder {
    struct arena arena;
    const char *path;
};

static void
find_folder(void *ctx)
{
    struct folder *f = ctx;
    f->path = folder_path(&f->arena);
}

/* Opens the folder; -1: no cache. */
static int
open_folder(void)
{
    struct folder f = { .path = NULL };
    bool ok = oom_call(find_folder, &f) && f.path;
    int fd = ok ? open(f.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    arena_free(&f.arena);
    return fd;
}

static void
entry_name(const uint8_t key[SHA256_SIZE], char name[NAME_SIZE])
{
    char text[SHA256_TEXT];
    sha256_text(key, text);
    snprintf(name, NAME_SIZE, "%s.kernel", text);
}

static size_t
entry_limit_B(void)
{
    return cl_env_number("VENTUS_CACHE_ENTRY_MB", DEFAULT_ENTRY_MB, UINT32_MAX)
           << 20;
}

/* ---- reading ---- */

static void
check_of(const uint8_t key[SHA256_SIZE], const void *bytes, size_t size,
         uint8_t digest[SHA256_SIZE])
{
    struct sha256 s = sha256_begin();
    sha256_add(&s, key, SHA256_SIZE);
    sha256_add(&s, bytes, size);
    sha256_end(&s, digest);
}

static void
hash_rest(int fd, struct sha256 *s, bool *ok)
{
    uint8_t part[16384];
    ssize_t n;
    while ((n = read(fd, part, sizeof part)) != 0) {
        if (n > 0)
            sha256_add(s, part, (size_t)n);
        else if (errno != EINTR)
            break;
    }
    *ok = n == 0;
}

bool
cache_hash_file(const char *path, uint8_t digest[SHA256_SIZE])
{
    struct stat st;
    bool ok = false;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
        struct sha256 s = sha256_begin();
        hash_rest(fd, &s, &ok);
        sha256_end(&s, digest);
    }
    close(fd);
    return ok;
}

/* The next block of the remaining bytes; NULL if it is incomplete. */
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
parse_entry(const uint8_t key[SHA256_SIZE], const uint8_t *bytes, size_t size,
            struct cache_entry *entry)
{
    uint8_t digest[SHA256_SIZE];
    if (size < HEAD || memcmp(bytes, magic, sizeof magic) != 0)
        return false;
    check_of(key, bytes + HEAD, size - HEAD, digest);
    if (memcmp(bytes + sizeof magic, digest, sizeof digest) != 0)
        return false;
    const uint8_t *at = bytes + HEAD, *block[3];
    size_t left = size - HEAD, n[3];
    for (int i = 0; i < 3; i++)
        if (!(block[i] = next_block(&at, &left, &n[i])))
            return false;
    if (left || !files_are_unchanged(block[0], n[0]))
        return false;
    if (!buf_reserve(&entry->log, n[1]) || !buf_reserve(&entry->binary, n[2]))
        return false;
    buf_put(&entry->log, block[1], n[1]);
    buf_put(&entry->binary, block[2], n[2]);
    return true;
}

bool
cache_find(const uint8_t key[SHA256_SIZE], struct cache_entry *entry)
{
    char name[NAME_SIZE];
    size_t size;
    int dir = open_folder();
    if (dir < 0)
        return false;
    entry_name(key, name);
    uint8_t *bytes = cache_file_read(dir, name, entry_limit_B(), &size);
    bool ok = bytes && parse_entry(key, bytes, size, entry);
    if (ok)
        cache_file_touch(dir, name); /* marks the entry as used now */
    free(bytes);
    close(dir);
    return ok;
}

/* ---- writing ---- */

struct found {
    const char *name;
    time_t used;
    uint64_t size;
};

static int
compare_use(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    return (x->used > y->used) - (x->used < y->used);
}

/* Whether to sweep now.  Examining a folder of 30,000 entries takes as long as
 * compiling one more, so a process that stores an entry sweeps at most once a minute;
 * the time of the file .swept says when. */
static bool
sweep_is_due(int dir)
{
    struct stat st;
    time_t now = time(NULL);
    if (fstatat(dir, ".swept", &st, AT_SYMLINK_NOFOLLOW) == 0 &&
        st.st_mtime <= now && now - st.st_mtime < SWEEP_S)
        return false;
    const struct buf empty = { 0 };
    cache_file_write(dir, ".swept", &empty);
    return true;
}

static void
close_dir(void *d)
{
    if (d)
        closedir(d);
}

/* Evicts entries, least recently used first, until the rest is small enough; and
 * removes the temporary files of killed processes. */
static void
sweep_cache(struct arena *a, int dir)
{
    vec(struct found) files = { 0 };
    uint64_t total = 0;
    uint64_t limit = cl_env_number("VENTUS_CACHE_MB", DEFAULT_MB, UINT32_MAX)
                     << 20;
    int copy = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = copy < 0 ? NULL : fdopendir(copy);
    struct oom_cleanup close_d;
    if (!d && copy >= 0)
        close(copy);
    oom_defer(&close_d, close_dir, d);
    for (struct dirent *e; d && (e = readdir(d));) {
        struct stat st;
        if (fstatat(dir, e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(st.st_mode))
            continue;
        if (e->d_name[0] == '.' && st.st_mtime + STALE_S < time(NULL))
            unlinkat(dir, e->d_name, 0);
        if (e->d_name[0] == '.')
            continue;
        total += (uint64_t)st.st_size;
        vec_push(a, &files,
                 ((struct found){ arena_printf(a, "%s", e->d_name), st.st_mtime,
                                  (uint64_t)st.st_size }));
    }
    oom_release(&close_d);
    if (total <= limit)
        return;
    qsort(files.at, files.n, sizeof *files.at, compare_use);
    /* The target is well below the limit, so that not every sweep evicts. */
    for (size_t i = 0; i < files.n && total > limit / 4 * 3; i++) {
        unlinkat(dir, files.at[i].name, 0);
        total -= files.at[i].size;
    }
}

static void
put_block(struct buf *to, const struct buf *block)
{
    buf_u64(to, block->n);
    buf_put(to, block->at, block->n);
}

/* Lists files with their hashes; false if one cannot be read any more. */
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

/* Appends the bytes of an entry's file. */
static void
put_entry(const uint8_t key[SHA256_SIZE], const struct cache_entry *entry,
          const struct buf *list, struct buf *all)
{
    struct buf body = { 0 };
    struct oom_cleanup free_body;
    uint8_t digest[SHA256_SIZE];
    oom_defer_buf(&free_body, &body);
    put_block(&body, list);
    put_block(&body, &entry->log);
    put_block(&body, &entry->binary);
    check_of(key, body.at, body.n, digest);
    buf_put(all, magic, sizeof magic);
    buf_put(all, digest, sizeof digest);
    buf_put(all, body.at, body.n);
    oom_release(&free_body);
}

struct storing {
    const uint8_t *key;
    const struct cache_entry *entry;
    const struct buf *files;
    int dir;
    struct arena arena;
    struct buf list, all;
};

static void
store_entry(void *ctx)
{
    struct storing *s = ctx;
    char name[NAME_SIZE];
    if (!list_files(s->files, &s->list))
        return;
    put_entry(s->key, s->entry, &s->list, &s->all);
    entry_name(s->key, name);
    if (s->all.n <= entry_limit_B() &&
        cache_file_write(s->dir, name, &s->all) && sweep_is_due(s->dir))
        sweep_cache(&s->arena, s->dir);
}

/* Failures to write are ignored: the program is compiled again. */
void
cache_store(const uint8_t key[SHA256_SIZE], const struct cache_entry *entry,
            const struct buf *files)
{
    struct storing s = {
        .key = key, .entry = entry, .files = files, .dir = open_folder()
    };
    if (s.dir < 0)
        return;
    (void)oom_call(store_entry, &s);
    close(s.dir);
    buf_free(&s.list);
    buf_free(&s.all);
    arena_free(&s.arena);
}

void
cache_entry_free(struct cache_entry *entry)
{
    buf_free(&entry->binary);
    buf_free(&entry->log);
}
