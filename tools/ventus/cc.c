/* SPDX-License-Identifier: Apache-2.0 */
/* ventus cc: the OpenCL C compiler.  A separate program, ventus-cc, because loading
 * LLVM and clang takes 5 ms and 69 MB that other commands do not need. */
#define _GNU_SOURCE /* memmem */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ventus/version.h>

#include "abi/spirv.h"
#include "asm/dis/file.h"
#include "base/arith.h"
#include "base/file.h"
#include "base/fork_server.h"
#include "base/text.h"
#include "cc/compile.h"
#include "cc/front/driver.h"
#include "cc/front/front.h"
#include "cc/target.h"
#include "cc_constants.h"
#include "cc_request.h"
#include "command.h"
#include "start.h"

/* ---- input ---- */

/* Takes a source.  dir/k.cl is named so in messages, and includes files from dir; with
 * --headers from that folder, where a header may have the source's own name. */
static void
take_source(struct request *r, const char *file, const char *text, size_t size)
{
    const char *slash = strrchr(file, '/');
    size_t mark = text_mark(text, size);
    r->source.text = text + mark;
    r->source.size = size - mark;
    if (!r->source.name)
        r->source.name = strcmp(file, "-") == 0 ? "input.cl" : file;
    if (r->headers)
        r->source.dir = r->headers;
    else if (slash)
        r->source.dir =
            arena_strndup(&r->arena, file, (size_t)(slash - file) + 1);
    else
        r->source.dir = ".";
}

/* Takes a SPIR-V module.  Its work-groups may differ in size, as those of OpenCL C 2.0
 * and later. */
static bool
take_module(struct request *r, const struct input *in)
{
    if (!r->source.name)
        r->source.name = strcmp(in->file, "-") == 0 ? "input.spv" : in->file;
    r->source.text = "";
    r->source.il = in->bytes;
    r->source.il_size = in->size;
    r->options.std = 300;
    return constants_set(in->bytes, in->size, r->constants.at, r->constants.n,
                         &r->sink);
}

static bool
fail_file(struct request *r, const char *file, const char *why)
{
    diag_report(&r->sink, DIAG_ERROR, (struct diag_at){ .file = file }, "%s",
                why);
    return false;
}

static const char *
output_path(struct request *r)
{
    if (r->output)
        return r->output;
    const char *file = r->files.at[0];
    if (strcmp(file, "-") == 0)
        return "-";
    const char *slash = strrchr(file, '/');
    const char *name = slash ? slash + 1 : file;
    const char *dot = strrchr(name, '.');
    int length = dot && dot != name ? (int)(dot - name) : (int)strlen(name);
    return arena_printf(&r->arena, "%.*s.%s", length, name, r->emit);
}

/* Adds the source to the dependencies: clang reads it from a pipe, without its name. */
static void
add_dependency(struct request *r, const char *file)
{
    vec_push(&r->arena, &r->options.words, "-Xclang");
    vec_push(&r->arena, &r->options.words,
             arena_printf(&r->arena, "-fdepfile-entry=%s",
                          front_options_path(&r->arena, file)));
}

static bool
take_input(struct request *r, const struct input *in)
{
    if (r->depfile && strcmp(in->file, "-") != 0)
        add_dependency(r, in->file);
    bool il = spirv_is(in->bytes, in->size);
    if (front_is_object(in->bytes, in->size))
        vec_push(&r->arena, &r->objects,
                 ((struct front_object){ in->file, in->bytes, in->size }));
    else if (native_is(in->file, in->bytes, in->size))
        return native_take(&r->native, &r->arena, in->file,
                           cc_target_or_v1(r->options.target)->isa, in->bytes,
                           in->size, &r->sink);
    else if (r->source.text)
        return fail_file(r, in->file,
                         "expected an object made with --emit bc, or "
                         "assembly: several files are linked, of which one "
                         "may be OpenCL C or SPIR-V");
    else if (il)
        return take_module(r, in);
    else if (r->constants.n)
        return fail_file(r, in->file,
                         "--spec-constant is for a SPIR-V module, which this "
                         "is not");
    else
        take_source(r, in->file, (const char *)in->bytes, in->size);
    return true;
}

static bool
is_source(const struct input *in)
{
    return !front_is_object(in->bytes, in->size) &&
           !native_is(in->file, in->bytes, in->size);
}

/* Makes clang write the included files, as a rule for make, to a file that replaces
 * the depfile when the output is written. */
