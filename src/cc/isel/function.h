/* SPDX-License-Identifier: Apache-2.0 */
/* Functions, from both sides. */
#pragma once

#include "cc/isel/tr.h"

/* The function, or NULL if it is none that is called. */
struct tr_function *
tr_find_function(struct tr *t, LLVMValueRef of);

/* A function of another object. */
void
tr_add_external(struct tr *t, LLVMValueRef f);

/* Finds registers for what to->func takes and returns. */
void
tr_place_arguments(struct tr *t, struct tr_function *to);

/* The first instruction of a function. */
void
tr_enter(struct tr *t);

void
tr_take_parameters(struct tr *t);

/* The last instruction of a function or a kernel. */
void
tr_leave(struct tr *t, struct ir_block *exit);

/* return v */
void
tr_return(struct tr *t, LLVMValueRef v);

bool
tr_call_function(struct tr *t, LLVMValueRef in, struct tr_function *to);
