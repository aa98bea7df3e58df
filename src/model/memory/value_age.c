/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dependencies under coherence = rcc.  RVWMO orders a load after the loads
 * that its address was computed from (preserved program order, rules 9 and 12).  A
 * line that has been in the L1D for longer than the values of these loads would
 * give an older value.  So values have an age, the time at which the
 * L1D read them from the L2 (l1d_data.c):
 *
 *     a line        the time of its fill, or the age of the youngest register that
 *                   was stored to it, whichever is younger
 *     a register    the age of what it was loaded from, or of its youngest source
 *     an atomic     now, because it executes at the L2
 *     local memory  the age of the youngest register that was stored to any of it
 *
 * A load reads its line again if the line is older than its address.  If lanes,
 * bytes or registers share an age, it is the youngest of theirs: then some lines are
 * read again without need, which is always permitted.
 */
#include "model/memory/value_age.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "model/pipeline/decode.h"

static uint64_t *
ages_of(const struct value_age *d, unsigned warp)
{
    assert(d->age && warp < d->warps);
    return d->age + (size_t)warp * BUSY_COUNT;
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
span_of(const struct model_op *op, unsigned i, bool grouped)
{
    unsigned r = op->needs[i], span = op->span[i];
    if (span < 2 && ((grouped && r >= BUSY_V) || op->twice >> i & 1))
        span = 2;
    return r + span > BUSY_NONE ? BUSY_NONE - r : span;
}

/* Does each of its needs stand for one register?  BUSY_NONE has the age 0. */
static bool
is_single(const struct model_op *op, bool grouped)
{
    return !(grouped | op->spans | !!op->twice);
}

static uint64_t
age_of_spans(const uint64_t *age, const struct model_op *op, bool grouped)
{
    uint64_t found = 0;
    for (unsigned i = 0; i < OP_SOURCES; i++) {
        unsigned r = op->needs[i];
        unsigned span = r == BUSY_NONE ? 0 : span_of(op, i, grouped);
        for (unsigned n = 0; n < span; n++)
            found = younger(found, age[r + n]);
    }
    return found;
}

/* The youngest age of all registers that an instruction reads. */
static uint64_t
age_of_sources(const struct value_age *d, unsigned warp,
               const struct model_op *op, bool grouped)
{
    const uint64_t *age = ages_of(d, warp);
    uint64_t found = 0;
    if (!is_single(op, grouped))
        return age_of_spans(age, op, grouped);
    for (unsigned i = 0; i < OP_SOURCES; i++)
        found = younger(found, age[op->needs[i]]);
    return found;
}

uint64_t
value_age_address(const struct value_age *d, unsigned warp,
                  const struct model_op *op, bool grouped)
{
    bool has_address = op->memory && !op->fence;
    return has_address ? age_of_sources(d, warp, op, grouped) : 0;
}

static void
set_age(uint64_t *age, uint64_t to, bool whole)
{
    *age = whole ? to : younger(*age, to);
}

/* Local memory has no line: it is as young as the youngest of it. */
static uint64_t
age_of_memory(struct value_age *d, const struct model_op *op, uint64_t address,
              const struct value_age_step *step)
{
    if (step->local && (op->write || op->atomic))
        d->local = younger(d->local, address);
    return younger(step->read, step->local ? d->local : 0);
}

/* Branches: no age changes. */
static bool
has_no_result(const struct model_op *op)
{
    bool found = op->memory;
    for (unsigned i = OP_SOURCES; i < OP_REGISTERS; i++)
        found |= op->needs[i] != BUSY_NONE;
    return !found;
}

void
value_age_write(struct value_age *d, unsigned warp, const struct model_op *op,
                const struct value_age_step *step)
{
    if (op->fence || has_no_result(op))
        return;
    uint64_t *age = ages_of(d, warp);
    uint64_t to = age_of_sources(d, warp, op, step->grouped);
    if (op->memory)
        to = age_of_memory(d, op, to, step);
    bool whole = step->exec == d->all;
    for (unsigned i = OP_SOURCES; i < OP_REGISTERS; i++) {
        unsigned r = op->needs[i];
        if (r == BUSY_X || r == BUSY_NONE)
            continue;
        unsigned span =
            is_single(op, step->grouped) ? 1 : span_of(op, i, step->grouped);
        for (unsigned n = 0; n < span; n++)
            set_age(&age[r + n], to, r < BUSY_V || whole);
    }
}

uint64_t
value_age_of(const struct value_age *d, unsigned warp, unsigned reg)
{
    assert(reg < BUSY_COUNT);
    return ages_of(d, warp)[reg];
}

void
value_age_clear(struct value_age *d, unsigned warp)
{
    memset(ages_of(d, warp), 0, BUSY_COUNT * sizeof *d->age);
}

bool
value_age_create(struct value_age *d, unsigned warps, unsigned lanes)
{
    assert(lanes && lanes <= 64);
    *d =
        (struct value_age){ .warps = warps, .all = UINT64_MAX >> (64 - lanes) };
    d->age = calloc((size_t)warps * BUSY_COUNT, sizeof *d->age);
    return d->age;
}

void
value_age_destroy(struct value_age *d)
{
    free(d->age);
}
