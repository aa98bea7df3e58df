/* SPDX-License-Identifier: Apache-2.0 */
/* Which line the L2 gives away, seen by what it has still. */
#include "program.h"

static void
one_set(struct ventus_model_config *c)
{
    c->dcache.sets = c->dcache.ways = 1;
    c->l2.sets = 1;
    c->l2.ways = 4;
    c->l2_hits = true;
}

/* Loads of these lines, each behind the one before; zeros are loaded, and
 * added to the address. */
static struct ventus_model_stats
load_with(const char *lines, void (*change)(struct ventus_model_config *))
{
    struct program p = { .insn = { program_lui(6, DATA) }, .change = change };
    unsigned n = 1;
    for (; *lines; lines++) {
        p.insn[n++] = ventus_isa_lw(5, 6, 128 * (*lines - 'A'));
        p.insn[n++] = ventus_isa_add(6, 6, 5);
    }
    p.insn[n] = ventus_isa_endprg(0, 0, 0);
    return program_run(&p);
}

static struct ventus_model_stats
load_lines(const char *lines)
{
    return load_with(lines, one_set);
}

/* The code, fetched first, goes for D; then the least recently used one:
 * B for E, though A has been there for longer. */
TEST(the_least_recently_used_line_goes)
{
    CHECK_EQ(load_lines("ABCD").l2_hits, 0);
    CHECK_EQ(load_lines("ABCDA").l2_hits, 1);
    CHECK_EQ(load_lines("ABCDAE").l2_hits, 1);
    CHECK_EQ(load_lines("ABCDAEACD").l2_hits, 4);
    CHECK_EQ(load_lines("ABCDAEB").l2_hits, 1);
}

static void
first_in_first_out(struct ventus_model_config *c)
{
    one_set(c);
    c->l2.replacement = VENTUS_MODEL_REPLACE_FIFO;
}

/* The same loads: the code went for D, and A, first in, goes for E. */
TEST(fifo_ignores_what_was_used)
{
    CHECK_EQ(load_with("ABCDA", first_in_first_out).l2_hits, 1);
    CHECK_EQ(load_with("ABCDAEA", first_in_first_out).l2_hits, 1);
    CHECK_EQ(load_with("ABCDAEBCD", first_in_first_out).l2_hits, 4);
}

TEST_MAIN
