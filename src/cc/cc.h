/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/map.h"
#include "cc/compile.h"
#include "ir/ir.h"
#include "obj/kernels.h"

/* Inside the compiler: a module, its kernels, and the passes. */

/* A word of data that holds the address of other data. */
struct cc_fixup {
    uint32_t offset;
    const char *symbol;
    int32_t addend;
};

/* Data: in .rodata, .data, or a section that is not loaded. */
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

struct cc {
    struct ir_func *f;
    const struct cc_options *options;
    struct diag_sink *sink;
    struct cc_kernel_stats *stats;
    const struct cc_module *m; /* NULL: a function from text */
};

/* sched.c: an atomic, a barrier and the like: nothing in memory passes it. */
bool
cc_orders_memory(const struct ir_insn *in);

/* ---- the passes, in the order of pipeline.c ---- */

/* warn.c: what will be slow or wrong (scalar machine IR, divergence known). */
void
cc_warn(struct cc *c);

/* A place in the source, with its line if the options have the text. */
struct diag_at
cc_place(const struct cc_module *m, unsigned file, unsigned line, unsigned col);

/* ... about private memory, after register allocation. */
void
cc_warn_private(struct cc *c);

/* progress.c: what ends the wait of others before they go on (scalar machine IR). */
void
cc_progress(struct cc *c);

/* repair.c: SSA again after edges were changed (any SSA form). */
void
cc_repair(struct ir_func *f);

/*
 * fold.c: immediates into addresses, compares into branches (scalar machine
 * IR).
 */
void
cc_fold(struct cc *c);

/* cse.c: equal pure instructions once (any SSA form). */
void
cc_cse(struct cc *c);

/* licm.c: loop-invariant code motion (any SSA form). */
void
cc_licm(struct cc *c);

/* strength.c: strength reduction of addresses (scalar machine IR). */
void
cc_strength(struct cc *c);

/* dce.c: removes what nothing uses (any SSA form). */
void
cc_dce(struct cc *c);

/*
 * call.c: a function takes what no call passes differently to lanes as a
 * scalar (scalar machine IR, when all that call it have been through
 * cc_pass_arguments, which records what they pass, divergence known); the
 * registers of the calling convention (of cc_out_of_ssa).
 */
void
cc_take_arguments(struct ir_func *f);

void
cc_pass_arguments(struct ir_func *f);

void
cc_lower_calls(struct ir_func *f);

/* A function of another object may write it (docs/abi.md). */
bool
cc_is_caller_saved(enum ir_class cls, unsigned reg);

enum { CC_CALLER_SCALARS = 14, CC_CALLER_VECTORS = 40 }; /* so many of them */

/* divergence.c: which values differ between threads (scalar machine IR). */
void
cc_divergence(struct cc *c);

/* lftr.c: linear-function test replacement (scalar, divergence known). */
void
cc_lftr(struct cc *c);

/* lower_divergence.c: scalar to vector machine IR. */
void
cc_lower_divergence(struct cc *c);

/* widening.c: widening rows, halves of 64-bit results (vector machine IR). */
void
cc_wide(struct cc *c);

/* immediate.c: immediate forms, accumulator forms (vector machine IR). */
void
cc_immediate(struct cc *c);

/* source_modifiers.c: signs of sources (vector machine IR). */
void
cc_modify(struct cc *c);

/* sink.c: code sinking of constants (vector machine IR). */
void
cc_sink(struct cc *c);

/* combine.c: loads and stores of several words (vector machine IR). */
void
cc_combine(struct cc *c);

/* addressing.c: bases, offsets, strides in the access (vector machine IR). */
void
cc_pattern(struct cc *c);

/* sched.c: order inside blocks (vector machine IR). */
void
cc_sched(struct cc *c);

/* out_of_ssa.c: phis to copies, tied operands; out of SSA. */
void
cc_out_of_ssa(struct cc *c);

/* regalloc/allocate.c: register allocation, behind out_of_ssa.c. */
void
cc_allocate(struct cc *c);

/* vsetvli.c: where the width of elements changes (after register allocation). */
void
cc_sew(struct cc *c);

/* regalloc/check.c: an error if registers do not hold what instructions expect. */
const char *
cc_check_registers(struct cc *c);

void
cc_count_time(struct cc_module *m, const char *name, double ms);

/* pipeline.c: runs them all on all kernels and functions. */
bool
cc_compile_kernels(struct cc_module *m);

/* ---- output ---- */

struct cc_reloc {
    uint32_t offset;
    unsigned type; /* enum elf_riscv_reloc */
    const char *symbol;
    int32_t addend;
};

/* From here on the code is of this line. */
struct cc_row {
    uint32_t offset, file, line, column;
    bool prologue_end;
};

/* emit.c: the code of one kernel. */
struct cc_code {
    struct buf words;
    vec(struct cc_reloc) relocs;
    vec(struct cc_row) rows;
    struct ir_block **order; /* as they lie, and how many */
    unsigned n_order;
    uint32_t *block_at;   /* by block id: offset */
    uint32_t saved_at;    /* from here on ra is on the stack; 0: never */
    int32_t saved_offset; /* ... from sp */
};

bool
cc_emit(struct cc *c, struct cc_code *code);

/* object.c */
bool
cc_write_object(struct cc_module *m, struct buf *out);

/* isel/translate.c: fills m->kernels and m->data. */
bool
cc_translate(struct cc_module *m, void *module);

/* ---- values ---- */

static inline bool
cc_is_constant(const struct ir_func *f, ir_val v, int32_t *x)
{
    const struct ir_insn *def = ir_value(f, v)->def;
    *x = v == IR_ZERO ? 0 : def ? def->imm : 0;
    return v == IR_ZERO || (def && def->op == IR_CONST);
}

/* Of one word, or a pair of x0 and x0. */
static inline bool
cc_is_zero(const struct ir_func *f, ir_val v)
{
    const struct ir_insn *def = ir_value(f, v)->def;
    return v == IR_ZERO || (def && def->op == IR_PAIR &&
                            def->src[1] == IR_ZERO && def->src[2] == IR_ZERO);
}
