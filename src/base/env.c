/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* secure_getenv */
#include "base/env.h"
#include "base/arith.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

extern char **environ;

static const char *const passed_on[] = {
    "TMPDIR",       "LANG",         "LC_ALL",       "LC_MESSAGES",
    "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS",
};

enum { PASSED_ON = ARRAY_SIZE(passed_on) };

const char *
env_get(const char *name)
{
    const char *value = secure_getenv(name);
    return value && *value ? value : NULL;
}

static bool
is_ours(const char *entry)
{
    static const char prefix[] = "VENTUS_";
    return strncmp(entry, prefix, sizeof prefix - 1) == 0;
}

/* Copies the VENTUS_* variables to `list`; none of them if the program has more rights
 * than its caller. */
static unsigned
put_ours(char **list)
{
    unsigned n = 0;
    bool trusted = !getauxval(AT_SECURE); /* the condition of secure_getenv */
    for (char **e = environ; trusted && e && *e; e++)
        if (is_ours(*e)) {
            if (list)
                list[n] = *e;
            n++;
        }
    return n;
}

char **
env_of_compiler(struct arena *a)
{
    char **list = arena_new(a, char *, 1 + PASSED_ON + put_ours(NULL) + 1);
    const char *path = env_get("PATH");
    unsigned n = 0;
    list[n++] = arena_printf(a, "PATH=%s", path ? path : "/usr/bin:/bin");
    for (unsigned i = 0; i < PASSED_ON; i++) {
        const char *value = env_get(passed_on[i]);
        if (value)
            list[n++] = arena_printf(a, "%s=%s", passed_on[i], value);
    }
    put_ours(list + n);
    return list;
}
