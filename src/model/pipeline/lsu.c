/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The load/store unit (microarchitecture.md, Load/store unit): one instruction
 * at a time becomes a request for each distinct line that its lanes' words are in,
 * one a cycle, after two cycles.  A table records the lanes without an answer, and passes
 * a complete instruction to write-back in two more cycles.  A warp has at most
 * lsu_per_warp accesses in flight.
 */
#include "model/pipeline/lsu.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "model/pipeline/ideal.h"

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
count_access(struct lsu_state *t, unsigned warp, unsigned spaces, int by)
{
    t->accesses += (unsigned)by;
    t->outstanding[warp] += (uint8_t)by;
    t->local[warp] += (uint8_t)(spaces & SPACE_LOCAL ? by : 0);
    t->global[warp] += (uint8_t)(spaces & SPACE_GLOBAL ? by : 0);
}

void
lsu_send(struct lsu *l, uint64_t now, struct inflight *f)
{
    struct lsu_state *t = &l->state;
    debug_assert(f->op->memory && !f->op->fence &&
                 lsu_can_send(l, now, f->warp));
    f->kept = true;
    access_port_send(&t->in, now, f);
    f->spaces = l->config->barrier_waits ? spaces_of(f) : 0;
    count_access(t, f->warp, f->spaces, 1);
    debug_assert(t->outstanding[f->warp] <= l->config->lsu_per_warp &&
                 "lsu_can_send has counted them");
    l->stats->lsu_instructions++;
}

static bool
in_local(const struct lsu *l, uint64_t address)
{
    if (l->config->ideal_private && l->state.f->op->private)
        return true;
    return local_has(address) && !l->config->local_in_cache;
}

static uint64_t
line_of(const struct lsu *l, uint64_t address)
{
    return address >> l->line_shift;
}

/* The lanes left whose address is in a line.  Often all lanes' are. */
static uint64_t
lanes_in(const struct lsu *l, uint64_t line)
{
    const uint64_t *at = l->state.f->at;
    uint64_t lanes = l->state.left, differs = 0, found = 0;
    for (unsigned i = 0; i < l->lanes; i++) /* all: whole vectors of the host */
        differs |= at[i] ^ at[0];
    if (!line_of(l, differs) && line_of(l, at[0]) == line)
        return lanes;
    for (; lanes; lanes &= lanes - 1)
        if (line_of(l, at[lowest(lanes)]) == line)
            found |= lanes & -lanes;
    return found;
}

/* The next request is to the line of an address.  Of an access without lanes all
 * addresses are local: the unit asks whether a lane is elsewhere. */
static void
set_next(struct lsu *l, uint64_t address, uint64_t lanes, bool part)
{
    struct lsu_state *t = &l->state;
    t->next = (struct data_request){ .line = line_of(l, address),
                                     .lanes = lanes,
                                     .write = t->f->op->write,
                                     .local = !t->left || in_local(l, address),
                                     .atomic = t->f->op->atomic,
                                     .part = part,
                                     .entry = t->entry,
                                     .hint = t->f->op->hint };
}

static bool
has_words(const struct lsu_state *t)
{
    return t->f->op->words > 1 && !t->f->op->atomic && t->f->lanes;
}

static uint64_t
word_at(const struct inflight *f, unsigned lane, unsigned word)
{
    return f->at[lane] + word * f->word_step;
}

/* The lanes whose word is in a line, and in no request yet. */
static uint64_t
words_in(const struct lsu *l, uint64_t line, unsigned word)
{
    uint64_t found = 0;
    for (uint64_t lanes = l->state.words[word]; lanes; lanes &= lanes - 1)
        if (line_of(l, word_at(l->state.f, lowest(lanes), word)) == line)
            found |= lanes & -lanes;
    return found;
}

/*
 * The line of the first word that is in no request yet, and with it all words in
 * that line.  It completes the lanes that have no other word left.
 */
