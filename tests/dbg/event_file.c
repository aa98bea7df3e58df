/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of event files: what it takes, what it refuses and how. */
#include "dbg/event_file.h"

#include "test.h"

static struct arena arena;
static struct event_file file;
static struct diag_sink sink;

static bool
parse(const char *text)
{
    arena_free(&arena);
    arena = (struct arena){ 0 };
    file = (struct event_file){ 0 };
    sink = (struct diag_sink){ .arena = &arena };
    return event_file_parse(&arena, "t", text, &file, &sink);
}

static void
refuses(const char *text, unsigned line, unsigned col, const char *what)
{
    CHECK(!parse(text));
    if (!CHECK(sink.first))
        return;
    CHECK_EQ(sink.first->line, line);
    CHECK_EQ(sink.first->col, col);
    CHECK(strstr(sink.first->message, what));
}

TEST(all_kinds)
{
    CHECK(parse("# a comment\n"
                "0 G - - - -\n"
                "19 R - - 80000000 -\n"
                "34 I 0 0 80000000 2e1080d7\r\n"
                "35  A\tsm3  7 0x80000004 0005217b\n"
                "39 W - 0 80000000 -\n"
                "40 S 0 0 80000010 0017607b\n"
                "41 M - - ffffffff80000000 -\n"
                "42 E 0 0 80000014 0000400b\n"
                "43 D 1 4294967295 - -\n"
                "\n"
                "1099511627776 F - - - -"));
    CHECK_EQ(file.launches.n, 1u);
    const struct event_launch *l = &file.launches.at[0];
    CHECK_STR(l->name, "");
    if (!CHECK(l->events.n == 10))
        return;
    static const char kinds[] = "GRIAWSMEDF";
    for (unsigned i = 0; i < 10; i++)
        CHECK_EQ(event_letters[l->events.at[i].kind], kinds[i]);
    CHECK_EQ(l->events.at[0].warp, 0u); /* G needs no workgroup */
    CHECK_EQ(l->events.at[2].cycle, 34u);
    CHECK_EQ(l->events.at[2].word, 0x2e1080d7u);
    CHECK(l->events.at[2].has_word);
    CHECK_EQ(l->events.at[3].sm, 3);
    CHECK_EQ(l->events.at[3].warp, 7u);
    CHECK_EQ(l->events.at[3].pc, 0x80000004u);
    CHECK_EQ(l->events.at[4].sm, EVENT_NO_SM);
    CHECK(!l->events.at[4].has_word);
    CHECK_EQ(l->events.at[6].pc, UINT64_C(0xffffffff80000000));
    CHECK_EQ(l->events.at[9].cycle, UINT64_C(1) << 40);
}

TEST(launches_and_lines_of_issues)
{
    CHECK(parse("K first kernel \n"
                "I 555 sm1 0 80000000 00004197\n"
                "K second\n"
                "K third\n"
                "I 3 0 1 80000000 00004197\n"));
    CHECK_EQ(file.launches.n, 3u);
    CHECK_STR(file.launches.at[0].name, "first kernel");
    CHECK_EQ(file.launches.at[0].events.at[0].sm, 1);
    CHECK_EQ(file.launches.at[0].events.at[0].cycle, 555u);
    CHECK_EQ(file.launches.at[1].events.n, 0u);
    CHECK_EQ(file.launches.at[2].events.at[0].warp, 1u);
}

/* By cycle; events of one cycle stay as they were. */
TEST(unsorted)
{
    CHECK(parse("9 W 0 0 8 1\n9 I 0 0 4 1\n2 I 0 0 0 1\n9 I 0 1 0 1\n"));
    static const uint64_t pcs[] = { 0, 8, 4, 0 };
    for (unsigned i = 0; i < 4; i++)
        CHECK_EQ(file.launches.at[0].events.at[i].pc, pcs[i]);
}

TEST(refusals)
{
    refuses("1 I 0 0 0", 1, 1, "expected cycle kind sm warp pc word");
    refuses("\n1 I 0 0 0 0 0", 2, 1, "expected cycle kind");
    refuses("1 Z 0 0 0 0", 1, 3, "expected a kind of event");
    refuses("1 II 0 0 0 0", 1, 3, "found 'II'");
    refuses("x I 0 0 0 0", 1, 1, "expected a cycle");
    refuses("-1 I 0 0 0 0", 1, 1, "expected a cycle");
    refuses("1099511627777 I 0 0 0 0", 1, 1, "at most 2^40");
    refuses("99999999999999999999999999 I 0 0 0 0", 1, 1, "at most 2^40");
    refuses("1 I 65536 0 0 0", 1, 5, "an SM's number");
    refuses("1 I sm 0 0 0", 1, 5, "an SM's number");
    refuses("1 I 0 - 0 0", 1, 7, "warp slot");
    refuses("1 I 0 4294967296 0 0", 1, 7, "found '4294967296'");
    refuses("1 I 0 0 - 0", 1, 9, "a pc");
    refuses("1 I 0 0 10000000000000000 0", 1, 9, "hexadecimal");
    refuses("1 I 0 0 0x 0", 1, 9, "hexadecimal");
    refuses("1 R - - - -", 1, 9, "the address of a line");
    refuses("1 I 0 0 0 123456789", 1, 11, "an instruction word");
    refuses("1 D 0 - - -", 1, 7, "workgroup");
}

/* Not more than some: a file of another kind has an error in each line. */
TEST(errors_are_not_endless)
{
    char text[4001];
    for (unsigned i = 0; i < 4000; i += 4)
        memcpy(text + i, "xyz\n", 4);
    text[4000] = 0;
    CHECK(!parse(text));
    CHECK(sink.errors <= 20);
}

/* Every cut of a good file, and every byte of it replaced, is read or refused
 * with a place. */
TEST(hostile_bytes)
{
    static const char good[] = "K k\n19 R - - 80000000 -\n"
                               "34 I sm0 0 0x80000000 2e1080d7\n"
                               "I 39 1 2 80000000 2e1080d7\n43 D 1 9 - -\n";
    char text[sizeof good];
    for (size_t i = 0; i < sizeof good; i++) {
        memcpy(text, good, sizeof good);
        text[i] = 0;
        if (!parse(text))
            CHECK(sink.errors && sink.first->line && sink.first->col);
    }
    for (size_t i = 0; i + 1 < sizeof good; i++)
        for (unsigned byte = 1; byte < 256; byte++) {
            memcpy(text, good, sizeof good);
            text[i] = (char)byte;
            if (!parse(text))
                CHECK(sink.errors && sink.first->line && sink.first->col);
        }
    arena_free(&arena);
}

TEST_MAIN
