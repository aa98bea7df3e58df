/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Floating point: which operand is which, rounding modes, flags and widths.
 * The arithmetic itself is tested in tests/isa.
 */
#include <fenv.h>

#include "machine.h"

enum { ONE = 0x3f800000, TWO = 0x40000000, THREE = 0x40400000 };
enum { TINY = 0x33800000 }; /* 2^-24: half of the last place of 1 */
enum { DYN = 7 };

/* v3 = in(vs2 = v2 = a, vs1 = v1 = x5 = b, vd = v3 = c) */
static uint32_t
vector(struct ventus_isa_insn in, uint32_t a, uint32_t b, uint32_t c)
{
    struct machine *m = machine(&(struct ventus_sim_config){ 0 });
    put_li(m, 5, b);
    put_li(m, 6, a);
    put_li(m, 7, c);
    put(m, ventus_isa_vmv_v_x(1, 5));
    put(m, ventus_isa_vmv_v_x(2, 6));
    put(m, ventus_isa_vmv_v_x(3, 7));
    put(m, in);
    run(m);
    uint32_t r = v(m, 3, 17);
    machine_free(m);
    return r;
}

TEST(operand_order)
{
    CHECK_EQ(vector(ventus_isa_vfsub_vv(3, 2, 1, 1), THREE, TWO, 0), ONE);
    CHECK_EQ(vector(ventus_isa_vfsub_vf(3, 2, 5, 1), THREE, TWO, 0), ONE);
    CHECK_EQ(vector(ventus_isa_vfrsub_vf(3, 2, 5, 1), TWO, THREE, 0), ONE);
    CHECK_EQ(vector(ventus_isa_vfdiv_vv(3, 2, 1, 1), TWO, ONE, 0), TWO);
    CHECK_EQ(vector(ventus_isa_vfrdiv_vf(3, 2, 5, 1), ONE, TWO, 0), TWO);
    CHECK_EQ(vector(ventus_isa_vmflt_vv(3, 2, 1, 1), ONE, TWO, 9), 1);
    CHECK_EQ(vector(ventus_isa_vmfgt_vf(3, 2, 5, 1), ONE, TWO, 9), 0);
    CHECK_EQ(vector(ventus_isa_vmfge_vf(3, 2, 5, 1), TWO, TWO, 9), 1);
    CHECK_EQ(vector(ventus_isa_vfsgnjn_vv(3, 2, 1, 1), ONE, TWO, 9),
             0xbf800000);
    CHECK_EQ(vector(ventus_isa_vfmin_vv(3, 2, 1, 1), ONE, TWO, 9), ONE);
    CHECK_EQ(vector(ventus_isa_vfsqrt_v(3, 2, 1), 0x40800000, 0, 0), TWO);
    CHECK_EQ(vector(ventus_isa_vfcvt_x_f_v(3, 2, 1), 0xc0400000, 0, 0),
             (uint32_t)-3);
    CHECK_EQ(vector(ventus_isa_vfcvt_f_x_v(3, 2, 1), (uint32_t)-1, 0, 0),
             0xbf800000);
    CHECK_EQ(vector(ventus_isa_vfcvt_f_xu_v(3, 2, 1), 3, 0, 0), THREE);
    CHECK_EQ(vector(ventus_isa_vfcvt_rtz_x_f_v(3, 2, 1), 0xbfc00000, 0, 0),
             (uint32_t)-1);
    CHECK_EQ(vector(ventus_isa_vfclass_v(3, 2, 1), ONE, 0, 0), 1 << 6);
    CHECK_EQ(vector(ventus_isa_vfexp_v(3, 2, 1), 0, 0, 0), ONE);
}

/* a = 3 (vs2), b = 2 (vs1), c = 1 (vd) */
TEST(fused)
{
    CHECK_EQ(vector(ventus_isa_vfmadd_vv(3, 1, 2, 1), THREE, TWO, ONE),
             0x40a00000);
    CHECK_EQ(vector(ventus_isa_vfmsub_vv(3, 1, 2, 1), THREE, TWO, ONE),
             0xbf800000);
    CHECK_EQ(vector(ventus_isa_vfnmadd_vv(3, 1, 2, 1), THREE, TWO, ONE),
             0xc0a00000);
    CHECK_EQ(vector(ventus_isa_vfnmsub_vv(3, 1, 2, 1), THREE, TWO, ONE), ONE);
    CHECK_EQ(vector(ventus_isa_vfmacc_vf(3, 5, 2, 1), THREE, TWO, ONE),
             0x40e00000);
    CHECK_EQ(vector(ventus_isa_vfmsac_vf(3, 5, 2, 1), THREE, TWO, ONE),
             0x40a00000);
    CHECK_EQ(vector(ventus_isa_vfnmacc_vf(3, 5, 2, 1), THREE, TWO, ONE),
             0xc0e00000);
    CHECK_EQ(vector(ventus_isa_vfnmsac_vf(3, 5, 2, 1), THREE, TWO, ONE),
             0xc0a00000);
}

