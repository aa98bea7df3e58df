/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DRAM by programs of which a row is met open or closed, one bank or several:
 * what they cost is computed by hand, from the times alone.
 */
#include "program.h"

enum {
    LOADS = 8,
    ROW = 2048,
    BANKS = 8,
    LINE = 128,
    RCD = 11,
    RP = 7,
    CAS = 9
};

static unsigned cas = CAS, in_order, channels = 1, way = 1;

static void
dram(struct ventus_model_config *c)
{
    c->dram = true;
    c->dram_in_order = in_order;
    c->dram_channels = channels;
    c->memory_requests = 16;
    c->bus_request_cycles = c->bus_reply_cycles = way;
    c->dram_banks = BANKS;
    c->dram_row_B = ROW;
    c->dram_trcd = RCD;
    c->dram_trp = RP;
    c->dram_tcas = cas;
    c->dram_tburst = 4;
    c->dcache.mshrs = c->l2.mshrs = 8;
}

/*
 * Loads that wait for each other, from the second bank on: code is in the
 * first one.  What is loaded is 0, and is added to the next address.
 */
static struct ventus_model_stats
run_chain_of(int loads, uint32_t stride)
{
    uint32_t half = stride / 2;
    struct program p = {
        .insn = { program_lui(6, DATA), ventus_isa_addi(7, 0, ROW / 2),
                  ventus_isa_add(6, 6, 7), ventus_isa_add(6, 6, 7),
                  program_lui(8, half),
                  ventus_isa_addi(8, 8, (int32_t)(half % 4096)),
                  ventus_isa_add(8, 8, 8), ventus_isa_addi(9, 0, loads),
                  /* loop: */
                  ventus_isa_lw(5, 6, 0), ventus_isa_add(6, 6, 5),
                  ventus_isa_add(6, 6, 8), ventus_isa_addi(9, 9, -1),
                  ventus_isa_bne(9, 0, -16), ventus_isa_endprg(0, 0, 0) },
        .change = dram,
    };
    return program_run(&p);
}

static struct ventus_model_stats
run_chain(uint32_t stride)
{
    return run_chain_of(LOADS, stride);
}

/* All but the first pay for a row that is closed and one that is opened. */
TEST(another_row_costs_trp_and_trcd)
{
    struct ventus_model_stats hit = run_chain(LINE);
    struct ventus_model_stats miss = run_chain(ROW * BANKS);
    CHECK_EQ(hit.memory_reads, miss.memory_reads);
    CHECK_EQ(miss.cycles - hit.cycles, (LOADS - 1) * (RP + RCD));
    CHECK_EQ(hit.row_hits - miss.row_hits, LOADS - 1);
    CHECK_EQ(hit.row_hits + hit.row_misses,
             hit.memory_reads + hit.memory_writes);
    CHECK_EQ(hit.dram_bus_busy, 4 * (hit.memory_reads + hit.memory_writes));
}

/* Another bank each time, none of them open: no row to close. */
TEST(another_bank_costs_trcd)
{
    struct ventus_model_stats hit = run_chain(LINE);
    struct ventus_model_stats banks = run_chain(ROW);
    /* The last of the 8 is in the bank of the code, which has a row open. */
    CHECK_EQ(banks.cycles - hit.cycles, (LOADS - 1) * RCD + RP);
    CHECK_EQ(banks.row_misses - hit.row_misses, LOADS - 1);
}

/* Every load waits for the one before it: the latency counts each time. */
TEST(tcas_counts_once_a_load)
{
    uint64_t fast = run_chain_of(2 * LOADS, LINE).cycles;
    fast -= run_chain(LINE).cycles;
    cas = CAS + 10;
    uint64_t slow = run_chain_of(2 * LOADS, LINE).cycles;
    slow -= run_chain(LINE).cycles;
    cas = CAS;
    CHECK_EQ(slow - fast, 10 * LOADS);
}

/* There and back, each time. */
TEST(the_way_to_the_l2_counts_twice_a_load)
{
    uint64_t near = run_chain_of(2 * LOADS, LINE).cycles;
    near -= run_chain(LINE).cycles;
    way = 6;
    uint64_t far = run_chain_of(2 * LOADS, LINE).cycles;
    far -= run_chain(LINE).cycles;
    way = 1;
    CHECK_EQ(far - near, 2 * 5 * LOADS);
}

/* Two rows of a bank in turn: A B A B. */
static struct ventus_model_stats
run_pairs(void)
{
    struct program p = {
        .insn = { program_lui(6, DATA), program_lui(8, DATA + ROW * BANKS),
                  ventus_isa_addi(7, 0, ROW / 2), ventus_isa_add(6, 6, 7),
                  ventus_isa_add(6, 6, 7), ventus_isa_add(8, 8, 7),
                  ventus_isa_add(8, 8, 7), ventus_isa_lw(10, 6, 0),
                  ventus_isa_lw(11, 8, 0), ventus_isa_lw(12, 6, LINE),
                  ventus_isa_lw(13, 8, LINE), ventus_isa_add(14, 12, 13),
                  ventus_isa_endprg(0, 0, 0) },
        .change = dram,
    };
    return program_run(&p);
}

TEST(first_ready_joins_what_meets_a_row)
{
    cas = 100; /* so that all four wait together behind the first */
    struct ventus_model_stats ready = run_pairs();
    in_order = 1;
    struct ventus_model_stats order = run_pairs();
    in_order = 0;
    cas = CAS;
    CHECK_EQ(ready.row_hits, 2);
    CHECK_EQ(order.row_hits, 0);
    CHECK(ready.cycles < order.cycles);
}

/* Neighbouring lines are in other channels: each opens a row of its own. */
TEST(lines_go_round_the_channels)
{
    struct ventus_model_stats one = run_chain(LINE);
    channels = 4;
    struct ventus_model_stats four = run_chain(LINE);
    channels = 1;
    CHECK_EQ(one.row_misses, 2); /* the code, the data */
    CHECK_EQ(four.row_misses, 1 + 4);
}

TEST_MAIN
