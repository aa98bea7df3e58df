/* SPDX-License-Identifier: Apache-2.0 */
#include "cc_sandbox.h"

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

/* ---- the ends of limits ---- */

static char time_over[160];
static const char *unfinished;

/* An error of the input, as others are. */
static void
tell_time_over(int signal)
{
    (void)signal;
    ssize_t n = write(STDERR_FILENO, time_over, strlen(time_over));
    (void)n;
    if (unfinished)
        unlink(unfinished);
    _exit(1);
}

void
sandbox_tell_limits(const struct sandbox *s, const char *hidden)
{
    const struct sigaction tell = { .sa_handler = tell_time_over };
    const struct sigaction ignore = { .sa_handler = SIG_IGN };
    snprintf(time_over, sizeof time_over,
             "ventus cc: error: the compiler did not finish in time: %u s of "
             "the processor (VENTUS_COMPILE_LIMIT_MS)\n",
             s->cpu_s);
    unfinished = hidden;
    sigaction(SIGXCPU, &tell, NULL);
    sigaction(SIGXFSZ, &ignore, NULL);
}
