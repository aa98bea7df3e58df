/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Divergence lowering: the vector form of an instruction.  Scalar rows have
 * their operands in slots 1, 2; vector rows a in slot 2 and b in slot 1.
 */
#include <assert.h>

#include "cc/lower_divergence.h"

/* a op b: both vectors; b scalar; a scalar. */
struct row {
    uint16_t op, vv, vx, xv;
    bool commutes;
};

static const struct row rows[] = {
    { VENTUS_ISA_ADD, VENTUS_ISA_VADD_VV, VENTUS_ISA_VADD_VX, 0, true },
    { VENTUS_ISA_SUB, VENTUS_ISA_VSUB_VV, VENTUS_ISA_VSUB_VX,
      VENTUS_ISA_VRSUB_VX, false },
    { VENTUS_ISA_AND, VENTUS_ISA_VAND_VV, VENTUS_ISA_VAND_VX, 0, true },
    { VENTUS_ISA_OR, VENTUS_ISA_VOR_VV, VENTUS_ISA_VOR_VX, 0, true },
    { VENTUS_ISA_XOR, VENTUS_ISA_VXOR_VV, VENTUS_ISA_VXOR_VX, 0, true },
    { VENTUS_ISA_SLL, VENTUS_ISA_VSLL_VV, VENTUS_ISA_VSLL_VX, 0, false },
    { VENTUS_ISA_SRL, VENTUS_ISA_VSRL_VV, VENTUS_ISA_VSRL_VX, 0, false },
    { VENTUS_ISA_SRA, VENTUS_ISA_VSRA_VV, VENTUS_ISA_VSRA_VX, 0, false },
    { VENTUS_ISA_SLT, VENTUS_ISA_VMSLT_VV, VENTUS_ISA_VMSLT_VX,
      VENTUS_ISA_VMSGT_VX, false },
    { VENTUS_ISA_SLTU, VENTUS_ISA_VMSLTU_VV, VENTUS_ISA_VMSLTU_VX,
      VENTUS_ISA_VMSGTU_VX, false },
    { IR_SEQ, VENTUS_ISA_VMSEQ_VV, VENTUS_ISA_VMSEQ_VX, 0, true },
    { IR_SNE, VENTUS_ISA_VMSNE_VV, VENTUS_ISA_VMSNE_VX, 0, true },
    { IR_SLE, VENTUS_ISA_VMSLE_VV, VENTUS_ISA_VMSLE_VX, 0, false },
    { IR_SLEU, VENTUS_ISA_VMSLEU_VV, VENTUS_ISA_VMSLEU_VX, 0, false },
    { IR_MIN, VENTUS_ISA_VMIN_VV, VENTUS_ISA_VMIN_VX, 0, true },
    { IR_MAX, VENTUS_ISA_VMAX_VV, VENTUS_ISA_VMAX_VX, 0, true },
    { IR_MINU, VENTUS_ISA_VMINU_VV, VENTUS_ISA_VMINU_VX, 0, true },
    { IR_MAXU, VENTUS_ISA_VMAXU_VV, VENTUS_ISA_VMAXU_VX, 0, true },
    { IR_SADD, VENTUS_ISA_VSADD_VV, VENTUS_ISA_VSADD_VX, 0, true },
    { IR_SADDU, VENTUS_ISA_VSADDU_VV, VENTUS_ISA_VSADDU_VX, 0, true },
    { IR_SSUB, VENTUS_ISA_VSSUB_VV, VENTUS_ISA_VSSUB_VX, 0, false },
    { IR_SSUBU, VENTUS_ISA_VSSUBU_VV, VENTUS_ISA_VSSUBU_VX, 0, false },
    { IR_HADD, VENTUS_ISA_VAADD_VV, VENTUS_ISA_VAADD_VX, 0, true },
    { IR_HADDU, VENTUS_ISA_VAADDU_VV, VENTUS_ISA_VAADDU_VX, 0, true },
    { VENTUS_ISA_MUL, VENTUS_ISA_VMUL_VV, VENTUS_ISA_VMUL_VX, 0, true },
    { VENTUS_ISA_MULH, VENTUS_ISA_VMULH_VV, VENTUS_ISA_VMULH_VX, 0, true },
    { VENTUS_ISA_MULHU, VENTUS_ISA_VMULHU_VV, VENTUS_ISA_VMULHU_VX, 0, true },
    { VENTUS_ISA_MULHSU, VENTUS_ISA_VMULHSU_VV, VENTUS_ISA_VMULHSU_VX, 0,
      false },
    { VENTUS_ISA_DIV, VENTUS_ISA_VDIV_VV, VENTUS_ISA_VDIV_VX, 0, false },
    { VENTUS_ISA_DIVU, VENTUS_ISA_VDIVU_VV, VENTUS_ISA_VDIVU_VX, 0, false },
    { VENTUS_ISA_REM, VENTUS_ISA_VREM_VV, VENTUS_ISA_VREM_VX, 0, false },
    { VENTUS_ISA_REMU, VENTUS_ISA_VREMU_VV, VENTUS_ISA_VREMU_VX, 0, false },
    { VENTUS_ISA_FADD_S, VENTUS_ISA_VFADD_VV, VENTUS_ISA_VFADD_VF, 0, true },
    { VENTUS_ISA_FSUB_S, VENTUS_ISA_VFSUB_VV, VENTUS_ISA_VFSUB_VF,
      VENTUS_ISA_VFRSUB_VF, false },
    { VENTUS_ISA_FMUL_S, VENTUS_ISA_VFMUL_VV, VENTUS_ISA_VFMUL_VF, 0, true },
    { VENTUS_ISA_FDIV_S, VENTUS_ISA_VFDIV_VV, VENTUS_ISA_VFDIV_VF,
      VENTUS_ISA_VFRDIV_VF, false },
    { VENTUS_ISA_FSGNJ_S, VENTUS_ISA_VFSGNJ_VV, VENTUS_ISA_VFSGNJ_VF, 0,
      false },
    { VENTUS_ISA_FSGNJN_S, VENTUS_ISA_VFSGNJN_VV, VENTUS_ISA_VFSGNJN_VF, 0,
      false },
    { VENTUS_ISA_FSGNJX_S, VENTUS_ISA_VFSGNJX_VV, VENTUS_ISA_VFSGNJX_VF, 0,
      false },
    { VENTUS_ISA_FMIN_S, VENTUS_ISA_VFMIN_VV, VENTUS_ISA_VFMIN_VF, 0, true },
    { VENTUS_ISA_FMAX_S, VENTUS_ISA_VFMAX_VV, VENTUS_ISA_VFMAX_VF, 0, true },
    { VENTUS_ISA_FEQ_S, VENTUS_ISA_VMFEQ_VV, VENTUS_ISA_VMFEQ_VF, 0, true },
    { VENTUS_ISA_FLT_S, VENTUS_ISA_VMFLT_VV, VENTUS_ISA_VMFLT_VF,
      VENTUS_ISA_VMFGT_VF, false },
    { VENTUS_ISA_FLE_S, VENTUS_ISA_VMFLE_VV, VENTUS_ISA_VMFLE_VF,
      VENTUS_ISA_VMFGE_VF, false },
};

