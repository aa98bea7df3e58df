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

/* ---- odd registers, ABS and NEG ---- */

/* Places of the numbers of an instruction: bit 0 of `odd` is d, then s1, s2; those of `abs`
 * and `neg` are s1, s2, s3. */
struct places {
    unsigned odd, abs, neg;
};

/* A source as the instruction takes it: an odd register widened, then its sign modified. */
static uint64_t
taken(uint64_t pair, bool odd, bool abs, bool neg)
{
    unsigned ignored = 0;
    uint64_t x = odd ? fp64_from_fp32((uint32_t)pair, &ignored) : pair;
    if (abs)
        x &= UINT64_MAX >> 1;
    return neg ? x ^ UINT64_C(1) << 63 : x;
}

/* Floats in the low halves are as often corners as doubles are. */
static uint64_t
operand_at(bool odd)
{
    unsigned ignored = 0;
    uint64_t x = operand();
    return odd && random64() >> 63 ? fp32_from_fp64(x, FP_RNE, &ignored) : x;
}

/* Outcomes of compares are no numbers to round. */
static bool
is_outcome(const struct row *row)
{
    return row->two == sem_feq_64 || row->two == sem_fne_64 ||
           row->two == sem_flt_64 || row->two == sem_fle_64 ||
           row->two == sem_fgt_64 || row->two == sem_fge_64;
}

static void
try_places(const struct row *row, bool vector, enum fp_rm rm, bool masked,
           struct places at)
{
    uint64_t a[LANES], b[LANES], d[LANES], scalar = operand_at(at.odd & 2);
    uint32_t mask[LANES];
    bool to_odd = at.odd & 1;
    for (unsigned i = 0; i < LANES; i++) {
        a[i] = operand_at(at.odd & 4);
        b[i] = vector ? operand_at(at.odd & 2) : scalar;
        d[i] = operand_at(to_odd);
        mask[i] = (uint32_t)(random64() >> 40) & 1;
    }
    struct machine *m = machine(&(struct ventus_sim_config){
        .num_thread = LANES, .isa = VENTUS_ISA_V2 });
    unsigned ra = 10 + (at.odd >> 2 & 1), rb = 14 + (at.odd >> 1 & 1);
    unsigned rd = 18 + (at.odd & 1);
    put_pairs(m, ra, a, 0);
    put_pairs(m, rb, b, 256);
    put_pairs(m, rd, d, 512);
    put_vector(m, 0, mask, 768);
    put_li(m, rb, (uint32_t)scalar);
    put_li(m, rb + 1, (uint32_t)(scalar >> 32));
    put(m, ventus_isa_csrrwi(0, VENTUS_ISA_CSR_FRM, rm));
    struct ventus_isa_insn in = ventus_isa_vadd_vv(rd, ra, rb, !masked);
    in.op = vector ? row->vv : row->vs;
    in.pair = 1;
    in.abs = at.abs & 7;
    in.neg = at.neg & 7;
    put(m, in);
    run(m);
    unsigned flags = 0;
    for (unsigned i = 0; i < LANES; i++) {
        if (masked && !mask[i]) {
            CHECK_EQ(v64(m, rd, i), d[i]);
            continue;
        }
        uint64_t s2 = taken(a[i], at.odd & 4, at.abs & 2, at.neg & 2);
        uint64_t s1 = taken(b[i], at.odd & 2, at.abs & 1, at.neg & 1);
        uint64_t s3 = taken(d[i], to_odd, at.abs & 4, at.neg & 4);
        uint64_t r = expected(row, s2, s1, s3, rm, &flags);
        if (to_odd && !is_outcome(row))
            r = fp32_from_fp64(r, rm, &flags);
        if (to_odd)
            r = (uint32_t)r | (d[i] >> 32 << 32);
        if (!CHECK_EQ(v64(m, rd, i), r))
            printf("  %s of %016llx %016llx %016llx, rm %d, odd %u\n",
                   ventus_isa_info[in.op].name, (unsigned long long)s2,
                   (unsigned long long)s1, (unsigned long long)s3, rm, at.odd);
    }
    if (!CHECK_EQ(warp(m, 0)->fflags, flags))
        printf("  %s, rm %d, odd %u\n", ventus_isa_info[in.op].name, rm,
               at.odd);
    machine_free(m);
}

/* Floats in odd registers become doubles and results floats again, with their flags;
 * prefixes of version 2 change signs in between. */
TEST(odd_registers_hold_floats)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool no_mods = rows[i].integer;
        for (unsigned k = 0; k < 2 * 7 * 5 && !no_mods; k++) {
            unsigned mods = rows[i].three ? 7 : 3;
            struct places at = { .odd = k % 7 };
            enum fp_rm rm = (enum fp_rm)(k / 7 % 5);
            bool masked = random64() >> 63, vector = k >= 35;
            if (random64() >> 63) {
                at.abs = (unsigned)(random64() >> 40) & mods;
                at.neg = (unsigned)(random64() >> 40) & mods;
            }
            if (!vector || rows[i].vv)
                try_places(&rows[i], vector, rm, masked, at);
        }
    }
}

