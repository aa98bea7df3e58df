/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* memmem */
#include "cc/front/spirv.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "abi/spirv.h"
#include "base/bytes.h"
#include "cc/front/spirv_lower.h"

static const struct program {
    const char *name, *variable, *package, *does;
    char *args[8];
} programs[FRONT_SPIRV_PROGRAMS] = {
    [FRONT_SPIRV_VAL] = { "spirv-val",
                          "VENTUS_SPIRV_VAL",
                          "spirv-tools",
                          "is not valid",
                          { "spirv-val", "--target-env", "spv1.4", "-" } },
    [FRONT_LLVM_SPIRV] = { "llvm-spirv-15",
                           "VENTUS_LLVM_SPIRV",
                           "llvm-spirv-15",
                           "cannot be translated",
                           { "llvm-spirv-15", "-r", "--spirv-target-env=CL2.0",
                             "--spirv-gen-kernel-arg-name-md", "-o", "-",
                             "/dev/stdin" } },
};

const char *
front_spirv_path(struct arena *a, enum front_spirv_program program)
{
    const struct program *p = &programs[program];
    return front_child_path(a, p->variable, p->name);
}

/* The module for the translator: what it can read. */
static struct front_piece
lowered(struct arena *a, const void *bytes, size_t size)
{
    size_t n = size / 4;
    uint32_t *words = arena_new(a, uint32_t, n + 1);
    for (size_t i = 0; i < n; i++)
        words[i] = bytes_load_u32((const uint8_t *)bytes + 4 * i);
    words = front_spirv_lower(a, words, &n);
    uint8_t *to = arena_new(a, uint8_t, 4 * n + 1);
    for (size_t i = 0; i < n; i++)
        bytes_store(to + 4 * i, 4, words[i]);
    return (struct front_piece){ to, 4 * n };
}

bool
front_spirv_start(struct front_spirv *s, struct arena *a,
                  const struct front_source *source,
                  const struct front_options *options, struct diag_sink *sink)
{
    const struct cc_target *target = cc_target_or_v1(options->target);
    enum { GLOBAL = 1 };
    *s = (struct front_spirv){
        .source = source,
        .words = arena_new(a, char, source->il_size),
        .address_bits = cc_pointer_bits(target, GLOBAL),
    };
    char **env = front_child_environment(a);
    s->size = spirv_copy(s->words, source->il, source->il_size);
    for (unsigned i = 0; i < FRONT_SPIRV_PROGRAMS; i++) {
        s->child[i].input[0] = (struct front_piece){ s->words, s->size };
        if (i == FRONT_LLVM_SPIRV)
            s->child[i].input[0] = lowered(a, s->words, s->size);
        s->child[i].by_file = i == FRONT_LLVM_SPIRV;
        if (front_child_start(&s->child[i], source->sandbox,
                              front_spirv_path(a, i), (char **)programs[i].args,
                              env, sink))
            continue;
        while (i)
            front_child_drop(&s->child[--i]);
        return false;
    }
    return front_child_close_calls(s->child, FRONT_SPIRV_PROGRAMS, sink);
}

/* The text of an assertion that failed in the program; NULL: none did. */
static const char *
find_assertion(const struct buf *log, size_t *n)
{
    static const char begin[] = "Assertion `", end[] = "' failed";
    const char *at =
        log->n ? memmem(log->at, log->n, begin, sizeof begin - 1) : NULL;
    if (!at)
        return NULL;
    at += sizeof begin - 1;
    size_t left = log->n - (size_t)(at - (const char *)log->at);
    const char *stop = memmem(at, left, end, sizeof end - 1);
    *n = stop ? (size_t)(stop - at) : 0;
    return stop ? at : NULL;
}

/* Reports why a program failed, and drops the stack of its crash from the log. */
static void
explain(const struct front_spirv *s, enum front_spirv_program which,
        bool in_time, int status, struct buf *log, struct diag_sink *sink)
{
    const struct program *p = &programs[which];
    struct diag_at at = { .file = s->source->name };
    size_t n = 0;
    const char *assertion = find_assertion(log, &n);
    if (!in_time || front_child_used_up(status))
        diag_report(sink, DIAG_ERROR, at,
                    "%s did not finish in time: %u s of the processor "
                    "(VENTUS_COMPILE_LIMIT_MS)",
                    p->name, front_child_limit_s(&s->child[which]));
    else if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        diag_report(sink, DIAG_ERROR, at,
                    "SPIR-V needs the program %s (%s), of Debian's package %s",
                    p->name, p->variable, p->package);
    else if (assertion)
        diag_report(sink, DIAG_ERROR, at,
                    "the SPIR-V module %s: %s expects %.*s", p->does, p->name,
                    (int)n, assertion);
    else if (WIFSIGNALED(status))
        diag_report(sink, DIAG_ERROR, at,
                    "the SPIR-V module %s: %s crashed on it: %s", p->does,
                    p->name, strsignal(WTERMSIG(status)));
    else
        diag_report(sink, DIAG_ERROR, at, "the SPIR-V module %s (%s)", p->does,
                    p->name);
    if (assertion || WIFSIGNALED(status))
        log->n = 0;
}

static bool
run_program(struct front_spirv *s, enum front_spirv_program which,
            struct buf *out, struct buf *log, struct diag_sink *sink)
{
    struct front_child *c = &s->child[which];
    struct buf said = { 0 };
    int status;
    bool in_time;
    if (!front_child_run(c, out, &said, &in_time, &status)) {
        buf_free(&said);
        return front_child_fail(sink, programs[which].name, errno);
    }
    bool ok = in_time && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!ok)
        explain(s, which, in_time, status, &said, sink);
    buf_put(log, said.at, said.n);
    buf_free(&said);
    return ok;
}

static bool
check_module(struct front_spirv *s, struct diag_sink *sink)
{
    struct spirv m;
    const struct front_source *source = s->source;
    if (spirv_read(&m, s->words, s->size) && spirv_fits(&m, s->address_bits))
        return true;
    diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = source->name },
                "%s", m.why);
    return false;
}

bool
front_spirv_finish(struct front_spirv *s, struct buf *bitcode, struct buf *log,
                   struct diag_sink *sink)
{
    struct buf nothing = { 0 };
    bool checked = check_module(s, sink);
    if (!checked)
        front_child_drop(&s->child[FRONT_SPIRV_VAL]);
    bool ok = checked && run_program(s, FRONT_SPIRV_VAL, &nothing, log, sink);
    buf_free(&nothing);
    if (ok)
        return run_program(s, FRONT_LLVM_SPIRV, bitcode, log, sink);
    front_child_drop(&s->child[FRONT_LLVM_SPIRV]);
    return false;
}
