/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/map.h"
#include "cc/compile.h"
#include "ir/ir.h"
#include "obj/kernels.h"

/* Inside the compiler: a module, its kernels, and the function that a pass works on. */

/* A word of data that holds the address of other data. */
struct cc_fixup {
    uint32_t offset;
    const char *symbol;
    int32_t addend;
};

/* A variable or constant, in .rodata, .data, .bss or a section that is not loaded. */
struct cc_data {
    const char *name, *section; /* section NULL: .rodata */
    uint32_t align, size;
    uint8_t *bytes; /* NULL: zeros, in .bss */
    vec(struct cc_fixup) fixups;
};

struct cc_kernel {
    struct ir_func *func;
    struct kernel_info info;
    uint32_t line;
    struct cc_kernel_stats stats;
};

struct cc_file {
    const char *name, *dir;
    const char *source; /* NULL: not known here */
};

struct cc_debug;

struct cc_module {
    struct arena *arena;
    const char *file;
    const struct cc_options *options;
    struct diag_sink *sink;
    struct cc_stats *stats;
    vec(struct cc_kernel) kernels;   /* and functions, before what calls them */
    vec(struct ir_func *) externals; /* functions of other objects */
    uint32_t arrays_B; /* private memory of kernels and functions with calls */
    uint32_t frame_B, stack_B; /* of all: where memory of externals begins */
    bool has_exports;
    vec(struct cc_data) data;
    vec(struct cc_file) files; /* line tables */
    struct cc_debug *debug;    /* NULL: variables are not asked for */
};

/* The function that a pass works on, with what it may need. */
struct cc {
    struct ir_func *f;
    const struct cc_options *options;
    struct diag_sink *sink;
    struct cc_kernel_stats *stats;
    const struct cc_module *m; /* NULL: a function from text */
};

/* ---- values ---- */

/* Whether v is a constant, which goes to *x. */
static inline bool
cc_is_constant(const struct ir_func *f, ir_val v, int32_t *x)
{
    const struct ir_insn *def = ir_value(f, v)->def;
    *x = v == IR_ZERO ? 0 : def ? def->imm : 0;
    return v == IR_ZERO || (def && def->op == IR_CONST);
}

/* Whether v is x0, or a pair of x0 and x0. */
static inline bool
cc_is_zero(const struct ir_func *f, ir_val v)
{
    const struct ir_insn *def = ir_value(f, v)->def;
    return v == IR_ZERO || (def && def->op == IR_PAIR &&
                            def->src[1] == IR_ZERO && def->src[2] == IR_ZERO);
}
