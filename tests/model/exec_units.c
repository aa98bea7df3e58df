/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The execution units and the SFU of an SM without a launch: instructions that come in known
 * cycles, and the cycles in which they leave.  Expected are the rules of
 * docs/microarchitecture.md and docs/model.md.
 */
#include "model/pipeline/sfu.h"
#include "model/pipeline/units.h"

#include "test.h"

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
    unit_class_set(o, &b->config, 8);
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
    unit_class_set(o, &b->config, 8);
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
    /* It was ready in 4, and is an event of the next cycle. */
    CHECK_EQ(units_next_event(&b.units, b.now, false), 5);
    step_units(&b);
    CHECK_EQ(b.written[0], 5);
    CHECK_EQ(units_next_event(&b.units, b.now, false), UINT64_MAX);
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
    const struct inflight next = { .op = &b.op[1], .id = 1, .busy = 7 };
    CHECK(!units_has_room(&b.units, 7, &next));
    CHECK(units_has_room(&b.units, 8, &next));
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
        &(struct result){ .op = &b.op[1], .id = 1, .vector = true });
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

/* The sALU holds as many branches as the warp scheduler has not taken. */
TEST(the_salu_holds_the_branches_of_its_queue)
{
    struct model_op jump = { .branch = BRANCH_SCALAR, .kind = UNIT_SCALAR };
    const struct inflight f = { .op = &jump, .jump = true };
    for (unsigned queue = 1; queue <= 3; queue++) {
        struct unit_bench b;
        start_units(&b);
        b.config.branch_queue = queue;
        units_reset(&b.units);
        for (unsigned i = 0; i < queue; i++)
            CHECK(units_take(&b.units, 1, &f));
        CHECK(!units_take(&b.units, 1, &f));
    }
}

/* The FPU with its pipelines, between the other units: a comparison has 2 cycles where
 * one queue has 3 behind a product, and the vALU is before both. */
TEST(the_fpu_with_pipelines_shares_write_back)
{
    struct unit_bench b;
    start_units(&b);
    b.config.fpu_pipes = true;
    units_init(&b.units, &b.config, 8);
    units_reset(&b.units);
    CHECK(take_fpu(&b, 0, FPU_PRODUCT, true));             /* ready in 4 */
    CHECK_EQ(units_next_event(&b.units, b.now, false), 3); /* the next stage */
    CHECK(take_fpu(&b, 1, FPU_SHORT, true));               /* in 3 */
    CHECK(take_fpu(&b, 2, FPU_SUM, false));                /* in 4 */
    step_units(&b);
    CHECK(take_unit(&b, 3, VENTUS_ISA_UNIT_VALU, true)); /* in 3 */
    for (unsigned i = 0; i < 8; i++)
        step_units(&b);
    CHECK_EQ(b.written[3], 3);
    CHECK_EQ(b.written[2], 4); /* the adder first, and it writes a scalar */
    CHECK_EQ(b.written[0], 5);
    CHECK_EQ(b.written[1], 6);
    CHECK_EQ(units_next_event(&b.units, b.now, false), UINT64_MAX);
}

/* With fewer lanes than a warp it is one queue. */
TEST(an_fpu_of_several_passes_has_no_pipelines)
{
    struct unit_bench b;
    start_units(&b);
    b.config.fpu_pipes = true;
    b.config.unit_lanes = 4;
    units_init(&b.units, &b.config, 8);
    CHECK(!b.units.fpu_pipes);
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

/* Of lane 0; the others divide 1 by 1.  A root is at pc, or scalar if that is 0. */
static unsigned
divide_floats_at(uint32_t dividend, uint32_t divisor, bool root, uint32_t pc)
{
    struct ventus_model_config c;
    uint32_t x[64] = { 0 }, v[3 * 64] = { 0 };
    uint8_t cycles[64];
    const struct model_op o = {
        .unit = VENTUS_ISA_UNIT_SFU,
        .lat = root ? VENTUS_ISA_LAT_FSQRT : VENTUS_ISA_LAT_FDIV,
        .pc = pc,
        .vector = pc != 0,
        .reg = { 1, 2 },
        .read = { pc ? READ_VECTOR : READ_SCALAR, READ_VECTOR }
    };
    const struct step_registers r = { .x = x, .v = v, .stride = 64 };
    const struct inflight f = { .op = &o, .lanes = 1 };
    ventus_model_defaults(&c);
    c.sfu_lanes = 4;
    c.sfu_fp_cycles = 20;
    c.sfu_normal_cycles = 3;
    c.sfu_idle_ones = true;
    for (unsigned i = 0; i < 8; i++)
        v[64 + i] = v[2 * 64 + i] = 0x3f800000;
    v[64] = divisor;
    v[2 * 64] = x[1] = dividend;
    sfu_measure(&c, 8, &r, &o, cycles);
    return sfu_busy(&c, 8, &f, cycles);
}

static unsigned
divide_floats(uint32_t dividend, uint32_t divisor)
{
    return divide_floats_at(dividend, divisor, false, UINT32_C(1) << 31);
}

/* A subnormal operand is normalised first, once for both; a special one needs
 * neither that nor the steps. */
TEST(subnormal_operands_of_the_sfu_take_longer)
{
    const uint32_t one = 0x3f800000, small = 0x00000001, infinity = 0x7f800000;
    unsigned base = divide_floats(one, one);
    CHECK_EQ(divide_floats(small, one), base + 3);
    CHECK_EQ(divide_floats(one, small | 1u << 31), base + 3);
    CHECK_EQ(divide_floats(small, small), base + 3);
    CHECK_EQ(divide_floats(0x00800000, one), base);
    CHECK_EQ(divide_floats(small, infinity), divide_floats(0, one));
}

/* A root has a divisor, too, whose value is not used: the pc, or 4 of a scalar one.  Where
 * that is subnormal as a float, as at most addresses of code, it is normalised. */
TEST(a_root_normalises_its_pc)
{
    const uint32_t one = 0x3f800000, code = UINT32_C(1) << 31;
    unsigned base = divide_floats(one, one);
    CHECK_EQ(divide_floats_at(one, 0, true, code + 0x20), base + 3);
    CHECK_EQ(divide_floats_at(one, 0, true, code + 0x7ffffc), base + 3);
    CHECK_EQ(divide_floats_at(one, 0, true, code), base); /* a zero */
    CHECK_EQ(divide_floats_at(one, 0, true, code + 0x800000), base);
    CHECK_EQ(divide_floats_at(one, 0, true, 0), base + 3);
    /* A special operand needs nothing: the group takes what its idle lanes take. */
    CHECK_EQ(divide_floats_at(0, 0, true, code + 0x20), base);
    CHECK_EQ(divide_floats_at(one | 1u << 31, 0, true, code + 0x20), base);
}

TEST_MAIN
