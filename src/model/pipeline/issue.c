/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Issue (microarchitecture.md, Scoreboard and issue): one instruction a cycle.
 * With issue_width = 2, one for sALU, CSR unit or warp control and one for the
 * other units, from two warps.
 */
#include "model/pipeline/issue.h"

#include <assert.h>

SELDOM static void
start_warps(struct issue *q, uint64_t now)
{
    struct issue_state *t = &q->state;
    for (uint64_t left = t->starting; left; left &= left - 1) {
        unsigned i = lowest(left);
        if (t->start_at[i] > now)
            continue;
        debug_assert(!(t->active >> i & 1));
        t->starting &= ~bit_of(i);
        t->active |= bit_of(i);
        issue_changed(q, i);
    }
}

/* A set with a warp in it, or without. */
static uint64_t
with(uint64_t set, unsigned i, bool is_in)
{
    return (set & ~bit_of(i)) | (uint64_t)is_in << i;
}

/* Finds what the next instruction of a warp waits for. */
static void
check_warp(struct issue *q, unsigned i)
{
    /* A register of zeros names no unit, which is the scalar port's. */
    static const struct model_op none = { .known = false, .scalar_port = true };
    struct issue_state *t = &q->state;
    const struct model_op *head = ibuffer_head(q->port.ibuffer, i);
    if (!head)
        head = &none;
    scoreboard_look(q->port.scoreboard, i, head->known ? head : NULL);
    t->scalar_heads = with(t->scalar_heads, i, head->scalar_port);
    t->shared_heads = with(t->shared_heads, i, head->shared);
}

/* Does a fence of the warp wait for accesses, or for what it does to the L1D? */
static bool
is_fencing(const struct issue *q, unsigned i)
{
    return lsu_has_accesses(q->port.lsu, i) || rcc_is_pending(q->port.rcc, i);
}

/* A fence is seen to be over one cycle later; on the Chisel design in the cycle in which
 * its last access ends (fence_end of LSU.scala, ShiftBoard.empty). */
SELDOM static void
end_fences(struct issue *q, uint64_t fencing)
{
    for (uint64_t left = fencing & q->state.active; left; left &= left - 1)
        if (!is_fencing(q, lowest(left)))
            scoreboard_fenced(q->port.scoreboard, lowest(left));
}

static void
check_warps(struct issue *q, uint64_t warps)
{
    q->state.changed &= ~warps;
    for (; warps; warps &= warps - 1)
        check_warp(q, lowest(warps));
}

/*
 * Warps whose buffer's register is empty, and to which the arbiter of the port of
 * what was in it is open: the register takes a pair when it would give one
 * (ibuffer.scala, SlowDown).
 */
static uint64_t
granted(const struct issue *q, unsigned port)
{
    const struct issue_state *t = &q->state;
    uint64_t heads = port == PORT_SCALAR ? t->scalar_heads : ~t->scalar_heads;
    if (q->config->issue_width == 1)
        heads = port == PORT_ANY ? UINT64_MAX : 0;
    if (!collect_has_room(q->port.collect, port))
        return 0;
    return heads &
           scheduler_open(q->port.scheduler, port, t->candidates & heads);
}

/* Does it matter to which warps the arbiters are open?  A warp without a pair for its
 * register waits for fetch anyway, which shows unless a warp is at a barrier
 * (issue_why_none). */
static bool
grants_matter(const struct issue *q)
{
    const struct issue_state *t = &q->state;
    return t->refills && ((t->refills & ibuffer_queued(q->port.ibuffer)) ||
                          (t->active & t->waits));
}

void
issue_begin(struct issue *q, uint64_t now)
{
    struct issue_state *t = &q->state;
    struct scoreboard *b = q->port.scoreboard;
    if (t->starting)
        start_warps(q, now);
    t->began =
        (struct issue_began){ t->active, t->waits, scoreboard_branching(b),
                              scoreboard_collecting(b) };
    uint64_t held = t->waits | t->began.branching | t->began.collecting;
    uint64_t free = t->active & ~held, fencing = scoreboard_fencing(b);
    bool early = q->config->fence_alu && !q->config->rcc;
    if (fencing && early)
        end_fences(q, fencing);
    t->changed |=
        scoreboard_take_changed(b) | ibuffer_take_changed(q->port.ibuffer);
    t->empty = ibuffer_empty(q->port.ibuffer);
    if (t->changed & free)
        check_warps(q, t->changed & free);
    uint64_t ready =
        free & ~(scoreboard_needs_load(b) | scoreboard_needs_result(b));
    t->refills = ready & t->empty;
    t->candidates = ready & ~t->empty;
    if (q->config->ibuffer_overlaps && grants_matter(q))
        t->refills &= granted(q, PORT_VECTOR) | granted(q, PORT_SCALAR);
    if (fencing && !early)
        end_fences(q, fencing);
}

enum ventus_model_stall
issue_why(const struct issue *q, unsigned warp)
{
    const struct issue_began *b = &q->state.began;
    uint64_t bit = bit_of(warp);
    uint64_t load = scoreboard_needs_load(q->port.scoreboard);
    uint64_t result = scoreboard_needs_result(q->port.scoreboard);
    return !(b->active & bit)     ? VENTUS_MODEL_ISSUED
           : b->waits & bit       ? VENTUS_MODEL_BARRIER
           : b->branching & bit   ? VENTUS_MODEL_BRANCH
           : b->collecting & bit  ? VENTUS_MODEL_COLLECT
           : load & bit           ? VENTUS_MODEL_DEPEND_LSU
           : result & bit         ? VENTUS_MODEL_DEPEND
           : q->state.empty & bit ? VENTUS_MODEL_FETCH
                                  : VENTUS_MODEL_ISSUED;
}

