/* SPDX-License-Identifier: Apache-2.0 */
#include "cc/front/steps.h"

#include <string.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>

#include "base/clock.h"
#include "cc/front/params.h"

void
front_note(struct front *f, const char *what, double *since)
{
    double now = clock_now_ms();
    if (f->n_times < FRONT_TIMES)
        f->times[f->n_times++] = (struct front_time){ what, now - *since };
    *since = now;
}

/* Hands LLVM's errors and warnings about a module to the sink. */
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
