/* SPDX-License-Identifier: Apache-2.0 */
/* Vector integer instructions; expectations worked out by hand. */
#include "machine.h"

enum { LOWEST = INT32_MIN };

struct row {
    struct ventus_isa_insn
        in; /* v3 from v2 (vs2), v1 (vs1), x5, and v3 itself */
    uint32_t vs2, other, vd, expected;
};

/* All lanes alike, but for one that shows that lanes are apart. */
static void
check_row(const struct row *row, const struct ventus_sim_config *config)
{
    struct machine *m = machine(config);
    put_li(m, 5, row->other);
    put_li(m, 6, row->vs2);
    put_li(m, 7, row->vd);
    put(m, ventus_isa_vmv_v_x(1, 5));
    put(m, ventus_isa_vmv_v_x(2, 6));
    put(m, ventus_isa_vmv_v_x(3, 7));
    put(m, row->in);
    run(m);
    unsigned last = ventus_sim_configuration(m->sim)->num_thread - 1;
    if (!CHECK_EQ(v(m, 3, 0), row->expected) ||
        !CHECK_EQ(v(m, 3, last), row->expected))
        printf("  %s 0x%x, 0x%x\n", ventus_isa_info[row->in.op].name, row->vs2,
               row->other);
    machine_free(m);
}

static const struct ventus_sim_config machines[] = {
    { .num_thread = 1 },  { .num_thread = 4 },
    { .num_thread = 8 },  { .num_thread = 32 },
    { .num_thread = 64 }, { .num_thread = 32, .portable = true },
};

static void
check_rows(const struct row *row, size_t n)
{
    for (size_t c = 0; c < sizeof machines / sizeof *machines; c++)
        for (size_t i = 0; i < n; i++)
            check_row(&row[i], &machines[c]);
}

#define CHECK_ROWS(rows) check_rows(rows, sizeof rows / sizeof *rows)

TEST(arithmetic)
{
    const uint32_t minus = 0xffffffff;
    const struct row rows[] = {
        { ventus_isa_vadd_vv(3, 2, 1, 1), 5, minus, 0, 4 },
        { ventus_isa_vadd_vx(3, 2, 5, 1), 5, 7, 0, 12 },
        { ventus_isa_vadd_vi(3, 2, -16, 1), 5, 0, 0, (uint32_t)-11 },
        { ventus_isa_vsub_vv(3, 2, 1, 1), 5, 7, 0, (uint32_t)-2 },
        { ventus_isa_vsub_vx(3, 2, 5, 1), 5, 7, 0, (uint32_t)-2 },
        { ventus_isa_vrsub_vx(3, 2, 5, 1), 5, 7, 0, 2 },
        { ventus_isa_vrsub_vi(3, 2, 0, 1), 5, 0, 0, (uint32_t)-5 },
        { ventus_isa_vminu_vv(3, 2, 1, 1), minus, 1, 0, 1 },
        { ventus_isa_vmin_vv(3, 2, 1, 1), minus, 1, 0, minus },
        { ventus_isa_vmaxu_vx(3, 2, 5, 1), minus, 1, 0, minus },
        { ventus_isa_vmax_vx(3, 2, 5, 1), minus, 1, 0, 1 },
        { ventus_isa_vand_vi(3, 2, -2, 1), 7, 0, 0, 6 },
        { ventus_isa_vor_vv(3, 2, 1, 1), 5, 8, 0, 13 },
        { ventus_isa_vxor_vi(3, 2, -1, 1), 5, 0, 0, (uint32_t)~5 },
        { ventus_isa_vsll_vv(3, 2, 1, 1), 1, 33, 0, 2 },
        { ventus_isa_vsll_vi(3, 2, 31, 1), 1, 0, 0, 0x80000000 },
        { ventus_isa_vsrl_vx(3, 2, 5, 1), 0x80000000, 31, 0, 1 },
        { ventus_isa_vsra_vi(3, 2, 31, 1), 0x80000000, 0, 0, minus },
        { ventus_isa_vadd12_vi(3, 2, 4095), 1, 0, 0, 4096 },
        { ventus_isa_vsub12_vi(3, 2, 4095), 1, 0, 0, (uint32_t)-4094 },
    };
    CHECK_ROWS(rows);
}

