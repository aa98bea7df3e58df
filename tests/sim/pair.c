/* SPDX-License-Identifier: Apache-2.0 */
/* Prefixes of both versions: pairs, ABS, NEG, pre_m, wide addresses. */
#include <string.h>

#include "machine.h"

static const struct ventus_sim_config v1 = { 0 };
static const struct ventus_sim_config v2 = { .isa = VENTUS_ISA_V2 };

static struct ventus_isa_insn
with_pair(struct ventus_isa_insn in)
{
    in.pair = 1;
    return in;
}

/* x8:x9 = a, x10:x11 = b */
static struct machine *
two_pairs(const struct ventus_sim_config *config, uint64_t a, uint64_t b)
{
    struct machine *m = machine(config);
    put_li(m, 8, (uint32_t)a);
    put_li(m, 9, (uint32_t)(a >> 32));
    put_li(m, 10, (uint32_t)b);
    put_li(m, 11, (uint32_t)(b >> 32));
    return m;
}

static uint64_t
x64(const struct machine *m, unsigned r)
{
    return x(m, r) | (uint64_t)x(m, r + 1) << 32;
}

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

enum { HIGH_SIZE = 0x10000 };
static const uint64_t high = UINT64_C(0x1234fffff000);

/* Its address in x8:x9; in v4:v5, 256 bytes apart, so that the low halves of
 * lanes 16 and up have carried into the high ones. */
static struct machine *
high_memory(const struct ventus_sim_config *config)
{
    struct machine *m = two_pairs(config, high, 3);
    CHECK(ventus_sim_map(m->sim, high, HIGH_SIZE,
                         VENTUS_SIM_READ | VENTUS_SIM_WRITE));
    put(m, ventus_isa_vid_v(1, 1));
    put(m, ventus_isa_vsll_vi(2, 1, 8, 1));
    put(m, ventus_isa_vmv_v_i(3, 0));
    put(m, ventus_isa_vmv_v_x(4, 8));
    put(m, ventus_isa_vmv_v_x(5, 9));
    put(m, with_pair(ventus_isa_vadd_vv(4, 4, 2, 1)));
    return m;
}

static uint32_t
high_word(const struct machine *m, uint32_t offset)
{
    uint32_t word = 0xdeadbeef;
    CHECK(ventus_sim_read(m->sim, high + offset, &word, 4));
    return word;
}

static void
set_high(struct machine *m, uint32_t offset, uint32_t word)
{
    CHECK(ventus_sim_write(m->sim, high + offset, &word, 4));
}

/*
 * Slides, regpair: lw x9, 0(x6) is lw x41, 0([x7,x6]).  The same program for
 * regpair, and for prefix with pair=1.
 */
static void
scalar_pair_addresses(const struct ventus_sim_config *config)
{
    struct machine *m = high_memory(config);
    set_high(m, 0x1004, 0x8899aabb);
    put_li(m, 13, 0x1004);
    put(m, ventus_isa_addi(14, 0, 0x55));
    put(m, with_pair(ventus_isa_add(16, 8, 13))); /* carries into x17 */
    put(m, with_pair(ventus_isa_lw(41, 16, 0)));
    put(m, with_pair(ventus_isa_lh(42, 16, 2)));
    put(m, with_pair(ventus_isa_lbu(43, 16, 1)));
    put(m, with_pair(ventus_isa_sb(14, 16, 4)));
    put(m, with_pair(ventus_isa_sw(16, 16, 8))); /* the low register alone */
    put(m, with_pair(ventus_isa_lw(44, 16, -4)));
    run(m);
    CHECK_EQ(x(m, 17), 0x1235);
    CHECK_EQ(x(m, 41), 0x8899aabb);
    CHECK_EQ(x(m, 42), 0xffff8899);
    CHECK_EQ(x(m, 43), 0xaa);
    CHECK_EQ(x(m, 44), 0);
    CHECK_EQ(x(m, 45), 0); /* data stay 32 bits wide */
    CHECK_EQ(high_word(m, 0x1008), 0x55);
    CHECK_EQ(high_word(m, 0x100c), 0x00000004);
    CHECK_EQ(high_word(m, 0x1010), 0);
    machine_free(m);
}

TEST(scalar_pairs_are_addresses)
{
    scalar_pair_addresses(&v1);
    scalar_pair_addresses(&v2);
}

