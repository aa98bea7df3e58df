/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/cc.h"

/* The caller-saved registers of a function of another object (docs/abi.md). */
enum { CC_CALLER_SCALARS = 14, CC_CALLER_VECTORS = 40 };

/* Records which arguments f passes to its callees as scalars; divergence is known. */
void
cc_pass_arguments(struct ir_func *f);

/* Makes parameters scalars that no call passes differently to lanes (scalar machine IR);
 * after cc_pass_arguments of all callers. */
void
cc_take_arguments(struct ir_func *f);

/* Assigns the registers of the calling convention; of cc_out_of_ssa. */
void
cc_lower_calls(struct ir_func *f);

/* Whether a function of another object may write the register. */
bool
cc_is_caller_saved(enum ir_class cls, unsigned reg);
