/* SPDX-License-Identifier: Apache-2.0 */
/* A launch with time: turns, workgroups, instructions. */
#include "gdb/machine.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "gdb/snapshot.h"
#include "sim/barrier.h"
#include "sim/checkpoint.h"
#include "sim/lanes.h"

enum { TURN = 1 << 16, START_AFTER = 1 << 22 };

/* ---- open and close ---- */

/* Pages that the host writes are copied before, as the machine's are. */
static void
keep_print_buffer(struct gdb_machine *m)
{
    const struct gdb_printing *p = &m->printing;
    struct sim_mem *mem = &m->run->sim->mem;
    for (uint64_t i = 0; mem->checkpoint && i < p->size; i += SIM_PAGE) {
        const struct sim_bank *b = mem_find(mem, p->address + i);
        if (b)
            checkpoint_before_write(mem->checkpoint,
                                    b->host + (p->address + i - b->base));
    }
}

/* Drains what is printed: quietly before the frontier, as it has been seen. */
static void
on_print(void *ctx, uint64_t group, unsigned warp, uint32_t value)
{
    struct gdb_machine *m = ctx;
    (void)group, (void)warp, (void)value;
    if (!m->printing.drain)
        return;
    keep_print_buffer(m);
    m->printing.drain(m->printing.ctx, m->at.time < m->frontier);
}

/* The lane that accesses an address; -1: it is a scalar access. */
static int
lane_at(const struct sim_warp *w, const struct sim_op *op, uint64_t address)
{
    uint64_t at[MEM_WORDS_MAX], exec = warp_op_lanes(w, op);
    unsigned bytes, n = mem_words(w, op, exec, at, &bytes);
    unsigned lanes = (unsigned)__builtin_popcountll(exec);
    if (!n || n == 1 || n % (lanes ? lanes : 1))
        return n == 1 && lanes == 1 ? __builtin_ctzll(exec) : -1;
    unsigned each = n / lanes;
    for (unsigned i = 0; i < n; i++) {
        if (address - at[i] >= bytes)
            continue;
        for (unsigned skip = i / each; skip; skip--)
            exec &= exec - 1;
        return __builtin_ctzll(exec);
    }
    return -1;
}

static void
on_touch(void *ctx, uint64_t address, unsigned bytes, unsigned access)
{
    struct gdb_machine *m = ctx;
    struct sim_warp *w = gdb_machine_warp(m);
    (void)bytes;
    /* A check may read what the instruction is about to write. */
    if (m->touched && m->touched_at == address && access == MMU_WRITE)
        m->touched_access = access;
    if (m->touched || !m->op)
        return;
    m->touched = true;
    m->touched_at = address;
    m->touched_access = access;
    m->touched_lane = lane_at(w, m->op, address);
    m->unspent = w->left;
    w->left = 0; /* the loop ends after this instruction */
}

bool
gdb_machine_open(struct gdb_machine *m, struct sim_run *run,
                 const struct ventus_sim_instrumentation *check,
                 const struct gdb_printing *printing)
{
    *m = (struct gdb_machine){ .run = run,
                               .k = &run->sim->worker[0],
                               .check = check,
                               .printing = *printing };
    assert(run->resident > 0 && m->k->groups_capacity >= run->resident);
    m->busy = calloc(run->resident, sizeof *m->busy);
    m->checked = calloc(run->resident, sizeof *m->checked);
    if (!m->busy || !m->checked) {
        free(m->busy);
        free(m->checked);
        return false;
    }
    m->guard.touched = on_touch;
    m->guard.ctx = m;
    m->hooks = *run->launch.hooks;
    if (m->hooks.print)
        m->hooks.print = on_print;
    m->hooks.ctx = m;
    m->k->instrumentation = check;
    m->k->traced = false;
    m->at.next = run->launch.first;
    m->live = true;
    if (!gdb_snapshot_take(m)) {
        free(m->busy);
        free(m->checked);
        return false;
    }
    return true;
}

