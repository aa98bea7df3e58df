/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/llvm/tr.h"

/* Floating-point building blocks; `wide`: on doubles. */
enum fp_rounding {
    FP_ROUND_ZERO,
    FP_ROUND_DOWN,
    FP_ROUND_UP,
    FP_ROUND_EVEN,
    FP_ROUND_AWAY
};

bool
fp_is_wide(LLVMTypeRef type);

ir_val
fp_op(struct tr *t, unsigned op, ir_val a, ir_val b, bool wide);

ir_val
fp_test(struct tr *t, unsigned op, ir_val a, ir_val b, bool wide);

ir_val
fp_const(struct tr *t, double x, bool wide);

ir_val
fp_round(struct tr *t, enum fp_rounding how, ir_val x, bool wide);
