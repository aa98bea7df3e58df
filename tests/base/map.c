/* SPDX-License-Identifier: Apache-2.0 */
#include "base/map.h"

#include "test.h"

TEST(empty_map_finds_nothing)
{
    struct map m = { 0 };
    CHECK(map_find(&m, "x", 1) == NULL);
    CHECK(map_find(&m, "", 0) == NULL);
}

TEST(put_adds_once)
{
    struct arena a = { 0 };
    struct map m = { 0 };
    int one, two;
    void **value = map_put(&a, &m, "key", 3);
    CHECK(*value == NULL);
    *value = &one;
    CHECK(*map_put(&a, &m, "key", 3) == &one);
    *map_put(&a, &m, "key", 3) = &two;
    CHECK(*map_find(&m, "key", 3) == &two);
    CHECK_EQ(m.n, 1);
    arena_free(&a);
}

TEST(keys_are_bytes_and_length)
{
    struct arena a = { 0 };
    struct map m = { 0 };
    char key[] = "ab";
    map_put(&a, &m, key, 2);
    map_put(&a, &m, "", 0);
    map_put(&a, &m, "a\0b", 3);
    key[0] = 'z'; /* the map has a copy */
    CHECK(map_find(&m, "ab", 2) != NULL);
    CHECK(map_find(&m, "abc", 2) != NULL);
    CHECK(map_find(&m, "", 0) != NULL);
    CHECK(map_find(&m, "a\0b", 3) != NULL);
    CHECK(map_find(&m, "a", 1) == NULL);
    CHECK(map_find(&m, "a\0c", 3) == NULL);
    CHECK_STR(m.entry[0].key, "ab");
    arena_free(&a);
}

TEST(many_keys)
{
    enum { N = 100000 };
    static char values[N];
    struct arena a = { 0 };
    struct map m = { 0 };
    char key[32];
    for (int i = 0; i < N; i++) {
        int length = snprintf(key, sizeof key, "symbol.%d", i);
        *map_put(&a, &m, key, (size_t)length) = &values[i];
    }
    CHECK_EQ(m.n, N);
    int bad = 0;
    for (int i = 0; i < N; i++) {
        int length = snprintf(key, sizeof key, "symbol.%d", i);
        void **found = map_find(&m, key, (size_t)length);
        bad += !found || *found != &values[i];
        bad += m.entry[i].value != &values[i]; /* order of insertion */
        bad += map_find(&m, key, (size_t)length - 1) == found;
    }
    CHECK_EQ(bad, 0);
    CHECK(map_find(&m, "symbol.100000", 13) == NULL);
    arena_free(&a);
}

TEST(numbers_and_strings_are_different_keys)
{
    struct arena a = { 0 };
    struct map m = { 0 };
    int value[2000];
    for (uint64_t i = 0; i < 1000; i++)
        *map_put_number(&a, &m, i << 40) = &value[i];
    for (size_t i = 0; i < 1000; i++)
        *map_put(&a, &m, (const char *)&i, sizeof i) = &value[1000 + i];
    CHECK_EQ(m.n, 2000);
    for (size_t i = 0; i < 1000; i++) {
        CHECK(*map_find_number(&m, i << 40) == &value[i]);
        CHECK(*map_find(&m, (const char *)&i, sizeof i) == &value[1000 + i]);
    }
    CHECK(map_find(&m, "", 0) == NULL);
    CHECK(map_find_number(&m, 1) == NULL);
    *map_put(&a, &m, NULL, 0) = &value[0];
    CHECK(*map_find(&m, "", 0) == &value[0]);
    CHECK(m.entry[2000].key);
    arena_free(&a);
}

TEST_MAIN
