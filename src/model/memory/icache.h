/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/model.h>

#include "model/memory/set_assoc.h"
#include "model/request.h"

enum { ICACHE_MSHRS = 16 };

struct icache_miss {
    bool valid, sent;
    uint16_t
        subentries; /* requests for the line that it has noted, by their place */
    uint64_t line;
    uint64_t at;
    uint64_t leaves_at; /* when the MSHR of a line that came is free */
};

/* State of one run. */
struct icache_state {
    unsigned misses, unsent; /* valid MSHRs; those that the bus has not taken */
    uint64_t hit_line;       /* line of the last hit, */
    struct way *hit_way;     /* where it was, until lines change, */
    struct way *hit_set;
    unsigned hit_index;
    uint64_t hit_at; /* and when */
    uint64_t filled; /* line that came last, and when */
    int filled_entry;
    uint64_t filled_at;
    uint64_t
        busy_until; /* the line that came last occupies the path of answers */
    struct way *filled_set, *filled_way;
    struct line_port response; /* from the L2 */
    struct icache_miss miss[ICACHE_MSHRS];
};

/* The instruction cache of an SM. */
struct icache {
    const struct ventus_model_config *config;
    struct ventus_model_stats *stats;
    uint64_t age0;         /* cycles of all launches before */
    struct set_assoc tags; /* persists between launches */
    struct icache_state state;
};

bool
icache_create(struct icache *c, const struct ventus_model_config *config,
              struct ventus_model_stats *stats, unsigned sm);

void
icache_destroy(struct icache *c);

/* A run begins, so many cycles after the machine was made; the last one ended in
 * cycle `ended`. */
void
icache_reset(struct icache *c, uint64_t ended, uint64_t age0);

/* A lookup that is not in the line of the last hit. */
bool
icache_search(struct icache *c, uint64_t line, uint64_t now);

/* Is the line there?  If not, it is asked for. */
static inline bool
icache_lookup(struct icache *c, uint64_t line, uint64_t now)
{
    struct icache_state *t = &c->state;
    if (!t->hit_way || t->hit_line != line)
        return icache_search(c, line, now);
    replacement_hit(&c->tags.replacement, t->hit_index, c->age0 + now);
    t->hit_at = now;
    c->stats->icache_hits++;
    return true;
}

/* icache_tick comes before the lookup of a cycle: a line arrives.  icache_write comes
 * after the lookup: the line is written. */
bool
icache_tick(struct icache *c, uint64_t now);

void
icache_write(struct icache *c, uint64_t now);

static inline bool
icache_was_filled(const struct icache *c, uint64_t now)
{
    return c->state.filled_at == now;
}

/* When the next line comes; UINT64_MAX: none is on its way back. */
static inline uint64_t
icache_next_event(const struct icache *c)
{
    uint64_t at = line_port_next(&c->state.response);
    return at > c->state.busy_until ? at : c->state.busy_until;
}

/* Lines from the L2. */
static inline bool
icache_l2_can_send(const struct icache *c, uint64_t now)
{
    return line_port_can_send(&c->state.response, now);
}

static inline void
icache_l2_send(struct icache *c, uint64_t now, uint64_t line)
{
    line_port_send(&c->state.response, now, line);
}

/* Lines that the L2 is asked for. */
const uint64_t *
icache_l2_peek(const struct icache *c, uint64_t now);

uint64_t
icache_l2_take(struct icache *c, uint64_t now);

/* Is there a miss that the bus has not taken; is there one at all? */
static inline bool
icache_has_unsent(const struct icache *c)
{
    return c->state.unsent;
}

static inline bool
icache_awaits_l2(const struct icache *c)
{
    return c->state.misses;
}

/* Checkpoints: what persists between launches, its run's state besides. */
static inline void
icache_checkpoint(const struct icache *c, struct set_assoc *to)
{
    set_assoc_copy(to, &c->tags);
}

static inline void
icache_restore(struct icache *c, const struct set_assoc *from)
{
    set_assoc_copy(&c->tags, from);
}

void
icache_invalidate(struct icache *c, uint64_t now);
