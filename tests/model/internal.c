/* SPDX-License-Identifier: Apache-2.0 */
/* An assertion of the model that fails is a fault of the launch, with its cycle, and the
 * next launch takes as long as on a machine where none failed. */
#include "program.h"

#include "base/guard.h"
#include "model/machine.h"
#include "model/pipeline/workgroup.h"

struct injection {
    struct ventus_model *model;
    unsigned issues, at; /* how many there were; the one that fails */
    bool real;           /* by an assertion of the model itself */
};

static void
on_issue(void *ctx, uint64_t cycle, unsigned sm, unsigned warp,
         const struct ventus_sim_step *step)
{
    struct injection *i = ctx;
    (void)cycle, (void)warp, (void)step;
    if (++i->issues != i->at)
        return;
    if (i->real) /* a workgroup comes to a slot that the SM does not have */
        workgroup_start(&i->model->sm[sm].workgroup, MAX_WARPS, 0);
    guard_assertion_failed("a < b", "somewhere.c", 7, "something");
}

static struct ventus_model *
open_model(void)
{
    const struct ventus_sim_config machine = {
        .num_thread = 8, .num_warp = 8, .num_sm = 2, .host_threads = 1
    };
    const struct ventus_isa_insn program[] = {
        program_lui(6, DATA),        ventus_isa_lw(7, 6, 0),
        ventus_isa_addi(7, 7, 1),    ventus_isa_sw(7, 6, 4),
        ventus_isa_barrier(0, 0, 0), ventus_isa_lw(8, 6, 8),
        ventus_isa_endprg(0, 0, 0),
    };
    struct ventus_model_config c;
    uint32_t words[32];
    unsigned used = 0;
    program_config(&c);
    c.icache_emptied = true;
    struct ventus_model *m = ventus_model_create(&machine, &c, NULL, 0);
    CHECK(m);
    for (size_t i = 0; i < sizeof program / sizeof *program; i++)
        used += ventus_isa_encode(&program[i], &words[used]);
    CHECK(ventus_sim_map(ventus_model_sim(m), CODE, PAGE,
                         VENTUS_SIM_READ | VENTUS_SIM_EXEC));
    CHECK(ventus_sim_map(ventus_model_sim(m), DATA, DATA_B,
                         VENTUS_SIM_READ | VENTUS_SIM_WRITE));
    CHECK(ventus_sim_write(ventus_model_sim(m), CODE, words, 4 * used));
    return m;
}

static uint64_t
launch(struct ventus_model *m, struct injection *i,
       struct ventus_sim_fault *fault)
{
    const struct ventus_sim_launch l = { .pc = CODE,
                                         .grid = { 12, 1, 1 },
                                         .warps = 3 };
    const struct ventus_model_hooks hooks = { .ctx = i, .issue = on_issue };
    struct ventus_model_stats stats = { 0 };
    bool ok = ventus_model_launch(m, &l, i ? &hooks : NULL, &stats, fault);
    return ok ? stats.cycles : 0;
}

static void
fails(struct ventus_model *m, unsigned at, bool real)
{
    struct ventus_sim_fault f;
    struct injection i = { .model = m, .at = at, .real = real };
    CHECK_EQ(launch(m, &i, &f), 0);
    CHECK_EQ(f.kind, VENTUS_SIM_FAULT_INTERNAL);
    bool says = strstr(f.text, real ? "src/model/pipeline/workgroup.c:"
                                    : "somewhere.c:7: something: assertion "
                                      "'a < b'") &&
                strstr(f.text, ", cycle ") && strstr(f.text, ", SM ");
    if (!CHECK(says))
        printf("%s\n", f.text);
}

TEST(an_assertion_is_a_fault_of_the_launch)
{
    struct ventus_sim_fault f;
    struct ventus_model *m = open_model();
    uint64_t first = launch(m, NULL, &f), cycles = launch(m, NULL, &f);
    CHECK(first && cycles);
    for (unsigned at = 1; at < 250; at += 12) {
        fails(m, at, false);
#ifndef VENTUS_DEBUG
        fails(m, at, true);
#endif
        CHECK(launch(m, NULL, &f)); /* again with warm caches */
        CHECK_EQ(launch(m, NULL, &f), cycles);
    }
    ventus_model_destroy(m);
}

TEST_MAIN