static void
next_words(struct lsu *l)
{
    struct lsu_state *t = &l->state;
    unsigned k = 0;
    while (!t->words[k])
        k++;
    uint64_t address = word_at(t->f, lowest(t->words[k]), k);
    uint64_t asked = 0, later = 0;
    for (k = 0; k < t->f->op->words; k++) {
        uint64_t found = words_in(l, line_of(l, address), k);
        t->words[k] &= ~found;
        asked |= found;
        later |= t->words[k];
    }
    set_next(l, address, asked & ~later, !(asked & ~later));
}

/* The lanes that meet the first one left in its line. */
static void
next_request(struct lsu *l)
{
    struct lsu_state *t = &l->state;
    if (t->more) {
        t->next = (struct data_request){ .local = true,
                                         .part = true,
                                         .entry = t->entry };
        return;
    }
    if (has_words(t)) {
        next_words(l);
        return;
    }
    unsigned first = t->left ? (unsigned)__builtin_ctzll(t->left) : 0;
    uint64_t address = t->f->at[first];
    uint64_t lanes = t->f->op->atomic ? bit_of(first) & t->left
                     : t->f->scalar   ? t->left
                                      : lanes_in(l, line_of(l, address));
    set_next(l, address, lanes, false);
}

/* Is there room for the next request where it is for, and is its page translated?
 * False: it waits, and nothing changed. */
static bool
may_ask(const struct lsu *l, uint64_t now)
{
    const struct data_request *r = &l->state.next;
    uint64_t address = r->line << l->line_shift;
    if (r->local)
        return local_memory_can_send(l->port.local, now);
    return dcache_can_send(l->port.dcache, now) &&
           tlb_lookup(l->port.tlb, address, now);
}

static void
ask_next(struct lsu *l, uint64_t now)
{
    const struct data_request *r = &l->state.next;
    if (r->local)
        local_memory_send(l->port.local, now, r, l->state.f->at);
    else
        dcache_send(l->port.dcache, now, r);
}

/* Without a register before the L1D a request is on its wires from the cycle before
 * on, until the L1D has taken it. */
static void
offer_next(struct lsu *l, uint64_t now)
{
    struct lsu_state *t = &l->state;
    if (l->config->dcache_request_cycles || t->next.local || t->offered)
        return;
    t->offered = may_ask(l, now);
    if (t->offered)
        ask_next(l, now);
}

/* The next request goes. */
static bool
request_next(struct lsu *l, uint64_t now)
{
    struct lsu_state *t = &l->state;
    if (l->config->dcache_request_cycles || t->next.local) {
        if (!may_ask(l, now))
            return false;
        ask_next(l, now);
        return true;
    }
    if (!t->offered) {
        offer_next(l, now);
        return false;
    }
    t->offered = !dcache_can_send(l->port.dcache, now);
    return !t->offered;
}

static void
send_next(struct lsu *l, uint64_t now)
{
    struct lsu_state *t = &l->state;
    if (!request_next(l, now))
        return;
    debug_assert(!(t->next.lanes & ~t->left) && !t->offered &&
                 "a lane is asked for once");
    l->stats->lsu_requests++;
    l->table[t->entry].parts += t->next.part;
    t->left &= ~t->next.lanes;
    t->more -= t->more != 0;
    if (t->left) {
        next_request(l);
        offer_next(l, now);
        return;
    }
    t->addr = ADDR_IDLE;
    t->idle_at = now + 1;
    inflight_free(l->port.pool, t->f);
}

/*
 * The RTL finds private addresses with the thread number of the warp that was
 * served before, or that of the lowest slot if the LSU did nothing since.
 * Only the lines are taken from there.
 */
static void
move_private(const struct lsu *l, uint64_t now, struct inflight *f)
{
    const struct lsu_state *t = &l->state;
    unsigned slot = t->idle_at == now ? t->warp : 0;
    unsigned n = l->lanes;
    uint64_t by = 4 * n * ((uint64_t)t->number[slot] - t->number[f->warp]);
    for (unsigned i = 0; i < n; i++)
        f->at[i] += by;
}

