/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Workgroups of an SM: their warps enter slots, synchronise at barriers, and end.
 * After the last one the SM drains: its caches are flushed, and then it reports to the
 * CTA scheduler.  With flush_behind each workgroup has its own flush, and only later
 * requests to the L1D wait for it (microarchitecture.md, End of a workgroup).
 */
#include "model/pipeline/workgroup.h"

#include <assert.h>

void
workgroup_init(struct workgroup *g, const struct ventus_model_config *config,
               unsigned warps, const struct workgroup_ports *port)
{
    assert(warps && warps <= MAX_WARPS);
    *g = (struct workgroup){ .config = config, .port = *port, .warps = warps };
}

void
workgroup_reset(struct workgroup *g, const struct workgroup_launch *launch)
{
    assert(launch->slots && launch->slots <= g->warps);
    g->launch = *launch;
    g->state = (struct workgroup_state){ .phase = WORKGROUP_NONE };
}

int
workgroup_start_warp(struct workgroup *g, unsigned slot, unsigned id)
{
    struct workgroup_state *t = &g->state;
    assert(t->slot[slot].valid && t->phase == WORKGROUP_RUNS &&
           "workgroup_start comes before its warps");
    if (!step_exists(g->launch.stepper, slot, id)) {
        t->slot[slot].live--;
        return NEVER;
    }
    unsigned i = lowest(~t->resident);
    assert(t->warps < g->warps && i < g->warps &&
           "the CTA scheduler counts free warp slots");
    g->port.wake(g->port.ctx);
    t->place[i] = (struct warp_place){ .group = slot, .id = id };
    t->resident |= bit_of(i);
    t->arriving &= ~bit_of(i);
    t->warps++;
    return (int)i;
}

void
workgroup_start(struct workgroup *g, unsigned slot, uint64_t number)
{
    struct workgroup_slot *p = &g->state.slot[slot];
    assert(slot < g->launch.slots && !p->live &&
           "the CTA scheduler gives free slots");
    *p = (struct workgroup_slot){ .valid = true,
                                  .live = g->launch.warps,
                                  .number = number };
    step_start(g->launch.stepper, slot, number);
    g->state.phase = WORKGROUP_RUNS;
}

bool
workgroup_has_visible_end(const struct workgroup *g)
{
    const struct workgroup_state *t = &g->state;
    unsigned room = g->warps - t->warps + t->endings;
    bool done = g->config->wg_buffer || room >= g->launch.warps;
    if (!t->endings)
        return false;
    for (unsigned i = 0; i < g->launch.slots && !done; i++)
        done = t->slot[i].valid && t->slot[i].live <= t->endings;
    return done;
}

enum { HEARS = 2, SERVES = 3 };

/*
 * The scheduler receives the end of a warp two cycles later, and is busy for three
 * then.  It counts all that have ended before; a warp that ends in that very cycle
 * waits for it.
 */
static void
serve_end(struct workgroup_state *t, uint64_t now)
{
    if (t->served > now)
        return;
    uint64_t free = t->served + SERVES, heard = now + HEARS;
    t->served = t->served == now || free > heard ? free : heard;
}

/* A single end is served in done_cycles. */
static uint64_t
drain_time(const struct workgroup *g, uint64_t now)
{
    uint64_t at = now + g->config->done_cycles;
    return g->config->one_group ? at + g->state.served - (now + HEARS) : at;
}

/* ---- barriers: sim/barrier.h ---- */

/* Warps that wait no more go on. */
static void
wake_released(struct workgroup *g, unsigned slot)
{
    struct workgroup_state *t = &g->state;
    for (uint64_t left = issue_waits(g->port.issue) & ~t->arriving; left;
         left &= left - 1) {
        unsigned i = lowest(left);
        const struct warp_place *w = &t->place[i];
        if (w->group != slot || step_waits(g->launch.stepper, slot, w->id))
            continue;
        assert(t->slot[slot].waiting);
        t->slot[slot].waiting--;
        issue_release(g->port.issue, i);
    }
}

/* A warp has come, or ended: do all wait that are left?  False: for ever. */
static bool
look(struct workgroup *g, unsigned slot)
{
    const struct workgroup_slot *p = &g->state.slot[slot];
    if (p->waiting != p->live)
        return true;
    if (!step_release(g->launch.stepper, slot))
        return false;
    wake_released(g, slot);
    return true;
}

static bool
arrive_warp(struct workgroup *g, unsigned warp)
{
    const struct warp_place *w = &g->state.place[warp];
    struct workgroup_slot *p = &g->state.slot[w->group];
    if (g->state.barrier[warp]->subgroup) {
        issue_release(g->port.issue, warp);
        return true;
    }
    p->waiting++;
    assert(p->waiting <= p->live && "a warp that waits has not ended");
    if (step_arrive(g->launch.stepper, w->group, w->id))
        wake_released(g, w->group);
    return look(g, w->group);
}

