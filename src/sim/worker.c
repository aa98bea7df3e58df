/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A host thread: takes workgroups in order and runs each to its end.  If one
 * runs for long, the thread starts others beside it, as many as an SM holds, so
 * that workgroups that wait for each other continue as they would on the hardware.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "base/text.h"
#include "sim/instrumentation.h"
#include "sim/state.h"

/* ---- capacity ---- */

static void
free_group(struct sim_group *g)
{
    for (unsigned i = 0; g->warp && i < g->warps_capacity; i++) {
        free(g->warp[i].v);
        free(g->warp[i].stack);
    }
    free(g->warp);
    padding_free(g);
    local_destroy(&g->local);
    *g = (struct sim_group){ 0 };
}

static bool
make_warp(struct sim_worker *k, struct sim_group *g, struct sim_warp *w,
          unsigned id)
{
    const struct ventus_sim_config *c = &k->sim->config;
    unsigned lanes = c->num_thread < 8 ? 8 : c->num_thread;
    /* 256 registers, and the row that branch_outcome uses. */
    size_t bytes = (size_t)(SIM_VREGS + 1) * lanes * sizeof *w->v;
    w->v = aligned_alloc(64, (bytes + 63) / 64 * 64);
    w->stack = calloc(c->stack_depth, sizeof *w->stack);
    if (!w->v || !w->stack)
        return false;
    memset(w->v, 0, bytes);
    w->lanes = lanes;
    assert(lanes % 8 == 0 && lanes <= SIM_LANES_MAX);
    w->num_thread = c->num_thread;
    w->stack_max = c->stack_depth;
    w->worker = k;
    w->mmu = &k->mmu;
    w->fp = &k->fp;
    w->fault = &k->fault;
    w->group = g;
    w->id = id;
    return true;
}

static bool
make_group(struct sim_worker *k, struct sim_group *g, unsigned warps,
           uint32_t local)
{
    size_t bytes = warps * sizeof *g->warp;
    if (!local_create(&g->local, local))
        return false;
    g->warp = aligned_alloc(64, bytes); /* a multiple of 64: it is aligned */
    if (!g->warp)
        return false;
    assert((uintptr_t)g->warp % alignof(struct sim_warp) == 0);
    memset(g->warp, 0, bytes);
    g->warps_capacity = warps;
    for (unsigned i = 0; i < warps; i++)
        if (!make_warp(k, g, &g->warp[i], i))
            return false;
    return true;
}

bool
worker_prepare(struct sim_worker *k, struct sim_run *run, unsigned groups,
               unsigned warps)
{
    assert(groups > 0 && warps > 0);
    k->run = run;
    k->groups = 0;
    k->unchecked = 0;
    atomic_store(&k->busy, 1);
    atomic_store(&k->quiet, 0);
    atomic_store(&k->events, 0);
    k->traced =
        run->launch.stats || (run->launch.hooks && run->launch.hooks->step);
    k->instrumentation =
        run->launch.hooks ? run->launch.hooks->instrumentation : NULL;
    memset(&k->stats, 0, sizeof k->stats);
    memset(k->recent, 0, sizeof k->recent);
    memset(k->padded, 0, sizeof k->padded);
    mmu_reset(&k->mmu, &run->sim->mem, run_host(run), run->launch.ptbr);
    uint32_t local = run->launch.local_size_B + run->launch.local_padding_B;
    if (groups <= k->groups_capacity && warps <= k->warps_capacity &&
        local <= k->group[0].local.capacity)
        return true;
    worker_free(k);
    k->group = calloc(groups, sizeof *k->group);
    if (!k->group)
        return false;
    k->groups_capacity = groups;
    k->warps_capacity = warps;
    for (unsigned i = 0; i < groups; i++)
        if (!make_group(k, &k->group[i], warps, local)) {
            worker_free(k);
            return false;
        }
    return true;
}

void
worker_free(struct sim_worker *k)
{
    for (unsigned i = 0; i < k->groups_capacity; i++)
        free_group(&k->group[i]);
    free(k->group);
    k->group = NULL;
    k->groups_capacity = k->warps_capacity = 0;
}

/* ---- running ---- */

/* Each workgroup that is ended by the host says where its warps are. */
static void
add_stopped(struct ventus_sim_fault *f, const struct ventus_sim_fault *other)
{
    const char *warps = strchr(other->text, ';');
    if (warps)
        text_append_item(f->text, sizeof f->text, "\n  workgroup %llu:%s",
                         (unsigned long long)other->group, warps + 1);
}

static void
report_fault(struct sim_worker *k)
{
    struct sim_run *run = k->run;
    assert(k->fault.kind != VENTUS_SIM_FAULT_NONE && k->fault.group < run->end);
    struct guard_lock held;
    guard_lock(&held, &run->lock);
    if (run->fault.kind == VENTUS_SIM_FAULT_INTERNAL) {
        ; /* why the others end */
    } else if (!run->fault.kind || k->fault.group < run->fault.group ||
               k->fault.kind == VENTUS_SIM_FAULT_INTERNAL) {
        struct ventus_sim_fault before = run->fault;
        run->fault = k->fault;
        atomic_store(&run->limit, k->fault.group);
        if (before.kind == VENTUS_SIM_FAULT_STOPPED)
            add_stopped(&run->fault, &before);
    } else if (k->fault.kind == VENTUS_SIM_FAULT_STOPPED) {
        add_stopped(&run->fault, &k->fault);
    }
    guard_unlock(&held);
}

