/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Translation (Sv39, Sv48; keys tlb_entries for data and fetch_tlb_entries for
 * instructions; 0: it takes no time).
 *
 * An SM has a TLB for each.  All SMs share a second-level TLB, and page_walkers walkers.  A walk reads an entry of the table at each level through
 * the L2, as a load that misses the L1D does.  A TLB has at most one outstanding
 * miss: the LSU waits for it; a fetch is repeated, as after a miss of the L1I,
 * until the translation is there.  All TLBs are fully associative with the policy
 * tlb_replacement; they are empty at the start of a launch.
 */
#include "model/memory/tlb.h"

#include "model/bits.h"

enum { LEVELS = 3, LEVELS_SV48 = 4, LEVEL_BITS = 9, PTE_B = 8, PTE_LEAF = 0xe };

/* Tables are at physical addresses, lines in the caches are virtual ones, of
 * addresses of at most 48 bits. */
#define TABLE_LINE (UINT64_C(1) << 51)

static void
fill_page(struct set_assoc *pages, uint64_t page, uint64_t now)
{
    set_assoc_fill(pages, set_assoc_victim(pages, page, now), page, now);
}

/* ---- the TLB of an SM ---- */

static void
begin_miss(struct tlb *t, uint64_t page, uint64_t now)
{
    struct tlb_state *st = &t->state;
    *(t->kind == TLB_FETCH ? &t->stats->fetch_tlb_misses
                           : &t->stats->tlb_misses) += 1;
    st->page = page;
    st->walk = TLB_LOOKS;
    st->at = now + t->config->l2_tlb_cycles;
}

/*
 * The LSU waits for its miss.  A fetch that is sent back asks again; the miss that
 * is under way is another's.
 */
bool
tlb_search(struct tlb *t, uint64_t address, uint64_t now)
{
    uint64_t page = address >> TLB_PAGE_BITS;
    if (t->kind == TLB_DATA && tlb_is_busy(t))
        return false;
    const struct way *way = set_assoc_find(&t->pages, page);
    if (way) {
        t->state.last = way;
        tlb_hit(t, way, now);
        return true;
    }
    if (!tlb_is_busy(t))
        begin_miss(t, page, now);
    return false;
}

static void
finish_walk(struct tlb *t, uint64_t now)
{
    assert(tlb_is_busy(t));
    fill_page(&t->pages, t->state.page, now);
    t->state.walk = TLB_READY;
    t->state.filled = true;
}

/* ---- after a miss of the TLB ---- */

static void
look_up_shared(struct tlb *t, struct l2_tlb *u, uint64_t now)
{
    const struct way *way = set_assoc_find(&u->pages, t->state.page);
    if (way) {
        set_assoc_touch(&u->pages, way, now);
        u->stats->l2_tlb_hits++;
        finish_walk(t, now);
        return;
    }
    u->stats->l2_tlb_misses++;
    t->state.walk = TLB_QUEUES;
}

static uint64_t
entry_address(const struct tlb_state *st)
{
    unsigned shift = LEVEL_BITS * st->level;
    return st->table + PTE_B * (st->page >> shift & ((1u << LEVEL_BITS) - 1));
}

static void
begin_walk(struct tlb *t, struct l2_tlb *u)
{
    assert(u->walks <= u->config->page_walkers && "a walk holds one walker");
    if (u->walks == u->config->page_walkers)
        return;
    u->walks++;
    u->stats->page_walks++;
    bool sv48 = t->state.root >= VENTUS_SIM_SV48;
    t->state.level = (sv48 ? LEVELS_SV48 : LEVELS) - 1;
    t->state.table = t->state.root & ~VENTUS_SIM_SV48;
    t->state.walk = TLB_ASKS;
}

/* An entry of a table came: the page's, or that of the next table. */
static void
take_entry(struct tlb *t, struct l2_tlb *u, uint64_t now)
{
    struct tlb_state *st = &t->state;
    uint64_t pte = 0;
    ventus_sim_read(u->sim, entry_address(st), &pte, sizeof pte);
    if (st->level && !(pte & PTE_LEAF)) {
        st->level--;
        st->table = pte >> 10 << TLB_PAGE_BITS;
        st->walk = TLB_ASKS;
        return;
    }
    assert(u->walks && "an entry comes for a walk");
    u->walks--;
    fill_page(&u->pages, st->page, now);
    finish_walk(t, now);
}

void
tlb_tick(struct tlb *t, struct l2_tlb *u, uint64_t now)
{
    switch (t->state.walk) {
    case TLB_READY:
    case TLB_ASKS:
    case TLB_WAITS:
        return;
    case TLB_LOOKS:
        if (t->state.at <= now)
            look_up_shared(t, u, now);
        return;
    case TLB_QUEUES:
        begin_walk(t, u);
        return;
    case TLB_ANSWERED:
        take_entry(t, u, now);
        return;
    }
}

uint64_t
tlb_l2_take(struct tlb *t, unsigned line_shift)
{
    assert(t->state.walk == TLB_ASKS && "only what is seen can be taken");
    t->state.walk = TLB_WAITS;
    return entry_address(&t->state) >> line_shift | TABLE_LINE;
}

void
tlb_l2_send(struct tlb *t)
{
    assert(t->state.walk == TLB_WAITS &&
           "an entry comes for a walk that asked");
    t->state.walk = TLB_ANSWERED;
}

/* ---- life ---- */

bool
tlb_create(struct tlb *t, enum tlb_kind kind,
           const struct ventus_model_config *config,
           struct ventus_model_stats *stats, unsigned sm)
{
    *t =
        (struct tlb){ .config = config,
                      .stats = stats,
                      .kind = kind,
                      .entries = kind == TLB_DATA ? config->tlb_entries
                                                  : config->fetch_tlb_entries };
    return !t->entries ||
           set_assoc_create(&t->pages, config->tlb_replacement, 1, t->entries,
                            random_of(config->seed, sm, SEED_TLB + kind));
}

void
tlb_destroy(struct tlb *t)
{
    set_assoc_destroy(&t->pages);
}

void
tlb_reset(struct tlb *t, uint64_t root)
{
    t->state = (struct tlb_state){ .root = root };
    if (t->entries)
        set_assoc_reset(&t->pages);
}

bool
l2_tlb_create(struct l2_tlb *u, const struct ventus_model_config *config,
              struct ventus_model_stats *stats, struct ventus_sim *sim)
{
    *u = (struct l2_tlb){ .config = config, .stats = stats, .sim = sim };
    return set_assoc_create(&u->pages, config->tlb_replacement, 1,
                            config->l2_tlb_entries,
                            random_of(config->seed, 0, SEED_L2_TLB));
}

void
l2_tlb_destroy(struct l2_tlb *u)
{
    set_assoc_destroy(&u->pages);
}

void
l2_tlb_reset(struct l2_tlb *u)
{
    u->walks = 0;
    set_assoc_reset(&u->pages);
}
