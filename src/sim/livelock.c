/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Livelock detection: barriers that never complete, because some warps wait
 * and the others loop for ever.
 *
 * A workgroup is deterministic.  If its state (registers, masks, stacks) equals
 * that of some turns before, with no store and no read of a counter in between,
 * it repeats for ever unless another workgroup stores something: it is quiet.
 *
 *   1. States after turns are compared (base/recurrence.h), which finds the period.
 *      Then the search repeats with short turns, for a short period.
 *   2. The workgroup is traced for one period.  If it stores nothing and ends
 *      in the same state it is quiet, until one of these no longer holds.
 *   3. When all workgroups are quiet and no other can start, each has to stay
 *      quiet for one more period, because it may not have read the last store of
 *      another one yet.  When all have, nothing will ever change.
 *
 * Events (a workgroup starts or ends, or is no longer quiet) restart step 3.
 * Only a workgroup with waiting warps and warps that use up their time slice
 * gets here, so this costs nothing elsewhere.
 */
#include <assert.h>

#include "sim/state.h"

enum { SURE_BITS = 20 }; /* sim_run.sure: events above, a number below */
enum { FINE_TURNS_MAX = 1 << 16 }; /* short turns until the search ends */

/* ---- the state of a workgroup ---- */

static void
mix(uint64_t hash[2], uint64_t x)
{
    hash[0] = (hash[0] ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    hash[0] ^= hash[0] >> 29;
    hash[1] = (hash[1] + x) * UINT64_C(0xd1342543de82ef95);
    hash[1] ^= hash[1] >> 32;
}

static void
mix_words(uint64_t hash[2], const uint32_t *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        mix(hash, words[i]);
}

static void
mix_reservations(uint64_t hash[2], const struct sim_warp *w)
{
    mix(hash, w->reserved);
    mix(hash, w->reserved & w->reserved_wide);
    for (uint64_t left = w->reserved; left; left &= left - 1) {
        int lane = __builtin_ctzll(left);
        mix(hash, w->reserved_at[lane]);
        mix(hash, w->reserved_value[lane]);
    }
}

static void
mix_warp(uint64_t hash[2], const struct sim_warp *w)
{
    size_t rows = atomic_load(&w->worker->sim->code.rows);
    assert(rows <= SIM_VREGS && w->depth <= w->stack_max);
    mix(hash, w->stop);
    if (w->stop == STOP_END)
        return;
    mix(hash, w->next ? w->next->pc : 0);
    mix(hash, w->mask);
    mix_words(hash, w->x, SIM_XREGS);
    mix_words(hash, w->v, rows * w->lanes);
    for (unsigned i = 0; i < w->depth; i++) {
        mix(hash, (uint64_t)w->stack[i].rpc << 32 | w->stack[i].pc);
        mix(hash, w->stack[i].mask);
    }
    const uint32_t csrs[] = { w->vl,    w->vtype, w->rpc,     w->fflags,
                              w->frm,   w->gds,   w->mstatus, w->mtvec,
                              w->vxsat, w->vxrm,  w->print,   w->depth };
    mix_words(hash, csrs, sizeof csrs / sizeof *csrs);
    mix_reservations(hash, w);
    for (unsigned i = 0; i < JOIN_BITS / 64; i++)
        mix(hash, w->named[i]);
}

void
warp_hash(const struct sim_warp *w, uint64_t hash[2])
{
    hash[0] = hash[1] = 0;
    mix_warp(hash, w);
}

static void
hash_group(const struct sim_group *g, uint64_t hash[2])
{
    hash[0] = hash[1] = 0;
    for (unsigned i = 0; i < g->warps; i++)
        mix_warp(hash, &g->warp[i]);
}

/* ---- all workers together ---- */

/* How many events there were; *settled: all that run are quiet. */
static uint64_t
count_events(const struct sim_run *run, unsigned *busy, bool *settled)
{
    uint64_t events = 0;
    unsigned quiet = 0;
    *busy = 0;
    for (unsigned i = 0; i < run->workers; i++) {
        const struct sim_worker *k = &run->sim->worker[i];
        events += atomic_load(&k->events);
        *busy += atomic_load(&k->busy);
        quiet += atomic_load(&k->quiet);
    }
    *settled = quiet == *busy;
    return events;
}

/* Counts a warp of `busy` that went round without effect; true if all have. */
static bool
all_are_sure(struct sim_run *run, uint64_t events, unsigned busy)
{
    assert(busy < 1u << SURE_BITS); /* the number below the events */
    uint64_t old = atomic_load(&run->sure), mine;
    do {
        uint64_t of = old >> SURE_BITS;
        if (of > events)
            return false;
        mine = of == events ? old + 1 : events << SURE_BITS | 1;
    } while (!atomic_compare_exchange_weak(&run->sure, &old, mine));
    return (mine & ((UINT64_C(1) << SURE_BITS) - 1)) >= busy;
}

void
livelock_event(struct sim_worker *k, int busy)
{
    assert(busy >= 0 || atomic_load(&k->busy) > 0);
    atomic_store(&k->busy, atomic_load(&k->busy) + (unsigned)busy);
    atomic_fetch_add(&k->events, 1);
}

void
livelock_reset(struct sim_worker *k, struct sim_group *g)
{
    assert(!g->livelock.quiet || atomic_load(&k->quiet) > 0);
    if (g->livelock.quiet) {
        atomic_fetch_sub(&k->quiet, 1);
        atomic_fetch_add(&k->events, 1);
    }
    g->livelock = (struct sim_livelock){ .period = 0 };
}

/* ---- one workgroup ---- */

static void
begin_period(const struct sim_worker *k, struct sim_livelock *s)
{
    assert(s->period > 0);
    unsigned busy;
    bool settled;
    s->events = count_events(k->run, &busy, &settled);
    s->settled = settled;
    s->left = s->period;
    s->stored = false;
}

/* A period has passed as the one before. */
static bool
repeats_itself(struct sim_worker *k, struct sim_livelock *s)
{
    unsigned busy;
    bool settled;
    if (!s->quiet) {
        s->quiet = true;
        atomic_fetch_add(&k->quiet, 1);
        return false;
    }
    uint64_t events = count_events(k->run, &busy, &settled);
    if (!settled || !s->settled || events != s->events ||
        (s->is_sure && s->sure_of == events))
        return false;
    s->is_sure = true;
    s->sure_of = events;
    return all_are_sure(k->run, events, busy);
}

bool
livelock_found(struct sim_worker *k, struct sim_group *g)
{
    struct sim_livelock *s = &g->livelock;
    assert(!s->period || s->left > 0);
    uint64_t now[2];
    if (s->period && --s->left)
        return false;
    hash_group(g, now);
    if (s->period && (s->stored || !recurrence_is_kept(&s->state, now))) {
        livelock_reset(k, g);
    } else if (s->period) {
        if (repeats_itself(k, s))
            return true;
        begin_period(k, s);
    } else if (!recurrence_found(&s->state, now, NULL)) {
        if (s->fine && s->state.next_kept > FINE_TURNS_MAX)
            livelock_reset(k, g);
    } else if (!s->fine) {
        *s = (struct sim_livelock){ .fine = true };
    } else {
        s->period = s->state.age;
        begin_period(k, s);
    }
    return false;
}