static uint32_t
scalar(struct ventus_isa_insn in, uint32_t a, uint32_t b, uint32_t c)
{
    struct machine *m = machine(&(struct ventus_sim_config){ 0 });
    put_li(m, 5, a);
    put_li(m, 6, b);
    put_li(m, 7, c);
    put(m, in);
    run(m);
    uint32_t r = x(m, 8);
    machine_free(m);
    return r;
}

TEST(scalars)
{
    CHECK_EQ(scalar(ventus_isa_fsub_s(8, 5, 6, DYN), THREE, TWO, 0), ONE);
    CHECK_EQ(scalar(ventus_isa_fdiv_s(8, 5, 6, DYN), THREE, THREE, 0), ONE);
    CHECK_EQ(scalar(ventus_isa_fmadd_s(8, 5, 6, 7, DYN), THREE, TWO, ONE),
             0x40e00000);
    CHECK_EQ(scalar(ventus_isa_fmsub_s(8, 5, 6, 7, DYN), THREE, TWO, ONE),
             0x40a00000);
    CHECK_EQ(scalar(ventus_isa_fnmadd_s(8, 5, 6, 7, DYN), THREE, TWO, ONE),
             0xc0e00000);
    CHECK_EQ(scalar(ventus_isa_fnmsub_s(8, 5, 6, 7, DYN), THREE, TWO, ONE),
             0xc0a00000);
    CHECK_EQ(scalar(ventus_isa_flt_s(8, 5, 6), ONE, TWO, 0), 1);
    CHECK_EQ(scalar(ventus_isa_fsgnjx_s(8, 5, 6), 0xbf800000, 0xbf800000, 0),
             ONE);
    CHECK_EQ(scalar(ventus_isa_fcvt_w_s(8, 5, 1), 0xbfc00000, 0, 0),
             (uint32_t)-1);
    CHECK_EQ(scalar(ventus_isa_fcvt_s_wu(8, 5, DYN), 3, 0, 0), THREE);
    CHECK_EQ(scalar(ventus_isa_fmv_x_w(8, 5), ONE, 0, 0), ONE);
    CHECK_EQ(scalar(ventus_isa_fmv_w_x(8, 5), ONE, 0, 0), ONE);
    /* Static modes: 1 + 2^-24 down and up. */
    CHECK_EQ(scalar(ventus_isa_fadd_s(8, 5, 6, 2), ONE, TINY, 0), ONE);
    CHECK_EQ(scalar(ventus_isa_fadd_s(8, 5, 6, 3), ONE, TINY, 0), ONE + 1);
}

/* frm applies to vectors and to dyn; flags come from active lanes only. */
TEST(rounding_mode_and_flags)
{
    const uint32_t expected[5] = { ONE, ONE, ONE, ONE + 1, ONE + 1 };
    for (int rm = 0; rm < 5; rm++) {
        struct machine *m = machine(&(struct ventus_sim_config){ 0 });
        put(m, ventus_isa_csrrwi(0, VENTUS_ISA_CSR_FRM, rm));
        put_li(m, 5, ONE);
        put_li(m, 6, TINY);
        put(m, ventus_isa_vmv_v_x(1, 5));
        put(m, ventus_isa_csrrs(10, VENTUS_ISA_CSR_FFLAGS, 0));
        put(m, ventus_isa_vfadd_vf(2, 1, 6, 1));
        put(m, ventus_isa_csrrs(11, VENTUS_ISA_CSR_FFLAGS, 0));
        put(m, ventus_isa_fadd_s(8, 5, 6, DYN));
        run(m);
        CHECK_EQ(v(m, 2, 0), expected[rm]);
        CHECK_EQ(v(m, 2, 31), expected[rm]);
        CHECK_EQ(x(m, 8), expected[rm]);
        CHECK_EQ(x(m, 10), 0);
        CHECK_EQ(x(m, 11), 1); /* inexact */
        machine_free(m);
    }
}

