/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/isel/tr.h"

/* Floating-point building blocks. */
enum fp_format { FP_SINGLE, FP_DOUBLE, FP_HALF };

enum fp_rounding {
    FP_ROUND_ZERO,
    FP_ROUND_DOWN,
    FP_ROUND_UP,
    FP_ROUND_EVEN,
    FP_ROUND_AWAY
};

/* The format of a floating-point type, or of a vector of one. */
enum fp_format
fp_format_of(LLVMTypeRef type);

/* An instruction on numbers of a format, at the end of the block. */
struct ir_insn *
fp_emit(struct tr *t, unsigned op, unsigned words, enum fp_format format);

/* An operation on one source. */
ir_val
fp_op1(struct tr *t, unsigned op, unsigned words, ir_val a,
       enum fp_format format);

ir_val
fp_op(struct tr *t, unsigned op, ir_val a, ir_val b, enum fp_format format);

ir_val
fp_test(struct tr *t, unsigned op, ir_val a, ir_val b, enum fp_format format);

/* a * b + c, rounded once. */
ir_val
fp_fma(struct tr *t, ir_val a, ir_val b, ir_val c, enum fp_format format);

ir_val
fp_sqrt(struct tr *t, ir_val a, enum fp_format format);

/* Selects like tr_select, also values that are no number; of halves only 16 bits
 * count. */
ir_val
fp_select(struct tr *t, ir_val c, ir_val a, ir_val b, enum fp_format format);

/* The class of a number, as fclass gives it. */
ir_val
fp_class(struct tr *t, ir_val a, enum fp_format format);

ir_val
fp_const(struct tr *t, double x, enum fp_format format);

ir_val
fp_round(struct tr *t, enum fp_rounding how, ir_val x, enum fp_format format);

/*
 * Halves where no instruction does it.  Between the formats; and,
 * for machines whose vectors of 16-bit elements are packed (the upstream
 * profile), what else there is, by 32-bit numbers.
 */
ir_val
half_to_float(struct tr *t, ir_val h);

/* Rounds a float to half, to nearest, ties to even. */
ir_val
half_of_float(struct tr *t, ir_val f);

bool
half_is_soft(const struct tr *t);

/* An operation on halves by float, of two operands, or of one twice. */
ir_val
half_soft_op(struct tr *t, unsigned op, ir_val a, ir_val b);

ir_val
half_soft_fma(struct tr *t, ir_val a, ir_val b, ir_val c);

ir_val
half_soft_class(struct tr *t, ir_val h);
