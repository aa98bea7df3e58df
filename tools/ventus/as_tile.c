/* SPDX-License-Identifier: Apache-2.0 */
/* ventus as -march=rv64..._xtile: this project's assembler expands macros and
 * conditions and encodes tile instructions; everything else is assembled by clang's
 * assembler as a process, which knows all of RV64GCV and its relocations. */
#include "as_tile.h"

#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "asm/expand.h"
#include "base/env.h"
#include "base/file.h"
#include "base/scratch.h"
#include "base/vec.h"
#include "tile/translate.h"

extern char **environ;

bool
as_tile_wanted(const char *march)
{
    return strncmp(march, "rv64", 4) == 0 && strstr(march, "_xtile") != NULL;
}

/* Converts rv64gcv_xtile0p1_zba to rv64gcv_zba: clang does not know Xtile. */
static char *
plain_march(struct arena *a, const char *march)
{
    const char *from = strstr(march, "_xtile"), *to = from + 1;
    while (*to && *to != '_')
        to++;
    return arena_printf(a, "%.*s%s", (int)(from - march), march, to);
}

static bool
run_assembler(const char *const *command, struct diag_sink *sink)
{
    pid_t pid;
    int status;
    char **argv = (char **)(uintptr_t)command;
    if (posix_spawnp(&pid, command[0], NULL, NULL, argv, environ) ||
        waitpid(pid, &status, 0) != pid || !WIFEXITED(status) ||
        WEXITSTATUS(status) == 127) {
        diag_report(sink, DIAG_ERROR, (struct diag_at){ 0 },
                    "cannot run '%s' (Debian: package clang-19)", command[0]);
        return false;
    }
    return WEXITSTATUS(status) == 0;
}

/* The command line of clang, which searches the folder of the source for .incbin. */
static const char *const *
command_line(struct arena *a, const char *march,
             const struct ventus_asm_options *options, const char *path,
             const char *output)
{
    const char *clang = env_get("VENTUS_CLANG");
    const char *slash = strrchr(options->file, '/');
    vec(const char *) list = { 0 };
    const char *const fixed[] = {
        clang ? clang : "clang-19",
        "--target=riscv64",
        arena_printf(a, "-march=%s", plain_march(a, march)),
        "-x",
        "assembler",
        "-c",
        path,
        "-o",
        output,
        slash ? arena_printf(a, "-I%.*s", (int)(slash - options->file),
                             options->file)
              : "-I.",
    };
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        vec_push(a, &list, fixed[i]);
    for (size_t i = 0; i < options->include_dir_count; i++)
        vec_push(a, &list, arena_printf(a, "-I%s", options->include_dirs[i]));
    if (options->debug)
        vec_push(a, &list, "-g");
    vec_push(a, &list, NULL);
    return list.at;
}

bool
as_tile(struct arena *a, const char *march,
        const struct ventus_asm_options *options, const char *text, size_t size,
        const char *output, struct diag_sink *sink)
{
    struct buf plain = { 0 };
    struct scratch s;
    bool ok = asm_expand(options, text, size, tile_replace, &plain, a, sink) &&
              scratch_open(&s, a, sink);
    if (ok) {
        const char *path = arena_printf(a, "%s/plain.s", s.path);
        ok = file_write(path, plain.at, plain.n, sink) &&
             run_assembler(command_line(a, march, options, path, output), sink);
        scratch_close(&s);
    }
    buf_free(&plain);
    return ok;
}
