/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of front_compile.c on one module. */
#pragma once

#include <llvm-c/Core.h>

#include "base/diag.h"
#include "cc/llvm/front.h"

struct front_build {
    LLVMModuleRef module;
    LLVMContextRef context;
    struct arena *arena;
    const struct front_options *options;
    struct diag_sink *sink;
    const char *name, *text;       /* of the source, for messages */
    vec(const char *) print_types; /* of the arguments of each printf */
};

#define front_foreach_function(f, module)                  \
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; \
         f = LLVMGetNextFunction(f))
#define front_foreach_block(b, f)                            \
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; \
         b = LLVMGetNextBasicBlock(b))
/* `i` may be removed. */
#define front_foreach_insn(i, b)                                       \
    for (LLVMValueRef i = LLVMGetFirstInstruction(b), next_##i = NULL; \
         i && (next_##i = LLVMGetNextInstruction(i), 1); i = next_##i)

/* The function a call names; NULL if it is no call, or of inline assembly. */
LLVMValueRef
front_callee(LLVMValueRef insn);

bool
front_is_kernel(LLVMValueRef f);

/* Members, elements or components of a type; 0: it has no parts. */
uint64_t
front_parts(LLVMTypeRef type);

/* How what a call passes as pointer i is aligned, as far as it says; else 1. */
unsigned
front_param_align(LLVMValueRef call, unsigned i);

/* An integer as wide as a generic pointer. */
LLVMTypeRef
front_address_type(const struct front_build *b);

/* An error at the line of an instruction, or about no line. */
void
front_error(struct front_build *b, LLVMValueRef insn, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- front_compile.c ---- */

/* Messages of LLVM itself go to the sink. */
void
front_open_context(struct front *f, struct diag_sink *sink);

/* Notes how long something took that began at *since. */
void
front_note(struct front *f, const char *what, double *since);

double
front_now_ms(void);

/* b->module from bitcode; false with an error if it is none. */
bool
front_read(struct front_build *b, const void *bitcode, size_t size);

/* ---- front_params.c ---- */

/* False with an error if a function has too many parameters for LLVM. */
bool
front_check_params(struct front_build *b, const void *bitcode, size_t size);

/* ---- front_compile.c ---- */

/* False with an error that begins with `whose` if the module is wrong. */
bool
front_verify(struct front_build *b, const char *whose);

/* False with an error if there is assembly outside of functions. */
bool
front_refuse_asm(struct front_build *b);

/* From what clang made to what the back end takes. */
bool
front_finish(struct front *f, struct front_build *b, const char *library);

/* ---- front_calls.c ---- */

/* Notes which functions are the user's; before the library is linked. */
void
front_mark_functions(struct front_build *b);

/* Chooses those that are called, not inlined; all are to be inlined before. */
void
front_keep_functions(struct front_build *b);

/* An attribute of our own. */
bool
front_says(LLVMValueRef f, const char *attribute);

void
front_say(struct front_build *b, LLVMValueRef f, const char *attribute);

/* Parameter i of a function, and what calls pass there, is a pointer and
 * nothing more from now on. */
void
front_drop_by_value(LLVMValueRef f, unsigned i);

/* It takes and returns what a function that is called can. */
bool
front_is_plain(LLVMValueRef f);

/* It was chosen. */
bool
front_is_kept(LLVMValueRef f);

/* ---- front_extern.c ---- */

/* Notes what other objects call; before the library is linked. */
void
front_mark_exports(struct front_build *b);

/* Notes what other objects define; behind that. */
void
front_mark_externs(struct front_build *b);

bool
front_is_exported(LLVMValueRef f);

bool
front_is_extern(LLVMValueRef f);

/* ---- front_link.c ---- */

/* The folder of the device library; NULL: reported. */
const char *
front_find_library(struct arena *a, const struct cc_target *target,
                   struct diag_sink *sink);

/* Calls of exact functions become calls of native ones. */
void
front_use_native(LLVMModuleRef module);

/* Links what the module calls. */
bool
front_link(struct front_build *b, const char *library);

/* ---- front_printf.c ---- */

/* Calls of printf become stores into the print buffer; before linking. */
bool
front_lower_printf(struct front_build *b);

/* Format strings become numbers; after inlining. */
bool
front_resolve_printf(struct front_build *b);

/* ---- front_spaces.c ---- */

/* Generic pointers get address spaces; after inlining. */
bool
front_resolve_spaces(struct front_build *b);

/* ---- front_debug.c ---- */

/* With -g: variables can be followed through what comes; before that. */
void
front_prepare_debug(struct front_build *b);

/* ... and vectors, where they become their elements: before that. */
void
front_split_debug(struct front_build *b);

/* With -g and without optimisation: places to stop where functions that are inlined
 * are called and begin; which are, is chosen before. */
void
front_place_calls(struct front_build *b);

/* ---- front_stores.c ---- */

/* With -g: around a pass that may remove stores to variables in memory. */
void
front_mark_stores(struct front_build *b);

void
front_settle_stores(struct front_build *b);

/* Where they were, the variables are unknown; behind all passes. */
void
front_place_variables(struct front_build *b);

/* ---- front_hints.c ---- */

/* The kind of metadata that says that an access is nontemporal. */
unsigned
front_hint_kind(LLVMContextRef context);

/* Nontemporal vectors as their elements; before the scalarizer. */
void
front_split_nontemporal(struct front_build *b);

/* ---- front_unwritten.c ---- */

/* With -fcheck-init: variables begin with values that checks know; behind clang. */
void
front_mark_unwritten(struct front_build *b);

/* The same: variables that are still in memory end with their function. */
void
front_end_frames(struct front_build *b);

/* ---- front_switch.c ---- */

/* Before lower-switch, and behind it: its compares get the lines of the switches. */
void
front_mark_switches(struct front_build *b);

void
front_settle_switches(struct front_build *b);

/* ---- front_align.c ---- */

/* With -fcheck-bounds: tests of addresses, behind clang and before the library. */
void
front_mark_alignment(struct front_build *b);

/* ---- front_inside.c ---- */

/* Of a load or store that is inside of its variable if clang's tests say nothing. */
#define INSIDE_METADATA "ventus.inside"

/* With -fcheck-bounds: marks them, behind clang. */
void
front_mark_inside(struct front_build *b);

/* ---- front_types.c ---- */

/* Which object a symbol was first seen in, and with what type. */
struct front_seen {
    const char *symbol, *object;
};
typedef vec(struct front_seen) front_seen_list;

/* False with an error if `next`, of the object b->name, has variables or functions
 * of b->module with another type.  Notes those that are new. */
bool
front_types_agree(struct front_build *b, LLVMModuleRef next,
                  front_seen_list *seen);

/* ---- front_passes.c ---- */

/* Named metadata of a module that was compiled with -fcheck-race. */
#define EXACT_ATOMICS "ventus.exact_atomics"

/* Named metadata of one that was compiled with -fcheck-bounds. */
#define MARKED_OBJECTS "ventus.marked_objects"

bool
front_optimise(struct front_build *b);

/* No function but intrinsics may be left. */
bool
front_check(struct front_build *b);
