/* SPDX-License-Identifier: Apache-2.0 */
/* A launch under GDB: it stops, GDB sends requests, it continues. */
#include "gdb/session.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/oom.h"

/* ---- why it stopped ---- */

/* Of the host that GDB knows: GDB manual, E.3, and its signals.def. */
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

/* What a stop reply has no room for. */
static void
explain(struct gdb *g)
{
    if (g->stop.why == GDB_STOP_FAULT) {
        char place[256] = "";
        const struct ventus_sim_fault *f = &g->m->run->fault;
        if (g->launch->describe)
            g->launch->describe(g->launch->describe_ctx, f->pc, place,
                                sizeof place);
        gdb_say(g, "ventus: kernel '%s': %s%s%s\n", g->launch->kernel, f->text,
                *place ? "; " : "", place);
    }
    if (g->stop.why == GDB_STOP_NOTICE)
        gdb_say(g, "%s\n", g->notice);
    if (g->stop.why == GDB_STOP_BLOCKED)
        gdb_say(g, "ventus: the warp waits at a barrier, and scheduler-locking "
                   "keeps the others from it\n");
}

static void
stopped(void *ctx)
{
    struct gdb *g = ctx;
    g->thread = g->stop.thread;
    g->others = 0;
    g->chosen = false;
    g->favours &= g->stop.why == GDB_STOP_STEP;
    explain(g);
    gdb_put_stop(g);
    gdb_send_reply(g);
}

/* ---- while it is stopped ---- */

struct serving {
    struct gdb *g;
    enum gdb_next next;
};

static void
serve(void *ctx)
{
    struct serving *s = ctx;
    struct gdb *g = s->g;
    s->next = gdb_request(g, (const char *)g->reader->data, g->reader->size);
    if (s->next == GDB_WAIT || s->next == GDB_LEAVE)
        gdb_send_reply(g);
}

/* What GDB wants until the launch is to go on. */
static enum gdb_next
converse(struct gdb *g)
{
    struct serving s = { .g = g };
    while (!g->gone) {
        if (gdb_next_event(g) != GDB_PACKET)
            continue; /* it is stopped already */
        if (!oom_call(serve, &s)) {
            g->reply.n = 0;
            buf_free(&g->reply);
            static const uint8_t failed[] = "$E0c#da";
            if (write(g->socket, failed, sizeof failed - 1) < 0)
                gdb_hang_up(g);
            continue;
        }
        if (s.next != GDB_WAIT)
            return s.next;
    }
    return GDB_LEAVE;
}

/* ---- the launch ---- */

static void
go(struct gdb *g, enum gdb_next next)
{
    g->going.interrupted = gdb_is_interrupted;
    g->going.ctx = g;
    if (next == GDB_GO_BACK)
        g->stop = gdb_go_back(g->m, &g->stops, g->launch, &g->going);
    else if (g->m->run->fault.kind)
        g->stop.why = GDB_STOP_END;
    else
        g->stop = gdb_go_on(g->m, &g->stops, g->launch, &g->going);
}

/* What stops it now are the limits of a launch, from now on. */
void
gdb_run_to_end(struct gdb *g)
{
    struct gdb_machine *m = g->m;
    run_start_clock(m->run, 0);
    while (!m->run->fault.kind && gdb_machine_choose(m)) {
        struct sim_warp *w = gdb_machine_warp(m);
        if (w->stop == STOP_SLICE && group_is_over(m->k, w->group, w))
            m->run->fault = m->k->fault;
        else
            gdb_machine_run(m, gdb_machine_room(m));
    }
}

/* Breakpoints in the code before are gone: GDB does not remove those of a library
 * that is unloaded. */
enum gdb_next
gdb_tell_code(struct gdb *g, enum gdb_next next)
{
    if (next == GDB_LEAVE || g->known == g->launch->id)
        return next;
    g->tells_code = true;
    gdb_stops_forget_breaks(&g->stops);
    if (!oom_call(stopped, g))
        gdb_hang_up(g);
    return converse(g);
}

enum gdb_next
gdb_talk(struct gdb *g, enum gdb_next next)
{
    while (next != GDB_LEAVE) {
        if (!g->visit.stops && !g->visit.jumps)
            go(g, next);
        if (!g->visit.stops &&
            (g->stop.why == GDB_STOP_END || gdb_wants_other(g)))
            return next;
        g->visit.stops = false;
        if (!oom_call(stopped, g))
            gdb_hang_up(g);
        g->visit.crossed = false;
        next = converse(g);
    }
    return next;
}

void
gdb_stand_here(struct gdb *g)
{
    const struct sim_warp *w = gdb_machine_warp(g->m);
    uint64_t lanes = w->mask ? w->mask : w->start_mask;
    struct gdb_thread t = { w->group->number, w->id, 0 };
    t.lane = lanes ? (unsigned)__builtin_ctzll(lanes) : 0;
    g->stop = (struct gdb_stop){ .why = GDB_STOP_STEP, .thread = t };
    g->thread = t;
}

static void
debug(struct gdb *g)
{
    enum gdb_next next = GDB_GO;
    if (!gdb_machine_choose(g->m))
        return;
    gdb_stand_here(g);
    if (!g->greeted) {
        gdb_names_list(&g->names, g->m); /* GDB begins with a list */
        next = converse(g); /* and asks for the stop when it connects */
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
        debug(g);
    gdb_machine_close(g->m);
    g->m = NULL;
}

static void
on_start(void *ctx, struct sim_group *group)
{
    struct gdb *g = ctx;
    if (g->check)
        g->check->start(g->check->ctx, group);
}

const struct ventus_sim_watch *
gdb_begin(struct gdb *g, const struct gdb_launch *launch,
          const struct ventus_sim_watch *check)
{
    if (!g->gone && !g->attached && !gdb_accept(g))
        gdb_hang_up(g);
    if (g->gone)
        return check;
    g->launch = launch;
    g->check = check;
    g->watch = (struct ventus_sim_watch){ .ctx = g,
                                          .launch = on_launch,
                                          .start = on_start };
    return &g->watch;
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

static void
say_exit(void *ctx)
{
    struct gdb *g = ctx;
    gdb_send_reply(g);
}

void
gdb_close(struct gdb *g, int status)
{
    if (!g)
        return;
    char text[8];
    snprintf(text, sizeof text, "W%02x", status & 255);
    g->reply.n = 0;
    if (!g->gone && g->attached && buf_reserve(&g->reply, 64)) {
        buf_put(&g->reply, text, strlen(text));
        oom_call(say_exit, g);
    }
    gdb_hang_up(g);
    gdb_stops_free(&g->stops);
    gdb_names_free(&g->names);
    buf_free(&g->output);
    buf_free(&g->threads);
    buf_free(&g->reply);
    buf_free(&g->sent);
    free(g->path);
    free(g->reader);
    free(g);
}
