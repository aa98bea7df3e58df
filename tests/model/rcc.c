/* SPDX-License-Identifier: Apache-2.0 */
/* Time that fences take under coherence = rcc, seen by misses of the L1D. */
#include "program.h"

static void
rcc(struct ventus_model_config *c)
{
    c->rcc = true;
}

/* Two loads of one line with a fence between them, and so many instructions
 * behind the fence that need neither memory nor the load. */
static struct ventus_model_stats
load_around(unsigned instructions)
{
    struct program p = { .insn = { program_lui(6, DATA), ventus_isa_lw(5, 6, 0),
                                   ventus_isa_add(6, 6, 5),
                                   ventus_isa_fence(0x22, 0) },
                         .change = rcc };
    unsigned n = 4;
    p.insn[n].op = VENTUS_ISA_NONE;
    while (instructions--)
        p.insn[n++] = ventus_isa_addi(7, 7, 1);
    p.insn[n++] = ventus_isa_lw(8, 6, 0);
    p.insn[n++] = ventus_isa_add(8, 8, 8);
    p.insn[n] = ventus_isa_endprg(0, 0, 0);
    return program_run(&p);
}

/*
 * What a warp issued behind a fence took the fence's effect from it: the L1D that
 * keeps time was not invalidated.
 */
TEST(a_fence_invalidates_whatever_is_issued_behind_it)
{
    struct ventus_model_stats plain = load_around(0);
    CHECK_EQ(plain.cache_flushes, 1);
    CHECK_EQ(plain.read_misses, 2);
    for (unsigned n = 1; n < 20; n++) {
        struct ventus_model_stats s = load_around(n);
        CHECK_EQ(s.cache_flushes, 1);
        CHECK_EQ(s.read_misses, 2);
    }
}

TEST_MAIN
