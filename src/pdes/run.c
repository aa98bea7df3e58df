/* SPDX-License-Identifier: Apache-2.0 */
/* A simulation in pieces, each on all threads or on one, whichever is faster: both
 * execute the same events in the same cycles, so a piece may begin wherever another
 * ends. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "pdes/pool.h"
#include "pdes/window.h"

bool
pdes_create(struct pdes *p, const struct pdes_ops *ops, void *ctx, unsigned lps,
            unsigned threads)
{
    assert(lps >= 2 && threads >= 2 && "one LP or one thread needs no pool");
    *p = (struct pdes){ .ops = ops, .ctx = ctx, .lps = lps };
    p->lp = aligned_alloc(64, lps * sizeof *p->lp);
    if (p->lp)
        memset(p->lp, 0, lps * sizeof *p->lp);
    return p->lp && pool_create(p, threads);
}

void
pdes_destroy(struct pdes *p)
{
    pool_destroy(p);
    free(p->lp);
}

static void
run_parallel(struct pdes *p, uint64_t pause)
{
    pool_begin(p);
    p->ops->begin(p->ctx);
    window_begin(p, pause);
    pool_run(p);
    p->ops->end(p->ctx);
}

bool
pdes_run(struct pdes *p)
{
    struct tuning *t = &p->pool.tuning;
    atomic_store(&p->failed, false);
    if (!pool_start(p))
        return true;
    tuning_begin(t);
    while (!p->ops->is_over(p->ctx)) {
        uint64_t first = p->ops->hub_time(p->ctx);
        uint64_t work = p->ops->work(p->ctx);
        uint64_t pause = first + tuning_cycles(t);
        if (t->all)
            run_parallel(p, pause);
        else
            p->ops->run_serial(p->ctx, pause);
        if (atomic_load(&p->failed))
            return false;
        assert(p->ops->hub_time(p->ctx) <= pause || p->ops->is_over(p->ctx) ||
               !t->all);
        tuning_end(t, p->ops->hub_time(p->ctx) - first,
                   p->ops->work(p->ctx) - work);
    }
    return true;
}
