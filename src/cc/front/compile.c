/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <llvm-c/Core.h>

#include "base/clock.h"
#include "cc/front/asm.h"
#include "cc/front/front.h"
#include "cc/front/link.h"
#include "cc/front/module.h"
#include "cc/front/pipeline.h"
#include "cc/front/steps.h"

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
    /* clang compiles meanwhile */
    front_open_context(f, sink);
    const char *library = front_find_library(a, options->target, sink);
    struct buf bitcode = { 0 };
    bool ok = front_clang_finish(&clang, &bitcode, &f->log, sink) && library;
    front_note(f, "wait for clang", &since);
    struct front_build b = { .context = f->context,
                             .arena = a,
                             .options = options,
                             .sink = sink,
                             .library = library,
                             .name = source->name,
                             .text = source->text };
    ok = ok && front_read(&b, bitcode.at, bitcode.n) && front_refuse_asm(&b);
    front_note(f, "read module", &since);
    ok = ok && front_mark(f, &b) && front_lower(f, &b);
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
