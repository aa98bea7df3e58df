/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The warp scheduler: which of the ready warps issues (key `scheduler`).
 *
 *   rr         in turn from the one after the last, as the hardware's
 *              arbiters: the turn stays where it is while no warp is ready
 *   fixed      the lowest warp slot
 *   lrr        loose round robin: the turn passes on every cycle, and a warp
 *              that is not ready then loses it
 *   gto        greedy, then oldest: the same warp until it is not ready, then
 *              the one that was launched first
 *   two_level  in turn among `inner_warps` warps; one that waits for memory or
 *              at a barrier leaves them to the next of the others
 *   random     any of them, as `seed` has it: an order for tests of programs
 *              that must not depend on it
 */
#include "model/pipeline/schedule.h"

#include <assert.h>

#include "base/debug_assert.h"

static unsigned
oldest(const struct scheduler *d, uint64_t ready)
{
    const uint64_t *age = d->state.age;
    unsigned best = lowest(ready);
    for (; ready; ready &= ready - 1)
        if (age[lowest(ready)] < age[best])
            best = lowest(ready);
    return best;
}

/* Fills the inner set from the others in turn. */
static uint64_t
fill_inner(struct scheduler *d, const struct scheduler_warps *w)
{
    struct scheduler_state *t = &d->state;
    uint64_t may = w->active & ~w->waiting, others = may & ~t->inner;
    unsigned room = d->config->inner_warps;
    t->inner &= may;
    debug_assert((unsigned)__builtin_popcountll(t->inner) <= room &&
                 "the inner set has inner_warps warps at most");
    room -= (unsigned)__builtin_popcountll(t->inner);
    for (; room && others; room--) {
        unsigned i = scheduler_first_from(others, t->outer_next);
        t->outer_next = (i + 1) % d->warps;
        t->inner |= bit_of(i);
        others &= ~bit_of(i);
    }
    return t->inner;
}

static int
choose_inner(struct scheduler *d, unsigned port,
             const struct scheduler_warps *w)
{
    uint64_t ready = w->ready & fill_inner(d, w);
    return ready ? (int)scheduler_first_from(ready, d->turn.next[port]) : NEVER;
}

static unsigned
any_of(const struct scheduler *d, unsigned port, uint64_t now, uint64_t ready)
{
    unsigned n = (unsigned)__builtin_popcountll(ready);
    uint64_t key = (uint64_t)d->sm * PORTS + port;
    for (n = random_of(d->config->seed, now, key) % n; n; n--)
        ready &= ready - 1;
    return lowest(ready);
}

int
scheduler_choose_other(struct scheduler *d, unsigned port, uint64_t now,
                       struct scheduler_warps w)
{
    unsigned last = d->state.last[port];
    debug_assert(w.ready && port < PORTS);
    switch (d->config->scheduler) {
    case VENTUS_MODEL_RR:
        break;
    case VENTUS_MODEL_FIXED:
        return (int)lowest(w.ready);
    case VENTUS_MODEL_LRR:
        return (int)scheduler_first_from(w.ready, (unsigned)(now % d->warps));
    case VENTUS_MODEL_GTO:
        return (int)(w.ready >> last & 1 ? last : oldest(d, w.ready));
    case VENTUS_MODEL_TWO_LEVEL:
        return choose_inner(d, port, &w);
    case VENTUS_MODEL_RANDOM:
        return (int)any_of(d, port, now, w.ready);
    }
    assert(!"rr chooses inline");
    return NEVER;
}

uint64_t
scheduler_open(const struct scheduler *d, unsigned port, uint64_t ready)
{
    unsigned next = d->turn.next[port];
    uint64_t later = ~(bit_of(next) - 1);
    debug_assert(port < PORTS && next < d->warps);
    if (!ready || d->config->scheduler != VENTUS_MODEL_RR)
        return UINT64_MAX;
    uint64_t upto = 2 * bit_of(scheduler_first_from(ready, next)) - 1;
    return ready & later ? later & upto : later | upto;
}

void
scheduler_issued(struct scheduler *d, unsigned port, uint64_t now,
                 unsigned warp)
{
    debug_assert(warp < d->warps && d->state.at[port] != now);
    d->turn.next[port] = warp + 1 == d->warps ? 0 : warp + 1;
    d->state.last[port] = warp;
    d->state.at[port] = now;
}

void
scheduler_start(struct scheduler *d, unsigned warp)
{
    assert(warp < d->warps);
    d->state.age[warp] = d->state.started++;
}

void
scheduler_init(struct scheduler *d, const struct ventus_model_config *config,
               unsigned sm, unsigned warps)
{
    assert(warps && warps <= MAX_WARPS);
    *d = (struct scheduler){ .config = config, .sm = sm, .warps = warps };
    for (unsigned port = 0; port < PORTS; port++)
        d->turn.next[port] = config->arbiters_begin % warps;
    scheduler_reset(d);
}

void
scheduler_reset(struct scheduler *d)
{
    d->state = (struct scheduler_state){ .at = { UINT64_MAX, UINT64_MAX } };
}
