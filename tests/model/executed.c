/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a launch on the cycle model says of the instructions that it executed: the
 * counters of the functional machine, without a step that anyone watches and with.
 */
#include "program.h"

/*
 * Eight lanes: all load one word, then words side by side, then every other one, the
 * last of these where the lane is not 0.  The lanes part and meet again.
 */
static const struct program lanes_part = {
    .insn = {
        { .op = VENTUS_ISA_LUI, .reg[0] = 5, .imm = (int32_t)(DATA >> 12) },
        { .op = VENTUS_ISA_VID_V, .reg[0] = 1, .vm = 1 },
        { .op = VENTUS_ISA_VADD_VX, .reg[0] = 2, .reg[2] = 0, .reg[1] = 5,
          .vm = 1 },
        { .op = VENTUS_ISA_VLW12_V, .reg[0] = 3, .reg[1] = 2 },
        { .op = VENTUS_ISA_VSLL_VI, .reg[0] = 4, .reg[2] = 1, .imm = 2, .vm = 1 },
        { .op = VENTUS_ISA_VADD_VX, .reg[0] = 4, .reg[2] = 4, .reg[1] = 5,
          .vm = 1 },
        { .op = VENTUS_ISA_VLW12_V, .reg[0] = 3, .reg[1] = 4 },
        { .op = VENTUS_ISA_VSLL_VI, .reg[0] = 6, .reg[2] = 1, .imm = 3, .vm = 1 },
        { .op = VENTUS_ISA_VADD_VX, .reg[0] = 6, .reg[2] = 6, .reg[1] = 5,
          .vm = 1 },
        { .op = VENTUS_ISA_AUIPC, .reg[0] = 7 },
        { .op = VENTUS_ISA_SETRPC, .reg[0] = 0, .reg[1] = 7, .imm = 16 },
        { .op = VENTUS_ISA_VBEQ, .reg[2] = 1, .reg[1] = 0, .imm = 8 },
        { .op = VENTUS_ISA_VLW12_V, .reg[0] = 3, .reg[1] = 6 },
        { .op = VENTUS_ISA_JOIN, .reg[2] = 0, .reg[1] = 0 },
        { .op = VENTUS_ISA_LW, .reg[0] = 8, .reg[1] = 5 },
        { .op = VENTUS_ISA_ENDPRG },
    },
};

static void
chisel(struct ventus_model_config *c)
{
    c->issue_width = 2;
    c->rcc = true;
}

static void
ignore(void *ctx, const struct ventus_model_event *e)
{
    (void)ctx;
    (void)e;
}

static struct ventus_sim_stats
count(void (*change)(struct ventus_model_config *),
      void (*event)(void *, const struct ventus_model_event *))
{
    struct program p = lanes_part;
    struct ventus_sim_stats stats = { 0 };
    p.launch.stats = &stats;
    p.change = change;
    p.event = event;
    program_run(&p);
    return stats;
}

TEST(instructions_are_counted_without_a_trace)
{
    const struct ventus_sim_stats s = count(NULL, NULL);
    CHECK_EQ(s.loads_uniform, 1);
    CHECK_EQ(s.loads_unit, 1);
    CHECK_EQ(s.loads_gather, 1);
    CHECK_EQ(s.by_op[VENTUS_ISA_LW], 1);
    CHECK_EQ(s.branches, 1);
    CHECK_EQ(s.branches_divergent, 1);
    CHECK_EQ(s.by_op[VENTUS_ISA_VLW12_V], 3);
    /* of eight lanes: two loads by all, one by seven */
    CHECK_EQ(s.threads_by_unit[VENTUS_ISA_UNIT_LSU], 8 + 8 + 7 + 1);
    CHECK_EQ(s.workgroups, 1);
}

TEST(a_trace_counts_the_same)
{
    void (*const change[])(struct ventus_model_config *) = { NULL, chisel };
    for (unsigned i = 0; i < 2; i++) {
        const struct ventus_sim_stats quiet = count(change[i], NULL),
                                      traced = count(change[i], ignore);
        CHECK(quiet.warp_instructions > 15);
        CHECK(!memcmp(&quiet, &traced, sizeof quiet));
    }
}

TEST_MAIN