TEST(compares_write_0_or_1)
{
    const uint32_t minus = 0xffffffff;
    const struct row rows[] = {
        { ventus_isa_vmseq_vv(3, 2, 1, 1), 5, 5, 9, 1 },
        { ventus_isa_vmseq_vi(3, 2, -1, 1), minus, 0, 9, 1 },
        { ventus_isa_vmsne_vx(3, 2, 5, 1), 5, 5, 9, 0 },
        { ventus_isa_vmsltu_vv(3, 2, 1, 1), 1, minus, 9, 1 },
        { ventus_isa_vmslt_vv(3, 2, 1, 1), 1, minus, 9, 0 },
        { ventus_isa_vmsleu_vi(3, 2, -1, 1), 5, 0, 9, 1 },
        { ventus_isa_vmsle_vv(3, 2, 1, 1), 5, 5, 9, 1 },
        { ventus_isa_vmsle_vi(3, 2, -1, 1), 5, 0, 9, 0 },
        { ventus_isa_vmsgtu_vx(3, 2, 5, 1), minus, 0, 9, 1 },
        { ventus_isa_vmsgt_vi(3, 2, 4, 1), 5, 0, 9, 1 },
        { ventus_isa_vmsgt_vi(3, 2, 5, 1), 5, 0, 9, 0 },
    };
    CHECK_ROWS(rows);
}

TEST(multiply_and_divide)
{
    const uint32_t minus = 0xffffffff;
    const struct row rows[] = {
        { ventus_isa_vmul_vv(3, 2, 1, 1), 0x10001, 0x10001, 0, 0x20001 },
        { ventus_isa_vmulh_vv(3, 2, 1, 1), minus, minus, 0, 0 },
        { ventus_isa_vmulhu_vx(3, 2, 5, 1), minus, minus, 0, 0xfffffffe },
        { ventus_isa_vmulhsu_vv(3, 2, 1, 1), minus, 2, 0, minus },
        { ventus_isa_vmulhsu_vv(3, 2, 1, 1), 2, minus, 0, 1 },
        { ventus_isa_vdiv_vv(3, 2, 1, 1), (uint32_t)-7, 2, 0, (uint32_t)-3 },
        { ventus_isa_vdiv_vv(3, 2, 1, 1), 7, 0, 0, minus },
        { ventus_isa_vdiv_vv(3, 2, 1, 1), (uint32_t)LOWEST, minus, 0,
          (uint32_t)LOWEST },
        { ventus_isa_vdivu_vx(3, 2, 5, 1), minus, 16, 0, 0x0fffffff },
        { ventus_isa_vdivu_vx(3, 2, 5, 1), 7, 0, 0, minus },
        { ventus_isa_vrem_vv(3, 2, 1, 1), (uint32_t)-7, 2, 0, minus },
        { ventus_isa_vrem_vv(3, 2, 1, 1), (uint32_t)LOWEST, minus, 0, 0 },
        { ventus_isa_vremu_vx(3, 2, 5, 1), 7, 0, 0, 7 },
        { ventus_isa_vmadd_vv(3, 1, 2, 1), 5, 7, 3, 26 },
        { ventus_isa_vnmsub_vx(3, 5, 2, 1), 5, 7, 3, (uint32_t)-16 },
        { ventus_isa_vmacc_vv(3, 1, 2, 1), 5, 7, 3, 38 },
        { ventus_isa_vnmsac_vx(3, 5, 2, 1), 5, 7, 3, (uint32_t)-32 },
    };
    CHECK_ROWS(rows);
}

