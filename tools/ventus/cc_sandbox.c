/* SPDX-License-Identifier: Apache-2.0 */
#include "cc_sandbox.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
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

/* ---- the end of processor time ---- */

static char time_over[160];

/* The default action follows: who has started us sees the signal. */
static void
tell_time_over(int signal)
{
    ssize_t n = write(STDERR_FILENO, time_over, strlen(time_over));
    (void)n;
    raise(signal);
}

void
sandbox_tell_time_over(const struct sandbox *s)
{
    const struct sigaction tell = { .sa_handler = tell_time_over,
                                    .sa_flags =
                                        (int)SA_RESETHAND | SA_NODEFER };
    snprintf(time_over, sizeof time_over,
             "ventus cc: error: the compiler did not finish in time: %u s of "
             "the processor (VENTUS_COMPILE_LIMIT_MS)\n",
             s->cpu_s);
    sigaction(SIGXCPU, &tell, NULL);
}
