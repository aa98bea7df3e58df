/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/store.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

const char *
store_path(struct arena *a, const struct store *s, const char *name)
{
    return arena_printf(a, "%s/%s", s->folder, name);
}

static bool
make_folder(const char *path)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST;
}

/* Makes a folder and those above it. */
static bool
make_folders(struct arena *a, const char *path)
{
    assert(*path);
    for (const char *at = path + 1; (at = strchr(at, '/')); at++)
        if (!make_folder(arena_strndup(a, path, (size_t)(at - path))))
            return false;
    return make_folder(path);
}

void
store_look(struct store *s, struct arena *a, const char *folder)
{
    *s = (struct store){ .arena = a, .folder = folder, .lock = -1 };
}

bool
store_open(struct store *s, struct arena *a, const char *folder,
           struct diag_sink *sink)
{
    store_look(s, a, folder);
    bool ok = make_folders(a, folder) &&
              make_folder(store_path(a, s, "points")) &&
              make_folder(store_path(a, s, "running"));
    if (ok)
        s->lock =
            open(store_path(a, s, "lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (s->lock >= 0)
        return true;
    diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = folder },
                "cannot make the folder of the results: %s", strerror(errno));
    return false;
}

void
store_close(struct store *s)
{
    if (s->lock >= 0)
        close(s->lock);
    s->lock = -1;
}

static const char *
record_path(struct arena *a, const struct store *s, const char *key)
{
    return arena_printf(a, "%s/points/%s.json", s->folder, key);
}

const char *
store_read(struct arena *a, const struct store *s, const char *key)
{
    size_t size;
    struct diag_sink sink = { .arena = a };
    const char *path = record_path(a, s, key);
    return access(path, R_OK) == 0
               ? (const char *)file_read(a, path, &size, &sink)
               : NULL;
}

enum store_state
store_state(const struct store *s, const char *key)
{
    struct arena a = { 0 };
    const char *text = store_read(&a, s, key);
    enum store_state state = !text                               ? STORE_NONE
                             : strstr(text, "\"status\":\"ok\"") ? STORE_OK
                                                                 : STORE_FAILED;
    arena_free(&a);
    return state;
}

bool
store_write(const struct store *s, const char *key, const void *record,
            size_t size, struct diag_sink *sink)
{
    return file_write(record_path(s->arena, s, key), record, size, sink);
}

/* Locks a byte of the file, whose offset is the first 60 bits of the key; the file is
 * empty. */
static bool
set_lock(const struct store *s, const char *key, short type)
{
    char digits[16] = "";
    assert(s->lock >= 0 && strlen(key) >= sizeof digits &&
           "the lock's offset needs these digits");
    memcpy(digits, key, 15);
    struct flock lock = { .l_type = type,
                          .l_whence = SEEK_SET,
                          .l_start = (off_t)strtoull(digits, NULL, 16),
                          .l_len = 1 };
    return fcntl(s->lock, F_SETLK, &lock) == 0;
}

bool
store_take(const struct store *s, const char *key)
{
    /* On a file system without locks only one process may use the folder. */
    return set_lock(s, key, F_WRLCK) || (errno != EAGAIN && errno != EACCES);
}

void
store_give(const struct store *s, const char *key)
{
    set_lock(s, key, F_UNLCK);
}
