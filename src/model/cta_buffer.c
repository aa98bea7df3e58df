/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CTA scheduler of the Chisel design, cycle by cycle (microarchitecture.md,
 * Launch; ventus/src/cta):
 *
 *   wg_buffer       the host fills wg_buffer entries, one a cycle; entries are offered
 *                   round robin, whether they were rejected before or not
 *   allocator       idle, next SM, check of two SMs, place or reject: four cycles an
 *                   entry; it polls while there is no room
 *   resource_table  base addresses of registers and local memory, for one workgroup
 *                   at a time (cta_tables.c)
 *   cu_interface    a FIFO of two, and a warp a cycle; it counts one end in two
 *                   cycles, of the SMs in turn
 *
 * While no SM has room only the position of the polling changes.  The model skips such
 * cycles and computes whole rounds of them at the next event.
 */
#include <string.h>

#include "model/cta.h"

enum { STEP = 2 }; /* SMs that are checked in a cycle */

static unsigned
entries_of(const struct cta *c)
{
    return c->config->wg_buffer;
}

static uint32_t
all_entries(const struct cta *c)
{
    return (uint32_t)(bit_of(entries_of(c)) - 1);
}

/* Round robin: the first behind the one that had its turn. */
static unsigned
next_of(uint32_t entries, unsigned last, unsigned n)
{
    assert(entries && last < n);
    do
        last = (last + 1) % n;
    while (!(entries >> last & 1));
    return last;
}

/* ---- room ---- */

/* Of warp slots, and of all that limits how many workgroups an SM holds. */
static bool
has_room(const struct cta *c, unsigned sm)
{
    const struct cta_sm *s = &c->sm[sm];
    unsigned n = c->launch.slots;
    uint64_t slots = n < 64 ? bit_of(n) - 1 : UINT64_MAX;
    return slots & ~s->used && s->warps >= c->launch.warps;
}

/* ---- ends: cu_interface, resource_table, allocator ---- */

/* The tables need two cycles to let a workgroup go, two to scan what is free, and one to
 * tell the allocator, which can use it in the next. */
enum { RELEASES = 6 };

static void
release(struct cta *c, unsigned sm, unsigned slot, uint64_t now)
{
    struct cta_state *t = &c->state;
    assert(t->releases < MAX_WARPS);
    t->release[t->releases++] = (struct cta_release){ .at = now + RELEASES,
                                                      .sm = sm,
                                                      .slot = (uint8_t)slot };
}

static void
take_releases(struct cta *c, uint64_t now)
{
    struct cta_state *t = &c->state;
    unsigned left = 0;
    for (unsigned i = 0; i < t->releases; i++) {
        const struct cta_release r = t->release[i];
        struct cta_sm *s = &c->sm[r.sm];
        if (r.at > now) {
            t->release[left++] = r;
            continue;
        }
        s->used &= ~bit_of(r.slot);
        s->warps += c->launch.warps;
        s->groups--;
        s->leaving--;
    }
    t->releases = left;
}

/* The tables see the end from the cycle of its report on. */
static void
try_release(struct cta *c, int comes, uint64_t now)
{
    struct cta_state *t = &c->state;
    const struct cta_placed *r = &t->released;
    if (!t->releases_one || !cta_tables_release(c, r->sm, comes, now))
        return;
    release(c, r->sm, r->slot, now);
    t->releases_one = false;
    t->serves_at = now + (now == r->at ? 1 : 2);
}

/* Of the SMs whose ends can be seen the next in turn. */
static int
next_end(const struct cta *c, uint64_t now)
{
    for (unsigned k = 1; k <= c->sms; k++) {
        unsigned i = (c->state.served + k) % c->sms;
        const struct cta_sm *s = &c->sm[i];
        if (!c->port.is_away(c->port.ctx, i) && s->ends &&
            s->end[s->first].at < now)
            return (int)i;
    }
    return NEVER;
}

