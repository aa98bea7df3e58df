/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb/resume.h"

#include <assert.h>
#include <stdlib.h>

#include "gdb/machine.h"
#include "gdb/snapshot.h"

enum { ASK_EVERY = 1 << 22, STEP_WINDOW = 1 << 12 }; /* instructions */

static struct gdb_thread
thread_at(const struct gdb_machine *m, int lane)
{
    const struct sim_warp *w = gdb_machine_warp(m);
    uint64_t lanes = w->mask ? w->mask : w->start_mask;
    if (lane < 0)
        lane = lanes ? __builtin_ctzll(lanes) : 0;
    return (struct gdb_thread){ w->group->number, w->id, (unsigned)lane };
}

/* Tests whether the thread's warp has the turn. */
static bool
is_turn_of(const struct gdb_machine *m, const struct gdb_thread *t)
{
    const struct sim_group *g = &m->k->group[m->at.slot];
    return m->busy[m->at.slot] && g->number == t->group &&
           m->at.warp == t->warp;
}

static unsigned
preferred_lane(const struct gdb_machine *m, const struct gdb_resume *how)
{
    return how->prefers && is_turn_of(m, &how->thread) ? how->thread.lane
                                                       : SIM_LANES_MAX;
}

/* Executes an instruction that has a breakpoint. */
static enum gdb_ran
step_over_break(struct gdb_machine *m, struct gdb_stops *s)
{
    uint32_t pc = gdb_warp_pc(gdb_machine_warp(m));
    sim_fn *old = NULL;
    for (size_t i = 0; i < s->breakpoints; i++)
        if (s->breakpoint[i].pc == pc)
            old = s->breakpoint[i].old;
    assert(old);
    code_replace(m->k, pc, old);
    enum gdb_ran ran = gdb_machine_run(m, 1);
    code_replace(m->k, pc, gdb_break);
    return ran;
}

/* Tests whether a run of the warp ended at a reason to stop. */
static bool
is_stop(struct gdb_machine *m, struct gdb_stops *s, const struct gdb_launch *l,
        const struct gdb_resume *how, enum gdb_ran ran, struct gdb_stop *stop)
{
    while (ran == GDB_BREAK) {
        int lane = gdb_stops_lane(s, m, l, preferred_lane(m, how));
        if (lane >= 0) {
            stop->why = GDB_STOP_BREAK;
            stop->thread = thread_at(m, lane);
            return true;
        }
        ran = step_over_break(m, s);
    }
    if (ran == GDB_TOUCH) {
        const struct gdb_watchpoint *w = gdb_stops_touched(s, m);
        if (!w)
            return false;
        stop->why = GDB_STOP_WATCH;
        stop->thread = thread_at(m, m->touched_lane);
        stop->address = w->asked;
        stop->kind = w->kind;
        return true;
    }
    if (ran == GDB_RAN)
        return false;
    int lane = ran == GDB_FAULT ? m->k->fault.lane : m->noticed_lane;
    stop->why = ran == GDB_FAULT ? GDB_STOP_FAULT : GDB_STOP_NOTICE;
    stop->thread = thread_at(m, lane);
    return true;
}

/* ---- forwards ---- */

/* Returns to a time that is not after the machine's. */
static void
return_to(struct gdb_machine *m, uint64_t time)
{
    if (time < m->at.time)
        gdb_snapshot_restore(m, gdb_snapshot_before(m, time));
    gdb_machine_run_to(m, time, true);
    gdb_machine_choose(m);
}

/* Tests whether the thread, which is to be stepped, has left the range. */
static bool
has_left(const struct gdb_machine *m, const struct gdb_resume *how)
{
    unsigned slot;
    const struct sim_group *g = gdb_group_of(m, how->thread.group, &slot);
    if (!g || g->warp[how->thread.warp].stop == STOP_END)
        return false; /* it has ended: on to another reason */
    uint32_t pc = gdb_thread_pc(&g->warp[how->thread.warp], how->thread.lane);
    return pc < how->from || pc >= how->to;
}

/* A step: runs one instruction of the warp; true: a reason to stop. */
static bool
step_thread(struct gdb_machine *m, struct gdb_stops *s,
            const struct gdb_launch *l, const struct gdb_resume *how,
            struct gdb_stop *stop)
{
    assert(is_turn_of(m, &how->thread));
    bool acts = gdb_thread_active(gdb_machine_warp(m), how->thread.lane);
    enum gdb_ran ran = gdb_machine_run(m, 1);
    if (ran != GDB_RAN && is_stop(m, s, l, how, ran, stop))
        return true;
    stop->why = GDB_STOP_STEP;
    stop->thread = how->thread;
    return acts && has_left(m, how);
}

