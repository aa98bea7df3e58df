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
