/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/isel/tr.h"

/* `name` follows "llvm." */
bool
tr_float_intrinsic(struct tr *t, LLVMValueRef in, const char *name);
