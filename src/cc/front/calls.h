/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/module.h"

/* Notes which functions are the user's; before the library is linked. */
void
front_mark_functions(struct front_build *b);

/* Chooses those that are called, not inlined; all are to be inlined before. */
void
front_keep_functions(struct front_build *b);

/* Whether the types of the parameters and of the result of `f` allow that it is called
 * instead of inlined. */
bool
front_is_plain(LLVMValueRef f);

/* Whether front_keep_functions chose `f`. */
bool
front_is_kept(LLVMValueRef f);

/* Functions that may call, themselves or by others, one of which `is` is true. */
struct front_callers {
    LLVMValueRef *at;
    size_t n;
};

struct front_callers
front_callers(struct front_build *b, bool (*is)(LLVMValueRef callee));

bool
front_is_caller(const struct front_callers *c, LLVMValueRef f);
