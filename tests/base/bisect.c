/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bisect.h"

#include "test.h"

enum { MOST = 12 };

/* Both bounds, found by looking at one element after the other. */
static size_t
count_below(const int *key, size_t n, int k)
{
    size_t i = 0;
    while (i < n && key[i] < k)
        i++;
    return i;
}

static void
check_bounds(const int *key, size_t n)
{
    for (int k = -1; k <= 2 * MOST; k++) {
        size_t lower, upper;
        BISECT(lower, n, key[lower] < k);
        BISECT(upper, n, key[upper] <= k);
        CHECK_EQ(lower, count_below(key, n, k));
        CHECK_EQ(upper, count_below(key, n, k + 1));
    }
}

/* Every ascending array of steps 0 and 1: equal elements, gaps, each length. */
TEST(bounds_are_those_of_a_linear_search)
{
    for (size_t n = 0; n <= MOST; n++)
        for (unsigned steps = 0; steps < 1u << n; steps++) {
            int key[MOST + 1] = { 0 };
            for (size_t i = 0; i < n; i++)
                key[i + 1] = key[i] + 2 * (int)(steps >> i & 1);
            check_bounds(key, n);
        }
}

/* The expression is not evaluated outside of the array, and seldom enough. */
TEST(each_step_halves_what_is_left)
{
    static char seen[1000];
    for (size_t k = 0; k <= sizeof seen; k++) {
        size_t i, looks = 0;
        BISECT(i, sizeof seen, (looks++, seen[i] |= 1, i < k));
        CHECK_EQ(i, k);
        CHECK(looks <= 10);
    }
    for (size_t i = 0; i < sizeof seen; i++)
        CHECK_EQ(seen[i], 1);
}

TEST_MAIN
