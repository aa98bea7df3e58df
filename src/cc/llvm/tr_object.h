/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/llvm/tr.h"

/* What is accessed by `bytes` at a pointer, a number as ir_insn.object; 0: unknown, or
 * certainly inside. */
unsigned
tr_object(struct tr *t, LLVMValueRef pointer, uint64_t bytes);

/* The same of a load, a store or an atomic; 0 of another instruction. */
unsigned
tr_object_of_access(struct tr *t, LLVMValueRef in);
