/* SPDX-License-Identifier: Apache-2.0 */
/* The run loop of a warp, and how it stops. */
#include <assert.h>

#include "base/debug_assert.h"
#include "sim/state.h"

static inline __attribute__((always_inline)) const struct sim_op *
run_ops(struct sim_warp *w, const struct sim_op *op, bool grouped)
{
    while (w->left) {
        w->left--;
        const struct sim_op *next =
            grouped ? grouped_call(w, op) : op->fn(w, op);
        if (!next)
            break;
        op = next;
    }
    return op;
}

void
warp_run(struct sim_warp *w, uint64_t instructions)
{
    /* 0 instructions: a warp at its limit, which the caller looks at next. */
    assert(w->next && w->stop == STOP_SLICE);
    const struct sim_op *op = w->next;
    w->stop = STOP_SLICE;
    w->slice = w->left = instructions;
    op = w->grouped ? run_ops(w, op, true) : run_ops(w, op, false);
    if (w->stop == STOP_SLICE)
        w->next = op;
    assert(w->left <= w->slice && w->next);
    w->retired += w->slice - w->left;
    w->slice = w->left = 0;
    fp_collect(w);
}
