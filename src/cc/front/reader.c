/* SPDX-License-Identifier: Apache-2.0 */
#include "cc/front/reader.h"

#include "cc/front/asm.h"
#include "cc/front/spirv_module.h"
#include "cc/front/steps.h"

bool
front_reader_start(struct front_reader *r, struct arena *a,
                   const struct front_source *source,
                   const struct front_options *options, struct diag_sink *sink)
{
    r->source = source;
    return source->il ? front_spirv_start(&r->spirv, a, source, options, sink)
                      : front_clang_start(&r->clang, a, source, options, sink);
}

bool
front_reader_finish(struct front_reader *r, struct front_build *b,
                    struct buf *log)
{
    struct buf bitcode = { 0 };
    bool il = r->source->il != NULL;
    bool ok = il ? front_spirv_finish(&r->spirv, &bitcode, log, b->sink)
                 : front_clang_finish(&r->clang, &bitcode, log, b->sink);
    ok = ok && front_read(b, bitcode.at, bitcode.n) &&
         (!il || front_spirv_adapt(b)) && front_refuse_asm(b);
    buf_free(&bitcode);
    return ok;
}
