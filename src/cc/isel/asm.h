/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/isel/tr.h"

bool
tr_inline_asm(struct tr *t, LLVMValueRef in);
