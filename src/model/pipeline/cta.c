/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CTA scheduler: the common part of both designs, and the scheduler of the Verilog
 * design.  The latter requests a workgroup from the host when an SM has room, at most
 * one a cycle, and gives the SM a warp every few cycles, the last warp first.  The end
 * of a workgroup is reported at once if its SM has others, otherwise when the SM has
 * drained.
 */
#include "model/pipeline/cta.h"

#include <stdlib.h>
#include <string.h>

/* ---- slots ---- */

static uint64_t
slots_of(const struct cta *c)
{
    unsigned n = c->launch.slots;
    return n < 64 ? bit_of(n) - 1 : UINT64_MAX;
}

static void
take_slot(struct cta *c, unsigned sm, unsigned slot, uint64_t number)
{
    struct cta_sm *s = &c->sm[sm];
    assert(slot < c->launch.slots && !(s->used >> slot & 1) &&
           "has_room has found a free slot");
    assert(s->warps >= c->launch.warps && "has_room has counted them");
    s->used |= bit_of(slot);
    s->warps -= c->launch.warps;
    s->groups++;
    s->number[slot] = number;
    s->live[slot] = (uint8_t)c->launch.warps;
}

static bool
count_end(struct cta *c, unsigned sm, unsigned slot)
{
    struct cta_sm *s = &c->sm[sm];
    assert(s->used >> slot & 1 && s->live[slot] && "a warp ends once");
    return !--s->live[slot];
}

static void
report_end(struct cta *c, unsigned sm, unsigned slot, uint64_t cycle)
{
    assert(!c->sm[sm].live[slot] && c->state.done < c->launch.groups &&
           "the last warp has ended");
    c->state.done++;
    c->port.done(c->port.ctx, sm, c->sm[sm].number[slot], cycle);
}

/* The workgroup in a slot begins. */
static void
start_group(struct cta *c, unsigned sm, unsigned slot)
{
    c->state.started++;
    c->port.start_group(c->port.ctx, sm, slot, c->sm[sm].number[slot]);
}

/* ---- ends ---- */

void
cta_warp_ended(struct cta *c, unsigned sm, unsigned slot, bool last,
               uint64_t now)
{
    struct cta_sm *s = &c->sm[sm];
    assert(s->ends < MAX_WARPS && "each warp slot has one end at most");
    s->end[(s->first + s->ends++) % MAX_WARPS] =
        (struct cta_end){ .at = now, .slot = (uint8_t)slot, .last = last };
}

static struct cta_end
pop_end(struct cta *c, unsigned sm)
{
    struct cta_sm *s = &c->sm[sm];
    assert(s->ends);
    struct cta_end e = s->end[s->first];
    s->first = (s->first + 1) % MAX_WARPS;
    s->ends--;
    return e;
}

/* ---- the Chisel design: resource tables ---- */

/*
 * The resource tables of the Chisel design's CTA scheduler (microarchitecture.md, Launch;
 * resource_table.scala): lists of the workgroups that an SM holds, in the order of their
 * registers and local memory, and a handler for the lists of table_sms SMs.  The handler
 * takes a workgroup into a list (ALLOC: finds a place, writes it) or out of it (DEALLOC),
 * then scans the list for what is free (SCAN) and tells the allocator (OUTPUT).  From the
 * end of the first step on it takes the next request, if that is for the same SM; one for
 * another SM waits until all is done.  sGPRs, vGPRs and local memory have a handler each,
 * which work alike.
 */
enum {
    FINDS =
        3, /* a place in a list, and a cycle more for each workgroup in it */
    TAKES_OUT = 2, /* a workgroup */
    SCANS = 3,     /* from the end of the first step to the result, likewise */
    CLOSES = 2     /* from the result to the end */
};

static struct cta_table *
table_of(const struct cta *c, unsigned sm)
{
    unsigned n = c->config->table_sms, handlers = (c->sms + n - 1) / n;
    return &c->sm[sm % handlers].table;
}

