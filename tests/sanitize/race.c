/* SPDX-License-Identifier: Apache-2.0 */
/* The short form of the automaton of races says what race_next says. */
#include "test.h"

#include "sanitize/usual.h"

static uint64_t state = 1;

static uint32_t
any(uint32_t below)
{
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

/* Small numbers, so that all cases are met often.  As in a launch, a barrier is not
 * later than the access, and what is acquired was released before it. */
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
        .barrier = any(6),
        .acquired = any(5),
        .acquired_in_group = any(5),
        .site = 1 + any(3),
        .bytes = bytes[any(8)],
        .local = any(2),
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

/* Accesses of a warp: a row, one word, two rows or words, any few; some lanes off. */
static void
random_words(struct sanitize_words *list)
{
    static const uint64_t masks[] = { 0xf, 0xff, 0xf0, 0xfe, 0xb7, 0x10 };
    unsigned form = any(5), lane = 0;
    *list = (struct sanitize_words){ .bytes = any(4) ? 4 : 2, .words = 1 };
    list->lanes = any(2) ? 0xff : masks[any(6)];
    list->from = (unsigned)__builtin_ctzll(list->lanes);
    list->first = UINT64_MAX;
    for (uint64_t rest = list->lanes; rest; rest &= rest - 1) {
        lane = (unsigned)__builtin_ctzll(rest);
        uint64_t place[] = { lane, 3, lane % 4, lane / 4, any(8) };
        uint64_t at = 0x1000 + 4 * place[form];
        list->at[list->n++] = at;
        list->first = at < list->first ? at : list->first;
        list->last = at > list->last ? at : list->last;
    }
    list->dense = list->n == lane + 1 - list->from;
    list->row = form == 0 && list->dense && list->bytes == 4;
}

/* One after the other, by race_next; how many come before the first race. */
static unsigned
by_race_next(uint64_t *record, const struct sanitize_words *list,
             struct race_now now)
{
    unsigned i = 0, bytes = list->bytes == 4 ? 15 : 3;
    for (uint64_t rest = list->lanes; rest; rest &= rest - 1, i++) {
        uint64_t *r = record + (list->at[i] - list->first) / 4;
        bool race;
        now.item = now.warp_first + (uint32_t)__builtin_ctzll(rest);
        now.bytes = bytes;
        uint64_t after = race_next(*r, &now, false, &race);
        if (race)
            break;
        *r = after;
    }
    return i;
}

/* The state of a record; of several readers the last is not always kept. */
static uint64_t
what(uint64_t r)
{
    bool several = race_state(r) == RACE_READ_MANY;
    return several ? r & (UINT64_MAX << RACE_BYTES_AT | RACE_TIME_MAX) : r;
}

TEST(many_words_are_one_after_the_other)
{
    static const enum race_access kinds[] = { RACE_READS, RACE_WRITES,
                                              RACE_UPDATES };
    unsigned all = 0, some = 0;
    for (unsigned i = 0; i < 300000; i++) {
        struct sanitize_words list;
        uint64_t record[8], expected[8];
        struct race_now now = random_access();
        now.warp_end = now.warp_first + 8;
        now.group_end = now.group_first + 16;
        bool local = any(2); /* of one work-group then, that of all records */
        if (local) {
            now.group_first = 0;
            now.group_end = 64;
        }
        now.warp_barrier = 0;
        now.access = kinds[any(3)];
        random_words(&list);
        bool same = any(2);
        for (unsigned k = 0; k < 8; k++)
            record[k] = expected[k] = k && same ? record[0] : random_record();
        const struct usual_access u = { .race = race_usual(&now),
                                        .access = now.access,
                                        .list = &list,
                                        .rows = sanitize_rows_select(),
                                        .record = record,
                                        .warp_first = now.warp_first,
                                        .local = local };
        unsigned done = usual_skip(&u);
        unsigned most = by_race_next(expected, &list, now);
        CHECK(done <= most);
        some += done > 0 && done < list.n;
        all += done == list.n;
        for (unsigned k = 0; done == list.n && k < 8; k++)
            CHECK_EQ(what(record[k]), what(expected[k]));
    }
    CHECK(all > 50000);
    CHECK(some > 1000);
}

TEST_MAIN