static bool
ask_for_depfile(struct request *r)
{
    const char *path = front_options_path(&r->arena, r->depfile);
    if (!output_open(&r->rule, path, 0))
        return fail_file(
            r, r->depfile,
            arena_printf(&r->arena, "cannot write: %s", strerror(errno)));
    const char *file = r->rule.hidden ? r->rule.hidden : path;
    const char *const words[] = { "-MD", "-MQ", output_path(r), "-MF",
                                  front_options_path(&r->arena, file) };
    sandbox_allow_output(&r->sandbox, &r->arena, path);
    sandbox_allow(&r->sandbox, &r->arena, SANDBOX_CHILD_WRITE, file);
    for (size_t i = 0; i < ARRAY_SIZE(words); i++)
        vec_push(&r->arena, &r->options.words, words[i]);
    r->options.depfile = r->depfile;
    return true;
}

/* Writes a name in a rule for make. */
static void
put_name(struct buf *rule, const char *name)
{
    for (; *name; name++) {
        if (strchr(" #$", *name))
            buf_u8(rule, *name == '$' ? '$' : '\\');
        buf_u8(rule, (uint8_t)*name);
    }
}

/* Writes the rule of a SPIR-V module, which includes nothing. */
static void
write_rule(struct request *r)
{
    struct buf rule = { 0 };
    put_name(&rule, output_path(r));
    buf_printf(&rule, ":");
    for (size_t i = 0; i < r->inputs.n; i++) {
        if (strcmp(r->inputs.at[i].file, "-") == 0)
            continue;
        buf_printf(&rule, " ");
        put_name(&rule, r->inputs.at[i].file);
    }
    buf_printf(&rule, "\n");
    output_write(&r->rule, rule.at, rule.n);
    buf_free(&rule);
}

/* Keeps the depfile if the compilation succeeded (`ok`), else removes it. */
static bool
keep_depfile(struct request *r, bool ok)
{
    if (output_close(&r->rule, ok))
        return ok;
    return fail_file(
        r, r->depfile,
        arena_printf(&r->arena, "cannot write: %s", strerror(errno)));
}

/* Opens the files, then enters the sandbox, before their contents are parsed.  Where
 * clang has to be started as a process, only that start ends the phase in which files
 * may be opened. */
static bool
open_files(struct request *r)
{
    bool any = false;
    struct sandbox *s = &r->sandbox;
    if (!sandbox_from_environment(s, &r->sink))
        return false;
    r->source.sandbox = s;
    for (size_t i = 0; i < r->files.n; i++)
        sandbox_allow_input(s, &r->arena, r->files.at[i]);
    sandbox_allow_output(s, &r->arena, output_path(r));
    r->start = start_find(&r->arena, "start.S", NULL);
    if (r->start)
        sandbox_allow(s, &r->arena, SANDBOX_READ, r->start);
    if (r->depfile && !ask_for_depfile(r))
        return false;
    front_allow(s, &r->arena, &r->source, &r->options);
    if (!sandbox_close_files(s, &r->sink))
        return false;
    sandbox_tell_ends(s, r->rule.hidden);
    for (size_t i = 0; i < r->files.n; i++) {
        struct input in = { .file = r->files.at[i] };
        in.bytes = file_read(&r->arena, in.file, &in.size, &r->sink);
        if (!in.bytes)
            return false;
        vec_push(&r->arena, &r->inputs, in);
        any |= is_source(&in);
    }
    return any || sandbox_close_calls(s, NULL, &r->sink);
}

static bool
is_for_upstream(const struct request *r)
{
    return r->profile && strcmp(r->profile, "upstream") == 0;
}

/* Reads the inputs: one source, or objects of bitcode; and assembly and its objects. */
static bool
read_files(struct request *r)
{
    for (size_t i = 0; i < r->inputs.n; i++)
        if (!take_input(r, &r->inputs.at[i]))
            return false;
    if (r->source.text && r->objects.n)
        return fail_file(r, r->source.name,
                         "expected an object made with --emit bc: several "
                         "files are linked");
    const char *what = strcmp(r->emit, "bc") == 0  ? "bitcode"
                       : strcmp(r->emit, "o") == 0 ? "one object"
                                                   : NULL;
    if (r->native.objects.n && what)
        return fail_file(r, r->native.objects.at[0].file,
                         arena_printf(&r->arena,
                                      "is linked to programs only, the output "
                                      "is %s (--emit)",
                                      what));
    if (is_for_upstream(r) &&
        cc_target_or_v1(r->options.target) != &cc_target_v1)
        return fail_file(r, r->files.at[0],
                         "profile 'upstream' is for version 1 of the "
                         "instruction set: expected -march=ventus1");
    if (r->native.objects.n && is_for_upstream(r))
        return fail_file(r, r->native.objects.at[0].file,
                         "with --profile upstream functions are inlined, not "
                         "linked");
    r->options.is_open = strcmp(r->emit, "o") == 0 || strcmp(r->emit, "s") == 0;
    native_tell(&r->native, &r->arena, &r->options);
    return true;
}

