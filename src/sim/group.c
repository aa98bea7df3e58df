/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A workgroup: its warps take turns, each until it waits at a barrier, ends,
 * or has used its slice.  Because of the slice a warp that polls memory does
 * not keep the warp that it waits for from running.
 */
#include <assert.h>
#include <string.h>

#include "sim/barrier.h"
#include "sim/instrumentation.h"
#include "sim/native.h"
#include "sim/state.h"

enum { FINE_SLICE = 64 };

/* Limits are checked, and other workgroups have their turn, after so many barriers; and
 * limits after so many instructions of a host thread, if slices end at barriers. */
enum { RELEASES = 64 };

/* VS and SD, as upstream's first vsetvli leaves it. */
#define MSTATUS_START UINT32_C(0x80000600)

/* Lanes of a warp whose work-items exist: a workgroup at the end of a row has
 * fewer, which are numbered without gaps. */
static uint64_t
existing_lanes(const struct sim_worker *k, const struct sim_group *g,
               unsigned id)
{
    const struct ventus_sim_launch *l = &k->run->launch;
    const unsigned lanes = k->sim->config.num_thread, first = id * lanes;
    unsigned threads = l->local[0] ? 1 : l->threads;
    for (int i = 0; i < 3 && l->local[0]; i++) {
        uint32_t left = l->global[i] - g->at[i] * l->local[i];
        threads *= left < l->local[i] ? left : l->local[i];
    }
    if (threads <= first)
        return 0;
    return first_lanes(threads - first < lanes ? threads - first : lanes);
}

static void
start_warp(struct sim_worker *k, struct sim_group *g, unsigned id)
{
    const struct ventus_sim_config *c = &k->sim->config;
    struct sim_warp *w = &g->warp[id];
    size_t rows = atomic_load(&k->sim->code.rows);
    assert(w->group == g && w->id == id && rows <= SIM_VREGS);
    memset(w->v, 0, rows * w->lanes * sizeof *w->v);
    memset(w->x, 0, sizeof w->x);
    w->rpc = w->fflags = w->frm = w->mtvec = 0;
    w->mstatus = MSTATUS_START;
    w->print = w->gds = w->vstart = w->vxsat = w->vxrm = 0;
    w->depth = 0;
    w->pds_size_B = k->run->launch.pds_size_B;
    if (c->join_check)
        memset(w->named, 0, sizeof w->named);
    w->retired = w->slice = w->left = w->tell_at = 0;
    w->reserved = 0;
    w->wait.here = false;
    w->items = existing_lanes(k, g, id);
    w->start_mask = w->mask =
        c->all_lanes ? first_lanes(c->num_thread) : w->items;
    w->stop = STOP_SLICE;
    if (!w->mask) { /* nothing of it exists */
        w->stop = STOP_END;
        assert(g->live > 0);
        g->live--;
    }
    warp_set_vtype(w, c->num_thread, 2 << 3); /* e32, m1 */
    warp_set_constants(w);
    w->page = NULL;
    w->next = NULL;
    w->calls =
        k->sim->native.translator ? k->sim->native.translator->calls : NULL;
}

void
group_start(struct sim_worker *k, struct sim_group *g, uint64_t number)
{
    const struct ventus_sim_launch *l = &k->run->launch;
    const struct ventus_sim_config *c = &k->sim->config;
    assert(number >= l->first && number < k->run->end);
    assert(l->warps > 0 && l->warps <= g->warps_capacity);
    g->number = number;
    g->at[0] = (uint32_t)(number % l->grid[0]);
    g->at[1] = (uint32_t)(number / l->grid[0] % l->grid[1]);
    g->at[2] = (uint32_t)(number / l->grid[0] / l->grid[1]);
    assert(g->at[2] < l->grid[2]);
    g->warps = g->live = l->warps;
    uint64_t before = c->common_pds ? 0 : number - l->first;
    g->pds = (uint32_t)(l->pds_base +
                        before * l->warps * c->num_thread * l->pds_size_B);
    g->pds_used = 0;
    g->told = 0;
    g->livelock = (struct sim_livelock){ .period = 0 };
    local_reset(&g->local, l->local_size_B, l->local_padding_B,
                !l->local_bounded);
    padding_reset(g, l->pds_padding_B);
    for (unsigned i = 0; i < g->warps; i++)
        start_warp(k, g, i);
    if (k->instrumentation)
        k->instrumentation->start(k->instrumentation->ctx, g);
}