/* Asks for an entry; the table takes it when it does nothing else. */
static bool
save_entry(struct lsu *l, uint64_t now)
{
    struct lsu_state *t = &l->state;
    if (t->reply != REPLY_IDLE || t->used == l->all)
        return false;
    t->entry = (uint8_t)lowest(~t->used);
    debug_assert(l->all >> t->entry & 1 && "a full table saves nothing");
    t->addr = ADDR_SEND;
    next_request(l);
    offer_next(l, now);
    return true;
}

/* The next access; two cycles pass before its first request. */
static void
begin_access(struct lsu *l, uint64_t now)
{
    struct lsu_state *t = &l->state;
    t->f = access_port_take(&t->in, now);
    if (t->f->op->private && !l->config->private_by_warp)
        move_private(l, now, t->f);
    t->more = ideal_change(l->config, l->lanes, t->f);
    t->warp = t->f->warp;
    t->left = t->f->lanes;
    l->stats->local_accesses +=
        t->left && in_local(l, t->f->at[lowest(t->left)]);
    for (unsigned k = 0; has_words(t) && k < t->f->op->words; k++)
        t->words[k] = t->left;
    debug_assert(t->f->op->words <= LSU_WORDS);
    t->addr = ADDR_SAVE;
}

/* Is an entry asked for? */
static bool
step_address(struct lsu *l, uint64_t now)
{
    switch (l->state.addr) {
    case ADDR_IDLE:
        if (access_port_peek(&l->state.in, now))
            begin_access(l, now);
        return false;
    case ADDR_SAVE:
        return save_entry(l, now);
    case ADDR_SEND:
        send_next(l, now);
        return false;
    }
    return false;
}

/* ---- the table ---- */

static int
complete_entry(const struct lsu_state *t)
{
    return t->complete ? (int)lowest(t->complete) : NEVER;
}

static bool
take_answer(struct lsu *l, uint64_t now)
{
    struct lsu_state *t = &l->state;
    struct data_request r;
    if (dcache_peek(l->port.dcache, now))
        r = dcache_take(l->port.dcache, now);
    else if (local_memory_peek(l->port.local, now))
        r = local_memory_take(l->port.local, now);
    else
        return false;
    debug_assert(l->all >> r.entry & 1 &&
                 "answers come back with the entry of their request");
    debug_assert(!(r.lanes & ~l->table[r.entry].wanted) &&
                 "a lane is answered once");
    struct lsu_entry *e = &l->table[r.entry];
    e->wanted &= ~r.lanes;
    e->parts -= r.part;
    if (!e->wanted && !e->parts)
        t->complete |= t->used & bit_of(r.entry);
    return true;
}

bool
lsu_offers(const struct lsu *l, struct result *r)
{
    const struct lsu_state *t = &l->state;
    if (!lsu_may_offer(l))
        return false;
    int entry = l->config->lsu_table_reads ? t->reply_entry : complete_entry(t);
    if (entry < 0)
        return false;
    *r = l->table[entry].r;
    return r->op->writes_x || r->op->writes_v;
}

static void
show_next(struct lsu_state *t)
{
    t->reply_entry = complete_entry(t);
    t->reply = t->reply_entry < 0 ? REPLY_IDLE : REPLY_READ;
}

/* After write-back: an instruction leaves the table when its result was taken. */
static void
release_entry(struct lsu *l, uint64_t now)
{
    struct lsu_state *t = &l->state;
    const struct lsu_entry *e = &l->table[t->reply_entry];
    uint64_t bit = bit_of((unsigned)t->reply_entry);
    debug_assert(t->used & t->complete & bit);
    debug_assert(!e->wanted && t->outstanding[e->r.warp]);
    t->used &= ~bit;
    t->complete &= ~bit;
    if (events_are_on(l->port.events))
        events_instruction(l->port.events, now, VENTUS_MODEL_EVENT_DONE,
                           e->r.warp, e->r.op, e->r.id);
    count_access(t, e->r.warp, e->spaces, -1);
}