/* Operations with one source: conversions to integers are those of 32 bits if the result is. */
TEST(odd_registers_of_one_source)
{
    enum how { NUMBER, SMALL, FROM_INT, FROM_UINT, TO_INT, TO_UINT };
    typedef uint64_t fp1(uint64_t a, enum fp_rm rm, unsigned *flags);
    static const struct {
        enum ventus_isa_op op;
        fp1 *fn;
        enum how how;
        bool towards_zero;
    } ones[] = {
        { VENTUS_ISA_VFSQRT_V, sem_fsqrt_64, NUMBER, false },
        { VENTUS_ISA_VFEXP_V, sem_vfexp_64, NUMBER, false },
        { VENTUS_ISA_VFCLASS_V, sem_fclass_64, SMALL, false },
        { VENTUS_ISA_VFCVT_X_F_V, sem_fcvt_w_f_64, TO_INT, false },
        { VENTUS_ISA_VFCVT_XU_F_V, sem_fcvt_wu_f_64, TO_UINT, false },
        { VENTUS_ISA_VFCVT_RTZ_X_F_V, sem_fcvt_rtz_w_f_64, TO_INT, true },
        { VENTUS_ISA_VFCVT_RTZ_XU_F_V, sem_fcvt_rtz_wu_f_64, TO_UINT, true },
        { VENTUS_ISA_VFCVT_F_X_V, sem_fcvt_f_w_64, FROM_INT, false },
        { VENTUS_ISA_VFCVT_F_XU_V, sem_fcvt_f_wu_64, FROM_UINT, false },
    };
    for (size_t k = 0; k < 30 * sizeof ones / sizeof *ones; k++) {
        enum fp_rm rm = (enum fp_rm)(k % 5), used;
        bool to_odd = k / 5 % 3 != 1, from_odd = k / 5 % 3 == 1;
        bool masked = k / 15 % 2;
        enum how how = ones[k / 30].how;
        uint64_t a[LANES], d[LANES];
        uint32_t mask[LANES];
        for (unsigned i = 0; i < LANES; i++) {
            a[i] = operand_at(from_odd);
            if (how >= TO_INT && i % 2) /* near the limits of 32 bits */
                a[i] = (a[i] & UINT64_C(0x801fffffffffffff)) |
                       UINT64_C(0x41c0000000000000);
            d[i] = random64();
            mask[i] = (uint32_t)(random64() >> 40) & 1;
        }
        struct machine *m = machine(&(struct ventus_sim_config){ 0 });
        unsigned ra = 2 + from_odd, rd = 6 + to_odd;
        put_pairs(m, ra, a, 0);
        put_pairs(m, rd, d, 256);
        put_vector(m, 0, mask, 512);
        put(m, ventus_isa_csrrwi(0, VENTUS_ISA_CSR_FRM, rm));
        struct ventus_isa_insn in = ventus_isa_vfsqrt_v(rd, ra, !masked);
        in.op = ones[k / 30].op;
        in.pair = 1;
        put(m, in);
        run(m);
        unsigned flags = 0;
        used = ones[k / 30].towards_zero ? FP_RTZ : rm;
        for (unsigned i = 0; i < LANES; i++) {
            uint64_t x = taken(a[i], from_odd, false, false), r;
            if (masked && !mask[i]) {
                CHECK_EQ(v64(m, rd, i), d[i]);
                continue;
            }
            if (from_odd && how == FROM_INT)
                x = (uint64_t)(int32_t)a[i];
            else if (from_odd && how == FROM_UINT)
                x = (uint32_t)a[i];
            else if (how == FROM_INT || how == FROM_UINT)
                x = a[i];
            if (to_odd && how == TO_INT)
                r = (uint64_t)fp64_to_int(x, 32, used, &flags);
            else if (to_odd && how == TO_UINT)
                r = fp64_to_uint(x, 32, used, &flags);
            else
                r = ones[k / 30].fn(x, rm, &flags);
            if (to_odd && how != SMALL && how < TO_INT)
                r = fp32_from_fp64(r, rm, &flags);
            if (to_odd)
                r = (uint32_t)r | d[i] >> 32 << 32;
            if (!CHECK_EQ(v64(m, rd, i), r))
                printf("  %s of %016llx, rm %d\n", ventus_isa_info[in.op].name,
                       (unsigned long long)x, rm);
        }
        if (!CHECK_EQ(warp(m, 0)->fflags, flags))
            printf("  %s, rm %d\n", ventus_isa_info[in.op].name, rm);
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