/* No other warp than the thread's runs: may it? */
static bool
is_blocked(const struct gdb_machine *m, const struct gdb_resume *how)
{
    struct gdb_thread found;
    return how->only && m->at.time == m->frontier &&
           gdb_thread_of(m, gdb_thread_number(m, &how->thread), &found) &&
           gdb_thread_warp(m, &how->thread)->stop == STOP_BARRIER;
}

static void
prefer_thread(struct gdb_machine *m, const struct gdb_resume *how)
{
    unsigned slot;
    if ((how->steps || how->only) && gdb_group_of(m, how->thread.group, &slot))
        gdb_machine_prefer(m, slot, how->thread.warp);
}

static struct gdb_stop
run_forwards(struct gdb_machine *m, struct gdb_stops *s,
             const struct gdb_launch *l, const struct gdb_resume *how)
{
    struct gdb_stop stop = { .why = GDB_STOP_END };
    uint64_t ask = m->at.time + ASK_EVERY;
    prefer_thread(m, how);
    for (;;) {
        if (!gdb_machine_choose(m))
            return (struct gdb_stop){ .why = GDB_STOP_END };
        if (how->only)
            prefer_thread(m, how);
        stop.thread = thread_at(m, -1);
        stop.why = is_blocked(m, how) ? GDB_STOP_BLOCKED : GDB_STOP_INTERRUPT;
        if (stop.why == GDB_STOP_BLOCKED)
            stop.thread = how->thread;
        if (stop.why == GDB_STOP_BLOCKED ||
            (m->at.time >= ask && how->interrupted(how->ctx)))
            return stop;
        if (m->at.time >= ask)
            ask = m->at.time + ASK_EVERY;
        if (how->steps && is_turn_of(m, &how->thread)) {
            if (step_thread(m, s, l, how, &stop))
                return stop;
            continue;
        }
        enum gdb_ran ran = gdb_machine_run(m, gdb_machine_budget(m));
        if (ran != GDB_RAN && is_stop(m, s, l, how, ran, &stop))
            return stop;
    }
}

struct gdb_stop
gdb_resume_forwards(struct gdb_machine *m, struct gdb_stops *s,
                    const struct gdb_launch *l, const struct gdb_resume *how)
{
    if (!gdb_stops_arm(s, m))
        return (struct gdb_stop){ .why = GDB_STOP_INTERRUPT,
                                  .thread = thread_at(m, -1) };
    struct gdb_stop stop = run_forwards(m, s, l, how);
    gdb_stops_disarm(s, m);
    if (stop.why == GDB_STOP_WATCH && m->snapshots)
        return_to(m, m->at.time - 1);
    else if (stop.why != GDB_STOP_END)
        gdb_machine_choose(m);
    return stop;
}

bool
gdb_seek_last(struct gdb_machine *m)
{
    enum gdb_ran ran = GDB_RAN;
    while (ran == GDB_RAN && gdb_machine_choose(m))
        ran = gdb_machine_run(m, gdb_machine_budget(m));
    if (ran == GDB_FAULT) {
        gdb_machine_choose(m);
        return true;
    }
    if (!m->at.time || !m->snapshots)
        return false;
    return_to(m, m->at.time - 1);
    return true;
}

/* ---- backwards ---- */

/* The last reason to stop so far. */
struct found {
    bool any;
    uint64_t time;
    struct gdb_stop stop;
};

static void
note_found(struct found *f, uint64_t time, const struct gdb_stop *stop)
{
    assert(!f->any || f->time <= time); /* the last one counts */
    f->any = true;
    f->time = time;
    f->stop = *stop;
}

