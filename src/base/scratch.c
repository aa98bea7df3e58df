/* SPDX-License-Identifier: Apache-2.0 */
/* flock, O_NOFOLLOW */
#define _GNU_SOURCE
#include "base/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/env.h"
#include "base/oom.h"

enum { TRIES = 100 };

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

static void
remove_folder(const char *path)
{
    nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* Opens a folder and locks it; -1 if it does not exist, or another process has its
 * lock. */
static int
lock_folder(const char *path, int wait)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 && flock(fd, LOCK_EX | wait) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* Whether the open folder still has that name. */
static bool
is_there(const char *path, int fd)
{
    struct stat there, ours;
    return lstat(path, &there) == 0 && fstat(fd, &ours) == 0 &&
           there.st_ino == ours.st_ino && there.st_dev == ours.st_dev;
}

/* Whether a folder is private to this user: in /tmp another user may have taken the
 * name. */
static bool
is_private(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) &&
           st.st_uid == geteuid() && (st.st_mode & 077) == 0;
}

static void
close_dir(void *dir)
{
    if (dir)
        closedir(dir);
}

static void
remove_stale(struct arena *a, const char *parent)
{
    DIR *dir = opendir(parent);
    const struct dirent *e;
    struct oom_cleanup close_it;
    oom_defer(&close_it, close_dir, dir);
    while (dir && (e = readdir(dir))) {
        if (*e->d_name == '.')
            continue;
        const char *path = arena_printf(a, "%s/%s", parent, e->d_name);
        int fd = lock_folder(path, LOCK_NB);
        if (fd < 0)
            continue;
        remove_folder(path);
        close(fd);
    }
    oom_release(&close_it);
}

/* Makes a new folder and locks it.  False with errno; with 0, another process removed
 * it. */
static bool
make_folder(struct scratch *s, struct arena *a)
{
    char *path = arena_printf(a, "%s/XXXXXX", s->parent);
    if (mkdir(s->parent, 0700) != 0 && errno != EEXIST)
        return false;
    errno = 0;
    if (!is_private(s->parent)) {
        errno = errno == ENOENT ? 0 : EPERM;
        return false;
    }
    if (!mkdtemp(path)) {
        errno = errno == ENOENT ? 0 : errno;
        return false;
    }
    s->path = path;
    s->fd = lock_folder(path, 0);
    if (s->fd >= 0 && is_there(path, s->fd))
        return true;
    int why = s->fd >= 0 || errno == ENOENT ? 0 : errno;
    if (s->fd >= 0)
        close(s->fd);
    rmdir(path);
    errno = why;
    return false;
}

/* Removes stale folders in the parents that make_apart made.  A folder that its owner
 * has just made and not locked yet is empty and is removed as well: the owner makes
 * another. */
static void
remove_stale_apart(struct arena *a, const char *tmp, const char *taken)
{
    size_t n = strlen(taken) - strlen(tmp) - 1;
    const char *name = taken + strlen(tmp) + 1;
    DIR *dir = opendir(tmp);
    const struct dirent *e;
    struct oom_cleanup close_it;
    oom_defer(&close_it, close_dir, dir);
    while (dir && (e = readdir(dir))) {
        if (strncmp(e->d_name, name, n) != 0 || e->d_name[n] != '-')
            continue;
        const char *parent = arena_printf(a, "%s/%s", tmp, e->d_name);
        if (!is_private(parent))
            continue;
        remove_stale(a, parent);
        rmdir(parent);
    }
    oom_release(&close_it);
}

/* Makes a parent with a unique name, as the usual name belongs to another user. */
static bool
make_apart(struct scratch *s, struct arena *a, const char *tmp)
{
    const char *taken = s->parent;
    remove_stale_apart(a, tmp, taken);
    for (int i = 0; i < TRIES; i++) {
        char *parent = arena_printf(a, "%s-XXXXXX", taken);
        if (!mkdtemp(parent))
            return false;
        s->parent = parent;
        if (make_folder(s, a))
            return true;
        if (errno != 0)
            return false;
    }
    return false;
}

bool
scratch_open(struct scratch *s, struct arena *a, struct diag_sink *sink)
{
    const char *tmp = env_get("TMPDIR");
    tmp = tmp ? tmp : "/tmp";
    *s = (struct scratch){ .fd = -1 };
    s->parent = arena_printf(a, "%s/ventus-%lu", tmp, (unsigned long)geteuid());
    if (is_private(s->parent))
        remove_stale(a, s->parent);
    for (int i = 0; i < TRIES; i++) {
        if (make_folder(s, a))
            return true;
        if (errno != 0)
            break;
    }
    if (errno == EPERM && make_apart(s, a, tmp))
        return true;
    diag_report(sink, DIAG_ERROR, (struct diag_at){ 0 },
                "cannot make a folder in %s: %s", tmp, strerror(errno));
    return false;
}

void
scratch_close(struct scratch *s)
{
    remove_folder(s->path);
    close(s->fd);
    rmdir(s->parent);
}
