/* SPDX-License-Identifier: Apache-2.0 */
/* Private memory, and parameters of kernels. */
#pragma once

#include "cc/isel/tr.h"

/* Room in private memory. */
uint32_t
tr_private_room(struct tr *t, uint64_t size, unsigned align);

bool
tr_alloca(struct tr *t, LLVMValueRef in);

void
tr_params(struct tr *t, LLVMValueRef function);

/* A word of private memory, at an offset from `base`. */
void
tr_put_word(struct tr *t, ir_val base, uint32_t offset, ir_val v);

ir_val
tr_get_word(struct tr *t, ir_val base, uint32_t offset);
