/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of registers as addresses, of both versions. */
#include "pair.h"

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

TEST_MAIN
