/* SPDX-License-Identifier: Apache-2.0 */
/* Private memory: places, offsets that wrap, what is left of it. */
#include "machine.h"

static const struct ventus_sim_config v2 = { .isa = VENTUS_ISA_V2 };

/* semantics.md, Private memory: PDS + (A & ~3) * threads + (A & 3) + 4 *
 * thread */
TEST(private_memory_is_interleaved)
{
    struct machine *m = machine(&(struct ventus_sim_config){ .num_thread = 8 });
    m->launch.warps = 2;
    m->launch.pds_base = DATA;
    m->launch.pds_size_B = 64;
    put(m, ventus_isa_csrrs(5, VENTUS_ISA_CSR_TID, 0));
    put(m, ventus_isa_vid_v(2, 1));
    put(m, ventus_isa_vadd_vx(2, 2, 5, 1)); /* thread */
    put(m, ventus_isa_vmv_v_i(1, 4));
    put(m, ventus_isa_vsw_v(2, 1, 4)); /* A = 8 */
    put(m, ventus_isa_vsb_v(2, 1, 3)); /* A = 7 */
    put(m, ventus_isa_vlw_v(3, 1, 4));
    put(m, ventus_isa_vlbu_v(4, 1, 3));
    run(m);
    for (unsigned t = 0; t < 16; t++) {
        CHECK_EQ(data(m, 8 * 16 + 4 * t), t);
        CHECK_EQ(data(m, 4 * 16 + 4 * t), t << 24);
        CHECK_EQ(warp(m, t / 8)->v[3 * 8 + t % 8], t);
        CHECK_EQ(warp(m, t / 8)->v[4 * 8 + t % 8], t);
    }
    machine_free(m);
}

/* A is 32 bits, of vs1 plus the offset: -8 + 12 is 4, 4 - 8 is no offset. */
static void
check_private_wrap(uint32_t base, struct ventus_isa_insn in, bool portable,
                   bool inside)
{
    struct machine *m = machine(
        &(struct ventus_sim_config){ .num_thread = 8, .portable = portable });
    m->launch.pds_base = DATA;
    m->launch.pds_size_B = 64;
    put_li(m, 5, base);
    put(m, ventus_isa_vmv_v_x(1, 5));
    put(m, ventus_isa_vid_v(2, 1));
    put(m, in);
    put(m, ventus_isa_endprg(0, 0, 0));
    uint32_t a = base + (uint32_t)in.imm;
    CHECK_EQ(launch(m), inside);
    if (inside)
        for (unsigned t = 0; t < 8; t++)
            CHECK_EQ(data(m, a * 8 + 4 * t), t);
    else
        CHECK(m->fault.kind == VENTUS_SIM_FAULT_PRIVATE &&
              m->fault.address == a);
    machine_free(m);
}

TEST(private_offsets_wrap)
{
    for (unsigned portable = 0; portable < 2; portable++) {
        check_private_wrap((uint32_t)-8, ventus_isa_vsw_v(2, 1, 12), portable,
                           true);
        check_private_wrap((uint32_t)-4, ventus_isa_vsw_v(2, 1, 4), portable,
                           true);
        check_private_wrap(8, ventus_isa_vsw_v(2, 1, -8), portable, true);
        check_private_wrap(60, ventus_isa_vsw_v(2, 1, 0), portable, true);
        check_private_wrap(60, ventus_isa_vsw_v(2, 1, 4), portable, false);
        check_private_wrap(4, ventus_isa_vsw_v(2, 1, -8), portable, false);
        check_private_wrap((uint32_t)-4, ventus_isa_vsw_v(2, 1, 0), portable,
                           false);
    }
}

/* What a workgroup stored is zero again for others: all of it, by whichever
 * loops it was stored. */
TEST(private_memory_is_left_zero)
{
    for (unsigned portable = 0; portable < 2; portable++) {
        struct machine *m = machine(&(struct ventus_sim_config){
            .num_thread = 8, .portable = portable });
        m->launch.warps = 2;
        m->launch.grid[0] = 2;
        m->launch.pds_base = DATA;
        m->launch.pds_size_B = 64;
        m->launch.pds_zeroed = true;
        put(m, ventus_isa_vmv_v_i(1, 8));
        put(m, ventus_isa_vmv_v_i(2, -1));
        put(m, ventus_isa_vsw_v(2, 1, 4));
        put(m, ventus_isa_vsb_v(2, 1, 43)); /* A = 51 */
        put(m, ventus_isa_vlw_v(3, 1, 4));  /* reads less than was stored */
        run(m);
        for (unsigned i = 0; i < 8; i++)
            CHECK_EQ(v(m, 3, i), UINT32_MAX);
        for (uint32_t at = 0; at < 2 * 2 * 8 * 64; at += 4)
            if (!CHECK_EQ(data(m, at), 0))
                break;
        machine_free(m);
    }
}

