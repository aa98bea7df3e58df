/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "ir/ir.h"

/*
 * The region of a branch: the blocks on its paths up to where they meet.
 *
 *          B            meet = ipdom(B)
 *         / \           side[0][b->id]: b can be reached from succ[0] without
 *     succ0  succ1                      passing meet
 *         \ /           side[1]         likewise from succ[1]
 *        meet
 *
 * If the lanes of a warp disagree at B, the machine runs one side up to meet,
 * then the other.  meet is NULL if the paths never meet again.
 */
struct region {
    struct ir_block *meet;
    bool *side[2];
};

/* Allocates in the arena of f. */
struct region
region_of(struct ir_func *f, struct ir_block *branch);