void
gdb_machine_close(struct gdb_machine *m)
{
    gdb_snapshot_free_all(m);
    m->k->mmu.guard = NULL;
    free(m->guard.range);
    free(m->busy);
    free(m->checked);
    free(m->turn);
}

/* ---- workgroups ---- */

static void
begin_group(struct gdb_machine *m, const struct gdb_turn *t, bool first_time)
{
    struct sim_group *g = &m->k->group[t->slot];
    assert(t->slot < m->run->resident && !m->busy[t->slot]);
    assert(m->busy_n < m->run->resident);
    m->k->instrumentation = first_time ? m->check : NULL;
    group_start(m->k, g, t->group);
    if (first_time)
        m->checked[t->slot] = g->checked;
    for (unsigned i = 0; i < g->warps; i++) {
        struct sim_warp *w = &g->warp[i];
        const struct sim_op origin = { .pc = (uint32_t)m->run->launch.pc };
        if (w->stop == STOP_SLICE)
            w->next = warp_jump_far(w, &origin, origin.pc);
        if (w->stop != STOP_END && !w->next)
            w->stop = STOP_FAULT;
    }
    m->busy[t->slot] = 1;
    m->busy_n++;
    m->at.next = t->group + 1;
    m->at.started = m->at.turn_end = m->at.time;
    m->at.slot = t->slot; /* its first warp is next */
    m->at.warp = g->warps - 1;
}

static void
end_group(struct gdb_machine *m, unsigned slot, bool first_time)
{
    struct sim_group *g = &m->k->group[slot];
    const struct ventus_sim_hooks *told = m->run->launch.hooks;
    assert(m->busy[slot] && m->busy_n > 0 && !g->live);
    if (m->check && first_time) {
        m->check->end(m->check->ctx, g);
        m->checked[slot] = NULL;
    }
    mmu_set_local(&m->k->mmu, &g->local);
    m->local_of = g;
    group_clear_private(m->k, g);
    m->busy[slot] = 0;
    m->busy_n--;
    if (first_time && told->ended)
        told->ended(told->ctx, g->number);
}

/* ---- turns ---- */

static bool
append(struct gdb_machine *m, const struct gdb_turn *t)
{
    assert(m->turns <= m->turns_cap);
    assert(!m->turns || m->turn[m->turns - 1].time <= t->time);
    if (m->turns == m->turns_cap) {
        size_t cap = m->turns_cap ? 2 * m->turns_cap : 64;
        struct gdb_turn *turn = realloc(m->turn, cap * sizeof *turn);
        if (!turn)
            return false;
        m->turn = turn;
        m->turns_cap = cap;
    }
    m->turn[m->turns++] = *t;
    return true;
}

static void
begin_turn(struct gdb_machine *m)
{
    assert(m->at.turn < m->turns);
    const struct gdb_turn *t = &m->turn[m->at.turn++];
    assert(t->time == m->at.time);
    bool first_time = m->at.turn > m->begun;
    if (first_time)
        m->begun = m->at.turn;
    if (t->starts) {
        begin_group(m, t, first_time);
        return;
    }
    assert(t->slot < m->run->resident && t->warp < m->run->launch.warps);
    m->at.slot = t->slot;
    m->at.warp = t->warp;
    m->at.turn_end = m->at.time + TURN;
}

static bool
can_run(const struct gdb_machine *m, unsigned slot, unsigned warp)
{
    return m->busy[slot] && warp < m->k->group[slot].warps &&
           (m->k->group[slot].warp[warp].stop == STOP_SLICE ||
            m->k->group[slot].warp[warp].stop == STOP_FAULT);
}

static bool
wants_group(const struct gdb_machine *m)
{
    bool more = m->at.next < m->run->end;
    bool room = m->busy_n < m->run->resident;
    return more && room &&
           (!m->busy_n || m->at.time - m->at.started >= START_AFTER);
}

