/* SPDX-License-Identifier: Apache-2.0 */
/* Words of commands, values and ranges of keys. */
#include "sweep/values.h"

#include <string.h>

#include "test.h"

static const char *
joined(struct arena *a, const sweep_words *w)
{
    const char *text = "";
    for (size_t i = 0; i < w->n; i++)
        text = arena_printf(a, "%s<%s>", text, w->at[i]);
    return text;
}

TEST(words_of_a_command)
{
    static const char *const rows[][2] = {
        { "", "" },
        { "  a  b\tc ", "<a><b><c>" },
        { "'a b' \"c  'd\" e'f g'h", "<a b><c  'd><ef gh>" },
        { "'' \"\"", "<><>" },
        { "a\\b $HOME", "<a\\b><$HOME>" },
    };
    struct arena a = { 0 };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sweep_words w = { 0 };
        CHECK(!values_split(&a, rows[i][0], &w));
        CHECK_STR(joined(&a, &w), rows[i][1]);
    }
    sweep_words w = { 0 };
    CHECK_STR(values_split(&a, "a 'b", &w), "expected the end of a quotation");
    arena_free(&a);
}

TEST(values_and_ranges)
{
    static const char *const rows[][2] = {
        { "1 2 yes lru", "<1><2><yes><lru>" },
        { "1..4", "<1><2><3><4>" },
        { "0..8+4", "<0><4><8>" },
        { "0..9+4", "<0><4><8>" },
        { "4..16*2", "<4><8><16>" },
        { "4..20*2 64", "<4><8><16><64>" },
        { "7..7", "<7>" },
        { "4K..16K*2", "<4K><8K><16K>" },
        { "1K..2K+512", "<1K><1536><2K>" },
        { "18446744073709551614..18446744073709551615",
          "<18446744073709551614><18446744073709551615>" },
        { "9223372036854775808..18446744073709551615*2",
          "<9223372036854775808>" },
        { "a..b", "<a..b>" },
    };
    struct arena a = { 0 };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sweep_words w = { 0 };
        if (!CHECK(!values_expand(&a, rows[i][0], &w)))
            printf("  %s\n", rows[i][0]);
        CHECK_STR(joined(&a, &w), rows[i][1]);
    }
    arena_free(&a);
}

TEST(what_is_no_range)
{
    static const char *const rows[][2] = {
        { "4..", "expected a number after '..'" },
        { "4..x", "expected a number after '..'" },
        { "4..8-1", "expected +STEP or *FACTOR at the end of a range" },
        { "4..8+", "expected +STEP or *FACTOR at the end of a range" },
        { "4..8+1x", "expected +STEP or *FACTOR at the end of a range" },
        { "4x..8", "expected FROM..TO" },
        { "8..4", "expected a range that goes up" },
        { "4..8+0", "expected a range that goes up" },
        { "4..8*1", "expected a range that goes up" },
        { "0..8*2", "expected a range that goes up" },
        { "0..100000", "a range of more than 10000 values" },
    };
    struct arena a = { 0 };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sweep_words w = { 0 };
        CHECK_STR(values_expand(&a, rows[i][0], &w), rows[i][1]);
    }
    arena_free(&a);
}

TEST_MAIN