static void
print_stats(const struct cc_stats *s)
{
    for (size_t i = 0; i < s->kernels.n; i++) {
        const struct cc_kernel_stats *k = &s->kernels.at[i];
        fprintf(stderr,
                "%-24s %5u instructions %2u sgprs %3u vgprs %3u spills %5u "
                "private %5u of-spills %2u warps",
                k->name, k->instructions, k->sgprs, k->vgprs,
                k->spills_s + k->spills_v, k->private_B, k->spill_B, k->warps);
        if (k->calls)
            fprintf(stderr, " %3u calls", k->calls);
        fputs(k->is_function ? " function\n" : "\n", stderr);
    }
}

/* The name of the module in messages: the source, or the first object. */
static const char *
module_name(const struct request *r)
{
    return r->source.name ? r->source.name : r->files.at[0];
}

/* Runs the back end; `out` is an object, IR goes to `ir` if that is not NULL. */
static bool
generate_object(struct request *r, const struct front *f, struct buf *out,
                FILE *ir)
{
    struct cc_options o = {
        .target = r->options.target,
        .debug_lines = true,
        .debug = r->options.debug,
        .program = strcmp(r->emit, "elf") == 0 && !r->native.objects.n,
        .pause = r->pause,
        .off = r->off | cc_off_of_level(r->options.optimise),
        .source = r->source.text,
        .no_warn = r->options.no_warn
    };
    if (is_for_upstream(r))
        o.profile = CC_PROFILE_UPSTREAM;
    if (ir) {
        o.dump = r->after ? r->after : "allocate";
        o.dump_to = ir;
    }
    bool ok = cc_compile_module(f->module, module_name(r), &o, &r->arena, out,
                                &r->results, &r->sink);
    if (ok && r->stats)
        print_stats(&r->results);
    return ok;
}

/* Writes the IR in place of the object. */
static bool
generate_ir(struct request *r, const struct front *f, struct buf *out)
{
    char *text = NULL;
    size_t size;
    struct buf object = { 0 };
    FILE *to = open_memstream(&text, &size);
    bool ok = to && generate_object(r, f, &object, to);
    if (to)
        fclose(to);
    if (ok)
        buf_put(out, text, size);
    free(text);
    buf_free(&object);
    return ok;
}

static bool
generate_assembly(struct request *r, const struct front *f, struct buf *out)
{
    struct dis_file_options o = { .data = true, .source = true, .whole = true };
    struct buf object = { 0 };
    bool ok = generate_object(r, f, &object, NULL) &&
              dis_elf(out, &o, module_name(r), object.at, object.n, &r->sink);
    buf_free(&object);
    return ok;
}

/* Adds the start code to assembly without compiled code, which would contain it. */
static bool
generate_start(struct request *r, struct buf *object)
{
    size_t size;
    const uint8_t *start = NULL;
    if (!r->start)
        start_find(&r->arena, "start.S", &r->sink); /* reports the reason */
    else
        start = start_assemble(&r->arena, r->start,
                               cc_target_or_v1(r->options.target)->isa, &size,
                               &r->sink);
    if (start)
        buf_put(object, start, size);
    return start != NULL;
}

/* Links the compiled object with assembly and ELF objects. */
static bool
generate_program(struct request *r, const struct front *f, struct buf *out)
{
    struct buf object = { 0 };
    bool compiled = r->source.text || r->objects.n;
    bool is_whole = !compiled && native_defines(&r->native, "_start");
    bool ok = is_whole || (compiled ? generate_object(r, f, &object, NULL)
                                    : generate_start(r, &object));
    ok = ok && native_link(
                   &r->native, &r->arena, compiled ? module_name(r) : r->start,
                   is_whole ? NULL : &object, output_path(r), out, &r->sink);
    buf_free(&object);
    return ok;
}

/* Writes the requested output. */
static bool
emit_output(struct request *r, const struct front *f, struct buf *out)
{
    bool ok = true;
    if (strcmp(r->emit, "bc") == 0)
        front_write(f, out);
    else if (strcmp(r->emit, "ll") == 0)
        front_print(f, out);
    else if (strcmp(r->emit, "ir") == 0)
        ok = generate_ir(r, f, out);
    else if (strcmp(r->emit, "s") == 0)
        ok = generate_assembly(r, f, out);
    else if (r->native.objects.n)
        ok = generate_program(r, f, out);
    else
        ok = generate_object(r, f, out, NULL);
    return ok && file_write(output_path(r), out->at, out->n, &r->sink);
}