/* Vectors of addresses, and a scalar base with 32-bit strides and indices. */
static void
vector_pair_addresses(const struct ventus_sim_config *config)
{
    struct machine *m = high_memory(config);
    for (uint32_t i = 0; i < HIGH_SIZE; i += 4)
        set_high(m, i, i * 3 + 1);
    put(m, ventus_isa_addi(15, 0, 256));
    put(m, with_pair(ventus_isa_vlw12_v(6, 4, 4)));
    put(m, with_pair(ventus_isa_vlhu12_v(8, 4, 4)));
    put(m, with_pair(ventus_isa_vle32_v(10, 8, 1)));
    put(m, with_pair(ventus_isa_vle8_v(12, 8, 1)));
    put(m, with_pair(ventus_isa_vlse32_v(14, 8, 15, 1)));
    put(m, with_pair(ventus_isa_vluxei32_v(16, 8, 2, 1)));
    put_li(m, 20, 0x8000);
    put(m, with_pair(ventus_isa_add(18, 8, 20)));
    put(m, with_pair(ventus_isa_vsw12_v(1, 4, 8)));
    put(m, with_pair(ventus_isa_vse32_v(1, 18, 1)));
    put(m, with_pair(ventus_isa_addi(18, 18, 512)));
    put(m, with_pair(ventus_isa_vsse32_v(1, 18, 15, 1)));
    run(m);
    for (unsigned i = 0; i < 32; i++) {
        CHECK_EQ(v(m, 6, i), (256 * i + 4) * 3 + 1);
        CHECK_EQ(v(m, 7, i), 0); /* v7 is no half of v6 */
        CHECK_EQ(v(m, 8, i), (256 * i + 4) * 3 + 1);
        CHECK_EQ(v(m, 10, i), 4 * i * 3 + 1);
        CHECK_EQ(v(m, 12, i), ((i & ~3u) * 3 + 1) >> 8 * (i % 4) & 0xff);
        CHECK_EQ(v(m, 14, i), 256 * i * 3 + 1);
        CHECK_EQ(v(m, 16, i), 256 * i * 3 + 1);
        CHECK_EQ(high_word(m, 256 * i + 8), i);
        CHECK_EQ(high_word(m, 0x8000 + 4 * i), i);
        CHECK_EQ(high_word(m, 0x8200 + 256 * i), i);
    }
    machine_free(m);
}

TEST(vector_pairs_are_addresses)
{
    vector_pair_addresses(&v1);
    vector_pair_addresses(&v2);
}

static void
atomic_pair_addresses(const struct ventus_sim_config *config)
{
    struct machine *m = high_memory(config);
    put(m, ventus_isa_vadd_vi(9, 1, 5, 1));
    put(m, with_pair(ventus_isa_amoadd_w(6, 9, 4, 0)));
    put(m, with_pair(ventus_isa_amoswap_w(7, 1, 4, 0)));
    put(m, with_pair(ventus_isa_lr_w(10, 4, 0)));
    put(m, with_pair(ventus_isa_sc_w(11, 9, 4, 0)));
    run(m);
    for (unsigned i = 0; i < 32; i++) {
        CHECK_EQ(v(m, 6, i), 0);
        CHECK_EQ(v(m, 7, i), i + 5);
        CHECK_EQ(v(m, 10, i), i);
        CHECK_EQ(v(m, 11, i), 0);
        CHECK_EQ(high_word(m, 256 * i), i + 5);
    }
    machine_free(m);
}

TEST(pairs_are_addresses_of_atomics)
{
    atomic_pair_addresses(&v1);
    atomic_pair_addresses(&v2);
    struct ventus_sim_config once = { .scalar_amo = true };
    struct machine *m = high_memory(&once);
    set_high(m, 0, 40);
    put(m, ventus_isa_addi(13, 0, 2));
    put(m, with_pair(ventus_isa_amoadd_w(12, 13, 8, 0)));
    run(m);
    CHECK_EQ(x(m, 12), 40);
    CHECK_EQ(high_word(m, 0), 42);
    machine_free(m);
}

/* Manual 4.2.3: an odd register is not extended. */
TEST(an_odd_base_is_a_32_bit_address)
{
    struct machine *m = high_memory(&v1);
    set_data(m, 16, 77);
    put_li(m, 13, DATA);
    put(m, ventus_isa_addi(14, 0, 99)); /* x14 is no part of it */
    put(m, with_pair(ventus_isa_lw(16, 13, 16)));
    put(m, ventus_isa_vmv_v_x(13, 13));
    put(m, with_pair(ventus_isa_vlw12_v(16, 13, 16)));
    run(m);
    CHECK_EQ(x(m, 16), 77);
    CHECK_EQ(v(m, 16, 31), 77);
    machine_free(m);
}

