/* SPDX-License-Identifier: Apache-2.0 */
#include "model/memory/set_assoc.h"

#include <stdlib.h>
#include <string.h>

bool
set_assoc_create(struct set_assoc *a, enum ventus_model_replacement policy,
                 unsigned sets, unsigned ways, uint64_t seed)
{
    assert(!(sets & (sets - 1)) && "the set is a field of the address");
    *a = (struct set_assoc){ .sets = sets, .ways = ways };
    a->way = calloc((size_t)sets * ways, sizeof *a->way);
    return a->way &&
           replacement_create(&a->replacement, policy, sets, ways, seed);
}

void
set_assoc_destroy(struct set_assoc *a)
{
    free(a->way);
    replacement_destroy(&a->replacement);
}

void
set_assoc_invalidate(struct set_assoc *a)
{
    for (size_t i = 0; i < (size_t)a->sets * a->ways; i++)
        a->way[i].valid = a->way[i].dirty = false;
}

void
set_assoc_reset(struct set_assoc *a)
{
    set_assoc_invalidate(a);
    replacement_reset(&a->replacement);
}

void
set_assoc_copy(struct set_assoc *to, const struct set_assoc *from)
{
    assert(to->sets == from->sets && to->ways == from->ways);
    memcpy(to->way, from->way, (size_t)to->sets * to->ways * sizeof *to->way);
    replacement_copy(&to->replacement, &from->replacement);
}

/* The ways of `among` that are not kept, or all of them if all are. */
static uint64_t
without_kept(const struct set_assoc *a, uint64_t tag, uint64_t among)
{
    const struct way *set = set_assoc_set(a, tag);
    uint64_t may = 0;
    if (a->ways > 64)
        return among; /* a TLB: no hints, and no choice among ways */
    for (unsigned i = 0; i < a->ways; i++)
        may |= (uint64_t) !(set[i].valid && set[i].kept) << i;
    return among & may ? among & may : among;
}

struct way *
set_assoc_policy_victim(struct set_assoc *a, uint64_t tag, uint64_t time,
                        uint64_t among)
{
    unsigned set = (unsigned)(tag & (a->sets - 1));
    return set_assoc_set(a, tag) +
           replacement_victim(&a->replacement, set, time,
                              without_kept(a, tag, among));
}

struct way *
set_assoc_victim(struct set_assoc *a, uint64_t tag, uint64_t time)
{
    struct way *set = set_assoc_set(a, tag);
    bool any = replacement_fills_any(&a->replacement);
    for (unsigned i = 0; !any && i < a->ways; i++)
        if (!set[i].valid)
            return &set[i];
    return set_assoc_policy_victim(a, tag, time, UINT64_MAX);
}

void
set_assoc_put(struct set_assoc *a, struct way *way, uint64_t tag)
{
    struct way *set = set_assoc_set(a, tag);
    assert(way >= set && way < set + a->ways &&
           "a line is only in its own set");
    *way = (struct way){ .tag = tag, .valid = true };
    (void)set;
}

void
set_assoc_fill(struct set_assoc *a, struct way *way, uint64_t tag,
               uint64_t time)
{
    set_assoc_put(a, way, tag);
    replacement_insert(&a->replacement, set_assoc_index(a, way), time);
}
