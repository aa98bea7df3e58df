/* SPDX-License-Identifier: Apache-2.0 */
/* Races of accesses; the order that atomics and fences establish. */
#include <assert.h>

#include "base/bytes.h"
#include "sanitize/clock.h"
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
    size_t i = (op->pc - w->page->base) / 4; /* it may be after the page */
    assert(i < w->page->n);
    ventus_isa_decode_word(w->worker->sim->config.isa, w->page->words[i], &in);
    c->site[c->sites] =
        (struct sanitize_site){ .pc = op->pc,
                                .aqrl = in.aqrl,
                                .load = o->atomic && !o->store,
                                .conditional = in.op == VENTUS_ISA_SC_W ||
                                               in.op == VENTUS_ISA_SC_D,
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

/* Acquires: a release for all by a member of the own work-group holds for it, too. */
static void
acquire(struct sanitize_item *x, bool wide)
{
    struct sanitize_order *in = &x->in_group;
    in->acquired = later(in->acquired, later(in->seen, x->wide.seen));
    x->wide.acquired = later(x->wide.acquired, x->passed_on);
    if (wide)
        x->wide.acquired = later(x->wide.acquired, x->wide.seen);
}

/* Follows an access of a lane, whose words are at[]. */
static void
follow_item(struct sanitize *c, struct sim_warp *w, struct sanitize_item *x,
            unsigned site, bool store, const uint64_t *at, unsigned words)
{
    const struct sanitize_site *s = &c->site[site];
    bool acquires = s->aqrl & 2, releases = s->aqrl & 1;
    /* sc compares values, so it may follow a later release than the one that lr read,
     * and acquires that one if lr acquires. */
    if (s->load)
        x->loads_acquire = acquires;
    acquires |= s->conditional && x->loads_acquire;
    const uint32_t wide = releases ? c->time : x->wide.fenced;
    const uint32_t inside = later(wide, x->in_group.fenced);
    const uint32_t passed =
        inside ? later(x->wide.acquired,
                       sanitize_group_of(w)->acquired[is_local(at[0]) ? 0 : 1])
               : 0;
    for (unsigned i = 0; i < words; i++) {
        const uint64_t key = group_key(w, at[i]);
        if (!is_local(at[i])) /* which no other work-group has */
            meet(&x->wide.seen, release_of(c, at[i]), store, wide);
        meet(&x->in_group.seen, release_of(c, key), store, inside);
        meet(&x->passed_on, release_of(c, key + 1), store, passed);
    }
    if (acquires)
        acquire(x, true);
}

static void
follow_order(struct sanitize *c, struct sim_warp *w, unsigned site,
             const struct sanitize_operands *o,
             const struct sanitize_words *list)
{
    struct sanitize_warp *k = sanitize_warp_of(w);
    uint64_t lanes = list->scalar ? w->exec & -w->exec : list->lanes;
    k->acquired |= lanes;
    for (unsigned i = 0; lanes; lanes &= lanes - 1, i += list->words)
        follow_item(c, w, &k->item[__builtin_ctzll(lanes)], site, o->store,
                    list->at + i, list->words);
    if (c->site[site].aqrl & 1)
        sanitize_tick(c);
}

void
sanitize_fence(struct sanitize *c, struct sim_warp *w, const struct sim_op *op)
{
    enum { SETS = 0xff, DRAIN = 0x21 }; /* fence r,w (docs/abi.md) */
    struct sanitize_warp *k = sanitize_warp_of(w);
    bool wide = (op->aux & SETS) != DRAIN;
    k->fence |= w->exec;
    if (!(w->items & ~k->fence))
        k->fenced = c->time;
    for (uint64_t rest = w->exec; rest; rest &= rest - 1) {
        struct sanitize_item *x = &k->item[__builtin_ctzll(rest)];
        acquire(x, wide);
        x->in_group.fenced = c->time;
        if (wide)
            x->wide.fenced = c->time;
    }
    k->acquired |= w->exec;
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
    if (async_copies_know(w, at, bytes, now->access != RACE_READS, same_group,
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

/* Does the machine refuse the access?  That is a finding already, and no race. */
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
    uint32_t lanes = w->num_thread;
    struct race_now now = {
        .group_first = g->first_item,
        .group_end = g->first_item + w->group->warps * lanes,
        .warp_first = g->first_item + w->id * lanes,
        .time = c->time,
        .site = site_of(c, w, op),
        /* Memory at sp belongs to the warp: docs/abi.md, Registers. */
        .several = list->scalar && op->s1 != SP && (w->exec & (w->exec - 1)),
    };
    now.warp_end = now.warp_first + lanes;
    now.access = access_of(o, &c->site[now.site]);
    return now;
}

/*
 * Atomic loads and stores of local memory are plain ones, with a fence after a load
 * that acquires, and before a store that releases.  So a load is atomic where it
 * meets an atomic, and a store after a fence is.
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

/* A write that this access takes the place of, and that other work-groups may race with.
 * `old`: the record before, `next` after it. */
static bool
is_replaced(uint64_t old, uint64_t next)
{
    const unsigned was = race_state(old), is = race_state(next);
    return next != old && ((was == RACE_WRITE && is != RACE_WRITE) ||
                           (was >= RACE_ATOMIC && is < RACE_WRITE));
}

static bool
has_before(struct sanitize *c, uint64_t at)
{
    const struct shadow_page *p =
        is_local(at) ? NULL : shadow_page(&c->shadow, at);
    return p && p->write;
}

/* The last barriers that order local memory, or else global memory. */
static void
set_barriers(const struct sim_warp *w, struct race_now *now, bool local)
{
    const unsigned memory = local ? 0 : 1;
    now->barrier = sanitize_group_of(w)->barrier[memory];
    now->warp_barrier = sanitize_warp_of(w)->sub[memory];
    now->local = local;
    now->acquired = sanitize_group_of(w)->acquired[memory];
    now->acquired_in_group = sanitize_group_of(w)->acquired_in_group[memory];
}

static void
prepare(struct looking *k)
{
    const struct sanitize_words *list = k->list;
    struct race_now *now = &k->now;
    k->local = is_local(list->at[0]);
    const bool released = k->local && !k->c->quiet.exact_atomics &&
                          k->access == RACE_WRITES &&
                          k->c->site[now->site].released;
    set_barriers(k->w, now, k->local);
    if (list->close && has_before(k->c, list->first))
        return;
    k->usual = k->access != RACE_READS_ATOMIC && !released && !list->scalar &&
               !now->warp_barrier &&
               !(sanitize_warp_of(k->w)->acquired & list->lanes);
    if (!k->usual)
        return;
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

/* Looks at such a write from before, which is *write then, and keeps one.  True: it
 * races. */
static bool
look_before(struct looking *k, uint64_t at, uint64_t old, uint64_t next,
            uint64_t *write)
{
    struct sanitize *c = k->c;
    const struct shadow_page *p = shadow_page(&c->shadow, at);
    const bool saves = is_replaced(old, next);
    bool race = false;
    if (!p || (!p->write && !saves))
        return false;
    uint64_t *before = shadow_write(&c->shadow, at);
    if (!before)
        return false;
    *write = *before;
    if (*write && *write != old)
        race_next(*write, &k->now, c->site[race_site(*write)].load, &race);
    if (saves)
        *before = old;
    else if (k->now.access == RACE_WRITES &&
             !(race_bytes(*before) & ~k->now.bytes))
        *before = 0;
    return race;
}

/* A scalar access has acquired all that any of its work-items has. */
static void
set_acquired(struct looking *k, uint64_t lanes)
{
    const struct sanitize_warp *warp = sanitize_warp_of(k->w);
    if (!(warp->acquired & lanes))
        lanes = 0;
    const struct sanitize_acquired a =
        sanitize_acquired(sanitize_group_of(k->w), warp, lanes, k->now.local);
    k->now.acquired = a.wide;
    k->now.acquired_in_group = a.in_group;
}

static void
look_at(struct looking *k, uint64_t lane, unsigned i, unsigned word)
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
    if (!r ||
        (k->usual && local == k->local && (k->close || !has_before(c, at)) &&
         usual_one(&k->quick.race, k->access, r, now->item, now->bytes)))
        return;
    set_barriers(k->w, now, local);
    set_acquired(k, k->list->scalar ? k->w->exec : lane);
    uint64_t old = *r;
    bool was_load = c->site[race_site(old)].load;
    now->access = k->access;
    if (local && !c->quiet.exact_atomics)
        may_be_atomic(c, now, old, &was_load);
    k->follows |= now->access != k->access;
    *r = race_next(old, now, was_load, &race);
    if (!local && !race)
        race = look_before(k, at, old, *r, &old);
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
            look_at(&k, lanes & -lanes, i, word);
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
    const struct sanitize_acquired all =
        sanitize_acquired(g, k, w->exec, is_local(word));
    const uint64_t *r = record_of(c, w, write, word, 4);
    bool race;
    struct race_now now = {
        .group_first = g->first_item,
        .group_end = g->first_item + w->group->warps * w->num_thread,
        .item = UINT32_MAX, /* none of them alone */
        .several = true,
        .time = c->time,
        .barrier = g->barrier[is_local(word) ? 0 : 1],
        .acquired = all.wide,
        .acquired_in_group = all.in_group,
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
