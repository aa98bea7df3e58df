/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "cc/cc.h"
#include "cc/llvm/intrinsics.h"

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
 *   aggregates  the words of their members, one behind the other
 */
struct tr_value {
    ir_val *at;
    unsigned n;
};

/* Where the elements of arguments or results lie (tr_function.c). */
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
    struct ir_block *returns; /* ... where; NULL: nowhere */
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
    bool failed;
};

/* A global variable, named by its place. */
struct tr_global {
    enum ir_space space;
    uint32_t offset;    /* local memory */
    const char *symbol; /* constants */
    LLVMValueRef of;
};

/* ---- tr_debug.c ---- */

/* The line of an instruction is that of what is emitted from now on. */
void
tr_set_line(struct tr *t, LLVMValueRef in);

/* The number of a scope's file among the module's. */
uint32_t
tr_file(struct tr *t, LLVMMetadataRef scope);

/* Once for a module, once for a function of it. */
void
tr_debug_begin(struct tr *t, LLVMModuleRef module);

void
tr_debug_function(struct tr *t, LLVMValueRef function);

/* What the function uses of global variables. */
void
tr_debug_globals(struct tr *t);

/* tr_debug_value.c: true if the instruction is a debug record, taken now. */
bool
tr_debug_record(struct tr *t, LLVMValueRef in);

/* ---- tr_build.c ---- */

/* An instruction of the line that is translated. */
static inline void
tr_set_place(const struct tr *t, struct ir_insn *in)
{
    in->line = t->line;
    in->column = t->column;
    in->file = t->file;
    in->scope = t->scope;
}

