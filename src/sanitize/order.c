/* SPDX-License-Identifier: Apache-2.0 */
/* Races of accesses; the order that atomics and fences establish. */
#include <assert.h>

#include "base/bytes.h"
#include "sanitize/usual.h"
#include "sim/lanes.h"

/* ---- instructions ---- */

enum { NEAR_WORDS = 3 };

/* Is a fence among the few words of its page before it? */
static bool
is_released(const struct sim_code_page *p, const struct sim_op *op)
{
    size_t i = (size_t)(op - p->ops); /* that of its prefix, if it has one */
    assert(i < CODE_WORDS);
    for (size_t k = 1; k <= NEAR_WORDS && k <= i; k++)
        if (sanitize_operands[p->ops[i - k].code].rule == RULE_FENCE)
            return true;
    return false;
}

static unsigned
add_site(struct sanitize *c, const struct sim_warp *w, const struct sim_op *op)
{
    const struct sanitize_operands *o = &sanitize_operands[op->code];
    struct ventus_isa_insn in = { 0 };
    if (c->sites == RACE_SITES)
        return 0;
    size_t i = (op->pc - w->page->base) / 4; /* it may be behind the page */
    assert(i < w->page->n);
    ventus_isa_decode_word(w->worker->sim->config.isa, w->page->words[i], &in);
    c->site[c->sites] =
        (struct sanitize_site){ .pc = op->pc,
                                .aqrl = in.aqrl,
                                .load = o->atomic && !o->store,
                                .released = is_released(w->page, op) };
    return c->sites++;
}

/* The row of an instruction; 0 if the table is full. */
static unsigned
site_of(struct sanitize *c, const struct sim_warp *w, const struct sim_op *op)
{
    uint16_t *recent = &c->recent[op->pc / 4 % RACE_SITES];
    if (*recent && c->site[*recent].pc == op->pc)
        return *recent;
    unsigned i = c->sites;
    while (--i && c->site[i].pc != op->pc)
        ;
    if (!i)
        i = add_site(c, w, op);
    *recent = (uint16_t)i;
    return i;
}

/* ---- acquire and release ---- */

