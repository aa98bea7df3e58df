/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/isel/tr.h"

bool
tr_atomic(struct tr *t, LLVMValueRef in);

bool
tr_cmpxchg(struct tr *t, LLVMValueRef in);

bool
tr_fence(struct tr *t, LLVMValueRef in);

/* A load or store that has to be done where all SMs see it, or in an order. */
bool
tr_is_atomic(struct tr *t, LLVMValueRef in, LLVMTypeRef type,
             enum ir_space space);

bool
tr_atomic_load(struct tr *t, LLVMValueRef in);

bool
tr_atomic_store(struct tr *t, LLVMValueRef in);

/* A word of global memory, of no order, where all SMs see it. */
ir_val
tr_shared_load(struct tr *t, ir_val address);

void
tr_shared_store(struct tr *t, ir_val address, ir_val v);
