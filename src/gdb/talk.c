/* SPDX-License-Identifier: Apache-2.0 */
/* A launch that has stopped: GDB sends requests until it resumes. */
#include "gdb/talk.h"

#include <unistd.h>

#include "base/oom.h"
#include "gdb/past.h"
#include "gdb/requests.h"
#include "gdb/server.h"
#include "gdb/stop_reply.h"

/* Prints details of a stop that a stop reply cannot hold. */
static void
explain_stop(struct gdb *g)
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
announce_stop(void *ctx)
{
    struct gdb *g = ctx;
    g->thread = g->stop.thread;
    g->others = 0;
    g->chosen = false;
    g->favours &= g->stop.why == GDB_STOP_STEP;
    explain_stop(g);
    gdb_put_stop(g);
    gdb_send_reply(g);
}

struct serving {
    struct gdb *g;
    enum gdb_next next;
};

static void
serve_packet(void *ctx)
{
    struct serving *s = ctx;
    struct gdb *g = s->g;
    s->next = gdb_request(g, (const char *)g->reader->data, g->reader->size);
    if (s->next == GDB_WAIT || s->next == GDB_LEAVE)
        gdb_send_reply(g);
}

enum gdb_next
gdb_converse(struct gdb *g)
{
    struct serving s = { .g = g };
    while (!g->gone) {
        if (gdb_next_event(g) != GDB_PACKET)
            continue; /* it is stopped already */
        if (!oom_call(serve_packet, &s)) {
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

static void
resume_launch(struct gdb *g, enum gdb_next next)
{
    g->resume.interrupted = gdb_is_interrupted;
    g->resume.ctx = g;
    if (next == GDB_GO_BACK)
        g->stop = gdb_resume_backwards(g->m, &g->stops, g->launch, &g->resume);
    else if (g->m->run->fault.kind)
        g->stop.why = GDB_STOP_END;
    else
        g->stop = gdb_resume_forwards(g->m, &g->stops, g->launch, &g->resume);
}

/* Runs the launch to its end; only its limits, whose clock starts now, stop it. */
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
            gdb_machine_run(m, gdb_machine_budget(m));
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
    if (!oom_call(announce_stop, g))
        gdb_hang_up(g);
    return gdb_converse(g);
}

enum gdb_next
gdb_talk(struct gdb *g, enum gdb_next next)
{
    while (next != GDB_LEAVE) {
        if (!g->visit.stops && !g->visit.jumps)
            resume_launch(g, next);
        if (!g->visit.stops &&
            (g->stop.why == GDB_STOP_END || gdb_wants_other(g)))
            return next;
        g->visit.stops = false;
        if (!oom_call(announce_stop, g))
            gdb_hang_up(g);
        g->visit.crossed = false;
        next = gdb_converse(g);
    }
    return next;
}

void
gdb_stop_here(struct gdb *g)
{
    const struct sim_warp *w = gdb_machine_warp(g->m);
    uint64_t lanes = w->mask ? w->mask : w->start_mask;
    struct gdb_thread t = { w->group->number, w->id, 0 };
    t.lane = lanes ? (unsigned)__builtin_ctzll(lanes) : 0;
    g->stop = (struct gdb_stop){ .why = GDB_STOP_STEP, .thread = t };
    g->thread = t;
}