static void
serve_end(struct cta *c, uint64_t now)
{
    struct cta_state *t = &c->state;
    int found = t->serves_at <= now ? next_end(c, now) : NEVER;
    if (found < 0)
        return;
    unsigned sm = (unsigned)found, slot = cta_pop_end(c, sm).slot;
    t->served = sm;
    t->serves_at = now + 2;
    if (!cta_count_end(c, sm, slot))
        return;
    cta_report(c, sm, slot, now + 1);
    c->sm[sm].leaving++;
    t->releases_one = true;
    t->released = (struct cta_placed){ .at = now + 1, .sm = sm, .slot = slot };
    t->serves_at = UINT64_MAX;
}

/* ---- cu_interface: the fifo, and a warp a cycle ---- */

static void
send_warp(struct cta *c, uint64_t now)
{
    struct cta_state *t = &c->state;
    const struct cta_placed *p = &t->fifo[0];
    if (!t->queued || p->at > now)
        return;
    if (!t->left) {
        cta_start_group(c, p->sm, p->slot);
        t->left = c->launch.warps;
        return;
    }
    unsigned id = c->launch.warps - t->left--;
    if (!c->port.start_warp(c->port.ctx, p->sm, p->slot, id, now + 1))
        cta_warp_ended(c, p->sm, p->slot, false, now);
    if (t->left)
        return;
    c->sm[p->sm].coming--;
    t->fifo[0] = t->fifo[1];
    t->queued--;
}

/* The base addresses are known: true, if the tables take the next. */
static bool
leave_tables(struct cta *c, uint64_t now, unsigned queued)
{
    struct cta_state *t = &c->state;
    if (t->in_tables && t->table.at <= now && queued < CTA_FIFO) {
        t->table.at = now + 1;
        t->fifo[t->queued++] = t->table;
        t->in_tables = false;
    }
    return !t->in_tables;
}

/* ---- the buffer ---- */

static void
fill_buffer(struct cta *c, const struct cta_poll *was, uint64_t now)
{
    struct cta_state *t = &c->state;
    uint32_t free = all_entries(c) & ~was->valid;
    if (t->next == t->end || !free)
        return;
    unsigned e = next_of(free, was->written, entries_of(c));
    t->poll.written = e;
    t->poll.valid |= 1u << e;
    t->poll.asked &= ~(1u << e);
    t->number[e] = t->next++;
    c->port.taken(c->port.ctx, t->number[e], now);
}

static void
offer(const struct cta *c, const struct cta_poll *was, struct cta_poll *is)
{
    uint32_t waiting = was->valid & ~was->asked;
    bool taken = was->allocator == CTA_IDLE;
    if (was->offered && !taken)
        return;
    is->offered = waiting;
    if (!waiting)
        return;
    is->offer = is->read = next_of(waiting, was->read, entries_of(c));
    is->asked |= 1u << is->offer;
}

/* ---- the allocator ---- */

static void
check(const struct cta *c, const struct cta_poll *was, struct cta_poll *is)
{
    for (unsigned k = 0; k < STEP; k++) {
        unsigned sm = (was->sm + k) % c->sms;
        if (!has_room(c, sm))
            continue;
        is->sm = sm;
        is->allocator = CTA_ALLOCATES;
        return;
    }
    is->sm = (was->sm + STEP) % c->sms;
    is->checked += STEP;
    if (is->checked >= c->sms)
        is->allocator = CTA_REJECTS;
}

/* The first cycle of CTA_ALLOCATES. */
static void
place(struct cta *c, const struct cta_poll *was)
{
    struct cta_state *t = &c->state;
    unsigned slot = lowest(~c->sm[was->sm].used);
    cta_take(c, was->sm, slot, t->number[was->entry]);
    c->sm[was->sm].coming++;
    t->poll.valid &= ~(1u << was->entry);
    t->allocating = true;
    t->placed = (struct cta_placed){ .sm = was->sm, .slot = slot };
}

static void
enter_tables(struct cta *c, uint64_t now)
{
    struct cta_state *t = &c->state;
    if (!cta_tables_allocate(c, now))
        return;
    t->table = t->placed;
    t->in_tables = true;
    t->allocating = false;
    t->poll.allocator = CTA_IDLE;
}

