/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "ir/ir.h"

/*
 * The text of the IR, which ir/print.c writes and ir/parse.c reads.
 *
 *   func NAME
 *   b0:
 *       s3 = lw s2 imm=4                  class, number
 *       v9:2 = pair v7, v8                :2  two words
 *       s2@10 = const imm=0               @10 must be that register
 *       s5* = copy s4                     *   differs between threads
 *       v6 = vmacc.vv v6, v4, v5          registers in the order of the table
 *       v8 = phi v3, v9                   by predecessor
 *       v5, v6 = call v4, s2 sym=f        results, arguments
 *       beq s1, s2 -> b1, b2              taken, else
 *
 * Attributes follow the operands: imm= aux= rm= space= hint= aqrl= mask= sym=
 * line= and the words pair, volatile.  Predecessors are in the order of the blocks
 * that branch, unless a line "preds b3 b1" under the label says otherwise.
 */

/* The slots of an instruction's sources, in the order they are written; returns the
 * number. */
unsigned
ir_written_slots(unsigned op, enum ventus_isa_slot *slots);