/*
 * The bytes of private memory that a workgroup may have written: the first rows of all
 * threads, which are consecutive.
 */
uint64_t
group_private(const struct sim_worker *k, const struct sim_group *g)
{
    uint64_t row = (uint64_t)g->warps * k->sim->config.num_thread * 4;
    return k->run->launch.pds_zeroed ? (g->pds_used + 3) / 4 * row : 0;
}

void
group_clear_private(struct sim_worker *k, struct sim_group *g)
{
    uint64_t at = g->pds, left = group_private(k, g);
    while (left) {
        uint64_t available;
        uint8_t *host = mmu_memory(&k->mmu, at, &available);
        if (!host)
            break; /* a lane stored before another one faulted after it */
        available = available < left ? available : left;
        memset(host, 0, available);
        at += available;
        left -= available;
    }
    g->pds_used = 0;
}

/* ---- what ends a run besides the program ---- */

static unsigned
count_waiting(const struct sim_group *g)
{
    unsigned n = 0;
    for (unsigned i = 0; i < g->warps; i++)
        n += g->warp[i].stop == STOP_BARRIER;
    return n;
}

/* The fault of a whole workgroup: names every warp's place. */
static enum group_state
group_fault(struct sim_group *g, struct sim_warp *w,
            enum ventus_sim_fault_kind kind, const char *why)
{
    assert(w->group == g && w->stop != STOP_END && w->stop != STOP_FAULT);
    assert(w->next); /* it has been started */
    static const char *const states[] = { "runs", "waits at a barrier",
                                          "has ended", "faulted" };
    enum sim_stop was = w->stop;
    warp_fault_text(w, was == STOP_BARRIER ? w->barrier : w->next, kind, why);
    for (unsigned i = 0; i < g->warps; i++) {
        const struct sim_warp *each = &g->warp[i];
        enum sim_stop stop = each == w ? was : each->stop;
        uint32_t pc =
            each->next ? each->next->pc : (uint32_t)w->worker->run->launch.pc;
        if (stop == STOP_BARRIER)
            pc = each->barrier->pc;
        fault_add_warp(w->fault, i, pc, states[stop]);
    }
    return GROUP_FAULTED;
}

enum group_state
group_deadlock(struct sim_group *g, struct sim_warp *w, const char *why)
{
    return group_fault(g, w, VENTUS_SIM_FAULT_DEADLOCK, why);
}

/* A warp that has begun and neither waits nor has ended, or NULL. */
static struct sim_warp *
find_running(struct sim_group *g)
{
    for (unsigned i = 0; i < g->warps; i++)
        if (g->warp[i].stop == STOP_SLICE && g->warp[i].next)
            return &g->warp[i];
    return NULL;
}

/* There is one, or all would wait. */
static struct sim_warp *
first_running(struct sim_group *g)
{
    struct sim_warp *w = find_running(g);
    assert(w && "a workgroup of which no warp runs is released or has ended");
    return w;
}

/* Some wait, and what the others do has no end. */
static enum group_state
report_livelock(struct sim_group *g)
{
    return group_deadlock(g, first_running(g), NULL);
}

/* A rollback takes instructions back: they are counted once.  Not for each slice, which
 * may be one instruction. */
static void
tell_executed(const struct sim_worker *k, struct sim_group *g,
              struct sim_warp *w)
{
    enum { EVERY = 1024 };
    uint64_t *told = k->run->launch.executed, sum = 0;
    if (!told || w->retired < w->tell_at)
        return;
    w->tell_at = w->retired + EVERY;
    for (unsigned i = 0; i < g->warps; i++)
        sum += g->warp[i].retired;
    if (sum <= g->told)
        return;
    __atomic_fetch_add(told, sum - g->told, __ATOMIC_RELAXED);
    g->told = sum;
}

