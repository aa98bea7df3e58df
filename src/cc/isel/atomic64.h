/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/isel/tr.h"

/* LLVM's instructions on 64 bits. */
bool
tr_wide_rmw(struct tr *t, LLVMValueRef in);

bool
tr_wide_cmpxchg(struct tr *t, LLVMValueRef in);

bool
tr_wide_load(struct tr *t, LLVMValueRef in);

bool
tr_wide_store(struct tr *t, LLVMValueRef in);
