/* SPDX-License-Identifier: Apache-2.0 */
/* Sums up the events of the model. */
#include "dbg/profile.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "dbg/access.h"

_Static_assert((int)VENTUS_MODEL_STALLS <= (int)SPOT_CAUSES,
               "a cause has a column");

void
profile_begin(struct profile *p)
{
    p->base = p->cycles;
    memset(p->resident, 0, sizeof p->resident);
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
    assert(cycle < p->cycles);
    return &p->bin[cycle / p->bin_cycles];
}

static void
count_slot(struct profile *p, const struct ventus_model_event *e)
{
    assert(e->why < VENTUS_MODEL_STALLS);
    struct profile_bin *b = bin_at(p, e->cycle);
    b->slots[e->why]++;
    if (!e->number) /* once a cycle */
        b->warps += p->resident[e->sm];
    if (e->why == VENTUS_MODEL_NO_WARP)
        return;
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
        return;
    case VENTUS_MODEL_EVENT_WARP_END:
        assert(p->resident[e->sm] > 0);
        p->resident[e->sm]--;
        return;
    case VENTUS_MODEL_EVENT_REQUEST:
        bin_at(p, e->cycle)->requests++;
        return;
    case VENTUS_MODEL_EVENT_GROUP:
    case VENTUS_MODEL_EVENT_FETCHED:
    case VENTUS_MODEL_EVENT_FLUSHED:
    case VENTUS_MODEL_EVENT_WAIT:
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
    assert(!p->sms || p->sms == sms); /* of one machine */
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
