/* SPDX-License-Identifier: Apache-2.0 */
/* What a unit costs, by its own rule (microarchitecture.md, Execution
 * units). */
#include "program.h"

enum { LOCAL = 0x70000000 };

static void
eight_banks(struct ventus_model_config *c)
{
    c->local_banks = 8;
}

/* A load from local memory, lanes `shift` bits apart, and who waits for it. */
static struct ventus_model_stats
load_local(unsigned shift)
{
    return program_run(&(struct program){
        .insn = { program_lui(6, LOCAL), ventus_isa_vid_v(1, 1),
                  ventus_isa_vsll_vi(2, 1, (int32_t)shift, 1),
                  ventus_isa_vadd_vx(2, 2, 6, 1), ventus_isa_vlw12_v(3, 2, 0),
                  ventus_isa_vadd_vv(4, 3, 3, 1), ventus_isa_endprg(0, 0, 0) },
        .change = eight_banks });
}

/* Eight lanes of words side by side meet nowhere; every second word, two meet
 * in a bank; one word for all, they go one after the other. */
TEST(local_bank_conflicts)
{
    struct ventus_model_stats apart = load_local(2), two = load_local(3);
    struct ventus_model_stats all = program_run(&(struct program){
        .insn = { program_lui(6, LOCAL), ventus_isa_vid_v(1, 1),
                  ventus_isa_vsrl_vi(2, 1, 5, 1),
                  ventus_isa_vadd_vx(2, 2, 6, 1), ventus_isa_vlw12_v(3, 2, 0),
                  ventus_isa_vadd_vv(4, 3, 3, 1), ventus_isa_endprg(0, 0, 0) },
        .change = eight_banks });
    CHECK_EQ(apart.local_conflicts, 0u);
    CHECK_EQ(two.local_conflicts, 1u);
    CHECK_EQ(all.local_conflicts, 7u);
    CHECK_EQ(two.cycles, apart.cycles + 1);
    CHECK_EQ(all.cycles, apart.cycles + 7);
}

static unsigned ways;

static void
through_crossbar(struct ventus_model_config *c)
{
    c->crossbar = ways;
}

/* A product and a sum of three registers, of warp 0: register r is in bank
 * r modulo four. */
static struct ventus_model_stats
read_three(unsigned a, unsigned b, unsigned c)
{
    return program_run(&(struct program){
        .insn = { ventus_isa_vmadd_vv(a, b, c, 1), ventus_isa_endprg(0, 0, 0) },
        .change = through_crossbar });
}

/*
 * A bank serves one request a cycle.  With a way for each bank, operands in
 * three banks do not wait; of three in one bank the second waits a cycle and
 * the third two; of two in one bank, one waits a cycle.
 */
TEST(register_bank_conflicts)
{
    ways = 8;
    struct ventus_model_stats apart = read_three(4, 5, 6),
                              two = read_three(4, 8, 6);
    struct ventus_model_stats one = read_three(4, 8, 12);
    CHECK_EQ(apart.bank_conflicts, 0u);
    CHECK_EQ(two.bank_conflicts, 1u);
    CHECK_EQ(one.bank_conflicts, 1u + 2u);
    CHECK_EQ(apart.crossbar_waits + two.crossbar_waits + one.crossbar_waits,
             0u);
    CHECK_EQ(two.cycles, apart.cycles + 1);
    CHECK_EQ(one.cycles, apart.cycles + 2);
}

/*
 * With one way for all, an operand passes every second cycle, for its bank
 * serves it once more before the collector knows: eight cycles from issue for
 * three, as measured (microarchitecture.md, Operand collectors), and two wait
 * two cycles, then one two more.
 */
TEST(crossbar_of_one)
{
    ways = 1;
    struct ventus_model_stats s = read_three(4, 5, 6);
    CHECK_EQ(s.bank_conflicts, 0u);
    CHECK_EQ(s.crossbar_waits, 2u + 2u + 1u + 1u);
}

/* Of an instruction, the first unless told: issued, at a unit, done. */
struct life {
    uint64_t id;
    uint64_t
        at[VENTUS_MODEL_EVENT_KERNEL_END + 1]; /* cycle of each kind of event */
};

static void
on_event(void *ctx, const struct ventus_model_event *e)
{
    struct life *life = ctx;
    if (e->id == life->id)
        life->at[e->kind] = e->cycle;
}

static struct life
watch(struct ventus_isa_insn insn, void (*change)(struct ventus_model_config *))
{
    struct life life = { 0 };
    program_run(&(struct program){ .insn = { insn, ventus_isa_endprg(0, 0, 0) },
                                   .change = change,
                                   .event = on_event,
                                   .ctx = &life });
    return life;
}

static uint64_t
collect(struct ventus_isa_insn insn)
{
    ways = 1;
    struct life life = watch(insn, through_crossbar);
    return life.at[VENTUS_MODEL_EVENT_STARTED] -
           life.at[VENTUS_MODEL_EVENT_ISSUED];
}

/*
 * Cycles from issue to the way out, as the RTL's trace has them: 2 without a
 * register, 4 with one, 4 to 6 for most vectors, 8 with three.
 */
