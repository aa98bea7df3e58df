/* SPDX-License-Identifier: Apache-2.0 */
/* A module under work: what the passes of front/pipeline.c share. */
#pragma once

#include <llvm-c/Core.h>

#include "base/diag.h"
#include "cc/front/front.h"

struct front_build {
    LLVMModuleRef module;
    LLVMContextRef context;
    struct arena *arena;
    const struct front_options *options;
    struct diag_sink *sink;
    const char *library;           /* the folder of the device library */
    const char *name, *text;       /* of the source, for messages */
    bool stopped;                  /* after options->last_pass */
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

/* The alignment of the pointer that a call passes as argument i, as far as it says;
 * else 1. */
unsigned
front_param_align(LLVMValueRef call, unsigned i);

/* An integer as wide as a generic pointer. */
LLVMTypeRef
front_address_type(const struct front_build *b);

/* The operands of a function's metadata node of this name; NULL: it has none. */
LLVMValueRef *
front_metadata(struct arena *a, LLVMValueRef f, const char *name, unsigned *n);

/* The string that an operand is; "" if it is none. */
const char *
front_metadata_text(struct arena *a, LLVMValueRef operand);

/* The size of sub-groups that a kernel requires, as clang takes it, or 0. */
uint64_t
front_required_sub_group(struct arena *a, LLVMValueRef f);

/* A function has an attribute of our own. */
bool
front_says(LLVMValueRef f, const char *attribute);

void
front_say(struct front_build *b, LLVMValueRef f, const char *attribute);

/* Parameter i of a function, and what calls pass there, is a pointer and
 * nothing more from now on. */
void
front_drop_by_value(LLVMValueRef f, unsigned i);

/* An error at the line of an instruction, or about no line. */
void
front_error(struct front_build *b, LLVMValueRef insn, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
