/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and stores: patterns, spaces, translation, atomics. */
#include "machine.h"

static void
fill_data(struct machine *m)
{
    for (uint32_t i = 0; i < 4096; i += 4)
        set_data(m, i, 0x80000000 + i);
}

/* ---- scalar ---- */

TEST(scalar_widths)
{
    struct machine *m = machine(&(struct ventus_sim_config){ 0 });
    set_data(m, 8, 0x8182f3f4);
    put_li(m, 5, DATA + 16);
    put(m, ventus_isa_lb(6, 5, -8));
    put(m, ventus_isa_lbu(7, 5, -5));
    put(m, ventus_isa_lh(8, 5, -8));
    put(m, ventus_isa_lhu(9, 5, -6));
    put(m, ventus_isa_lw(10, 5, -8));
    put(m, ventus_isa_sb(10, 5, 0));
    put(m, ventus_isa_sh(10, 5, 6));
    put(m, ventus_isa_sw(10, 5, 8));
    put(m, ventus_isa_flw(11, 5, -8));
    put(m, ventus_isa_fsw(11, 5, 12));
    run(m);
    CHECK_EQ(x(m, 6), 0xfffffff4);
    CHECK_EQ(x(m, 7), 0x81);
    CHECK_EQ(x(m, 8), 0xfffff3f4);
    CHECK_EQ(x(m, 9), 0x8182);
    CHECK_EQ(x(m, 10), 0x8182f3f4);
    CHECK_EQ(data(m, 16), 0xf4);
    CHECK_EQ(data(m, 20), 0xf3f40000);
    CHECK_EQ(data(m, 24), 0x8182f3f4);
    CHECK_EQ(data(m, 28), 0x8182f3f4);
    machine_free(m);
}

/* ---- vector patterns, with all lanes and with some ---- */

/* v3 = memory at v1; then memory at v1 + 0x8000 = v3; lanes: vm 0 or 1 */
static void
check_pattern(unsigned num_thread, const uint32_t *offset, bool portable)
{
    struct machine *m = machine(&(struct ventus_sim_config){
        .num_thread = num_thread, .portable = portable });
    uint32_t at[64];
    for (unsigned i = 0; i < num_thread; i++)
        at[i] = DATA + offset[i];
    fill_data(m);
    put_vector(m, 1, at, 0x4000);
    put_li(m, 5, 0x8000);
    put(m, ventus_isa_vlw12_v(3, 1, 4));
    put(m, ventus_isa_vlbu12_v(4, 1, 4));
    put(m, ventus_isa_vlh12_v(6, 1, 6));
    put(m, ventus_isa_vadd_vx(2, 1, 5, 1));
    put(m, ventus_isa_vsw12_v(3, 2, 4));
    put(m, ventus_isa_vadd_vx(2, 2, 5, 1));
    put(m, ventus_isa_vsb12_v(3, 2, 4));
    put(m, ventus_isa_vsh12_v(3, 2, 6));
    run(m);
    for (unsigned i = 0; i < num_thread; i++) {
        uint32_t word = 0x80000000 + offset[i] + 4;
        CHECK_EQ(v(m, 3, i), word);
        CHECK_EQ(v(m, 4, i), word & 0xff);
        CHECK_EQ(v(m, 6, i), 0xffff8000);
        CHECK_EQ(data(m, 0x8000 + offset[i] + 4), word);
        CHECK_EQ(data(m, 0x10000 + offset[i] + 4),
                 (word & 0xff) | (word & 0xffff) << 16);
    }
    machine_free(m);
}

TEST(patterns)
{
    uint32_t unit[64], same[64], far[64], back[64];
    for (unsigned i = 0; i < 64; i++) {
        unit[i] = 4 * i;
        same[i] = 256;
        far[i] = i * 1236 % 4092 & ~3u;
        back[i] = 4 * (63 - i);
    }
    for (unsigned n = 1; n <= 64; n *= 2)
        for (unsigned portable = 0; portable < 2; portable++) {
            check_pattern(n, unit, portable);
            check_pattern(n, same, portable);
            check_pattern(n, far, portable);
            check_pattern(n, back, portable);
        }
}

