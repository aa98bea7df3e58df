/* SPDX-License-Identifier: Apache-2.0 */
/* Time that fences take: under coherence = rcc, seen by misses of the L1D; and without,
 * as the sALU's. */
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

/* ---- fence_alu ---- */

/* Cycles in which the instructions of a program issued, and were done. */
struct times {
    uint64_t issued[8], done[8];
};

static void
on_event(void *ctx, const struct ventus_model_event *e)
{
    struct times *t = ctx;
    unsigned i = (e->pc - CODE) / 4;
    if (i < 8 && e->kind == VENTUS_MODEL_EVENT_ISSUED)
        t->issued[i] = e->cycle;
    if (i < 8 && e->kind == VENTUS_MODEL_EVENT_DONE)
        t->done[i] = e->cycle;
}

static void
fences_of_the_alu(struct ventus_model_config *c)
{
    c->issue_width = 2;
    c->collect_cycles = 0;
    c->fence_alu = true;
}

static void
fences_of_the_lsu(struct ventus_model_config *c)
{
    fences_of_the_alu(c);
    c->fence_alu = false;
}

/* A store, a fence, a product and a load. */
static struct times
fence_between(void (*change)(struct ventus_model_config *))
{
    struct times t = { 0 };
    program_run(&(struct program){
        .insn = { program_lui(6, DATA), ventus_isa_sw(5, 6, 0),
                  ventus_isa_fence(0x33, 0), ventus_isa_addi(7, 7, 1),
                  ventus_isa_lw(8, 6, 0), ventus_isa_endprg(0, 0, 0) },
        .change = change,
        .event = on_event,
        .ctx = &t });
    return t;
}

/*
 * A fence without a memory command is written back by the sALU two cycles behind its
 * issue, as what reads no register is; what is no access goes on; and an access issues
 * in the cycle behind the acknowledgement of the last one before the fence.
 */
TEST(a_fence_of_the_salu)
{
    struct times t = fence_between(fences_of_the_alu);
    CHECK_EQ(t.done[2], t.issued[2] + 2);
    CHECK_EQ(t.issued[3], t.issued[2] + 2);
    CHECK(t.issued[3] < t.done[1]);
    CHECK_EQ(t.issued[4], t.done[1] + 1);
}

/* One of the LSU is seen to be over a cycle later. */
TEST(a_fence_of_the_lsu)
{
    struct times t = fence_between(fences_of_the_lsu);
    CHECK_EQ(t.issued[4], t.done[1] + 2);
}

TEST_MAIN
