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

/*
 * Each workgroup loads a line at an address made of x8, which is zero, and at its
 * end another line into x8.  The first workgroup stays for so long that the others
 * take the places of those before them and no end invalidates the L1D.
 *
 * A load behind the loads of its address (memory-model.md) is so within a warp:
 * what was in a register before the warp began is no part of its address.
 */
TEST(ages_begin_anew_with_a_warp)
{
    struct ventus_model_stats s = program_run(&(struct program){
        .insn = { program_lui(6, DATA), ventus_isa_add(6, 6, 8),
                  ventus_isa_lw(5, 6, 0), ventus_isa_add(7, 5, 5),
                  ventus_isa_lw(8, 6, 128), ventus_isa_add(7, 8, 8),
                  ventus_isa_addi(11, 0, 2000),
                  ventus_isa_csrrs(9, VENTUS_ISA_CSR_GIDX, 0),
                  ventus_isa_bne(9, 0, 12), ventus_isa_addi(10, 10, 1),
                  ventus_isa_bne(10, 11, -4), ventus_isa_endprg(0, 0, 0) },
        .groups = 24,
        .change = rcc });
    CHECK_EQ(s.workgroups, 24);
    CHECK_EQ(s.refetches, 0);
}

TEST_MAIN
