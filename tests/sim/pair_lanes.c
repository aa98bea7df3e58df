/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vector instructions on pairs, all lanes at once, against the meanings of
 * isa/sem.h and isa/sem_fp.h lane by lane: results, flags, lanes that are off.
 */
#include "isa/sem.h"
#include "isa/sem_fp.h"
#include "machine.h"

enum { LANES = 32, A = 2, B = 4, D = 6 };

typedef uint64_t
fp2(uint64_t a, uint64_t b, enum fp_rm rm, unsigned *flags);
typedef uint64_t
fp3(uint64_t a, uint64_t b, uint64_t c, enum fp_rm rm, unsigned *flags);
typedef uint64_t
int2(uint64_t a, uint64_t b);

/* What the instruction computes of vs2, vs1 or the scalar, and vd. */
struct row {
    enum ventus_isa_op vv, vs; /* 0: there is none */
    fp2 *two;
    fp3 *three;
    int2 *integer;
};

#define TWO(VV, VS, name)                                        \
    {                                                            \
        VENTUS_ISA_##VV, VENTUS_ISA_##VS, .two = sem_##name##_64 \
    }
#define THREE(VV, VS, name)                                        \
    {                                                              \
        VENTUS_ISA_##VV, VENTUS_ISA_##VS, .three = sem_##name##_64 \
    }
#define INT(VV, VS, name)                                            \
    {                                                                \
        VENTUS_ISA_##VV, VENTUS_ISA_##VS, .integer = sem_##name##_64 \
    }
static const struct row rows[] = {
    TWO(VFADD_VV, VFADD_VF, fadd),
    TWO(VFSUB_VV, VFSUB_VF, fsub),
    TWO(NONE, VFRSUB_VF, frsub),
    TWO(VFMUL_VV, VFMUL_VF, fmul),
    TWO(VFDIV_VV, VFDIV_VF, fdiv),
    TWO(NONE, VFRDIV_VF, frdiv),
    TWO(VFMIN_VV, VFMIN_VF, fmin),
    TWO(VFMAX_VV, VFMAX_VF, fmax),
    TWO(VFSGNJ_VV, VFSGNJ_VF, fsgnj),
    TWO(VFSGNJN_VV, VFSGNJN_VF, fsgnjn),
    TWO(VFSGNJX_VV, VFSGNJX_VF, fsgnjx),
    TWO(VMFEQ_VV, VMFEQ_VF, feq),
    TWO(VMFNE_VV, VMFNE_VF, fne),
    TWO(VMFLT_VV, VMFLT_VF, flt),
    TWO(VMFLE_VV, VMFLE_VF, fle),
    TWO(NONE, VMFGT_VF, fgt),
    TWO(NONE, VMFGE_VF, fge),
    THREE(VFMADD_VV, VFMADD_VF, vfmadd),
    THREE(VFNMSUB_VV, VFNMSUB_VF, vfnmsub),
    THREE(VFMSUB_VV, VFMSUB_VF, vfmsub),
    THREE(VFNMADD_VV, VFNMADD_VF, vfnmadd),
    THREE(VFMACC_VV, VFMACC_VF, vfmacc),
    THREE(VFNMSAC_VV, VFNMSAC_VF, vfnmsac),
    THREE(VFMSAC_VV, VFMSAC_VF, vfmsac),
    THREE(VFNMACC_VV, VFNMACC_VF, vfnmacc),
    INT(VADD_VV, VADD_VX, add),
    INT(VSUB_VV, VSUB_VX, sub),
    INT(NONE, VRSUB_VX, rsub),
    INT(VAND_VV, VAND_VX, and),
    INT(VOR_VV, VOR_VX, or),
    INT(VXOR_VV, VXOR_VX, xor),
    INT(VSLL_VV, VSLL_VX, sll),
    INT(VSRL_VV, VSRL_VX, srl),
    INT(VSRA_VV, VSRA_VX, sra),
    INT(VMSEQ_VV, VMSEQ_VX, seq),
    INT(VMSNE_VV, VMSNE_VX, sne),
    INT(VMSLT_VV, VMSLT_VX, slt),
    INT(VMSLTU_VV, VMSLTU_VX, sltu),
    INT(VMSLE_VV, VMSLE_VX, sle),
    INT(VMSLEU_VV, VMSLEU_VX, sleu),
    INT(NONE, VMSGT_VX, sgt),
    INT(NONE, VMSGTU_VX, sgtu),
    INT(VMIN_VV, VMIN_VX, min),
    INT(VMAX_VV, VMAX_VX, max),
    INT(VMINU_VV, VMINU_VX, minu),
    INT(VMAXU_VV, VMAXU_VX, maxu),
    INT(VMUL_VV, VMUL_VX, mul),
    INT(VMULH_VV, VMULH_VX, mulh),
    INT(VDIV_VV, VDIV_VX, div),
};