/* Has the launch been ended from outside?  Then no workgroup from this one on is
 * started: short ones never come to a limit of their own. */
static bool
is_over(struct sim_worker *k, uint64_t number)
{
    bool stopped = run_is_stopped(k->run);
    if (!stopped && !run_is_late(k->run))
        return false;
    k->fault = (struct ventus_sim_fault){
        .kind = stopped ? VENTUS_SIM_FAULT_STOPPED : VENTUS_SIM_FAULT_LIMIT,
        .group = number,
        .lane = -1,
    };
    text_append(k->fault.text, sizeof k->fault.text, "%s before workgroup %llu",
                stopped ? "stopped" : "limit exceeded: max_ms",
                (unsigned long long)number);
    report_fault(k);
    return true;
}

/* Takes the next workgroup, if there is one that is still wanted. */
static bool
take(struct sim_worker *k, struct sim_group *g)
{
    assert(k->groups < k->groups_capacity);
    struct sim_run *run = k->run;
    uint64_t number = atomic_fetch_add(&run->next, 1);
    if (number >= run->end || number > atomic_load(&run->limit))
        return false;
    if (is_over(k, number))
        return false;
    group_start(k, g, number);
    k->stats.workgroups++;
    return true;
}

static void
report_end(struct sim_worker *k, uint64_t number)
{
    const struct ventus_sim_hooks *hooks = k->run->launch.hooks;
    if (!hooks || !hooks->ended)
        return;
    fp_host_leave(&k->fp); /* it is the application's meanwhile */
    hooks->ended(hooks->ctx, number);
    fp_host_enter(&k->fp, FP_RNE);
}

static void
swap_groups(struct sim_group *a, struct sim_group *b)
{
    assert(a != b && a->warps_capacity == b->warps_capacity);
    struct sim_group t = *a;
    *a = *b;
    *b = t;
    for (unsigned i = 0; i < a->warps_capacity; i++)
        a->warp[i].group = a;
    for (unsigned i = 0; i < b->warps_capacity; i++)
        b->warp[i].group = b;
}

static void
run_groups(void *ctx)
{
    struct sim_worker *k = ctx;
    unsigned capacity = k->run->resident;
    assert(capacity > 0 && capacity <= k->groups_capacity && !k->groups);
    bool more = true, hungry = true;
    fp_host_enter(&k->fp, FP_RNE);
    for (unsigned turn = 0; more || k->groups;) {
        bool full = k->groups == capacity;
        if (more && !full && turn == k->groups) {
            more = take(k, &k->group[k->groups]);
            k->groups += more;
            if (more)
                livelock_event(k, 1);
        }
        if (hungry != (more && k->groups < capacity)) {
            hungry = !hungry;
            livelock_event(k, hungry ? 1 : -1);
        }
        if (turn >= k->groups) {
            turn = 0;
            continue;
        }
        assert(turn < k->groups && k->groups <= capacity);
        bool alone = k->groups == 1 && (capacity == 1 || !more);
        switch (group_run(k, &k->group[turn], alone)) {
        case GROUP_RUNS:
            turn++;
            break;
        case GROUP_FAULTED:
            report_fault(k);
            /* fallthrough */
        case GROUP_ENDED:
            if (k->instrumentation)
                k->instrumentation->end(k->instrumentation->ctx,
                                        &k->group[turn]);
            group_clear_private(k, &k->group[turn]);
            livelock_reset(k, &k->group[turn]);
            livelock_event(k, -1);
            report_end(k, k->group[turn].number);
            k->groups--;
            if (turn != k->groups)
                swap_groups(&k->group[turn], &k->group[k->groups]);
            break;
        }
    }
    fp_host_leave(&k->fp);
}

/* The place of a mistake is near the first workgroup that the thread had. */
static void
report_failed(struct sim_worker *k, const struct guard_failure *why)
{
    uint64_t first = k->groups ? k->group[0].number : k->run->launch.first;
    k->fault = (struct ventus_sim_fault){ .kind = VENTUS_SIM_FAULT_INTERNAL,
                                          .group = first,
                                          .lane = -1 };
    text_append(k->fault.text, sizeof k->fault.text,
                "internal error: %s, workgroup %llu", why->text,
                (unsigned long long)first);
    atomic_store(&k->run->failed, true);
    report_fault(k);
}

static void
clear_private(void *ctx)
{
    struct sim_worker *k = ctx;
    for (unsigned i = 0; i < k->groups; i++)
        group_clear_private(k, &k->group[i]);
}

void
worker_run(struct sim_worker *k)
{
    struct guard_failure why, more;
    if (guard_call(run_groups, k, &why))
        return;
    fp_host_leave(&k->fp);
    report_failed(k, &why);
    guard_call(clear_private, k, &more);
}