/* An error about the user's kernel; false. */
bool
tr_fail(struct tr *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

ir_val
tr_const(struct tr *t, int32_t x);

bool
tr_is_const(struct tr *t, ir_val v, int32_t *x);

/* Operation on sources in slots 1 and 2; folds constants.  If one has two
 * words, of 64 bits: the other one, if it is one word, is sign-extended. */
ir_val
tr_op(struct tr *t, unsigned op, ir_val a, ir_val b);

ir_val
tr_op1(struct tr *t, unsigned op, ir_val a);

ir_val
tr_opi(struct tr *t, unsigned op, ir_val a, int32_t imm);

ir_val
tr_select(struct tr *t, ir_val c, ir_val a, ir_val b);

/* A new instruction at the end of the block, with a result of `words`. */
struct ir_insn *
tr_emit(struct tr *t, unsigned op, unsigned words);

/* A word of the metadata, or two of them.  Those that lie by dimension are
 * loaded at the start, where they become one access (combine.c). */
ir_val
tr_knl_word(struct tr *t, unsigned offset, unsigned words);

/* A word as 64 bits. */
ir_val
tr_extend(struct tr *t, ir_val word, bool is_signed);

ir_val
tr_pair(struct tr *t, ir_val lo, ir_val hi);

ir_val
tr_lo(struct tr *t, ir_val pair);

ir_val
tr_hi(struct tr *t, ir_val pair);

/* A pair operation on pairs. */
ir_val
tr_pair_op(struct tr *t, unsigned op, ir_val a, ir_val b);

/* ---- tr_value.c ---- */

struct tr_value
tr_get(struct tr *t, LLVMValueRef v);

/* The only word of a value. */
ir_val
tr_get1(struct tr *t, LLVMValueRef v);

void
tr_set(struct tr *t, LLVMValueRef key, const ir_val *words, unsigned n);

void
tr_set1(struct tr *t, LLVMValueRef key, ir_val v);

/* How many words a type has, as in tr_value. */
unsigned
tr_words(struct tr *t, LLVMTypeRef type);

/* Width of an integer, pointer or floating type. */
unsigned
tr_width(const struct tr *t, LLVMTypeRef type);

/* How many IR values an integer or a pointer of this width has. */
unsigned
tr_unit(const struct tr *t, unsigned width);

/* Its IR value is a pair of two words: a type, or the elements of a vector. */
bool
tr_is_pair(const struct tr *t, LLVMTypeRef type);

/* The two words of an integer of 64 bits that is tr_unit() values at `at`, and
 * back. */
void
tr_split(struct tr *t, const ir_val *at, ir_val words[2]);

void
tr_join(struct tr *t, const ir_val words[2], ir_val *at);

/* A scalar as words, whatever its IR values are; and sets one, or a structure
 * that begins with it. */
struct tr_value
tr_get_words(struct tr *t, LLVMValueRef v);

void
tr_set_words(struct tr *t, LLVMValueRef key, const ir_val *words, unsigned n);

/* Of each of the tr_words() IR values of a type, how many words it has. */
const uint8_t *
tr_value_sizes(struct tr *t, LLVMTypeRef type);

/* False, with an error, if struct tr_value has no words for the type: bitcode
 * may have integers of 128 bits, say, which clang does not make. */
bool
tr_check_type(struct tr *t, LLVMTypeRef type);

struct tr_value
tr_new_value(struct tr *t, unsigned n);

bool
tr_select_value(struct tr *t, LLVMValueRef in);

bool
tr_extract_value(struct tr *t, LLVMValueRef in);

bool
tr_insert_value(struct tr *t, LLVMValueRef in);

bool
tr_extract_element(struct tr *t, LLVMValueRef in);

bool
tr_insert_element(struct tr *t, LLVMValueRef in);

bool
tr_shuffle(struct tr *t, LLVMValueRef in);

bool
tr_freeze(struct tr *t, LLVMValueRef in);

/* ---- translate.c ---- */

/* Adds a block and makes it the current one; branches are the caller's. */
struct ir_block *
tr_new_block(struct tr *t);

/* ---- tr_const.c ---- */

/* Adds the bytes that the indices of a getelementptr are from its pointer; false: one of
 * them is not constant. */
bool
tr_add_indices(struct tr *t, LLVMValueRef gep, int64_t *offset);

struct tr_value
tr_constant(struct tr *t, LLVMValueRef v);

/* Globals of sections .ventus.*, which no kernel names. */
void
tr_sections(struct tr *t, LLVMModuleRef module);

struct tr_global *
tr_global(struct tr *t, LLVMValueRef v);

/* The address of a global + offset. */
ir_val
tr_address(struct tr *t, LLVMValueRef global, int32_t offset);

/* ---- tr_int.c: instructions on integers ---- */

bool
tr_binary(struct tr *t, LLVMValueRef in);

bool
tr_icmp(struct tr *t, LLVMValueRef in);

bool
tr_cast(struct tr *t, LLVMValueRef in);

/* What they give, also of a constant expression. */
struct tr_value
tr_binary_value(struct tr *t, LLVMOpcode op, LLVMValueRef in);

struct tr_value
tr_cast_value(struct tr *t, LLVMOpcode op, LLVMValueRef in);

ir_val
tr_zext(struct tr *t, ir_val v, unsigned width);

ir_val
tr_sext(struct tr *t, ir_val v, unsigned width);

/* The compare of two integers: 0 or 1. */
ir_val
tr_compare(struct tr *t, LLVMIntPredicate p, struct tr_value a,
           struct tr_value b, unsigned width);

/* Shift by a variable or constant amount; two words. */
void
tr_shift64(struct tr *t, unsigned op, const ir_val a[2], ir_val by,
           ir_val out[2]);

void
tr_add64(struct tr *t, const ir_val a[2], const ir_val b[2], ir_val out[2]);

void
tr_sub64(struct tr *t, const ir_val a[2], const ir_val b[2], ir_val out[2]);

/* ---- tr_divide.c ---- */

/* Without instructions of 64 bits. */
void
tr_divide64(struct tr *t, bool is_signed, bool remainder, const ir_val a[2],
            const ir_val b[2], ir_val out[2]);

/* ---- tr_fp.c: floating point ---- */

bool
tr_fbinary(struct tr *t, LLVMValueRef in);

bool
tr_fcmp(struct tr *t, LLVMValueRef in);

bool
tr_fcast(struct tr *t, LLVMValueRef in);

/* ---- tr_mem.c ---- */

bool
tr_load(struct tr *t, LLVMValueRef in);

bool
tr_store(struct tr *t, LLVMValueRef in);

bool
tr_gep(struct tr *t, LLVMValueRef in);

enum ir_space
tr_space(struct tr *t, LLVMValueRef pointer);

/* ---- tr_copy.c ---- */

bool
tr_memory_call(struct tr *t, LLVMValueRef in, const char *name);

/* ---- tr_params.c: private memory, parameters of kernels ---- */

/* Room in private memory. */
uint32_t
tr_private_room(struct tr *t, uint64_t size, unsigned align);

bool
tr_alloca(struct tr *t, LLVMValueRef in);

void
tr_params(struct tr *t, LLVMValueRef function);

/* A word of private memory, at an offset from `base`. */
void
tr_put_word(struct tr *t, ir_val base, uint32_t offset, ir_val v);

ir_val
tr_get_word(struct tr *t, ir_val base, uint32_t offset);

/* ---- tr_atomic.c ---- */

bool
tr_atomic(struct tr *t, LLVMValueRef in);

bool
tr_cmpxchg(struct tr *t, LLVMValueRef in);

bool
tr_fence(struct tr *t, LLVMValueRef in);

/* A load or store that has to be done where all SMs see it, or in an order. */
bool
tr_is_atomic(struct tr *t, LLVMValueRef in, LLVMTypeRef type,
             enum ir_space space);

bool
tr_atomic_load(struct tr *t, LLVMValueRef in);

bool
tr_atomic_store(struct tr *t, LLVMValueRef in);

/* A word of global memory, of no order, where all SMs see it. */
ir_val
tr_shared_load(struct tr *t, ir_val address);

void
tr_shared_store(struct tr *t, ir_val address, ir_val v);

/* ---- tr_function.c: functions, from both sides ---- */

/* The function, or NULL if it is none that is called. */
struct tr_function *
tr_find_function(struct tr *t, LLVMValueRef of);

/* A function of another object. */
void
tr_add_external(struct tr *t, LLVMValueRef f);

/* Finds registers for what to->func takes and returns. */
void
tr_place_arguments(struct tr *t, struct tr_function *to);

/* The first instruction of a function. */
void
tr_enter(struct tr *t);

void
tr_take_parameters(struct tr *t);

/* The last instruction of a function or a kernel. */
void
tr_leave(struct tr *t, struct ir_block *exit);

/* return v */
void
tr_return(struct tr *t, LLVMValueRef v);

bool
tr_call_function(struct tr *t, LLVMValueRef in, struct tr_function *to);

/* ---- tr_call.c ---- */

bool
tr_call(struct tr *t, LLVMValueRef in);

/* Is there an instruction that saturates or averages numbers of this width? */
bool
tr_has_fixed_point(const struct tr *t, unsigned width);

struct ir_insn *
tr_fixed_point(struct tr *t, unsigned op, ir_val a, ir_val b, unsigned width);

/* ---- tr_intrinsic_int.c, tr_intrinsic_fp.c: `name` is behind "llvm." ---- */

bool
tr_integer_intrinsic(struct tr *t, LLVMValueRef in, const char *name);

bool
tr_float_intrinsic(struct tr *t, LLVMValueRef in, const char *name);

/* ---- tr_asm.c ---- */

bool
tr_inline_asm(struct tr *t, LLVMValueRef in);

/* ---- tr_object.c ---- */

/* What is accessed by `bytes` at a pointer, a number as ir_insn.object; 0: unknown, or
 * certainly inside. */
unsigned
tr_object(struct tr *t, LLVMValueRef pointer, uint64_t bytes);

/* The same of a load, a store or an atomic; 0 of another instruction. */
unsigned
tr_object_of_access(struct tr *t, LLVMValueRef in);
