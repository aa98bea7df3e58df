/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TLBs: loads that wait for each other, in one page or in several, through
 * tables that are built here.  What a miss costs is counted by hand.
 */
#include "program.h"

enum { LOADS = 6, LINE = 128 };

static unsigned entries = 16, fetch_entries, l2_cycles = 5;

static void
build_tables(struct ventus_model *m)
{
    program_tables(m);
    put_entry(m, 2, 0, CODE, LEAF);
    for (unsigned i = 0; i < 64; i++)
        put_entry(m, 3, i, (uint64_t)DATA + i * PAGE, LEAF);
}

/* A load every `stride` bytes, `rounds` times the same LOADS of them. */
static struct ventus_model_stats
run(uint32_t stride, unsigned rounds)
{
    const struct ventus_isa_insn insn[] = {
        ventus_isa_addi(10, 0, (int32_t)rounds),
        /* round: */
        program_lui(6, DATA), program_lui(8, stride),
        ventus_isa_addi(8, 8, (int32_t)(stride % PAGE)),
        ventus_isa_addi(9, 0, LOADS),
        /* load: */
        ventus_isa_lw(5, 6, 0), ventus_isa_add(6, 6, 5),
        ventus_isa_add(6, 6, 8), ventus_isa_addi(9, 9, -1),
        ventus_isa_bne(9, 0, -16), ventus_isa_addi(10, 10, -1),
        ventus_isa_bne(10, 0, -40), ventus_isa_endprg(0, 0, 0)
    };
    struct ventus_sim_config machine = { .num_thread = 8,
                                         .num_warp = 8,
                                         .num_sm = 1 };
    struct ventus_model_stats stats = { 0 };
    struct ventus_model_config c;
    struct ventus_sim_fault fault;
    char text[256] = "";
    uint32_t words[32];
    unsigned used = 0;
    for (unsigned i = 0; i < sizeof insn / sizeof *insn; i++)
        used += ventus_isa_encode(&insn[i], &words[used]);
    program_config(&c);
    c.tlb_entries = entries;
    c.fetch_tlb_entries = fetch_entries;
    c.l2_tlb_cycles = l2_cycles;
    struct ventus_model *m =
        ventus_model_create(&machine, &c, text, sizeof text);
    if (!CHECK(m))
        return stats;
    build_tables(m);
    CHECK(ventus_sim_map(ventus_model_sim(m), CODE, PAGE,
                         VENTUS_SIM_READ | VENTUS_SIM_EXEC));
    CHECK(ventus_sim_map(ventus_model_sim(m), DATA, 64 * PAGE,
                         VENTUS_SIM_READ | VENTUS_SIM_WRITE));
    CHECK(ventus_sim_write(ventus_model_sim(m), CODE, words, 4 * used));
    if (!CHECK(ventus_model_launch(m,
                                   &(struct ventus_sim_launch){
                                       .pc = CODE, .warps = 1, .ptbr = tables },
                                   NULL, &stats, &fault)))
        puts(fault.text);
    ventus_model_destroy(m);
    return stats;
}

TEST(a_page_is_walked_once)
{
    struct ventus_model_stats one = run(LINE, 1), many = run(PAGE, 1);
    CHECK_EQ(one.tlb_misses, 1);
    CHECK_EQ(one.tlb_hits, LOADS - 1);
    CHECK_EQ(one.page_walks, 1);
    CHECK_EQ(many.tlb_misses, LOADS);
    CHECK_EQ(many.tlb_hits, 0);
    CHECK_EQ(many.page_walks, LOADS);
    CHECK_EQ(many.l2_tlb_misses, LOADS);
    /* An entry for each of the three levels, each from memory. */
    CHECK_EQ(many.memory_reads - one.memory_reads, 3 * (LOADS - 1));
    CHECK(many.cycles > one.cycles);
}

TEST(pages_that_fit_are_found_again)
{
    struct ventus_model_stats s = run(PAGE, 3);
    CHECK_EQ(s.tlb_misses, LOADS);
    CHECK_EQ(s.tlb_hits, 2 * LOADS);
    CHECK_EQ(s.l2_tlb_hits, 0);
}

