/* SPDX-License-Identifier: Apache-2.0 */
/* LLVM's instructions on integers. */
#pragma once

#include "cc/isel/tr.h"

bool
tr_binary(struct tr *t, LLVMValueRef in);

bool
tr_icmp(struct tr *t, LLVMValueRef in);

bool
tr_cast(struct tr *t, LLVMValueRef in);

/* Translate an operation, which may be a constant expression, to its value. */
struct tr_value
tr_binary_value(struct tr *t, LLVMOpcode op, LLVMValueRef in);

struct tr_value
tr_cast_value(struct tr *t, LLVMOpcode op, LLVMValueRef in);
