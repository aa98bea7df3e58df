/* SPDX-License-Identifier: Apache-2.0 */
#include "base/spelling.h"

#include <limits.h>

#include "test.h"

/* By the definition: all ways to take letters from the front of both. */
static unsigned
slow(const char *a, const char *b)
{
    if (!*a || !*b)
        return (unsigned)(strlen(a) + strlen(b));
    unsigned best = slow(a + 1, b + 1) + (*a == *b ? 0 : 1),
             other = slow(a + 1, b) + 1;
    best = other < best ? other : best;
    other = slow(a, b + 1) + 1;
    best = other < best ? other : best;
    if (a[1] && a[0] == b[1] && a[1] == b[0]) {
        other = slow(a + 2, b + 2) + 1;
        best = other < best ? other : best;
    }
    return best;
}

TEST(edits_are_those_of_the_definition)
{
    static const char *const words[] = { "",     "a",    "ab",   "ba",   "abc",
                                         "acb",  "bcad", "abcd", "dcba", "aabb",
                                         "abab", "bbaa", "xabc", "abcx" };
    enum { N = sizeof words / sizeof *words };
    for (unsigned i = 0; i < N; i++)
        for (unsigned j = 0; j < N; j++)
            CHECK_EQ(spelling_edits(words[i], words[j]),
                     slow(words[i], words[j]));
}

TEST(long_words_are_not_compared)
{
    char word[65] = { 0 };
    memset(word, 'a', 63);
    CHECK_EQ(spelling_edits(word, word), 0);
    word[63] = 'a';
    CHECK_EQ(spelling_edits(word, "a"), UINT_MAX);
    CHECK_EQ(spelling_edits("a", word), UINT_MAX);
}

static const char *
nearest(const char *word)
{
    struct spelling n = { .word = word };
    spelling_offer(&n, "chisel-2sm");
    spelling_offer(&n, "chisel2");
    spelling_offer(&n, "chisel");
    spelling_offer(&n, "lanes8");
    spelling_offer(&n, "cc");
    return n.name ? n.name : "";
}

TEST(similar_names_are_offered)
{
    CHECK_STR(nearest("chisle"), "chisel");
    CHECK_STR(nearest("chisel3"), "chisel2");
    CHECK_STR(nearest("chisel-1sm"), "chisel-2sm");
    CHECK_STR(nearest("c"), "cc");
    CHECK_STR(nearest("lines"), "");
    CHECK_STR(nearest("gpu"), "");
    CHECK_STR(nearest("chi"), "chisel");
    CHECK_STR(nearest("lanes8-large"), "lanes8");
    CHECK_STR(nearest("la"), "");
    CHECK_STR(nearest(""), "");
}

TEST_MAIN
