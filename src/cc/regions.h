/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "ir/ir.h"

/*
 * The region of a branch: the blocks on its paths up to where they meet.
 *
 *          B            meet = ipdom(B)
 *         / \           side 0: what can be reached from succ[0] without
 *     succ0  succ1                passing meet
 *         \ /           side 1: likewise from succ[1]
 *        meet
 *
 * If the lanes of a warp disagree at B, the machine runs one side up to meet,
 * then the other.  meet is NULL if the paths never meet again.
 *
 *     struct region r = region_begin(arena, f);
 *     region_find(&r, branch);
 *     for (size_t i = 0; i < r.n[0]; i++)
 *         if (region_has(&r, 1, r.side[0][i])) ... on both sides ...
 */
struct region {
    struct ir_block *meet;
    struct ir_block **side[2];
    size_t n[2];
    unsigned *mark[2]; /* by block id: the last region it was in */
    unsigned now;
};

/* Room for regions of f, one at a time. */
struct region
region_begin(struct arena *a, struct ir_func *f);

void
region_find(struct region *r, struct ir_block *branch);

static inline bool
region_has(const struct region *r, unsigned side, const struct ir_block *b)
{
    return r->mark[side][b->id] == r->now;
}
