/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "ir/ir.h"

/*
 * Liveness out of SSA.  Scalars and vectors live by different rules:
 *
 *   vectors  by the logical flow, what one thread sees: a lane that waits
 *            keeps its registers, because instructions write active lanes only
 *   scalars  by the physical flow, what the warp executes: at a divergent
 *            branch one side runs after the other, so from the end of each
 *            side an edge leads to the start of the other.  What is live into
 *            one side is thereby live all through the other.
 *
 *            B
 *           / \          + edges  last block of A -> C
 *          A   C                  last block of C -> A
 *           \ /
 *           meet
 *
 * Spilled words live likewise, in the memory that scalars or vectors go to.
 *
 * The sets are lists, found for one value after the other by walking from its
 * uses back to its definitions: the work is as much as the sets are long, and
 * not blocks times values.
 */
struct live_edges {
    vec(struct ir_block *) to, from;
};

/* Values, in ascending order. */
struct live_list {
    uint32_t *at;
    size_t n, cap;
};

struct live {
    struct live_list *in, *out; /* by block id */
    struct live_edges *extra;   /* by block id */
};

/* The physical edges besides the logical ones, by block id. */
struct live_edges *
live_edges(struct arena *a, struct ir_func *f);

struct live
live_find(struct arena *a, struct ir_func *f);

/* Liveness of spilled words (ir_insn.spill), of which f has `n_spills`. */
struct live
live_find_spills(struct arena *a, struct ir_func *f);
