/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ventus as -march=rv64..._xtile: tile instructions by our table, all else by
 * clang's assembler as a process, which knows RISC-V's relocations.
 */
#include "as_tile.h"

#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "tile/translate.h"

extern char **environ;

bool
as_tile_wanted(const char *march)
{
    return strncmp(march, "rv64", 4) == 0 && strstr(march, "_xtile") != NULL;
}

/* rv64gcv_xtile0p1_zba to rv64gcv_zba: clang does not know Xtile. */
static char *
plain_march(struct arena *a, const char *march)
{
    const char *from = strstr(march, "_xtile"), *to = from + 1;
    while (*to && *to != '_')
        to++;
    return arena_printf(a, "%.*s%s", (int)(from - march), march, to);
}

static bool
run(const char *const *command, struct diag_sink *sink)
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

bool
as_tile(struct arena *a, const char *march, const char *input, const char *text,
        const char *output, struct diag_sink *sink)
{
    struct buf plain = { 0 };
    char path[] = "/tmp/ventus-as-XXXXXX";
    /* clang's messages name the file and the line that the user wrote. */
    buf_printf(&plain, "# 1 \"%s\"\n", input);
    bool ok = tile_translate(&plain, input, text, sink);
    int fd = ok ? mkstemp(path) : -1;
    if (fd >= 0) {
        close(fd);
        const char *clang = getenv("VENTUS_CLANG");
        const char *command[] = { clang && *clang ? clang : "clang-19",
                                  "--target=riscv64",
                                  arena_printf(a, "-march=%s",
                                               plain_march(a, march)),
                                  "-x",
                                  "assembler",
                                  "-c",
                                  path,
                                  "-o",
                                  output,
                                  NULL };
        ok = file_write(path, plain.at, plain.n, sink) && run(command, sink);
        unlink(path);
    } else if (ok) {
        diag_report(sink, DIAG_ERROR, (struct diag_at){ 0 },
                    "cannot make a file in /tmp");
        ok = false;
    }
    buf_free(&plain);
    return ok;
}
