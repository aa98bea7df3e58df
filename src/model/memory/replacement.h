/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <ventus/model.h>

#include "base/debug_assert.h"

/*
 * Replacement policies of set-associative arrays.  The array tells the policy of
 * hits and insertions, and asks it for a victim.  A way is known by its index in
 * the whole array: set * ways + way.
 */
struct replacement {
    enum ventus_model_replacement policy;
    unsigned sets, ways;
    uint64_t seed;   /* for random */
    uint64_t *stamp; /* lru, mru: of the last use; fifo: of the insertion */
    uint8_t *state;  /* tree-plru: nodes of each set's tree; srrip: RRPVs */
    uint16_t lfsr;   /* lfsr */
};

/* False: no memory.  tree-plru: `ways` is a power of two. */
bool
replacement_create(struct replacement *r, enum ventus_model_replacement policy,
                   unsigned sets, unsigned ways, uint64_t seed);

void
replacement_destroy(struct replacement *r);

/* The state of an array that was never used. */
void
replacement_reset(struct replacement *r);

/* The state becomes that of another array of the same size and policy. */
void
replacement_copy(struct replacement *to, const struct replacement *from);

void
replacement_hit_state(struct replacement *r, unsigned index);

/* A lookup that neither hits nor asks for a victim: lfsr steps. */
void
replacement_look(struct replacement *r);

/* The register of lfsr, which the L2 keeps from launch to launch. */
static inline uint16_t
replacement_lfsr(const struct replacement *r)
{
    return r->lfsr;
}

static inline void
replacement_set_lfsr(struct replacement *r, uint16_t lfsr)
{
    r->lfsr = lfsr;
}

void
replacement_insert(struct replacement *r, unsigned index, uint64_t time);

/*
 * The way of a set that is to be replaced, all of them being valid; only one
 * whose bit is in `among`, which counts for up to 64 ways and is not empty.
 */
unsigned
replacement_victim(struct replacement *r, unsigned set, uint64_t time,
                   uint64_t among);

/* Does the policy take a valid way while another is not? */
static inline bool
replacement_fills_any(const struct replacement *r)
{
    return r->policy == VENTUS_MODEL_REPLACE_LFSR;
}

static inline void
replacement_hit(struct replacement *r, unsigned index, uint64_t time)
{
    debug_assert(index < r->sets * r->ways);
    if (r->policy == VENTUS_MODEL_REPLACE_LRU ||
        r->policy == VENTUS_MODEL_REPLACE_MRU)
        r->stamp[index] = time;
    else
        replacement_hit_state(r, index);
}
