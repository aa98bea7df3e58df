/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/clang.h"

/*
 * SPIR-V: llvm-spirv-15 translates a module to bitcode of LLVM 15, which LLVM 19 reads
 * (docs/decisions/0017-spirv.md), and spirv-val says whether the module is valid: only
 * then is the bitcode looked at.  Both are children, as clang is, and work at once.
 *
 *     struct front_spirv s;
 *     front_spirv_start(&s, a, &source, &options, &sink);
 *     ... something else ...
 *     ok = front_spirv_finish(&s, &bitcode, &log, &sink) &&
 *          front_read(b, bitcode.at, bitcode.n) && front_spirv_adapt(b);
 */
enum front_spirv_program {
    FRONT_LLVM_SPIRV, /* the slower one is started first */
    FRONT_SPIRV_VAL,
    FRONT_SPIRV_PROGRAMS
};

struct front_spirv {
    struct front_child child[FRONT_SPIRV_PROGRAMS];
    const struct front_source *source;
    void *words; /* spirv_copy of the module */
    size_t size;
    unsigned address_bits;
};

/* The path of a program, if there is one. */
const char *
front_spirv_path(struct arena *a, enum front_spirv_program program);

/* Starts the programs for the module in the source. */
bool
front_spirv_start(struct front_spirv *s, struct arena *a,
                  const struct front_source *source,
                  const struct front_options *options, struct diag_sink *sink);

/* Translates.  False with an error in the sink, and what the programs said in the log. */
bool
front_spirv_finish(struct front_spirv *s, struct buf *bitcode, struct buf *log,
                   struct diag_sink *sink);
