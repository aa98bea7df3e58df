/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which of the ready warps issues (key `scheduler`).
 *
 *   rr         in turn from the one behind the last, as the hardware's
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
#include "model/machine.h"

/* The first of some warps from one on, around the end. */
static unsigned
first_from(uint64_t warps, unsigned from)
{
    debug_assert(warps && from < MAX_WARPS);
    uint64_t later = warps & ~(bit_of(from) - 1);
    return lowest(later ? later : warps);
}

static unsigned
oldest(const struct sm *s, uint64_t ready)
{
    unsigned best = lowest(ready);
    for (; ready; ready &= ready - 1)
        if (s->warp[lowest(ready)].age < s->warp[best].age)
            best = lowest(ready);
    return best;
}

/* For memory, or at a barrier. */
static uint64_t
waiting(const struct sm *s)
{
    const struct began *b = &s->began;
    uint64_t held = b->branching | b->collecting;
    return b->active &
           (b->waits | (scoreboard_needs_load(&s->scoreboard) & ~held));
}

/* Fills the inner set, which is that of all ports, from the others in turn. */
static uint64_t
fill_inner(struct sm *s)
{
    struct schedule *d = &s->schedule[PORT_ANY];
    uint64_t waits = waiting(s);
    uint64_t others = s->active & ~waits & ~d->inner;
    unsigned room = s->m->config.inner_warps;
    d->inner &= s->active & ~waits;
    debug_assert((unsigned)__builtin_popcountll(d->inner) <= room);
    room -= (unsigned)__builtin_popcountll(d->inner);
    for (others &= ~d->inner; room && others; room--) {
        unsigned i = first_from(others, d->outer_next);
        d->outer_next = (i + 1) % s->warps;
        d->inner |= bit_of(i);
        others &= ~bit_of(i);
    }
    return d->inner;
}

static int
choose_inner(struct sm *s, const struct schedule *d, uint64_t ready)
{
    ready &= fill_inner(s);
    return ready ? (int)first_from(ready, d->next) : NEVER;
}

static unsigned
any_of(const struct sm *s, unsigned port, uint64_t ready)
{
    unsigned n = (unsigned)__builtin_popcountll(ready);
    uint64_t key = (uint64_t)s->id * PORTS + port;
    for (n = random_of(s->m->config.seed, s->now, key) % n; n; n--)
        ready &= ready - 1;
    return lowest(ready);
}

int
schedule_choose(struct sm *s, unsigned port, uint64_t ready)
{
    struct schedule *d = &s->schedule[port];
    switch (s->m->config.scheduler) {
    case VENTUS_MODEL_RR:
        return (int)first_from(ready, d->next);
    case VENTUS_MODEL_FIXED:
        return (int)lowest(ready);
    case VENTUS_MODEL_LRR:
        return (int)first_from(ready, (unsigned)(s->now % s->warps));
    case VENTUS_MODEL_GTO:
        return (int)(ready >> d->last & 1 ? d->last : oldest(s, ready));
    case VENTUS_MODEL_TWO_LEVEL:
        return choose_inner(s, d, ready);
    case VENTUS_MODEL_RANDOM:
        return (int)any_of(s, port, ready);
    }
    return NEVER;
}

void
schedule_issued(struct sm *s, unsigned port, unsigned warp)
{
    struct schedule *d = &s->schedule[port];
    debug_assert(warp < s->warps && d->issued_at != s->now);
    d->next = warp + 1 == s->warps ? 0 : warp + 1;
    d->last = warp;
    d->issued_at = s->now;
}