TEST(mask_logic_on_whole_elements)
{
    const struct row rows[] = {
        { ventus_isa_vmand_mm(3, 2, 1), 0xc, 0xa, 0, 0x8 },
        { ventus_isa_vmor_mm(3, 2, 1), 0xc, 0xa, 0, 0xe },
        { ventus_isa_vmxor_mm(3, 2, 1), 0xc, 0xa, 0, 0x6 },
        { ventus_isa_vmandn_mm(3, 2, 1), 0xc, 0xa, 0, 0x4 },
        { ventus_isa_vmorn_mm(3, 2, 1), 0xc, 0xa, 0, 0xfffffffd },
        { ventus_isa_vmnand_mm(3, 2, 1), 0xc, 0xa, 0, 0xfffffff7 },
        { ventus_isa_vmnor_mm(3, 2, 1), 0xc, 0xa, 0, 0xfffffff1 },
        { ventus_isa_vmxnor_mm(3, 2, 1), 0xc, 0xa, 0, 0xfffffff9 },
    };
    CHECK_ROWS(rows);
}

TEST(moves)
{
    const struct row rows[] = {
        { ventus_isa_vmv_v_v(3, 1), 0, 77, 0, 77 },
        { ventus_isa_vmv_v_x(3, 5), 0, 77, 0, 77 },
        { ventus_isa_vmv_v_i(3, -3), 0, 0, 0, (uint32_t)-3 },
        { ventus_isa_vmv_s_x(3, 5), 0, 77, 0, 77 }, /* all lanes */
        { ventus_isa_vfmv_v_f(3, 5), 0, 77, 0, 77 },
        { ventus_isa_vfmv_s_f(3, 5), 0, 77, 0, 77 }, /* all lanes */
    };
    CHECK_ROWS(rows);
}

TEST(vid_is_the_lane)
{
    for (unsigned n = 1; n <= 64; n *= 2) {
        struct machine *m =
            machine(&(struct ventus_sim_config){ .num_thread = n });
        m->launch.warps = 2;
        put(m, ventus_isa_vid_v(4, 1));
        run(m);
        for (unsigned i = 0; i < n; i++)
            CHECK_EQ(warp(m, 1)->v[4 * warp(m, 1)->lanes + i], i);
        machine_free(m);
    }
}

/* v0 = lane; what has vm = 0 acts on odd lanes only. */
static uint32_t
masked(struct ventus_isa_insn in, bool ignore_vm, unsigned lane)
{
    struct machine *m =
        machine(&(struct ventus_sim_config){ .ignore_vm = ignore_vm });
    put(m, ventus_isa_vid_v(0, 1));
    put(m, ventus_isa_vmv_v_i(1, 3));
    put(m, ventus_isa_vmv_v_i(2, 4));
    put(m, ventus_isa_vmv_v_i(3, 9));
    put_li(m, 5, DATA);
    set_data(m, 4 * lane, 100);
    put(m, in);
    run(m);
    uint32_t result = v(m, 3, lane);
    machine_free(m);
    return result;
}

TEST(vm_0_is_bit_0_of_v0)
{
    CHECK_EQ(masked(ventus_isa_vadd_vv(3, 2, 1, 0), false, 7), 7);
    CHECK_EQ(masked(ventus_isa_vadd_vv(3, 2, 1, 0), false, 6), 9);
    CHECK_EQ(masked(ventus_isa_vadd_vi(3, 2, 1, 0), false, 2),
             9); /* bit 1 only */
    CHECK_EQ(masked(ventus_isa_vmseq_vv(3, 2, 1, 0), false, 7), 0);
    CHECK_EQ(masked(ventus_isa_vmseq_vv(3, 2, 1, 0), false, 6), 9);
    CHECK_EQ(masked(ventus_isa_vid_v(3, 0), false, 7), 7);
    CHECK_EQ(masked(ventus_isa_vid_v(3, 0), false, 6), 9);
    CHECK_EQ(masked(ventus_isa_vle32_v(3, 5, 0), false, 7), 100);
    CHECK_EQ(masked(ventus_isa_vle32_v(3, 5, 0), false, 6), 9);
    CHECK_EQ(masked(ventus_isa_vmacc_vv(3, 1, 2, 0), false, 7), 21);
    CHECK_EQ(masked(ventus_isa_vmacc_vv(3, 1, 2, 0), false, 6), 9);
}

