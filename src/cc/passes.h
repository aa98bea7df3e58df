/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/cc.h"

/*
 * The passes of the back end, which are exactly the functions of the list in pipeline.c:
 * one header for all, as they have one signature and one user.  The comment of each names
 * its file and the form of IR that it works on; what differs from that is in the head of the
 * file.
 */

/* progress.c: lets work-items that others wait for go on (scalar machine IR). */
void
cc_progress(struct cc *c);

/* fold.c: immediates into addresses, compares into branches (scalar machine IR). */
void
cc_fold(struct cc *c);

/* cse.c: common subexpression elimination (any SSA form). */
void
cc_cse(struct cc *c);

/* licm.c: loop-invariant code motion (any SSA form). */
void
cc_licm(struct cc *c);

/* strength.c: strength reduction of addresses (scalar machine IR). */
void
cc_strength(struct cc *c);

/* dce.c: dead code elimination (any SSA form). */
void
cc_dce(struct cc *c);

/* divergence.c: divergence analysis (scalar machine IR). */
void
cc_divergence(struct cc *c);

/* lftr.c: linear-function test replacement (scalar machine IR, divergence known). */
void
cc_lftr(struct cc *c);

/* warn.c: warnings of slow or wrong code (scalar machine IR, divergence known). */
void
cc_warn(struct cc *c);

/* lower_divergence.c: scalar to vector machine IR. */
void
cc_lower_divergence(struct cc *c);

/* widening.c: widening instructions, halves of 64-bit results (vector machine IR). */
void
cc_widening(struct cc *c);

/* immediate.c: immediate forms, accumulator forms (vector machine IR). */
void
cc_immediate(struct cc *c);

/* source_modifiers.c: signs of sources (vector machine IR). */
void
cc_source_modifiers(struct cc *c);

/* sink.c: code sinking of constants (vector machine IR). */
void
cc_sink(struct cc *c);

/* combine.c: loads and stores of several words (vector machine IR). */
void
cc_combine(struct cc *c);

/* addressing.c: bases, offsets and strides in the access (vector machine IR). */
void
cc_addressing(struct cc *c);

/* sched.c: instruction scheduling inside of blocks (vector machine IR). */
void
cc_sched(struct cc *c);

/* out_of_ssa.c: phis become copies; tied operands (vector machine IR to out of SSA). */
void
cc_out_of_ssa(struct cc *c);

/* regalloc/allocate.c: register allocation (out of SSA). */
void
cc_allocate(struct cc *c);

/* vsetvli.c: insertion of vsetvli and of rounding modes (after register allocation). */
void
cc_vsetvli(struct cc *c);
