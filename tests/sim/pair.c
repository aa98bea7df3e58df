/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of registers, version 1: values, branches. */
#include "pair.h"

static uint64_t
pair_result(struct ventus_isa_insn in, uint64_t a, uint64_t b)
{
    struct machine *m = two_pairs(&v1, a, b);
    put(m, with_pair(in));
    run(m);
    uint64_t r = x64(m, 12);
    machine_free(m);
    return r;
}

TEST(scalar_pairs)
{
    const uint64_t big = UINT64_C(0x123456789abcdef0);
    CHECK_EQ(pair_result(ventus_isa_add(12, 8, 10), 0xffffffff, 1),
             UINT64_C(0x100000000));
    CHECK_EQ(pair_result(ventus_isa_sub(12, 8, 10), 0, 1), UINT64_MAX);
    CHECK_EQ(pair_result(ventus_isa_addi(12, 8, -1), 0, 0), UINT64_MAX);
    CHECK_EQ(pair_result(ventus_isa_sll(12, 8, 10), 1, 40), UINT64_C(1) << 40);
    CHECK_EQ(pair_result(ventus_isa_mul(12, 8, 10), big, 16),
             UINT64_C(0x23456789abcdef00));
    CHECK_EQ(pair_result(ventus_isa_mulhu(12, 8, 10), big, UINT64_C(1) << 60),
             big >> 4);
    CHECK_EQ(pair_result(ventus_isa_mulh(12, 8, 10), UINT64_MAX, UINT64_MAX),
             0);
    CHECK_EQ(pair_result(ventus_isa_mulhsu(12, 8, 10), UINT64_MAX, 2),
             UINT64_MAX);
    CHECK_EQ(pair_result(ventus_isa_divu(12, 8, 10), big, 16), big >> 4);
    CHECK_EQ(
        pair_result(ventus_isa_div(12, 8, 10), UINT64_C(1) << 63, UINT64_MAX),
        UINT64_C(1) << 63);
    CHECK_EQ(pair_result(ventus_isa_rem(12, 8, 10), big, 0), big);
    CHECK_EQ(pair_result(ventus_isa_slt(12, 8, 10), UINT64_MAX, 0), 1);
}

/* An odd source is 32 bits, sign-extended; an odd destination the low half. */
TEST(odd_registers_stay_32_bits)
{
    struct machine *m = two_pairs(&v1, UINT64_C(0x500000001), 2);
    put(m, ventus_isa_addi(13, 0, -1));
    put(m, ventus_isa_addi(16, 0, 77));
    put(m, with_pair(ventus_isa_add(14, 8, 13)));
    put(m, with_pair(ventus_isa_add(17, 8, 10)));
    run(m);
    CHECK_EQ(x64(m, 14), UINT64_C(0x500000000));
    CHECK_EQ(x(m, 17), 3);
    CHECK_EQ(x(m, 18), 0);
    CHECK_EQ(x(m, 16), 77);
    machine_free(m);
}

/* Manual 4.2.3: what is not extended is computed with as 32-bit data. */
TEST(an_operation_on_odd_registers_alone_is_of_32_bits)
{
    struct machine *m = two_pairs(&v1, UINT64_C(0x8000000000000001), 4);
    put(m, ventus_isa_addi(11, 0, 4)); /* x9 is 0x80000000 */
    put(m, with_pair(ventus_isa_srl(13, 9, 11)));
    put(m, with_pair(ventus_isa_divu(15, 9, 11)));
    put(m, with_pair(ventus_isa_mulhu(17, 9, 11)));
    put(m, ventus_isa_vmv_v_x(3, 9));
    put(m, with_pair(ventus_isa_vsaddu_vv(5, 3, 3, 1)));
    put(m, with_pair(ventus_isa_vsrl_vi(7, 3, 4, 1)));
    run(m);
    CHECK_EQ(x(m, 13), 0x08000000);
    CHECK_EQ(x(m, 15), 0x20000000);
    CHECK_EQ(x(m, 17), 2);
    CHECK_EQ(v(m, 5, 1), 0xffffffff);
    CHECK_EQ(v(m, 7, 1), 0x08000000);
    machine_free(m);
}

