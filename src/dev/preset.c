/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): dladdr */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/oom.h"
#include "base/vec.h"
#include "dev/device.h"
#include "dev/error.h"

static const char folder_name[] = "share/ventus/configs";

/* Looks in this folder, and in those above it: build trees are deep. */
static const char *
find_above(struct arena *a, char *path)
{
    struct stat st;
    for (char *slash; (slash = strrchr(path, '/')) && slash != path;) {
        *slash = 0;
        const char *folder = arena_printf(a, "%s/%s", path, folder_name);
        if (stat(folder, &st) == 0 && S_ISDIR(st.st_mode))
            return folder;
    }
    return NULL;
}

const char *
config_folder(struct arena *a)
{
    /* The folder of a library counts, not that of the program that loaded it. */
    char path[PATH_MAX];
    static const int self;
    Dl_info info;
    if (dladdr(&self, &info) && strchr(info.dli_fname, '/') &&
        realpath(info.dli_fname, path)) {
        const char *folder = find_above(a, path);
        if (folder)
            return folder;
    }
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n <= 0)
        return NULL;
    path[n] = 0;
    return find_above(a, path);
}

static int
compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names in one block with their pointers, so that one free is enough. */
static char **
pack(const char *const *names, size_t n)
{
    size_t bytes = (n + 1) * sizeof(char *);
    for (size_t i = 0; i < n; i++)
        bytes += strlen(names[i]) + 1;
    char **list = calloc(1, bytes);
    if (!list)
        return NULL;
    char *text = (char *)(list + n + 1);
    for (size_t i = 0; i < n; i++) {
        size_t size = strlen(names[i]) + 1;
        list[i] = memcpy(text, names[i], size);
        text += size;
    }
    return list;
}

static void
close_folder(void *dir)
{
    if (dir)
        closedir(dir);
}

void
config_names(struct arena *a, const char *folder, struct config_names *names)
{
    DIR *dir = folder ? opendir(folder) : NULL;
    if (folder && !dir && errno == ENOMEM)
        base_out_of_memory(1, sizeof(struct dirent));
    struct oom_cleanup close_dir;
    oom_defer(&close_dir, close_folder, dir);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        size_t n = strlen(e->d_name);
        if (n <= 4 || strcmp(e->d_name + n - 4, ".ini") != 0)
            continue;
        const char *name = arena_strndup(a, e->d_name, n - 4);
        vec_push(a, &names->list, name);
    }
    oom_release(&close_dir);
    for (const struct config_preset *b = config_presets; !dir && b->name; b++)
        vec_push(a, &names->list, b->name);
    if (names->list.n)
        qsort(names->list.at, names->list.n, sizeof *names->list.at,
              compare_names);
}

struct presets {
    struct arena arena;
    const char *path;
    struct config_names names;
};

static void
read_presets(void *ctx)
{
    struct presets *p = ctx;
    p->path = config_folder(&p->arena);
    config_names(&p->arena, p->path, &p->names);
}

char **
ventus_dev_presets(char **folder)
{
    struct presets p = { .path = NULL };
    bool had_memory = oom_call(read_presets, &p);
    char **list = had_memory ? pack(p.names.list.at, p.names.list.n) : NULL;
    if (folder)
        *folder = strdup(p.path ? p.path : "");
    arena_free(&p.arena);
    if (list && (!folder || *folder))
        return list;
    free(list);
    if (folder)
        free(*folder);
    dev_fail_memory("the names of presets");
    return NULL;
}
