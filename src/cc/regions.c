/* SPDX-License-Identifier: Apache-2.0 */
#include "cc/regions.h"

static void
reach(struct ir_block *b, const struct ir_block *meet, bool *seen,
      struct ir_block **work)
{
    size_t n = 0;
    if (b == meet)
        return;
    seen[b->id] = true;
    work[n++] = b;
    while (n) {
        struct ir_block *x = work[--n];
        for (unsigned k = 0; k < 2; k++) {
            struct ir_block *s = x->succ[k];
            if (s && s != meet && !seen[s->id]) {
                seen[s->id] = true;
                work[n++] = s;
            }
        }
    }
}

struct region
region_of(struct ir_func *f, struct ir_block *branch)
{
    struct region r = { .meet = branch->ipdom };
    struct ir_block **work =
        arena_new(f->arena, struct ir_block *, f->blocks.n + 1);
    for (unsigned k = 0; k < 2; k++) {
        r.side[k] = arena_new(f->arena, bool, f->blocks.n);
        reach(branch->succ[k], r.meet, r.side[k], work);
    }
    return r;
}
