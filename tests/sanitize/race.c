/* SPDX-License-Identifier: Apache-2.0 */
/* The short form of the automaton of races says what race_next says. */
#include "test.h"

#include "sanitize/race.h"

static uint64_t state = 1;

static uint32_t
any(uint32_t below)
{
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

/* Small numbers, so that all cases are met often. */
static struct race_now
random_access(void)
{
    static const unsigned bytes[] = { 15, 15, 3, 12, 1, 2, 4, 8 };
    uint32_t first = any(4) * 8, warp = first + any(2) * 4;
    struct race_now now = {
        .group_first = first,
        .group_end = first + 8,
        .warp_first = warp,
        .warp_end = warp + 4,
        .item = warp + any(4),
        .time = 5 + any(4),
        .barrier = any(7),
        .acquired = any(6),
        .site = 1 + any(3),
        .bytes = bytes[any(8)],
    };
    return now;
}

static uint64_t
random_record(void)
{
    struct race_now then = random_access();
    then.time = 1 + any(8);
    return any(9) ? race_record((enum race_state)(1 + any(7)), &then) : 0;
}

static bool
by_short_form(uint64_t *record, const struct race_now *now)
{
    const struct race_usual u = race_usual(now);
    if (now->access == RACE_READS)
        return race_usual_read(record, &u, now->item, now->bytes);
    if (now->access == RACE_WRITES)
        return race_usual_write(record, &u, now->item, now->bytes);
    return race_usual_update(record, &u, now->item, now->bytes);
}

TEST(short_form_is_race_next)
{
    static const enum race_access kinds[] = { RACE_READS, RACE_WRITES,
                                              RACE_UPDATES };
    unsigned told[3] = { 0 }, races = 0;
    for (unsigned i = 0; i < 1000000; i++) {
        struct race_now now = random_access();
        unsigned kind = any(3);
        now.access = kinds[kind];
        const uint64_t before = random_record();
        uint64_t record = before;
        bool race, ok = by_short_form(&record, &now);
        uint64_t expected = race_next(before, &now, false, &race);
        races += race;
        told[kind] += ok;
        CHECK_EQ(ok && race, false);
        CHECK_EQ(record, ok ? expected : before);
    }
    CHECK(races > 100000);
    for (unsigned kind = 0; kind < 3; kind++)
        CHECK(told[kind] > 100000);
}

TEST_MAIN
