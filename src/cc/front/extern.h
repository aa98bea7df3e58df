/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/module.h"

/* Notes what other objects call; before the library is linked. */
void
front_mark_exports(struct front_build *b);

/* Notes what other objects define; after the library is linked. */
void
front_mark_externs(struct front_build *b);

bool
front_is_exported(LLVMValueRef f);

bool
front_is_extern(LLVMValueRef f);