/* The next warp after the current one that can run. */
static bool
next_warp(const struct gdb_machine *m, struct gdb_turn *t)
{
    unsigned warps = m->run->launch.warps, slots = m->run->resident;
    uint64_t all = (uint64_t)warps * slots;
    uint64_t from = (uint64_t)m->at.slot * warps + m->at.warp;
    for (uint64_t i = 1; i <= all; i++) {
        uint64_t n = (from + i) % all;
        t->slot = (uint32_t)(n / warps);
        t->warp = (uint32_t)(n % warps);
        if (can_run(m, t->slot, t->warp))
            return true;
    }
    return false;
}

static bool
decide(struct gdb_machine *m)
{
    struct gdb_turn t = { .time = m->at.time };
    assert(m->at.time == m->frontier && m->at.turn == m->turns);
    if (wants_group(m)) {
        t.starts = true;
        t.group = m->at.next;
        while (m->busy[t.slot])
            t.slot++;
    } else if (!next_warp(m, &t)) {
        m->over = true;
        return false;
    }
    if (!append(m, &t)) {
        run_refuse_memory(&m->run->fault);
        m->over = true;
        return false;
    }
    return true;
}

bool
gdb_machine_choose(struct gdb_machine *m)
{
    while (!m->over) {
        if (m->at.turn < m->turns && m->turn[m->at.turn].time == m->at.time) {
            begin_turn(m);
            continue;
        }
        bool goes_on = can_run(m, m->at.slot, m->at.warp);
        if (m->at.time < m->frontier) {
            assert(goes_on);
            return true;
        }
        if (goes_on && m->at.time < m->at.turn_end && !wants_group(m))
            return true;
        if (!decide(m))
            return false;
    }
    return false;
}

void
gdb_machine_prefer(struct gdb_machine *m, unsigned slot, unsigned warp)
{
    struct gdb_turn t = { .time = m->at.time, .slot = slot, .warp = warp };
    bool current = m->at.slot == slot && m->at.warp == warp;
    if (m->at.time < m->frontier || m->at.turn < m->turns || current ||
        !can_run(m, slot, warp) || !append(m, &t))
        return;
    begin_turn(m);
}

uint64_t
gdb_machine_budget(const struct gdb_machine *m)
{
    uint64_t end = m->at.turn_end;
    if (m->at.time < m->frontier)
        end = m->frontier;
    if (m->at.turn < m->turns)
        end = m->turn[m->at.turn].time;
    if (m->snapshots && m->snapshot_due > m->at.time && m->snapshot_due < end)
        end = m->snapshot_due;
    assert(end > m->at.time);
    return end - m->at.time;
}

/* ---- instructions ---- */

const struct sim_op *
gdb_break(struct sim_warp *w, const struct sim_op *op)
{
    (void)op;
    w->left++; /* it is not executed */
    return NULL;
}

/* warp_run that knows the instruction, for accesses to what is guarded. */
static void
run_guarded(struct gdb_machine *m, struct sim_warp *w, uint64_t instructions)
{
    const struct sim_op *op = w->next;
    assert(m->guard.n && instructions);
    w->stop = STOP_SLICE;
    w->slice = w->left = instructions;
    m->unspent = 0;
    while (w->left) {
        w->left--;
        m->op = op;
        const struct sim_op *next =
            w->grouped ? grouped_call(w, op) : op->fn(w, op);
        if (!next)
            break;
        op = next;
    }
    m->op = NULL;
    if (w->stop == STOP_SLICE)
        w->next = op;
    w->retired += w->slice - w->left - m->unspent;
    w->slice = w->left = 0;
    fp_collect(w);
}

/*
 * The loop of the checks, an instruction at a time.  What they keep is of the
 * frontier: before it they only do again what they did.
 */
static void
run_checked(struct gdb_machine *m, struct sim_warp *w, uint64_t instructions)
{
    const struct ventus_sim_instrumentation *c = m->check;
    bool again = m->at.time < m->frontier;
    if (!again)
        w->group->checked = m->checked[m->at.slot];
    for (uint64_t i = 0; i < instructions; i++) {
        if (w->next->fn == gdb_break)
            return;
        m->op = w->next;
        m->unspent = 0;
        (again ? c->again : c->run)(c->ctx, w, 1);
        m->op = NULL;
        if (w->stop != STOP_SLICE || m->touched || m->noticed)
            return;
    }
}