TEST(ignore_vm)
{
    CHECK_EQ(masked(ventus_isa_vadd_vv(3, 2, 1, 0), true, 6), 7);
    CHECK_EQ(masked(ventus_isa_vle32_v(3, 5, 0), true, 6), 100);
    /* vmerge selects all the same. */
    CHECK_EQ(masked(ventus_isa_vmerge_vvm(3, 2, 1), true, 6), 4);
}

TEST(merge_selects_by_bit_0_of_v0)
{
    CHECK_EQ(masked(ventus_isa_vmerge_vvm(3, 2, 1), false, 7), 3);
    CHECK_EQ(masked(ventus_isa_vmerge_vvm(3, 2, 1), false, 6), 4);
    CHECK_EQ(masked(ventus_isa_vmerge_vim(3, 2, -5), false, 7), (uint32_t)-5);
    CHECK_EQ(masked(ventus_isa_vmerge_vim(3, 2, -5), false, 6), 4);
    CHECK_EQ(masked(ventus_isa_vmerge_vxm(3, 2, 5), false, 7), DATA);
    CHECK_EQ(masked(ventus_isa_vmerge_vxm(3, 2, 5), false, 6), 4);
}

TEST(vmv_x_s_takes_the_last_active_lane)
{
    struct machine *m = machine(&(struct ventus_sim_config){ 0 });
    put(m, ventus_isa_vid_v(1, 1));
    put(m, ventus_isa_vmv_x_s(5, 1));
    put(m, ventus_isa_vfmv_f_s(6, 1));
    put(m, ventus_isa_vmv_v_i(2, 7));
    put(m, ventus_isa_vadd_vi(1, 1, 1, 1));
    /* Only lanes below 6 stay: v1 is 1..6 there. */
    put(m, ventus_isa_vsetivli(0, 6, 0xd0));
    put(m, ventus_isa_vmv_x_s(7, 1));
    put(m, ventus_isa_vfmv_f_s(8, 1));
    run(m);
    CHECK_EQ(x(m, 5), 31);
    CHECK_EQ(x(m, 6), 0);
    CHECK_EQ(x(m, 7), 6);
    CHECK_EQ(x(m, 8), 1);
    machine_free(m);
}

TEST(vl_limits_lanes)
{
    struct machine *m = machine(&(struct ventus_sim_config){ 0 });
    put(m, ventus_isa_addi(5, 0, 100));
    put(m, ventus_isa_vsetvli(6, 5, 0xd0)); /* more than there are */
    put(m, ventus_isa_addi(5, 0, 3));
    put(m, ventus_isa_vsetvli(7, 5, 0xd0));
    put(m, ventus_isa_vmv_v_i(1, 5));
    put(m, ventus_isa_vsetvli(0, 0, 0xd0)); /* keeps vl */
    put(m, ventus_isa_csrrs(8, VENTUS_ISA_CSR_VL, 0));
    put(m, ventus_isa_vsetvli(9, 0, 0xd0)); /* the most */
    put(m, ventus_isa_vmv_v_i(2, 5));
    run(m);
    CHECK_EQ(x(m, 6), 32);
    CHECK_EQ(x(m, 7), 3);
    CHECK_EQ(x(m, 8), 3);
    CHECK_EQ(x(m, 9), 32);
    CHECK_EQ(v(m, 1, 2), 5);
    CHECK_EQ(v(m, 1, 3), 0);
    CHECK_EQ(v(m, 2, 31), 5);
    machine_free(m);
}

