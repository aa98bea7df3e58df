/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of JSON (RFC 8259): what is one, and where and why what is none. */
#include "dbg/json_check.h"

#include "test.h"

TEST(lines_of_json)
{
    static const char *const good[] = {
        "",
        "\n\n",
        "{}",
        " [ ] \n",
        "\t{ \"a\"\t: 1 , \"b\" :[2 ,-3.5e+7]}\r\n",
        "null\ntrue\nfalse\n",
        "\"\\\"\\\\\\u00e9\"",
        "[[[[]],{}],0.5,1E9,-0]",
        "{\"a\":{\"b\":{\"c\":[]}}}\n{\"d\":0}",
    };
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (!CHECK(json_check_lines("f", good[i], &sink)))
            printf("  %s\n", good[i]);
    CHECK_EQ(sink.errors, 0);
    arena_free(&a);
}

TEST(what_is_no_json)
{
    static const struct {
        const char *text, *message;
        unsigned line, col;
    } bad[] = {
        { "{\"a\" 1}", "expected ':', found '1'", 1, 6 },
        { "{\"a\":1 \"b\":2}", "expected ',' or '}', found '\"'", 1, 8 },
        { "{\"a\":1,}", "expected a string, found '}'", 1, 8 },
        { "[1,2", "expected ',' or ']', found ''", 1, 5 },
        { "[1 2]", "expected ',' or ']', found '2'", 1, 4 },
        { "[1,]", "expected a value, found ']'", 1, 4 },
        { "{}\n{} x\n", "expected the end of the line, found 'x'", 2, 4 },
        { "[-]", "expected a digit, found ']'", 1, 3 },
        { "[1.]", "expected a digit, found ']'", 1, 4 },
        { "[1e+]", "expected a digit, found ']'", 1, 5 },
        { "[\"ab\n\"]", "expected the end of a string, found ''", 1, 5 },
        { "[\"ab", "expected the end of a string, found ''", 1, 5 },
        { "nul", "expected a value, found 'n'", 1, 1 },
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct arena a = { 0 };
        struct diag_sink sink = { .arena = &a };
        CHECK(!json_check_lines("f", bad[i].text, &sink));
        CHECK_EQ(sink.errors, 1);
        if (CHECK(sink.first)) {
            char *want = arena_printf(&a, "not JSON: %s", bad[i].message);
            CHECK_STR(sink.first->message, want);
            CHECK_EQ(sink.first->line, bad[i].line);
            CHECK_EQ(sink.first->col, bad[i].col);
        }
        arena_free(&a);
    }
}

TEST(brackets_in_brackets_are_limited)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    char deep[4001];
    memset(deep, '[', 4000);
    deep[4000] = 0;
    CHECK(!json_check_lines("f", deep, &sink));
    CHECK(strstr(sink.first->message, "fewer brackets in brackets"));
    arena_free(&a);
}

TEST_MAIN