static void
enter_entry(struct lsu *l)
{
    struct lsu_state *t = &l->state;
    const struct inflight *f = t->f;
    debug_assert(!(t->used >> t->entry & 1) &&
                 "the entry was free when it was chosen");
    l->table[t->entry] =
        (struct lsu_entry){ .wanted = f->lanes,
                            .spaces = f->spaces,
                            .r = { .op = f->op,
                                   .id = f->id,
                                   .warp = f->warp,
                                   .told = true,
                                   .vector = f->op->writes_v } };
    t->used |= bit_of(t->entry);
    if (!f->lanes)
        t->complete |= bit_of(t->entry);
}

/* The idle table takes an answer, and an entry that is asked for. */
static void
step_idle(struct lsu *l, uint64_t now, bool asked)
{
    struct lsu_state *t = &l->state;
    int was = complete_entry(t);
    bool answered = take_answer(l, now);
    int done = answered && !asked ? complete_entry(t) : was;
    if (asked)
        enter_entry(l);
    if (answered && asked) {
        t->reply = REPLY_ADD;
    } else if (done >= 0) {
        t->reply = REPLY_READ;
        t->reply_entry = done;
    }
}

/* Write-back is judged by what the table showed before. */
static void
read_entry(struct lsu *l, const struct lsu_wires *wires)
{
    const struct model_op *o = l->table[l->state.reply_entry].r.op;
    if (l->shown.x ? wires->x_free : l->shown.v ? wires->v_free : true)
        l->state.reply = REPLY_OUT;
    l->shown = (struct lsu_shown){ o->writes_x, o->writes_v };
}

static void
step_read_table(struct lsu *l, uint64_t now, bool asked,
                const struct lsu_wires *wires)
{
    switch (l->state.reply) {
    case REPLY_IDLE:
        step_idle(l, now, asked);
        return;
    case REPLY_ADD:
        show_next(&l->state);
        return;
    case REPLY_READ:
        read_entry(l, wires);
        return;
    case REPLY_OUT:
        if (!wires->full) {
            release_entry(l, now);
            show_next(&l->state);
        }
        return;
    }
}

/* ---- a table that is not read before (pipeline/MSHR.scala, MSHRv2) ---- */

/* Would write-back take what is complete first, or, while nothing is, what entry 0
 * held last? */
static bool
is_taken(const struct lsu *l, uint64_t complete, const struct lsu_wires *wires)
{
    struct lsu_shown shown = l->shown;
    if (complete) {
        const struct model_op *o = l->table[lowest(complete)].r.op;
        shown = (struct lsu_shown){ o->writes_x, o->writes_v };
    }
    return shown.x ? wires->x_free : shown.v ? wires->v_free : true;
}

static void
enter_table(struct lsu *l)
{
    const struct model_op *o = l->state.f->op;
    enter_entry(l);
    if (!l->state.entry)
        l->shown = (struct lsu_shown){ o->writes_x, o->writes_v };
}

/* An answer and an entry in one cycle: the entry is written in the next.  Else the
 * answer that completes an access goes on, if write-back is free now. */
static void
step_waiting(struct lsu *l, uint64_t now, bool asked,
             const struct lsu_wires *wires)
{
    struct lsu_state *t = &l->state;
    uint64_t was = t->complete;
    bool answered = take_answer(l, now);
    uint64_t done = answered ? t->complete & ~was : was;
    bool goes = done && is_taken(l, was, wires);
    if (asked)
        enter_table(l);
    t->reply = answered && asked ? REPLY_ADD : goes ? REPLY_OUT : REPLY_IDLE;
}