static uint32_t
later(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static bool
is_local(uint64_t at)
{
    return at - SIM_LOCAL_BASE < SIM_LOCAL_SIZE;
}

/* Addresses that share one are released and acquired together: more order. */
static uint32_t *
release_of(struct sanitize *c, uint64_t address)
{
    return &c->release[hash_u64(address) % SANITIZE_RELEASES];
}

/* Releases for the own work-group are apart: no other one acquires them. */
static uint64_t
group_key(const struct sim_warp *w, uint64_t address)
{
    return address ^ hash_u64(w->group->number + 1);
}

/* A release at a word is seen, and one is made if the access stores. */
static void
meet(uint32_t *seen, uint32_t *release, bool stores, uint32_t released)
{
    *seen = later(*seen, *release);
    if (stores)
        *release = later(*release, released);
}

/* What one of the own work-group released for all is released for it, too. */
static void
acquire(struct sanitize_warp *k, bool wide)
{
    struct sanitize_order *in = &k->in_group;
    in->acquired = later(in->acquired, later(in->seen, k->wide.seen));
    k->wide.acquired = later(k->wide.acquired, k->passed_on);
    if (wide)
        k->wide.acquired = later(k->wide.acquired, k->wide.seen);
}

static void
follow_order(struct sanitize *c, struct sim_warp *w, unsigned site,
             const struct sanitize_operands *o,
             const struct sanitize_words *list)
{
    struct sanitize_warp *k = sanitize_warp_of(w);
    bool acquires = c->site[site].aqrl & 2, releases = c->site[site].aqrl & 1;
    uint32_t wide = releases ? c->time : k->wide.fenced;
    uint32_t inside = later(wide, k->in_group.fenced);
    uint32_t passed =
        inside ? later(k->wide.acquired, sanitize_group_of(w)->acquired) : 0;
    for (unsigned i = 0; i < list->n; i++) {
        const uint64_t at = list->at[i], key = group_key(w, at);
        if (!is_local(at)) /* which no other work-group has */
            meet(&k->wide.seen, release_of(c, at), o->store, wide);
        meet(&k->in_group.seen, release_of(c, key), o->store, inside);
        meet(&k->passed_on, release_of(c, key + 1), o->store, passed);
    }
    if (acquires)
        acquire(k, true);
    if (releases)
        sanitize_tick(c);
}

void
sanitize_fence(struct sanitize *c, struct sim_warp *w, const struct sim_op *op)
{
    enum { SETS = 0xff, DRAIN = 0x21 }; /* fence r,w (docs/abi.md) */
    struct sanitize_warp *k = sanitize_warp_of(w);
    bool wide = (op->aux & SETS) != DRAIN;
    acquire(k, wide);
    k->in_group.fenced = c->time;
    if (wide)
        k->wide.fenced = c->time;
    sanitize_tick(c);
}

/* ---- races ---- */

enum { SP = 2, STACK_B = 1024 }; /* docs/abi.md, Local memory and stacks */

/* The value that the lane is about to store, as far as it fits an access. */
static uint32_t
data_of(const struct sim_warp *w, const struct sim_op *op,
        const struct sanitize_operands *o, unsigned lane, unsigned word,
        unsigned bytes)
{
    unsigned r = (o->data ? op->d : op->s2) + word;
    uint32_t x =
        o->vector ? w->v[(size_t)r * w->lanes + lane] : w->x[r % SIM_XREGS];
    return bytes == 4 ? x : x & ((1u << 8 * bytes) - 1);
}

/*
 * Writes the value that is there, or what another lane writes with the same
 * instruction: both orders give the same.
 */
static bool
is_uniform(struct sim_warp *w, const struct sim_op *op,
           const struct sanitize_operands *o, const struct race_now *now,
           uint64_t record, uint64_t at, unsigned word, unsigned bytes)
{
    if (now->access != RACE_WRITES || race_state(record) != RACE_WRITE)
        return false;
    unsigned lane = now->item - now->warp_first;
    uint32_t mine = data_of(w, op, o, lane, word, bytes);
    uint32_t item = race_item(record);
    if (race_site(record) == now->site && race_time(record) == now->time &&
        item >= now->warp_first && item < now->warp_end &&
        data_of(w, op, o, item - now->warp_first, word, bytes) == mine)
        return true;
    const uint8_t *host =
        at % bytes ? NULL : mmu_at(w->mmu, at, bytes, MMU_READ);
    return host && (uint32_t)bytes_load(host, bytes) == mine;
}

/* Whose access a record is. */
static struct sanitize_party
party_of(const struct sanitize *c, const struct sim_warp *w,
         const struct race_now *now, uint64_t record, bool same_group)
{
    uint32_t size = now->group_end - now->group_first;
    uint32_t item = race_item(record), lanes = w->num_thread;
    enum race_state state = (enum race_state)race_state(record);
    /* Groups count modulo what fits a record: the last one that is meant. */
    uint64_t wrap = (1u << RACE_ITEM_BITS) / size, group = item / size;
    uint64_t mine = w->group->number;
    if (wrap)
        group += mine / wrap * wrap;
    if (same_group)
        group = mine;
    else if (group > mine && group >= wrap && group - mine > wrap / 2)
        group -= wrap;
    return (struct sanitize_party){
        .known = race_site(record) != 0,
        .pc = c->site[race_site(record)].pc,
        .group = group,
        .warp = item % size / lanes,
        /* The record of several is of the last: another one. */
        .lane = item == now->item ? -1 : (int)(item % lanes),
        .write = state >= RACE_WRITE,
        .atomic = state >= RACE_ATOMIC
    };
}

static bool
is_of_group(uint64_t record, const struct race_now *now)
{
    uint32_t item = race_item(record);
    return item >= now->group_first && item < now->group_end;
}

static void
report(struct sanitize *c, struct sim_warp *w, const struct sim_op *op,
       const struct race_now *now, uint64_t record, uint64_t at, unsigned bytes)
{
    bool same_group = is_of_group(record, now);
    if (copies_know(w, at, bytes, now->access != RACE_READS, same_group,
                    race_time(record)))
        return;
    struct sanitize_finding f = {
        .what = SANITIZE_DATA_RACE,
        .here = sanitize_party(w, op, (int)(now->item - now->warp_first)),
        .other = party_of(c, w, now, record, same_group),
        .has_address = true,
        .address = at,
        .size_B = bytes,
        .local = at - SIM_LOCAL_BASE < SIM_LOCAL_SIZE,
    };
    const struct sanitize_group *g = sanitize_group_of(w);
    if (same_group && race_time(record) < later(g->barrier[0], g->barrier[1]))
        f.note = f.local ? "the barrier between them orders global memory only"
                         : "the barrier between them orders local memory only";
    else if (same_group && race_time(record) < g->met)
        f.note = "the barrier between them orders no memory: its flags are 0";
    sanitize_note(c, w, &f);
}

/* Does the machine refuse the access?  It is left out then, and no race. */
static bool
is_refused(struct sim_warp *w, bool store, uint64_t at, unsigned bytes)
{
    unsigned access = store ? MMU_WRITE : MMU_READ;
    return at % bytes || !mmu_at(w->mmu, at, bytes, access);
}

/* The record of a word; NULL: its races are not checked. */
static uint64_t *
record_of(struct sanitize *c, struct sim_warp *w, bool store, uint64_t at,
          unsigned bytes)
{
    uint64_t local = at - SIM_LOCAL_BASE;
    if (local < SIM_LOCAL_SIZE) {
        struct sanitize_group *g = sanitize_group_of(w);
        if (sanitize_is_in(&c->quiet.exchange, at))
            return NULL;
        if (local >= g->local_B)
            return NULL;
        sanitize_touch_local(g, local);
        return &g->local_race[local / 4];
    }
    if (sanitize_is_quiet(c, at) || sanitize_is_in_gap(c, at, bytes) ||
        is_refused(w, store, at, bytes))
        return NULL;
    struct shadow_page *p = shadow_page(&c->shadow, at);
    return p ? &p->race[at % SHADOW_PAGE / 4] : NULL;
}

static enum race_access
access_of(const struct sanitize_operands *o, const struct sanitize_site *site)
{
    if (o->store)
        return o->atomic ? RACE_UPDATES : RACE_WRITES;
    return site->load ? RACE_READS_ATOMIC : RACE_READS;
}

static struct race_now
begin(struct sanitize *c, const struct sim_warp *w, const struct sim_op *op,
      const struct sanitize_operands *o, const struct sanitize_words *list)
{
    const struct sanitize_group *g = sanitize_group_of(w);
    const struct sanitize_warp *k = &g->warp[w->id];
    uint32_t lanes = w->num_thread;
    struct race_now now = {
        .group_first = g->first_item,
        .group_end = g->first_item + w->group->warps * lanes,
        .warp_first = g->first_item + w->id * lanes,
        .warp_barrier = k->sub,
        .acquired = later(k->wide.acquired, g->acquired),
        .acquired_in_group = later(k->in_group.acquired, g->acquired_in_group),
        .time = c->time,
        .site = site_of(c, w, op),
        /* What is at sp is of the warp: docs/abi.md, Registers. */
        .several = list->scalar && op->s1 != SP && (w->exec & (w->exec - 1)),
    };
    now.warp_end = now.warp_first + lanes;
    now.access = access_of(o, &c->site[now.site]);
    return now;
}

/*
 * Atomic loads and stores of local memory are plain ones, with a fence behind a load
 * that acquires, and before a store that releases.  So a load is atomic where it
 * meets an atomic, and a store behind a fence is.
 */
static void
may_be_atomic(const struct sanitize *c, struct race_now *now, uint64_t old,
              bool *was_load)
{
    enum race_state state = (enum race_state)race_state(old);
    if (now->access == RACE_WRITES && c->site[now->site].released)
        now->access = RACE_UPDATES;
    if (now->access == RACE_READS && state >= RACE_ATOMIC)
        now->access = RACE_READS_ATOMIC;
    if (now->access == RACE_UPDATES && state <= RACE_READ_GROUPS)
        *was_load = true;
}

/* The records of an access whose words lie close together, from the one of its
 * first word on; NULL: each word has to be checked. */
static uint64_t *
records_of(struct sanitize *c, struct sim_warp *w,
           const struct sanitize_operands *o, const struct sanitize_words *list)
{
    const uint64_t first = list->first, last = list->last;
    uint64_t local = first - SIM_LOCAL_BASE;
    if (local < SIM_LOCAL_SIZE) {
        if (sanitize_meets(&c->quiet.exchange, first, last))
            return NULL;
        sanitize_touch_local(sanitize_group_of(w), last - SIM_LOCAL_BASE);
        return &sanitize_group_of(w)->local_race[local / 4];
    }
    const struct sim_span *s =
        mmu_span(w->mmu, first, list->bytes, o->store ? MMU_WRITE : MMU_READ);
    if (!s || last - s->lo >= s->size || c->gaps ||
        sanitize_meets(&c->quiet.print, first, last) ||
        sanitize_meets(&c->quiet.nowhere, first, last))
        return NULL;
    struct shadow_page *p = shadow_page(&c->shadow, first);
    return p ? &p->race[first % SHADOW_PAGE / 4] : NULL;
}

/* An access whose races are checked. */
struct looking {
    struct sanitize *c;
    struct sim_warp *w;
    const struct sim_op *op;
    const struct sanitize_operands *o;
    const struct sanitize_words *list;
    struct race_now now;
    enum race_access access;
    bool follows; /* it makes order */
    /* The usual case may tell, for words of this kind of memory. */
    bool usual, local;
    struct usual_access quick;
    uint64_t *close; /* records_of */
};

static void
prepare(struct looking *k)
{
    const struct sanitize_words *list = k->list;
    struct race_now *now = &k->now;
    k->local = is_local(list->at[0]);
    bool released =
        k->local && k->access == RACE_WRITES && k->c->site[now->site].released;
    k->usual = k->access != RACE_READS_ATOMIC && !released && !list->scalar &&
               !now->warp_barrier;
    if (!k->usual)
        return;
    now->barrier = sanitize_group_of(k->w)->barrier[k->local ? 0 : 1];
    if (list->close)
        k->close = records_of(k->c, k->w, k->o, list);
    k->quick = (struct usual_access){ .race = race_usual(now),
                                      .access = k->access,
                                      .list = list,
                                      .rows = k->c->rows_of,
                                      .record = k->close,
                                      .warp_first = now->warp_first,
                                      .local = k->local };
}

static void
look_at(struct looking *k, unsigned i, unsigned word)
{
    struct sanitize *c = k->c;
    struct race_now *now = &k->now;
    const unsigned bytes = k->list->bytes;
    const uint64_t at = k->list->at[i];
    const bool local = is_local(at);
    bool race;
    uint64_t *r = k->close ? k->close + at / 4 - k->list->first / 4
                           : record_of(c, k->w, k->o->store, at, bytes);
    now->bytes = usual_bytes(at, bytes);
    if (!r || (k->usual && local == k->local &&
               usual_one(&k->quick.race, k->access, r, now->item, now->bytes)))
        return;
    now->barrier = sanitize_group_of(k->w)->barrier[local ? 0 : 1];
    uint64_t old = *r;
    bool was_load = c->site[race_site(old)].load;
    now->access = k->access;
    if (local)
        may_be_atomic(c, now, old, &was_load);
    k->follows |= now->access != k->access;
    *r = race_next(old, now, was_load, &race);
    if (race && (c->options.uniform_writes ||
                 !is_uniform(k->w, k->op, k->o, now, old, at, word, bytes)))
        report(c, k->w, k->op, now, old, at, bytes);
}

/* In the warp's stack (docs/abi.md, Local memory and stacks): one scalar instruction
 * after the other accesses it, whichever of its work-items are active. */
static bool
is_stack(const struct sim_warp *w, const struct sim_op *op,
         const struct sanitize_words *list)
{
    const uint64_t stack = SIM_LOCAL_BASE + (uint64_t)w->id * STACK_B;
    return list->scalar && op->s1 == SP && list->n &&
           list->at[0] - stack < STACK_B;
}

void
sanitize_races(struct sanitize *c, struct sim_warp *w, const struct sim_op *op,
               const struct sanitize_operands *o,
               const struct sanitize_words *list)
{
    uint64_t lanes = list->scalar ? w->exec & -w->exec : list->lanes;
    if (!lanes || !list->n || is_stack(w, op, list))
        return;
    struct looking k = { c, w, op, o, list, .now = begin(c, w, op, o, list) };
    k.access = k.now.access;
    k.follows = o->atomic || k.access == RACE_READS_ATOMIC;
    prepare(&k);
    unsigned i = 0;
    if (k.close && list->words == 1)
        i = usual_skip(&k.quick);
    for (unsigned done = i == list->n ? 0 : i; done; done--)
        lanes &= lanes - 1;
    if (i == list->n)
        lanes = 0;
    for (; lanes; lanes &= lanes - 1) {
        k.now.item = k.now.warp_first + (uint32_t)__builtin_ctzll(lanes);
        for (unsigned word = 0; word < list->words; word++, i++)
            look_at(&k, i, word);
    }
    if (k.follows)
        follow_order(c, w, k.now.site, o, list);
}

bool
sanitize_races_of_all(struct sanitize *c, struct sim_warp *w, uint64_t word,
                      unsigned bytes, bool write, struct sanitize_party *other)
{
    const struct sanitize_group *g = sanitize_group_of(w);
    const struct sanitize_warp *k = sanitize_warp_of(w);
    const uint64_t *r = record_of(c, w, write, word, 4);
    bool race;
    struct race_now now = {
        .group_first = g->first_item,
        .group_end = g->first_item + w->group->warps * w->num_thread,
        .item = UINT32_MAX, /* none of them alone */
        .several = true,
        .time = c->time,
        .barrier = g->barrier[is_local(word) ? 0 : 1],
        .acquired = later(k->wide.acquired, g->acquired),
        .acquired_in_group = later(k->in_group.acquired, g->acquired_in_group),
        .bytes = bytes,
        .access = write ? RACE_WRITES : RACE_READS,
    };
    assert(word % 4 == 0 && bytes && bytes <= 15);
    if (!r)
        return false;
    race_next(*r, &now, c->site[race_site(*r)].load, &race);
    if (race)
        *other = party_of(c, w, &now, *r, is_of_group(*r, &now));
    return race;
}
