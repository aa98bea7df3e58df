/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The load/store unit (cycle.md 3b): one instruction at a time turns its lanes
 * into a request for each distinct line, one a cycle, after two cycles; a
 * table remembers which lanes have not answered, and gives a complete
 * instruction to write-back in two more.  A warp has lsu_per_warp in flight.
 */
#include "model/machine.h"

/* Lanes may go to both; no other thread sees private memory. */
static uint8_t
spaces_of(const struct inflight *f)
{
    unsigned spaces = 0;
    for (uint64_t left = f->lanes; left; left &= left - 1)
        spaces |= local_has(f->at[lowest(left)]) ? SPACE_LOCAL : SPACE_GLOBAL;
    return (uint8_t)(f->op->private ? 0 : spaces);
}

/* An instruction is under way, or by -1 not any more. */
static void
count_spaces(struct lsu *l, unsigned warp, unsigned spaces, int by)
{
    l->local[warp] += (uint8_t)(spaces & SPACE_LOCAL ? by : 0);
    l->global[warp] += (uint8_t)(spaces & SPACE_GLOBAL ? by : 0);
}

bool
lsu_take(struct sm *s, struct inflight *f)
{
    struct lsu *l = &s->lsu;
    if (rcc_blocks(s))
        return false;
    s->is_pending = true;
    if (f->op->fence) {
        rcc_arrived(s, f->warp);
        return true; /* the lock goes when the warp's table is empty */
    }
    if (l->outstanding[f->warp] == s->m->config.lsu_per_warp ||
        (!fifo_has_room(&l->in, s->now) && l->addr != ADDR_IDLE))
        return false;
    f->kept = true;
    l->queue[fifo_push(&l->in, s->now)] = f;
    l->outstanding[f->warp]++;
    debug_assert(l->outstanding[f->warp] <= s->m->config.lsu_per_warp);
    f->spaces = s->m->config.barrier_waits ? spaces_of(f) : 0;
    count_spaces(l, f->warp, f->spaces, 1);
    rcc_arrived(s, f->warp);
    s->stats.lsu_instructions++;
    return true;
}

static bool
in_local(const struct sm *s, uint64_t address)
{
    return local_has(address) && !s->m->config.local_in_cache;
}

static uint32_t
line_of(const struct sm *s, uint64_t address)
{
    return (uint32_t)(address >> s->m->line_shift);
}

/* The lanes left whose address is in a line.  Often all lanes' are. */
static uint64_t
lanes_in(const struct sm *s, uint32_t line)
{
    const uint64_t *at = s->lsu.f->at;
    uint64_t lanes = s->lsu.left, differs = 0, found = 0;
    for (unsigned i = 1; i < s->m->machine.num_thread; i++)
        differs |= at[i] ^ at[0];
    if (!line_of(s, differs) && line_of(s, at[0]) == line)
        return lanes;
    for (; lanes; lanes &= lanes - 1)
        if (line_of(s, at[lowest(lanes)]) == line)
            found |= lanes & -lanes;
    return found;
}

/* The lanes that meet the first one left in its line. */
static struct data_request
next_request(const struct sm *s)
{
    const struct lsu *l = &s->lsu;
    unsigned first = l->left ? (unsigned)__builtin_ctzll(l->left) : 0;
    struct data_request r = { .line = line_of(s, l->f->at[first]),
                              .write = l->f->op->write,
                              .atomic = l->f->op->atomic,
                              .local = in_local(s, l->f->at[first]),
                              .entry = l->entry };
    r.lanes = r.atomic       ? bit_of(first) & l->left
              : l->f->scalar ? l->left
                             : lanes_in(s, r.line);
    return r;
}

static void
send(struct sm *s)
{
    struct lsu *l = &s->lsu;
    const struct data_request *r = &l->next;
    if (r->local ? !local_memory_is_ready(&s->local, s->now)
                 : !dcache_has_room(&s->dcache, s->now)) {
        s->is_active |= r->local;
        return;
    }
    s->is_active = true;
    if (r->local) {
        local_memory_take(&s->local, s->now, r, l->f->at);
    } else {
        uint64_t address = (uint64_t)r->line << s->line_shift;
        if (!tlb_lookup(&s->tlb[TLB_DATA], address, s->now))
            return;
        dcache_request(&s->dcache, s->now, r);
    }
    debug_assert(!(r->lanes & ~l->left));
    s->stats.lsu_requests++;
    l->left &= ~r->lanes;
    if (l->left) {
        l->next = next_request(s);
        return;
    }
    l->addr = ADDR_IDLE;
    l->idle_at = s->now + 1;
    inflight_free(&s->inflight, l->f);
}

/*
 * The RTL finds private addresses with the thread number of the warp that was
 * served before, or that of the lowest slot if the LSU did nothing since.
 * Only the lines are taken from there.
 */
static void
move_private(struct sm *s, struct inflight *f)
{
    const struct lsu *l = &s->lsu;
    unsigned slot = l->idle_at == s->now ? l->warp : 0;
    unsigned n = s->m->machine.num_thread;
    uint64_t by = 4 * n * ((uint64_t)s->warp[slot].id - s->warp[f->warp].id);
    for (unsigned i = 0; i < n; i++)
        f->at[i] += by;
}

/* Asks for an entry; the table takes it when it does nothing else. */
static void
save(struct sm *s, bool *asked)
{
    struct lsu *l = &s->lsu;
    if (l->reply != REPLY_IDLE || l->used == l->all)
        return;
    *asked = true;
    l->entry = (uint8_t)lowest(~l->used);
    debug_assert(l->all >> l->entry & 1);
    l->addr = ADDR_SEND;
    l->next = next_request(s);
}

