/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "cc/cc.h"
#include "cc/front/intrinsics.h"

/*
 * From LLVM IR to scalar machine IR: what one thread does, in scalar
 * instructions.  An LLVM value becomes one or more IR values, its words:
 *
 *   i1          0 or 1
 *   i2 .. i32   one word; bits above the width are anything
 *   i33 .. i64  two words, low first; bits above the width are anything;
 *               where the target computes with them, one value of two words
 *   half        one word, bits above 15 are anything
 *   float       one word
 *   ptr         as an integer of its width
 *   double      one value of two words (IR pair)
 *   aggregates  the words of their members in a row
 */
struct tr_value {
    ir_val *at;
    unsigned n;
};

/* The places of the elements of arguments or results (isel/function.c). */
struct tr_place;
struct tr_places {
    vec(struct tr_place) of;
    unsigned next;    /* vector register */
    uint32_t stack_B; /* of what has none */
};

/* A function that is called. */
struct tr_function {
    LLVMValueRef of;
    struct ir_func *func;
    struct tr_places params, results;
    uint32_t arguments; /* those on the stack: an offset in private memory */
};

struct tr {
    struct cc_module *m;
    const struct cc_target *target;
    vec(struct tr_function *) functions; /* callees first */
    struct tr_function *function; /* the one that is translated, or NULL */
    struct ir_func *f;
    struct ir_block *block; /* instructions go to its end */
    struct cc_kernel *kernel;
    LLVMTargetDataRef layout;
    LLVMContextRef context;
    struct map values;        /* LLVMValueRef to struct tr_value */
    struct ir_block **blocks; /* by index of LLVM's list */
    LLVMBasicBlockRef *llvm_blocks;
    unsigned n_blocks;
    unsigned llvm_block;  /* the one that is translated */
    vec(unsigned) origin; /* by block id: the llvm_block it is part of */
    ir_val args;          /* the argument buffer */
    ir_val tp;            /* from where private memory counts, or IR_ZERO */
    ir_val local_base;    /* of static local memory */
    ir_val knl;
    struct ir_insn *entry_mark; /* constants go before it */
    struct map consts;          /* values to their IR_CONST */
    struct map globals;         /* LLVMValueRef to struct tr_global */
    struct map types;           /* those that tr_check_type has taken */
    LLVMValueRef *arg_pointers; /* into the argument buffer */
    unsigned n_arg_pointers, cap_arg_pointers;
    struct tr_value returned; /* by a function, ... */
    struct ir_block *returns; /* the block that returns; NULL: none */
    LLVMValueRef insn;        /* for messages */
    uint32_t line, column, file, scope;
    struct map debug_files, debug_functions, debug_types; /* by node */
    struct map debug_scopes, debug_variables; /* by node and inlined call */
    struct map debug_lists;                   /* by record: text */
    struct map debug_texts;                   /* by node */
    vec(LLVMValueRef) debug_values;           /* by name */
    bool exact_atomics; /* those of local memory, too: -fcheck-race */
    bool marks_objects; /* of accesses: -fcheck-bounds */
    unsigned object;    /* of the access that is translated: ir_insn.object */
    bool is_exchange;   /* the same for ir_insn.is_exchange */
    bool failed;
};

/* A global variable, named by its place. */
struct tr_global {
    enum ir_space space;
    uint32_t offset;    /* local memory */
    const char *symbol; /* constants */
    LLVMValueRef of;
};