/* v3 = v2 op v1 with elements of 8 << vsew bits. */
static uint32_t
narrow(unsigned vsew, struct ventus_isa_insn in, uint32_t vs2, uint32_t vs1)
{
    struct machine *m = machine(&(struct ventus_sim_config){ 0 });
    put_li(m, 5, vs1);
    put_li(m, 6, vs2);
    put(m, ventus_isa_vmv_v_x(1, 5));
    put(m, ventus_isa_vmv_v_x(2, 6));
    put(m, ventus_isa_vsetvli(7, 0, (int32_t)(0xc0 | vsew << 3)));
    put(m, in);
    run(m);
    uint32_t result = v(m, 3, 9);
    machine_free(m);
    return result;
}

TEST(narrow_elements)
{
    CHECK_EQ(narrow(0, ventus_isa_vadd_vv(3, 2, 1, 1), 0xff, 2), 1);
    CHECK_EQ(narrow(1, ventus_isa_vadd_vv(3, 2, 1, 1), 0xff, 2), 0x101);
    CHECK_EQ(narrow(0, ventus_isa_vsub_vv(3, 2, 1, 1), 1, 2), 0xff);
    CHECK_EQ(narrow(0, ventus_isa_vmulh_vv(3, 2, 1, 1), 0x80, 0x80), 0x40);
    CHECK_EQ(narrow(0, ventus_isa_vdiv_vv(3, 2, 1, 1), 0x80, 0xff), 0x80);
    CHECK_EQ(narrow(0, ventus_isa_vdivu_vv(3, 2, 1, 1), 5, 0x100), 0xff);
    CHECK_EQ(narrow(1, ventus_isa_vsra_vi(3, 2, 4, 1), 0x8000, 0), 0xf800);
    CHECK_EQ(narrow(1, ventus_isa_vmslt_vv(3, 2, 1, 1), 0x8000, 0), 1);
    CHECK_EQ(narrow(1, ventus_isa_vmv_v_v(3, 1), 0, 0x12345678), 0x5678);
    CHECK_EQ(narrow(0, ventus_isa_vmv_v_i(3, -1), 0, 0), 0xff);
    /* Custom instructions and mask logic have 32-bit elements always. */
    CHECK_EQ(narrow(0, ventus_isa_vadd12_vi(3, 2, 1), 0xff, 0), 0x100);
    CHECK_EQ(narrow(0, ventus_isa_vmor_mm(3, 2, 1), 0x100, 1), 0x101);
}

/*
 * LMUL 2 with vs1 above x67: the second half took vs1 for a scalar register
 * and kept what stands behind those of the warp, as its flags.
 */
TEST(groups_of_high_registers_change_no_state_of_the_warp)
{
    for (unsigned r = 64; r < 256; r += 2) {
        struct machine *m =
            machine(&(struct ventus_sim_config){ .num_thread = 4 });
        put_li(m, 5, 0x3f800000);
        put_li(m, 6, 0x30000000);
        put(m, ventus_isa_vmv_v_x(5, 5));
        put(m,
            ventus_isa_vmv_v_x(r + 1, 6)); /* 1 + 2^-31: inexact, here alone */
        put(m, ventus_isa_vsetvli(7, 0, 0xd1));
        put(m, ventus_isa_csrrwi(0, VENTUS_ISA_CSR_FRM, 4));
        put(m, ventus_isa_vfadd_vv(2, 4, r, 1));
        put(m, ventus_isa_csrrs(8, VENTUS_ISA_CSR_FFLAGS, 0));
        run(m);
        CHECK_EQ(x(m, 8), 1);
        CHECK_EQ(v(m, 3, 0), 0x3f800000);
        machine_free(m);
    }
}

TEST(vadd12_signed)
{
    struct machine *m =
        machine(&(struct ventus_sim_config){ .vadd12_signed = 1 });
    put(m, ventus_isa_vadd12_vi(1, 0, 4095));
    put(m, ventus_isa_vsub12_vi(2, 0, 4095));
    put(m, ventus_isa_vadd12_vi(3, 0, 2047));
    run(m);
    CHECK_EQ(v(m, 1, 0), (uint32_t)-1);
    CHECK_EQ(v(m, 2, 0), 1);
    CHECK_EQ(v(m, 3, 0), 2047);
    machine_free(m);
}

TEST_MAIN