/* A result that write-back does not take is withdrawn, and offered again two cycles later.  It
 * stays a cycle longer than it has something: the entry that it gives still counts,
 * unless the table is full and that is entry 0. */
static void
step_out(struct lsu *l, uint64_t now, const struct lsu_wires *wires)
{
    struct lsu_state *t = &l->state;
    bool taken = is_taken(l, t->complete, wires);
    uint64_t counts =
        t->complete & (t->used == l->all ? ~UINT64_C(1) : UINT64_MAX);
    t->reply_entry = complete_entry(t);
    assert(t->reply_entry < 0 || taken == !wires->full);
    if (taken && t->reply_entry >= 0)
        release_entry(l, now);
    t->reply = taken && counts ? REPLY_OUT : REPLY_IDLE;
}

static void
step_table(struct lsu *l, uint64_t now, bool asked,
           const struct lsu_wires *wires)
{
    struct lsu_state *t = &l->state;
    switch (t->reply) {
    case REPLY_IDLE:
        step_waiting(l, now, asked, wires);
        return;
    case REPLY_ADD:
        t->reply = t->complete && is_taken(l, t->complete, wires) ? REPLY_OUT
                                                                  : REPLY_IDLE;
        return;
    case REPLY_OUT:
        step_out(l, now, wires);
        return;
    case REPLY_READ:
        assert(!"a table that is read");
        return;
    }
}

/* ---- a cycle ---- */

void
lsu_tick(struct lsu *l, uint64_t now, const struct lsu_wires *wires)
{
    bool asked = step_address(l, now);
    const struct inflight *f = l->state.f;
    if (asked && events_are_on(l->port.events))
        events_instruction(l->port.events, now, VENTUS_MODEL_EVENT_ACCESS,
                           f->warp, f->op, f->id);
    if (l->config->lsu_table_reads)
        step_read_table(l, now, asked, wires);
    else
        step_table(l, now, asked, wires);
}

uint64_t
lsu_next_event(const struct lsu *l, uint64_t now)
{
    const struct lsu_state *t = &l->state;
    bool asks =
        !tlb_is_busy(l->port.tlb) && dcache_can_send(l->port.dcache, now + 1);
    bool sends = t->addr == ADDR_SEND && (t->next.local || asks);
    if (t->addr == ADDR_SAVE || sends || t->reply != REPLY_IDLE || t->complete)
        return now + 1;
    uint64_t next = dcache_next_event(l->port.dcache);
    uint64_t local = local_memory_next_event(l->port.local);
    next = local < next ? local : next;
    if (t->addr == ADDR_IDLE && access_port_next(&t->in) < next)
        next = access_port_next(&t->in);
    return next > now ? next : now + 1;
}

/* ---- life ---- */

void
lsu_start(struct lsu *l, unsigned warp, unsigned number)
{
    assert(warp < MAX_WARPS && number < MAX_WARPS);
    l->state.number[warp] = (uint8_t)number;
}

void
lsu_reset(struct lsu *l)
{
    memset(l->table, 0, l->config->lsu_entries * sizeof *l->table);
    l->state = (struct lsu_state){ .addr = ADDR_IDLE };
    access_port_init(&l->state.in, 1, 1, true);
}

bool
lsu_create(struct lsu *l, const struct ventus_model_config *config,
           struct ventus_model_stats *stats, unsigned lanes,
           struct lsu_ports port)
{
    unsigned n = config->lsu_entries;
    assert(n && n <= 64 && lanes <= 64);
    *l = (struct lsu){ .config = config,
                       .stats = stats,
                       .port = port,
                       .lanes = lanes,
                       .all = UINT64_MAX >> (64 - n) };
    while (1u << l->line_shift < config->dcache.line_B)
        l->line_shift++;
    l->table = calloc(n, sizeof *l->table);
    return l->table;
}

void
lsu_destroy(struct lsu *l)
{
    free(l->table);
}
