/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/isel/tr.h"

/* Adds the bytes that the indices of a getelementptr are from its pointer; false: one of
 * them is not constant. */
bool
tr_add_indices(struct tr *t, LLVMValueRef gep, int64_t *offset);

/* Globals of sections .ventus.*, which no kernel names. */
void
tr_sections(struct tr *t, LLVMModuleRef module);

/* Whether a variable is the one of FRONT_EXCHANGE. */
bool
tr_is_exchange_area(LLVMValueRef v);

struct tr_global *
tr_global(struct tr *t, LLVMValueRef v);

/* The address of a global + offset. */
ir_val
tr_address(struct tr *t, LLVMValueRef global, int32_t offset);
