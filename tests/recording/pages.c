/* SPDX-License-Identifier: Apache-2.0 */
/* Which pages have changed: against a comparison of every byte. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "test.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "recording/pages.h"

enum {
    ROOMS = 1500,
    PART = RECORDING_GRANULE / RECORDING_PAGE,
    PAGES = ROOMS * PART
};

static uint8_t *
map(void)
{
    void *at = mmap(NULL, (size_t)PAGES * RECORDING_PAGE,
                    PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        abort();
    return at;
}

/* Each page is in a run exactly if it differs; then the copy is the same. */
static void
check_runs(uint8_t *now, uint8_t *copy, bool anonymous)
{
    struct arena a = { 0 };
    struct recording_runs runs = { 0 };
    bool differs[PAGES], found[PAGES] = { false };
    for (size_t i = 0; i < PAGES; i++)
        differs[i] = memcmp(now + i * RECORDING_PAGE, copy + i * RECORDING_PAGE,
                            RECORDING_PAGE) != 0;
    const struct pages p = {
        .now = now, .copy = copy, .n = PAGES, .anonymous = anonymous
    };
    pages_compare(&a, &p, &runs);
    for (size_t i = 0; i < runs.n; i++)
        for (size_t k = 0; k < runs.at[i].count; k++)
            found[runs.at[i].first + k] = true;
    for (size_t i = 0; i < PAGES; i++)
        CHECK_EQ(differs[i], found[i]);
    CHECK(memcmp(now, copy, (size_t)PAGES * RECORDING_PAGE) == 0);
    arena_free(&a);
}

TEST(pages_that_differ_are_found)
{
    uint8_t *now = map(), *copy = map();
    srand(1);
    for (int round = 0; round < 6; round++) {
        for (int i = 0; i < 200; i++)
            now[(size_t)rand() % (PAGES * (size_t)RECORDING_PAGE)] =
                (uint8_t)rand();
        check_runs(now, copy, round % 2);
    }
    memset(now + 100 * RECORDING_GRANULE, 0, 700 * RECORDING_GRANULE);
    check_runs(now, copy, true);
    munmap(now, (size_t)PAGES * RECORDING_PAGE);
    munmap(copy, (size_t)PAGES * RECORDING_PAGE);
}

/* By hashes, the same pages are found as by a copy. */
TEST(hashes_find_what_a_copy_finds)
{
    uint8_t *now = map();
    uint8_t *copy = map();
    uint64_t *hash = calloc(PAGES, sizeof *hash);
    srand(2);
    for (int round = 0; round < 8; round++) {
        struct arena a = { 0 };
        struct recording_runs by_copy = { 0 }, by_hash = { 0 };
        for (int i = 0; i < 200; i++)
            now[(size_t)rand() % (PAGES * (size_t)RECORDING_PAGE)] ^=
                (uint8_t)(1 << rand() % 8);
        if (round == 5)
            memset(now + 100 * RECORDING_GRANULE, 0, 700 * RECORDING_GRANULE);
        struct pages p = {
            .now = now, .copy = copy, .n = PAGES, .anonymous = round % 2
        };
        pages_compare(&a, &p, &by_copy);
        p.copy = NULL;
        p.hash = hash;
        pages_compare(&a, &p, &by_hash);
        CHECK_EQ(by_copy.n, by_hash.n);
        for (size_t i = 0; i < by_copy.n && i < by_hash.n; i++) {
            CHECK_EQ(by_copy.at[i].first, by_hash.at[i].first);
            CHECK_EQ(by_copy.at[i].count, by_hash.at[i].count);
            CHECK_EQ(by_copy.at[i].content, by_hash.at[i].content);
        }
        arena_free(&a);
    }
    free(hash);
    munmap(now, (size_t)PAGES * RECORDING_PAGE);
    munmap(copy, (size_t)PAGES * RECORDING_PAGE);
}

/* Memory that was given back and mapped again: the copy knows more than it. */
TEST(pages_that_are_gone_are_zero)
{
    uint8_t *now = map(), *copy = map();
    memset(now, 5, (size_t)PAGES * RECORDING_PAGE);
    check_runs(now, copy, true);
    munmap(now, (size_t)PAGES * RECORDING_PAGE);
    now = map();
    check_runs(now, copy, true);
    munmap(now, (size_t)PAGES * RECORDING_PAGE);
    munmap(copy, (size_t)PAGES * RECORDING_PAGE);
}

/* Runs: one after the other, or the same again, or zeros. */
TEST(runs_are_joined)
{
    struct arena a = { 0 };
    struct recording_runs r = { 0 };
    const uint64_t content[] = { 4, 5, 6, 6, 6, 0, 0, 9, 9 };
    for (size_t i = 0; i < sizeof content / sizeof *content; i++)
        pages_add(&a, &r, i, content[i]);
    for (size_t i = 0; i < r.n; i++)
        for (size_t k = 0; k < r.at[i].count; k++)
            CHECK_EQ(content[r.at[i].first + k],
                     r.at[i].content + (r.at[i].repeats ? 0 : k));
    CHECK_EQ(r.n, 4);
    CHECK_EQ(r.at[0].count, 3);
    CHECK_EQ(r.at[1].count, 2);
    arena_free(&a);
}

/* Runs of set bits, also over words, and up to an end inside of a word. */
TEST(marked_pages_are_found)
{
    enum { N = 1000 };
    srand(4);
    for (int round = 0; round < 50; round++) {
        uint64_t bits[N / 64 + 1] = { 0 }, at = 0, from, to;
        bool is_set[N] = { false };
        for (int i = 0; i < round; i++) {
            unsigned first = (unsigned)rand() % N, n = (unsigned)rand() % 150;
            for (unsigned k = first; k < first + n && k < N; k++) {
                is_set[k] = true;
                bits[k / 64] |= UINT64_C(1) << k % 64;
            }
        }
        while (pages_marked(bits, N, at, &from, &to)) {
            if (!CHECK(at <= from && from < to && to <= N))
                return;
            for (uint64_t k = at; k < to; k++)
                CHECK_EQ(is_set[k], k >= from);
            CHECK(to == N || !is_set[to]);
            at = to;
        }
        for (uint64_t k = at; k < N; k++)
            CHECK(!is_set[k]);
    }
}

/* Where marks tell what may have changed, what is not marked is not looked at. */
TEST(pages_that_are_not_marked_are_left_out)
{
    static uint64_t differ[(PAGES + 63) / 64];
    uint8_t *now = map();
    uint64_t *hash = calloc(PAGES, sizeof *hash);
    static const size_t written[] = { 0, 63, 64, 5000, PAGES - 1 };
    struct arena a = { 0 };
    struct recording_runs runs = { 0 };
    const struct pages p = {
        .now = now, .hash = hash, .n = PAGES, .differ = differ
    };
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
        now[written[i] * RECORDING_PAGE + 7] = 1;
        if (written[i] != 5000)
            differ[written[i] / 64] |= UINT64_C(1) << written[i] % 64;
    }
    differ[10] = UINT64_MAX; /* marked, and the same */
    pages_compare(&a, &p, &runs);
    CHECK_EQ(runs.n, 3);
    if (runs.n == 3) {
        CHECK_EQ(runs.at[0].first, 0);
        CHECK_EQ(runs.at[1].first, 63);
        CHECK_EQ(runs.at[1].count, 2);
        CHECK_EQ(runs.at[2].first, PAGES - 1);
    }
    arena_free(&a);
    free(hash);
    munmap(now, (size_t)PAGES * RECORDING_PAGE);
}

TEST_MAIN
