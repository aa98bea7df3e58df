/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include <time.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>

#include "base/clock.h"
#include "cc/front/align.h"
#include "cc/front/asm.h"
#include "cc/front/front.h"
#include "cc/front/inside.h"
#include "cc/front/link.h"
#include "cc/front/module.h"
#include "cc/front/params.h"
#include "cc/front/passes.h"
#include "cc/front/printf.h"
#include "cc/front/steps.h"
#include "cc/front/unwritten.h"

void
front_note(struct front *f, const char *what, double *since)
{
    double now = clock_now_ms();
    if (f->n_times < sizeof f->times / sizeof *f->times)
        f->times[f->n_times++] = (struct front_time){ what, now - *since };
    *since = now;
}

/* What LLVM wants to say about a module goes to the sink. */
static void
on_diagnostic(LLVMDiagnosticInfoRef info, void *sink)
{
    enum diag_severity severity = DIAG_NOTE;
    switch (LLVMGetDiagInfoSeverity(info)) {
    case LLVMDSError:
        severity = DIAG_ERROR;
        break;
    case LLVMDSWarning:
        severity = DIAG_WARNING;
        break;
    case LLVMDSRemark:
    case LLVMDSNote:
        return;
    }
    char *text = LLVMGetDiagInfoDescription(info);
    diag_report(sink, severity, (struct diag_at){ 0 }, "%s", text);
    LLVMDisposeMessage(text);
}

void
front_open_context(struct front *f, struct diag_sink *sink)
{
    f->context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(f->context, on_diagnostic, sink);
}

bool
front_read(struct front_build *b, const void *bitcode, size_t size)
{
    if (!front_check_params(b, bitcode, size))
        return false;
    LLVMMemoryBufferRef memory =
        LLVMCreateMemoryBufferWithMemoryRange(bitcode, size, "kernel", false);
    bool failed = LLVMParseBitcodeInContext2(b->context, memory, &b->module);
    LLVMDisposeMemoryBuffer(memory);
    if (failed)
        front_error(b, NULL, "not LLVM 19 bitcode");
    return !failed;
}

bool
front_verify(struct front_build *b, const char *whose)
{
    char *message = NULL;
    bool bad = LLVMVerifyModule(b->module, LLVMReturnStatusAction, &message);
    if (bad)
        front_error(b, NULL, "%s: %s", whose, message);
    LLVMDisposeMessage(message);
    return !bad;
}

/* Behind clang, whose layouts of spir have pointers of one size. */
static void
set_layout(struct front_build *b)
{
    const char *layout = cc_target_or_v1(b->options->target)->layout;
    if (layout)
        LLVMSetDataLayout(b->module, layout);
}

bool
front_finish(struct front *f, struct front_build *b, const char *library)
{
    double since = clock_now_ms();
    set_layout(b);
    if (!front_lower_printf(b) || !front_link(b, library))
        return false;
    front_note(f, "link", &since);
    bool ok = front_optimise(b);
    front_note(f, "optimise", &since);
    /* A wrong module is now a bug of ours: of printf, or of a pass. */
    ok = ok && front_verify(b, "internal error");
    front_note(f, "verify", &since);
    return ok;
}

bool
front_compile(struct front *f, struct arena *a,
              const struct front_source *source,
              const struct front_options *options, struct diag_sink *sink)
{
    double since = clock_now_ms();
    struct front_clang clang;
    if (!front_clang_start(&clang, a, source, options, sink))
        return false;
    front_note(f, "start clang", &since);
    /* While clang compiles. */
    front_open_context(f, sink);
    const char *library = front_find_library(a, options->target, sink);
    struct buf bitcode = { 0 };
    bool ok = front_clang_finish(&clang, &bitcode, &f->log, sink) && library;
    front_note(f, "wait for clang", &since);
    struct front_build b = { .context = f->context,
                             .arena = a,
                             .options = options,
                             .sink = sink,
                             .name = source->name,
                             .text = source->text };
    ok = ok && front_read(&b, bitcode.at, bitcode.n) && front_refuse_asm(&b);
    if (ok && options->check_init)
        front_mark_unwritten(&b);
    if (ok && options->check_bounds)
        front_mark_inside(&b);
    if (ok && options->check_bounds)
        front_mark_alignment(&b);
    front_note(f, "read module", &since);
    ok = ok && front_finish(f, &b, library);
    buf_free(&bitcode);
    f->module = b.module;
    return ok;
}

void
front_print(const struct front *f, struct buf *out)
{
    char *text = LLVMPrintModuleToString(f->module);
    buf_put(out, text, strlen(text));
    LLVMDisposeMessage(text);
}

void
front_free(struct front *f)
{
    if (f->module)
        LLVMDisposeModule(f->module);
    if (f->context)
        LLVMContextDispose(f->context);
    buf_free(&f->log);
    *f = (struct front){ 0 };
}
