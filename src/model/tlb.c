/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Translation of data addresses (Sv39; key tlb_entries, 0: it takes no time).
 *
 * An SM has a TLB; behind those of all SMs is one that they share, and behind
 * that page_walkers walkers.  A walk reads an entry of the table at each level
 * through the L2, as a load does that no L1D has.  The LSU waits meanwhile: one
 * miss of an SM is under way.  All TLBs are fully associative, the page used
 * longest ago leaves; they are empty at the start of a launch.
 */
#include <stdlib.h>
#include <string.h>

#include "model/machine.h"

enum { LEVELS = 3, LEVEL_BITS = 9, PTE_B = 8, PTE_LEAF = 0xe, PAGE_BITS = 12 };

/* Tables are at physical addresses, lines in the caches are virtual ones. */
enum { TABLE_LINE = 1u << 31 };

static struct tlb_entry *
find(struct tlb_entry *entry, unsigned n, uint64_t page)
{
    for (unsigned i = 0; i < n; i++)
        if (entry[i].valid && entry[i].page == page)
            return &entry[i];
    return NULL;
}

static void
fill(struct tlb_entry *entry, unsigned n, uint64_t page, uint64_t now)
{
    struct tlb_entry *oldest = entry;
    for (unsigned i = 1; oldest->valid && i < n; i++)
        if (!entry[i].valid || entry[i].used < oldest->used)
            oldest = &entry[i];
    *oldest = (struct tlb_entry){ page, now, true };
}

bool
tlb_ready(struct sm *s, uint32_t line)
{
    struct tlb *t = &s->tlb;
    const struct model_config *c = &s->m->config;
    if (!c->tlb_entries || !s->m->launch->ptbr)
        return true;
    if (t->state != TLB_READY)
        return false;
    t->page = (uint64_t)line << s->m->line_shift >> PAGE_BITS;
    struct tlb_entry *e = find(t->entry, c->tlb_entries, t->page);
    if (e) {
        e->used = s->now;
        s->stats.tlb_hits += !t->filled;
        t->filled = false;
        return true;
    }
    s->stats.tlb_misses++;
    t->state = TLB_LOOKS;
    t->at = s->now + c->l2_tlb_cycles;
    return false;
}

static void
finish(struct sm *s)
{
    struct tlb *t = &s->tlb;
    fill(t->entry, s->m->config.tlb_entries, t->page, s->now);
    t->state = TLB_READY;
    t->filled = true;
}

static void
look(struct sm *s)
{
    struct model *m = s->m;
    struct tlb_entry *e =
        find(m->l2_tlb, m->config.l2_tlb_entries, s->tlb.page);
    if (e) {
        e->used = m->now;
        m->stats.l2_tlb_hits++;
        finish(s);
        return;
    }
    m->stats.l2_tlb_misses++;
    s->tlb.state = TLB_QUEUES;
}

static uint64_t
entry_address(const struct tlb *t)
{
    unsigned shift = LEVEL_BITS * t->level;
    return t->table + PTE_B * (t->page >> shift & ((1u << LEVEL_BITS) - 1));
}

static void
begin_walk(struct sm *s)
{
    struct tlb *t = &s->tlb;
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
take_entry(struct sm *s)
{
    struct model *m = s->m;
    struct tlb *t = &s->tlb;
    uint64_t pte = 0;
    sim_read(m->sim, entry_address(t), &pte, sizeof pte);
    if (t->level && !(pte & PTE_LEAF)) {
        t->level--;
        t->table = pte >> 10 << PAGE_BITS;
        t->state = TLB_ASKS;
        return;
    }
    m->walks--;
    fill(m->l2_tlb, m->config.l2_tlb_entries, t->page, m->now);
    finish(s);
}

void
tlb_cycle(struct sm *s)
{
    struct tlb *t = &s->tlb;
    switch (t->state) {
    case TLB_READY:
    case TLB_ASKS:
    case TLB_WAITS:
        return;
    case TLB_LOOKS:
        if (t->at <= s->now)
            look(s);
        return;
    case TLB_QUEUES:
        begin_walk(s);
        return;
    case TLB_ANSWERED:
        take_entry(s);
        return;
    }
}

bool
tlb_send(struct sm *s)
{
    struct model *m = s->m;
    if (s->tlb.state != TLB_ASKS)
        return false;
    m->l2.in_at[fifo_push(&m->l2.in, m->now)] = (struct mem_request){
        .op = MEM_GET,
        .line = (uint32_t)(entry_address(&s->tlb) >> m->line_shift) |
                (uint32_t)TABLE_LINE,
        .sm = (uint8_t)s->id,
        .cache = CACHE_TABLES,
    };
    s->tlb.state = TLB_WAITS;
    return true;
}

void
tlb_answer(struct sm *s)
{
    s->tlb.state = TLB_ANSWERED;
}

/* ---- life ---- */

bool
tlb_create(struct sm *s)
{
    unsigned n = s->m->config.tlb_entries;
    s->tlb.entry = calloc(n ? n : 1, sizeof *s->tlb.entry);
    return s->tlb.entry != NULL;
}

void
tlb_reset(struct sm *s)
{
    struct tlb_entry *entry = s->tlb.entry;
    memset(entry, 0, s->m->config.tlb_entries * sizeof *entry);
    s->tlb = (struct tlb){ .entry = entry };
}