/* Lanes that are off neither read, write nor fault. */
TEST(lanes_that_are_off)
{
    struct machine *m = machine(&(struct ventus_sim_config){ .num_thread = 8 });
    const uint32_t at[8] = { DATA, 1, DATA + 8, 2, DATA + 16, 3, DATA + 24, 5 };
    fill_data(m);
    put_vector(m, 1, at, 0x4000);
    put(m, ventus_isa_vid_v(2, 1));
    put(m, ventus_isa_vand_vi(2, 2, 1, 1));
    put(m, ventus_isa_auipc(7, 0));
    put(m, ventus_isa_setrpc(0, 7, 20));
    put(m, ventus_isa_vbne(2, 3, 12)); /* odd lanes skip */
    put(m, ventus_isa_vlw12_v(4, 1, 0));
    put(m, ventus_isa_vsw12_v(2, 1, 4));
    put(m, ventus_isa_join(0, 0, 0)); /* 20 */
    run(m);
    for (unsigned i = 0; i < 8; i++)
        CHECK_EQ(v(m, 4, i), i % 2 ? 0 : 0x80000000 + 4 * i);
    CHECK_EQ(data(m, 4), 0);
    CHECK_EQ(data(m, 0), 0x80000000);
    machine_free(m);
}

TEST(standard_vector_accesses)
{
    struct machine *m = machine(&(struct ventus_sim_config){ .num_thread = 8 });
    fill_data(m);
    set_data(m, 0, 0x84838281);
    set_data(m, 4, 0x88878685);
    put_li(m, 5, DATA);
    put_li(m, 6, (uint32_t)-12);
    put_li(m, 7, DATA + 800);
    put_li(m, 8, DATA + 0x2000);
    put(m, ventus_isa_vle8_v(1, 5, 1));
    put(m, ventus_isa_vle16_v(2, 5, 1));
    put(m, ventus_isa_vlse32_v(3, 7, 6, 1));
    put(m, ventus_isa_vid_v(4, 1));
    put(m, ventus_isa_vsll_vi(4, 4, 3, 1));
    put(m, ventus_isa_vluxei32_v(9, 7, 4, 1));
    put(m, ventus_isa_vse8_v(1, 8, 1));
    put(m, ventus_isa_vse16_v(1, 7, 1));
    put(m, ventus_isa_addi(8, 8, 64));
    put(m, ventus_isa_vse32_v(3, 8, 1));
    put(m, ventus_isa_addi(8, 8, 256));
    put(m, ventus_isa_vsse32_v(3, 8, 6, 1));
    put(m, ventus_isa_addi(8, 8, 64));
    put(m, ventus_isa_vsuxei32_v(3, 8, 4, 1));
    run(m);
    for (unsigned i = 0; i < 8; i++) {
        CHECK_EQ(v(m, 1, i), 0x81 + i); /* zero-extended */
        CHECK_EQ(v(m, 3, i), 0x80000000 + 800 - 12 * i);
        CHECK_EQ(v(m, 9, i), 0x80000000 + 800 + 8 * i);
        CHECK_EQ(data(m, 0x2040 + 4 * i), 0x80000000 + 800 - 12 * i);
        CHECK_EQ(data(m, 0x2140 - 12 * i), 0x80000000 + 800 - 12 * i);
        CHECK_EQ(data(m, 0x2180 + 8 * i), 0x80000000 + 800 - 12 * i);
    }
    CHECK_EQ(v(m, 2, 1), 0x8483);
    CHECK_EQ(data(m, 0x2004), 0x88878685);
    CHECK_EQ(data(m, 804), 0x00840083);
    machine_free(m);
}

/* ---- local memory ---- */

/* Each workgroup finds zeros, near the bottom and near the top. */
TEST(local_memory_is_private_and_zero)
{
    struct machine *m = machine(&(struct ventus_sim_config){ 0 });
    m->launch.grid[0] = 6;
    m->launch.local_size_B = 4096;
    put_li(m, 5, 0x70000010);
    put_li(m, 6, 0x7ffff000);
    put(m, ventus_isa_csrrs(9, VENTUS_ISA_CSR_WGID, 0));
    put(m, ventus_isa_lw(7, 5, 0));
    put(m, ventus_isa_lw(8, 6, 0));
    put(m, ventus_isa_add(7, 7, 8));
    put_li(m, 10, DATA);
    put(m, ventus_isa_slli(11, 9, 2));
    put(m, ventus_isa_add(10, 10, 11));
    put(m, ventus_isa_sw(7, 10, 0));
    put(m, ventus_isa_addi(9, 9, 1));
    put(m, ventus_isa_sw(9, 5, 0));
    put(m, ventus_isa_sw(9, 6, 0));
    for (unsigned i = 0; i < 6; i++)
        set_data(m, 4 * i, 99);
    run(m);
    for (unsigned i = 0; i < 6; i++)
        CHECK_EQ(data(m, 4 * i), 0);
    machine_free(m);
}

