/* SPDX-License-Identifier: Apache-2.0 */
/* LLVM's instructions on floating-point numbers. */
#pragma once

#include "cc/isel/tr.h"

bool
tr_fbinary(struct tr *t, LLVMValueRef in);

bool
tr_fcmp(struct tr *t, LLVMValueRef in);

bool
tr_fcast(struct tr *t, LLVMValueRef in);
