/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The back end of an SM without a launch, component by component: instructions
 * that come in known cycles, and the cycles in which they leave.  Expected are
 * the rules of cycle.md 3b and 3c and docs/model.md.
 */
#include "model/collect.h"
#include "model/units.h"

#include "test.h"

/* ---- operand collectors ---- */

struct collectors {
    struct ventus_model_config config;
    struct ventus_model_stats stats;
    struct collect collect;
    struct model_op op[8];
    struct inflight inflight[8];
    uint64_t now, left[8]; /* left: the first cycle in which it could; or 0 */
};

static void
start_collectors(struct collectors *c, unsigned crossbar, unsigned ports)
{
    *c = (struct collectors){ .now = 1 };
    ventus_model_defaults(&c->config);
    c->config.collectors = 8;
    c->config.banks = 4;
    c->config.crossbar = crossbar;
    c->config.issue_width = ports;
    collect_init(&c->collect, &c->config, &c->stats);
    collect_reset(&c->collect);
}

/* Of warp 0, with n vector registers; at the end of a cycle. */
static void
enter(struct collectors *c, unsigned i, unsigned n, const unsigned *reg)
{
    struct model_op *o = &c->op[i];
    o->known = true;
    for (unsigned k = 0; k < n; k++) {
        o->read[k] = READ_VECTOR;
        o->reg[k] = (uint8_t)reg[k];
        o->reads |= (uint8_t)(1 << k);
    }
    c->inflight[i] = (struct inflight){ .op = o, .id = i };
    CHECK(collect_has_room(&c->collect));
    collect_enter(&c->collect, &c->inflight[i]);
}

/* A cycle; what is complete leaves at once, if it may. */
static void
step_collectors(struct collectors *c, bool takes)
{
    c->now++;
    for (unsigned port = 0; port < c->config.issue_width; port++) {
        const struct inflight *f = collect_front(&c->collect, port);
        if (!f || !takes)
            continue;
        c->left[f->id] = c->now;
        collect_pop(&c->collect, port);
    }
    collect_tick(&c->collect, c->now);
}

/* Cycles from its issue to its way out, with nothing else there. */
static uint64_t
collect_alone(unsigned crossbar, unsigned n, const unsigned *reg)
{
    struct collectors c;
    start_collectors(&c, crossbar, 1);
    enter(&c, 0, n, reg);
    uint64_t issued = c.now;
    for (unsigned i = 0; i < 20; i++)
        step_collectors(&c, true);
    CHECK(!collect_is_busy(&c.collect));
    CHECK_EQ(collect_next_event(&c.collect, c.now), UINT64_MAX);
    return c.left[0] - issued;
}

/* cycle.md 3c, issue to collector out: 2 without operand, 4 with one, 8 with
 * three; with a way for each bank nothing of it is the crossbar's. */
TEST(operands_come_as_measured)
{
    const unsigned apart[3] = { 4, 5, 6 };
    CHECK_EQ(collect_alone(1, 0, apart), 2);
    CHECK_EQ(collect_alone(1, 1, apart), 4);
    CHECK_EQ(collect_alone(1, 2, apart), 6);
    CHECK_EQ(collect_alone(1, 3, apart), 8);
    CHECK_EQ(collect_alone(8, 3, apart), 4);
}

/* A bank serves one request a cycle: two in one bank wait a cycle, three two. */
TEST(a_bank_serves_one_a_cycle)
{
    const unsigned two[3] = { 4, 8, 6 }, one[3] = { 4, 8, 12 };
    CHECK_EQ(collect_alone(8, 3, two), 5);
    CHECK_EQ(collect_alone(8, 3, one), 6);
}

/* It keeps its place, and one behind it with it, while one port is there. */
TEST(what_is_complete_waits_for_its_unit)
{
    struct collectors c;
    start_collectors(&c, 1, 1);
    enter(&c, 0, 0, NULL);
    for (unsigned i = 0; i < 5; i++)
        step_collectors(&c, false);
    CHECK(collect_has_complete(&c.collect));
    CHECK_EQ(c.left[0], 0);
    step_collectors(&c, true);
    CHECK_EQ(c.left[0], 7);
}

