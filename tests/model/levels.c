/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The machine is built for each processor and once more for a level of x86-64: both
 * count the same, and `portable` has the first.
 */
#include <string.h>

#include "model/dispatch.h"
#include "model/machine.h"
#include "program.h"
#include "sim/cpu_level.h"

enum { WARPS = 4, PAGES_B = 0x2000 };

/* Loads, stores, a loop that branches, each unit, a barrier. */
static void
put_loop(struct ventus_model *m)
{
    const struct ventus_isa_insn in[] = {
        program_lui(6, DATA),
        ventus_isa_addi(5, 0, 50),
        ventus_isa_vid_v(1, 1),
        ventus_isa_vsll_vi(2, 1, 2, 1),
        ventus_isa_vadd_vx(2, 2, 6, 1),
        ventus_isa_vlw12_v(8, 2, 0),
        ventus_isa_vadd_vv(3, 8, 1, 1),
        ventus_isa_vmul_vv(4, 3, 1, 1),
        ventus_isa_vdivu_vv(7, 4, 1, 1),
        ventus_isa_lw(7, 6, 0),
        ventus_isa_add(7, 7, 5),
        ventus_isa_sw(7, 6, 128),
        ventus_isa_addi(5, 5, -1),
        ventus_isa_bne(5, 0, -32),
        ventus_isa_barrier(0, 0, 0),
        ventus_isa_endprg(0, 0, 0),
    };
    uint32_t words[32];
    unsigned used = 0;
    for (unsigned i = 0; i < sizeof in / sizeof *in; i++)
        used += ventus_isa_encode(&in[i], &words[used]);
    CHECK(ventus_sim_write(ventus_model_sim(m), CODE, words, 4 * used));
}

/* What a machine counts, of two launches. */
static void
count(bool portable, unsigned ports, struct ventus_model_stats *stats)
{
    const struct ventus_sim_config machine = {
        .num_thread = 32, .num_warp = 8, .num_sm = 2, .portable = portable
    };
    const struct ventus_sim_launch l = { .pc = CODE,
                                         .grid = { 4, 1, 1 },
                                         .warps = WARPS };
    struct ventus_model_config c;
    struct ventus_sim_fault fault;
    char text[512] = "";
    program_config(&c);
    c.issue_width = ports;
    struct ventus_model *m =
        ventus_model_create(&machine, &c, text, sizeof text);
    CHECK(m);
    bool higher = !portable && MODEL_HAS_LEVELS && cpu_has_level("v3");
    CHECK_EQ(m->variant == &model_plain, !higher);
    CHECK(ventus_sim_map(ventus_model_sim(m), CODE, PAGES_B,
                         VENTUS_SIM_READ | VENTUS_SIM_EXEC));
    CHECK(ventus_sim_map(ventus_model_sim(m), DATA, DATA_B,
                         VENTUS_SIM_READ | VENTUS_SIM_WRITE));
    put_loop(m);
    for (unsigned i = 0; i < 2; i++)
        CHECK(ventus_model_launch(m, &l, NULL, stats, &fault));
    ventus_model_destroy(m);
}

TEST(machines_of_all_levels_count_the_same)
{
    for (unsigned ports = 1; ports < 3; ports++) {
        struct ventus_model_stats plain = { 0 }, best = { 0 };
        count(true, ports, &plain);
        count(false, ports, &best);
        CHECK(plain.cycles && plain.issued > 4 * WARPS * 500);
        CHECK(!memcmp(&plain, &best, sizeof plain));
    }
}

TEST_MAIN
