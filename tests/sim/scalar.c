/* SPDX-License-Identifier: Apache-2.0 */
/* Scalar integer instructions; expectations worked out by hand. */
#include "machine.h"

struct row {
    struct ventus_isa_insn in; /* x7 = x5 op x6 */
    uint32_t a, b, expected;
};

static void
check_rows(const struct row *row, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct machine *m = machine(&(struct ventus_sim_config){ 0 });
        put_li(m, 5, row[i].a);
        put_li(m, 6, row[i].b);
        put(m, row[i].in);
        run(m);
        if (!CHECK_EQ(x(m, 7), row[i].expected))
            printf("  %s 0x%x, 0x%x\n", ventus_isa_info[row[i].in.op].name,
                   row[i].a, row[i].b);
        machine_free(m);
    }
}

TEST(arithmetic)
{
    const struct row rows[] = {
        { ventus_isa_add(7, 5, 6), 0xffffffff, 2, 1 },
        { ventus_isa_sub(7, 5, 6), 1, 2, 0xffffffff },
        { ventus_isa_sll(7, 5, 6), 3, 33, 6 },
        { ventus_isa_srl(7, 5, 6), 0x80000000, 31, 1 },
        { ventus_isa_sra(7, 5, 6), 0x80000000, 31, 0xffffffff },
        { ventus_isa_slt(7, 5, 6), 0xffffffff, 0, 1 },
        { ventus_isa_sltu(7, 5, 6), 0xffffffff, 0, 0 },
        { ventus_isa_xor(7, 5, 6), 0xff00ff00, 0x0ff00ff0, 0xf0f0f0f0 },
        { ventus_isa_or(7, 5, 6), 0xff00ff00, 0x0ff00ff0, 0xfff0fff0 },
        { ventus_isa_and(7, 5, 6), 0xff00ff00, 0x0ff00ff0, 0x0f000f00 },
        { ventus_isa_addi(7, 5, -1), 0, 0, 0xffffffff },
        { ventus_isa_slti(7, 5, -1), 0xfffffffe, 0, 1 },
        { ventus_isa_sltiu(7, 5, -1), 5, 0, 1 },
        { ventus_isa_xori(7, 5, -1), 0x12345678, 0, 0xedcba987 },
        { ventus_isa_ori(7, 5, -2048), 1, 0, 0xfffff801 },
        { ventus_isa_andi(7, 5, 0x7f0), 0xffffffff, 0, 0x7f0 },
        { ventus_isa_slli(7, 5, 31), 3, 0, 0x80000000 },
        { ventus_isa_srli(7, 5, 4), 0xf0000000, 0, 0x0f000000 },
        { ventus_isa_srai(7, 5, 4), 0xf0000000, 0, 0xff000000 },
    };
    check_rows(rows, sizeof rows / sizeof *rows);
}

TEST(multiply_and_divide)
{
    const uint32_t lowest = 0x80000000, minus = 0xffffffff;
    const struct row rows[] = {
        { ventus_isa_mul(7, 5, 6), 0x10001, 0x10001, 0x20001 },
        { ventus_isa_mulh(7, 5, 6), minus, minus, 0 },
        { ventus_isa_mulh(7, 5, 6), lowest, 2, minus },
        { ventus_isa_mulhu(7, 5, 6), minus, minus, 0xfffffffe },
        { ventus_isa_mulhsu(7, 5, 6), minus, minus, minus },
        { ventus_isa_mulhsu(7, 5, 6), 2, minus, 1 },
        { ventus_isa_div(7, 5, 6), (uint32_t)-7, 2, (uint32_t)-3 },
        { ventus_isa_div(7, 5, 6), 5, 0, minus },
        { ventus_isa_div(7, 5, 6), lowest, minus, lowest },
        { ventus_isa_divu(7, 5, 6), minus, 2, 0x7fffffff },
        { ventus_isa_divu(7, 5, 6), 5, 0, minus },
        { ventus_isa_rem(7, 5, 6), (uint32_t)-7, 2, minus },
        { ventus_isa_rem(7, 5, 6), 5, 0, 5 },
        { ventus_isa_rem(7, 5, 6), lowest, minus, 0 },
        { ventus_isa_remu(7, 5, 6), minus, 10, 5 },
        { ventus_isa_remu(7, 5, 6), 5, 0, 5 },
    };
    check_rows(rows, sizeof rows / sizeof *rows);
}

TEST(x0_stays_zero)
{
    struct machine *m = machine(&(struct ventus_sim_config){ 0 });
    put(m, ventus_isa_addi(0, 0, 5));
    put(m, ventus_isa_lui(0, 5));
    put(m, ventus_isa_addi(5, 0, 3));
    run(m);
    CHECK_EQ(x(m, 0), 0);
    CHECK_EQ(x(m, 5), 3);
    machine_free(m);
}

/* Each branch skips an addi if it is taken. */
static bool
is_taken(struct ventus_isa_insn branch, uint32_t a, uint32_t b)
{
    struct machine *m = machine(&(struct ventus_sim_config){ 0 });
    put_li(m, 5, a);
    put_li(m, 6, b);
    put(m, branch);
    put(m, ventus_isa_addi(7, 0, 1));
    run(m);
    bool taken = x(m, 7) == 0;
    machine_free(m);
    return taken;
}

