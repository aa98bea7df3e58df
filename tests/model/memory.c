/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory and DRAM without a launch: requests in known cycles, and the cycles of the
 * answers.
 */
#include "model/memory/memory.h"

#include "ports.h"
#include "test.h"

/* Fully pipelined memory of so many cycles. */
static struct ventus_model_config
config_of(unsigned memory_cycles)
{
    struct ventus_model_config c;
    ventus_model_defaults(&c);
    c.memory_cycles = memory_cycles;
    c.memory_requests = 8;
    return c;
}

/* Cycles until the answer of each of n requests that are asked in cycle 0. */
static void
ask_memory(const struct ventus_model_config *c, const uint32_t *line,
           unsigned n, unsigned *after, struct ventus_model_stats *stats)
{
    struct memory y;
    struct memory_request answer;
    *stats = (struct ventus_model_stats){ 0 };
    memory_init(&y, c, stats);
    for (unsigned i = 0; i < n; i++) {
        CHECK(memory_can_send(&y, 0));
        memory_send(&y, 0, false, i, line[i]);
    }
    for (unsigned now = 1; memory_busy(&y) && now < 10000; now++) {
        uint64_t next = memory_next_event(&y, now);
        bool answered = tick_memory(&y, now, &answer);
        CHECK(!answered || next <= now);
        if (answered)
            after[answer.mshr] = now;
    }
    CHECK(!memory_busy(&y));
}

/* A request takes memory_cycles; one is answered in a cycle, in order. */
TEST(fixed_latency)
{
    struct ventus_model_config c = config_of(20);
    const uint32_t line[] = { 0, 1, 2 };
    unsigned after[3];
    struct ventus_model_stats stats;
    ask_memory(&c, line, 3, after, &stats);
    for (unsigned i = 0; i < 3; i++)
        CHECK_EQ(after[i], 20 + i);
    CHECK_EQ(stats.memory_reads, 3);
    CHECK_EQ(stats.memory_B, 3 * c.l2.line_B);
    CHECK_EQ(stats.memory_busy, 22);
}

/* As many requests as memory_requests are under way. */
TEST(memory_refuses_more_than_it_holds)
{
    struct ventus_model_config c = config_of(5);
    struct ventus_model_stats stats = { 0 };
    struct memory_request answer;
    struct memory y;
    c.memory_requests = 2;
    memory_init(&y, &c, &stats);
    memory_send(&y, 0, false, 0, 0);
    memory_send(&y, 0, true, 0, 1);
    for (unsigned now = 1; now < 5; now++) {
        CHECK(!memory_can_send(&y, now));
        CHECK(!tick_memory(&y, now, &answer));
    }
    CHECK(tick_memory(&y, 5, &answer) && !answer.write);
    /* Room as it was when the cycle began. */
    CHECK(!memory_can_send(&y, 5));
    CHECK(memory_can_send(&y, 6));
}

/*
 * Two registers before memory and two behind: a request of cycle 0 is accepted in 2
 * and answered in 2 + 20 + 2.  When memory is full two wait in the registers, and
 * the third before them.
 */
TEST(memory_has_registers_before_and_behind)
{
    struct ventus_model_config c = config_of(20);
    const uint32_t line[] = { 7 };
    unsigned after[1];
    struct ventus_model_stats stats = { 0 };
    c.memory_stages = 2;
    ask_memory(&c, line, 1, after, &stats);
    CHECK_EQ(after[0], 2 + 20 + 2);
    CHECK_EQ(stats.memory_busy, 20);
    struct memory y;
    struct memory_request answer;
    unsigned asked = 0, came[4] = { 0 };
    c.memory_requests = 1;
    memory_init(&y, &c, &stats);
    for (unsigned now = 0; now < 100; now++) {
        uint64_t next = memory_next_event(&y, now);
        if (memory_busy(&y) && tick_memory(&y, now, &answer)) {
            CHECK(next <= now);
            came[answer.mshr] = now;
        }
        CHECK_EQ(memory_can_send(&y, now), memory_has_room(&y));
        if (asked < 4 && memory_can_send(&y, now)) {
            memory_send(&y, now, false, asked, 7);
            asked++;
        }
    }
    /* The slot of an answer is free in the next cycle. */
    for (unsigned i = 0; i < 4; i++)
        CHECK_EQ(came[i], 2 + 20 + 2 + 21 * i);
}

enum { RCD = 10, RP = 7, CAS = 5, BURST = 4, ROW_LINES = 16, BANKS = 4 };

static struct ventus_model_config
dram_config(void)
{
    struct ventus_model_config c = config_of(1);
    c.dram = true;
    c.dram_channels = 1;
    c.dram_banks = BANKS;
    c.dram_row_B = ROW_LINES * c.l2.line_B;
    c.dram_trcd = RCD;
    c.dram_trp = RP;
    c.dram_tcas = CAS;
    c.dram_tburst = BURST;
    return c;
}

/* The times of dram.c's head; a request of cycle 0 is started in cycle 1. */
TEST(dram_rows)
{
    struct ventus_model_config c = dram_config();
    struct ventus_model_stats stats;
    unsigned after[2];
    const uint32_t one[] = { 0 };
    ask_memory(&c, one, 1, after, &stats);
    CHECK_EQ(after[0], 1 + RCD + CAS + BURST);
    /* The same row: the column command is tBurst behind the first. */
    const uint32_t hit[] = { 0, 1 };
    ask_memory(&c, hit, 2, after, &stats);
    CHECK_EQ(after[1], 1 + RCD + BURST + CAS + BURST);
    CHECK_EQ(stats.row_hits, 1);
    /* Another row of the bank: it is closed and opened. */
    const uint32_t row[] = { 0, ROW_LINES * BANKS };
    ask_memory(&c, row, 2, after, &stats);
    CHECK_EQ(after[1], 1 + RCD + BURST + RP + RCD + CAS + BURST);
    CHECK_EQ(stats.row_misses, 2);
    /* Another bank: opened a cycle later, and the data bus is free behind. */
    const uint32_t bank[] = { 0, ROW_LINES };
    ask_memory(&c, bank, 2, after, &stats);
    CHECK_EQ(after[1], 1 + RCD + CAS + 2 * BURST);
    CHECK_EQ(stats.dram_bus_busy, 2 * BURST);
}

/* What meets its row open goes first, unless all go in order. */
TEST(dram_order)
{
    struct ventus_model_config c = dram_config();
    struct ventus_model_stats stats;
    unsigned after[3];
    const uint32_t line[] = { 0, ROW_LINES * BANKS, 1 };
    ask_memory(&c, line, 3, after, &stats);
    CHECK(after[2] < after[1]);
    c.dram_in_order = true;
    ask_memory(&c, line, 3, after, &stats);
    CHECK(after[1] < after[2]);
}

TEST_MAIN
