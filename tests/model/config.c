/* SPDX-License-Identifier: Apache-2.0 */
/* The model alone: what it refuses, what it counts, what it calls stuck. */
#include <ventus/isa_build.h>
#include <ventus/model.h>

#include "test.h"

enum { CODE = 0x80000000 };

static struct ventus_model *
make(void (*change)(struct ventus_model_config *), char *text, size_t size)
{
    struct ventus_sim_config machine = { .num_thread = 8,
                                         .num_warp = 8,
                                         .num_sm = 1 };
    struct ventus_model_config c;
    ventus_model_defaults(&c);
    if (change)
        change(&c);
    return ventus_model_create(&machine, &c, text, size);
}

static void
refuses(void (*change)(struct ventus_model_config *), const char *key)
{
    char text[256] = "";
    struct ventus_model *m = make(change, text, sizeof text);
    CHECK(!m);
    CHECK(strncmp(text, key, strlen(key)) == 0);
    ventus_model_destroy(m);
}

static void
odd_line(struct ventus_model_config *c)
{
    c->dcache.line_B = 24;
}

static void
no_banks(struct ventus_model_config *c)
{
    c->banks = 0;
}

static void
few_collectors(struct ventus_model_config *c)
{
    c->collectors = 4;
}

static void
other_line(struct ventus_model_config *c)
{
    c->l2.line_B = 64;
}

TEST(impossible_configurations)
{
    refuses(odd_line, "dcache_line");
    refuses(no_banks, "banks");
    refuses(few_collectors, "collectors");
    refuses(other_line, "l2_line");
}

static void
no_sets(struct ventus_model_config *c)
{
    c->icache.sets = 0;
}

static void
no_ways(struct ventus_model_config *c)
{
    c->l2.ways = 0;
}

static void
no_mshrs(struct ventus_model_config *c)
{
    c->dcache.mshrs = 0;
}

static void
no_subentries(struct ventus_model_config *c)
{
    c->dcache.subentries = 0;
}

static void
three_ports(struct ventus_model_config *c)
{
    c->issue_width = 3;
}

static void
no_requests(struct ventus_model_config *c)
{
    c->memory_requests = 0;
}

static void
long_queue(struct ventus_model_config *c)
{
    c->bus_queue = 1000;
}

static void
small_row(struct ventus_model_config *c)
{
    c->dram_row_B = 4;
}

static void
no_channels(struct ventus_model_config *c)
{
    c->dram_channels = 0;
}

static void
many_lanes(struct ventus_model_config *c)
{
    c->sfu_lanes = 32;
}

static void
few_channels(struct ventus_model_config *c)
{
    c->dram_channels = 3;
}

static void
odd_tree(struct ventus_model_config *c)
{
    c->dcache.ways = 3;
    c->dcache.replacement = VENTUS_MODEL_REPLACE_TREE_PLRU;
}

static void
odd_tlb_tree(struct ventus_model_config *c)
{
    c->fetch_tlb_entries = 6;
    c->tlb_replacement = VENTUS_MODEL_REPLACE_TREE_PLRU;
}

TEST(trees_need_a_power_of_two)
{
    refuses(odd_tree, "dcache_replacement = tree-plru needs dcache_ways");
    refuses(odd_tlb_tree,
            "tlb_replacement = tree-plru needs fetch_tlb_entries");
}

static void
buffer_alone(struct ventus_model_config *c)
{
    c->wg_buffer = 8;
}

static void
one_group_and_no_drain(struct ventus_model_config *c)
{
    c->flush_behind = c->one_group = true;
}

/* The first broke an assertion, with the second no place was ever free. */
TEST(someone_must_free_the_place_of_a_workgroup)
{
    refuses(buffer_alone, "wg_buffer 8 needs flush_behind = yes, found no");
    refuses(one_group_and_no_drain,
            "flush_behind needs one_group = no, or a wg_buffer");
}

TEST(sizes_that_cannot_be)
{
    refuses(no_sets, "icache_sets");
    refuses(no_ways, "l2_ways");
    refuses(no_mshrs, "dcache_mshrs");
    refuses(no_subentries, "dcache_subentries");
    refuses(three_ports, "issue_width");
    refuses(no_requests, "memory_requests");
    refuses(long_queue, "bus_queue");
    refuses(small_row, "dram_row");
    refuses(no_channels, "dram_channels");
    refuses(few_channels, "dram_channels");
    refuses(many_lanes, "sfu_lanes");
}

enum { STUCK = 500 };

/* Memory that answers later than anybody waits. */
static void
deaf(struct ventus_model_config *c)
{
    c->memory_cycles = 1u << 30;
    c->deadlock = STUCK;
    c->one_group = false;
}

/* A program that ends at once. */
static void
put_end(struct ventus_model *m)
{
    uint32_t words[8];
    struct ventus_isa_insn end = ventus_isa_endprg(0, 0, 0);
    unsigned n = ventus_isa_encode(&end, words);
    CHECK(ventus_sim_map(ventus_model_sim(m), CODE, 4096,
                         VENTUS_SIM_READ | VENTUS_SIM_WRITE | VENTUS_SIM_EXEC));
    CHECK(ventus_sim_write(ventus_model_sim(m), CODE, words, 4 * n));
}

