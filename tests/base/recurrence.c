/* SPDX-License-Identifier: Apache-2.0 */
#include "base/recurrence.h"

#include "test.h"

/* The n-th state of a sequence that repeats itself with a period behind its start. */
static uint64_t
state_at(uint64_t n, uint64_t start, uint64_t period)
{
    return 7 + (n < start ? n : start + (n - start) % period);
}

/* How many states it takes; 0: more than `most`. */
static uint64_t
search(struct recurrence *r, uint64_t start, uint64_t period, uint64_t most)
{
    for (uint64_t n = 0; n < most; n++) {
        const uint64_t hash[2] = { state_at(n, start, period), 1 };
        if (recurrence_found(r, hash, NULL))
            return n + 1;
    }
    return 0;
}

/* The period is exact, and found in the time that the head promises. */
TEST(every_period_is_found)
{
    for (uint64_t start = 0; start < 40; start++)
        for (uint64_t period = 1; period < 40; period++) {
            struct recurrence r = { 0 };
            uint64_t n = search(&r, start, period, 1000);
            CHECK(n && n <= 3 * (start + period) + 1);
            CHECK_EQ(r.age, period);
        }
}

TEST(states_that_all_differ_recur_never)
{
    struct recurrence r = { 0 };
    CHECK_EQ(search(&r, 5000, 1, 5000), 0);
}

/* One half of the hash that is the same is not enough. */
TEST(both_halves_count)
{
    struct recurrence r = { 0 };
    for (uint64_t n = 0; n < 100; n++) {
        const uint64_t hash[2] = { 1, n };
        CHECK(!recurrence_found(&r, hash, NULL));
    }
}

/* States behind which no other is kept may be left out, if they are others. */
TEST(a_state_that_is_known_to_differ_needs_no_hash)
{
    struct recurrence all = { 0 }, some = { 0 };
    for (uint64_t n = 0; n < 100; n++) {
        const uint64_t hash[2] = { state_at(n, 10, 17), 2 };
        bool kept, found = recurrence_found(&all, hash, &kept);
        if (recurrence_is_due(&some) || recurrence_is_kept(&some, hash))
            CHECK_EQ(recurrence_found(&some, hash, NULL), found);
        else
            recurrence_differs(&some);
        CHECK_EQ(all.age, some.age);
        CHECK_EQ(all.next_kept, some.next_kept);
        CHECK(!kept || !found);
    }
}

TEST_MAIN
