/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CTA scheduler: the common part of both designs, and the scheduler of the Verilog
 * design.  The latter requests a workgroup from the host when an SM has room, at most
 * one a cycle, and gives the SM a warp every few cycles, the last warp first.  The end
 * of a workgroup is reported at once if its SM has others, otherwise when the SM has
 * drained.
 */
#include "model/cta.h"

#include <stdlib.h>
#include <string.h>

/* ---- slots ---- */

static uint64_t
slots_of(const struct cta *c)
{
    unsigned n = c->launch.slots;
    return n < 64 ? bit_of(n) - 1 : UINT64_MAX;
}

void
cta_take(struct cta *c, unsigned sm, unsigned slot, uint64_t number)
{
    struct cta_sm *s = &c->sm[sm];
    assert(slot < c->launch.slots && !(s->used >> slot & 1));
    assert(s->warps >= c->launch.warps);
    s->used |= bit_of(slot);
    s->warps -= c->launch.warps;
    s->groups++;
    s->number[slot] = number;
    s->live[slot] = (uint8_t)c->launch.warps;
}

bool
cta_count_end(struct cta *c, unsigned sm, unsigned slot)
{
    struct cta_sm *s = &c->sm[sm];
    assert(s->used >> slot & 1 && s->live[slot]);
    return !--s->live[slot];
}

void
cta_report(struct cta *c, unsigned sm, unsigned slot, uint64_t cycle)
{
    assert(!c->sm[sm].live[slot] && c->state.done < c->launch.groups);
    c->state.done++;
    c->port.done(c->port.ctx, sm, c->sm[sm].number[slot], cycle);
}

/* ---- ends ---- */

void
cta_warp_ended(struct cta *c, unsigned sm, unsigned slot, bool last,
               uint64_t now)
{
    struct cta_sm *s = &c->sm[sm];
    assert(s->ends < MAX_WARPS);
    s->end[(s->first + s->ends++) % MAX_WARPS] =
        (struct cta_end){ .at = now, .slot = (uint8_t)slot, .last = last };
}

struct cta_end
cta_pop_end(struct cta *c, unsigned sm)
{
    struct cta_sm *s = &c->sm[sm];
    assert(s->ends);
    struct cta_end e = s->end[s->first];
    s->first = (s->first + 1) % MAX_WARPS;
    s->ends--;
    return e;
}

/* A workgroup of which nothing is left. */
static void
give_back(struct cta *c, unsigned sm, unsigned slot, uint64_t cycle)
{
    struct cta_sm *s = &c->sm[sm];
    cta_report(c, sm, slot, cycle);
    s->used &= ~bit_of(slot);
    s->groups--;
}

static void
count_ends(struct cta *c, unsigned sm)
{
    struct cta_sm *s = &c->sm[sm];
    while (s->ends) {
        struct cta_end e = cta_pop_end(c, sm);
        bool done = cta_count_end(c, sm, e.slot);
        s->warps++;
        s->closed |= e.last;
        if (done && !e.last && !c->config->one_group)
            give_back(c, sm, e.slot, e.at + 1);
    }
}

void
cta_drained(struct cta *c, unsigned sm, uint64_t now)
{
    struct cta_sm *s = &c->sm[sm];
    assert(!s->ends && s->closed);
    s->closed = false;
    for (uint64_t left = s->used; left; left &= left - 1)
        if (!s->live[lowest(left)])
            give_back(c, sm, lowest(left), now + 1);
    if (c->config->one_group)
        c->state.ask_at = now + c->config->next_cycles;
}

/* ---- starts ---- */

static bool
has_room(const struct cta *c, unsigned sm)
{
    const struct cta_sm *s = &c->sm[sm];
    return !s->closed && (!c->config->one_group || !s->used) &&
           slots_of(c) & ~s->used && s->warps >= c->launch.warps;
}

static void
start(struct cta *c, unsigned sm, uint64_t now)
{
    const struct ventus_model_config *config = c->config;
    struct cta_sm *s = &c->sm[sm];
    unsigned slot = lowest(slots_of(c) & ~s->used);
    c->port.taken(c->port.ctx, c->state.next, now);
    cta_take(c, sm, slot, c->state.next++);
    cta_start_group(c, sm, slot);
    for (unsigned i = 0; i < c->launch.warps; i++) {
        unsigned id = c->launch.warps - 1 - i;
        uint64_t at = now + config->launch_cycles + i * config->dispatch_cycles;
        if (!c->port.start_warp(c->port.ctx, sm, slot, id, at)) {
            cta_count_end(c, sm, slot);
            s->warps++;
        }
    }
}

static void
ask_host(struct cta *c, uint64_t now)
{
    struct cta_state *t = &c->state;
    if (t->next == t->end || t->ask_at > now)
        return;
    for (unsigned i = 0; i < c->sms; i++) {
        unsigned sm = (t->prefers + i) % c->sms;
        if (c->port.is_away(c->port.ctx, sm) || !has_room(c, sm))
            continue;
        start(c, sm, now);
        if (!c->config->one_group) /* in the RTL reference one SM works */
            t->prefers = (sm + 1) % c->sms;
        t->ask_at = c->config->one_group ? UINT64_MAX : now + 1;
        return;
    }
}

void
cta_tick(struct cta *c, uint64_t now)
{
    if (c->config->wg_buffer) {
        cta_buffer_tick(c, now);
        return;
    }
    for (unsigned i = 0; i < c->sms; i++)
        if (!c->port.is_away(c->port.ctx, i))
            count_ends(c, i);
    ask_host(c, now);
}

bool
cta_wants(const struct cta *c, unsigned sm)
{
    return c->config->wg_buffer
               ? cta_buffer_wants(c, sm)
               : has_room(c, sm) && c->state.next != c->state.end;
}

bool
cta_is_settled(const struct cta *c)
{
    bool wanted = false;
    for (unsigned i = 0; i < c->sms; i++)
        wanted |= cta_wants(c, i);
    return !wanted || c->state.ask_at == UINT64_MAX;
}

uint64_t
cta_next_event(const struct cta *c)
{
    if (c->config->wg_buffer)
        return cta_buffer_next_event(c);
    if (c->state.next == c->state.end || c->state.ask_at == UINT64_MAX)
        return UINT64_MAX;
    for (unsigned i = 0; i < c->sms; i++)
        if (!c->port.is_away(c->port.ctx, i) && cta_wants(c, i))
            return c->state.ask_at;
    return UINT64_MAX;
}

/* ---- life ---- */

bool
cta_create(struct cta *c, const struct ventus_model_config *config,
           unsigned sms, unsigned warps, const struct cta_ports *port)
{
    assert(sms && warps && warps <= MAX_WARPS);
    assert(config->wg_buffer <= CTA_ENTRIES);
    *c = (struct cta){
        .config = config, .port = *port, .sms = sms, .warps = warps
    };
    c->sm = calloc(sms, sizeof *c->sm);
    return c->sm;
}

void
cta_destroy(struct cta *c)
{
    free(c->sm);
}

void
cta_reset(struct cta *c, const struct cta_launch *launch)
{
    assert(launch->slots && launch->slots <= c->warps);
    c->launch = *launch;
    c->state =
        (struct cta_state){ .next = launch->first,
                            .end = launch->first + launch->groups,
                            .prefers = c->sms - 1,
                            .served =
                                c->config->arbiters_begin ? 0 : c->sms - 1 };
    memset(c->sm, 0, c->sms * sizeof *c->sm);
    for (unsigned i = 0; i < c->sms; i++)
        c->sm[i].warps = c->warps;
    cta_buffer_reset(c);
}
