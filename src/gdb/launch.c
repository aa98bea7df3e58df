/* SPDX-License-Identifier: Apache-2.0 */
/* A launch under GDB: it begins, and the conversation about it ends. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/oom.h"
#include "gdb/server.h"
#include "gdb/session.h"
#include "gdb/talk.h"
#include "gdb/visit.h"

static void
debug_launch(struct gdb *g)
{
    enum gdb_next next = GDB_GO;
    if (!gdb_machine_choose(g->m))
        return;
    gdb_stop_here(g);
    if (!g->greeted) {
        gdb_names_list(&g->names, g->m); /* GDB begins with a list */
        next = gdb_converse(g); /* and asks for the stop when it connects */
    }
    g->greeted = true;
    next = gdb_talk(g, gdb_tell_code(g, next));
    while (next != GDB_LEAVE && g->stop.why != GDB_STOP_END)
        next = gdb_talk(g, gdb_tell_code(g, gdb_visit_others(g)));
    if (next != GDB_LEAVE)
        return;
    gdb_hang_up(g);
    if (g->kills)
        g->m->run->fault = (struct ventus_sim_fault){
            .kind = VENTUS_SIM_FAULT_LAUNCH,
            .lane = -1,
            .text = "ended by the debugger",
        };
    gdb_run_to_end(g);
}

static void
on_launch(void *ctx, struct sim_run *run)
{
    struct gdb *g = ctx;
    struct gdb_machine machine;
    struct gdb_printing p = { .drain = g->launch->drain,
                              .ctx = g->launch->drain_ctx,
                              .address = g->launch->print_address,
                              .size = g->launch->print_size,
                              .drained = g->launch->drained };
    if (!gdb_machine_open(&machine, run, g->check, &p)) {
        run_refuse_memory(&run->fault);
        return;
    }
    g->m = &machine;
    if (g->gone)
        gdb_run_to_end(g);
    else if (g->visit.past)
        gdb_visit_begun(g);
    else
        debug_launch(g);
    gdb_machine_close(g->m);
    g->m = NULL;
}

static void
on_group_start(void *ctx, struct sim_group *group)
{
    struct gdb *g = ctx;
    if (g->check)
        g->check->start(g->check->ctx, group);
}

const struct ventus_sim_instrumentation *
gdb_begin(struct gdb *g, const struct gdb_launch *launch,
          const struct ventus_sim_instrumentation *check)
{
    if (!g->gone && !g->attached && !gdb_accept(g))
        gdb_hang_up(g);
    if (g->gone)
        return check;
    g->launch = launch;
    g->check = check;
    g->instrumentation = (struct ventus_sim_instrumentation){
        .ctx = g, .launch = on_launch, .start = on_group_start
    };
    return &g->instrumentation;
}

void
gdb_end(struct gdb *g)
{
    g->launch = NULL;
    g->check = NULL;
}

bool
gdb_is_gone(const struct gdb *g)
{
    return g->gone;
}

void
gdb_notice(struct gdb *g, int lane, const char *text)
{
    if (!g->m)
        return;
    snprintf(g->notice, sizeof g->notice, "%s", text);
    g->m->noticed = true;
    g->m->noticed_lane = lane;
}
