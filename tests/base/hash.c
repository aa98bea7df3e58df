/* SPDX-License-Identifier: Apache-2.0 */
/* The index against a plain array of hashes, searched from its beginning. */
#include "base/hash.h"

#include <stdlib.h>

#include "test.h"

enum { ROWS = 3000 };

static struct {
    uint32_t hash[ROWS];
    bool here[ROWS];
    size_t n;
} plain;

static uint32_t state = 1;

static uint32_t
draw(uint32_t below)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

static bool
same_rows(const struct hash_index *x, uint32_t hash, bool in_order)
{
    uint32_t row;
    size_t found = 0, expected = 0, from = 0;
    for (size_t i = 0; i < plain.n; i++)
        expected += plain.here[i] && plain.hash[i] == hash;
    hash_each (x, hash, row) {
        if (row >= plain.n || !plain.here[row] || plain.hash[row] != hash)
            return false;
        if (in_order && row < from)
            return false;
        from = row + 1;
        found++;
    }
    return found == expected;
}

static void
churn(struct hash_index *x, uint32_t hashes, bool removes)
{
    plain.n = 0;
    while (plain.n < ROWS) {
        uint32_t row = plain.n ? draw((uint32_t)plain.n) : 0;
        if (removes && draw(3) == 0 && plain.n && plain.here[row]) {
            hash_remove(x, plain.hash[row], row);
            plain.here[row] = false;
        } else {
            plain.hash[plain.n] = draw(hashes) * 0x10001u;
            plain.here[plain.n] = true;
            CHECK(hash_add(x, plain.hash[plain.n], plain.n));
            plain.n++;
        }
        CHECK(same_rows(x, draw(hashes) * 0x10001u, !removes));
    }
}

TEST(rows_of_few_hashes_in_order)
{
    struct hash_index x = { 0 };
    churn(&x, 40, false);
    hash_free(&x);
}

TEST(rows_come_and_go)
{
    struct hash_index x = { 0 };
    churn(&x, 1000, true);
    size_t rows = 0;
    for (size_t i = 0; i < plain.n; i++)
        rows += plain.here[i];
    CHECK_EQ(x.rows, rows);
    hash_free(&x);
    CHECK_EQ(x.slots, 0);
}

TEST(in_an_arena)
{
    struct arena a = { 0 };
    struct hash_index x = { .arena = &a };
    churn(&x, 100000, false);
    hash_free(&x);
    CHECK(x.arena == &a);
    arena_free(&a);
}

TEST(what_is_removed_and_added_takes_no_memory)
{
    struct hash_index x = { 0 };
    for (unsigned i = 0; i < 100000; i++) {
        CHECK(hash_add(&x, hash_u64(i), i));
        if (i >= 10)
            hash_remove(&x, hash_u64(i - 10), i - 10);
    }
    CHECK_EQ(x.rows, 10);
    CHECK(x.slots <= 64);
    hash_free(&x);
}

TEST(cleared_and_reserved)
{
    struct hash_index x = { 0 };
    uint32_t row;
    CHECK(hash_reserve(&x, 100));
    const struct hash_slot *at = x.slot;
    for (unsigned i = 0; i < 100; i++)
        CHECK(hash_add(&x, i % 7, i));
    CHECK(x.slot == at);
    hash_clear(&x);
    CHECK_EQ(x.rows, 0);
    hash_each (&x, 3, row)
        CHECK(false);
    hash_free(&x);
}

/* Newest first, oldest first and mixed: rows of one run free slots before others. */
TEST(a_drained_index_is_empty)
{
    struct hash_index x = { 0 };
    for (unsigned order = 0; order < 3; order++) {
        plain.n = 0;
        churn(&x, 50, false);
        const size_t slots = x.slots;
        for (unsigned i = 0; i < ROWS; i++) {
            size_t row = order == 0   ? ROWS - 1 - i
                         : order == 1 ? i
                                      : i * 7u % ROWS;
            hash_drain(&x, plain.hash[row], row);
        }
        CHECK(x.rows == 0 && x.used == 0 && x.slots == slots);
        for (size_t i = 0; i < x.slots; i++)
            CHECK_EQ(x.slot[i].row, 0);
    }
    hash_free(&x);
}

/* Pages, pointers and small numbers spread: few share their low ten bits. */
TEST(numbers_that_are_multiples_spread)
{
    for (unsigned shift = 0; shift < 48; shift++) {
        unsigned count[1024] = { 0 }, most = 0;
        for (uint64_t i = 0; i < 1024; i++) {
            unsigned *c = &count[hash_u64(i << shift) & 1023];
            ++*c;
            most = *c > most ? *c : most;
        }
        CHECK(most <= 16);
    }
}

TEST_MAIN