static void
step_allocator(struct cta *c, const struct cta_poll *was, bool open,
               uint64_t now)
{
    struct cta_state *t = &c->state;
    struct cta_poll *is = &t->poll;
    switch ((enum cta_allocator)was->allocator) {
    case CTA_IDLE:
        if (was->offered) {
            is->entry = was->offer;
            is->allocator = CTA_PREFERS;
        }
        return;
    case CTA_PREFERS:
        is->sm = (was->sm + 1) % c->sms;
        is->checked = 0;
        is->allocator = CTA_CHECKS;
        return;
    case CTA_CHECKS:
        check(c, was, is);
        return;
    case CTA_ALLOCATES:
        if (!t->allocating)
            place(c, was);
        if (open)
            enter_tables(c, now);
        return;
    case CTA_REJECTS:
        is->asked &= ~(1u << was->entry);
        is->allocator = CTA_IDLE;
        return;
    }
}

/* ---- cycles ---- */

static void
step(struct cta *c, uint64_t now)
{
    const struct cta_poll was = c->state.poll;
    bool places = was.allocator == CTA_ALLOCATES;
    unsigned queued = c->state.queued;
    take_releases(c, now);
    send_warp(c, now);
    bool open = leave_tables(c, now, queued);
    try_release(c, places && open ? (int)was.sm : NEVER, now);
    serve_end(c, now);
    fill_buffer(c, &was, now);
    offer(c, &was, &c->state.poll);
    step_allocator(c, &was, open, now);
}

/* Does nothing change but the place of the polling, until an end or a release? */
static bool
only_polls(const struct cta *c)
{
    const struct cta_state *t = &c->state;
    bool full = t->poll.valid == all_entries(c) || t->next == t->end;
    if (!full || t->in_tables || t->queued || t->releases_one ||
        t->poll.allocator == CTA_ALLOCATES || !cta_tables_are_idle(c, t->at))
        return false;
    for (unsigned i = 0; t->poll.valid && i < c->sms; i++)
        if (has_room(c, i))
            return false;
    return true;
}

/* Cycles of polling, up to one that is not done yet: rounds are found by Brent's
 * algorithm, and passed over. */
static void
catch_up(struct cta *c, uint64_t now)
{
    struct cta_state *t = &c->state;
    struct cta_poll seen = t->poll;
    for (uint64_t round = 1, most = 1; t->at < now; round++) {
        step(c, t->at++);
        if (!memcmp(&seen, &t->poll, sizeof seen))
            t->at += (now - t->at) / round * round;
        else if (round < most)
            continue;
        seen = t->poll;
        most *= 2;
        round = 0;
    }
}

void
cta_buffer_tick(struct cta *c, uint64_t now)
{
    struct cta_state *t = &c->state;
    if (t->at < now)
        catch_up(c, now);
    while (t->at <= now)
        step(c, t->at++);
    t->only_polls = only_polls(c);
}

uint64_t
cta_buffer_next_event(const struct cta *c)
{
    const struct cta_state *t = &c->state;
    uint64_t first = UINT64_MAX;
    if (!t->only_polls)
        return t->at;
    for (unsigned i = 0; i < c->sms; i++) {
        const struct cta_sm *s = &c->sm[i];
        if (!s->ends || c->port.is_away(c->port.ctx, i))
            continue;
        uint64_t at = s->end[s->first].at + 1;
        at = at < t->serves_at ? t->serves_at : at;
        first = at < first ? at : first;
    }
    for (unsigned i = 0; i < t->releases; i++)
        if (t->release[i].at < first)
            first = t->release[i].at;
    return first < t->at ? t->at : first;
}

/* The state of other SMs matters only to one that has room: it is not ahead. */
bool
cta_buffer_wants(const struct cta *c, unsigned sm)
{
    const struct cta_sm *s = &c->sm[sm];
    if (s->coming)
        return true;
    return (s->leaving || s->ends || has_room(c, sm)) &&
           (c->state.poll.valid || c->state.next != c->state.end);
}

void
cta_buffer_reset(struct cta *c)
{
    struct cta_poll *p = &c->state.poll;
    if (!c->config->wg_buffer)
        return;
    memset(p, 0, sizeof *p);
    p->written = p->read = entries_of(c) - 1;
    p->sm = c->sms - 1;
}
