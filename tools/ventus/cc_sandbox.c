/* SPDX-License-Identifier: Apache-2.0 */
#include "cc_sandbox.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *
folder_of(struct arena *a, const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? arena_strndup(a, file, (size_t)(slash - file) + 1) : ".";
}

void
sandbox_allow_input(struct sandbox *s, struct arena *a, const char *file)
{
    if (strcmp(file, "-") == 0)
        return;
    sandbox_allow(s, a, SANDBOX_READ, file);
    sandbox_allow(s, a, SANDBOX_READ, folder_of(a, file));
}

void
sandbox_allow_output(struct sandbox *s, struct arena *a, const char *file)
{
    struct stat st;
    char target[PATH_MAX];
    if (strcmp(file, "-") == 0)
        return;
    if (stat(file, &st) != 0) /* a new one */
        file = folder_of(a, file);
    else if (S_ISREG(st.st_mode) && realpath(file, target)) /* replaced */
        file = folder_of(a, target);
    sandbox_allow(s, a, SANDBOX_WRITE, file);
}

void
sandbox_allow_depfile(struct sandbox *s, struct arena *a, const char *file)
{
    int fd = open(file, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (fd >= 0)
        close(fd);
    sandbox_allow(s, a, SANDBOX_CHILD_WRITE, file);
}