/* Workgroups that use local memory between others that do not. */
TEST(local_memory_of_some_workgroups_is_zero)
{
    struct machine *m = machine(&(struct ventus_sim_config){ 0 });
    m->launch.grid[0] = 12;
    m->launch.local_size_B = 4096;
    put_li(m, 5, 0x70000010);
    put_li(m, 6, DATA);
    put(m, ventus_isa_csrrs(9, VENTUS_ISA_CSR_WGID, 0));
    put(m, ventus_isa_andi(7, 9, 2)); /* two that do, two that do not */
    put(m, ventus_isa_bne(7, 0, 4 * 7));
    put(m, ventus_isa_lw(8, 5, 0));
    put(m, ventus_isa_lw(10, 6, 0));
    put(m, ventus_isa_add(10, 10, 8));
    put(m, ventus_isa_addi(10, 10, 1));
    put(m, ventus_isa_sw(10, 6, 0));
    put(m, ventus_isa_sw(6, 5, 0));
    run(m);
    CHECK_EQ(data(m, 0), 6); /* of each that does 1, and what it found */
    machine_free(m);
}

/* Many pages: more than are remembered one by one. */
TEST(local_memory_written_all_over)
{
    struct machine *m = machine(&(struct ventus_sim_config){ 0 });
    m->launch.grid[0] = 2;
    put_li(m, 5, 0x71000000);
    put_li(m, 6, 1000);
    put_li(m, 7, 4096);
    put(m, ventus_isa_lw(8, 5, 0));
    put(m, ventus_isa_add(9, 9, 8));
    put(m, ventus_isa_sw(6, 5, 0));
    put(m, ventus_isa_add(5, 5, 7));
    put(m, ventus_isa_addi(6, 6, -1));
    put(m, ventus_isa_bne(6, 0, -20));
    run(m);
    CHECK_EQ(x(m, 9), 0);
    machine_free(m);
}

/* ---- Sv39 ---- */

enum { V = 1, R = 2, W = 4, X = 8, U = 16, TABLES = 0x10000000 };

static void
set_pte(struct machine *m, uint64_t table, unsigned index, uint64_t to,
        unsigned bits)
{
    uint64_t pte = to >> 12 << 10 | bits;
    CHECK(ventus_sim_write(m->sim, table + 8 * index, &pte, 8));
}

/*
 * 0x80000000 code, a 2 MiB page      0x90000000 two pages, exchanged
 * 0x90002000 read only               0x90003000 not for users
 * 0x90004000 nothing
 */
static struct machine *
translated(void)
{
    struct machine *m = machine(&(struct ventus_sim_config){ 0 });
    CHECK(ventus_sim_map(m->sim, TABLES, 0x10000,
                         VENTUS_SIM_READ | VENTUS_SIM_WRITE));
    m->launch.ptbr = TABLES;
    set_pte(m, TABLES, 2, TABLES + 0x1000, V);
    set_pte(m, TABLES + 0x1000, 0, CODE, V | R | X | U);
    set_pte(m, TABLES + 0x1000, 128, TABLES + 0x2000, V);
    set_pte(m, TABLES + 0x2000, 0, DATA + 0x1000, V | R | W | U);
    set_pte(m, TABLES + 0x2000, 1, DATA, V | R | W | U);
    set_pte(m, TABLES + 0x2000, 2, DATA + 0x2000, V | R | U);
    set_pte(m, TABLES + 0x2000, 3, DATA + 0x3000, V | R | W);
    return m;
}

TEST(sv39_translates)
{
    struct machine *m = translated();
    set_data(m, 0x1000, 11);
    set_data(m, 0x2000, 22);
    put_li(m, 5, 0x90000000);
    put(m, ventus_isa_lw(6, 5, 0));
    put_li(m, 7, 0x90002000);
    put(m, ventus_isa_lw(8, 7, 0));
    /* A gather over both pages. */
    put(m, ventus_isa_vid_v(1, 1));
    put(m, ventus_isa_vsll_vi(1, 1, 8, 1));
    put(m, ventus_isa_vadd_vx(1, 1, 5, 1));
    put(m, ventus_isa_vsw12_v(1, 1, 4));
    put(m, ventus_isa_vlw12_v(2, 1, 4));
    run(m);
    CHECK_EQ(x(m, 6), 11);
    CHECK_EQ(x(m, 8), 22);
    for (unsigned i = 0; i < 32; i++) {
        uint32_t at = 0x90000000 + 256 * i;
        CHECK_EQ(v(m, 2, i), at);
        CHECK_EQ(data(m, (256 * i ^ 0x1000) + 4), at);
    }
    uint64_t physical;
    CHECK_EQ(ventus_sim_translate(m->sim, TABLES, 0x90000123, VENTUS_SIM_READ,
                                  &physical),
             VENTUS_SIM_FAULT_NONE);
    CHECK_EQ(physical, DATA + 0x1123);
    machine_free(m);
}

