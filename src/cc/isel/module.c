/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "cc/cc.h"
#include "cc/isel/translate.h"
#include "cc/object.h"
#include "cc/pipeline.h"

bool
cc_compile_module(void *module, const char *file,
                  const struct cc_options *options, struct arena *arena,
                  struct buf *out, struct cc_stats *stats,
                  struct diag_sink *sink)
{
    struct cc_module m = { .arena = arena,
                           .file = file,
                           .options = options,
                           .sink = sink,
                           .stats = stats };
    double start = clock_now_ms();
    bool ok = cc_translate(&m, module);
    cc_count_time(&m, "translate", clock_now_ms() - start);
    ok = ok && cc_compile_kernels(&m);
    start = clock_now_ms();
    ok = ok && cc_write_object(&m, out);
    cc_count_time(&m, "write", clock_now_ms() - start);
    return ok;
}
