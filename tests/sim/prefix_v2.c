/* SPDX-License-Identifier: Apache-2.0 */
/* Prefixes of version 2: ABS, NEG, split accumulators, pre_m; its 64-bit forms. */
#include "pair.h"

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

/* What a lane's operation makes of the two words, on its own. */
static uint64_t
updated(enum ventus_isa_op op, uint64_t old, uint64_t x)
{
    switch ((int)op) {
    case VENTUS_ISA_AMOADD_W:
        return old + x;
    case VENTUS_ISA_AMOXOR_W:
        return old ^ x;
    case VENTUS_ISA_AMOAND_W:
        return old & x;
    case VENTUS_ISA_AMOOR_W:
        return old | x;
    case VENTUS_ISA_AMOMIN_W:
        return (int64_t)old < (int64_t)x ? old : x;
    case VENTUS_ISA_AMOMAX_W:
        return (int64_t)old > (int64_t)x ? old : x;
    case VENTUS_ISA_AMOMINU_W:
        return old < x ? old : x;
    case VENTUS_ISA_AMOMAXU_W:
        return old > x ? old : x;
    }
    return x;
}

static struct ventus_isa_insn
atomic(enum ventus_isa_op op, uint8_t d, uint8_t s1, uint8_t s2)
{
    return (struct ventus_isa_insn){ .op = op, .reg = { d, s1, s2 }, .vm = 1 };
}

/* In an odd register and the one behind it: {word, lane}, beside a counter of all. */
TEST(atomics_of_two_words)
{
    static const uint64_t olds[] = { 0x00000005fffffff0, 0xfffffffe00000010,
                                     0x7fffffffffffffff };
    for (int op = VENTUS_ISA_AMOSWAP_W; op <= VENTUS_ISA_AMOMAXU_W; op++)
        for (size_t k = 0; k < 3; k++) {
            struct machine *m = high_memory(&v2);
            uint64_t old = olds[k];
            for (uint32_t i = 0; i < 32; i++) {
                set_high(m, 256 * i, (uint32_t)old);
                set_high(m, 256 * i + 4, (uint32_t)(old >> 32));
            }
            put_li(m, 12, 0xfffffffc);
            put(m, ventus_isa_vmv_v_x(7, 12));
            put(m, ventus_isa_vadd_vi(8, 1, -9, 1));
            put_word(m, ventus_isa_info[VENTUS_ISA_PRE_M_64].match | 1u << 19);
            put(m, atomic((enum ventus_isa_op)op, 11, 4, 7));
            run(m);
            for (uint32_t i = 0; i < 32; i++) {
                uint64_t x = 0xfffffffcu | (uint64_t)(i - 9) << 32;
                uint64_t want = updated((enum ventus_isa_op)op, old, x);
                CHECK_EQ(v(m, 11, i) | (uint64_t)v(m, 12, i) << 32, old);
                CHECK_EQ(high_word(m, 256 * i), (uint32_t)want);
                CHECK_EQ(high_word(m, 256 * i + 4), (uint32_t)(want >> 32));
            }
            machine_free(m);
        }
}

/* All lanes add to one pair of words of local memory: the sums carry, and are the
 * lanes' in their order. */
TEST(an_atomic_of_two_words_carries)
{
    struct machine *m = machine(&v2);
    put_li(m, 12, 0x80000001);
    put(m, ventus_isa_vmv_v_x(2, 12));
    put(m, ventus_isa_vmv_v_i(3, 1));
    put(m, ventus_isa_vmv_v_i(4, 8));
    put_word(m, ventus_isa_info[VENTUS_ISA_PRE_M_LOCAL_64].match);
    put(m, ventus_isa_amoadd_w(6, 2, 4, 0));
    run(m);
    for (uint32_t i = 0; i < 32; i++)
        CHECK_EQ(v(m, 6, i) | (uint64_t)v(m, 7, i) << 32,
                 i * UINT64_C(0x180000001));
    machine_free(m);
}

/* lr and sc of two words: stored once, to whoever reserved both words; sc gives a
 * word and leaves the register behind it. */