/* A store at A = 40, of version 2 if there is a prefix, and a load of it. */
static void
check_left_zero(unsigned prefix, struct ventus_isa_insn store)
{
    struct machine *m = machine(&(struct ventus_sim_config){
        .isa = prefix ? VENTUS_ISA_V2 : VENTUS_ISA_V1, .num_thread = 8 });
    m->launch.warps = 2;
    m->launch.grid[0] = 2;
    m->launch.pds_base = DATA;
    m->launch.pds_size_B = 64;
    m->launch.pds_zeroed = true;
    put_li(m, 5, 40);
    put_li(m, 6, UINT32_MAX);
    put_li(m, 7, UINT32_MAX);
    put(m, ventus_isa_vmv_v_x(10, 5));
    put(m, ventus_isa_vmv_v_i(11, 0));
    for (unsigned i = 2; i < 6; i++)
        put(m, ventus_isa_vmv_v_i(i, -1));
    if (prefix)
        put_word(m, ventus_isa_info[prefix].match);
    put(m, store);
    if (prefix)
        put_word(m, ventus_isa_info[VENTUS_ISA_PRE_M_PRIVATE_32].match);
    put(m, prefix ? ventus_isa_vlw12_v(8, 10, 0) : ventus_isa_vlw_v(8, 10, 0));
    run(m);
    CHECK_EQ(v(m, 8, 0), UINT32_MAX);
    for (uint32_t at = 0; at < 2 * 2 * 8 * 64; at += 4)
        if (!CHECK_EQ(data(m, at), 0))
            break;
    machine_free(m);
}

/* Else the next work-item that has the place sees it: of another kernel. */
TEST(stores_of_all_widths_leave_private_memory_zero)
{
    struct ventus_isa_insn wide = ventus_isa_vsw_v(2, 10, 0);
    wide.pair = 1;
    check_left_zero(0, wide);
    check_left_zero(VENTUS_ISA_PRE_M_PRIVATE_32, ventus_isa_vsw12_v(2, 10, 0));
    check_left_zero(VENTUS_ISA_PRE_M_PRIVATE_64, ventus_isa_vsw12_v(2, 10, 0));
    check_left_zero(VENTUS_ISA_PRE_M_PRIVATE_64, ventus_isa_vsw12_v(2, 10, -4));
    check_left_zero(VENTUS_ISA_PRE_M_PRIVATE_128, ventus_isa_vsw12_v(2, 10, 0));
    check_left_zero(VENTUS_ISA_PRE_M_PRIVATE_64, ventus_isa_sw(6, 5, 0));
    check_left_zero(VENTUS_ISA_PRE_M_PRIVATE_32,
                    ventus_isa_amoswap_w(9, 2, 10, 0));
}

/* Offsets of private memory are 32 bits: words in a row and those of atomics
 * go on from 0xfffffffc at 0, where a word before it has no place. */
TEST(private_offsets_wrap_under_a_prefix)
{
    static const struct {
        uint32_t base;
        int32_t offset;
        unsigned prefix;
        uint64_t fault; /* 0: none */
    } cases[] = {
        { (uint32_t)-8, 16, VENTUS_ISA_PRE_M_PRIVATE_64, 0 },
        { 16, -16, VENTUS_ISA_PRE_M_PRIVATE_64, 0 },
        { 56, 0, VENTUS_ISA_PRE_M_PRIVATE_64, 0 },
        { 60, 0, VENTUS_ISA_PRE_M_PRIVATE_64, 64 },
        { 52, 4, VENTUS_ISA_PRE_M_PRIVATE_128, 64 },
        { (uint32_t)-4, 0, VENTUS_ISA_PRE_M_PRIVATE_64, 0xfffffffc },
        { 4, -8, VENTUS_ISA_PRE_M_PRIVATE_32, 0xfffffffc },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine *m = machine(&v2);
        m->launch.pds_base = DATA + 0x1000;
        m->launch.pds_size_B = 64;
        put_li(m, 5, cases[i].base);
        put(m, ventus_isa_vmv_v_x(3, 5));
        put(m, ventus_isa_vid_v(1, 1));
        put(m, ventus_isa_vadd_vi(2, 1, 7, 1));
        put_word(m, ventus_isa_info[cases[i].prefix].match);
        put(m, ventus_isa_vsw12_v(1, 3, cases[i].offset));
        put(m, ventus_isa_endprg(0, 0, 0));
        CHECK_EQ(launch(m), cases[i].fault == 0);
        uint32_t a = cases[i].base + (uint32_t)cases[i].offset;
        for (unsigned t = 0; !cases[i].fault && t < 32; t++) {
            CHECK_EQ(data(m, 0x1000 + a * 32 + 4 * t), t);
            CHECK_EQ(data(m, 0x1000 + (a + 4) * 32 + 4 * t), t + 7);
        }
        if (cases[i].fault) {
            CHECK_EQ(m->fault.kind, VENTUS_SIM_FAULT_PRIVATE);
            CHECK_EQ(m->fault.address, cases[i].fault);
        }
        machine_free(m);
    }
}

TEST_MAIN
