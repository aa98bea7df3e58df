/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/isel/tr.h"

ir_val
tr_zext(struct tr *t, ir_val v, unsigned width);

ir_val
tr_sext(struct tr *t, ir_val v, unsigned width);

void
tr_add64(struct tr *t, const ir_val a[2], const ir_val b[2], ir_val out[2]);

void
tr_sub64(struct tr *t, const ir_val a[2], const ir_val b[2], ir_val out[2]);

/* Shift by a variable or constant amount; two words. */
void
tr_shift64(struct tr *t, unsigned op, const ir_val a[2], ir_val by,
           ir_val out[2]);

/* The compare of two integers: 0 or 1. */
ir_val
tr_compare(struct tr *t, LLVMIntPredicate p, struct tr_value a,
           struct tr_value b, unsigned width);

void
tr_mul64(struct tr *t, const ir_val a[2], const ir_val b[2], ir_val out[2]);

/* Widens a value of two words in which bits above `width` are anything. */
void
tr_extend64(struct tr *t, ir_val a[2], unsigned width, bool is_signed);
