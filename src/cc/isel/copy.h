/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/isel/tr.h"

bool
tr_memory_call(struct tr *t, LLVMValueRef in, const char *name);
