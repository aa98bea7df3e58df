/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conservative windows.  The hub has the clock of the machine, and each LP one of its
 * own, which is at least the hub's.  An LP is granted the cycles up to its lookahead,
 * before which it exchanges no event with the hub:
 *
 *      hub     now
 *         |------|
 *      LP 0      |--------------->|  until an answer may come
 *      LP 1      |------->|          until it sends a request
 *
 * Its windows are
 *   - the cycles ahead of the hub, up to its lookahead;
 *   - the cycle of the exchange, when the hub has reached it, at the same time as
 *     other LPs: within a cycle the hub follows all LPs;
 *   - in order, when lower LPs have passed that cycle.
 *
 * The hub executes a cycle when all LPs have passed it, on whichever thread needs that
 * first (pool.c).
 */
#include "pdes/window.h"

#include <assert.h>

enum { PUBLISH = 16 /* cycles of an LP between two updates of its clock */ };

static uint64_t
earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- states ---- */

static uint64_t
load_state(const struct pdes *p, unsigned lp)
{
    return atomic_load(&p->lp[lp].state);
}

static void
set_state(struct pdes_lp *l, enum pdes_state state, uint64_t clock)
{
    assert(clock <= PDES_NEVER);
    atomic_store_explicit(&l->state, clock * PDES_STATES + state,
                          memory_order_release);
}

static uint64_t
published(const struct pdes *p, unsigned lp)
{
    return load_state(p, lp) / PDES_STATES;
}

static uint64_t
hub_time(const struct pdes *p)
{
    return p->ops->hub_time(p->ctx);
}

static uint64_t
next_event(const struct pdes *p, unsigned lp)
{
    return p->ops->next_event(p->ctx, lp);
}

/* Sets when a parked LP may be granted a window: when the hub is in its cycle, and
 * lower LPs have passed it, or where the hub may have changed it.  An LP without an
 * event of its own is checked in the cycle `next`. */
static void
set_need(struct pdes *p, unsigned lp, uint64_t until, uint64_t next)
{
    uint64_t clock = next_event(p, lp), need = 2 * until;
    unsigned kind = p->ops->next_kind(p->ctx, lp);
    if (clock == PDES_NEVER && kind & PDES_ASLEEP)
        need = UINT64_MAX;
    else if (kind & PDES_EVENT)
        need = 2 * (clock == PDES_NEVER ? next : clock) +
               ((kind & PDES_ORDER) != 0);
    atomic_store_explicit(&p->lp[lp].need, need, memory_order_relaxed);
}

/* ---- on the thread that runs an LP ---- */

static void
run_window(struct pdes *p, unsigned lp)
{
    struct pdes_lp *l = &p->lp[lp];
    uint64_t now = p->ops->local_time(p->ctx, lp), told = now;
    uint64_t until = atomic_load_explicit(&l->until, memory_order_relaxed);
    while (p->ops->tick(p->ctx, lp, until, &now)) {
        uint64_t wanted =
            atomic_load_explicit(&l->wanted, memory_order_relaxed);
        bool waits = told < wanted && wanted <= now;
        if (!waits && now < told + PUBLISH)
            continue;
        assert(now >= told && now <= until && "an LP stays inside its window");
        told = now;
        set_state(l, PDES_RUNNING, told);
        if (atomic_load_explicit(&p->over, memory_order_relaxed))
            return;
    }
}

bool
window_is_granted(const struct pdes *p, unsigned lp, uint64_t cycles)
{
    uint64_t state = load_state(p, lp);
    return state % PDES_STATES == PDES_GRANTED &&
           state / PDES_STATES + cycles <=
               atomic_load_explicit(&p->lp[lp].until, memory_order_relaxed);
}

bool
window_run(struct pdes *p, unsigned lp)
{
    struct pdes_lp *l = &p->lp[lp];
    uint64_t state = load_state(p, lp);
    if (state % PDES_STATES != PDES_GRANTED ||
        !atomic_compare_exchange_strong(&l->state, &state,
                                        state - PDES_GRANTED + PDES_RUNNING))
        return false;
    uint64_t until = atomic_load_explicit(&l->until, memory_order_relaxed);
    p->ops->begin_window(p->ctx, lp, l->in_order);
    if (l->in_order)
        p->ops->tick_in_order(p->ctx, lp, until - 1);
    else
        run_window(p, lp);
    p->ops->end_window(p->ctx, lp);
    set_need(p, lp, until, 0);
    set_state(l, PDES_PARKED, next_event(p, lp));
    return true;
}

/* ---- on the thread that runs the hub ---- */

/* Whether no LP is ahead of the hub. */
static bool
in_step(const struct pdes *p)
{
    bool all = true;
    for (unsigned i = 0; i < p->lps && all; i++)
        all = pdes_is_parked(p, i);
    for (unsigned i = 0; i < p->lps && all; i++)
        all = p->ops->local_time(p->ctx, i) <= hub_time(p);
    return all;
}

