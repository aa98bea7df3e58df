/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The back end of an SM without a launch, component by component: instructions
 * that come in known cycles, and the cycles in which they leave.  Expected are
 * the rules of docs/microarchitecture.md and docs/model.md.
 */
#include "model/collect.h"
#include "model/lsu.h"
#include "model/sfu.h"
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

static bool
take_fpu(struct unit_bench *b, unsigned i, enum fpu_kind kind, bool vector)
{
    struct model_op *o = &b->op[i];
    *o = (struct model_op){ .known = true,
                            .unit = VENTUS_ISA_UNIT_FPU,
                            .fpu = (uint8_t)kind,
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
    const struct result *r[UNITS_WRITE];
    b->now++;
    units_begin(&b->units);
    unsigned n = units_writeback(&b->units, b->now, r);
    for (unsigned i = 0; i < n; i++)
        b->written[r[i]->id] = b->now;
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

/* The queue of the FPU gives a scalar, and the vector behind it, in one cycle: then
 * a vector of the LSU is not taken, as its table has to know. */
TEST(the_lsu_comes_behind_the_second_result_of_the_fpu)
{
    struct unit_bench b;
    start_units(&b);
    const unsigned fused = b.config.fpu_cycles;
    CHECK(take_fpu(&b, 0, FPU_FUSED, false));
    for (unsigned i = b.config.fpu_short_cycles; i < fused; i++)
        step_units(&b);
    CHECK(take_fpu(&b, 1, FPU_SHORT, true));
    for (unsigned i = 0; i < b.config.fpu_short_cycles; i++)
        step_units(&b);
    CHECK_EQ(b.written[0], 1 + fused);
    CHECK_EQ(b.written[1], 1 + fused);
    CHECK(!units_lsu_is_free(&b.units, false));
    CHECK(!units_lsu_is_free(&b.units, true));
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

/* Pipelined, a matrix product is taken each cycle; else one behind the other. */
TEST(matrix_products_are_pipelined)
{
    for (unsigned pipelined = 0; pipelined < 2; pipelined++) {
        struct unit_bench b;
        start_units(&b);
        b.config.tensor_cycles = 12;
        b.config.tensor_pipelined = pipelined;
        units_reset(&b.units);
        CHECK(take_unit(&b, 0, VENTUS_ISA_UNIT_TENSOR, true));
        step_units(&b);
        CHECK_EQ(take_unit(&b, 1, VENTUS_ISA_UNIT_TENSOR, true), pipelined);
        for (unsigned i = 0; i < 14; i++)
            step_units(&b);
        CHECK_EQ(b.written[0], 1 + 12);
        CHECK_EQ(b.written[1], pipelined ? 2 + 12 : 0);
    }
}

/* A result of the LSU that is not taken goes away again. */
TEST(a_result_of_the_lsu_is_withdrawn)
{
    struct unit_bench b;
    start_units(&b);
    CHECK(take_unit(&b, 0, VENTUS_ISA_UNIT_VALU, true));
    b.now++;
    b.op[1] = (struct model_op){ .known = true, .writes_v = true };
    units_lsu_result(
        &b.units, b.now,
        (struct result){ .op = &b.op[1], .id = 1, .vector = true });
    b.now--;
    step_units(&b);
    CHECK_EQ(b.written[0], 2);
    CHECK(units_lsu_is_full(&b.units));
    units_lsu_withdraw(&b.units);
    CHECK(!units_lsu_is_full(&b.units));
    step_units(&b);
    CHECK_EQ(b.written[1], 0);
    CHECK_EQ(units_next_event(&b.units, b.now, false), UINT64_MAX);
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

/* Where the queues of the SIMT stack flow, a join is known in the cycle in which it
 * leaves its collector and a vector branch when the vALU is done; scalar ones go
 * first. */
TEST(what_the_simt_stack_knows_goes_on_at_once)
{
    struct unit_bench b;
    start_units(&b);
    b.config.branch_flows = true;
    units_reset(&b.units);
    struct model_op jump = { .branch = BRANCH_SCALAR, .kind = UNIT_SCALAR };
    struct model_op split = { .branch = BRANCH_VECTOR, .kind = UNIT_SIMT };
    struct model_op join = { .branch = BRANCH_JOIN, .kind = UNIT_SIMT };
    const struct inflight f = { .op = &jump, .id = 1, .jump = true };
    const struct inflight g = { .op = &split, .id = 2, .jump = true };
    const struct inflight h = { .op = &join, .id = 3, .jump = true };
    CHECK(units_take(&b.units, 1, &h));
    CHECK(units_branches_flow(&b.units));
    struct units_resolved r = units_branches(&b.units, 1, false);
    CHECK(r.resolved && r.branch.id == 3);
    CHECK(units_take(&b.units, 2, &f) && units_take(&b.units, 2, &g));
    CHECK(!units_branches(&b.units, 2, false).resolved);
    r = units_branches(&b.units, 3, false);
    CHECK(r.resolved && r.branch.id == 1);
    r = units_branches(&b.units, 4, false);
    CHECK(r.resolved && r.branch.id == 2);
    CHECK(!units_have_branches(&b.units));
}

/* ---- load/store unit ---- */

/* The LSU with a local memory and an L1D behind it; what the L1D misses is
 * answered by the test. */
struct lsu_bench {
    struct ventus_model_config config;
    struct ventus_model_stats stats;
    struct dcache dcache;
    struct local local;
    struct tlb tlb;
    struct inflight_pool pool;
    struct events events;
    struct lsu lsu;
    struct model_op load;
    uint64_t now, left[16]; /* left: cycles in which misses left the L1D */
    struct mem_request miss[16];
    unsigned misses, answered;
    uint64_t result[8]; /* cycle in which write-back had it, by id */
    uint64_t taken_at;  /* cycle in which others have write-back */
};

enum { LINE_B = 8, ADDRESS = 0x90000000 };

static void
start_lsu(struct lsu_bench *b)
{
    *b = (struct lsu_bench){ .now = 1 };
    ventus_model_defaults(&b->config);
    b->config.dcache.line_B = LINE_B;
    b->config.dcache.mshrs = 16;
    b->config.local_in_cache = false;
    CHECK(dcache_create(&b->dcache, &b->config, &b->stats, 0));
    dcache_reset(&b->dcache, 0);
    local_memory_init(&b->local, &b->config, &b->stats);
    inflight_reset(&b->pool);
    struct lsu_ports port = { &b->dcache, &b->local, &b->tlb, &b->pool,
                              &b->events };
    CHECK(lsu_create(&b->lsu, &b->config, &b->stats, 8, port));
    lsu_reset(&b->lsu);
    b->load = (struct model_op){
        .known = true, .memory = true, .vector = true, .writes_v = true
    };
}

static void
stop_lsu(struct lsu_bench *b)
{
    dcache_destroy(&b->dcache);
    lsu_destroy(&b->lsu);
}

/* A load of eight lanes, so many bytes apart; false: it is not taken. */
static bool
load_lanes(struct lsu_bench *b, unsigned id, uint64_t address, unsigned stride)
{
    struct inflight *f = inflight_new(&b->pool);
    *f = (struct inflight){ .op = &b->load, .id = id, .lanes = 255 };
    for (unsigned i = 0; i < 8; i++)
        f->at[i] = address + i * stride;
    if (lsu_take(&b->lsu, b->now, f))
        return true;
    inflight_free(&b->pool, f);
    return false;
}

/* The first that is not answered, if there is room for its answer. */
static void
answer_miss(struct lsu_bench *b)
{
    if (b->answered < b->misses &&
        dcache_deliver(&b->dcache, b->now, &b->miss[b->answered % 16]))
        b->answered++;
}

static void
step_lsu(struct lsu_bench *b)
{
    struct result r;
    const struct dcache_wires wires = { .bus_open = true };
    struct lsu_wires free = { .x_free = true, .v_free = true };
    b->now++;
    bool offers = lsu_offers(&b->lsu, &r);
    free.v_free = b->now != b->taken_at;
    free.full = offers && !free.v_free;
    if (offers && free.v_free && !b->result[r.id])
        b->result[r.id] = b->now;
    if (dcache_is_busy(&b->dcache))
        dcache_tick(&b->dcache, b->now, wires);
    if (dcache_leaves(&b->dcache)) {
        b->left[b->misses % 16] = b->now;
        b->miss[b->misses++ % 16] = dcache_take_leaving(&b->dcache);
    }
    answer_miss(b);
    lsu_tick(&b->lsu, b->now, free);
}

/* A line after the other, one a cycle, the lanes of each together. */
TEST(lanes_of_a_line_are_one_request)
{
    const struct {
        unsigned stride, lines;
    } access[] = {
        { 0, 1 }, { 1, 1 }, { 2, 2 }, { 4, 4 }, { 8, 8 }, { 64, 8 }
    };
    for (unsigned i = 0; i < sizeof access / sizeof *access; i++) {
        struct lsu_bench b;
        start_lsu(&b);
        CHECK(load_lanes(&b, 0, ADDRESS, access[i].stride));
        for (unsigned n = 0; n < 60; n++)
            step_lsu(&b);
        CHECK_EQ(b.stats.lsu_requests, access[i].lines);
        CHECK_EQ(b.misses, access[i].lines);
        for (unsigned n = 1; n < 4 && n < access[i].lines; n++)
            CHECK_EQ(b.left[n], b.left[n - 1] + 1);
        CHECK(b.result[0] && lsu_is_empty(&b.lsu));
        stop_lsu(&b);
    }
}

/* Two cycles before the first request; another line delays the result of a load
 * from local memory, which answers in order, by nothing: bank conflicts do. */
TEST(a_bank_conflict_is_a_cycle_of_the_load)
{
    uint64_t took[3];
    for (unsigned i = 0; i < 3; i++) {
        struct lsu_bench b;
        start_lsu(&b);
        b.config.local_banks = 8;
        b.config.dcache.line_B = 64;
        lsu_destroy(&b.lsu);
        struct lsu_ports port = { &b.dcache, &b.local, &b.tlb, &b.pool,
                                  &b.events };
        CHECK(lsu_create(&b.lsu, &b.config, &b.stats, 8, port));
        lsu_reset(&b.lsu);
        CHECK(load_lanes(&b, 0, SIM_LOCAL_BASE, 4 << i));
        for (unsigned n = 0; n < 60; n++)
            step_lsu(&b);
        CHECK_EQ(b.stats.lsu_requests, i < 2 ? 1 : 2);
        took[i] = b.result[0];
        stop_lsu(&b);
    }
    CHECK_EQ(took[1], took[0] + 1);
    CHECK(took[2] > took[1]);
}

/* As the Chisel design has it: 32 bytes a line here, as many banks as lanes. */
static void
start_chisel_lsu(struct lsu_bench *b)
{
    start_lsu(b);
    lsu_destroy(&b->lsu);
    dcache_destroy(&b->dcache);
    b->config.local_banks = 8;
    b->config.dcache.line_B = 32;
    b->config.local_cycles = 2;
    b->config.local_answers = 2;
    b->config.local_store_cycles = 1;
    b->config.lsu_table_reads = false;
    b->config.dcache_request_cycles = 0;
    b->config.dcache_answer_cycles = b->config.dcache_queue_cycles = 1;
    CHECK(dcache_create(&b->dcache, &b->config, &b->stats, 0));
    dcache_reset(&b->dcache, 0);
    struct lsu_ports port = { &b->dcache, &b->local, &b->tlb, &b->pool,
                              &b->events };
    CHECK(lsu_create(&b->lsu, &b->config, &b->stats, 8, port));
    lsu_reset(&b->lsu);
}

/* A, the entry in the table, is two cycles behind the collector; a result of local
 * memory of R lines comes 4 + R behind A, an L1D hit 5 (microarchitecture.md,
 * Load/store unit). */
TEST(times_of_the_chisel_lsu)
{
    for (unsigned lines = 1; lines <= 8; lines *= 2) {
        struct lsu_bench b;
        start_chisel_lsu(&b);
        uint64_t a = b.now + 2;
        CHECK(load_lanes(&b, 0, SIM_LOCAL_BASE, 4 * lines));
        for (unsigned n = 0; n < 40; n++)
            step_lsu(&b);
        CHECK_EQ(b.stats.lsu_requests, lines);
        CHECK_EQ(b.result[0], a + 4 + lines);
        CHECK(load_lanes(&b, 1, ADDRESS, 4));
        for (unsigned n = 0; n < 40; n++)
            step_lsu(&b);
        a = b.now + 2;
        CHECK(load_lanes(&b, 2, ADDRESS, 4));
        for (unsigned n = 0; n < 40; n++)
            step_lsu(&b);
        CHECK_EQ(b.result[2], a + 5);
        CHECK(lsu_is_idle(&b.lsu, b.now));
        stop_lsu(&b);
    }
}

/* Loads of several warps follow each other: one each 4 cycles, as an answer and an
 * entry meet and a result is shown for two cycles.  Without entries it is three. */
TEST(a_saturated_table_gives_a_result_each_four_cycles)
{
    struct lsu_bench b;
    start_chisel_lsu(&b);
    b.config.lsu_per_warp = 8;
    unsigned taken = 0;
    for (unsigned n = 0; n < 60; n++) {
        if (taken < 8)
            taken += load_lanes(&b, taken, SIM_LOCAL_BASE, 4);
        step_lsu(&b);
    }
    for (unsigned i = 3; i < 6; i++)
        CHECK_EQ(b.result[i], b.result[i - 1] + 4);
    CHECK_EQ(b.result[7], b.result[6] + 3);
    stop_lsu(&b);
}

/* A result that finds its port taken comes two cycles later. */
TEST(a_load_whose_port_is_taken_loses_two_cycles)
{
    struct lsu_bench b;
    start_chisel_lsu(&b);
    b.taken_at = b.now + 2 + 5;
    CHECK(load_lanes(&b, 0, SIM_LOCAL_BASE, 4));
    for (unsigned n = 0; n < 20; n++)
        step_lsu(&b);
    CHECK_EQ(b.result[0], b.taken_at + 2);
    stop_lsu(&b);
}

/* A warp has lsu_per_warp under way, and the LSU a queue of one. */
TEST(a_warp_has_so_many_accesses_under_way)
{
    struct lsu_bench b;
    start_lsu(&b);
    b.config.lsu_per_warp = 2;
    b.config.barrier_waits = true; /* which counts them by space */
    unsigned taken = 0;
    for (unsigned n = 0; n < 12; n++) {
        taken += load_lanes(&b, taken, ADDRESS + 64 * taken, 0);
        CHECK(taken <= 2 || b.result[0]);
        step_lsu(&b);
    }
    CHECK_EQ(lsu_accesses(&b.lsu, 0, SPACE_GLOBAL),
             lsu_has_accesses(&b.lsu, 0));
    for (unsigned n = 0; n < 60; n++)
        step_lsu(&b);
    CHECK(lsu_is_empty(&b.lsu) && lsu_is_idle(&b.lsu, b.now));
    CHECK_EQ(lsu_next_event(&b.lsu, b.now), UINT64_MAX);
    stop_lsu(&b);
}

/* ---- SFU ---- */

/* Lanes divide by 1; lane i divides 1 << i, whose quotient has i + 1 bits. */
static unsigned
divide_as(uint64_t active, unsigned sfu_lanes, bool idle_ones)
{
    struct ventus_model_config c;
    uint32_t x[64] = { 0 }, v[3 * 64] = { 0 };
    uint8_t cycles[64];
    const struct model_op o = { .unit = VENTUS_ISA_UNIT_SFU,
                                .lat = VENTUS_ISA_LAT_DIVU,
                                .vector = true,
                                .reg = { 1, 2 },
                                .read = { READ_VECTOR, READ_VECTOR } };
    const struct step_registers r = { .x = x, .v = v, .stride = 64 };
    const struct inflight f = { .op = &o, .lanes = active };
    ventus_model_defaults(&c);
    c.sfu_lanes = sfu_lanes;
    c.sfu_int_cycles = 10;
    c.sfu_idle_ones = idle_ones;
    for (unsigned i = 0; i < 8; i++) {
        v[64 + i] = 1;           /* v1: the divisor */
        v[2 * 64 + i] = 1u << i; /* v2: the dividend */
    }
    sfu_measure(&c, 8, &r, &o, cycles);
    return sfu_busy(&c, 8, &f, cycles);
}

static unsigned
divide(uint64_t active, unsigned sfu_lanes)
{
    return divide_as(active, sfu_lanes, false);
}

/* A group of lanes costs a cycle for each bit of its longest quotient, whether
 * that lane is active or not; groups go one after the other, if a lane is active. */
TEST(groups_of_a_division_go_one_after_the_other)
{
    unsigned first = divide(0x0f, 4), second = divide(0xf0, 4);
    CHECK_EQ(second - first, 4);
    CHECK_EQ(divide(0x10, 4), second);
    CHECK_EQ(divide(0x01, 4), first);
    CHECK_EQ(divide(0xff, 4) - second, 10 + 4);
    CHECK_EQ(divide(0xff, 8), second);
}

/* IntDivMod has 1 by 1 in a lane that is not active, a quotient of one bit. */
TEST(lanes_that_are_not_active_divide_one_by_one)
{
    unsigned base = divide_as(0x01, 4, true);
    CHECK_EQ(base, 2 + 10 + 1);
    CHECK_EQ(divide_as(0x02, 4, true), base + 1);
    CHECK_EQ(divide_as(0x80, 4, true), base + 7);
    CHECK_EQ(divide_as(0xff, 4, true), divide(0xff, 4));
    CHECK_EQ(divide_as(0, 4, true), base);
}

TEST_MAIN
