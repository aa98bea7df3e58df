/* SPDX-License-Identifier: Apache-2.0 */
/*
 *   lru        least recently used, by time stamp; of equal ones the lowest way
 *   mru        most recently used, of equal ones the highest way: the Chisel design's
 *              comparators number their inputs backwards
 *   fifo       inserted first
 *   random     any, as the seed, the time and the set have it
 *   tree-plru  a binary tree for each set, whose nodes point away from the half
 *              that was used last (heap order: children of n are 2n and 2n + 1)
 *   srrip      static re-reference interval prediction with two bits (Jaleel et
 *              al., ISCA 2010): inserted as "long", a hit makes it "near
 *              immediate"; the first "distant" way goes, and all age until one is
 *   lfsr       the low bits of a shift register of 16 with taps 0, 1, 3 and 4, which
 *              all sets share; it steps with each lookup, and takes ways that are
 *              valid while others are not (Directory_test.scala)
 */
#include "model/memory/replacement.h"

#include <stdlib.h>
#include <string.h>

#include "model/bits.h"

enum rrpv { RRPV_NEAR = 0, RRPV_LONG = 2, RRPV_DISTANT = 3 };

static bool
has_stamps(const struct replacement *r)
{
    return r->policy == VENTUS_MODEL_REPLACE_LRU ||
           r->policy == VENTUS_MODEL_REPLACE_MRU ||
           r->policy == VENTUS_MODEL_REPLACE_FIFO;
}

static bool
has_state(const struct replacement *r)
{
    return r->policy == VENTUS_MODEL_REPLACE_TREE_PLRU ||
           r->policy == VENTUS_MODEL_REPLACE_SRRIP;
}

static size_t
all_ways(const struct replacement *r)
{
    return (size_t)r->sets * r->ways;
}

/* ---- life ---- */

bool
replacement_create(struct replacement *r, enum ventus_model_replacement policy,
                   unsigned sets, unsigned ways, uint64_t seed)
{
    assert(sets && ways);
    assert(policy != VENTUS_MODEL_REPLACE_TREE_PLRU || !(ways & (ways - 1)));
    *r = (struct replacement){
        .policy = policy, .sets = sets, .ways = ways, .seed = seed
    };
    if (has_stamps(r))
        r->stamp = calloc(all_ways(r), sizeof *r->stamp);
    if (has_state(r))
        r->state = calloc(all_ways(r), sizeof *r->state);
    if ((has_stamps(r) && !r->stamp) || (has_state(r) && !r->state))
        return false;
    replacement_reset(r);
    return true;
}

void
replacement_destroy(struct replacement *r)
{
    free(r->stamp);
    free(r->state);
}

void
replacement_reset(struct replacement *r)
{
    bool srrip = r->policy == VENTUS_MODEL_REPLACE_SRRIP;
    if (r->stamp)
        memset(r->stamp, 0, all_ways(r) * sizeof *r->stamp);
    if (r->state)
        memset(r->state, srrip ? RRPV_DISTANT : 0, all_ways(r));
    r->lfsr = 0;
}

void
replacement_copy(struct replacement *to, const struct replacement *from)
{
    assert(to->policy == from->policy && all_ways(to) == all_ways(from));
    if (to->stamp)
        memcpy(to->stamp, from->stamp, all_ways(to) * sizeof *to->stamp);
    if (to->state)
        memcpy(to->state, from->state, all_ways(to));
    to->lfsr = from->lfsr;
}

/* ---- hits and insertions ---- */

/* All nodes on the way from the root to a leaf point to their other half. */
static void
point_away(struct replacement *r, unsigned index)
{
    uint8_t *node = r->state + index / r->ways * r->ways;
    for (unsigned n = index % r->ways + r->ways; n > 1; n /= 2)
        node[n / 2] = !(n & 1);
}

void
replacement_look(struct replacement *r)
{
    unsigned x = r->lfsr, bit = (x ^ x >> 1 ^ x >> 3 ^ x >> 4) & 1;
    if (r->policy == VENTUS_MODEL_REPLACE_LFSR)
        r->lfsr = (uint16_t)(x ? x << 1 | bit : 1);
}

void
replacement_hit_state(struct replacement *r, unsigned index)
{
    if (r->policy == VENTUS_MODEL_REPLACE_TREE_PLRU)
        point_away(r, index);
    else if (r->policy == VENTUS_MODEL_REPLACE_SRRIP)
        r->state[index] = RRPV_NEAR;
    else
        replacement_look(r);
}

