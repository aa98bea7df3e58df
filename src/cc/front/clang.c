/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* memmem */
#include "cc/front/clang.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "abi/opencl.h"
#include "cc/front/declarations.h"

/* ---- arguments ---- */

/* The extensions that a kernel may use.  Targets called spir are given everything
 * unless the macro __SPIR__ is gone (opencl-c-base.h); after that exactly these hold. */
static const char *
extensions(struct arena *a, const struct front_options *o)
{
#define PLUS_CLANG(text) ",+" text
#define PLUS_MACRO(text)
#define PLUS_EXTENDS(text)
#define PLUS_HOST(text)
#define EXTENSION(name, major, minor, patch, language, devices) \
    PLUS_##language(#name)
#define FEATURE EXTENSION
    const char *list = "-cl-ext=-all"
#include "abi/extension.def"
        ;
    const char *no_fp64 = ",-cl_khr_fp64,-__opencl_c_fp64";
    return arena_printf(a, "%s%s", list, o->no_fp64 ? no_fp64 : "");
}

typedef vec(char *) word_list;

/* Extensions, and features since OpenCL C 2.0, that clang knows as macros only. */
static void
add_macros(struct arena *a, const struct front_options *o, word_list *args)
{
    enum { ALL, SHARED };
    static const struct {
        const char *word;
        unsigned since;
        int devices;
    } rows[] = {
#define ROW_CLANG(text, since, devices)
#define ROW_HOST(text, since, devices)
#define ROW_MACRO(text, since, devices)   { "-D" text "=1", since, devices },
#define ROW_EXTENDS(text, since, devices) ROW_MACRO(text, 0, devices)
#define EXTENSION(name, major, minor, patch, language, devices) \
    ROW_##language(#name, 0, devices)
#define FEATURE(name, major, minor, patch, language, devices) \
    ROW_##language(#name, 200, devices)
#include "abi/extension.def"
    };
    bool shared = cc_target_or_v1(o->target)->shared_memory;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (o->std >= rows[i].since && (shared || rows[i].devices == ALL) &&
            !(o->no_fp64 && strstr(rows[i].word, "_fp64_")))
            vec_push(a, args, (char *)rows[i].word);
}

/*
 * Arrays at the end of a structure have bounds, too, unless they have one element or
 * none.  The driver knows no sanitizer for spir, clang itself does.
 */
static void
add_bounds(struct arena *a, word_list *args)
{
    static const char *const words[] = {
        "-fsanitize=array-bounds,integer-divide-by-zero",
        "-fsanitize-recover=array-bounds,integer-divide-by-zero",
        "-fsanitize-minimal-runtime",
        "-fstrict-flex-arrays=1",
    };
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        vec_push(a, args, "-Xclang");
        vec_push(a, args, (char *)words[i]);
    }
}

enum { CLANG_NEWEST = 300 }; /* version of the language that clang knows */

/*
 * OpenCL C 3.1 differs from 3.0 for clang in no more than the macros: the functions that
 * it has taken over are there in all versions, as those of extensions.  A version that a
 * program compares with has its macro whatever the language is, as clang has it of the
 * older ones; an undefined one would be 0.
 */
static void
add_version(struct arena *a, unsigned std, word_list *args)
{
    unsigned known = std < CLANG_NEWEST ? std : CLANG_NEWEST;
    vec_push(a, args,
             arena_printf(a, "-cl-std=CL%u.%u", known / 100, known / 10 % 10));
    vec_push(a, args, "-DCL_VERSION_3_1=310");
}

