/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/clang.h"
#include "cc/front/module.h"
#include "cc/front/spirv.h"

/*
 * A source becomes a module: OpenCL C by clang, SPIR-V by its translator.
 *
 *     struct front_reader r;
 *     front_reader_start(&r, a, &source, &options, &sink);
 *     ... something else, for 30 ms ...
 *     ok = front_reader_finish(&r, &b, &log);
 */
struct front_reader {
    const struct front_source *source;
    struct front_clang clang;
    struct front_spirv spirv;
};

bool
front_reader_start(struct front_reader *r, struct arena *a,
                   const struct front_source *source,
                   const struct front_options *options, struct diag_sink *sink);

/* Waits for the bitcode, and makes b->module of it.  False: errors are in the log or in
 * the sink. */
bool
front_reader_finish(struct front_reader *r, struct front_build *b,
                    struct buf *log);
