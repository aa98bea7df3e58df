/* SPDX-License-Identifier: Apache-2.0 */
#include "cc/front/options.h"

#include "test.h"

struct parsed {
    struct arena arena;
    struct diag_sink sink;
    struct front_options o;
    bool ok;
};

static struct parsed
parse(const char *text)
{
    static struct parsed p;
    arena_free(&p.arena);
    p = (struct parsed){ .o = front_options_default() };
    p.sink.arena = &p.arena;
    p.ok = front_options_text(&p.arena, &p.o, text, &p.sink);
    return p;
}

/* The words for clang, with a | behind each. */
static const char *
words(const char *text)
{
    static char all[512];
    struct parsed p = parse(text);
    *all = 0;
    for (size_t i = 0; p.ok && i < p.o.words.n; i++) {
        strcat(all, p.o.words.at[i]);
        strcat(all, "|");
    }
    return p.ok ? all : p.sink.first->message;
}

TEST(nothing_and_spaces)
{
    CHECK_STR(words(""), "");
    CHECK_STR(words(" \t\n "), "");
    CHECK_EQ(parse("").o.std, 120);
    CHECK_EQ(parse("").o.optimise, 2);
}

TEST(macros_and_folders)
{
    CHECK_STR(words("-DA -D B -D C=1 -DD=a(b)"), "-DA|-DB|-DC=1|-DD=a(b)|");
    CHECK_STR(words("-I inc -I/usr/include -U X"), "-Iinc|-I/usr/include|-UX|");
    CHECK_STR(words("  -D   N=3   -I   a  "), "-DN=3|-Ia|");
}

TEST(quotes)
{
    CHECK_STR(words("-D \"A=1 + 2\" -I 'a b'"), "-DA=1 + 2|-Ia b|");
    CHECK_STR(words("-DS=\\\"x\\\" -Ia\\ b"), "-DS=\"x\"|-Ia b|");
    CHECK_STR(words("-I c:\\dir"), "-Ic:\\dir|");
    CHECK_STR(words("-D'A'=\"x y\"z"), "-DA=x yz|");
    CHECK_STR(words("-D \"A=1"),
              "build options: a quote is not closed in 'A=1'");
}

TEST(levels_and_versions)
{
    CHECK_EQ(parse("-O0").o.optimise, 0);
    CHECK_EQ(parse("-cl-opt-disable").o.optimise, 0);
    CHECK_EQ(parse("-O3").o.optimise, 2);
    CHECK_EQ(parse("-cl-std=CL1.1").o.std, 110);
    CHECK_EQ(parse("-cl-std=CL3.0").o.std, 300);
    CHECK_EQ(parse("-cl-std=CL3.1").o.std, 310);
    CHECK(parse("-g").o.debug);
    CHECK(parse("-cl-uniform-work-group-size").o.uniform_groups);
    CHECK(parse("-cl-fast-relaxed-math").o.fast_math);
    CHECK(!parse("-cl-std=CL4.0").ok);
    CHECK(!parse("-cl-std=").ok);
}

TEST(passed_on)
{
    CHECK_STR(words("-w -Werror -Wall -cl-mad-enable -cl-finite-math-only"),
              "-w|-Werror|-Wall|-cl-mad-enable|-cl-finite-math-only|");
}

/* clang says that it does not use it, an error under -Werror. */
TEST(the_hint_on_denorms_is_not_for_clang)
{
    CHECK_STR(words("-Werror -cl-denorms-are-zero"), "-Werror|");
}

TEST(of_other_vendors)
{
    CHECK_STR(words("-cl-nv-verbose -cl-nv-maxrregcount=32 -fno-bin-llvmir "
                    "-save-temps=x -cl-kernel-arg-info"),
              "");
}

TEST(refused)
{
    CHECK_STR(words("-cl-nonsense"),
              "build options: unknown option '-cl-nonsense'");
    CHECK_STR(words("kernel.cl"), "build options: unknown option 'kernel.cl'");
    CHECK_STR(words("-D"), "build options: nothing after '-D'");
    CHECK_STR(words("-D 1A"),
              "build options: expected the name of a macro, found '1A'");
    CHECK_STR(words("-U A=1"), "build options: expected the name of a macro "
                               "only, found 'A=1'");
    /* What would make clang run or write something else. */
    CHECK(!parse("-o x").ok);
    CHECK(!parse("-Wp,-MD,x").ok);
    CHECK(!parse("-Xclang -load").ok);
    CHECK(!parse("-fplugin=x.so").ok);
    CHECK(!parse("@file").ok);
    CHECK(!parse("-include /etc/passwd").ok);
    CHECK(!parse("--config=x").ok);
    CHECK(!parse("-").ok);
    CHECK(!parse("-I ''").ok);
    CHECK(!parse("-W").ok);
    CHECK(!parse("-W-o=x").ok);
    CHECK(!parse("-Wx/y").ok);
}

/* clang hands the folder on to itself as a word of its own. */
TEST(no_word_of_clangs)
{
    CHECK_STR(words("-I @file -I-load -I @ -I a -I /b"),
              "-I./@file|-I./-load|-I./@|-Ia|-I/b|");
}

TEST_MAIN