/* Too many for the SM's: the shared one has them, for its latency. */
TEST(the_shared_tlb_costs_its_latency)
{
    entries = 4;
    struct ventus_model_stats near = run(PAGE, 3);
    l2_cycles += 10;
    struct ventus_model_stats far = run(PAGE, 3);
    l2_cycles -= 10;
    entries = 16;
    CHECK_EQ(near.tlb_misses, 3 * LOADS);
    CHECK_EQ(near.l2_tlb_misses, LOADS);
    CHECK_EQ(near.l2_tlb_hits, 2 * LOADS);
    CHECK_EQ(near.page_walks, LOADS);
    CHECK_EQ(far.cycles - near.cycles, 10 * near.tlb_misses);
}

/* One page of code is walked once, whatever asks again meanwhile. */
TEST(fetches_are_translated)
{
    struct ventus_model_stats without = run(LINE, 3);
    fetch_entries = 4;
    struct ventus_model_stats with = run(LINE, 3);
    l2_cycles += 30;
    struct ventus_model_stats far = run(LINE, 3);
    l2_cycles -= 30;
    fetch_entries = 0;
    CHECK_EQ(without.fetch_tlb_hits + without.fetch_tlb_misses, 0);
    CHECK_EQ(with.fetch_tlb_misses, 1);
    CHECK(with.fetch_tlb_hits > 10);
    CHECK_EQ(with.page_walks, without.page_walks + 1);
    CHECK_EQ(with.memory_reads, without.memory_reads + 3);
    /* Three entries, one after the other, from memory. */
    CHECK(with.cycles > without.cycles + 10);
    /* A fetch asks every third cycle; the walk for data is as much longer. */
    CHECK(far.cycles - with.cycles >= 60 - 3);
    CHECK(far.cycles - with.cycles <= 60 + 3);
    CHECK_EQ(with.issued, without.issued);
}

TEST(without_entries_translation_takes_no_time)
{
    entries = 0;
    struct ventus_model_stats s = run(PAGE, 1);
    entries = 16;
    CHECK_EQ(s.tlb_hits + s.tlb_misses + s.page_walks, 0);
}

TEST_MAIN

/* ---- code that cannot be fetched ---- */

/* A launch whose first page of code has this entry; the kind of its fault. */
static struct ventus_sim_fault
fetch_through(uint64_t ptbr, unsigned flags)
{
    struct ventus_sim_config machine = { .num_thread = 8,
                                         .num_warp = 8,
                                         .num_sm = 1 };
    struct ventus_model_stats stats = { 0 };
    struct ventus_sim_fault fault = { 0 };
    struct ventus_model_config c;
    program_config(&c);
    c.deadlock = 5000;
    struct ventus_model *m = ventus_model_create(&machine, &c, NULL, 0);
    build_tables(m);
    put_entry(m, 2, 0, CODE, flags);
    CHECK(ventus_sim_map(ventus_model_sim(m), CODE, PAGE,
                         VENTUS_SIM_READ | VENTUS_SIM_EXEC));
    ventus_model_launch(
        m, &(struct ventus_sim_launch){ .pc = CODE, .warps = 1, .ptbr = ptbr },
        NULL, &stats, &fault);
    ventus_model_destroy(m);
    return fault;
}

/* It was a deadlock: nothing was issued, so nothing could fault. */
TEST(code_that_cannot_be_fetched_is_a_fault)
{
    struct ventus_sim_fault f = fetch_through(tables, LEAF & ~8u); /* X */
    CHECK_EQ(f.kind, VENTUS_SIM_FAULT_PERMISSION);
    CHECK_EQ(f.pc, CODE);
    f = fetch_through(tables, 0);
    CHECK_EQ(f.kind, VENTUS_SIM_FAULT_UNMAPPED);
    CHECK_EQ(f.address, CODE);
    f = fetch_through(UINT64_C(0x7000000000), LEAF); /* no memory there */
    CHECK_EQ(f.kind, VENTUS_SIM_FAULT_UNMAPPED);
    CHECK_EQ(f.address, CODE);
}