/* For memory, or at a barrier. */
static uint64_t
waiting(const struct issue *q)
{
    const struct issue_began *b = &q->state.began;
    uint64_t held = b->branching | b->collecting;
    return b->active &
           (b->waits | (scoreboard_needs_load(q->port.scoreboard) & ~held));
}

/* The warp that the scheduler chose: its instruction leaves the buffer. */
static bool
issue_warp(struct issue *q, unsigned port, uint64_t now, unsigned warp)
{
    struct issue_state *t = &q->state;
    struct inflight *f = inflight_new(q->port.pool);
    f->op = ibuffer_head(q->port.ibuffer, warp);
    f->warp = (uint8_t)warp;
    f->id = t->issues;
    debug_assert(f->op); /* a warp that is ready has one */
    if (!q->port.execute(q->port.ctx, port, f))
        return false;
    t->issues++;
    t->together = t->last == now ? t->together + 1 : 1;
    t->last = now;
    scheduler_issued(q->port.scheduler, port, now, warp);
    debug_assert(f->op && f->warp == warp);
    scoreboard_set(q->port.scoreboard, warp, f->op);
    collect_enter(q->port.collect, f);
    ibuffer_take(q->port.ibuffer, warp);
    t->candidates &= ~bit_of(warp);
    return true;
}

static bool
issue_port(struct issue *q, unsigned port, uint64_t now, uint64_t ready)
{
    if (!ready || !collect_has_room(q->port.collect, port))
        return true;
    struct scheduler_warps w = { ready, q->state.active, waiting(q) };
    int chosen = scheduler_choose(q->port.scheduler, port, now, w);
    debug_assert((chosen < 0 || ready >> chosen & 1) &&
                 "a scheduler chooses among ready warps");
    return chosen < 0 || issue_warp(q, port, now, (unsigned)chosen);
}

/* With two ports a warp still issues one: it has one instruction to give. */
bool
issue_tick(struct issue *q, uint64_t now)
{
    const struct issue_state *t = &q->state;
    if (q->config->issue_width == 1)
        return issue_port(q, PORT_ANY, now, t->candidates);
    debug_assert(q->config->issue_width == PORTS);
    uint64_t scalar = t->candidates & t->scalar_heads;
    return issue_port(q, PORT_VECTOR, now, t->candidates & ~scalar) &&
           issue_port(q, PORT_SCALAR, now, scalar);
}

/* Is a fence over that was not seen to be? */
static bool
has_ended_fence(const struct issue *q)
{
    uint64_t left = scoreboard_fencing(q->port.scoreboard) & q->state.active;
    while (left && is_fencing(q, lowest(left)))
        left &= left - 1;
    return left;
}

static uint64_t
next_start(const struct issue *q, uint64_t now)
{
    uint64_t first = UINT64_MAX;
    for (uint64_t left = q->state.starting; left; left &= left - 1) {
        uint64_t at = q->state.start_at[lowest(left)];
        first = at < first ? at : first;
    }
    return first > now ? first : now + 1;
}

uint64_t
issue_next_event(const struct issue *q, uint64_t now)
{
    const struct issue_state *t = &q->state;
    const struct scoreboard *b = q->port.scoreboard;
    const struct ibuffer *i = q->port.ibuffer;
    uint64_t changed = t->changed | scoreboard_changed(b) | ibuffer_changed(i);
    uint64_t free = t->active & ~(t->waits | scoreboard_branching(b) |
                                  scoreboard_collecting(b));
    uint64_t needs = scoreboard_needs_load(b) | scoreboard_needs_result(b);
    uint64_t offers = ~ibuffer_empty(i) | ibuffer_queued(i);
    if (free & (changed | (offers & ~needs)))
        return now + 1;
    if (scoreboard_fencing(b) && has_ended_fence(q))
        return now + 1;
    return t->starting ? next_start(q, now) : UINT64_MAX;
}

/* ---- warps come, wait, and go ---- */

void
issue_start(struct issue *q, unsigned warp, uint64_t at)
{
    uint64_t bit = bit_of(warp);
    assert(warp < MAX_WARPS && !((q->state.active | q->state.starting) & bit));
    q->state.starting |= bit;
    q->state.waits &= ~bit;
    q->state.start_at[warp] = at;
}

void
issue_stop(struct issue *q, unsigned warp)
{
    uint64_t others = ~bit_of(warp);
    assert(q->state.active >> warp & 1);
    q->state.active &= others;
    q->state.candidates &= others;
    q->state.refills &= others;
    q->state.began.active &= others;
}

void
issue_hold(struct issue *q, unsigned warp)
{
    assert(q->state.active & ~q->state.waits & bit_of(warp) &&
           "a warp waits at one barrier");
    q->state.waits |= bit_of(warp);
}

void
issue_release(struct issue *q, unsigned warp)
{
    assert(q->state.waits >> warp & 1);
    q->state.waits &= ~bit_of(warp);
    issue_changed(q, warp);
}

void
issue_init(struct issue *q, const struct ventus_model_config *config,
           const struct issue_ports *port)
{
    assert(config->issue_width && config->issue_width <= PORTS);
    *q = (struct issue){ .config = config, .port = *port };
}

void
issue_reset(struct issue *q)
{
    q->state = (struct issue_state){ .active = 0 };
}
