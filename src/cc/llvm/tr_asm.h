/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/llvm/tr.h"

bool
tr_inline_asm(struct tr *t, LLVMValueRef in);