/* Of memory of the host that is mapped twice, each place has its own physical
 * address: it was that of the place mapped last. */
TEST(translated_memory_of_the_host_that_is_mapped_twice)
{
    enum { FIRST = 0x20000000, SECOND = 0x30000000 };
    static _Alignas(4096) uint8_t host[4096];
    struct machine *m = translated();
    const unsigned both = VENTUS_SIM_READ | VENTUS_SIM_WRITE;
    CHECK(ventus_sim_map_host(m->sim, FIRST, sizeof host, both, host));
    CHECK(ventus_sim_map_host(m->sim, SECOND, sizeof host, both, host));
    set_pte(m, TABLES + 0x2000, 5, FIRST, V | R | U);
    set_pte(m, TABLES + 0x2000, 6, SECOND, V | R | U);
    uint64_t physical;
    for (unsigned i = 0; i < 2; i++) {
        CHECK_EQ(ventus_sim_translate(m->sim, TABLES, 0x90005010 + 4096 * i,
                                      VENTUS_SIM_READ, &physical),
                 VENTUS_SIM_FAULT_NONE);
        CHECK_EQ(physical, (i ? SECOND : FIRST) + 0x10);
    }
    machine_free(m);
}

/* 200 pages in a row but for two that changed places, and one that only reads:
 * what is remembered of their neighbours must not reach over them. */
TEST(sv39_runs_end_where_pages_do)
{
    enum { PAGES = 200, P = 4096 };
    static const uint32_t order[] = { 7, 0, 100, 99, 101, 199, 100, 8, 99 };
    struct machine *m = translated();
    for (unsigned i = 0; i < PAGES; i++) {
        unsigned to = i == 100 ? 7 : i == 7 ? 100 : i;
        set_pte(m, TABLES + 0x2000, i, DATA + to * P, V | R | W | U);
        set_data(m, i * P, 1000 + i);
    }
    set_pte(m, TABLES + 0x2000, PAGES, DATA + PAGES * P, V | R | U);
    for (unsigned i = 0; i < 9; i++) {
        put_li(m, 5, 0x90000000 + order[i] * P);
        put(m, ventus_isa_lw(6 + i, 5, 0));
        put_li(m, 16, i);
        put(m, ventus_isa_sw(16, 5, 4));
    }
    put_li(m, 5, 0x90000000 + PAGES * P);
    put(m, ventus_isa_lw(17, 5, 0));
    put(m, ventus_isa_sw(16, 5, 4));
    CHECK(!launch(m));
    CHECK_EQ(m->fault.kind, VENTUS_SIM_FAULT_PERMISSION);
    CHECK_EQ(m->fault.address, 0x90000004 + PAGES * P);
    static const uint32_t there[] = { 100, 0, 7, 99, 101, 199, 7, 8, 99 };
    for (unsigned i = 0; i < 9; i++)
        CHECK_EQ(x(m, 6 + i), 1000 + there[i]);
    CHECK_EQ(data(m, 7 * P + 4), 6);
    CHECK_EQ(data(m, 100 * P + 4), 0);
    CHECK_EQ(data(m, 99 * P + 4), 8);
    machine_free(m);
}

static enum ventus_sim_fault_kind
translated_fault(uint32_t at, bool store)
{
    struct machine *m = translated();
    put_li(m, 5, at);
    put(m, store ? ventus_isa_sw(6, 5, 0) : ventus_isa_lw(6, 5, 0));
    CHECK(!launch(m));
    CHECK_EQ(m->fault.address, at);
    enum ventus_sim_fault_kind kind = m->fault.kind;
    machine_free(m);
    return kind;
}

TEST(sv39_faults)
{
    CHECK_EQ(translated_fault(0x90002000, true), VENTUS_SIM_FAULT_PERMISSION);
    CHECK_EQ(translated_fault(0x80000000, true), VENTUS_SIM_FAULT_PERMISSION);
    CHECK_EQ(translated_fault(0x90003000, false), VENTUS_SIM_FAULT_PERMISSION);
    CHECK_EQ(translated_fault(0x90004000, false), VENTUS_SIM_FAULT_UNMAPPED);
    CHECK_EQ(translated_fault(0xc0000000, false), VENTUS_SIM_FAULT_UNMAPPED);
}

