/* SPDX-License-Identifier: Apache-2.0 */
/* The model alone: what it refuses, what it counts, what it calls stuck. */
#include <ventus/isa_build.h>
#include <ventus/model.h>

#include "test.h"

enum { CODE = 0x80000000 };

static struct model *
make(void (*change)(struct model_config *), char *text, size_t size)
{
    struct sim_config machine = { .num_thread = 8, .num_warp = 8, .num_sm = 1 };
    struct model_config c;
    model_defaults(&c);
    if (change)
        change(&c);
    return model_create(&machine, &c, text, size);
}

static void
refuses(void (*change)(struct model_config *), const char *key)
{
    char text[256] = "";
    struct model *m = make(change, text, sizeof text);
    CHECK(!m);
    CHECK(strncmp(text, key, strlen(key)) == 0);
    model_destroy(m);
}

static void
odd_line(struct model_config *c)
{
    c->dcache.line_B = 24;
}

static void
no_banks(struct model_config *c)
{
    c->banks = 0;
}

static void
few_collectors(struct model_config *c)
{
    c->collectors = 4;
}

static void
other_line(struct model_config *c)
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

/* Runs a program of one warp and returns its cycles. */
static uint64_t
run(const struct isa_insn *program, unsigned n, struct model_stats *stats)
{
    char text[256];
    uint32_t words[64];
    unsigned used = 0;
    struct sim_fault fault;
    struct model *m = make(NULL, text, sizeof text);
    for (unsigned i = 0; i < n; i++)
        used += isa_encode(&program[i], &words[used]);
    CHECK(sim_map(model_sim(m), CODE, 4096, SIM_READ | SIM_WRITE | SIM_EXEC));
    CHECK(sim_write(model_sim(m), CODE, words, 4 * used));
    *stats = (struct model_stats){ 0 };
    CHECK(model_launch(m, &(struct sim_launch){ .pc = CODE, .warps = 1 }, NULL,
                       stats, &fault));
    model_destroy(m);
    return stats->cycles;
}

/* Slots are split without rest; the same run takes the same cycles. */
TEST(slots_sum_up)
{
    const struct isa_insn program[] = { isa_addi(5, 0, 1), isa_addi(6, 5, 1),
                                        isa_addi(7, 6, 1),
                                        isa_endprg(0, 0, 0) };
    struct model_stats a, b;
    uint64_t cycles = run(program, 4, &a), sum = 0;
    CHECK_EQ(cycles, run(program, 4, &b));
    CHECK(memcmp(&a, &b, sizeof a) == 0);
    for (unsigned i = 0; i < MODEL_STALLS; i++)
        sum += a.stall[i];
    CHECK_EQ(sum, a.slots);
    CHECK_EQ(a.issued, 4);
    CHECK_EQ(a.stall[MODEL_ISSUED], 4);
}

static uint64_t
issue_gap(struct isa_insn first, struct isa_insn second)
{
    const struct isa_insn with[] = { first, second, isa_endprg(0, 0, 0),
                                     isa_endprg(0, 0, 0) };
    struct model_stats stats;
    return run(with, 4, &stats);
}

/* A source more is read a crossbar's turn, two cycles, later (cycle.md). */
TEST(operands_cost_cycles)
{
    uint64_t none = issue_gap(isa_lui(5, 1), isa_lui(6, 1));
    uint64_t one = issue_gap(isa_addi(5, 8, 1), isa_lui(6, 1));
    uint64_t two = issue_gap(isa_add(5, 8, 9), isa_lui(6, 1));
    CHECK(one > none);
    CHECK(two > one);
}

TEST_MAIN