static void
step_address(struct sm *s, bool *asked)
{
    struct lsu *l = &s->lsu;
    switch (l->addr) {
    case ADDR_IDLE:
        if (!fifo_ready(&l->in, s->now))
            return;
        l->f = l->queue[fifo_pop(&l->in, s->now)];
        if (l->f->op->private && !s->m->config.private_by_warp)
            move_private(s, l->f);
        l->warp = l->f->warp;
        l->left = l->f->lanes;
        l->addr = ADDR_SAVE;
        s->is_active = true;
        return;
    case ADDR_SAVE:
        s->is_active = true;
        save(s, asked);
        return;
    case ADDR_SEND:
        send(s);
        return;
    }
}

/* ---- the table ---- */

static int
complete_entry(const struct lsu *l)
{
    return l->complete ? (int)lowest(l->complete) : NEVER;
}

static bool
take_answer(struct sm *s)
{
    struct data_request r;
    if (dcache_has_answer(&s->dcache, s->now))
        r = dcache_take_answer(&s->dcache, s->now);
    else if (!local_memory_answer(&s->local, s->now, &r))
        return false;
    debug_assert(s->lsu.all >> r.entry & 1);
    debug_assert(!(r.lanes & ~s->lsu.table[r.entry].wanted));
    s->lsu.table[r.entry].wanted &= ~r.lanes;
    if (!s->lsu.table[r.entry].wanted)
        s->lsu.complete |= s->lsu.used & bit_of(r.entry);
    return true;
}

/* Whether write-back would take a result of the kind that the table shows. */
static bool
port_is_free(const struct sm *s)
{
    const struct lsu *l = &s->lsu;
    return l->shown_x   ? units_lsu_is_free(&s->units, false)
           : l->shown_v ? units_lsu_is_free(&s->units, true)
                        : true;
}

/* Before write-back: offers it the result that is due. */
void
lsu_offer(struct sm *s)
{
    struct lsu *l = &s->lsu;
    if (units_lsu_is_full(&s->units))
        return;
    const struct result r = l->table[l->reply_entry].r;
    if (r.op->writes_x || r.op->writes_v)
        units_lsu_result(&s->units, s->now, r);
}

/* After it: an instruction leaves the table when its result was taken. */
static void
finish(struct sm *s)
{
    struct lsu *l = &s->lsu;
    struct lsu_entry *e = &l->table[l->reply_entry];
    if (units_lsu_is_full(&s->units))
        return;
    debug_assert(l->used & l->complete & bit_of((unsigned)l->reply_entry));
    debug_assert(!e->wanted && l->outstanding[e->r.warp]);
    l->used &= ~bit_of((unsigned)l->reply_entry);
    l->complete &= ~bit_of((unsigned)l->reply_entry);
    if (events_are_on(&s->events))
        events_instruction(&s->events, s->now, VENTUS_MODEL_EVENT_DONE,
                           e->r.warp, e->r.op, e->r.id);
    l->outstanding[e->r.warp]--;
    count_spaces(l, e->r.warp, e->spaces, -1);
    l->reply_entry = complete_entry(l);
    l->reply = l->reply_entry < 0 ? REPLY_IDLE : REPLY_READ;
}

static void
enter(struct lsu *l)
{
    debug_assert(!(l->used >> l->entry & 1));
    l->table[l->entry] = l->pending;
    l->used |= bit_of(l->entry);
    if (!l->pending.wanted)
        l->complete |= bit_of(l->entry);
}

static void
step_table(struct sm *s, bool asked)
{
    struct lsu *l = &s->lsu;
    switch (l->reply) {
    case REPLY_IDLE: {
        int was = complete_entry(l);
        bool answered = take_answer(s);
        int done = answered && !asked ? complete_entry(l) : was;
        if (asked)
            enter(l);
        if (answered && asked) {
            l->reply = REPLY_ADD;
        } else if (done >= 0) {
            l->reply = REPLY_READ;
            l->reply_entry = done;
        }
        return;
    }
    case REPLY_ADD:
        l->reply_entry = complete_entry(l);
        l->reply = l->reply_entry < 0 ? REPLY_IDLE : REPLY_READ;
        return;
    case REPLY_READ:
        /* The port is judged by what the table showed before. */
        if (port_is_free(s))
            l->reply = REPLY_OUT;
        l->shown_x = l->table[l->reply_entry].r.op->writes_x;
        l->shown_v = l->table[l->reply_entry].r.op->writes_v;
        return;
    case REPLY_OUT:
        finish(s);
        return;
    }
}

void
lsu_cycle(struct sm *s)
{
    struct lsu *l = &s->lsu;
    bool asked = false;
    step_address(s, &asked);
    if (!asked && lsu_is_waiting(s))
        return;
    s->is_active = true;
    if (asked && events_are_on(&s->events))
        events_instruction(&s->events, s->now, VENTUS_MODEL_EVENT_ACCESS,
                           l->f->warp, l->f->op, l->f->id);
    if (asked)
        l->pending =
            (struct lsu_entry){ .wanted = l->f->lanes,
                                .spaces = l->f->spaces,
                                .r = { .op = l->f->op,
                                       .id = l->f->id,
                                       .warp = l->f->warp,
                                       .told = true,
                                       .vector = l->f->op->writes_v } };
    step_table(s, asked);
}

bool
lsu_is_empty(const struct sm *s)
{
    for (unsigned i = 0; i < s->warps; i++)
        if (s->lsu.outstanding[i])
            return false;
    return true;
}