static double
print_time(const char *what, double ms)
{
    fprintf(stderr, "%-16s%7.2f ms\n", what, ms);
    return ms;
}

static void
print_times(const struct front *f, const struct cc_stats *back)
{
    double total = 0;
    for (unsigned i = 0; i < f->n_times; i++)
        total += print_time(f->times[i].what, f->times[i].ms);
    for (size_t i = 0; i < back->passes.n; i++)
        total += print_time(back->passes.at[i].name, back->passes.at[i].ms);
    print_time("total", total);
}

/* Prints clang's messages, with headers under the names they were included by. */
static void
print_log(const struct request *r, const struct buf *log)
{
    const char *at = (const char *)log->at;
    size_t left = log->n, skip = r->headers ? strlen(r->headers) : 0;
    while (left) {
        const char *found = NULL;
        if (skip)
            found = memmem(at, left, r->headers, skip);
        size_t n = found ? (size_t)(found - at) : left;
        fwrite(at, 1, n, stderr);
        left -= found ? n + skip : n;
        at += found ? n + skip : n;
    }
}

static bool
run_front(struct request *r, struct front *f)
{
    bool apart = strcmp(r->emit, "bc") == 0;
    r->options.inline_all = r->off & CC_NO_CALL || is_for_upstream(r);
    if (!r->objects.n && !r->source.text)
        return true;
    if (r->objects.n)
        return front_link_objects(f, &r->arena, r->objects.at, r->objects.n,
                                  &r->options, !apart, &r->sink);
    if (apart)
        return front_compile_object(f, &r->arena, &r->source, &r->options,
                                    &r->sink);
    return front_compile(f, &r->arena, &r->source, &r->options, &r->sink);
}

static bool
compile_request(struct request *r)
{
    struct front f = { 0 };
    struct buf out = { 0 };
    bool ok = open_files(r) && read_files(r) && run_front(r, &f);
    print_log(r, &f.log);
    ok = ok && emit_output(r, &f, &out);
    if (ok && r->source.il && r->rule.is_open)
        write_rule(r);
    ok = keep_depfile(r, ok);
    if (r->time)
        print_times(&f, &r->results);
    buf_free(&out);
    front_free(&f);
    return ok;
}

/* Does what the words say; returns the exit status. */
static int
run_words(int n, char **words)
{
    struct request r = { .options = front_options_default(), .emit = "elf" };
    r.sink.arena = &r.arena;
    r.options.colour = command_colour();
#ifdef VENTUS_CLANG_INSIDE
    r.source.inside = front_driver_main;
#endif
    int taken = 1;
    for (int i = 0; i < n && taken > 0; i += taken) {
        if (strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0)
            return command_end(cc_request_help());
        if (strcmp(words[i], "--version") == 0) {
            puts("ventus " VENTUS_VERSION);
            return command_end(0);
        }
        taken = cc_request_take(&r, words + i, n - i);
    }
    int status = 2;
    if (taken > 0 && !r.files.n)
        fputs("cc: expected a file\n", stderr);
    else if (taken > 0 && r.after &&
             strcmp(r.emit, r.options.last_pass ? "ll" : "ir") != 0)
        fprintf(stderr, "cc: --after needs --emit %s\n",
                r.options.last_pass ? "ll" : "ir");
    else if (taken > 0)
        status = compile_request(&r) ? 0 : 1;
    diag_print(&r.sink, stderr, command_colour());
    arena_free(&r.arena);
    return status == 2 ? command_usage("cc") : command_end(status);
}

static void
warm_up(void)
{
    front_warm();
#ifdef VENTUS_CLANG_INSIDE
    front_driver_warm(VENTUS_LLVM_CLANG);
#endif
}

/* Stays loaded for the process that started us, and compiles for it. */
static int
serve(const char *client)
{
    struct fork_server s = { .client = strtol(client, NULL, 10),
                             .run = run_words,
                             .warm = warm_up };
    int status = 0;
    s.socket = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (s.socket < 0 || null < 0 || getppid() != s.client || chdir("/") != 0)
        return 2;
    for (int i = 0; i < 3; i++)
        if (dup2(null, i) != i)
            return 1;
    /* A client that waits for all of its children must not wait for this one. */
    pid_t pid = fork();
    if (pid != 0)
        _exit(pid < 0);
    bool forked = fork_server_serve(&s, &status);
    fflush(NULL);
#ifndef VENTUS_COVERAGE /* counters are written when a process ends as others do */
    _exit(forked ? status : 0); /* LLVM's destructors take a millisecond */
#endif
    return forked ? status : 0;
}

int
main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--serve") == 0)
        return serve(argv[2]);
    return run_words(argc - 1, argv + 1);
}