/* Instructions of one source: slot 1 to slot 2. */
static const struct {
    uint16_t op, vector;
    uint8_t rm;
} unary[] = {
    { VENTUS_ISA_FSQRT_S, VENTUS_ISA_VFSQRT_V, 7 },
    { VENTUS_ISA_FCLASS_S, VENTUS_ISA_VFCLASS_V, 7 },
    { VENTUS_ISA_FCVT_W_S, VENTUS_ISA_VFCVT_RTZ_X_F_V, 1 },
    { VENTUS_ISA_FCVT_WU_S, VENTUS_ISA_VFCVT_RTZ_XU_F_V, 1 },
    { VENTUS_ISA_FCVT_W_S, VENTUS_ISA_VFCVT_X_F_V, 7 },
    { VENTUS_ISA_FCVT_WU_S, VENTUS_ISA_VFCVT_XU_F_V, 7 },
    { VENTUS_ISA_FCVT_S_W, VENTUS_ISA_VFCVT_F_X_V, 7 },
    { VENTUS_ISA_FCVT_S_WU, VENTUS_ISA_VFCVT_F_XU_V, 7 },
    { IR_CLIP, VENTUS_ISA_VNCLIP_WI, 7 }, /* >> 0 */
    { IR_WIDEN, VENTUS_ISA_VFWCVT_F_F_V, 7 },
    { IR_NARROW, VENTUS_ISA_VFNCVT_F_F_W, 7 },
};

