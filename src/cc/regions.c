/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>

#include "cc/regions.h"

static void
mark_side(struct region *r, unsigned k, struct ir_block *b)
{
    if (!b || b == r->meet || region_has(r, k, b))
        return;
    assert(b->reachable);
    r->mark[k][b->id] = r->now;
    r->side[k][r->n[k]++] = b;
}

struct region
region_begin(struct arena *a, struct ir_func *f)
{
    struct region r = { 0 };
    for (unsigned k = 0; k < 2; k++) {
        r.side[k] = arena_new(a, struct ir_block *, f->blocks.n);
        r.mark[k] = arena_new(a, unsigned, f->blocks.n);
    }
    return r;
}

void
region_find(struct region *r, struct ir_block *branch)
{
    assert(branch->succ[0] && branch->succ[1] && "a branch has two successors");
    r->meet = branch->ipdom;
    r->now++;
    for (unsigned k = 0; k < 2; k++) {
        r->n[k] = 0;
        mark_side(r, k, branch->succ[k]);
        for (size_t i = 0; i < r->n[k]; i++) {
            mark_side(r, k, r->side[k][i]->succ[0]);
            mark_side(r, k, r->side[k][i]->succ[1]);
        }
    }
}