void
replacement_insert(struct replacement *r, unsigned index, uint64_t time)
{
    assert(index < all_ways(r));
    if (r->stamp)
        r->stamp[index] = time;
    else if (r->policy == VENTUS_MODEL_REPLACE_SRRIP)
        r->state[index] = RRPV_LONG;
    else if (r->policy == VENTUS_MODEL_REPLACE_TREE_PLRU)
        replacement_hit_state(r, index);
}

/* ---- victims ---- */

static bool
is_among(const struct replacement *r, uint64_t among, unsigned way)
{
    return r->ways > 64 || among >> way & 1;
}

static unsigned
oldest(const struct replacement *r, unsigned set, uint64_t among)
{
    const uint64_t *stamp = r->stamp + (size_t)set * r->ways;
    unsigned found = r->ways;
    for (unsigned i = 0; i < r->ways; i++)
        if (is_among(r, among, i) &&
            (found == r->ways || stamp[i] < stamp[found]))
            found = i;
    return found;
}

static unsigned
youngest(const struct replacement *r, unsigned set, uint64_t among)
{
    const uint64_t *stamp = r->stamp + (size_t)set * r->ways;
    unsigned found = r->ways;
    for (unsigned i = 0; i < r->ways; i++)
        if (is_among(r, among, i) &&
            (found == r->ways || stamp[i] >= stamp[found]))
            found = i;
    return found;
}

static unsigned
any_of(const struct replacement *r, unsigned set, uint64_t time, uint64_t among)
{
    unsigned n = 0, i = 0;
    for (unsigned k = 0; k < r->ways; k++)
        n += is_among(r, among, k);
    assert(n && "a victim is chosen among one way at least");
    for (n = random_of(r->seed, time, set) % n; n || !is_among(r, among, i);
         i++)
        n -= is_among(r, among, i);
    return i;
}

/* Has a subtree a way that may go? */
static bool
has_way(const struct replacement *r, uint64_t among, unsigned node)
{
    unsigned first = node, n = 1;
    for (; first < r->ways; n *= 2)
        first *= 2;
    for (unsigned i = 0; i < n; i++)
        if (is_among(r, among, first - r->ways + i))
            return true;
    return false;
}

static unsigned
follow_tree(const struct replacement *r, unsigned set, uint64_t among)
{
    const uint8_t *node = r->state + (size_t)set * r->ways;
    unsigned n = 1;
    while (n < r->ways) {
        n = 2 * n + node[n];
        if (!has_way(r, among, n))
            n ^= 1;
    }
    return n - r->ways;
}

static unsigned
most_distant(struct replacement *r, unsigned set, uint64_t among)
{
    uint8_t *rrpv = r->state + (size_t)set * r->ways;
    for (;;) {
        for (unsigned i = 0; i < r->ways; i++)
            if (is_among(r, among, i) && rrpv[i] == RRPV_DISTANT)
                return i;
        for (unsigned i = 0; i < r->ways; i++)
            rrpv[i] += rrpv[i] < RRPV_DISTANT;
    }
}

static unsigned
shifted(const struct replacement *r, uint64_t among)
{
    unsigned way = r->lfsr % r->ways;
    while (!is_among(r, among, way))
        way = (way + 1) % r->ways;
    return way;
}

unsigned
replacement_victim(struct replacement *r, unsigned set, uint64_t time,
                   uint64_t among)
{
    unsigned way = 0;
    assert(set < r->sets && among);
    switch (r->policy) {
    case VENTUS_MODEL_REPLACE_LRU:
    case VENTUS_MODEL_REPLACE_FIFO:
        way = oldest(r, set, among);
        break;
    case VENTUS_MODEL_REPLACE_RANDOM:
        way = any_of(r, set, time, among);
        break;
    case VENTUS_MODEL_REPLACE_TREE_PLRU:
        way = follow_tree(r, set, among);
        break;
    case VENTUS_MODEL_REPLACE_SRRIP:
        way = most_distant(r, set, among);
        break;
    case VENTUS_MODEL_REPLACE_MRU:
        way = youngest(r, set, among);
        break;
    case VENTUS_MODEL_REPLACE_LFSR:
        way = shifted(r, among);
        replacement_look(r);
        break;
    }
    assert(way < r->ways && is_among(r, among, way));
    return way;
}
