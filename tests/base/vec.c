/* SPDX-License-Identifier: Apache-2.0 */
#include "base/vec.h"

#include "test.h"

TEST(pushed_elements_stay)
{
    struct arena a = { 0 };
    vec(int) v = { 0 };
    for (int i = 0; i < 10000; i++)
        vec_push(&a, &v, i * 3);
    CHECK_EQ(v.n, 10000);
    CHECK(v.cap >= v.n);
    int bad = 0;
    for (int i = 0; i < 10000; i++)
        bad += v.at[i] != i * 3;
    CHECK_EQ(bad, 0);
    arena_free(&a);
}

TEST(elements_may_be_structs)
{
    struct point {
        double x;
        char tag;
    };
    struct arena a = { 0 };
    vec(struct point) v = { 0 };
    for (int i = 0; i < 20; i++)
        vec_push(&a, &v, ((struct point){ .x = i / 2.0, .tag = 'a' }));
    CHECK(v.at[19].x > 9.4 && v.at[19].x < 9.6);
    CHECK_EQ(v.at[0].tag, 'a');
    arena_free(&a);
}

TEST(two_vecs_grow_side_by_side)
{
    struct arena a = { 0 };
    vec(char) c = { 0 };
    vec(long) l = { 0 };
    for (int i = 0; i < 100; i++) {
        vec_push(&a, &c, (char)i);
        vec_push(&a, &l, i * 1000L);
    }
    CHECK_EQ(c.at[99], 99);
    CHECK_EQ(l.at[0], 0);
    CHECK_EQ(l.at[99], 99000);
    arena_free(&a);
}

TEST_MAIN