TEST(no_flags_from_lanes_that_are_off)
{
    for (unsigned n = 1; n <= 64; n *= 2) {
        struct machine *m =
            machine(&(struct ventus_sim_config){ .num_thread = n });
        put_li(m, 5, ONE);
        put(m, ventus_isa_vmv_v_x(1, 5)); /* v2 is 0: a division by zero */
        put(m, ventus_isa_vsetivli(0, 0, 0xd0));
        put(m, ventus_isa_vfdiv_vv(3, 1, 2, 1));
        put(m, ventus_isa_csrrs(10, VENTUS_ISA_CSR_FFLAGS, 0));
        put(m, ventus_isa_vsetvli(6, 0, 0xd0));
        put(m, ventus_isa_vfdiv_vv(3, 1, 2, 1));
        put(m, ventus_isa_csrrs(11, VENTUS_ISA_CSR_FFLAGS, 0));
        put(m, ventus_isa_vfadd_vv(4, 1, 1, 1));
        run(m);
        CHECK_EQ(x(m, 10), 0);
        CHECK_EQ(x(m, 11), 8); /* division by zero */
        CHECK_EQ(v(m, 3, 0), 0x7f800000);
        CHECK_EQ(warp(m, 0)->fflags, 8);
        machine_free(m);
    }
}

/* Flags belong to a warp. */
TEST(flags_of_two_warps)
{
    struct machine *m = machine(&(struct ventus_sim_config){ 0 });
    m->launch.warps = 2;
    put(m, ventus_isa_csrrs(5, VENTUS_ISA_CSR_WID, 0));
    put(m, ventus_isa_bne(5, 0, 8));
    put(m, ventus_isa_vfdiv_vv(3, 1, 2, 1)); /* 0 / 0: invalid */
    run(m);
    CHECK_EQ(warp(m, 0)->fflags, 16);
    CHECK_EQ(warp(m, 1)->fflags, 0);
    CHECK_EQ(v(m, 3, 0), 0x7fc00000); /* the canonical NaN */
    machine_free(m);
}

struct application {
    unsigned steps, other; /* other: in which the rounding was not its own */
};

/* 1 / 3 upwards, and a flag. */
static void
compute(void *ctx, const struct ventus_sim_step *step)
{
    (void)step;
    struct application *a = ctx;
    volatile double one = 1, three = 3, third = one / three;
    a->steps++;
    a->other += fegetround() != FE_UPWARD || third * 3 < 1;
}

/* The FPU is the application's in its hook, and its flags are not the warp's. */
TEST(hooks_compute_with_the_rounding_of_the_application)
{
    struct application a = { 0 };
    struct ventus_sim_hooks hooks = { .ctx = &a, .step = compute };
    struct machine *m = machine(&(struct ventus_sim_config){ 0 });
    m->launch.hooks = &hooks;
    put_li(m, 5, ONE);
    put_li(m, 6, TINY - 0x800000);                       /* 2^-25 */
    put(m, ventus_isa_csrrwi(0, VENTUS_ISA_CSR_FRM, 1)); /* to zero */
    put(m, ventus_isa_fadd_s(7, 5, 5, DYN));
    put(m, ventus_isa_csrrs(8, VENTUS_ISA_CSR_FFLAGS, 0));
    put(m, ventus_isa_addi(9, 8, 1));
    put(m, ventus_isa_fsub_s(10, 5, 6, DYN)); /* between 1 and 1 - 2^-24 */
    CHECK_EQ(fesetround(FE_UPWARD), 0);
    run(m);
    CHECK_EQ(fegetround(), FE_UPWARD);
    fesetround(FE_TONEAREST);
    CHECK_EQ(a.steps, m->n);
    CHECK_EQ(a.other, 0);
    CHECK_EQ(x(m, 7), TWO);
    CHECK_EQ(x(m, 8), 0);
    CHECK_EQ(x(m, 10), ONE - 1);
    CHECK_EQ(warp(m, 0)->fflags, 1);
    machine_free(m);
}

TEST(half_precision)
{
    struct machine *m = machine(&(struct ventus_sim_config){ 0 });
    put_li(m, 5, 0x3c00); /* 1.0 */
    put(m, ventus_isa_vmv_v_x(1, 5));
    put(m, ventus_isa_vsetvli(6, 0, 0xc8)); /* e16 */
    put(m, ventus_isa_vfadd_vv(2, 1, 1, 1));
    put(m, ventus_isa_vfadd_vf(3, 2, 5, 1));
    put(m, ventus_isa_vfmacc_vv(3, 2, 2, 1));
    put(m, ventus_isa_vfcvt_x_f_v(4, 3, 1));
    put(m, ventus_isa_vmfle_vv(7, 1, 2, 1));
    run(m);
    CHECK_EQ(v(m, 2, 9), 0x4000); /* 2 */
    CHECK_EQ(v(m, 3, 9), 0x4700); /* 7 */
    CHECK_EQ(v(m, 4, 9), 7);
    CHECK_EQ(v(m, 7, 9), 1);
    machine_free(m);
}

