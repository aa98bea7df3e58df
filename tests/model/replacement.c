/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replacement policies against references that are written as lists: what a set
 * holds, in the order in which it would leave.
 */
#include "model/memory/set_assoc.h"

#include "test.h"

enum {
    WAYS_MAX = 16,
    SETS = 4,
    ACCESSES = 20000,
    LAST_POLICY = VENTUS_MODEL_REPLACE_LFSR
};

static uint64_t state = 88172645463325252;

static unsigned
any(unsigned n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state % n);
}

/* ---- references: one set ---- */

struct reference {
    enum ventus_model_replacement policy;
    unsigned ways, n;
    uint64_t
        list[WAYS_MAX]; /* tags; lru, fifo: the next victim first; mru: last */
    unsigned age[WAYS_MAX]; /* srrip: of list[i], which is a way then */
    /* tree-plru, by way: the half used last, of every aligned block of ways. */
    bool upper_last[5][WAYS_MAX];
};

static int
place_of(const struct reference *r, uint64_t tag)
{
    for (unsigned i = 0; i < r->n; i++)
        if (r->list[i] == tag)
            return (int)i;
    return -1;
}

static void
move_to_end(struct reference *r, unsigned i)
{
    uint64_t tag = r->list[i];
    for (; i + 1 < r->n; i++)
        r->list[i] = r->list[i + 1];
    r->list[i] = tag;
}

static void
use_block(struct reference *r, unsigned way)
{
    unsigned level = 0;
    for (unsigned size = r->ways; size > 1; size /= 2, level++)
        r->upper_last[level][way / size] = way % size >= size / 2;
}

static unsigned
unused_half(const struct reference *r)
{
    unsigned level = 0, first = 0;
    for (unsigned size = r->ways; size > 1; size /= 2, level++)
        first += r->upper_last[level][first / size] ? 0 : size / 2;
    return first;
}

static unsigned
distant(struct reference *r)
{
    unsigned most = 0;
    for (unsigned i = 1; i < r->ways; i++)
        most = r->age[i] > r->age[most] ? i : most;
    for (unsigned i = 0, by = 3 - r->age[most]; i < r->ways; i++)
        r->age[i] += by;
    return most;
}

/* Accesses a tag; true: it was there.  *gone: the tag that left, or -1. */
static bool
access_reference(struct reference *r, uint64_t tag, int64_t *gone)
{
    bool by_way = r->policy == VENTUS_MODEL_REPLACE_TREE_PLRU ||
                  r->policy == VENTUS_MODEL_REPLACE_SRRIP;
    int at = place_of(r, tag);
    *gone = -1;
    if (at >= 0) {
        if (r->policy == VENTUS_MODEL_REPLACE_LRU ||
            r->policy == VENTUS_MODEL_REPLACE_MRU)
            move_to_end(r, (unsigned)at);
        r->age[at] = 0;
        use_block(r, (unsigned)at);
        return true;
    }
    unsigned way = r->n;
    if (r->n < r->ways) {
        r->n++;
    } else {
        way = r->policy == VENTUS_MODEL_REPLACE_TREE_PLRU ? unused_half(r)
              : by_way                                    ? distant(r)
              : r->policy == VENTUS_MODEL_REPLACE_MRU     ? r->ways - 1
                                                          : 0;
        *gone = (int64_t)r->list[way];
    }
    r->list[way] = tag;
    r->age[way] = 2;
    use_block(r, way);
    if (!by_way && *gone >= 0 && !way)
        move_to_end(r, 0);
    return false;
}

/* ---- the array ---- */

static bool
access_array(struct set_assoc *a, uint64_t tag, uint64_t time, int64_t *gone)
{
    struct way *way = set_assoc_find(a, tag);
    *gone = -1;
    if (way) {
        set_assoc_touch(a, way, time);
        return true;
    }
    way = set_assoc_victim(a, tag, time);
    if (way->valid)
        *gone = (int64_t)way->tag;
    set_assoc_fill(a, way, tag, time);
    return false;
}

static void
follows(enum ventus_model_replacement policy, unsigned ways)
{
    struct set_assoc a;
    struct reference r[SETS];
    unsigned hits = 0, victims = 0;
    CHECK(set_assoc_create(&a, policy, SETS, ways, 1));
    for (unsigned i = 0; i < SETS; i++)
        r[i] = (struct reference){ .policy = policy, .ways = ways };
    for (unsigned i = 0; i < ACCESSES; i++) {
        uint64_t tag = any(SETS * (ways + 3));
        int64_t gone, expected;
        bool hit = access_array(&a, tag, i, &gone);
        bool should = access_reference(&r[tag % SETS], tag, &expected);
        if (!CHECK_EQ(hit, should) || !CHECK_EQ(gone, expected))
            break;
        hits += hit;
        victims += gone >= 0;
    }
    CHECK(hits > ACCESSES / 10 && victims > ACCESSES / 100);
    set_assoc_destroy(&a);
}

TEST(lru_replaces_the_least_recently_used)
{
    for (unsigned ways = 1; ways <= WAYS_MAX; ways++)
        follows(VENTUS_MODEL_REPLACE_LRU, ways);
}

TEST(fifo_replaces_what_was_inserted_first)
{
    for (unsigned ways = 1; ways <= WAYS_MAX; ways++)
        follows(VENTUS_MODEL_REPLACE_FIFO, ways);
}