TEST(a_pair_at_x0_is_0)
{
    struct machine *m = two_pairs(&v1, UINT64_C(0x500000001), 2);
    put(m, ventus_isa_addi(1, 0, 9));
    put(m, with_pair(ventus_isa_add(12, 0, 8)));
    put(m, with_pair(ventus_isa_add(0, 8, 8)));
    run(m);
    CHECK_EQ(x64(m, 12), UINT64_C(0x500000001));
    CHECK_EQ(x(m, 1), 9);
    CHECK_EQ(x(m, 0), 0);
    machine_free(m);
}

TEST(vector_pairs)
{
    struct machine *m = two_pairs(&v1, UINT64_C(0x80000000ffffffff), 1);
    put(m, ventus_isa_vmv_v_x(2, 8));
    put(m, ventus_isa_vmv_v_x(3, 9));
    put(m, ventus_isa_vid_v(4, 1));
    put(m, with_pair(ventus_isa_vadd_vv(6, 2, 4, 1)));   /* v5 is 0 */
    put(m, with_pair(ventus_isa_vadd_vx(8, 2, 10, 1)));  /* x10:x11 */
    put(m, with_pair(ventus_isa_vsra_vi(10, 2, 31, 1))); /* by 31 */
    put(m, with_pair(ventus_isa_vmslt_vv(13, 2, 4, 1))); /* odd: 0 or 1 */
    put(m, with_pair(ventus_isa_vmv_v_v(40, 2)));
    put(m, with_pair(ventus_isa_vmv_v_i(42, -1)));
    put(m, with_pair(ventus_isa_vmacc_vv(42, 2, 4, 1)));
    run(m);
    for (unsigned i = 0; i < 32; i++) {
        uint64_t a = UINT64_C(0x80000000ffffffff);
        CHECK_EQ(v64(m, 6, i), a + i);
        CHECK_EQ(v64(m, 8, i), UINT64_C(0x8000000100000000));
        CHECK_EQ(v64(m, 10, i), UINT64_C(0xffffffff00000001));
        CHECK_EQ(v(m, 13, i), 1);
        CHECK_EQ(v64(m, 40, i), a);
        CHECK_EQ(v64(m, 42, i), a * i - 1);
    }
    machine_free(m);
}

TEST(upper_immediates_of_pairs_are_as_in_rv64)
{
    struct machine *m = machine(&v1);
    put(m, with_pair(ventus_isa_lui(12, 0x80001)));
    put(m, with_pair(ventus_isa_lui(14, 0x12345)));
    put(m, with_pair(ventus_isa_auipc(16, 0x80000)));
    put(m, with_pair(ventus_isa_auipc(18, 0x7ffff)));
    put(m, with_pair(ventus_isa_lui(21, 0x80001)));
    run(m);
    CHECK_EQ(x64(m, 12), UINT64_C(0xffffffff80001000));
    CHECK_EQ(x64(m, 14), 0x12345000);
    CHECK_EQ(x64(m, 16), CODE + 20 - UINT64_C(0x80000000));
    CHECK_EQ(x64(m, 18), CODE + 28 + UINT64_C(0x7ffff000));
    CHECK_EQ(x(m, 21), 0x80001000);
    CHECK_EQ(x(m, 22), 0);
    machine_free(m);
}

TEST(pair_branches)
{
    struct machine *m = two_pairs(&v1, UINT64_C(0x100000000), 1);
    put(m, with_pair(ventus_isa_bltu(10, 8, 8)));
    put(m, ventus_isa_addi(5, 0, 1)); /* skipped: 1 < 2^32 */
    put(m, ventus_isa_vmv_v_x(3, 9)); /* v2:v3 = 2^32, v4:v5 = 1 */
    put(m, ventus_isa_vmv_v_x(4, 10));
    put(m, with_pair(ventus_isa_vblt(4, 2, 8)));
    put(m, ventus_isa_addi(6, 0, 1)); /* skipped */
    run(m);
    CHECK_EQ(x(m, 5), 0);
    CHECK_EQ(x(m, 6), 0);
    machine_free(m);
}

TEST_MAIN
