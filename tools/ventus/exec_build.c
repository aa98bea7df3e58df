/* SPDX-License-Identifier: Apache-2.0 */
/* Programs for `ventus exec`: read, compiled, or assembled and linked. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ventus/asm.h>

#include "base/arith.h"
#include "base/file.h"
#include "base/scratch.h"
#include "command.h"
#include "dev/preview.h"
#include "exec.h"

static bool
ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), k = strlen(end);
    return n >= k && strcmp(text + n - k, end) == 0;
}

/* Assembles a file, which messages call `name`, to `object`. */
static bool
assemble_source(struct exec *e, const char *path, const char *name,
                const char *object)
{
    size_t size;
    const char *text =
        (const char *)file_read(&e->arena, path, &size, &e->sink);
    if (!text)
        return false;
    struct ventus_asm_options options = { .file = name, .debug = true };
    options.version =
        e->version ? (enum ventus_isa_version)e->version : VENTUS_ISA_V1;
    struct ventus_asm_result r;
    bool ok = ventus_asm_assemble(&options, text, size, &r);
    ventus_asm_print_messages(&r, stderr, command_colour());
    ok = ok && file_write(object, r.object, r.object_size, &e->sink);
    ventus_asm_free(&r);
    return ok;
}

static bool
link_in(struct exec *e, const char *dir, const char *path, const char *name,
        const char *elf)
{
    char *kernel = arena_printf(&e->arena, "%s/kernel.o", dir);
    char *argv[] = { "link", "-o", (char *)(uintptr_t)elf, kernel, NULL };
    if (!assemble_source(e, path, name, kernel))
        return false;
    extern int optind;
    optind = 0; /* restarts getopt, which has read the command line of exec */
    return command_link(4, argv) == 0;
}

/* The compiler options of the device: *version is -march, or the preset's; *pause is
 * that for spin loops, NULL: none.  False: there is no such device, which is reported. */
static bool
wanted_options(const struct exec *e, unsigned *version, const char **pause)
{
    struct ventus_dev *d = ventus_dev_open(&(struct ventus_dev_options){
        .config = e->device, .set = e->set.at, .n_set = e->set.n });
    if (!d) {
        exec_fail();
        return false;
    }
    *version = e->version ? e->version : (unsigned)ventus_dev_setting(d, "isa");
    *pause = pause_option(d);
    ventus_dev_close(d);
    return true;
}

/* Runs `ventus cc`, which prints its messages, as a process. */
static bool
compile_source(struct exec *e, const char *path, const char *name,
               const char *elf)
{
    unsigned version;
    const char *pause;
    if (!wanted_options(e, &version, &pause))
        return false;
    const char *const fixed[] = {
        "cc",
        "-g",
        e->checked ? "-fcheck-bounds" : "-g",
        e->checked ? "-fcheck-init" : "-g",
        e->checked ? "-fcheck-race" : "-g",
        "-gembed-source", /* for source lines in findings */
        arena_printf(&e->arena, "-march=ventus%u", version),
        pause ? pause : "-fpause=none",
        "--name",
        name,
        "-I",
        ".",
        "-o",
        elf,
    };
    vec(char *) argv = { 0 };
    for (unsigned i = 0; i < ARRAY_SIZE(fixed); i++)
        vec_push(&e->arena, &argv, (char *)(uintptr_t)fixed[i]);
    for (size_t i = 0; i < e->build.n; i++)
        vec_push(&e->arena, &argv, (char *)(uintptr_t)e->build.at[i]);
    vec_push(&e->arena, &argv, (char *)(uintptr_t)path);
    vec_push(&e->arena, &argv, NULL);
    pid_t pid = fork();
    if (pid == 0)
        _exit(command_cc((int)argv.n - 1, argv.at));
    int status = 1;
    pid_t ended = pid;
    while (pid > 0 && (ended = waitpid(pid, &status, 0)) < 0 && errno == EINTR)
        ;
    if (pid < 0 || ended < 0)
        diag_report(&e->sink, DIAG_ERROR, (struct diag_at){ .file = path },
                    "cannot start the compiler: %s", strerror(errno));
    else if (WIFSIGNALED(status))
        diag_report(&e->sink, DIAG_ERROR, (struct diag_at){ .file = path },
                    "the compiler ended by signal %d", WTERMSIG(status));
    return ended == pid && pid > 0 && status == 0;
}

static const uint8_t *
build_source(struct exec *e, const char *path, const char *name, bool is_cl,
             size_t *size)
{
    struct scratch s;
    if (!scratch_open(&s, &e->arena, &e->sink))
        return NULL;
    const uint8_t *image = NULL;
    char *elf = arena_printf(&e->arena, "%s/kernel.elf", s.path);
    if (is_cl ? compile_source(e, path, name, elf)
              : link_in(e, s.path, path, name, elf))
        image = file_read(&e->arena, elf, size, &e->sink);
    scratch_close(&s);
    return image;
}

/* Builds from standard input: a program, or a source in the language of -x. */
static const uint8_t *
build_stdin(struct exec *e, size_t *size)
{
    struct scratch s;
    uint8_t *bytes = file_read(&e->arena, "-", size, &e->sink);
    if (!bytes || (*size >= 4 && memcmp(bytes, "\177ELF", 4) == 0))
        return bytes;
    if (!scratch_open(&s, &e->arena, &e->sink))
        return NULL;
    bool is_cl = exec_is_source(e, "-");
    const char *name = is_cl ? "input.cl" : "<stdin>";
    char *path = arena_printf(&e->arena, "%s/input", s.path);
    const uint8_t *image = NULL;
    if (file_write(path, bytes, *size, &e->sink))
        image = build_source(e, path, name, is_cl, size);
    scratch_close(&s);
    return image;
}

/* Whether the compiler makes the program: of OpenCL C or SPIR-V. */
static bool
is_compiled(const char *path)
{
    return ends_with(path, ".cl") || ends_with(path, ".spv");
}

bool
exec_is_source(const struct exec *e, const char *path)
{
    return is_compiled(path) ||
           (strcmp(path, "-") == 0 &&
            (!e->language || strcmp(e->language, "cl") == 0));
}

/* The name of the source in messages and for a debugger, which finds "./k.cl" also as
 * k.cl. */
static const char *
shown_name(struct exec *e, const char *path)
{
    return e->gdb ? arena_printf(&e->arena, "%s%s", file_folder(path), path)
                  : path;
}

const uint8_t *
exec_build(struct exec *e, const char *path, size_t *size)
{
    const uint8_t *image;
    bool is_cl = is_compiled(path);
    if (strcmp(path, "-") == 0)
        image = build_stdin(e, size);
    else if (is_cl || ends_with(path, ".s") || ends_with(path, ".S"))
        image = build_source(e, path, shown_name(e, path), is_cl, size);
    else
        image = file_read(&e->arena, path, size, &e->sink);
    diag_print(&e->sink, stderr, command_colour());
    return image;
}
