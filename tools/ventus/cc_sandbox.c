/* SPDX-License-Identifier: Apache-2.0 */
#include "cc_sandbox.h"
#include "base/arith.h"

#include <limits.h>
#include <signal.h>
#include <stdint.h>
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
    if (stat(file, &st) != 0) /* a new file */
        file = folder_of(a, file);
    /* An existing file, to be replaced. */
    else if (S_ISREG(st.st_mode) && realpath(file, target))
        file = folder_of(a, target);
    sandbox_allow(s, a, SANDBOX_WRITE, file);
}

/* ---- deaths by a signal ---- */

static char time_over[160];
static const char *unfinished;

static void
tell_end(const char *text)
{
    ssize_t n = write(STDERR_FILENO, text, strlen(text));
    (void)n;
}

/* Reports a signal as an error of the input, and exits. */
static void
end_by(int signal)
{
    if (signal == SIGXCPU) {
        tell_end(time_over);
    } else {
        tell_end("ventus cc: error: the compiler crashed on this input: ");
        tell_end(signal == SIGSEGV  ? "Segmentation fault\n"
                 : signal == SIGBUS ? "Bus error\n"
                 : signal == SIGFPE ? "Floating point exception\n"
                 : signal == SIGILL ? "Illegal instruction\n"
                                    : "Aborted\n");
    }
    if (unfinished)
        unlink(unfinished);
    _exit(1);
}

/* Installs handlers for crashes: LLVM does not survive every bitcode, nor every depth
 * of nesting.  The handler has a stack of its own.  A sanitizer's handler stays. */
static void
tell_crashes(void)
{
    static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
    static uint64_t stack[8192];
    const stack_t own = { .ss_sp = stack, .ss_size = sizeof stack };
    const struct sigaction end = { .sa_handler = end_by,
                                   .sa_flags = SA_ONSTACK };
    struct sigaction old;
    if (sigaltstack(&own, NULL) != 0)
        return;
    for (size_t i = 0; i < ARRAY_SIZE(crashes); i++)
        if (sigaction(crashes[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(crashes[i], &end, NULL);
}

void
sandbox_tell_ends(const struct sandbox *s, const char *hidden)
{
    const struct sigaction end = { .sa_handler = end_by };
    const struct sigaction ignore = { .sa_handler = SIG_IGN };
    snprintf(time_over, sizeof time_over,
             "ventus cc: error: the compiler did not finish in time: %u s of "
             "the processor (VENTUS_COMPILE_LIMIT_MS)\n",
             s->cpu_s);
    unfinished = hidden;
    sigaction(SIGXCPU, &end, NULL);
    sigaction(SIGXFSZ, &ignore, NULL);
    tell_crashes();
}
