/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "ir/ir.h"

/*
 * Liveness in flat form.  Scalars and vectors live by different rules:
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
 */
struct live_edges {
    vec(struct ir_block *) to, from;
};

struct live {
    uint64_t **in, **out;     /* by block id: a bit for each value */
    size_t words;             /* of a set */
    struct live_edges *extra; /* by block id */
};

/* By block id: physical edges besides the logical ones. */
struct live_edges *
live_edges(struct ir_func *f);

struct live
live_find(struct ir_func *f);

static inline bool
live_has(const uint64_t *set, ir_val v)
{
    return set[v / 64] >> v % 64 & 1;
}

static inline void
live_add(uint64_t *set, ir_val v)
{
    set[v / 64] |= UINT64_C(1) << v % 64;
}

static inline void
live_drop(uint64_t *set, ir_val v)
{
    set[v / 64] &= ~(UINT64_C(1) << v % 64);
}
