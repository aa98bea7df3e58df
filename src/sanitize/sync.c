/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers: the work-items that arrive, and the order that barriers establish. */
#include <assert.h>

#include "sanitize/clock.h"
#include "sanitize/state.h"

/* imm of a barrier, as docs/abi.md has it. */
enum { ORDERS_LOCAL = 1, ORDERS_GLOBAL = 2, ORDERS_IMAGES = 4 };

static void
divergent(struct sanitize *c, const struct sim_warp *w, const struct sim_op *op)
{
    uint64_t missing = w->items & ~w->mask;
    assert(w->mask && missing);
    sanitize_note(c, w,
                  &(struct sanitize_finding){
                      .what = SANITIZE_DIVERGENT,
                      .here = sanitize_party(w, op, __builtin_ctzll(w->mask)),
                      .other = { .known = true,
                                 .group = w->group->number,
                                 .warp = w->id,
                                 .lane = __builtin_ctzll(missing) },
                  });
}

/* After a barrier of the sub-group all have acquired what one has. */
static void
share_acquired(const struct sanitize_group *g, struct sanitize_warp *k)
{
    if (!k->acquired)
        return;
    const struct sanitize_acquired all =
        sanitize_acquired(g, k, k->acquired, false);
    for (unsigned i = 0; i < SIM_LANES_MAX; i++) {
        k->item[i].wide.acquired = all.wide;
        k->item[i].in_group.acquired = all.in_group;
    }
    k->acquired = UINT64_MAX;
}

void
sanitize_barrier(struct sanitize *c, struct sim_warp *w,
                 const struct sim_op *op, const struct sanitize_operands *o)
{
    struct sanitize_warp *k = sanitize_warp_of(w);
    if (w->items & ~w->mask)
        divergent(c, w, op);
    if (o->sub) {
        const unsigned orders = (unsigned)op->imm;
        const uint32_t time = sanitize_tick(c);
        share_acquired(sanitize_group_of(w), k);
        if (orders & ORDERS_LOCAL)
            k->sub[0] = time;
        if (orders & (ORDERS_GLOBAL | ORDERS_IMAGES))
            k->sub[1] = time;
        return;
    }
    k->waits = true;
    k->barrier_pc = op->pc;
    k->barrier_orders = (unsigned)op->imm;
}

/* The warp and another one that is not where it is. */
static void
compare(struct sanitize *c, const struct sim_warp *w,
        const struct sim_warp *other)
{
    const struct sanitize_warp *mine = sanitize_warp_of(w);
    const struct sanitize_warp *its = &sanitize_group_of(w)->warp[other->id];
    bool ended = other->stop == STOP_END && other->items;
    struct sanitize_finding f = {
        .what = ended ? SANITIZE_MISSING : SANITIZE_PLACES,
        .here = { .known = true,
                  .pc = mine->barrier_pc,
                  .group = w->group->number,
                  .warp = w->id,
                  .lane = __builtin_ctzll(w->start_mask) },
        .other = { .known = true,
                   .pc = ended ? 0 : its->barrier_pc,
                   .group = w->group->number,
                   .warp = other->id,
                   .lane = other->start_mask
                               ? __builtin_ctzll(other->start_mask)
                               : 0 },
    };
    if (ended || (its->waits && its->barrier_pc != mine->barrier_pc))
        sanitize_note(c, w, &f);
}

/* Joins the clocks of all after a barrier that orders this memory. */
static void
gather_acquired(struct sanitize_group *g, unsigned warps, bool local,
                bool global)
{
    for (unsigned i = 0; i < warps; i++) {
        struct sanitize_warp *k = &g->warp[i];
        for (unsigned memory = 0; memory < 2; memory++) {
            const struct sanitize_acquired all =
                sanitize_acquired(g, k, k->acquired, memory == 0);
            if (memory ? global : local) {
                g->acquired[memory] = all.wide;
                g->acquired_in_group[memory] = all.in_group;
            }
        }
        if (!local || !global)
            continue;
        for (uint64_t rest = k->acquired; rest; rest &= rest - 1) {
            struct sanitize_item *x = &k->item[__builtin_ctzll(rest)];
            x->wide.acquired = x->in_group.acquired = 0;
        }
        k->acquired = 0; /* the work-group's are at least as late */
    }
}

void
sanitize_resume(struct sanitize *c, struct sim_warp *w)
{
    struct sanitize_group *g = sanitize_group_of(w);
    struct sanitize_warp *k = &g->warp[w->id];
    if (!k->waits)
        return;
    const uint32_t time = sanitize_tick(c), before = g->met;
    unsigned orders = 0;
    bool fenced = true; /* have all work-items one since the last barrier? */
    for (unsigned i = 0; i < w->group->warps; i++) {
        struct sanitize_warp *each = &g->warp[i];
        compare(c, w, &w->group->warp[i]);
        if (each->waits) {
            orders |= each->barrier_orders;
            fenced &= each->fenced && each->fenced >= before;
        }
    }
    /* Any of several barriers of a round ends it for all. */
    for (unsigned i = 0; i < w->group->warps; i++) {
        g->warp[i].waits = false;
        g->warp[i].fence = 0;
    }
    const bool local = orders & ORDERS_LOCAL || fenced;
    const bool global = orders & (ORDERS_GLOBAL | ORDERS_IMAGES) || fenced;
    if (local)
        g->barrier[0] = time;
    if (global)
        g->barrier[1] = time;
    gather_acquired(g, w->group->warps, local, global);
    g->met = time;
}
