/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/isel/tr.h"

/* Returns the object that an access of `bytes` at a pointer is to, a number as
 * ir_insn.object; 0: it is unknown, or the access is certainly inside. */
unsigned
tr_object(struct tr *t, LLVMValueRef pointer, uint64_t bytes);

/* Returns the same for a load, a store or an atomic; 0 for another instruction. */
unsigned
tr_object_of_access(struct tr *t, LLVMValueRef in);

/* Whether a load, a store or an atomic is one of values between the lanes of a
 * sub-group: ir_insn.is_exchange. */
bool
tr_is_exchange_access(LLVMValueRef in);