/* Loads and stores: scalar, vector, private; branches: scalar, vector. */
static const uint16_t memory[][3] = {
    { VENTUS_ISA_LB, VENTUS_ISA_VLB12_V, VENTUS_ISA_VLB_V },
    { VENTUS_ISA_LH, VENTUS_ISA_VLH12_V, VENTUS_ISA_VLH_V },
    { VENTUS_ISA_LW, VENTUS_ISA_VLW12_V, VENTUS_ISA_VLW_V },
    { VENTUS_ISA_LBU, VENTUS_ISA_VLBU12_V, VENTUS_ISA_VLBU_V },
    { VENTUS_ISA_LHU, VENTUS_ISA_VLHU12_V, VENTUS_ISA_VLHU_V },
    { VENTUS_ISA_SB, VENTUS_ISA_VSB12_V, VENTUS_ISA_VSB_V },
    { VENTUS_ISA_SH, VENTUS_ISA_VSH12_V, VENTUS_ISA_VSH_V },
    { VENTUS_ISA_SW, VENTUS_ISA_VSW12_V, VENTUS_ISA_VSW_V },
};

static const uint16_t branches[][2] = {
    { VENTUS_ISA_BEQ, VENTUS_ISA_VBEQ },
    { VENTUS_ISA_BNE, VENTUS_ISA_VBNE },
    { VENTUS_ISA_BLT, VENTUS_ISA_VBLT },
    { VENTUS_ISA_BGE, VENTUS_ISA_VBGE },
    { VENTUS_ISA_BLTU, VENTUS_ISA_VBLTU },
    { VENTUS_ISA_BGEU, VENTUS_ISA_VBGEU },
};

/* A new instruction before `at`, with a result of class cls. */
struct ir_insn *
lower_before(struct lowering *s, struct ir_insn *at, unsigned op,
             enum ir_class cls, unsigned words)
{
    struct ir_insn *in = ir_insn_new(s->f, op);
    ir_place_like(in, at);
    in->pair = words == 2;
    ir_insert_before(at, in);
    if (words)
        ir_set_dst(s->f, in, ir_value_new(s->f, cls, words));
    return in;
}

/* The parts of the sources and of the result of `in` that are narrower than 32 bits. */
static uint8_t
source_half(const struct ir_insn *in)
{
    bool narrows = in->op == IR_NARROW || in->op == VENTUS_ISA_VFNCVT_F_F_W ||
                   in->op == IR_CLIP || in->op == VENTUS_ISA_VNCLIP_WI;
    return narrows ? 0 : in->half;
}

uint8_t
lower_result_half(const struct ir_insn *in)
{
    return in->op == IR_WIDEN ? 0 : in->half;
}

/* v as a vector, for `at`; of halves 16 bits are enough. */
ir_val
lower_as_vector(struct lowering *s, struct ir_insn *at, ir_val v)
{
    if (lower_is_vector(s, v))
        return v;
    assert(v != IR_NONE);
    struct ir_insn *in =
        lower_before(s, at, IR_COPY, IR_V, ir_value(s->f, v)->words);
    in->src[1] = v;
    in->half = source_half(at);
    return in->dst;
}

void
lower_sources(struct ir_insn *in, ir_val s1, ir_val s2, ir_val s3)
{
    in->src[0] = IR_NONE;
    in->src[1] = s1;
    in->src[2] = s2;
    in->src[3] = s3;
}

static bool
is_upstream(const struct lowering *s)
{
    return s->c->options->profile == CC_PROFILE_UPSTREAM;
}

static bool
binary(struct lowering *s, struct ir_insn *in)
{
    const struct row *row = NULL;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].op == in->op)
            row = &rows[i];
    if (!row)
        return false;
    assert(row->vv && row->vx && !in->masked);
    ir_val a = in->src[1], b = in->src[2];
    bool has_xv =
        row->xv && !(is_upstream(s) && (row->xv == VENTUS_ISA_VMSGT_VX ||
                                        row->xv == VENTUS_ISA_VMSGTU_VX));
    if (!lower_is_vector(s, a) && lower_is_vector(s, b) && row->commutes) {
        ir_val swap = a;
        a = b;
        b = swap;
    }
    if (lower_is_vector(s, a) && !lower_is_vector(s, b)) {
        in->op = row->vx;
    } else if (!lower_is_vector(s, a) && lower_is_vector(s, b) && has_xv) {
        in->op = row->xv;
        ir_val swap = a;
        a = b;
        b = swap;
    } else {
        in->op = row->vv;
        a = lower_as_vector(s, in, a);
        b = lower_as_vector(s, in, b);
    }
    /* sgnj of a value with itself, both odd registers */
    lower_sources(in, b, a, IR_NONE);
    return true;
}