bool
group_is_over(const struct sim_worker *k, struct sim_group *g,
              struct sim_warp *w)
{
    uint64_t max = k->sim->config.max_instructions;
    tell_executed(k, g, w);
    if (run_is_stopped(k->run))
        group_fault(g, w, VENTUS_SIM_FAULT_STOPPED, NULL);
    else if (max && w->retired >= max)
        group_fault(g, w,
                    count_waiting(g) ? VENTUS_SIM_FAULT_DEADLOCK
                                     : VENTUS_SIM_FAULT_LIMIT,
                    "max_instructions");
    else if (run_is_late(k->run))
        group_fault(g, w, VENTUS_SIM_FAULT_LIMIT, "max_ms");
    else
        return false;
    return true;
}

/* After a slice: may the warp continue? */
static enum group_state
check_limits(struct sim_worker *k, struct sim_group *g, struct sim_warp *w)
{
    if (k->native)
        native_look(k, w);
    k->unchecked = 0;
    if (group_is_over(k, g, w))
        return GROUP_FAULTED;
    if (atomic_load(&k->run->limit) < g->number)
        return GROUP_ENDED; /* an earlier workgroup faulted: of no interest */
    return GROUP_RUNS;
}

/* ---- turns ---- */

static void
run_slice(struct sim_worker *k, struct sim_warp *w)
{
    assert(w->stop == STOP_SLICE && w->group->live > 0);
    const struct ventus_sim_config *c = &k->sim->config;
    uint64_t n = c->round_robin            ? 1
                 : w->group->livelock.fine ? FINE_SLICE
                                           : k->sim->slice;
    if (c->max_instructions && c->max_instructions - w->retired < n)
        n = c->max_instructions - w->retired;
    if (!w->next) {
        const struct sim_op origin = { .pc = (uint32_t)k->run->launch.pc };
        w->next = warp_jump_far(w, &origin, origin.pc);
        if (!w->next) {
            w->stop = STOP_FAULT;
            return;
        }
    }
    if (k->instrumentation && k->traced)
        warp_run_instrumented(w, n);
    else if (k->instrumentation)
        k->instrumentation->run(k->instrumentation->ctx, w, n);
    else if (k->traced || w->group->livelock.period)
        warp_run_traced(w, n);
    else if (k->native && native_is_there(k->sim))
        warp_run_native(w, n);
    else
        warp_run(w, n);
    if (w->stop == STOP_END)
        w->group->live--;
}

/* Runs every warp for one turn. */
static enum group_state
run_turn(struct sim_worker *k, struct sim_group *g)
{
    for (unsigned i = 0; i < g->warps; i++) {
        struct sim_warp *w = &g->warp[i];
        if (w->stop == STOP_BARRIER && k->traced)
            trace_waiting(w);
        if (w->stop == STOP_SLICE) {
            uint64_t before = w->retired;
            run_slice(k, w);
            k->unchecked += w->retired - before;
            if (w->stop == STOP_BARRIER)
                barrier_arrive(g, w);
        }
        if (w->stop == STOP_FAULT)
            return GROUP_FAULTED;
        bool due = k->unchecked >= k->sim->slice;
        struct sim_warp *running = w->stop == STOP_SLICE ? w
                                   : due                 ? find_running(g)
                                                         : NULL;
        enum group_state state =
            running ? check_limits(k, g, running) : GROUP_RUNS;
        if (state != GROUP_RUNS)
            return state;
        if (due && !g->live && k->native) { /* no slice was run to its end */
            native_look(k, w);
            k->unchecked = 0;
        }
    }
    return GROUP_RUNS;
}

enum group_state
group_run(struct sim_worker *k, struct sim_group *g, bool until_end)
{
    mmu_set_local(&k->mmu, &g->local);
    for (unsigned released = 0;;) {
        enum group_state state = run_turn(k, g);
        if (state != GROUP_RUNS)
            return state;
        if (!g->live)
            return GROUP_ENDED;
        unsigned waiting = count_waiting(g);
        assert(g->live <= g->warps && waiting <= g->live);
        if (waiting == g->live) {
            livelock_reset(k, g);
            if (!barrier_release(k, g))
                return GROUP_FAULTED;
            if (++released % RELEASES && k->unchecked < k->sim->slice)
                continue;
            /* No slice ran to its end, which is where limits are checked. */
            state = check_limits(k, g, first_running(g));
            if (state != GROUP_RUNS || !until_end)
                return state;
            continue;
        }
        if (waiting && !k->sim->config.round_robin && livelock_found(k, g))
            return report_livelock(g);
        if (!until_end)
            return GROUP_RUNS;
    }
}
