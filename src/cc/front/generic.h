/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/intrinsics.h"
#include "cc/front/module.h"

/* Generic pointers at run time, of one function: see front/generic.c. */
struct front_generic {
    struct front_build *b;
    LLVMBuilderRef builder;
    LLVMValueRef room; /* of the function, made when it is needed */
};

enum { GENERIC = GENERIC_SPACE };

bool
front_is_generic(LLVMValueRef v);

/* A load, store or atomic operation by `pointer`; false: it cannot be done. */
bool
front_generic_use(struct front_generic *g, LLVMValueRef insn,
                  LLVMValueRef pointer);

/* The result of a cast to a named space: NULL unless the pointer is to it. */
LLVMValueRef
front_generic_cast(struct front_generic *g, LLVMValueRef insn,
                   LLVMValueRef generic);

/* A cast to a generic pointer, if it still is one. */
void
front_generic_make(struct front_generic *g, LLVMValueRef insn);