static bool
one_source(struct lowering *s, struct ir_insn *in)
{
    for (unsigned i = 0; i < sizeof unary / sizeof unary[0]; i++)
        if (unary[i].op == in->op && unary[i].rm == in->rm) {
            in->op = unary[i].vector;
            in->rm = 7;
            lower_sources(in, IR_NONE, lower_as_vector(s, in, in->src[1]),
                          IR_NONE);
            return true;
        }
    return false;
}

/* a * b + c and with other signs: over c, over b; both vectors, a scalar. */
static const struct {
    uint16_t op, over_c[2], over_b[2];
} multiply_adds[] = {
    { VENTUS_ISA_FMADD_S,
      { VENTUS_ISA_VFMACC_VV, VENTUS_ISA_VFMACC_VF },
      { VENTUS_ISA_VFMADD_VV, VENTUS_ISA_VFMADD_VF } },
    { VENTUS_ISA_FMSUB_S,
      { VENTUS_ISA_VFMSAC_VV, VENTUS_ISA_VFMSAC_VF },
      { VENTUS_ISA_VFMSUB_VV, VENTUS_ISA_VFMSUB_VF } },
    { VENTUS_ISA_FNMSUB_S,
      { VENTUS_ISA_VFNMSAC_VV, VENTUS_ISA_VFNMSAC_VF },
      { VENTUS_ISA_VFNMSUB_VV, VENTUS_ISA_VFNMSUB_VF } },
    { VENTUS_ISA_FNMADD_S,
      { VENTUS_ISA_VFNMACC_VV, VENTUS_ISA_VFNMACC_VF },
      { VENTUS_ISA_VFNMADD_VV, VENTUS_ISA_VFNMADD_VF } },
};

/* How glad we are if the result overwrites v: it is of no use any more. */
static unsigned
may_overwrite(struct lowering *s, const struct ir_insn *in, ir_val v)
{
    const struct ir_insn *phi = ir_value(s->f, v)->def;
    if (!lower_is_vector(s, v) || v >= s->n_uses)
        return 0;
    for (unsigned i = 0; phi && phi->op == IR_PHI && i < phi->n_many; i++)
        if (phi->many[i] == in->dst)
            return 2; /* the next value of a loop's variable */
    return s->uses[v] == 1;
}

/*
 * The result takes the register of c (vfmacc), or of a factor that is used
 * nowhere else if c is (vfmadd).
 */
static bool
multiply_add(struct lowering *s, struct ir_insn *in)
{
    unsigned i = 0, n = sizeof multiply_adds / sizeof multiply_adds[0];
    while (i < n && multiply_adds[i].op != in->op)
        i++;
    if (i == n)
        return false;
    ir_val a = in->src[1], b = in->src[2], c = in->src[3];
    if (!lower_is_vector(s, b) ||
        (lower_is_vector(s, a) &&
         may_overwrite(s, in, a) > may_overwrite(s, in, b))) {
        ir_val swap = a;
        a = b;
        b = swap;
    }
    bool over_b = may_overwrite(s, in, b) > may_overwrite(s, in, c);
    bool scalar = !lower_is_vector(s, a);
    b = lower_as_vector(s, in, b);
    c = lower_as_vector(s, in, c);
    in->op = over_b ? multiply_adds[i].over_b[scalar]
                    : multiply_adds[i].over_c[scalar];
    lower_sources(in, a, over_b ? c : b, IR_NONE);
    in->src[0] = over_b ? b : c;
    in->rm = 7;
    return true;
}

/* Without vmerge: c * (a - b) + b, exact because c is 0 or 1. */
static void
select_arithmetic(struct lowering *s, struct ir_insn *in, ir_val c, ir_val a,
                  ir_val b)
{
    struct ir_insn *sub = lower_before(s, in, VENTUS_ISA_VSUB_VV, IR_V, 1);
    lower_sources(sub, lower_as_vector(s, sub, b), lower_as_vector(s, sub, a),
                  IR_NONE);
    in->op = VENTUS_ISA_VMADD_VV;
    lower_sources(in, c, lower_as_vector(s, in, b), IR_NONE);
    in->src[0] = sub->dst;
}

static void
select_vector(struct lowering *s, struct ir_insn *in)
{
    ir_val c = lower_as_vector(s, in, in->src[1]), a = in->src[2],
           b = in->src[3];
    if (is_upstream(s)) {
        in->half = 0;
        select_arithmetic(s, in, c, a, b);
        return;
    }
    bool scalar = !lower_is_vector(s, a) && !in->pair;
    in->op = scalar ? VENTUS_ISA_VMERGE_VXM : VENTUS_ISA_VMERGE_VVM;
    if (!scalar)
        a = lower_as_vector(s, in, a);
    lower_sources(in, a, lower_as_vector(s, in, b), IR_NONE);
    in->mask = c;
}