/* With one port the lowest leaves first; with two each has its own way. */
TEST(two_ports_have_two_ways_out)
{
    struct collectors c;
    for (unsigned ports = 1; ports <= 2; ports++) {
        start_collectors(&c, 1, ports);
        c.op[1].scalar_port = true;
        for (unsigned i = 0; i < 3; i++)
            enter(&c, i, 0, NULL);
        for (unsigned i = 0; i < 5; i++)
            step_collectors(&c, true);
        /* In turn, behind collector 0 as if that had left last. */
        CHECK_EQ(c.left[0], ports == 1 ? 3 : 4);
        CHECK_EQ(c.left[1], ports == 1 ? 4 : 3);
        CHECK_EQ(c.left[2], ports == 1 ? 5 : 3);
    }
}

/* A place for each; it is free again in the cycle in which one left. */
TEST(collectors_have_a_capacity)
{
    struct collectors c;
    start_collectors(&c, 1, 1);
    for (unsigned i = 0; i < 8; i++)
        enter(&c, i, 0, NULL);
    CHECK(!collect_has_room(&c.collect));
    step_collectors(&c, true);
    CHECK(!collect_has_room(&c.collect));
    step_collectors(&c, true);
    CHECK(collect_has_room(&c.collect));
}

/* ---- execution units ---- */

struct unit_bench {
    struct ventus_model_config config;
    struct units units;
    struct model_op op[8];
    uint64_t now, written[8]; /* by id */
};

static void
start_units(struct unit_bench *b)
{
    *b = (struct unit_bench){ .now = 1 };
    ventus_model_defaults(&b->config);
    b->config.fpu_repeats = false;
    b->config.mul_cycles = 3;
    units_init(&b->units, &b->config, 8);
    units_reset(&b->units);
}

/* In this cycle, if its unit takes it. */
static bool
take_unit(struct unit_bench *b, unsigned i, enum ventus_isa_unit unit,
          bool vector)
{
    struct model_op *o = &b->op[i];
    *o = (struct model_op){ .known = true,
                            .unit = (uint8_t)unit,
                            .vector = vector,
                            .writes_v = vector,
                            .writes_x = !vector };
    units_place(o, &b->config, 8);
    const struct inflight f = { .op = o, .id = i, .busy = 7 };
    return units_take(&b->units, b->now, &f);
}

static void
step_units(struct unit_bench *b)
{
    struct result r[UNITS_WRITE];
    b->now++;
    units_begin(&b->units);
    unsigned n = units_writeback(&b->units, b->now, r);
    for (unsigned i = 0; i < n; i++)
        b->written[r[i].id] = b->now;
}

/* sALU and vALU one cycle, MUL its own, the SFU what was measured of the lanes. */
TEST(each_unit_has_its_latency)
{
    struct unit_bench b;
    start_units(&b);
    CHECK(take_unit(&b, 0, VENTUS_ISA_UNIT_SALU, false));
    CHECK(take_unit(&b, 1, VENTUS_ISA_UNIT_VALU, true));
    CHECK(take_unit(&b, 2, VENTUS_ISA_UNIT_MUL, true));
    CHECK(take_unit(&b, 3, VENTUS_ISA_UNIT_SFU, true));
    CHECK_EQ(units_next_event(&b.units, b.now, false), 2);
    for (unsigned i = 0; i < 8; i++)
        step_units(&b);
    CHECK_EQ(b.written[0], 2);
    CHECK_EQ(b.written[1], 2);
    CHECK_EQ(b.written[2], 1 + 3);
    CHECK_EQ(b.written[3], 1 + 7);
    CHECK_EQ(units_next_event(&b.units, b.now, false), UINT64_MAX);
}