/* The message says where each of eight warps is, in two workgroups. */
TEST(deadlock_names_every_warp)
{
    char text[256];
    struct ventus_sim_fault fault;
    struct ventus_model_stats stats = { 0 };
    struct ventus_model *m = make(deaf, text, sizeof text);
    put_end(m);
    CHECK(!ventus_model_launch(
        m, &(struct ventus_sim_launch){ .pc = CODE, .grid = { 2 }, .warps = 4 },
        NULL, &stats, &fault));
    CHECK_EQ(fault.kind, VENTUS_SIM_FAULT_STUCK);
    CHECK(stats.cycles <= STUCK + 2);
    CHECK(strstr(fault.text, "nothing was issued for 500 cycles; external "
                             "memory has still to answer: the key deadlock "
                             "must be longer than its latency)"));
    for (unsigned g = 0; g < 2; g++) {
        snprintf(text, sizeof text,
                 "sm 0, workgroup %u: warp 0 1 2 3 at 0x80000000: fetch", g);
        CHECK(strstr(fault.text, text));
    }
    ventus_model_destroy(m);
}

/* Runs a program of one warp and returns its cycles. */
static uint64_t
run(void (*change)(struct ventus_model_config *),
    const struct ventus_isa_insn *program, unsigned n,
    struct ventus_model_stats *stats)
{
    char text[256];
    uint32_t words[64];
    unsigned used = 0;
    struct ventus_sim_fault fault;
    struct ventus_model *m = make(change, text, sizeof text);
    for (unsigned i = 0; i < n; i++)
        used += ventus_isa_encode(&program[i], &words[used]);
    CHECK(ventus_sim_map(ventus_model_sim(m), CODE, 4096,
                         VENTUS_SIM_READ | VENTUS_SIM_WRITE | VENTUS_SIM_EXEC));
    CHECK(ventus_sim_write(ventus_model_sim(m), CODE, words, 4 * used));
    *stats = (struct ventus_model_stats){ 0 };
    CHECK(ventus_model_launch(
        m, &(struct ventus_sim_launch){ .pc = CODE, .warps = 1 }, NULL, stats,
        &fault));
    ventus_model_destroy(m);
    return stats->cycles;
}

static void
with_a_long_walk(struct ventus_model_config *c)
{
    c->l2.sets = 1024;
    c->l2.ways = 8;
    c->deadlock = STUCK;
}

/* The L2 walks its lines at the end of the workgroup, one a cycle: that is progress. */
TEST(a_walk_of_the_l2_is_no_deadlock)
{
    const struct ventus_isa_insn end = ventus_isa_endprg(0, 0, 0);
    struct ventus_model_stats stats;
    CHECK(run(with_a_long_walk, &end, 1, &stats) > 1024 * 8);
    CHECK(stats.l2_walks >= 1024 * 8);
}

static void
with_a_late_reply(struct ventus_model_config *c)
{
    c->reply_cycles = 2 * STUCK;
    c->deadlock = STUCK;
}

/* Where nothing runs no warp is named. */
TEST(a_deadlock_without_warps_says_so)
{
    char text[256];
    struct ventus_sim_fault fault;
    struct ventus_model_stats stats = { 0 };
    struct ventus_model *m = make(with_a_late_reply, text, sizeof text);
    put_end(m);
    CHECK(!ventus_model_launch(
        m, &(struct ventus_sim_launch){ .pc = CODE, .warps = 1 }, NULL, &stats,
        &fault));
    CHECK_EQ(fault.kind, VENTUS_SIM_FAULT_STUCK);
    CHECK_STR(fault.text, "deadlock (nothing was issued for 500 cycles); no SM "
                          "has a warp");
    ventus_model_destroy(m);
}

/* Slots are split without rest; the same run takes the same cycles. */
TEST(slots_sum_up)
{
    const struct ventus_isa_insn program[] = { ventus_isa_addi(5, 0, 1),
                                               ventus_isa_addi(6, 5, 1),
                                               ventus_isa_addi(7, 6, 1),
                                               ventus_isa_endprg(0, 0, 0) };
    struct ventus_model_stats a, b;
    uint64_t cycles = run(NULL, program, 4, &a), sum = 0;
    CHECK_EQ(cycles, run(NULL, program, 4, &b));
    CHECK(memcmp(&a, &b, sizeof a) == 0);
    for (unsigned i = 0; i < VENTUS_MODEL_STALLS; i++)
        sum += a.stall[i];
    CHECK_EQ(sum, a.slots);
    CHECK_EQ(a.issued, 4);
    CHECK_EQ(a.stall[VENTUS_MODEL_ISSUED], 4);
}

static unsigned sfu_lanes;

static void
with_lanes(struct ventus_model_config *c)
{
    c->sfu_lanes = sfu_lanes;
}

/* One integer division of eight lanes, and what it costs with so many lanes of
 * the SFU: one group after the other. */
static uint64_t
divide(unsigned lanes)
{
    const struct ventus_isa_insn program[] = { ventus_isa_vid_v(1, 1),
                                               ventus_isa_addi(5, 0, 3),
                                               ventus_isa_vdivu_vx(2, 1, 5, 1),
                                               ventus_isa_vadd_vx(3, 2, 5, 1),
                                               ventus_isa_endprg(0, 0, 0) };
    struct ventus_model_stats stats;
    sfu_lanes = lanes;
    return run(with_lanes, program, 5, &stats);
}

/* What a configuration leaves 0 follows from the machine. */
TEST(no_lanes_are_a_quarter_of_a_warp)
{
    CHECK_EQ(divide(0), divide(2));
    CHECK(divide(0) != divide(4));
}

TEST_MAIN