static bool
table_takes(const struct cta_table *t, unsigned sm, uint64_t now)
{
    return now >= t->idle_at ||
           (t->connected && t->sm == sm && now >= t->takes_at);
}

/* Cycles to connect the lists of an SM, if those of another are. */
static unsigned
table_connect(struct cta_table *t, unsigned sm)
{
    unsigned cycles = !(t->connected && t->sm == sm);
    t->connected = true;
    t->sm = sm;
    return cycles;
}

/* The first step ends, with so many workgroups in the list. */
static void
table_scan(struct cta_table *t, uint64_t ends, unsigned listed)
{
    t->takes_at = ends;
    t->output_at = ends + SCANS + listed;
    t->idle_at = t->output_at + CLOSES;
}

static bool
tables_allocate(struct cta *c, uint64_t now)
{
    struct cta_placed *p = &c->state.placed;
    struct cta_table *t = table_of(c, p->sm);
    struct cta_sm *s = &c->sm[p->sm];
    if (!table_takes(t, p->sm, now))
        return false;
    p->at = now + table_connect(t, p->sm) + FINDS + s->listed;
    table_scan(t, p->at + 1, ++s->listed);
    return true;
}

/* An idle handler prefers a workgroup that comes to one that goes; a busy one does so for
 * its SM, and takes none out while it gives its result. */
static bool
tables_release(struct cta *c, unsigned sm, int comes, uint64_t now)
{
    struct cta_table *t = table_of(c, sm);
    bool idle = now >= t->idle_at;
    bool preempted = comes >= 0 && table_of(c, (unsigned)comes) == t &&
                     (idle || (unsigned)comes == t->sm);
    if (!table_takes(t, sm, now) || preempted || (!idle && now >= t->output_at))
        return false;
    assert(c->sm[sm].listed && "allocation has listed it");
    uint64_t ends = now + table_connect(t, sm) + TAKES_OUT;
    table_scan(t, ends, --c->sm[sm].listed);
    return true;
}

static bool
tables_are_idle(const struct cta *c, uint64_t now)
{
    bool idle = true;
    for (unsigned i = 0; i < c->sms; i++)
        idle &= c->sm[i].table.idle_at <= now;
    return idle;
}

/* ---- the Chisel design: buffer and allocator ---- */

/*
 * The CTA scheduler of the Chisel design, cycle by cycle (microarchitecture.md,
 * Launch; ventus/src/cta):
 *
 *   wg_buffer       the host fills wg_buffer entries, one a cycle; entries are offered
 *                   round robin, whether they were rejected before or not
 *   allocator       idle, next SM, check of two SMs, place or reject: four cycles an
 *                   entry; it polls while there is no room
 *   resource_table  base addresses of registers and local memory, for one workgroup
 *                   at a time
 *   cu_interface    a FIFO of two, and a warp a cycle; it counts one end in two
 *                   cycles, of the SMs in turn
 *
 * While no SM has room only the position of the polling changes.  The model skips such
 * cycles and computes whole rounds of them at the next event.
 */
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

/* Round robin: the first entry after the one that had its turn. */
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

/* Has an SM room for a workgroup: warp slots, and all that limits workgroups of an SM? */
static bool
buffer_has_room(const struct cta *c, unsigned sm)
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
allocator_release(struct cta *c, unsigned sm, unsigned slot, uint64_t now)
{
    struct cta_state *t = &c->state;
    assert(t->releases < MAX_WARPS && "a workgroup has a warp at least");
    t->release[t->releases++] = (struct cta_release){ .at = now + RELEASES,
                                                      .sm = sm,
                                                      .slot = (uint8_t)slot };
}

static void
allocator_take_releases(struct cta *c, uint64_t now)
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
    if (!t->releases_one || !tables_release(c, r->sm, comes, now))
        return;
    allocator_release(c, r->sm, r->slot, now);
    t->releases_one = false;
    t->serves_at = now + (now == r->at ? 1 : 2);
}

