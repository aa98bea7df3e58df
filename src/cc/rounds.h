/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/waits.h"

/* Loops that have rounds together. */
struct group {
    vec(struct ir_block *) starts;
    vec(struct ir_block *)
        forks; /* branches with a loop on one side, a write on the other */
    vec(const struct waits_loop *) loops;
    struct ir_block *end; /* NULL: there is none */
    bool *region;         /* by block: between them */
};

/* Makes the rounds of n groups, which have no block of their regions in common. */
void
rounds_make(struct ir_func *f, struct group *g, size_t n);
