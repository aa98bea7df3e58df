/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches before the present one.  While the present one stands where it began,
 * the driver runs one of them again, with another machine, and GDB is there; then
 * the next one, before or after it, until the present one has its turn again:
 *
 *     launch 0  |  launch 1  |  launch 2, present
 *                            <- bc: it has begun here
 *               <- bc             (entered at its end)
 *     c ->                        (entered at its beginning)
 *                c ->
 *                             c ->
 */
#include "gdb/visit.h"

#include "gdb/server.h"
#include "gdb/session.h"
#include "gdb/snapshot.h"
#include "gdb/talk.h"

static bool
is_last_run(const struct gdb *g)
{
    return g->m->run->end == g->m->run->groups;
}

/* A step forwards ends where the launch begins; one back is of the warp that was
 * the last, or ends at the fault. */
static void
enter(struct gdb *g, bool at_end)
{
    struct gdb_visit *v = &g->visit;
    bool arrives = !at_end || g->m->run->fault.kind;
    gdb_stop_here(g);
    g->resume.thread = g->thread;
    v->crossed = g->resume.steps;
    v->stops = v->jumps || (g->resume.steps && arrives);
    v->jumps = false;
    if (v->stops)
        g->stop.why = GDB_STOP_ARRIVED;
}

void
gdb_visit_begun(struct gdb *g)
{
    struct gdb_visit *v = &g->visit;
    struct gdb_machine *m = g->m;
    bool at_end = v->at_end;
    enum gdb_next next = at_end ? GDB_GO_BACK : GDB_GO;
    v->entered = true;
    if (at_end && !is_last_run(g)) {
        gdb_run_to_end(g);
        return;
    }
    if (at_end ? !gdb_seek_last(m) : !gdb_machine_choose(m))
        return;
    v->at_end = false;
    enter(g, at_end);
    next = gdb_tell_code(g, next);
    if (at_end && next == GDB_GO_BACK && !m->run->fault.kind)
        gdb_machine_run(m, 1);
    next = gdb_talk(g, next);
    v->leaves = next == GDB_LEAVE;
    if (!v->leaves && g->stop.why == GDB_STOP_END) {
        v->wanted = v->at + 1;
        return;
    }
    m->run->fault = (struct ventus_sim_fault){
        .kind = VENTUS_SIM_FAULT_LAUNCH,
        .lane = -1,
        .text = "left by the debugger",
    };
}

enum gdb_next
gdb_visit_others(struct gdb *g)
{
    struct gdb_visit *v = &g->visit;
    struct gdb_machine *m = g->m;
    const struct gdb_launch *launch = g->launch;
    const struct ventus_sim_instrumentation *check = g->check;
    char why[512];
    bool fails = false;
    v->past = launch->past;
    while (!v->leaves && v->wanted < v->past->number) {
        v->at = v->wanted;
        v->entered = false;
        if (v->past->rerun(v->past->ctx, v->at, why, sizeof why) || v->entered)
            continue;
        gdb_say(g, "ventus: launch %llu cannot run again: %s\n",
                (unsigned long long)v->at, why);
        v->wanted = v->past->number;
        v->jumps = fails = true;
    }
    v->past = NULL;
    v->at_end = false;
    g->m = m;
    g->launch = launch;
    g->check = check;
    if (v->leaves)
        return GDB_LEAVE;
    if (m->snapshots)
        gdb_snapshot_restore(m, 0);
    gdb_machine_choose(m);
    enter(g, false);
    if (fails)
        g->stop.why = GDB_STOP_BEGIN;
    return GDB_GO;
}