TEST(operands_cost_cycles)
{
    CHECK_EQ(collect(ventus_isa_lui(5, 1)), 2);
    CHECK_EQ(collect(ventus_isa_vid_v(1, 1)), 2);
    CHECK_EQ(collect(ventus_isa_addi(5, 8, 1)), 4);
    CHECK_EQ(collect(ventus_isa_vadd_vi(1, 2, 1, 1)), 4);
    CHECK_EQ(collect(ventus_isa_add(5, 8, 9)), 6);
    CHECK_EQ(collect(ventus_isa_vadd_vv(1, 2, 3, 1)), 6);
    CHECK_EQ(collect(ventus_isa_vmadd_vv(1, 2, 3, 1)), 8);
}

static unsigned lanes;

static void
fewer_lanes(struct ventus_model_config *c)
{
    c->unit_lanes = lanes;
}

static uint64_t
compute(struct ventus_isa_insn insn, unsigned unit_lanes)
{
    lanes = unit_lanes;
    struct life life = watch(insn, fewer_lanes);
    return life.at[VENTUS_MODEL_EVENT_DONE] -
           life.at[VENTUS_MODEL_EVENT_STARTED];
}

/* Passes are one a cycle; who waits for the result sees them, and one more. */
TEST(vectors_in_passes)
{
    const struct ventus_isa_insn vectors[] = {
        ventus_isa_vadd_vi(2, 1, 1, 1), ventus_isa_vmul_vv(2, 1, 1, 1),
        ventus_isa_vfadd_vv(2, 1, 1, 1)
    };
    for (unsigned i = 0; i < 3; i++) {
        uint64_t whole = compute(vectors[i], 8);
        CHECK_EQ(compute(vectors[i], 4), whole + 2 + 1);
        CHECK_EQ(compute(vectors[i], 2), whole + 4 + 1);
    }
    struct ventus_isa_insn scalar = ventus_isa_mul(5, 6, 7);
    CHECK_EQ(compute(scalar, 2), compute(scalar, 8));
}

/* The bits of the quotient: 7 / 7 has one, 2047 / 1 has eleven. */
TEST(division_by_quotient)
{
    struct program p = { .insn = {
                             ventus_isa_addi(5, 0, 7), ventus_isa_addi(6, 0, 7),
                             ventus_isa_divu(7, 5, 6), ventus_isa_add(8, 7, 7),
                             ventus_isa_endprg(0, 0, 0) } };
    uint64_t one = program_run(&p).cycles;
    p.insn[0] = ventus_isa_addi(5, 0, 2047);
    p.insn[1] = ventus_isa_addi(6, 0, 1);
    CHECK_EQ(program_run(&p).cycles, one + 10);
    p.insn[0] = ventus_isa_addi(5, 0, 6);
    p.insn[1] = ventus_isa_addi(6, 0, 7); /* smaller: known at once */
    CHECK_EQ(program_run(&p).cycles, one - 2);
    p.insn[1] = ventus_isa_addi(6, 0, 0);
    CHECK_EQ(program_run(&p).cycles, one - 3);
}

static void
slow_divider(struct ventus_model_config *c)
{
    c->sfu_lanes = 1;
    c->sfu_fp_cycles = 100;
}

/* Eight lanes one after the other: a result that is further away than 255. */
TEST(divisions_of_many_cycles)
{
    struct life life = { .id = 2 };
    program_run(&(struct program){
        .insn = { program_lui(5, 0x40400000), ventus_isa_vadd_vx(1, 3, 5, 1),
                  ventus_isa_vfdiv_vv(2, 1, 1, 1),
                  ventus_isa_vadd_vv(4, 2, 2, 1), ventus_isa_endprg(0, 0, 0) },
        .change = slow_divider,
        .event = on_event,
        .ctx = &life });
    CHECK_EQ(life.at[VENTUS_MODEL_EVENT_DONE] -
                 life.at[VENTUS_MODEL_EVENT_STARTED],
             8u * 100 + 2);
}

/* Instructions that make v8 a number and x12 an address: as many as it takes for
 * a new pair of the fetch behind the first of those that are watched. */
enum { SET_UP = 3 };

/* Of the first two instructions behind; prefixes are not issued. */
static void
on_first_two(void *ctx, const struct ventus_model_event *e)
{
    struct life *life = ctx;
    if (e->id >= SET_UP && e->id < SET_UP + 2)
        life[e->id - SET_UP].at[e->kind] = e->cycle;
}

/* Whether the second instruction waits for the first one's result. */
static bool
waits(struct ventus_isa_insn a, struct ventus_isa_insn b,
      struct ventus_isa_insn c)
{
    struct life life[2] = { 0 };
    program_run(&(struct program){
        .insn = { program_lui(5, 0x40400000), ventus_isa_vadd_vx(8, 10, 5, 1),
                  program_lui(12, DATA), a, b, c, ventus_isa_endprg(0, 0, 0) },
        .change = slow_divider,
        .event = on_first_two,
        .ctx = life });
    /* The warp may end before a result that is not waited for. */
    uint64_t done = life[0].at[VENTUS_MODEL_EVENT_DONE];
    CHECK(life[1].at[VENTUS_MODEL_EVENT_ISSUED]);
    return done && life[1].at[VENTUS_MODEL_EVENT_ISSUED] > done;
}