static uint64_t state = 1;

static uint64_t
random64(void)
{
    state =
        state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return state ^ state >> 29;
}

/* Any bits, numbers near 1, and those that need care. */
static uint64_t
operand(void)
{
    static const uint64_t corners[] = {
        0,
        1,
        UINT64_C(0x000fffffffffffff),
        UINT64_C(0x0010000000000000),
        UINT64_C(0x3ff0000000000000),
        UINT64_C(0x7fefffffffffffff),
        UINT64_C(0x7ff0000000000000),
        UINT64_C(0x7ff0000000000001), /* signalling */
        UINT64_C(0x7ff8000000000000),
        UINT64_MAX >> 32,
    };
    uint64_t r = random64(), sign = r << 63;
    switch (r >> 1 & 3) {
    case 0:
        return corners[(r >> 8) % (sizeof corners / sizeof *corners)] | sign;
    case 1:
        return random64();
    default: /* 2^-2 ... 2^2 */
        return (random64() >> 12) | (1021 + (r >> 8 & 3)) << 52 | sign;
    }
}

/* Pair r = values; at `offset` of DATA. */
static void
put_pairs(struct machine *m, unsigned r, const uint64_t *values,
          uint32_t offset)
{
    uint32_t half[2][LANES];
    for (unsigned i = 0; i < LANES; i++) {
        half[0][i] = (uint32_t)values[i];
        half[1][i] = (uint32_t)(values[i] >> 32);
    }
    put_vector(m, r, half[0], offset);
    put_vector(m, r + 1, half[1], offset + sizeof half[0]);
}

static uint64_t
expected(const struct row *row, uint64_t a, uint64_t b, uint64_t d,
         enum fp_rm rm, unsigned *flags)
{
    if (row->integer)
        return row->integer(a, b);
    if (row->three)
        return row->three(b, a, d, rm, flags);
    return row->two(a, b, rm, flags);
}

static void
try_row(const struct row *row, bool vector, enum fp_rm rm, bool masked)
{
    uint64_t a[LANES], b[LANES], d[LANES];
    uint32_t mask[LANES];
    uint64_t scalar = operand();
    for (unsigned i = 0; i < LANES; i++) {
        a[i] = operand();
        b[i] = vector ? operand() : scalar;
        d[i] = operand();
        mask[i] = (uint32_t)(random64() >> 40) & 1;
    }
    struct machine *m =
        machine(&(struct ventus_sim_config){ .num_thread = LANES });
    put_pairs(m, A, a, 0);
    put_pairs(m, B, b, 256);
    put_pairs(m, D, d, 512);
    put_vector(m, 0, mask, 768);
    put_li(m, 8, (uint32_t)scalar);
    put_li(m, 9, (uint32_t)(scalar >> 32));
    put(m, ventus_isa_csrrwi(0, VENTUS_ISA_CSR_FRM, rm));
    struct ventus_isa_insn in = ventus_isa_vadd_vv(D, A, B, !masked);
    in.op = vector ? row->vv : row->vs;
    in.reg[VENTUS_ISA_SLOT_1] = vector ? B : 8;
    in.pair = 1;
    put(m, in);
    run(m);
    unsigned flags = 0;
    for (unsigned i = 0; i < LANES; i++) {
        uint64_t r = d[i];
        if (!masked || mask[i])
            r = expected(row, a[i], b[i], d[i], rm, &flags);
        if (!CHECK_EQ(v64(m, D, i), r))
            printf("  %s of %016llx %016llx %016llx, rm %d\n",
                   ventus_isa_info[in.op].name, (unsigned long long)a[i],
                   (unsigned long long)b[i], (unsigned long long)d[i], rm);
    }
    CHECK_EQ(warp(m, 0)->fflags, flags);
    machine_free(m);
}

TEST(pairs_as_lane_by_lane)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int rm = FP_RNE; rm <= FP_RMM; rm++) {
            for (int masked = 0; masked < 2; masked++) {
                if (rows[i].vv)
                    try_row(&rows[i], true, (enum fp_rm)rm, masked);
                try_row(&rows[i], false, (enum fp_rm)rm, masked);
            }
        }
    }
}

