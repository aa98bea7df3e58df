/* SPDX-License-Identifier: Apache-2.0 */
/* Sums up the events of the model. */
#include "dbg/profile.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "dbg/access.h"

_Static_assert((int)VENTUS_MODEL_STALLS <= (int)SPOT_CAUSES,
               "a cause has a column");

const char *const profile_ideal_settings[PROFILE_IDEALS] = {
    [PROFILE_WALKS] = "ideal_walks=yes",
    [PROFILE_LINES] = "ideal_access=lines",
    [PROFILE_LOCAL] = "ideal_access=local",
    [PROFILE_BANKS] = "ideal_banks=yes",
    [PROFILE_PRIVATE] = "ideal_private=yes",
    [PROFILE_ATOMICS] = "ideal_atomics=yes",
};

void
profile_begin(struct profile *p)
{
    p->base = p->cycles;
    memset(p->resident, 0, sizeof p->resident);
    memset(p->barrier_at, 0, sizeof p->barrier_at);
    p->all_resident = 0;
    if (!p->bin_cycles)
        p->bin_cycles = 16;
}

static void
add_bin(struct profile_bin *to, const struct profile_bin *from)
{
    for (unsigned i = 0; i < VENTUS_MODEL_STALLS; i++)
        to->slots[i] += from->slots[i];
    to->warps += from->warps;
    to->requests += from->requests;
}

static void
join_bins(struct profile *p)
{
    assert(p->bin_cycles >= 16 && p->bin_cycles <= UINT64_MAX / 2);
    for (unsigned i = 0; i < PROFILE_BINS / 2; i++) {
        struct profile_bin joined = p->bin[2 * i];
        add_bin(&joined, &p->bin[2 * i + 1]);
        p->bin[i] = joined;
    }
    memset(&p->bin[PROFILE_BINS / 2], 0, sizeof p->bin / 2);
    p->bin_cycles *= 2;
}

static struct profile_bin *
bin_at(struct profile *p, uint64_t cycle)
{
    cycle += p->base;
    if (cycle >= p->cycles)
        p->cycles = cycle + 1;
    while (cycle / p->bin_cycles >= PROFILE_BINS)
        join_bins(p);
    assert(cycle < p->cycles && "the launch ends after its last event");
    return &p->bin[cycle / p->bin_cycles];
}

/* Counts a cycle of an SM: once for all events of the cycle. */
static void
count_cycle(struct profile *p, unsigned sm, struct profile_bin *b)
{
    unsigned warps = p->resident[sm];
    b->warps += warps;
    int waiting = __builtin_popcountll(p->barrier_at[sm]);
    if (waiting && warps) {
        p->barriers.cycles++;
        p->barriers.warps_share += (double)waiting / warps;
    } else if (warps) {
        p->barriers.free_cycles++;
    }
}

static void
count_slot(struct profile *p, const struct ventus_model_event *e)
{
    assert(e->why < VENTUS_MODEL_STALLS);
    struct profile_bin *b = bin_at(p, e->cycle);
    b->slots[e->why]++;
    if (!e->number)
        count_cycle(p, e->sm, b);
    if (e->why == VENTUS_MODEL_ISSUED)
        *(p->barrier_at[e->sm] ? &p->barriers.issued
                               : &p->barriers.free_issued) += 1;
    if (e->why == VENTUS_MODEL_NO_WARP) {
        p->alone += p->all_resident > 0;
        return;
    }
    struct spot *row = spots_at(&p->code, e->pc);
    p->incomplete |= !row;
    if (row)
        row->slots[e->why]++;
}

static void
count_issue(struct profile *p, const struct ventus_model_event *e)
{
    struct spot *row = spots_at(&p->code, e->pc);
    p->incomplete |= !row;
    if (!row)
        return;
    spot_name(row, e->step);
    row->issued++;
    row->lanes += e->step->scalar_access
                      ? 1
                      : (unsigned)__builtin_popcountll(e->step->exec);
    spot_count(&row->use, e->step, p->machine.dcache_line_B,
               p->machine.local_banks);
}