/* Private memory of version 1: the offset is [vs1+1:vs1] + imm. */
TEST(a_private_offset_beyond_4_GiB_faults)
{
    struct machine *m = high_memory(&v1);
    m->launch.pds_base = DATA + 0x1000;
    m->launch.pds_size_B = 64;
    put(m, ventus_isa_vmv_v_i(20, 8));
    put(m, ventus_isa_vmv_v_i(21, 0));
    put(m, with_pair(ventus_isa_vsw_v(1, 20, 4)));
    put(m, with_pair(ventus_isa_vlw_v(22, 20, 4)));
    put(m, ventus_isa_vmv_v_i(21, 1));
    put(m, with_pair(ventus_isa_vlw_v(24, 20, 4)));
    put(m, ventus_isa_endprg(0, 0, 0));
    CHECK(!launch(m));
    CHECK_EQ(m->fault.kind, VENTUS_SIM_FAULT_PRIVATE);
    CHECK_EQ(m->fault.address, UINT64_C(0x10000000c));
    for (unsigned i = 0; i < 32; i++)
        CHECK_EQ(v(m, 22, i), i);
    machine_free(m);
}

/* A high register that is not zero where no memory is. */
TEST(a_fault_shows_all_64_bits_of_the_address)
{
    struct machine *m = two_pairs(&v1, DATA, 0);
    put(m, ventus_isa_addi(9, 0, 5));
    put(m, with_pair(ventus_isa_lw(12, 8, 0)));
    put(m, ventus_isa_endprg(0, 0, 0));
    CHECK(!launch(m));
    CHECK_EQ(m->fault.kind, VENTUS_SIM_FAULT_UNMAPPED);
    CHECK_EQ(m->fault.address, UINT64_C(0x590000000));
    CHECK_EQ(m->fault.lane, -1);
    CHECK(strstr(m->fault.text, "to 0x590000000 at pc 0x80000") != NULL);
    CHECK(strstr(m->fault.text, "(lw x12, 0([x9:x8]))") != NULL);
    machine_free(m);
    m = two_pairs(&v1, DATA, 0);
    put(m, ventus_isa_vmv_v_x(2, 8));
    put(m, ventus_isa_vid_v(3, 1));
    put(m, with_pair(ventus_isa_vlw12_v(5, 2, 4)));
    put(m, ventus_isa_endprg(0, 0, 0));
    CHECK(!launch(m));
    CHECK_EQ(m->fault.address, UINT64_C(0x190000004));
    CHECK_EQ(m->fault.lane, 1);
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

/* ---- version 2 ---- */

static uint32_t
modified(struct ventus_isa_insn in, unsigned abs, unsigned neg, uint32_t a,
         uint32_t b)
{
    struct machine *m = two_pairs(&v2, a, b);
    put(m, ventus_isa_vmv_v_x(1, 10));
    put(m, ventus_isa_vmv_v_x(2, 8));
    put_word(m,
             ventus_isa_info[VENTUS_ISA_PREFIX].match | abs << 16 | neg << 13);
    put(m, in);
    run(m);
    uint32_t r = bind_is_vector(&in, VENTUS_ISA_SLOT_D) ? v(m, 3, 5) : x(m, 3);
    machine_free(m);
    return r;
}

/* Bit 0 is src1 (rs1, vs1), bit 1 src2. */
TEST(abs_and_neg)
{
    const uint32_t m5 = (uint32_t)-5, m7 = (uint32_t)-7;
    CHECK_EQ(modified(ventus_isa_add(3, 8, 10), 1, 0, m5, m7), (uint32_t)-2);
    CHECK_EQ(modified(ventus_isa_add(3, 8, 10), 2, 0, m5, m7), 2);
    CHECK_EQ(modified(ventus_isa_add(3, 8, 10), 0, 1, m5, m7), (uint32_t)-2);
    CHECK_EQ(modified(ventus_isa_add(3, 8, 10), 3, 3, 5, 7), (uint32_t)-12);
    CHECK_EQ(modified(ventus_isa_vsub_vv(3, 2, 1, 1), 1, 0, m5, m7),
             (uint32_t)-12);
    CHECK_EQ(modified(ventus_isa_vsub_vv(3, 2, 1, 1), 2, 0, m5, m7), 12);
    CHECK_EQ(modified(ventus_isa_vadd12_vi(3, 2, 1), 1, 0, m5, 0), 6);
    /* Floating point: the sign bit. 2.0 - 1.0, |-2| */
    CHECK_EQ(
        modified(ventus_isa_fadd_s(3, 8, 10, 0), 0, 2, 0x40000000, 0x3f800000),
        0x3f800000);
    CHECK_EQ(
        modified(ventus_isa_vfmul_vv(3, 2, 1, 1), 2, 0, 0xc0000000, 0x3f800000),
        0x40000000);
}

TEST(rv64_pair_forms)
{
    const uint64_t a = UINT64_C(0xfffffffff0000000);
    struct machine *m = two_pairs(&v2, a, 4);
    put(m, ventus_isa_addw(12, 8, 10));
    put(m, ventus_isa_subw(14, 8, 10));
    put(m, ventus_isa_sllw(16, 8, 10));
    put(m, ventus_isa_srlw(18, 8, 10));
    put(m, ventus_isa_sraw(20, 8, 10));
    put(m, ventus_isa_addiw(22, 8, -1));
    put(m, ventus_isa_slliw(24, 8, 31));
    put(m, ventus_isa_srliw(26, 8, 28));
    put(m, ventus_isa_sraiw(28, 8, 28));
    run(m);
    CHECK_EQ(x64(m, 12), a + 4);
    CHECK_EQ(x64(m, 14), a - 4);
    CHECK_EQ(x64(m, 16), UINT64_C(0xffffffff00000000));
    CHECK_EQ(x64(m, 18), a >> 4);
    CHECK_EQ(x64(m, 20), UINT64_C(0xffffffffff000000));
    CHECK_EQ(x64(m, 22), a - 1);
    CHECK_EQ(x64(m, 24), UINT64_C(0xf800000000000000));
    CHECK_EQ(x64(m, 26), a >> 28);
    CHECK_EQ(x64(m, 28), UINT64_MAX);
    machine_free(m);
}

TEST(widening)
{
    const uint32_t minus = 0xffffffff;
    struct machine *m = two_pairs(&v2, minus, 3);
    put(m, ventus_isa_vmv_v_x(1, 10)); /* 3 */
    put(m, ventus_isa_vmv_v_x(2, 8));  /* -1 */
    put(m, ventus_isa_vwaddu_vv(4, 2, 1, 1));
    put(m, ventus_isa_vwadd_vv(6, 2, 1, 1));
    put(m, ventus_isa_vwsub_vx(12, 2, 10, 1));
    put(m, ventus_isa_vwmulu_vv(14, 2, 1, 1));
    put(m, ventus_isa_vwmul_vv(16, 2, 1, 1));
    put(m, ventus_isa_vwmulsu_vv(18, 2, 1, 1));
    put(m, ventus_isa_vwaddu_wx(20, 4, 8, 1)); /* + 0xffffffff */
    put(m, ventus_isa_vwadd_wx(22, 4, 8, 1));  /* - 1 */
    put(m, ventus_isa_vwsub_wv(24, 4, 6, 1));
    put(m, ventus_isa_vwmaccu_vx(14, 10, 2, 1));
    put(m, ventus_isa_vwmaccus_vx(26, 10, 2, 1)); /* 3 unsigned * -1 */
    put(m, ventus_isa_vwmaccsu_vx(28, 8, 2, 1));  /* -1 * 0xffffffff */
    run(m);
    CHECK_EQ(v64(m, 4, 9), UINT64_C(0x100000002));
    CHECK_EQ(v64(m, 6, 9), 2);
    CHECK_EQ(v64(m, 12, 9), (uint64_t)-4);
    CHECK_EQ(v64(m, 16, 9), (uint64_t)-3);
    CHECK_EQ(v64(m, 18, 9), (uint64_t)-3);
    CHECK_EQ(v64(m, 20, 9), UINT64_C(0x200000001));
    CHECK_EQ(v64(m, 22, 9), UINT64_C(0x100000001));
    CHECK_EQ(v64(m, 24, 9), UINT64_C(0x100000000));
    CHECK_EQ(v64(m, 14, 9), 2 * (3 * (uint64_t)minus));
    CHECK_EQ(v64(m, 26, 9), (uint64_t)-3);
    CHECK_EQ(v64(m, 28, 9), (uint64_t) - (int64_t)minus);
    machine_free(m);
}

/* Above 4 GiB. */
TEST(wide_addresses)
{
    const uint64_t at = UINT64_C(0x123400000000);
    struct machine *m = two_pairs(&v2, at, at + 0x100);
    CHECK(ventus_sim_map(m->sim, at, 0x10000,
                         VENTUS_SIM_READ | VENTUS_SIM_WRITE));
    put(m, ventus_isa_addi(5, 0, 77));
    put(m, ventus_isa_sd(5, 8, 4));
    put(m, ventus_isa_ld(6, 8, 4));
    put(m, ventus_isa_vid_v(1, 1));
    put(m, ventus_isa_vsll_vi(2, 1, 2, 1));
    put(m, ventus_isa_vadd_vx(2, 2, 10, 1));
    put(m, ventus_isa_vmv_v_x(3, 11));
    put(m, ventus_isa_vsw12d_v(1, 2, 0));
    put(m, ventus_isa_vlw12d_v(4, 2, 0));
    put(m, ventus_isa_vlbu12d_v(5, 2, 0));
    put(m, ventus_isa_amoadd_d(7, 1, 2, 0));
    run(m);
    uint32_t word = 0;
    CHECK(ventus_sim_read(m->sim, at + 4, &word, 4));
    CHECK_EQ(word, 77);
    CHECK_EQ(x(m, 6), 77);
    for (unsigned i = 0; i < 32; i++) {
        CHECK_EQ(v(m, 4, i), i);
        CHECK_EQ(v(m, 5, i), i);
        CHECK_EQ(v(m, 7, i), i);
        CHECK(ventus_sim_read(m->sim, at + 0x100 + 4 * i, &word, 4));
        CHECK_EQ(word, 2 * i);
    }
    machine_free(m);
}

/* Atomics of the spaces, and a pair under pre_m. */
TEST(memory_prefix_of_atomics)
{
    struct machine *m = high_memory(&v2);
    m->launch.pds_base = DATA + 0x1000;
    m->launch.pds_size_B = 64;
    put(m, ventus_isa_vsll_vi(6, 1, 2, 1));
    put_word(m, ventus_isa_info[VENTUS_ISA_PRE_M_LOCAL_32].match);
    put(m, ventus_isa_amoadd_w(7, 1, 6, 0));
    put_word(m, ventus_isa_info[VENTUS_ISA_PRE_M_LOCAL_32].match);
    put(m, ventus_isa_amoswap_w(7, 3, 6, 0));
    put(m, ventus_isa_vmv_v_i(8, 12));
    put_word(m, ventus_isa_info[VENTUS_ISA_PRE_M_PRIVATE_32].match);
    put(m, ventus_isa_amoor_w(9, 1, 8, 0));
    put_word(m, ventus_isa_info[VENTUS_ISA_PRE_M_32].match | 1u << 19);
    put(m, ventus_isa_amoor_w(9, 1, 4, 0));
    put_word(m, ventus_isa_info[VENTUS_ISA_PRE_M_32].match | 1u << 19);
    put(m, ventus_isa_vlw12_v(10, 4, 0));
    put_word(m, ventus_isa_info[VENTUS_ISA_PRE_M_32].match | 1u << 19);
    put(m, ventus_isa_lw(12, 8, 256));
    run(m);
    for (unsigned i = 0; i < 32; i++) {
        CHECK_EQ(v(m, 7, i), i);
        CHECK_EQ(data(m, 0x1000 + 12 * 32 + 4 * i), i);
        CHECK_EQ(high_word(m, 256 * i), i);
        CHECK_EQ(v(m, 10, i), i);
    }
    CHECK_EQ(x(m, 12), 1);
    machine_free(m);
}

/* The accumulator that x3 names is read, vd is written: version 2. */
TEST(the_accumulator_may_be_another_register)
{
    static const struct {
        struct ventus_isa_insn in;
        uint32_t want;
    } rows[] = {
        { { .op = VENTUS_ISA_VMADD_VV, .reg = { 40, 1, 2, 8 } }, 7 * 100 + 9 },
        { { .op = VENTUS_ISA_VMACC_VV, .reg = { 40, 1, 2, 8 } }, 7 * 9 + 100 },
        { { .op = VENTUS_ISA_VNMSAC_VX, .reg = { 40, 10, 2, 8 } },
          100 - 3 * 9 },
        { { .op = VENTUS_ISA_VMACC_VV, .reg = { 8, 1, 2, 40 } }, 7 * 9 + 1000 },
        { { .op = VENTUS_ISA_VMACC_VV, .reg = { 40, 1, 40, 8 } },
          7 * 1000 + 100 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct machine *m = two_pairs(&v2, 0, 3);
        put_li(m, 12, 100);
        put_li(m, 13, 1000);
        put(m, ventus_isa_vmv_v_i(1, 7));
        put(m, ventus_isa_vmv_v_i(2, 9));
        put(m, ventus_isa_vmv_v_x(8, 12));
        put(m, ventus_isa_vmv_v_x(40, 13));
        struct ventus_isa_insn in = rows[i].in;
        in.vm = in.split = 1;
        put(m, in);
        run(m);
        CHECK_EQ(v(m, in.reg[0], 5), rows[i].want);
        CHECK_EQ(v(m, in.reg[3], 5), in.reg[3] == 8 ? 100 : 1000);
        machine_free(m);
    }
}

/* Width: words in a row to registers in a row. */
TEST(memory_prefix_width)
{
    struct machine *m = machine(&v2);
    put_li(m, 5, DATA);
    put(m, ventus_isa_vid_v(1, 1));
    put(m, ventus_isa_vsll_vi(1, 1, 4, 1));
    put(m, ventus_isa_vadd_vx(1, 1, 5, 1));
    for (unsigned k = 0; k < 4; k++)
        put(m, ventus_isa_vmv_v_i(4 + k, (int32_t)k + 1));
    put_word(m, ventus_isa_info[VENTUS_ISA_PRE_M_128].match);
    put(m, ventus_isa_vsw12_v(4, 1, 0));
    put_word(m, ventus_isa_info[VENTUS_ISA_PRE_M_96].match);
    put(m, ventus_isa_vlw12_v(8, 1, 4));
    put_word(m, ventus_isa_info[VENTUS_ISA_PRE_M_64].match);
    put(m, ventus_isa_lw(6, 5, 16));
    run(m);
    for (unsigned i = 0; i < 31; i++) {
        for (uint32_t k = 0; k < 4; k++)
            CHECK_EQ(data(m, 16 * i + 4 * k), k + 1);
        CHECK_EQ(v(m, 8, i), 2);
        CHECK_EQ(v(m, 10, i), 4);
        CHECK_EQ(v(m, 11, i), 0);
    }
    CHECK_EQ(x(m, 6), 1);
    CHECK_EQ(x(m, 7), 2);
    machine_free(m);
}

TEST(memory_prefix_space)
{
    struct machine *m = machine(&v2);
    m->launch.pds_base = DATA + 0x1000;
    m->launch.pds_size_B = 64;
    put_li(m, 5, DATA);
    put(m, ventus_isa_csrrw(0, VENTUS_ISA_CSR_GDS, 5));
    put(m, ventus_isa_vid_v(1, 1));
    put(m, ventus_isa_vsll_vi(2, 1, 2, 1));
    put_word(m, ventus_isa_info[VENTUS_ISA_PRE_M_GLOBAL_32].match);
    put(m, ventus_isa_vsw12_v(1, 2, 0)); /* DATA + 4 lane */
    put(m, ventus_isa_vmv_v_i(3, 8));
    put_word(m, ventus_isa_info[VENTUS_ISA_PRE_M_PRIVATE_64].match);
    put(m, ventus_isa_vsw12_v(0, 3,
                              0)); /* words 8 and 12 of each thread: v0, v1 */
    put_word(m, ventus_isa_info[VENTUS_ISA_PRE_M_LOCAL_32].match);
    put(m, ventus_isa_vsw12_v(1, 2, 0));
    put_li(m, 6, 0x70000000);
    put(m, ventus_isa_lw(7, 6, 124));
    put_word(m, ventus_isa_info[VENTUS_ISA_PRE_M_LOCAL_32].match);
    put(m, ventus_isa_lw(8, 0, 120));
    run(m);
    for (unsigned i = 0; i < 32; i++) {
        CHECK_EQ(data(m, 4 * i), i);
        CHECK_EQ(data(m, 0x1000 + 8 * 32 + 4 * i), 0);
        CHECK_EQ(data(m, 0x1000 + 12 * 32 + 4 * i), i);
    }
    CHECK_EQ(x(m, 7), 31);
    CHECK_EQ(x(m, 8), 30);
    machine_free(m);
}

TEST_MAIN