/* The scoreboard waited for the low register of a pair alone. */
TEST(both_registers_of_a_pair_are_waited_for)
{
    struct ventus_isa_insn pair = ventus_isa_regpair(0, 0, 0);
    struct ventus_isa_insn none = ventus_isa_regext(0, 0, 0);
    CHECK(waits(ventus_isa_vfdiv_vv(2, 8, 8, 1), pair,
                ventus_isa_vadd_vv(4, 2, 6, 1)));
    CHECK(waits(ventus_isa_vfdiv_vv(3, 8, 8, 1), pair,
                ventus_isa_vadd_vv(4, 2, 6, 1)));
    CHECK(waits(ventus_isa_vfdiv_vv(5, 8, 8, 1), pair,
                ventus_isa_vadd_vv(4, 2, 6, 1)));
    CHECK(waits(ventus_isa_vfdiv_vv(3, 8, 8, 1), pair,
                ventus_isa_vadd_vi(4, 2, 1, 1)));
    CHECK(!waits(ventus_isa_vfdiv_vv(3, 8, 8, 1), none,
                 ventus_isa_vadd_vv(4, 2, 6, 1)));
    CHECK(!waits(ventus_isa_vfdiv_vv(3, 8, 8, 1), pair,
                 ventus_isa_vadd_vv(5, 1, 7, 1)));
    CHECK(waits(pair, ventus_isa_vfdiv_vv(2, 8, 8, 1),
                ventus_isa_vadd_vv(4, 3, 6, 1)));
    CHECK(!waits(none, ventus_isa_vfdiv_vv(2, 8, 8, 1),
                 ventus_isa_vadd_vv(4, 3, 6, 1)));
}

/* x13 becomes 0 / 3, which is the high word of an address with a prefix. */
TEST(both_registers_of_an_address_are_waited_for)
{
    struct ventus_isa_insn pair = ventus_isa_regpair(0, 0, 0);
    struct ventus_isa_insn none = ventus_isa_regext(0, 0, 0);
    CHECK(waits(ventus_isa_fdiv_s(13, 0, 5, 0), pair, ventus_isa_lw(6, 12, 0)));
    CHECK(
        !waits(ventus_isa_fdiv_s(13, 0, 5, 0), none, ventus_isa_lw(6, 12, 0)));
}

/* What eight lanes ask for at one word. */
static uint64_t
requests(struct ventus_isa_insn access)
{
    return program_run(
               &(struct program){ .insn = { program_lui(5, DATA),
                                            ventus_isa_vmv_v_x(1, 5), access,
                                            ventus_isa_endprg(0, 0, 0) } })
        .lsu_requests;
}

/* Others of the same line do not go with an atomic (microarchitecture.md,
 * Load/store unit). */
TEST(each_lane_of_an_atomic_is_a_request)
{
    CHECK_EQ(requests(ventus_isa_vlw12_v(2, 1, 0)), 1);
    CHECK_EQ(requests(ventus_isa_vsw12_v(2, 1, 0)), 1);
    CHECK_EQ(requests(ventus_isa_amoadd_w(2, 3, 1, 0)), 8);
}

/* Operands that a row of the ISA's table reads: registers but the mask. */
static unsigned
sources_of(enum ventus_isa_op op)
{
    const struct ventus_isa_format_info *f =
        &ventus_isa_formats[ventus_isa_info[op].format];
    unsigned n = 0;
    for (unsigned i = 0; i < f->fields; i++) {
        const struct ventus_isa_field *field = &ventus_isa_fields[f->field[i]];
        n += field->read && field->kind <= VENTUS_ISA_KIND_A;
    }
    return n;
}

/* The latency class says what the model's FPU and SFU do. */
TEST(latency_classes_agree_with_operands)
{
    unsigned fused = 0, unfused = 0;
    for (unsigned op = 1; op < VENTUS_ISA_OP_COUNT; op++) {
        enum ventus_isa_lat lat = (enum ventus_isa_lat)ventus_isa_info[op].lat;
        if (lat == VENTUS_ISA_LAT_FMA)
            CHECK_EQ(sources_of((enum ventus_isa_op)op), 3);
        if (lat == VENTUS_ISA_LAT_FADD || lat == VENTUS_ISA_LAT_FMUL)
            CHECK_EQ(sources_of((enum ventus_isa_op)op), 2);
        if (lat == VENTUS_ISA_LAT_FSQRT)
            CHECK_EQ(sources_of((enum ventus_isa_op)op), 1);
        fused += lat == VENTUS_ISA_LAT_FMA;
        unfused += lat == VENTUS_ISA_LAT_FADD || lat == VENTUS_ISA_LAT_FMUL;
    }
    CHECK_EQ(fused, 4 + 16);
    CHECK_EQ(unfused, 3 + 7);
}

TEST_MAIN
