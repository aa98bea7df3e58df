/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The operand collectors of an SM without a launch: instructions that come in known
 * cycles, and the cycles in which they leave.  Expected are the rules of
 * docs/microarchitecture.md and docs/model.md.
 */
#include "model/collect.h"

#include "test.h"

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
    CHECK(collect_has_room(&c->collect, PORT_ANY));
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

/* microarchitecture.md, Operand collectors; issue to collector out: 2 without operand, 4 with one, 8 with
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

/*
 * Where a collector asks in the cycle of issue: I + 1 without operands, else
 * I + 2 + r, r the most operands in one bank (microarchitecture.md, Operand
 * collectors, Chisel design).
 */
TEST(operands_are_asked_for_in_the_cycle_of_issue)
{
    const struct {
        unsigned n, reg[3], out;
    } row[] = { { 0, { 0 }, 1 },        { 1, { 4 }, 3 },
                { 3, { 4, 5, 6 }, 3 },  { 3, { 4, 8, 6 }, 4 },
                { 3, { 4, 8, 12 }, 5 }, { 2, { 4, 4 }, 4 } };
    for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
        struct collectors c;
        start_collectors(&c, 8, 2);
        c.config.collect_cycles = 0;
        collect_init(&c.collect, &c.config, &c.stats);
        CHECK(collect_is_direct(&c.collect));
        enter(&c, 0, row[i].n, row[i].reg);
        uint64_t issued = c.now;
        collect_tick(&c.collect, c.now);
        for (unsigned k = 0; k < 10; k++)
            step_collectors(&c, true);
        CHECK_EQ(c.left[0] - issued, row[i].out);
    }
}

/*
 * The vector port has the lowest collector that was free when the cycle began, the
 * scalar one the next: it needs a second one even if the vector port issues nothing
 * (instDemux), and one that leaves in this cycle is not free.
 */
TEST(the_scalar_port_needs_a_second_collector)
{
    struct collectors c;
    start_collectors(&c, 8, 2);
    c.config.collect_cycles = 0;
    collect_init(&c.collect, &c.config, &c.stats);
    for (unsigned i = 0; i < 7; i++)
        enter(&c, i, 0, NULL);
    collect_tick(&c.collect, c.now);
    CHECK(collect_has_room(&c.collect, PORT_VECTOR));
    CHECK(!collect_has_room(&c.collect, PORT_SCALAR));
    CHECK(collect_front(&c.collect, PORT_VECTOR) == &c.inflight[1]);
    collect_pop(&c.collect, PORT_VECTOR);
    CHECK(!collect_has_room(&c.collect, PORT_SCALAR));
    collect_tick(&c.collect, ++c.now);
    CHECK(collect_has_room(&c.collect, PORT_SCALAR));
}

/* A place for each; it is free again in the cycle in which one left. */
TEST(collectors_have_a_capacity)
{
    struct collectors c;
    start_collectors(&c, 1, 1);
    for (unsigned i = 0; i < 8; i++)
        enter(&c, i, 0, NULL);
    CHECK(!collect_has_room(&c.collect, PORT_ANY));
    step_collectors(&c, true);
    CHECK(!collect_has_room(&c.collect, PORT_ANY));
    step_collectors(&c, true);
    CHECK(collect_has_room(&c.collect, PORT_ANY));
}

TEST_MAIN