static char **
clang_arguments(struct arena *a, const struct front_source *source,
                const struct front_options *o)
{
    static const char *const fixed[] = {
        "--no-default-config",
        "-fno-crash-diagnostics", /* which are files in /tmp */
        "-x",
        "cl",
        "-U__SPIR__",
        "-U__SPIR32__",
        "-U__SPIR",
        "-U__SPIR32",
        "-U__SPIR64__",
        "-U__SPIR64",
        "-D__VENTUS__=1",
        "-Wno-spir-compat", /* samplers without a filter */
        "-DFP_FAST_FMAF=1",
        "-DFP_FAST_FMA_HALF=1",
        "-cl-kernel-arg-info",
        /* Type-based aliases and lifetimes, no ban on unrolling (as -O1 has),
         * but none of the passes. */
        "-O2",
        "-Xclang",
        "-disable-llvm-passes",
        "-emit-llvm",
        "-c",
        "-o",
        "-",
        "-Xclang",
        "-main-file-name",
        "-Xclang",
    };
    word_list args = { 0 };
    vec_push(a, &args, "clang-19");
    vec_push(a, &args, "-target");
    vec_push(a, &args, (char *)cc_target_or_v1(o->target)->clang);
    for (unsigned i = 0; i < sizeof fixed / sizeof *fixed; i++)
        vec_push(a, &args, (char *)fixed[i]);
    vec_push(a, &args, (char *)front_options_path(a, source->name));
    vec_push(a, &args, "-Xclang");
    vec_push(a, &args, (char *)extensions(a, o));
    add_version(a, o->std, &args);
    /* The version of the device, whatever that of the language (OpenCL C 1.2,
     * 6.10). */
    vec_push(
        a, &args,
        arena_printf(a, "-D__OPENCL_VERSION__=%d",
                     100 * OPENCL_VERSION_MAJOR + 10 * OPENCL_VERSION_MINOR));
    add_macros(a, o, &args);
    vec_push(a, &args, o->debug ? "-g" : "-gline-tables-only");
    if (o->check_bounds)
        add_bounds(a, &args);
    if (o->colour)
        vec_push(a, &args, "-fcolor-diagnostics");
    if (o->embed_source) {
        vec_push(a, &args, "-gdwarf-5");
        vec_push(a, &args, "-gembed-source");
    }
    if (source->dir) {
        vec_push(a, &args, "-iquote");
        vec_push(a, &args, (char *)front_options_path(a, source->dir));
    }
    for (size_t i = 0; i < o->words.n; i++)
        vec_push(a, &args, (char *)o->words.at[i]);
    vec_push(a, &args, "-");
    vec_push(a, &args, NULL);
    return args.at;
}

/* The macro of a language that clang does not know; its own header, which has been read,
 * is for those that it knows. */
static const char *
version_macro(struct arena *a, unsigned std)
{
    if (std <= CLANG_NEWEST)
        return "";
    return arena_printf(a,
                        "#pragma clang diagnostic push\n"
                        "#pragma clang diagnostic ignored \"-Weverything\"\n"
                        "#undef __OPENCL_C_VERSION__\n"
                        "#define __OPENCL_C_VERSION__ %u\n"
                        "#pragma clang diagnostic pop\n",
                        std);
}

/* The text that clang reads before the source: messages shall name the user's file. */
static const char *
prologue_of(struct arena *a, const char *name, unsigned std)
{
    char *quoted = arena_new(a, char, 2 * strlen(name) + 1), *to = quoted;
    for (; *name; name++) {
        if (*name == '"' || *name == '\\')
            *to++ = '\\';
        *to++ = *name == '\n' ? ' ' : *name;
    }
    return arena_printf(a, FRONT_PROLOGUE "%s%s" FRONT_PROLOGUE_END "%s\"\n",
                        version_macro(a, std), front_declarations, quoted);
}

/* ---- the process ---- */

bool
front_clang_start(struct front_clang *c, struct arena *a,
                  const struct front_source *source,
                  const struct front_options *options, struct diag_sink *sink)
{
    *c = (struct front_clang){ .source = source,
                               .prologue =
                                   prologue_of(a, source->name, options->std),
                               .depfile = options->depfile };
    c->child.input[0] =
        (struct front_piece){ c->prologue, strlen(c->prologue) };
    c->child.input[1] = (struct front_piece){ source->text, source->size };
    return front_child_start(&c->child, source->sandbox,
                             front_clang_path(a, source),
                             clang_arguments(a, source, options),
                             front_child_environment(a), sink) &&
           front_child_close_calls(&c->child, 1, sink);
}

static char *
find_text(const struct buf *log, const char *text)
{
    return log->n ? memmem(log->at, log->n, text, strlen(text)) : NULL;
}