static struct ventus_isa_insn
with_pair(struct ventus_isa_insn in)
{
    in.pair = 1;
    return in;
}

/* binary64 in pairs; odd registers are binary32 */
TEST(double_precision)
{
    struct machine *m = machine(&(struct ventus_sim_config){ 0 });
    put_li(m, 9, 0x3ff00000); /* x8:x9 = 1.0 */
    put_li(m, 11, TWO);       /* binary32 */
    put(m, ventus_isa_vmv_v_x(3, 9));
    put(m, ventus_isa_vmv_v_x(5, 11));
    put(m, with_pair(ventus_isa_vfadd_vv(6, 2, 2, 1)));
    put(m, with_pair(ventus_isa_vfadd_vv(8, 6, 5, 1)));
    put(m, with_pair(ventus_isa_vfmul_vv(11, 8, 8, 1)));
    put(m, with_pair(ventus_isa_fadd_s(12, 8, 11, DYN)));
    put(m, with_pair(ventus_isa_vfcvt_x_f_v(15, 8, 1)));
    put(m, with_pair(ventus_isa_vmflt_vv(17, 2, 6, 1)));
    put(m, with_pair(ventus_isa_vfsgnj_vv(19, 8, 8, 1)));
    put(m, with_pair(ventus_isa_vfsgnj_vv(20, 5, 5, 1)));
    run(m);
    CHECK_EQ(v64(m, 6, 3), UINT64_C(0x4000000000000000)); /* 2 */
    CHECK_EQ(v64(m, 8, 3), UINT64_C(0x4010000000000000)); /* 4 */
    CHECK_EQ(v(m, 11, 3), 0x41800000);                    /* 16 */
    CHECK_EQ(x(m, 13), 0x40080000);                       /* 3 */
    CHECK_EQ(v(m, 15, 3), 4);
    CHECK_EQ(v(m, 17, 3), 1);
    CHECK_EQ(v(m, 19, 3), 0x40800000);                     /* narrowed */
    CHECK_EQ(v64(m, 20, 3), UINT64_C(0x4000000000000000)); /* widened */
    machine_free(m);
}

/* A is all 1 to k in each row, B all ones: each sum is k * (k + 1) / 2. */
static void
check_tensor(unsigned num_thread, unsigned results, unsigned k, uint32_t sum)
{
    struct machine *m =
        machine(&(struct ventus_sim_config){ .num_thread = num_thread });
    put(m, ventus_isa_vid_v(1, 1));
    put(m, ventus_isa_vand_vi(1, 1, (int32_t)k - 1, 1));
    put(m, ventus_isa_vadd_vi(1, 1, 1, 1));
    put(m, ventus_isa_vfcvt_f_x_v(1, 1, 1));
    put(m, ventus_isa_vmv_v_i(2, 1));
    put(m, ventus_isa_vfcvt_f_x_v(2, 2, 1));
    put(m, ventus_isa_vmv_v_v(3, 2));
    put(m, ventus_isa_vftta_vv(3, 2, 1, 1));
    put(m, ventus_isa_vfcvt_x_f_v(4, 3, 1));
    run(m);
    for (unsigned i = 0; i < num_thread; i++)
        CHECK_EQ(v(m, 4, i), i < results ? sum + 1 : 1);
    machine_free(m);
}

TEST(tensor)
{
    check_tensor(32, 16, 8, 36);
    check_tensor(8, 4, 4, 10);
}

/* Rows of A and columns of B: 8 threads, A = lane, B = 1 in column 1 only. */
TEST(tensor_rows_and_columns)
{
    struct machine *m = machine(&(struct ventus_sim_config){ .num_thread = 8 });
    const uint32_t b[8] = { 0, 0, 0, 0, ONE, ONE, ONE, ONE };
    put_vector(m, 2, b, 0);
    put(m, ventus_isa_vid_v(1, 1));
    put(m, ventus_isa_vfcvt_f_x_v(1, 1, 1));
    put(m, ventus_isa_vftta_vv(3, 2, 1, 1));
    put(m, ventus_isa_vfcvt_x_f_v(4, 3, 1));
    run(m);
    CHECK_EQ(v(m, 4, 0), 0);
    CHECK_EQ(v(m, 4, 1), 0 + 1 + 2 + 3);
    CHECK_EQ(v(m, 4, 2), 0);
    CHECK_EQ(v(m, 4, 3), 4 + 5 + 6 + 7);
    machine_free(m);
}

TEST_MAIN
