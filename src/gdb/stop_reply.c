/* SPDX-License-Identifier: Apache-2.0 */
/* The reply that says why and where the launch has stopped. */
#include "gdb/stop_reply.h"

/* Signal numbers of the remote protocol: GDB manual, E.3, and its signals.def. */
enum signal {
    SIGNAL_NONE = 0,
    SIGNAL_INT = 2,
    SIGNAL_ILL = 4,
    SIGNAL_TRAP = 5,
    SIGNAL_ABRT = 6,
    SIGNAL_BUS = 10,
    SIGNAL_SEGV = 11
};

static enum signal
signal_of_fault(enum ventus_sim_fault_kind kind)
{
    switch (kind) {
    case VENTUS_SIM_FAULT_MISALIGNED:
        return SIGNAL_BUS;
    case VENTUS_SIM_FAULT_UNMAPPED:
    case VENTUS_SIM_FAULT_PERMISSION:
    case VENTUS_SIM_FAULT_PRIVATE:
    case VENTUS_SIM_FAULT_LOCAL:
        return SIGNAL_SEGV;
    case VENTUS_SIM_FAULT_ILLEGAL:
    case VENTUS_SIM_FAULT_JOIN:
    case VENTUS_SIM_FAULT_ENDPRG:
        return SIGNAL_ILL;
    case VENTUS_SIM_FAULT_NONE:
    case VENTUS_SIM_FAULT_STACK:
    case VENTUS_SIM_FAULT_NO_FIT:
    case VENTUS_SIM_FAULT_DEADLOCK:
    case VENTUS_SIM_FAULT_LIMIT:
    case VENTUS_SIM_FAULT_LAUNCH:
    case VENTUS_SIM_FAULT_MEMORY:
    case VENTUS_SIM_FAULT_ENDLESS:
    case VENTUS_SIM_FAULT_STOPPED:
    case VENTUS_SIM_FAULT_STUCK:
    case VENTUS_SIM_FAULT_INTERNAL:
    case VENTUS_SIM_FAULT_COUNT:
        break;
    }
    return SIGNAL_ABRT;
}

static enum signal
signal_of(const struct gdb *g)
{
    switch (g->stop.why) {
    case GDB_STOP_FAULT:
        return signal_of_fault(g->m->run->fault.kind);
    case GDB_STOP_INTERRUPT:
        return SIGNAL_INT;
    case GDB_STOP_ARRIVED:
    case GDB_STOP_BLOCKED:
        return SIGNAL_NONE;
    case GDB_STOP_STEP: /* of another thread than GDB has asked for */
        return g->visit.crossed ? SIGNAL_NONE : SIGNAL_TRAP;
    case GDB_STOP_BREAK:
    case GDB_STOP_WATCH:
    case GDB_STOP_NOTICE:
    case GDB_STOP_BEGIN:
    case GDB_STOP_END:
        break;
    }
    return SIGNAL_TRAP;
}

void
gdb_put_stop(struct gdb *g)
{
    static const char *const watches[] = { [GDB_WATCH_WRITE] = "watch",
                                           [GDB_WATCH_READ] = "rwatch",
                                           [GDB_WATCH_ACCESS] = "awatch" };
    struct buf *out = &g->reply;
    buf_printf(out, "T%02x", signal_of(g));
    if (g->tells_code)
        buf_printf(out, "library:;");
    else if (g->stop.why == GDB_STOP_BREAK)
        buf_printf(out, "swbreak:;");
    else if (g->stop.why == GDB_STOP_WATCH)
        buf_printf(out, "%s:%llx;", watches[g->stop.kind],
                   (unsigned long long)g->stop.address);
    else if (g->stop.why == GDB_STOP_BEGIN)
        buf_printf(out, "replaylog:begin;");
    g->tells_code = false;
    buf_printf(
        out, "thread:%llx;",
        (unsigned long long)gdb_name_told(&g->names, g->m, &g->stop.thread));
}

/*
 * GDB says which thread its user has selected only when it reads something of it:
 * after "info threads", which reads of all, H g is the last of the list.  So that of
 * the stop it is, unless a single other one was named, or GDB's Python says which.
 */
struct gdb_thread
gdb_current_thread(const struct gdb *g)
{
    return g->others > 1 && !g->chosen ? g->stop.thread : g->thread;
}
