/* SPDX-License-Identifier: Apache-2.0 */
/* The barrier of a workgroup. */
#include "sim/barrier.h"

#include <assert.h>
#include <stdio.h>

void
barrier_tell(char text[BARRIER_TEXT], const struct barrier_wait *w,
             uint32_t threads)
{
    if (w->needs)
        snprintf(text, BARRIER_TEXT, "it needs %lu threads, and %lu are left",
                 (unsigned long)w->needs, (unsigned long)threads);
    else
        snprintf(text, BARRIER_TEXT, "it waits for warps that have ended");
}

/* Threads that wait, for a certain number; 0: for any. */
static uint32_t
count(const struct sim_group *g, uint32_t needs)
{
    uint32_t threads = 0;
    for (unsigned i = 0; i < g->warps; i++) {
        const struct barrier_wait *wait = &g->warp[i].wait;
        if (wait->here && (!needs || wait->needs == needs))
            threads += wait->threads;
    }
    return threads;
}

static void
go_on(struct sim_warp *w)
{
    assert(w->wait.here);
    assert(w->stop == STOP_BARRIER);
    w->stop = STOP_SLICE;
    w->wait.here = false;
}

void
barrier_arrive(struct sim_group *g, struct sim_warp *w)
{
    assert(w->group == g && w->wait.threads <= w->num_thread);
    uint32_t needs = w->wait.needs;
    assert(w->stop == STOP_BARRIER && !w->wait.here);
    w->wait.here = true;
    if (!needs || count(g, needs) < needs)
        return;
    for (unsigned i = 0; i < g->warps; i++)
        if (g->warp[i].wait.here && g->warp[i].wait.needs == needs)
            go_on(&g->warp[i]);
}

/* With barrier_all ended warps count, too, as in the RTL reference; but not those of which
 * nothing existed, at the end of a row of workgroups. */
static bool
misses_ended(const struct sim_worker *k, const struct sim_group *g)
{
    for (unsigned i = 0; k->sim->config.barrier_all && i < g->warps; i++)
        if (!g->warp[i].wait.here && g->warp[i].start_mask)
            return true;
    return false;
}

bool
barrier_release(struct sim_worker *k, struct sim_group *g)
{
    uint32_t threads = count(g, 0);
    bool misses = misses_ended(k, g), any = false;
    struct sim_warp *stuck = NULL;
    for (unsigned i = 0; i < g->warps; i++) {
        struct sim_warp *w = &g->warp[i];
        if (!w->wait.here)
            continue;
        bool over = w->wait.needs ? w->wait.needs <= threads : !misses;
        if (over)
            go_on(w);
        else if (!stuck)
            stuck = w;
        any |= over;
    }
    if (any)
        return true;
    assert(stuck);
    char text[BARRIER_TEXT];
    barrier_tell(text, &stuck->wait, threads);
    group_deadlock(g, stuck, text);
    return false;
}