TEST(reservations_of_two_words)
{
    struct machine *m = high_memory(&v2);
    const uint32_t wide = ventus_isa_info[VENTUS_ISA_PRE_M_64].match | 1u << 19;
    const uint32_t word = ventus_isa_info[VENTUS_ISA_PRE_M_32].match | 1u << 19;
    set_high(m, 4, 77);
    put(m, ventus_isa_vmv_v_i(11, 13));
    put_word(m, wide);
    put(m, ventus_isa_lr_w(6, 4, 0)); /* v6:v7 */
    put(m, ventus_isa_vmv_v_v(8, 1));
    put(m, ventus_isa_vmv_v_i(9, 5));
    put_word(m, wide);
    put(m, ventus_isa_sc_w(10, 8, 4, 0)); /* stores v8:v9 */
    put_word(m, wide);
    put(m, ventus_isa_sc_w(12, 8, 4, 0)); /* no reservation is left */
    put_word(m, word);
    put(m, ventus_isa_lr_w(13, 4, 0)); /* of a word only */
    put_word(m, wide);
    put(m, ventus_isa_sc_w(14, 6, 4, 0));
    run(m);
    for (uint32_t i = 0; i < 32; i++) {
        CHECK_EQ(v(m, 7, i), i ? 0 : 77);
        CHECK_EQ(v(m, 10, i), 0);
        CHECK_EQ(v(m, 11, i), 13);
        CHECK_EQ(v(m, 12, i), 1);
        CHECK_EQ(v(m, 14, i), 1);
        CHECK_EQ(high_word(m, 256 * i), i);
        CHECK_EQ(high_word(m, 256 * i + 4), 5);
    }
    machine_free(m);
}

/* One operation of a warp, with x registers; x0 has no register behind it. */
TEST(scalar_atomics_of_two_words)
{
    const struct ventus_sim_config scalar = { .isa = VENTUS_ISA_V2,
                                              .scalar_amo = true };
    struct machine *m = two_pairs(&scalar, DATA, UINT64_C(0x2ffffffff));
    set_data(m, 0, 1);
    set_data(m, 4, 7);
    put_word(m, ventus_isa_info[VENTUS_ISA_PRE_M_64].match);
    put(m, ventus_isa_amoadd_w(13, 10, 8, 0));
    put_word(m, ventus_isa_info[VENTUS_ISA_PRE_M_64].match);
    put(m, ventus_isa_amoadd_w(15, 0, 8, 0));
    put_word(m, ventus_isa_info[VENTUS_ISA_PRE_M_64].match);
    put(m, ventus_isa_amoadd_w(0, 10, 8, 0));
    run(m);
    CHECK_EQ(x64(m, 13), UINT64_C(0x700000001));
    CHECK_EQ(x64(m, 15), UINT64_C(0xa00000000));
    CHECK_EQ(data(m, 0), 0xffffffff);
    CHECK_EQ(data(m, 4), 12);
    CHECK_EQ(x(m, 1), 0);
    machine_free(m);
}

/* Two words lie at a multiple of 8, and both are there. */
TEST(faults_of_atomics_of_two_words)
{
    static const struct {
        uint32_t offset;
        enum ventus_sim_fault_kind kind;
    } rows[] = { { 4, VENTUS_SIM_FAULT_MISALIGNED },
                 { HIGH_SIZE - 4, VENTUS_SIM_FAULT_MISALIGNED },
                 { HIGH_SIZE, VENTUS_SIM_FAULT_UNMAPPED } };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct machine *m = high_memory(&v2);
        put_li(m, 12, rows[k].offset);
        put_li(m, 13, 0);
        put(m, with_pair(ventus_isa_vadd_vx(4, 4, 12, 1)));
        put_word(m, ventus_isa_info[VENTUS_ISA_PRE_M_64].match | 1u << 19);
        put(m, ventus_isa_amoadd_w(6, 1, 4, 0));
        CHECK(!launch(m));
        CHECK_EQ(m->fault.kind, rows[k].kind);
        CHECK_EQ(m->fault.address, high + rows[k].offset);
        machine_free(m);
    }
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

/* Stores of x0 are of zeros, whatever x1 holds. */
TEST(x0_is_stored_as_zeros)
{
    struct machine *m = machine(&v2);
    for (uint32_t at = 0; at < 32; at += 4)
        set_data(m, at, 77);
    put_li(m, 5, DATA);
    put_li(m, 1, 5);
    put_li(m, 2, 6);
    put_word(m, ventus_isa_info[VENTUS_ISA_PRE_M_64].match);
    put(m, ventus_isa_sw(0, 5, 0));
    put_word(m, ventus_isa_info[VENTUS_ISA_PRE_M_32].match);
    put(m, ventus_isa_sw(0, 5, 12));
    put_word(m, ventus_isa_info[VENTUS_ISA_PRE_M_64].match);
    put(m, ventus_isa_sw(1, 5, 16));
    run(m);
    static const uint32_t want[] = { 0, 0, 77, 0, 5, 6, 77 };
    for (uint32_t i = 0; i < 7; i++)
        CHECK_EQ(data(m, 4 * i), want[i]);
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