/* How many instructions were executed; one that faults is not. */
static uint64_t
execute(struct gdb_machine *m, struct sim_warp *w, uint64_t instructions)
{
    uint64_t before = w->retired;
    m->touched = m->noticed = false;
    fp_host_enter(&m->k->fp, FP_RNE);
    const struct ventus_sim_hooks *hooks = m->run->launch.hooks;
    m->run->launch.hooks = &m->hooks;
    if (m->check)
        run_checked(m, w, instructions);
    else if (m->guard.n)
        run_guarded(m, w, instructions);
    else
        warp_run(w, instructions);
    m->run->launch.hooks = hooks;
    fp_host_leave(&m->k->fp);
    if (w->stop == STOP_FAULT)
        w->retired--;
    return w->retired - before;
}

/* Tests whether all warps of the workgroup that have not ended wait. */
static bool
all_wait(const struct sim_group *g)
{
    unsigned waiting = 0;
    for (unsigned i = 0; i < g->warps; i++)
        waiting += g->warp[i].stop == STOP_BARRIER;
    return waiting == g->live;
}

/* Acts on a stop of the warp: a barrier, an end.  False: a fault. */
static bool
settle(struct gdb_machine *m, struct sim_warp *w, bool first_time)
{
    struct sim_group *g = w->group;
    if (w->stop == STOP_FAULT)
        return false;
    assert(g->live > 0 && g->live <= g->warps);
    if (w->stop == STOP_END)
        g->live--;
    if (w->stop == STOP_BARRIER)
        barrier_arrive(g, w);
    if (!g->live)
        end_group(m, m->at.slot, first_time);
    else if (all_wait(g))
        return barrier_release(m->k, g);
    return true;
}

enum gdb_ran
gdb_machine_run(struct gdb_machine *m, uint64_t instructions)
{
    struct sim_warp *w = gdb_machine_warp(m);
    if (m->snapshots && m->at.time >= m->snapshot_due)
        gdb_snapshot_take(m);
    assert(instructions && instructions <= gdb_machine_budget(m));
    assert(m->busy[m->at.slot] && m->at.time <= m->frontier);
    if (m->local_of != w->group) {
        mmu_set_local(&m->k->mmu, &w->group->local);
        m->local_of = w->group;
    }
    uint64_t done = 0;
    if (w->stop != STOP_FAULT)
        done = execute(m, w, instructions);
    assert(done <= instructions);
    m->at.time += done;
    bool first_time = m->at.time > m->frontier;
    if (first_time)
        m->frontier = m->at.time;
    bool early = done < instructions && w->stop == STOP_SLICE;
    if (!settle(m, w, first_time)) {
        m->run->fault = m->k->fault;
        return GDB_FAULT;
    }
    if (m->noticed)
        return GDB_NOTICE;
    if (m->touched)
        return GDB_TOUCH;
    return early ? GDB_BREAK : GDB_RAN;
}

/* Snapshots so shortly before a time make further steps back cheap. */
static uint64_t
next_mark(uint64_t now, uint64_t end)
{
    static const uint64_t before[] = { 1 << 16, 1 << 12, 256, 16 };
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        if (end > before[i] && end - before[i] > now)
            return end - before[i];
    return end;
}

bool
gdb_machine_run_to(struct gdb_machine *m, uint64_t time, bool marks)
{
    assert(time <= m->frontier);
    while (m->at.time < time) {
        if (!gdb_machine_choose(m))
            return false;
        uint64_t mark = marks ? next_mark(m->at.time, time) : time;
        uint64_t n = gdb_machine_budget(m), most = mark - m->at.time;
        if (gdb_machine_run(m, n < most ? n : most) != GDB_RAN)
            return false;
        if (marks && m->at.time == mark && mark < time)
            gdb_snapshot_take(m);
    }
    return gdb_machine_choose(m) || m->at.time == time;
}
