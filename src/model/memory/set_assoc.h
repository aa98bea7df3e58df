/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/memory/replacement.h"

/*
 * A set-associative array of tags, with a replacement policy: the tags of a
 * cache or, with one set, a TLB.  What else a way holds is in an array of its
 * owner, by index.
 */
struct way {
    uint64_t tag; /* line or page: the set is in its low bits */
    bool valid, dirty;
    bool kept; /* goes when all valid ways of its set are kept, not before */
};

struct set_assoc {
    struct way *way;
    unsigned sets, ways; /* sets: a power of two */
    struct replacement replacement;
};

bool
set_assoc_create(struct set_assoc *a, enum ventus_model_replacement policy,
                 unsigned sets, unsigned ways, uint64_t seed);

void
set_assoc_destroy(struct set_assoc *a);

/* No way is valid; the policy's state stays. */
void
set_assoc_invalidate(struct set_assoc *a);

/* Makes the array as it was when it was created. */
void
set_assoc_reset(struct set_assoc *a);

/* Copies an array of the same size and policy, for checkpoints. */
void
set_assoc_copy(struct set_assoc *to, const struct set_assoc *from);

/* Where a tag goes: the first invalid way of its set, or the policy's victim; lfsr
 * does not look for an invalid one. */
struct way *
set_assoc_victim(struct set_assoc *a, uint64_t tag, uint64_t time);

/* The policy's victim, also while others are invalid; of the ways in `among`, and of
 * those that are not kept if there are some. */
struct way *
set_assoc_policy_victim(struct set_assoc *a, uint64_t tag, uint64_t time,
                        uint64_t among);

/* Puts a tag into a way, clean; the policy does not count it. */
void
set_assoc_put(struct set_assoc *a, struct way *way, uint64_t tag);

/* The same, and the policy does. */
void
set_assoc_fill(struct set_assoc *a, struct way *way, uint64_t tag,
               uint64_t time);

static inline unsigned
set_assoc_index(const struct set_assoc *a, const struct way *way)
{
    debug_assert(way >= a->way && way < a->way + a->sets * a->ways);
    return (unsigned)(way - a->way);
}

/* The ways of a tag's set. */
static inline struct way *
set_assoc_set(const struct set_assoc *a, uint64_t tag)
{
    return &a->way[(tag & (a->sets - 1)) * a->ways];
}

static inline struct way *
set_assoc_find(const struct set_assoc *a, uint64_t tag)
{
    struct way *set = set_assoc_set(a, tag);
    for (unsigned i = 0; i < a->ways; i++)
        if (set[i].valid && set[i].tag == tag)
            return &set[i];
    return NULL;
}

/* A hit. */
static inline void
set_assoc_touch(struct set_assoc *a, const struct way *way, uint64_t time)
{
    replacement_hit(&a->replacement, set_assoc_index(a, way), time);
}
