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

TEST_MAIN