/* The warp is about to run, forwards, on the way to `end`. */
static void
scan_turn(struct gdb_machine *m, struct gdb_stops *s,
          const struct gdb_launch *l, const struct gdb_resume *how,
          uint64_t end, struct found *f)
{
    assert(m->at.time < end && end <= m->frontier);
    bool steps = how->steps && is_turn_of(m, &how->thread);
    uint64_t n = gdb_machine_budget(m), left = end - m->at.time;
    struct gdb_stop stop = { .why = GDB_STOP_STEP, .thread = how->thread };
    if (steps && gdb_thread_active(gdb_machine_warp(m), how->thread.lane))
        note_found(f, m->at.time, &stop);
    n = steps ? 1 : n < left ? n : left;
    enum gdb_ran ran = gdb_machine_run(m, n);
    while (ran == GDB_BREAK) {
        int lane = gdb_stops_lane(s, m, l, preferred_lane(m, how));
        stop.why = GDB_STOP_BREAK;
        stop.thread = thread_at(m, lane);
        if (lane >= 0)
            note_found(f, m->at.time, &stop);
        ran = step_over_break(m, s);
    }
    if (ran == GDB_TOUCH && is_stop(m, s, l, how, ran, &stop))
        note_found(f, m->at.time, &stop);
}

static void
scan_to(struct gdb_machine *m, struct gdb_stops *s, const struct gdb_launch *l,
        const struct gdb_resume *how, uint64_t end, struct found *f)
{
    while (m->at.time < end && gdb_machine_choose(m))
        scan_turn(m, s, l, how, end, f);
}

/*
 * Scans [the result, end): from the snapshot before, but no more than the
 * window, to which it runs in one go.
 */
static uint64_t
scan_window(struct gdb_machine *m, struct gdb_stops *s,
            const struct gdb_launch *l, const struct gdb_resume *how,
            uint64_t end, uint64_t window, struct found *f)
{
    gdb_snapshot_restore(m, gdb_snapshot_before(m, end - 1));
    if (end - m->at.time > window) {
        gdb_machine_run_to(m, end - window, false);
        gdb_snapshot_take(m);
    }
    uint64_t begin = m->at.time;
    assert(begin < end); /* so that look_back ends */
    if (gdb_stops_arm(s, m))
        scan_to(m, s, l, how, end, f);
    gdb_stops_disarm(s, m);
    return begin;
}

/*
 * Looks from window to window, of which those of steps, which are slow, are
 * small at first.  False: the machine is at the first snapshot, or interrupted.
 */
static bool
look_back(struct gdb_machine *m, struct gdb_stops *s,
          const struct gdb_launch *l, const struct gdb_resume *how,
          struct found *f)
{
    assert(m->snapshots > 0);
    uint64_t end = m->at.time, first = m->snapshot[0].at.time;
    uint64_t window = how->steps ? STEP_WINDOW : UINT64_MAX;
    while (end > first) {
        end = scan_window(m, s, l, how, end, window, f);
        if (f->any)
            return true;
        if (how->interrupted(how->ctx))
            break;
        if (window < GDB_SNAPSHOT_EVERY)
            window *= 16;
    }
    gdb_snapshot_restore(m, gdb_snapshot_before(m, end));
    return false;
}

struct gdb_stop
gdb_resume_backwards(struct gdb_machine *m, struct gdb_stops *s,
                     const struct gdb_launch *l, const struct gdb_resume *how)
{
    struct found f = { .any = false };
    if (!m->snapshots)
        return (struct gdb_stop){ .why = GDB_STOP_BEGIN,
                                  .thread = thread_at(m, -1) };
    if (look_back(m, s, l, how, &f)) {
        return_to(m, f.time);
        return f.stop;
    }
    gdb_machine_choose(m);
    bool begin = m->at.time <= m->snapshot[0].at.time;
    return (struct gdb_stop){ .why =
                                  begin ? GDB_STOP_BEGIN : GDB_STOP_INTERRUPT,
                              .thread = thread_at(m, -1) };
}

static bool
never_interrupted(void *ctx)
{
    (void)ctx;
    return false;
}

bool
gdb_last_write(struct gdb_machine *m, const struct gdb_launch *l,
               const struct gdb_watchpoint *bytes, uint64_t *time,
               struct gdb_thread *who, uint32_t *pc)
{
    struct gdb_stops s = { 0 };
    struct gdb_resume how = { .interrupted = never_interrupted };
    struct found f = { .any = false };
    uint64_t now = m->at.time;
    if (!m->snapshots || !gdb_stops_add_watch(&s, bytes))
        return false;
    if (look_back(m, &s, l, &how, &f)) {
        assert(f.time > 0 && f.time <= now);
        return_to(m, f.time - 1);
        *time = f.time - 1;
        *who = f.stop.thread;
        *pc = gdb_warp_pc(gdb_thread_warp(m, who));
    }
    gdb_machine_run_to(m, now, true);
    gdb_machine_choose(m);
    gdb_stops_free(&s);
    return f.any;
}
