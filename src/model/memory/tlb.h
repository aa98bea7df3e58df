/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/model.h>

#include "model/memory/set_assoc.h"
#include "model/request.h"

enum tlb_kind { TLB_DATA, TLB_FETCH, TLBS };
enum { TLB_PAGE_BITS = 12 };

enum tlb_walk {
    TLB_READY,
    TLB_LOOKS,  /* in the shared one, until `at` */
    TLB_QUEUES, /* for a walker */
    TLB_ASKS,   /* for an entry of a table */
    TLB_WAITS,
    TLB_ANSWERED
};

/* State of one run: the miss that is under way. */
struct tlb_state {
    uint64_t root; /* root of the tables; 0: translation takes no time */
    enum tlb_walk walk;
    bool filled; /* the look-up that missed comes again */
    unsigned level;
    uint64_t page, table, at;
    const struct way *last; /* way of the last hit */
};

/* The TLB of an SM, for data or for instructions. */
struct tlb {
    const struct ventus_model_config *config;
    struct ventus_model_stats *stats;
    enum tlb_kind kind;
    unsigned entries;
    struct set_assoc pages; /* none with no entries */
    struct tlb_state state;
};

/* Translation that all SMs share: a second-level TLB and the walkers. */
struct l2_tlb {
    const struct ventus_model_config *config;
    struct ventus_model_stats *stats;
    struct ventus_sim *sim; /* whose memory has the tables */
    struct set_assoc pages;
    unsigned walks; /* under way */
};

bool
tlb_create(struct tlb *t, enum tlb_kind kind,
           const struct ventus_model_config *config,
           struct ventus_model_stats *stats, unsigned sm);

void
tlb_destroy(struct tlb *t);

void
tlb_reset(struct tlb *t, uint64_t root);

bool
l2_tlb_create(struct l2_tlb *u, const struct ventus_model_config *config,
              struct ventus_model_stats *stats, struct ventus_sim *sim);

void
l2_tlb_destroy(struct l2_tlb *u);

void
l2_tlb_reset(struct l2_tlb *u);

/* Does translation take time? */
static inline bool
tlb_is_on(const struct tlb *t)
{
    return t->entries && t->state.root;
}

/* Is a miss under way?  While there is none a tick does nothing. */
static inline bool
tlb_is_busy(const struct tlb *t)
{
    return t->state.walk != TLB_READY;
}

/* A lookup that is not in the page of the last hit, or during a miss. */
bool
tlb_search(struct tlb *t, uint64_t address, uint64_t now);

/* A hit, in a way. */
static inline void
tlb_hit(struct tlb *t, const struct way *way, uint64_t now)
{
    set_assoc_touch(&t->pages, way, now);
    if (t->kind == TLB_FETCH)
        t->stats->fetch_tlb_hits++;
    else
        t->stats->tlb_hits += !t->state.filled;
    t->state.filled &= t->kind == TLB_FETCH;
}

/* Is the page of an address translated?  If not, it will be.  Most are of the page of
 * the last one. */
static inline bool
tlb_lookup(struct tlb *t, uint64_t address, uint64_t now)
{
    const struct way *last = t->state.last;
    if (!tlb_is_on(t))
        return true;
    if (!last || tlb_is_busy(t) || !last->valid ||
        last->tag != address >> TLB_PAGE_BITS)
        return tlb_search(t, address, now);
    tlb_hit(t, last, now);
    return true;
}

void
tlb_tick(struct tlb *t, struct l2_tlb *u, uint64_t now);

/* When a tick does something, from `now` on: always with what all SMs share, so that it
 * comes in the order of SMs.  UINT64_MAX: not before the uncore does. */
static inline uint64_t
tlb_next_event(const struct tlb *t, uint64_t now)
{
    enum tlb_walk walk = t->state.walk;
    if (walk == TLB_LOOKS)
        return t->state.at > now ? t->state.at : now;
    return walk == TLB_QUEUES || walk == TLB_ANSWERED ? now : UINT64_MAX;
}

/* Entries of tables that a walk asks the L2 for: does it ask for one, and the line of
 * that.  line_shift: a line has 1 << line_shift bytes. */
static inline bool
tlb_l2_peek(const struct tlb *t)
{
    return t->state.walk == TLB_ASKS;
}

uint64_t
tlb_l2_take(struct tlb *t, unsigned line_shift);

/* The entry comes. */
void
tlb_l2_send(struct tlb *t);
