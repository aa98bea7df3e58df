/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Translation (Sv39; keys tlb_entries for data and fetch_tlb_entries for
 * instructions; 0: it takes no time).
 *
 * An SM has a TLB for each; behind those of all SMs is one that they share, and
 * behind that page_walkers walkers.  A walk reads an entry of the table at each
 * level through the L2, as a load does that no L1D has.  One miss of a TLB is
 * under way: the LSU waits, and a fetch is sent back, as if the L1I had missed,
 * until its page is there.  All TLBs are fully associative, the page that
 * leaves is that of tlb_replacement; they are empty at the start of a launch.
 */
#include "model/machine.h"

enum { LEVELS = 3, LEVEL_BITS = 9, PTE_B = 8, PTE_LEAF = 0xe, PAGE_BITS = 12 };

/* Tables are at physical addresses, lines in the caches are virtual ones. */
enum { TABLE_LINE = 1u << 31 };

static void
fill(struct set_assoc *pages, uint64_t page, uint64_t now)
{
    set_assoc_fill(pages, set_assoc_victim(pages, page, now), page, now);
}

/* A hit is noted. */
static bool
find(struct set_assoc *pages, uint64_t page, uint64_t now)
{
    const struct way *way = set_assoc_find(pages, page);
    if (way)
        set_assoc_touch(pages, way, now);
    return way;
}

static void
miss(struct sm *s, struct tlb *t, uint64_t page)
{
    t->page = page;
    t->state = TLB_LOOKS;
    s->stirs = true;
    t->at = s->now + s->m->config.l2_tlb_cycles;
}

bool
tlb_ready(struct sm *s, uint32_t line)
{
    struct tlb *t = &s->tlb[TLB_DATA];
    if (!t->entries || !s->m->launch->ptbr)
        return true;
    if (t->state != TLB_READY)
        return false;
    uint64_t page = (uint64_t)line << s->m->line_shift >> PAGE_BITS;
    if (find(&t->pages, page, s->now)) {
        s->stats.tlb_hits += !t->filled;
        t->filled = false;
        return true;
    }
    s->stats.tlb_misses++;
    miss(s, t, page);
    return false;
}

/* A fetch that is sent back asks again; what is under way is another's. */
bool
tlb_ready_fetch(struct sm *s, uint32_t pc)
{
    struct tlb *t = &s->tlb[TLB_FETCH];
    if (!t->entries || !s->m->launch->ptbr)
        return true;
    if (find(&t->pages, pc >> PAGE_BITS, s->now)) {
        s->stats.fetch_tlb_hits++;
        return true;
    }
    if (t->state == TLB_READY) {
        s->stats.fetch_tlb_misses++;
        miss(s, t, pc >> PAGE_BITS);
    }
    return false;
}

static void
finish(struct sm *s, struct tlb *t)
{
    fill(&t->pages, t->page, s->now);
    t->state = TLB_READY;
    t->filled = true;
}

static void
look(struct sm *s, struct tlb *t)
{
    struct model *m = s->m;
    if (find(&m->l2_tlb, t->page, m->now)) {
        m->stats.l2_tlb_hits++;
        finish(s, t);
        return;
    }
    m->stats.l2_tlb_misses++;
    t->state = TLB_QUEUES;
}

static uint64_t
entry_address(const struct tlb *t)
{
    unsigned shift = LEVEL_BITS * t->level;
    return t->table + PTE_B * (t->page >> shift & ((1u << LEVEL_BITS) - 1));
}

static void
begin_walk(struct sm *s, struct tlb *t)
{
    if (s->m->walks == s->m->config.page_walkers)
        return;
    s->m->walks++;
    s->m->stats.page_walks++;
    t->level = LEVELS - 1;
    t->table = s->m->launch->ptbr;
    t->state = TLB_ASKS;
}

/* An entry of a table came: the page's, or that of the next table. */
static void
take_entry(struct sm *s, struct tlb *t)
{
    struct model *m = s->m;
    uint64_t pte = 0;
    sim_read(m->sim, entry_address(t), &pte, sizeof pte);
    if (t->level && !(pte & PTE_LEAF)) {
        t->level--;
        t->table = pte >> 10 << PAGE_BITS;
        t->state = TLB_ASKS;
        return;
    }
    m->walks--;
    fill(&m->l2_tlb, t->page, m->now);
    finish(s, t);
}

static void
step(struct sm *s, struct tlb *t)
{
    switch (t->state) {
    case TLB_READY:
    case TLB_ASKS:
    case TLB_WAITS:
        return;
    case TLB_LOOKS:
        if (t->at <= s->now)
            look(s, t);
        return;
    case TLB_QUEUES:
        begin_walk(s, t);
        return;
    case TLB_ANSWERED:
        take_entry(s, t);
        return;
    }
}

void
tlb_cycle(struct sm *s)
{
    for (unsigned i = 0; i < TLBS; i++)
        step(s, &s->tlb[i]);
}

bool
tlb_send(struct sm *s)
{
    struct model *m = s->m;
    unsigned i = 0;
    while (i < TLBS && s->tlb[i].state != TLB_ASKS)
        i++;
    if (i == TLBS)
        return false;
    m->l2.in_at[fifo_push(&m->l2.in, m->now)] = (struct mem_request){
        .op = MEM_GET,
        .line = (uint32_t)(entry_address(&s->tlb[i]) >> m->line_shift) |
                (uint32_t)TABLE_LINE,
        .sm = (uint8_t)s->id,
        .cache = CACHE_TABLES,
        .source = (uint8_t)i,
    };
    s->tlb[i].state = TLB_WAITS;
    return true;
}

void
tlb_answer(struct sm *s, unsigned which)
{
    s->tlb[which].state = TLB_ANSWERED;
}

/* ---- life ---- */

bool
tlb_create(struct sm *s)
{
    const struct model_config *c = &s->m->config;
    s->tlb[TLB_DATA].entries = c->tlb_entries;
    s->tlb[TLB_FETCH].entries = c->fetch_tlb_entries;
    bool ok = true;
    for (unsigned i = 0; i < TLBS; i++) {
        struct tlb *t = &s->tlb[i];
        ok = ok &&
             (!t->entries ||
              set_assoc_create(&t->pages, c->tlb_replacement, 1, t->entries,
                               random_of(c->seed, s->id, SEED_TLB + i)));
    }
    return ok;
}

void
tlb_destroy(struct sm *s)
{
    for (unsigned i = 0; i < TLBS; i++)
        set_assoc_destroy(&s->tlb[i].pages);
}

void
tlb_reset(struct sm *s)
{
    for (unsigned i = 0; i < TLBS; i++) {
        struct tlb *t = &s->tlb[i];
        if (t->entries)
            set_assoc_reset(&t->pages);
        *t = (struct tlb){ .pages = t->pages, .entries = t->entries };
    }
}