/* Conversions and the root: vd of vs2 alone. */
TEST(pairs_of_one_source)
{
    typedef uint64_t fp1(uint64_t a, enum fp_rm rm, unsigned *flags);
    static const struct {
        enum ventus_isa_op op;
        fp1 *fn;
    } ones[] = {
        { VENTUS_ISA_VFSQRT_V, sem_fsqrt_64 },
        { VENTUS_ISA_VFCLASS_V, sem_fclass_64 },
        { VENTUS_ISA_VFCVT_X_F_V, sem_fcvt_w_f_64 },
        { VENTUS_ISA_VFCVT_XU_F_V, sem_fcvt_wu_f_64 },
        { VENTUS_ISA_VFCVT_RTZ_X_F_V, sem_fcvt_rtz_w_f_64 },
        { VENTUS_ISA_VFCVT_RTZ_XU_F_V, sem_fcvt_rtz_wu_f_64 },
        { VENTUS_ISA_VFCVT_F_X_V, sem_fcvt_f_w_64 },
        { VENTUS_ISA_VFCVT_F_XU_V, sem_fcvt_f_wu_64 },
    };
    for (size_t k = 0; k < 5 * sizeof ones / sizeof *ones; k++) {
        enum fp_rm rm = (enum fp_rm)(k % 5);
        uint64_t a[LANES];
        for (unsigned i = 0; i < LANES; i++)
            a[i] = operand();
        struct machine *m = machine(&(struct ventus_sim_config){ 0 });
        put_pairs(m, A, a, 0);
        put(m, ventus_isa_csrrwi(0, VENTUS_ISA_CSR_FRM, rm));
        struct ventus_isa_insn in = ventus_isa_vfsqrt_v(D, A, 1);
        in.op = ones[k / 5].op;
        in.pair = 1;
        put(m, in);
        run(m);
        unsigned flags = 0;
        for (unsigned i = 0; i < LANES; i++)
            CHECK_EQ(v64(m, D, i), ones[k / 5].fn(a[i], rm, &flags));
        CHECK_EQ(warp(m, 0)->fflags, flags);
        machine_free(m);
    }
}

/* A 32-bit integer in an odd register becomes a double. */
TEST(odd_integers_become_doubles)
{
    struct machine *m = machine(&(struct ventus_sim_config){ 0 });
    put(m, ventus_isa_vmv_v_i(3, -5));
    struct ventus_isa_insn in = ventus_isa_vfcvt_f_x_v(6, 3, 1);
    in.pair = 1;
    put(m, in);
    in = ventus_isa_vfcvt_f_xu_v(8, 3, 1);
    in.pair = 1;
    put(m, in);
    run(m);
    CHECK_EQ(v64(m, 6, 7), UINT64_C(0xc014000000000000)); /* -5 */
    CHECK_EQ(v64(m, 8, 7), UINT64_C(0x41efffffff600000)); /* 2^32 - 5 */
    machine_free(m);
}

/* vmerge takes whole pairs. */
TEST(merge_of_pairs)
{
    uint64_t a[LANES], b[LANES];
    uint32_t mask[LANES];
    for (unsigned i = 0; i < LANES; i++) {
        a[i] = random64();
        b[i] = random64();
        mask[i] = i % 3 == 0;
    }
    struct machine *m = machine(&(struct ventus_sim_config){ 0 });
    put_pairs(m, A, a, 0);
    put_pairs(m, B, b, 256);
    put_vector(m, 0, mask, 768);
    put_li(m, 8, 77);
    put_li(m, 9, 88);
    struct ventus_isa_insn in = ventus_isa_vmerge_vvm(D, A, B);
    in.pair = 1;
    put(m, in);
    in = ventus_isa_vmerge_vxm(D + 2, A, 8);
    in.pair = 1;
    put(m, in);
    in = ventus_isa_vmerge_vim(D + 4, A, -1);
    in.pair = 1;
    put(m, in);
    run(m);
    for (unsigned i = 0; i < LANES; i++) {
        CHECK_EQ(v64(m, D, i), mask[i] ? b[i] : a[i]);
        CHECK_EQ(v64(m, D + 2, i), mask[i] ? UINT64_C(0x580000004d) : a[i]);
        CHECK_EQ(v64(m, D + 4, i), mask[i] ? UINT64_MAX : a[i]);
    }
    machine_free(m);
}

TEST_MAIN