bool
lower_access(struct lowering *s, struct ir_insn *in)
{
    for (unsigned i = 0; i < sizeof memory / sizeof memory[0]; i++)
        if (memory[i][0] == in->op) {
            in->op = memory[i][in->space == IR_SPACE_PRIVATE ? 2 : 1];
            in->src[1] = lower_as_vector(s, in, in->src[1]);
            if (in->src[2])
                in->src[2] = lower_as_vector(s, in, in->src[2]);
            return true;
        }
    return false;
}

void
lower_branch(struct lowering *s, struct ir_insn *in)
{
    for (unsigned i = 0; i < 6; i++)
        if (branches[i][0] == in->op) {
            in->op = branches[i][1];
            ir_val a = lower_as_vector(s, in, in->src[1]);
            ir_val b = lower_as_vector(s, in, in->src[2]);
            in->src[2] = a; /* vs2 OP vs1 */
            in->src[1] = b;
            return;
        }
}

/* No vector form: a scalar result, copied. */
void
lower_scalar_then_copy(struct lowering *s, struct ir_insn *in)
{
    ir_val dst = in->dst;
    struct ir_insn *copy = ir_insn_new(s->f, IR_COPY);
    unsigned words = ir_value(s->f, dst)->words;
    ir_set_dst(s->f, in, ir_value_new(s->f, IR_S, words));
    copy->src[1] = in->dst;
    copy->pair = words == 2;
    ir_insert_after(in, copy);
    ir_set_dst(s->f, copy, dst);
}

/* a <= b is not (b < a): the RTL inverts vmsle and gets vmsgt wrong. */
static void
avoid_less_equal(struct lowering *s, struct ir_insn *in)
{
    struct ir_insn *less, *one = lower_before(s, in, IR_CONST, IR_S, 1);
    one->imm = 1;
    less = lower_before(
        s, in, in->op == IR_SLE ? VENTUS_ISA_SLT : VENTUS_ISA_SLTU, IR_V, 1);
    lower_sources(less, in->src[2], in->src[1], IR_NONE);
    in->op = VENTUS_ISA_XOR;
    lower_sources(in, less->dst, one->dst, IR_NONE);
    if (lower_is_vector(s, less->src[1]) || lower_is_vector(s, less->src[2]))
        binary(s, less);
    else
        lower_scalar_then_copy(s, less);
}

/*
 * zext x << k is x * 2^k of twice as many bits: one instruction in place of two.
 * (A sign extension is none: an odd register has it.)
 */
static bool
widening_shift(struct lowering *s, struct ir_insn *in)
{
    int32_t k;
    if (in->op != VENTUS_ISA_SLL || !in->pair || in->src[1] <= IR_ZERO ||
        !cc_is_constant(s->f, in->src[2], &k) || k < 0 || k > 31)
        return false;
    const struct ir_insn *def = ir_value(s->f, in->src[1])->def;
    if (!def || def->op != VENTUS_ISA_VWADDU_VX || def->src[1] != IR_ZERO)
        return false;
    struct ir_insn *factor = lower_before(s, in, IR_CONST, IR_S, 1);
    factor->imm = (int32_t)(1u << k);
    in->op = VENTUS_ISA_VWMULU_VX;
    lower_sources(in, factor->dst, def->src[2], IR_NONE);
    return true;
}

void
lower_to_vector(struct lowering *s, struct ir_insn *in)
{
    if (widening_shift(s, in))
        return;
    switch (in->op) {
    case IR_PHI:
    case IR_COPY:
    case IR_UNDEF:
    case IR_PAIR:
        return;
    case IR_LO:
    case IR_HI:
        in->src[1] = lower_as_vector(s, in, in->src[1]);
        return;
    case IR_SELECT:
        select_vector(s, in);
        return;
    case IR_SEXT: /* a sum with 0 of twice as many bits */
    case IR_ZEXT:
        in->op = in->op == IR_SEXT ? VENTUS_ISA_VWADD_VX : VENTUS_ISA_VWADDU_VX;
        lower_sources(in, IR_ZERO, lower_as_vector(s, in, in->src[1]), IR_NONE);
        return;
    }
    if (multiply_add(s, in))
        return;
    if (ir_is_load(in) && lower_access(s, in))
        return;
    if (is_upstream(s) && (in->op == IR_SLE || in->op == IR_SLEU))
        avoid_less_equal(s, in);
    if (binary(s, in) || one_source(s, in))
        return;
    lower_scalar_then_copy(s, in);
}