/* ---- atomics ---- */

/* Lanes in ascending order: lane i finds what the lanes before it made. */
TEST(amo_by_lane)
{
    struct machine *m = machine(&(struct ventus_sim_config){ .num_thread = 8 });
    set_data(m, 0, 100);
    put_li(m, 5, DATA);
    put(m, ventus_isa_vmv_v_x(1, 5));
    put(m, ventus_isa_vid_v(2, 1));
    put(m, ventus_isa_amoadd_w(3, 2, 1, 0));
    put(m, ventus_isa_amoswap_w(4, 2, 1, 0));
    put(m, ventus_isa_amomaxu_w(6, 2, 1, 3));
    run(m);
    const uint32_t sums[8] = { 100, 100, 101, 103, 106, 110, 115, 121 };
    for (unsigned i = 0; i < 8; i++) {
        CHECK_EQ(v(m, 3, i), sums[i]);
        CHECK_EQ(v(m, 4, i), i ? i - 1 : 128);
        CHECK_EQ(v(m, 6, i), 7);
    }
    CHECK_EQ(data(m, 0), 7);
    machine_free(m);
}

static uint32_t
amo(struct ventus_isa_insn in, uint32_t memory, uint32_t operand)
{
    struct machine *m = machine(&(struct ventus_sim_config){ .num_thread = 1 });
    set_data(m, 0, memory);
    put_li(m, 5, DATA);
    put_li(m, 6, operand);
    put(m, ventus_isa_vmv_v_x(1, 5));
    put(m, ventus_isa_vmv_v_x(2, 6));
    put(m, in);
    run(m);
    CHECK_EQ(v(m, 3, 0), memory);
    uint32_t result = data(m, 0);
    machine_free(m);
    return result;
}

TEST(amo_operations)
{
    CHECK_EQ(amo(ventus_isa_amoxor_w(3, 2, 1, 0), 0xc, 0xa), 6);
    CHECK_EQ(amo(ventus_isa_amoand_w(3, 2, 1, 0), 0xc, 0xa), 8);
    CHECK_EQ(amo(ventus_isa_amoor_w(3, 2, 1, 0), 0xc, 0xa), 14);
    CHECK_EQ(amo(ventus_isa_amomin_w(3, 2, 1, 0), 5, 0xffffffff), 0xffffffff);
    CHECK_EQ(amo(ventus_isa_amomax_w(3, 2, 1, 0), 5, 0xffffffff), 5);
    CHECK_EQ(amo(ventus_isa_amominu_w(3, 2, 1, 0), 5, 0xffffffff), 5);
    CHECK_EQ(amo(ventus_isa_amomaxu_w(3, 2, 1, 0), 5, 0xffffffff), 0xffffffff);
}

TEST(reservations)
{
    struct machine *m = machine(&(struct ventus_sim_config){ .num_thread = 4 });
    set_data(m, 0, 5);
    put_li(m, 5, DATA);
    put(m, ventus_isa_vmv_v_x(1, 5));
    put(m, ventus_isa_vid_v(2, 1));
    put(m, ventus_isa_sc_w(6, 2, 1, 0)); /* nothing is reserved */
    put(m, ventus_isa_lr_w(3, 1, 0));
    put(m,
        ventus_isa_sc_w(4, 3, 1, 0)); /* same word, same value: lane 0 only */
    run(m);
    for (unsigned i = 0; i < 4; i++) {
        CHECK_EQ(v(m, 6, i), 1);
        CHECK_EQ(v(m, 3, i), 5);
        CHECK_EQ(v(m, 4, i), i ? 1 : 0);
    }
    machine_free(m);
}

TEST(scalar_amo)
{
    struct machine *m =
        machine(&(struct ventus_sim_config){ .scalar_amo = true });
    set_data(m, 0, 5);
    put_li(m, 5, DATA);
    put(m, ventus_isa_addi(6, 0, 3));
    put(m, ventus_isa_amoadd_w(7, 6, 5, 0));
    put(m, ventus_isa_amoadd_w(0, 6, 5, 0));
    run(m);
    CHECK_EQ(x(m, 7), 5);
    CHECK_EQ(x(m, 0), 0);
    CHECK_EQ(data(m, 0), 11);
    machine_free(m);
}

TEST_MAIN
