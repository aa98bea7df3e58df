/* SPDX-License-Identifier: Apache-2.0 */
/* ventus link: links objects to a program, by ld.lld and the project's linker script. */
#include <getopt.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/env.h"
#include "base/file.h"
#include "base/scratch.h"
#include "base/spelling.h"
#include "base/vec.h"
#include "obj/functions.h"
#include "obj/kernels.h"
#include "obj/link.h"
#include "option_list.h"
#include "start.h"

extern char **environ;

static const char help[] =
    "usage: ventus link [-o FILE] [-T SCRIPT] [-e SYMBOL] [-nostartfiles] "
    "FILE.o...\n"
    "\n"
    "Links objects to a program that starts at 0x80000000, with ld.lld-19\n"
    "(or the linker VENTUS_LLD) and the linker script ventus.ld.  Objects for\n"
    "different versions of the instruction set are refused.  Without a symbol\n"
    "_start and without -e the start code is added, which calls a kernel.\n"
    "\n";

static const char help_end[] = "\n"
                               "  ventus as main.s && ventus as lib.s\n"
                               "  ventus link -o kernel.elf main.o lib.o\n";

struct request {
    struct arena arena;
    struct diag_sink sink;
    const char *output, *script, *entry;
    const char *first_kernel;
    bool has_start, has_entry, no_start;
    struct spelling nearest; /* symbol most like `entry` */
    unsigned isa;
    const char *isa_file;
};

/* Notes the version and symbols of an object; false if it does not fit the others. */
static bool
inspect_object(struct request *r, const char *path)
{
    struct elf elf;
    struct kernel_list kernels;
    size_t size;
    uint8_t *image = file_read(&r->arena, path, &size, &r->sink);
    if (!image || !elf_read(&r->arena, path, image, size, &elf, &r->sink) ||
        !link_check_isa(&elf, &r->isa, &r->isa_file, &r->sink) ||
        !kernels_read(&r->arena, &elf, &kernels, &r->sink))
        return false;
    if (!r->first_kernel && kernels.n)
        r->first_kernel = kernels.at[0].name;
    r->has_start = r->has_start || elf_find_symbol(&elf, "_start");
    if (!r->entry)
        return true;
    r->has_entry = r->has_entry || elf_find_symbol(&elf, r->entry);
    for (size_t i = 1; i < elf.n_symbols; i++)
        if (elf.symbol[i].section && elf.symbol[i].binding)
            spelling_offer(&r->nearest, elf.symbol[i].name);
    return true;
}

/* Whether start code is needed: only start code calls kernels. */
static bool
needs_start(const struct request *r)
{
    return !r->has_start && !r->no_start &&
           (!r->entry || strcmp(r->entry, "_start") == 0);
}

/* Checks the entry.  ld.lld accepts an address, too, and only warns of an undefined
 * symbol. */
static bool
check_entry(struct request *r)
{
    char *end;
    if (!r->entry || r->has_entry || r->script || needs_start(r) ||
        (strtoull(r->entry, &end, 0), *r->entry && !*end))
        return true;
    const char *nearest = r->nearest.name;
    diag_report(&r->sink, DIAG_ERROR, (struct diag_at){ 0 },
                "-e: expected a symbol of an object or an address, found "
                "'%s'%s%s%s",
                r->entry, nearest ? ", did you mean '" : "",
                nearest ? nearest : "", nearest ? "'?" : "");
    return false;
}

/* Runs a program and waits for it. */
static bool
run_linker(struct request *r, const char *const *command)
{
    pid_t pid;
    int status;
    char **argv = (char **)(uintptr_t)command;
    int error = posix_spawnp(&pid, command[0], NULL, NULL, argv, environ);
    if (error) {
        diag_report(&r->sink, DIAG_ERROR, (struct diag_at){ 0 },
                    "cannot run '%s': %s (Debian: package lld-19)", command[0],
                    strerror(error));
        return false;
    }
    if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
        return false;
    if (WEXITSTATUS(status) == 127)
        diag_report(&r->sink, DIAG_ERROR, (struct diag_at){ 0 },
                    "cannot run '%s' (Debian: package lld-19)", command[0]);
    return WEXITSTATUS(status) == 0;
}