TEST(tree_plru_replaces_in_the_half_not_used_last)
{
    for (unsigned ways = 1; ways <= WAYS_MAX; ways *= 2)
        follows(VENTUS_MODEL_REPLACE_TREE_PLRU, ways);
}

TEST(srrip_replaces_the_most_distant)
{
    for (unsigned ways = 1; ways <= WAYS_MAX; ways++)
        follows(VENTUS_MODEL_REPLACE_SRRIP, ways);
}

TEST(mru_replaces_the_most_recently_used)
{
    for (unsigned ways = 1; ways <= WAYS_MAX; ways++)
        follows(VENTUS_MODEL_REPLACE_MRU, ways);
}

/*
 * The register as a list of bits, the newest first, and the way as a sum of the last
 * four: misses and hits step it, and what fills a way does not.
 */
TEST(lfsr_takes_the_low_bits_of_a_shift_register)
{
    enum { WAYS = 16, N = 500 };
    bool bit[N + 16] = { 0 };
    unsigned newest = N;
    struct set_assoc a;
    CHECK(set_assoc_create(&a, VENTUS_MODEL_REPLACE_LFSR, 4, WAYS, 0));
    for (unsigned i = 0; i < N; i++) {
        const bool *b = &bit[newest];
        unsigned way = b[0] + 2u * b[1] + 4u * b[2] + 8u * b[3];
        uint64_t tag = 4 * (uint64_t)i + any(4);
        if (i % 3 == 2) {
            set_assoc_touch(&a, &a.way[any(WAYS)], i);
        } else {
            struct way *victim = set_assoc_victim(&a, tag, i);
            CHECK_EQ(set_assoc_index(&a, victim) % WAYS, way);
            set_assoc_fill(&a, victim, tag, i);
        }
        bool next = !i || b[0] ^ b[1] ^ b[3] ^ b[4];
        bit[--newest] = next;
    }
    set_assoc_destroy(&a);
}

/* Misses of a set of eight ways, one after the other. */
static void
victims_of(uint64_t seed, unsigned n, unsigned *way)
{
    struct set_assoc a;
    int64_t gone;
    CHECK(set_assoc_create(&a, VENTUS_MODEL_REPLACE_RANDOM, 1, 8, seed));
    for (unsigned i = 0; i < 8; i++) {
        access_array(&a, i, i, &gone);
        CHECK_EQ(gone, -1);
    }
    for (unsigned i = 0; i < n; i++) {
        const struct way *victim = set_assoc_victim(&a, 100 + i, 100 + i);
        way[i] = set_assoc_index(&a, victim);
        set_assoc_fill(&a, &a.way[way[i]], 100 + i, 100 + i);
    }
    set_assoc_destroy(&a);
}

/* Chi-squared of seven degrees of freedom is below 24.3 in 999 of 1000. */
TEST(random_takes_each_way_as_often)
{
    enum { N = 8000 };
    static unsigned way[N], again[N], other[N];
    unsigned count[8] = { 0 };
    double chi = 0;
    victims_of(1, N, way);
    victims_of(1, N, again);
    victims_of(2, N, other);
    CHECK(!memcmp(way, again, sizeof way));
    CHECK(memcmp(way, other, sizeof way));
    for (unsigned i = 0; i < N; i++)
        count[way[i]]++;
    for (unsigned i = 0; i < 8; i++)
        chi += (count[i] - N / 8.0) * (count[i] - N / 8.0) / (N / 8.0);
    CHECK(chi < 24.3);
}

/* Ways that are in use are no victims, whatever the policy would take. */
TEST(victims_are_among_those_allowed)
{
    for (unsigned p = VENTUS_MODEL_REPLACE_LRU; p <= LAST_POLICY; p++) {
        struct set_assoc a;
        int64_t gone;
        CHECK(set_assoc_create(&a, (enum ventus_model_replacement)p, 1, 8, 3));
        for (unsigned i = 0; i < 8; i++)
            access_array(&a, i, i, &gone);
        for (unsigned i = 0; i < 1000; i++) {
            uint64_t among = 1 + any(255);
            struct way *way = set_assoc_policy_victim(&a, 100 + i, i, among);
            CHECK(among >> set_assoc_index(&a, way) & 1);
            set_assoc_fill(&a, way, 100 + i, i);
        }
        set_assoc_destroy(&a);
    }
}

/* A copy goes on as the original does. */
TEST(a_checkpoint_has_the_state_of_the_policy)
{
    for (unsigned p = VENTUS_MODEL_REPLACE_LRU; p <= LAST_POLICY; p++) {
        struct set_assoc a, b;
        int64_t gone, other;
        CHECK(set_assoc_create(&a, (enum ventus_model_replacement)p, 2, 4, 3));
        CHECK(set_assoc_create(&b, (enum ventus_model_replacement)p, 2, 4, 3));
        for (unsigned i = 0; i < 100; i++)
            access_array(&a, any(12), i, &gone);
        set_assoc_copy(&b, &a);
        for (unsigned i = 100; i < 200; i++) {
            uint64_t tag = any(12);
            CHECK_EQ(access_array(&a, tag, i, &gone),
                     access_array(&b, tag, i, &other));
            CHECK_EQ(gone, other);
        }
        set_assoc_destroy(&a);
        set_assoc_destroy(&b);
    }
}

TEST_MAIN
