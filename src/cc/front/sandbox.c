/* SPDX-License-Identifier: Apache-2.0 */
/* The files that clang and the front end read. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"
#include "cc/front/link.h"
#include "cc/front/module.h"
#include "cc/front/spirv.h"

const char *
front_clang_path(struct arena *a, const struct front_source *source)
{
    return source->clang ? front_child_path(a, NULL, source->clang)
                         : front_child_path(a, "VENTUS_CLANG", "clang-19");
}

/* Allows /usr/lib/llvm-19/bin/clang: itself, and its libraries and headers in
 * /usr/lib/llvm-19/lib. */
static void
allow_program(struct sandbox *s, struct arena *a, const char *program)
{
    char path[PATH_MAX];
    if (!realpath(program, path))
        return;
    sandbox_allow(s, a, SANDBOX_READ | SANDBOX_RUN,
                  arena_strndup(a, path, strlen(path)));
    *strrchr(path, '/') = 0;
    sandbox_allow(s, a, SANDBOX_READ | SANDBOX_RUN,
                  arena_printf(a, "%s/../lib", path));
}

/* Allows the folder where relative names begin; not a daemon's, the root folder. */
static void
allow_working_folder(struct sandbox *s, struct arena *a)
{
    char here[PATH_MAX];
    if (getcwd(here, sizeof here) && strcmp(here, "/") != 0)
        sandbox_allow(s, a, SANDBOX_READ, ".");
}

void
front_allow(struct sandbox *s, struct arena *a,
            const struct front_source *source, const struct front_options *o)
{
    struct diag_sink none = { .arena = a }; /* front_compile reports it */
    const char *library = front_find_library(a, o->target, &none);
    sandbox_allow_system(s, a);
    if (library)
        sandbox_allow(s, a, SANDBOX_READ, library);
    allow_program(s, a, front_clang_path(a, source));
    for (unsigned i = 0; i < FRONT_SPIRV_PROGRAMS; i++)
        allow_program(s, a, front_spirv_path(a, i));
    allow_working_folder(s, a);
    for (size_t i = 0; i < o->words.n; i++)
        if (strncmp(o->words.at[i], "-I", 2) == 0)
            sandbox_allow(s, a, SANDBOX_READ, o->words.at[i] + 2);
}