static void
commit_lps(struct pdes *p)
{
    bool together = in_step(p);
    bool over = p->ops->commit(p->ctx, together);
    assert(hub_time(p) <= p->pause && "the hub does not pass the bound");
    if (over || (together && hub_time(p) == p->pause))
        atomic_store(&p->over, true);
}

static bool
lower_are_behind(const struct pdes *p, unsigned lp)
{
    bool all = true;
    for (unsigned i = 0; i < lp && all; i++)
        all = published(p, i) > hub_time(p);
    return all;
}

/* Grants a parked LP its window, unless that is empty. */
static bool
grant_window(struct pdes *p, unsigned lp)
{
    struct pdes_lp *l = &p->lp[lp];
    uint64_t clock = next_event(p, lp);
    uint64_t until = earlier(p->ops->lookahead(p->ctx, lp), p->pause);
    bool in_order = p->ops->next_kind(p->ctx, lp) & PDES_ORDER;
    if (clock >= until || (in_order && !lower_are_behind(p, lp))) {
        set_need(p, lp, until, p->ops->next_input(p->ctx, lp));
        set_state(l, PDES_PARKED, clock);
        return false;
    }
    assert((!in_order || until == hub_time(p) + 1) &&
           "an exchange is one cycle, that of the hub");
    p->ops->grant(p->ctx, lp, clock);
    atomic_store_explicit(&l->until, until, memory_order_relaxed);
    l->in_order = in_order;
    atomic_store(&l->state, clock * PDES_STATES + PDES_GRANTED);
    return true;
}

/* Whether the window of an LP may have grown. */
static bool
needs_grant(const struct pdes *p, unsigned lp)
{
    uint64_t need = atomic_load_explicit(&p->lp[lp].need, memory_order_relaxed);
    return pdes_is_parked(p, lp) &&
           (need / 2 <= hub_time(p) || next_event(p, lp) < published(p, lp));
}

static bool
grant_all(struct pdes *p)
{
    bool granted = false;
    for (unsigned i = 0; i < p->lps; i++)
        granted |= needs_grant(p, i) && grant_window(p, i);
    return granted;
}

/* The lower bound of all clocks: the hub may execute the cycles before it. */
static uint64_t
lower_bound(const struct pdes *p)
{
    uint64_t first = earlier(p->ops->hub_bound(p->ctx), p->pause);
    for (unsigned i = 0; i < p->lps; i++)
        first = earlier(first, pdes_is_parked(p, i) ? next_event(p, i)
                                                    : published(p, i));
    return first;
}

/* Lets all LPs stop in the first cycle that none has passed, nor will in its window, and
 * leaves them to one thread.  A piece has one cycle at least, or a host that is always
 * late would never end the launch. */
static void
stop_early(struct pdes *p)
{
    uint64_t first = hub_time(p) + 1;
    for (unsigned i = 0; i < p->lps; i++) {
        uint64_t end =
            pdes_is_parked(p, i)
                ? p->ops->local_time(p->ctx, i)
                : atomic_load_explicit(&p->lp[i].until, memory_order_relaxed);
        first = first < end ? end : first;
    }
    p->pause = earlier(p->pause, first);
    atomic_store(&p->late, true);
}

bool
window_run_hub(struct pdes *p)
{
    bool did = false, runs = true, granted = false;
    if (!atomic_load(&p->late) && tuning_is_late(&p->pool.tuning))
        stop_early(p);
    while (runs && !granted && !atomic_load(&p->over)) {
        uint64_t limit = lower_bound(p);
        runs = hub_time(p) < limit;
        if (runs)
            p->ops->hub_tick(p->ctx, limit);
        commit_lps(p);
        if (!atomic_load(&p->over))
            granted = grant_all(p);
        did |= runs || granted;
    }
    return did;
}

bool
window_is_due(struct pdes *p, unsigned lp)
{
    if (!pdes_is_parked(p, lp))
        return false;
    uint64_t need = atomic_load_explicit(&p->lp[lp].need, memory_order_relaxed);
    for (unsigned i = 0; i < p->lps; i++) {
        struct pdes_lp *l = &p->lp[i];
        uint64_t first = need / 2 + (need % 2 && i < lp);
        if (published(p, i) >= first)
            continue;
        if (atomic_load_explicit(&l->wanted, memory_order_relaxed) != first)
            atomic_store_explicit(&l->wanted, first, memory_order_relaxed);
        return false;
    }
    return need != UINT64_MAX;
}

void
window_begin(struct pdes *p, uint64_t pause)
{
    p->pause = pause;
    for (unsigned i = 0; i < p->lps; i++) {
        struct pdes_lp *l = &p->lp[i];
        assert(p->ops->local_time(p->ctx, i) <= hub_time(p) &&
               "all LPs are parked in one cycle");
        atomic_store(&l->need, 0);
        atomic_store(&l->wanted, 0);
        set_state(l, PDES_PARKED, next_event(p, i));
    }
    atomic_store(&p->late, false);
    atomic_store(&p->over, false);
}
