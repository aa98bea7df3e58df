/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dependencies under coherence = rcc.  RVWMO orders a load behind the loads
 * that its address was made of (preserved program order, rules 9 and 12); a
 * line that has been in the L1D for longer than those loads' values would show
 * what was there before them.  So values have an age, the time at which the
 * L1D took them from the L2:
 *
 *     a line        when it was filled; and that of the youngest register that
 *                   was stored into it, which is the younger for its readers
 *     a register    what it was loaded from, or the youngest of its sources
 *     an atomic     now, it is done at the L2
 *     local memory  the youngest register that was stored into it, for all of it
 *
 * and a load takes its line anew if the line is older than its address.  Where
 * lanes, bytes or registers are not told apart the age is that of the youngest:
 * a line is then taken anew without need, which is always allowed.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "model/machine.h"

static uint64_t *
ages_of(const struct sm *s, unsigned warp)
{
    assert(s->depend.age && warp < s->warps);
    return s->depend.age + (size_t)warp * BUSY_COUNT;
}

static uint64_t
younger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/*
 * How many registers needs[i] stands for: pairs, with LMUL 2 groups.  Elements
 * of 2 * SEW bits count as pairs whatever SEW is, which is allowed.
 */
static unsigned
span_of(const struct sm *s, unsigned warp, const struct model_op *op,
        unsigned i)
{
    const struct warp *w = &s->warp[warp];
    unsigned r = op->needs[i], span = op->span[i];
    bool group = r >= BUSY_V && step_is_grouped(s->stepper, w->group, w->id);
    if (span < 2 && (group || op->twice >> i & 1))
        span = 2;
    return r + span > BUSY_NONE ? BUSY_NONE - r : span;
}

/* Of all registers that it reads. */
static uint64_t
age_of_sources(const struct sm *s, unsigned warp, const struct model_op *op)
{
    const uint64_t *age = ages_of(s, warp);
    uint64_t found = 0;
    for (unsigned i = 0; i < OP_SOURCES; i++) {
        unsigned r = op->needs[i];
        unsigned span = r == BUSY_NONE ? 0 : span_of(s, warp, op, i);
        for (unsigned n = 0; n < span; n++)
            found = younger(found, age[r + n]);
    }
    return found;
}

void
depend_before(struct sm *s, unsigned warp, const struct model_op *op)
{
    s->depend.read = s->depend.address = 0;
    if (op && op->memory && !op->fence)
        s->depend.address = age_of_sources(s, warp, op);
}

static void
set_age(uint64_t *age, uint64_t to, bool whole)
{
    *age = whole ? to : younger(*age, to);
}

/* Local memory has no line: it is as young as the youngest of it. */
static uint64_t
age_of_memory(struct sm *s, const struct model_op *op)
{
    const struct step_access *a = &s->rcc.access;
    struct depend *d = &s->depend;
    bool local = false;
    for (unsigned i = 0; i < a->n; i++)
        local |= a->at[i] == UINT64_MAX;
    if (local && (op->write || op->atomic))
        d->local = younger(d->local, d->address);
    return younger(d->read, local ? d->local : 0);
}

void
depend_after(struct sm *s, unsigned warp, const struct model_op *op,
             uint64_t exec)
{
    if (!op || op->fence)
        return;
    uint64_t *age = ages_of(s, warp);
    uint64_t to =
        op->memory ? age_of_memory(s, op) : age_of_sources(s, warp, op);
    bool whole = exec == UINT64_MAX >> (64 - s->m->machine.num_thread);
    for (unsigned i = OP_SOURCES; i < OP_REGISTERS; i++) {
        unsigned r = op->needs[i];
        if (r == BUSY_X || r == BUSY_NONE)
            continue;
        unsigned span = span_of(s, warp, op, i);
        for (unsigned n = 0; n < span; n++)
            set_age(&age[r + n], to, r < BUSY_V || whole);
    }
}

void
depend_start(struct sm *s, unsigned warp)
{
    memset(ages_of(s, warp), 0, BUSY_COUNT * sizeof(uint64_t));
}

bool
depend_create(struct sm *s)
{
    if (!s->m->config.rcc)
        return true;
    s->depend.age =
        calloc((size_t)s->m->machine.num_warp * BUSY_COUNT, sizeof(uint64_t));
    return s->depend.age;
}

void
depend_destroy(struct sm *s)
{
    free(s->depend.age);
}
