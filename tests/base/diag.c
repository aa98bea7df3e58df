/* SPDX-License-Identifier: Apache-2.0 */
#include "base/diag.h"

#include <stdlib.h>

#include "test.h"

/* What diag_print prints; the caller frees it. */
static char *
printed(const struct diag_sink *sink, bool color)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    diag_print(sink, out, color);
    fclose(out);
    return text;
}

static void
check_printed(const struct diag_sink *sink, bool color, const char *expected)
{
    char *text = printed(sink, color);
    CHECK_STR(text, expected);
    free(text);
}

TEST(example_of_the_header)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    diag_report(&sink, DIAG_ERROR,
                (struct diag_at){ .file = "vecadd.s",
                                  .line = 12,
                                  .col = 17,
                                  .line_text = "    vadd.vv v1, x7, v2\nnext" },
                "operand %d: expected a vector register, found '%s'", 2, "x7");
    check_printed(&sink, false,
                  "vecadd.s:12:17: error: operand 2: expected a vector "
                  "register, found 'x7'\n"
                  "   12 |     vadd.vv v1, x7, v2\n"
                  "      |                 ^\n");
    CHECK_EQ(sink.errors, 1);
    arena_free(&a);
}

TEST(caret_under_tabs_and_utf8)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct diag_at at = { "k.s", 7, 5, "\tadd\tx1 # \xc3\xa9!\r\n" };
    diag_report(&sink, DIAG_WARNING, at, "tab before the column");
    at.col = 6;
    diag_report(&sink, DIAG_NOTE, at, "two tabs");
    at.col = 13;
    diag_report(&sink, DIAG_NOTE, at, "behind two bytes, one column");
    at.col = 16;
    diag_report(&sink, DIAG_NOTE, at, "past the end");
    check_printed(&sink, false,
                  "k.s:7:5: warning: tab before the column\n"
                  "    7 | \tadd\tx1 # \xc3\xa9!\n"
                  "      | \t   ^\n"
                  "k.s:7:6: note: two tabs\n"
                  "    7 | \tadd\tx1 # \xc3\xa9!\n"
                  "      | \t   \t^\n"
                  "k.s:7:13: note: behind two bytes, one column\n"
                  "    7 | \tadd\tx1 # \xc3\xa9!\n"
                  "      | \t   \t      ^\n"
                  "k.s:7:16: note: past the end\n"
                  "    7 | \tadd\tx1 # \xc3\xa9!\n"
                  "      | \t   \t         ^\n");
    CHECK_EQ(sink.errors, 0);
    CHECK_EQ(sink.warnings, 1);
    arena_free(&a);
}

TEST(unknown_places)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    diag_report(&sink, DIAG_ERROR, (struct diag_at){ 0 }, "no file");
    diag_report(&sink, DIAG_ERROR, (struct diag_at){ .file = "f" }, "no line");
    diag_report(&sink, DIAG_ERROR, (struct diag_at){ "f", 3, 0, "text" },
                "no column");
    diag_report(&sink, DIAG_ERROR, (struct diag_at){ "f", 123456, 1, "" },
                "empty line");
    check_printed(&sink, false,
                  "error: no file\n"
                  "f: error: no line\n"
                  "f:3: error: no column\n"
                  "    3 | text\n"
                  "f:123456:1: error: empty line\n"
                  "123456 | \n"
                  "       | ^\n");
    arena_free(&a);
}

TEST(source_cannot_steer_the_terminal)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct diag_at at = { "f", 1, 5, "a\033[2Jb\rc\x7f" };
    diag_report(&sink, DIAG_ERROR, at, "odd");
    check_printed(&sink, false,
                  "f:1:5: error: odd\n"
                  "    1 | a [2Jb c \n"
                  "      |     ^\n");
    arena_free(&a);
}

TEST(colour)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    diag_report(&sink, DIAG_ERROR, (struct diag_at){ "f", 1, 2, "ab" }, "m");
    check_printed(&sink, true,
                  "\033[1mf:1:2: \033[1;31merror: \033[0m\033[1mm\033[0m\n"
                  "    1 | ab\n"
                  "      |  \033[1;32m^\033[0m\n");
    arena_free(&a);
}

TEST(limit)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a, .limit = 2 };
    for (int i = 0; i < 5; i++) {
        diag_report(&sink, DIAG_ERROR, (struct diag_at){ 0 }, "number %d", i);
        diag_report(&sink, DIAG_NOTE, (struct diag_at){ 0 }, "of %d", i);
    }
    CHECK_EQ(sink.errors, 5);
    check_printed(&sink, false,
                  "error: number 0\nnote: of 0\n"
                  "error: number 1\nnote: of 1\n"
                  "3 more errors not shown\n");
    struct diag_sink normal = { .arena = &a };
    for (int i = 0; i < 101; i++)
        diag_report(&normal, DIAG_ERROR, (struct diag_at){ 0 }, "again");
    CHECK_EQ(normal.errors, 101);
    size_t kept = 0;
    for (struct diag *d = normal.first; d; d = d->next)
        kept++;
    CHECK_EQ(kept, 100);
    arena_free(&a);
}

TEST_MAIN