/* A scalar and a vector a cycle, of the unit that comes first: what is ready in
 * another one waits. */
TEST(write_back_takes_one_of_each_kind)
{
    struct unit_bench b;
    start_units(&b);
    CHECK(take_unit(&b, 0, VENTUS_ISA_UNIT_MUL, true)); /* ready in 4 */
    step_units(&b);
    step_units(&b);
    CHECK(take_unit(&b, 1, VENTUS_ISA_UNIT_VALU, true)); /* and this */
    CHECK(take_unit(&b, 2, VENTUS_ISA_UNIT_SALU, false));
    step_units(&b);
    CHECK_EQ(b.written[1], 4);
    CHECK_EQ(b.written[2], 4);
    CHECK_EQ(b.written[0], 0);
    step_units(&b);
    CHECK_EQ(b.written[0], 5);
}

/* The LSU's result waits behind those of the sALU or vALU and the FPU. */
TEST(the_lsu_comes_behind_alu_and_fpu)
{
    struct unit_bench b;
    start_units(&b);
    CHECK(take_unit(&b, 0, VENTUS_ISA_UNIT_VALU, true));
    step_units(&b);
    CHECK(!units_lsu_is_free(&b.units, true));
    CHECK(units_lsu_is_free(&b.units, false));
    step_units(&b);
    CHECK(units_lsu_is_free(&b.units, true));
}

/* The SFU is one at a time; with fewer lanes than a warp the vALU takes passes,
 * and one more to put the first in, one to put results together. */
TEST(a_unit_that_is_busy_takes_nothing)
{
    struct unit_bench b;
    start_units(&b);
    CHECK(take_unit(&b, 0, VENTUS_ISA_UNIT_SFU, true));
    CHECK(!take_unit(&b, 1, VENTUS_ISA_UNIT_SFU, true));
    CHECK_EQ(units_next_event(&b.units, b.now, true), 1 + 7);
    b.config.unit_lanes = 4;
    units_init(&b.units, &b.config, 8);
    units_reset(&b.units);
    CHECK(take_unit(&b, 2, VENTUS_ISA_UNIT_VALU, true));
    CHECK(!take_unit(&b, 3, VENTUS_ISA_UNIT_VALU, true));
    step_units(&b);
    CHECK(!take_unit(&b, 3, VENTUS_ISA_UNIT_VALU, true));
    step_units(&b);
    CHECK(take_unit(&b, 3, VENTUS_ISA_UNIT_VALU, true));
    for (unsigned i = 0; i < 6; i++)
        step_units(&b);
    CHECK_EQ(b.written[2], 1 + 1 + 2 + 1);
    CHECK_EQ(b.written[3], b.written[2] + 2);
}

/* A branch of the sALU is known a cycle later; of the vALU one more, by the SIMT
 * stack; in the cycle in which a fetch is sent back none is resolved. */
TEST(branches_are_resolved_one_a_cycle)
{
    struct unit_bench b;
    start_units(&b);
    struct model_op jump = { .branch = BRANCH_SCALAR, .kind = UNIT_SCALAR };
    struct model_op split = { .branch = BRANCH_JOIN, .kind = UNIT_SIMT };
    const struct inflight f = { .op = &jump, .id = 1, .jump = true };
    const struct inflight g = { .op = &split, .id = 2, .jump = true };
    CHECK(units_take(&b.units, 1, &f));
    CHECK(units_take(&b.units, 1, &g));
    CHECK(!units_branches(&b.units, 1, false).resolved);
    CHECK(!units_branches(&b.units, 2, true).resolved);
    struct units_resolved r = units_branches(&b.units, 3, false);
    CHECK(r.resolved && r.branch.id == 1);
    r = units_branches(&b.units, 4, false);
    CHECK(r.resolved && r.branch.id == 2);
    CHECK(!units_have_branches(&b.units));
}

TEST_MAIN