static void
note_wait(struct profile *p, const struct ventus_model_event *e)
{
    uint64_t bit = UINT64_C(1) << e->warp;
    assert(e->warp < 64 && "a model has 64 warps an SM at most");
    if (e->why == VENTUS_MODEL_BARRIER)
        p->barrier_at[e->sm] |= bit;
    else
        p->barrier_at[e->sm] &= ~bit;
}

void
profile_event(void *ctx, const struct ventus_model_event *e)
{
    struct profile *p = ctx;
    assert(e->sm < PROFILE_SMS);
    switch (e->kind) {
    case VENTUS_MODEL_EVENT_SLOT:
        count_slot(p, e);
        return;
    case VENTUS_MODEL_EVENT_ISSUED:
        count_issue(p, e);
        return;
    case VENTUS_MODEL_EVENT_WARP:
        p->warps++;
        p->resident[e->sm]++;
        if (++p->all_resident > p->most_resident)
            p->most_resident = p->all_resident;
        return;
    case VENTUS_MODEL_EVENT_WARP_END:
        assert(p->resident[e->sm] > 0 && "a warp ends once");
        p->resident[e->sm]--;
        p->all_resident--;
        p->barrier_at[e->sm] &= ~(UINT64_C(1) << e->warp);
        return;
    case VENTUS_MODEL_EVENT_WAIT:
        note_wait(p, e);
        return;
    case VENTUS_MODEL_EVENT_REQUEST:
        bin_at(p, e->cycle)->requests++;
        return;
    case VENTUS_MODEL_EVENT_GROUP:
    case VENTUS_MODEL_EVENT_FETCHED:
    case VENTUS_MODEL_EVENT_FLUSHED:
    case VENTUS_MODEL_EVENT_STARTED:
    case VENTUS_MODEL_EVENT_DONE:
    case VENTUS_MODEL_EVENT_ACCESS:
    case VENTUS_MODEL_EVENT_ANSWER:
    case VENTUS_MODEL_EVENT_GROUP_END:
    case VENTUS_MODEL_EVENT_KERNEL_END:
        return;
    }
}

void
profile_end(struct profile *p, const struct ventus_model_stats *const *sm,
            unsigned sms)
{
    if (!p->sm)
        p->sm = arena_new(&p->arena, struct ventus_model_stats, sms);
    assert((!p->sms || p->sms == sms) && "all SMs belong to one machine");
    p->sms = sms;
    for (unsigned i = 0; i < sms; i++)
        for (const struct ventus_model_counter *c = ventus_model_counters;
             c->name; c++) {
            uint64_t *to = (uint64_t *)(void *)((char *)&p->sm[i] + c->offset);
            uint64_t value;
            memcpy(&value, (const char *)sm[i] + c->offset, sizeof value);
            *to += value;
        }
}

void
profile_place(struct profile *p, profile_namer *name, void *ctx)
{
    p->place = arena_new(&p->arena, struct profile_place, p->code.n);
    for (size_t i = 0; i < p->code.n; i++) {
        p->place[i] = (struct profile_place){ .symbol = "", .file = "" };
        if (name)
            name(ctx, &p->arena, p->code.row[i].pc, &p->place[i]);
    }
}

void
profile_free(struct profile *p)
{
    spots_free(&p->code);
    arena_free(&p->arena);
    memset(p, 0, sizeof *p);
}

uint64_t
profile_at_once(const struct profile *p)
{
    uint64_t groups = 0;
    for (unsigned i = 0; i < p->sms; i++)
        groups += p->sm[i].workgroups;
    uint64_t warps = groups ? (p->warps + groups - 1) / groups : 0;
    uint64_t n = warps ? p->most_resident / warps : 0;
    return n ? n : 1;
}
