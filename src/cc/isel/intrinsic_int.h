/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/isel/tr.h"

/* `name` follows "llvm." */
bool
tr_integer_intrinsic(struct tr *t, LLVMValueRef in, const char *name);

/* Whether an instruction saturates or averages numbers of this width. */
bool
tr_has_fixed_point(const struct tr *t, unsigned width);

struct ir_insn *
tr_fixed_point(struct tr *t, unsigned op, ir_val a, ir_val b, unsigned width);
