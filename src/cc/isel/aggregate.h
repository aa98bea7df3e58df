/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/isel/tr.h"

bool
tr_select_value(struct tr *t, LLVMValueRef in);

bool
tr_extract_value(struct tr *t, LLVMValueRef in);

bool
tr_insert_value(struct tr *t, LLVMValueRef in);

bool
tr_extract_element(struct tr *t, LLVMValueRef in);

bool
tr_insert_element(struct tr *t, LLVMValueRef in);

bool
tr_shuffle(struct tr *t, LLVMValueRef in);

bool
tr_freeze(struct tr *t, LLVMValueRef in);
