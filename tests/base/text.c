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

/* Options took 4294967296 for 0, and -1 for the largest number. */
TEST(a_number_is_whole_and_in_its_range)
{
    static const char *const wrong[] = { "",
                                         " 1",
                                         "+1",
                                         "-1",
                                         "1 ",
                                         "1x",
                                         "0x1",
                                         "x",
                                         "4",
                                         "11",
                                         "4294967301",
                                         "18446744073709551621",
                                         "99999999999999999999999" };
    uint64_t n;
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(!text_number(wrong[i], 10, 5, 10, &n));
    CHECK(text_number("5", 10, 5, 10, &n) && n == 5);
    CHECK(text_number("010", 10, 5, 10, &n) && n == 10);
    CHECK(text_number("010", 0, 5, 10, &n) && n == 8);
    CHECK(text_number("0xa", 0, 5, 10, &n) && n == 10);
    CHECK(!text_number("-0xa", 0, 0, UINT64_MAX, &n));
    CHECK(text_number("18446744073709551615", 10, 0, UINT64_MAX, &n) &&
          n == UINT64_MAX);
    CHECK(!text_number("18446744073709551616", 10, 0, UINT64_MAX, &n));
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

/* A name with U+009B, the introducer of a terminal's commands, was printed raw. */
TEST(nothing_in_a_message_steers_the_terminal)
{
    static const char *const rows[][2] = {
        { "plain\ttext\n", "plain\ttext\n" },
        { "a\x1b[31mb\rc\x7f", "a?[31mb?c?" },
        { "a\xc2\x9b"
          "31mb",
          "a?31mb" },
        { "\xc2\x80\xc2\x9f\xc2\xa0", "??\xc2\xa0" },
        { "\xe2\x80\xa9\xe2\x80\xaa\xe2\x80\xae\xe2\x80\xaf",
          "\xe2\x80\xa9??\xe2\x80\xaf" },
        { "\xe2\x81\xa5\xe2\x81\xa6\xe2\x81\xa9\xe2\x81\xaa",
          "\xe2\x81\xa5??\xe2\x81\xaa" },
        { "\x9b"
          "A\xe9",
          "?A\xe9" }, /* no UTF-8 */
        { "gr\xc3\xbc\xc3\x9f\xe4\xb9\x98\xf0\x9f\x98\x80",
          "gr\xc3\xbc\xc3\x9f\xe4\xb9\x98\xf0\x9f\x98\x80" },
        { "\xe2\x80", "\xe2?" }, /* cut */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[32];
        snprintf(text, sizeof text, "%s", rows[i][0]);
        text_disarm(text);
        CHECK_STR(text, rows[i][1]);
    }
}

/* A source line of a table was cut in the middle of a character. */
TEST(text_is_cut_between_characters)
{
    static const char text[] =
        "a\xc3\xbc\xe4\xb9\x98\xf0\x9f\x98\x80\x1b\xc2\x9bz";
    static const char *const cut[] = {
        "",
        "a",
        "a",
        "a\xc3\xbc",
        "a\xc3\xbc",
        "a\xc3\xbc",
        "a\xc3\xbc\xe4\xb9\x98",
        "a\xc3\xbc\xe4\xb9\x98",
        "a\xc3\xbc\xe4\xb9\x98",
        "a\xc3\xbc\xe4\xb9\x98",
        "a\xc3\xbc\xe4\xb9\x98\xf0\x9f\x98\x80",
        "a\xc3\xbc\xe4\xb9\x98\xf0\x9f\x98\x80?",
        "a\xc3\xbc\xe4\xb9\x98\xf0\x9f\x98\x80?",
        "a\xc3\xbc\xe4\xb9\x98\xf0\x9f\x98\x80??",
        "a\xc3\xbc\xe4\xb9\x98\xf0\x9f\x98\x80??z",
        "a\xc3\xbc\xe4\xb9\x98\xf0\x9f\x98\x80??z",
    };
    for (size_t most = 0; most < sizeof cut / sizeof *cut; most++) {
        char written[32] = "";
        FILE *out = fmemopen(written, sizeof written, "w");
        CHECK(out != NULL);
        text_write(out, text, most);
        fclose(out);
        CHECK_STR(written, cut[most]);
    }
}

TEST_MAIN