/* Has a warp at a barrier done what that orders? */
static bool
is_ordered(const struct workgroup *g, unsigned warp)
{
    unsigned orders = g->state.barrier[warp]->orders;
    if (rcc_is_pending(g->port.rcc, warp))
        return false;
    unsigned spaces = (orders & ORDERS_LOCAL ? SPACE_LOCAL : 0) |
                      (orders & ORDERS_GLOBAL ? SPACE_GLOBAL : 0);
    return !g->config->barrier_waits ||
           !lsu_accesses(g->port.lsu, warp, spaces);
}

bool
workgroup_tick(struct workgroup *g)
{
    bool ok = true;
    for (uint64_t left = g->state.arriving; left; left &= left - 1) {
        unsigned i = lowest(left);
        if (!is_ordered(g, i))
            continue;
        g->state.arriving &= ~bit_of(i);
        ok &= arrive_warp(g, i);
    }
    return ok;
}

bool
workgroup_barrier(struct workgroup *g, unsigned warp, const struct model_op *op)
{
    assert(op->barrier && workgroup_has_warp(g, warp));
    issue_hold(g->port.issue, warp);
    g->state.barrier[warp] = op;
    rcc_arrived(g->port.rcc, warp);
    if (is_ordered(g, warp))
        return arrive_warp(g, warp);
    g->state.arriving |= bit_of(warp);
    return true;
}

/* ---- the end ---- */

/* The last warp of a slot has ended. */
static void
end_group(struct workgroup *g, unsigned slot, uint64_t now)
{
    g->state.slot[slot].valid = false;
    g->port.group_ended(g->port.ctx, g->state.slot[slot].number);
    if (!g->config->flush_behind)
        return;
    dcache_queue_flush(g->port.dcache, now);
    g->port.invalidate(g->port.ctx);
}

/* No warp is there, and none of a workgroup that has begun is to come. */
static bool
is_empty(const struct workgroup *g)
{
    bool empty = !g->state.warps;
    for (unsigned i = 0; empty && i < g->launch.slots; i++)
        empty = !g->state.slot[i].valid;
    return empty;
}

static void
begin_drain(struct workgroup *g, uint64_t now)
{
    g->state.phase = WORKGROUP_DRAINS;
    if (g->config->flush_behind)
        return;
    g->state.drained_at = drain_time(g, now);
    dcache_end_flush(g->port.dcache);
}

bool
workgroup_warp_ended(struct workgroup *g, unsigned warp, uint64_t now)
{
    struct workgroup_state *t = &g->state;
    unsigned slot = workgroup_place(g, warp).group;
    struct workgroup_slot *p = &t->slot[slot];
    assert(p->live && t->warps && t->endings && "a warp ends once");
    t->resident &= ~bit_of(warp);
    issue_stop(g->port.issue, warp);
    t->warps--;
    t->endings--;
    p->live--;
    serve_end(t, now);
    if (!p->live)
        end_group(g, slot, now);
    bool empty = is_empty(g);
    if (empty)
        begin_drain(g, now);
    g->port.warp_ended(g->port.ctx, slot, empty && !g->config->flush_behind);
    return !p->live || look(g, slot);
}

/* The CTA scheduler has a part in it; not while dirty lines are written. */
static bool
drains_now(const struct workgroup *g, enum dcache_flush_step *flush,
           uint64_t *at)
{
    *flush = dcache_flush_state(g->port.dcache, at);
    return g->state.phase == WORKGROUP_DRAINS && !g->config->flush_behind &&
           (*flush == FLUSH_NO || *flush == FLUSH_DONE);
}

uint64_t
workgroup_next_drain(const struct workgroup *g)
{
    uint64_t at;
    enum dcache_flush_step flush;
    if (!drains_now(g, &flush, &at))
        return UINT64_MAX;
    return flush == FLUSH_NO ? g->state.drained_at
                             : at + g->config->reply_cycles;
}

static void
end_drain(struct workgroup *g)
{
    assert(!g->state.warps);
    g->port.wake(g->port.ctx);
    workgroup_leave(g);
    dcache_end_flush(g->port.dcache);
    g->port.invalidate(g->port.ctx);
    g->port.drained(g->port.ctx);
}

void
workgroup_drain(struct workgroup *g, uint64_t now)
{
    uint64_t at;
    enum dcache_flush_step flush;
    if (!drains_now(g, &flush, &at) || g->state.drained_at > now)
        return;
    if (flush == FLUSH_NO) {
        g->port.wake(g->port.ctx);
        dcache_begin_flush(g->port.dcache);
        icache_invalidate(g->port.icache, now);
    } else if (at + g->config->reply_cycles <= now) {
        end_drain(g);
    }
}