/*
 * clang wants to put a command line above 64 KiB into a file, in case that it
 * starts another process, which it does not: what it says of that is no error
 * of the source.
 */
static void
drop_response_file(struct buf *log)
{
    char *begin =
        find_text(log, "clang-19: error: unable to make temporary file");
    char *end = (char *)log->at + log->n;
    char *next = begin ? memchr(begin, '\n', (size_t)(end - begin)) : NULL;
    if (!next)
        return;
    next++;
    memmove(begin, next, (size_t)(end - next));
    log->n -= (size_t)(next - begin);
}

static const char crash_words[] = "PLEASE submit a bug report";

/* Whether processor time ran out.  clang catches the signal at the limit, prints a
 * stack and continues, until the end a second later. */
static bool
used_up(int status, const struct buf *log)
{
    return front_child_used_up(status) ||
           (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL &&
            find_text(log, crash_words));
}

/* Drops clang's stack, which says where clang was when time ran out, and nothing of
 * the source. */
static void
drop_stack(struct buf *log)
{
    const char *begin = find_text(log, crash_words);
    if (begin)
        log->n = (size_t)(begin - (const char *)log->at);
}

/*
 * clang ends in a crash where it cannot write the depfile as a whole.  Drops that from
 * the log and says it in our words; false: that is not what happened.
 */
static bool
lost_depfile(const struct front_clang *c, struct buf *log,
             struct diag_sink *sink)
{
    static const char words[] =
        "fatal error: error in backend: IO failure on output stream: ";
    char *begin = find_text(log, words);
    if (!c->depfile || !begin || !find_text(log, crash_words))
        return false;
    const char *why = begin + strlen(words);
    size_t left = log->n - (size_t)(why - (const char *)log->at);
    const char *end = memchr(why, '\n', left);
    diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = c->depfile },
                "cannot write: %.*s", (int)(end ? end - why : (ptrdiff_t)left),
                why);
    log->n = (size_t)(begin - (char *)log->at);
    return true;
}

/* Whether a message says that a file was not found that may be missing from the
 * sandbox.  Of #embed clang says only that it is not found. */
static bool
lacks_file(const struct buf *log)
{
    return find_text(log, "Permission denied") ||
           (find_text(log, "#embed") && find_text(log, "' file not found"));
}

/* Reports why clang failed, where its log does not say so. */
static void
explain_failure(const struct front_clang *c, bool in_time, int status,
                const struct buf *log, struct diag_sink *sink)
{
    struct diag_at at = { .file = c->source->name };
    if (!in_time)
        diag_report(sink, DIAG_ERROR, at,
                    "clang did not finish in time: %u s of the processor "
                    "(VENTUS_COMPILE_LIMIT_MS)",
                    front_child_limit_s(&c->child));
    else if (WIFSIGNALED(status))
        diag_report(sink, DIAG_ERROR, at, "clang crashed on this input: %s",
                    strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) == 127 && log->n == 0)
        diag_report(sink, DIAG_ERROR, at, "cannot run clang-19");
    else if (find_text(log, crash_words))
        diag_report(sink, DIAG_ERROR, at, "clang crashed on this input");
    else if (c->source->sandbox && c->source->sandbox->has_files &&
             lacks_file(log))
        diag_report(sink, DIAG_NOTE, at,
                    "only files in the folders of -I, of the source and in "
                    "the working folder can be included; others are named in "
                    "VENTUS_SANDBOX_READ");
}

bool
front_clang_finish(struct front_clang *c, struct buf *bitcode, struct buf *log,
                   struct diag_sink *sink)
{
    int status;
    bool in_time;
    bool waited = front_child_run(&c->child, bitcode, log, &in_time, &status);
    drop_response_file(log);
    if (!waited)
        return front_child_fail(sink, "clang", errno);
    bool ok = in_time && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    in_time = in_time && !used_up(status, log);
    if (!in_time)
        drop_stack(log);
    if (!ok && !(in_time && lost_depfile(c, log, sink)))
        explain_failure(c, in_time, status, log, sink);
    return ok;
}