TEST(branches)
{
    const uint32_t minus = 0xffffffff;
    CHECK(is_taken(ventus_isa_beq(5, 6, 8), 3, 3));
    CHECK(!is_taken(ventus_isa_beq(5, 6, 8), 3, 4));
    CHECK(is_taken(ventus_isa_bne(5, 6, 8), 3, 4));
    CHECK(is_taken(ventus_isa_blt(5, 6, 8), minus, 0));
    CHECK(!is_taken(ventus_isa_blt(5, 6, 8), 0, minus));
    CHECK(!is_taken(ventus_isa_blt(5, 6, 8), 2, 2));
    CHECK(is_taken(ventus_isa_bge(5, 6, 8), 2, 2));
    CHECK(!is_taken(ventus_isa_bge(5, 6, 8), minus, 0));
    CHECK(is_taken(ventus_isa_bltu(5, 6, 8), 0, minus));
    CHECK(is_taken(ventus_isa_bgeu(5, 6, 8), minus, 0));
}

TEST(jumps_and_pc)
{
    struct machine *m = machine(&(struct ventus_sim_config){ 0 });
    put(m, ventus_isa_jal(1, 12));     /* 0 */
    put(m, ventus_isa_addi(5, 5, 1));  /* 4: from jalr */
    put(m, ventus_isa_jal(0, 16));     /* 8: to 24 */
    put(m, ventus_isa_auipc(6, 1));    /* 12 */
    put(m, ventus_isa_jalr(7, 1, 1));  /* 16: to 4 | 1, the 1 is dropped */
    put(m, ventus_isa_addi(5, 5, 16)); /* 20: never */
    run(m);                            /* 24 */
    CHECK_EQ(x(m, 1), CODE + 4);
    CHECK_EQ(x(m, 5), 1);
    CHECK_EQ(x(m, 6), CODE + 12 + 0x1000);
    CHECK_EQ(x(m, 7), CODE + 20);
    machine_free(m);
}

/* jal over a page, and a prefix whose instruction is on the next one. */
TEST(pages_of_code)
{
    struct machine *m = machine(&(struct ventus_sim_config){ 0 });
    put(m, ventus_isa_jal(0, 4092));
    while (m->n < 1023)
        put(m, ventus_isa_addi(5, 5, 1));
    put(m, ventus_isa_vmv_v_i(40, 9)); /* regext at 0xffc, vmv.v.i at 0x1000 */
    put(m, ventus_isa_vadd_vi(41, 40, 1, 1));
    put(m, ventus_isa_beq(6, 0, 12));
    put(m, ventus_isa_addi(5, 5, 1)); /* skipped */
    put(m, ventus_isa_addi(5, 5, 1)); /* skipped */
    put(m, ventus_isa_addi(6, 6, 1));
    put(m, ventus_isa_addi(7, 7, 1));
    put(m, ventus_isa_addi(8, 0, 3));
    /* Back into the first page, once. */
    put(m, ventus_isa_bne(7, 8, (int32_t)(CODE + 4092 - here(m))));
    run(m);
    CHECK_EQ(v(m, 40, 3), 9);
    CHECK_EQ(v(m, 41, 3), 10);
    CHECK_EQ(x(m, 7), 3);
    CHECK_EQ(x(m, 6), 3);
    CHECK_EQ(x(m, 5), 4);
    machine_free(m);
}

/* A jump into the middle of a pair executes the second word alone. */
TEST(jump_behind_a_prefix)
{
    struct machine *m = machine(&(struct ventus_sim_config){ 0 });
    put(m, ventus_isa_jal(0, 8));
    put(m, ventus_isa_vmv_v_i(33, 5)); /* regext, vmv.v.i v1 */
    run(m);
    CHECK_EQ(v(m, 1, 0), 5);
    CHECK_EQ(v(m, 33, 0), 0);
    machine_free(m);
}

TEST(registers_above_31)
{
    struct machine *m = machine(&(struct ventus_sim_config){ 0 });
    put(m, ventus_isa_addi(5, 0, 6));
    put(m, ventus_isa_add(63, 5, 5));
    put(m, ventus_isa_addi(40, 63, 1));
    put(m, ventus_isa_vmv_v_x(255, 40));
    put(m,
        ventus_isa_vadd_vi(254, 255, 500, 1)); /* regexti: 11-bit immediate */
    put(m, ventus_isa_vadd_vi(253, 255, -1000, 1));
    run(m);
    CHECK_EQ(x(m, 63), 12);
    CHECK_EQ(v(m, 255, 31), 13);
    CHECK_EQ(v(m, 254, 31), 513);
    CHECK_EQ((int32_t)v(m, 253, 31), -987);
    machine_free(m);
}

/* A second regext overrides the first (semantics.md, Registers and
 * prefixes). */
TEST(last_prefix_counts)
{
    struct machine *m = machine(&(struct ventus_sim_config){ 0 });
    put(m, ventus_isa_regext(0, 0, 2)); /* xd = 2: v65 */
    put(m, ventus_isa_regext(0, 0, 1)); /* xd = 1: v33 */
    put(m, ventus_isa_vmv_v_i(1, 5));
    run(m);
    CHECK_EQ(v(m, 33, 0), 5);
    CHECK_EQ(v(m, 65, 0), 0);
    CHECK_EQ(v(m, 1, 0), 0);
    machine_free(m);
}

TEST_MAIN
