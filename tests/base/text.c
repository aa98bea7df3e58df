/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"

#include "test.h"

TEST(what_is_there_stays)
{
    char text[16] = "";
    text_append(text, sizeof text, "%d", 12);
    text_append(text, sizeof text, "%s", "");
    text_append(text, sizeof text, ", %s", "13");
    CHECK_STR(text, "12, 13");
}

TEST(what_does_not_fit_is_cut_off)
{
    char text[8] = "abcd";
    text_append(text, 7, "%s", "efgh");
    CHECK_STR(text, "abcdef");
    CHECK_EQ(text[7], 0);
    text_append(text, 7, "%s", "i");
    CHECK_STR(text, "abcdef");
}

/* A list of warps ended "runs, warp 3", in a word. */
TEST(an_item_that_does_not_fit_is_left_out_with_a_sign)
{
    char text[20] = "";
    text_append_item(text, sizeof text, "%s", "one");
    text_append_item(text, sizeof text, ", %s", "thirteen");
    CHECK_STR(text, "one, thirteen");
    text_append_item(text, sizeof text, ", %d", 444);
    CHECK_STR(text, "one, thirteen ...");
    text_append_item(text, sizeof text, "%s", "x");
    CHECK_STR(text, "one, thirteen ...");
    char full[12] = "1234567";
    text_append_item(full, sizeof full, "%s", "");
    CHECK_STR(full, "1234567");
    text_append_item(full, sizeof full, "%s", "8");
    CHECK_STR(full, "1234567 ...");
}

TEST(only_one_is_no_plural)
{
    CHECK_STR(text_plural(0), "s");
    CHECK_STR(text_plural(1), "");
    CHECK_STR(text_plural(2), "s");
    CHECK_STR(text_plural(UINT64_MAX), "s");
}

TEST(byte_order_mark)
{
    static const char text[] = "\xef\xbb\xbf\xef\xbb\xbfx";
    CHECK_EQ(text_mark(text, sizeof text - 1), 3);
    CHECK_EQ(text_mark(text + 3, 3), 3);
    CHECK_EQ(text_mark(text, 2), 0);
    CHECK_EQ(text_mark(text + 1, 6), 0);
    CHECK_EQ(text_mark("", 0), 0);
}

TEST_MAIN
