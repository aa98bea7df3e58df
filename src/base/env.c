/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* secure_getenv */
#include "base/env.h"

#include <stdlib.h>

static const char *const passed_on[] = {
    "TMPDIR",       "LANG",          "LC_ALL",       "LC_MESSAGES",
    "VENTUS_LIB",   "VENTUS_CLANG",  "ASAN_OPTIONS", "LSAN_OPTIONS",
    "TSAN_OPTIONS", "UBSAN_OPTIONS",
};

enum { PASSED_ON = sizeof passed_on / sizeof *passed_on };

const char *
env_get(const char *name)
{
    const char *value = secure_getenv(name);
    return value && *value ? value : NULL;
}

char **
env_of_compiler(struct arena *a)
{
    char **list = arena_new(a, char *, PASSED_ON + 2);
    const char *path = env_get("PATH");
    unsigned n = 0;
    list[n++] = arena_printf(a, "PATH=%s", path ? path : "/usr/bin:/bin");
    for (unsigned i = 0; i < PASSED_ON; i++) {
        const char *value = env_get(passed_on[i]);
        if (value)
            list[n++] = arena_printf(a, "%s=%s", passed_on[i], value);
    }
    return list;
}