/* Writes the start code to the folder; NULL: an error, which is reported. */
static const char *
write_start(struct request *r, const char *folder)
{
    size_t size;
    enum ventus_isa_version version =
        r->isa ? (enum ventus_isa_version)r->isa : VENTUS_ISA_V1;
    const char *path = arena_printf(&r->arena, "%s/start.o", folder);
    const char *source = start_find(&r->arena, "start.S", &r->sink);
    const uint8_t *object =
        source ? start_assemble(&r->arena, source, version, &size, &r->sink)
               : NULL;
    return object && file_write(path, object, size, &r->sink) ? path : NULL;
}

/* Runs ld.lld: the objects to `program`, in the folder. */
static bool
link_to(struct request *r, const char *folder, const char *program, int count,
        char **objects)
{
    vec(const char *) command = { 0 };
    struct arena *a = &r->arena;
    const char *lld = env_get("VENTUS_LLD"), *start = NULL;
    const char *script =
        r->script ? r->script : start_find(a, "ventus.ld", &r->sink);
    if (!script || (needs_start(r) && !(start = write_start(r, folder))))
        return false;
    vec_push(a, &command, lld ? lld : "ld.lld-19");
    vec_push(a, &command, "-melf32lriscv");
    vec_push(a, &command, "--no-relax");
    vec_push(a, &command, "-T");
    vec_push(a, &command, script);
    vec_push(a, &command, "-o");
    vec_push(a, &command, program);
    const char *entry = r->entry;
    /* The section that ventus.ld places first. */
    if (!entry && !r->has_start && !start)
        entry = r->first_kernel ? r->first_kernel : "0x80000000";
    if (entry) {
        vec_push(a, &command, "-e");
        vec_push(a, &command, entry);
    }
    for (int i = 0; i < count; i++)
        vec_push(a, &command, objects[i]);
    if (start)
        vec_push(a, &command, start);
    vec_push(a, &command, NULL);
    return run_linker(r, command.at);
}

/* Links, and writes the program after the needs of called functions were added to
 * kernels. */
static bool
link_objects(struct request *r, int count, char **objects)
{
    struct scratch s;
    size_t size;
    r->nearest.word = r->entry;
    for (int i = 0; i < count; i++)
        if (!inspect_object(r, objects[i]))
            return false;
    if (!check_entry(r) || !scratch_open(&s, &r->arena, &r->sink))
        return false;
    const char *program = arena_printf(&r->arena, "%s/a.elf", s.path);
    uint8_t *image = NULL;
    if (link_to(r, s.path, program, count, objects))
        image = file_read(&r->arena, program, &size, &r->sink);
    scratch_close(&s);
    return image &&
           functions_settle(&r->arena, r->output, image, size, &r->sink) &&
           file_write(r->output, image, size, &r->sink);
}

int
command_link(int argc, char **argv)
{
    struct request r = { .output = "a.elf" };
    r.sink.arena = &r.arena;
    for (int c; (c = command_option(argc, argv, &options_link)) != -1;) {
        if (c == 'h')
            return command_help(help, &options_link, help_end);
        if (c == 'o')
            r.output = optarg;
        else if (c == 'T')
            r.script = optarg;
        else if (c == 'e')
            r.entry = optarg;
        else if (c == OPT_NOSTARTFILES)
            r.no_start = true;
        else
            return command_usage("link");
    }
    if (optind == argc) {
        fputs("link: expected at least one object\n", stderr);
        return command_usage("link");
    }
    bool ok = link_objects(&r, argc - optind, argv + optind);
    diag_print(&r.sink, stderr, command_colour());
    arena_free(&r.arena);
    return ok ? 0 : 1;
}
