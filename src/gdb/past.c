/* SPDX-License-Identifier: Apache-2.0 */
/* Launches before this one that GDB may go back to. */
#include "gdb/past.h"

const struct gdb_past *
gdb_past_of(const struct gdb *g, uint64_t *at)
{
    const struct gdb_visit *v = &g->visit;
    const struct gdb_past *past = v->past ? v->past : g->launch->past;
    if (past)
        *at = v->past ? v->at : past->number;
    return past;
}

/* A launch whose private memory does not fit at once is several runs. */
static bool
is_first_run(const struct gdb *g)
{
    return g->m->run->launch.first == 0;
}

bool
gdb_wants_other(struct gdb *g)
{
    struct gdb_visit *v = &g->visit;
    uint64_t at;
    const struct gdb_past *past = gdb_past_of(g, &at);
    if (v->jumps)
        return true;
    if (!past || at <= past->first || g->stop.why != GDB_STOP_BEGIN ||
        !g->m->snapshots || g->m->at.time || !is_first_run(g))
        return false;
    v->wanted = at - 1;
    v->at_end = true;
    return true;
}
