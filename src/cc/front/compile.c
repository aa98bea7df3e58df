/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <llvm-c/Core.h>

#include "base/clock.h"
#include "cc/front/front.h"
#include "cc/front/link.h"
#include "cc/front/llvm_passes.h"
#include "cc/front/module.h"
#include "cc/front/pipeline.h"
#include "cc/front/reader.h"
#include "cc/front/steps.h"

bool
front_compile(struct front *f, struct arena *a,
              const struct front_source *source,
              const struct front_options *options, struct diag_sink *sink)
{
    double since = clock_now_ms();
    struct front_reader reader;
    if (!front_reader_start(&reader, a, source, options, sink))
        return false;
    front_note(f, source->il ? "start llvm-spirv" : "start clang", &since);
    /* they compile meanwhile */
    front_open_context(f, sink);
    const char *library = front_find_library(a, options->target, sink);
    struct front_build b = { .context = f->context,
                             .arena = a,
                             .options = options,
                             .sink = sink,
                             .library = library,
                             .name = source->name,
                             .text = source->text };
    bool ok = front_reader_finish(&reader, &b, &f->log) && library;
    front_note(f, "read module", &since);
    ok = ok && front_mark(f, &b) && front_lower(f, &b);
    f->module = b.module;
    return ok;
}

void
front_warm(void)
{
    front_set_up_llvm();
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