/* The SM whose end is counted next: ends that can be seen, in turn. */
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
    unsigned sm = (unsigned)found, slot = pop_end(c, sm).slot;
    t->served = sm;
    t->serves_at = now + 2;
    if (!count_end(c, sm, slot))
        return;
    report_end(c, sm, slot, now + 1);
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
        start_group(c, p->sm, p->slot);
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
buffer_fill(struct cta *c, const struct cta_poll *was, uint64_t now)
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
buffer_offer(const struct cta *c, const struct cta_poll *was,
             struct cta_poll *is)
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
allocator_check(const struct cta *c, const struct cta_poll *was,
                struct cta_poll *is)
{
    for (unsigned k = 0; k < STEP; k++) {
        unsigned sm = (was->sm + k) % c->sms;
        if (!buffer_has_room(c, sm))
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
allocator_place(struct cta *c, const struct cta_poll *was)
{
    struct cta_state *t = &c->state;
    unsigned slot = lowest(~c->sm[was->sm].used);
    take_slot(c, was->sm, slot, t->number[was->entry]);
    c->sm[was->sm].coming++;
    t->poll.valid &= ~(1u << was->entry);
    t->allocating = true;
    t->placed = (struct cta_placed){ .sm = was->sm, .slot = slot };
}

static void
enter_tables(struct cta *c, uint64_t now)
{
    struct cta_state *t = &c->state;
    if (!tables_allocate(c, now))
        return;
    t->table = t->placed;
    t->in_tables = true;
    t->allocating = false;
    t->poll.allocator = CTA_IDLE;
}

static void
allocator_step(struct cta *c, const struct cta_poll *was, bool open,
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
        allocator_check(c, was, is);
        return;
    case CTA_ALLOCATES:
        if (!t->allocating)
            allocator_place(c, was);
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
buffer_step(struct cta *c, uint64_t now)
{
    const struct cta_poll was = c->state.poll;
    bool places = was.allocator == CTA_ALLOCATES;
    unsigned queued = c->state.queued;
    allocator_take_releases(c, now);
    send_warp(c, now);
    bool open = leave_tables(c, now, queued);
    try_release(c, places && open ? (int)was.sm : NEVER, now);
    serve_end(c, now);
    buffer_fill(c, &was, now);
    buffer_offer(c, &was, &c->state.poll);
    allocator_step(c, &was, open, now);
}

/* Does nothing change but the place of the polling, until an end or a release? */
static bool
buffer_only_polls(const struct cta *c)
{
    const struct cta_state *t = &c->state;
    bool full = t->poll.valid == all_entries(c) || t->next == t->end;
    if (!full || t->in_tables || t->queued || t->releases_one ||
        t->poll.allocator == CTA_ALLOCATES || !tables_are_idle(c, t->at))
        return false;
    for (unsigned i = 0; t->poll.valid && i < c->sms; i++)
        if (buffer_has_room(c, i))
            return false;
    return true;
}

/* Cycles of polling, up to one that is not done yet: rounds are found by Brent's
 * algorithm, and passed over. */
static void
buffer_catch_up(struct cta *c, uint64_t now)
{
    struct cta_state *t = &c->state;
    struct cta_poll seen = t->poll;
    for (uint64_t round = 1, most = 1; t->at < now; round++) {
        buffer_step(c, t->at++);
        if (!memcmp(&seen, &t->poll, sizeof seen))
            t->at += (now - t->at) / round * round;
        else if (round < most)
            continue;
        seen = t->poll;
        most *= 2;
        round = 0;
    }
}

static void
buffer_tick(struct cta *c, uint64_t now)
{
    struct cta_state *t = &c->state;
    if (t->at < now)
        buffer_catch_up(c, now);
    while (t->at <= now)
        buffer_step(c, t->at++);
    t->only_polls = buffer_only_polls(c);
}

static uint64_t
buffer_next_event(const struct cta *c)
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
static bool
buffer_wants(const struct cta *c, unsigned sm)
{
    const struct cta_sm *s = &c->sm[sm];
    if (s->coming)
        return true;
    return (s->leaving || s->ends || buffer_has_room(c, sm)) &&
           (c->state.poll.valid || c->state.next != c->state.end);
}

static void
buffer_reset(struct cta *c)
{
    struct cta_poll *p = &c->state.poll;
    if (!c->config->wg_buffer)
        return;
    memset(p, 0, sizeof *p);
    p->written = p->read = entries_of(c) - 1;
    p->sm = c->sms - 1;
}

/* ---- the Verilog design ---- */

/* A workgroup of which nothing is left. */
static void
verilog_give_back(struct cta *c, unsigned sm, unsigned slot, uint64_t cycle)
{
    struct cta_sm *s = &c->sm[sm];
    report_end(c, sm, slot, cycle);
    s->used &= ~bit_of(slot);
    s->groups--;
}

static void
verilog_count_ends(struct cta *c, unsigned sm)
{
    struct cta_sm *s = &c->sm[sm];
    while (s->ends) {
        struct cta_end e = pop_end(c, sm);
        bool done = count_end(c, sm, e.slot);
        s->warps++;
        s->closed |= e.last;
        if (done && !e.last && !c->config->one_group)
            verilog_give_back(c, sm, e.slot, e.at + 1);
    }
}

void
cta_drained(struct cta *c, unsigned sm, uint64_t now)
{
    struct cta_sm *s = &c->sm[sm];
    assert(!s->ends && s->closed &&
           "an SM drains after its last end was counted");
    s->closed = false;
    for (uint64_t left = s->used; left; left &= left - 1)
        if (!s->live[lowest(left)])
            verilog_give_back(c, sm, lowest(left), now + 1);
    if (c->config->one_group)
        c->state.ask_at = now + c->config->next_cycles;
}

static bool
verilog_has_room(const struct cta *c, unsigned sm)
{
    const struct cta_sm *s = &c->sm[sm];
    return !s->closed && (!c->config->one_group || !s->used) &&
           slots_of(c) & ~s->used && s->warps >= c->launch.warps;
}

static void
verilog_start(struct cta *c, unsigned sm, uint64_t now)
{
    const struct ventus_model_config *config = c->config;
    struct cta_sm *s = &c->sm[sm];
    unsigned slot = lowest(slots_of(c) & ~s->used);
    c->port.taken(c->port.ctx, c->state.next, now);
    take_slot(c, sm, slot, c->state.next++);
    start_group(c, sm, slot);
    for (unsigned i = 0; i < c->launch.warps; i++) {
        unsigned id = c->launch.warps - 1 - i;
        uint64_t at = now + config->launch_cycles + i * config->dispatch_cycles;
        if (!c->port.start_warp(c->port.ctx, sm, slot, id, at)) {
            count_end(c, sm, slot);
            s->warps++;
        }
    }
}

static void
verilog_ask_host(struct cta *c, uint64_t now)
{
    struct cta_state *t = &c->state;
    if (t->next == t->end || t->ask_at > now)
        return;
    for (unsigned i = 0; i < c->sms; i++) {
        unsigned sm = (t->prefers + i) % c->sms;
        if (c->port.is_away(c->port.ctx, sm) || !verilog_has_room(c, sm))
            continue;
        verilog_start(c, sm, now);
        if (!c->config->one_group) /* in the RTL reference one SM works */
            t->prefers = (sm + 1) % c->sms;
        t->ask_at = c->config->one_group ? UINT64_MAX : now + 1;
        return;
    }
}

/* ---- both designs ---- */

void
cta_tick(struct cta *c, uint64_t now)
{
    if (c->config->wg_buffer) {
        buffer_tick(c, now);
        return;
    }
    for (unsigned i = 0; i < c->sms; i++)
        if (!c->port.is_away(c->port.ctx, i))
            verilog_count_ends(c, i);
    verilog_ask_host(c, now);
}

bool
cta_wants(const struct cta *c, unsigned sm)
{
    return c->config->wg_buffer
               ? buffer_wants(c, sm)
               : verilog_has_room(c, sm) && c->state.next != c->state.end;
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
        return buffer_next_event(c);
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
    buffer_reset(c);
}
