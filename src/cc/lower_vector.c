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
    { ISA_ADD, ISA_VADD_VV, ISA_VADD_VX, 0, true },
    { ISA_SUB, ISA_VSUB_VV, ISA_VSUB_VX, ISA_VRSUB_VX, false },
    { ISA_AND, ISA_VAND_VV, ISA_VAND_VX, 0, true },
    { ISA_OR, ISA_VOR_VV, ISA_VOR_VX, 0, true },
    { ISA_XOR, ISA_VXOR_VV, ISA_VXOR_VX, 0, true },
    { ISA_SLL, ISA_VSLL_VV, ISA_VSLL_VX, 0, false },
    { ISA_SRL, ISA_VSRL_VV, ISA_VSRL_VX, 0, false },
    { ISA_SRA, ISA_VSRA_VV, ISA_VSRA_VX, 0, false },
    { ISA_SLT, ISA_VMSLT_VV, ISA_VMSLT_VX, ISA_VMSGT_VX, false },
    { ISA_SLTU, ISA_VMSLTU_VV, ISA_VMSLTU_VX, ISA_VMSGTU_VX, false },
    { IR_SEQ, ISA_VMSEQ_VV, ISA_VMSEQ_VX, 0, true },
    { IR_SNE, ISA_VMSNE_VV, ISA_VMSNE_VX, 0, true },
    { IR_SLE, ISA_VMSLE_VV, ISA_VMSLE_VX, 0, false },
    { IR_SLEU, ISA_VMSLEU_VV, ISA_VMSLEU_VX, 0, false },
    { IR_MIN, ISA_VMIN_VV, ISA_VMIN_VX, 0, true },
    { IR_MAX, ISA_VMAX_VV, ISA_VMAX_VX, 0, true },
    { IR_MINU, ISA_VMINU_VV, ISA_VMINU_VX, 0, true },
    { IR_MAXU, ISA_VMAXU_VV, ISA_VMAXU_VX, 0, true },
    { IR_SADD, ISA_VSADD_VV, ISA_VSADD_VX, 0, true },
    { IR_SADDU, ISA_VSADDU_VV, ISA_VSADDU_VX, 0, true },
    { IR_SSUB, ISA_VSSUB_VV, ISA_VSSUB_VX, 0, false },
    { IR_SSUBU, ISA_VSSUBU_VV, ISA_VSSUBU_VX, 0, false },
    { IR_HADD, ISA_VAADD_VV, ISA_VAADD_VX, 0, true },
    { IR_HADDU, ISA_VAADDU_VV, ISA_VAADDU_VX, 0, true },
    { ISA_MUL, ISA_VMUL_VV, ISA_VMUL_VX, 0, true },
    { ISA_MULH, ISA_VMULH_VV, ISA_VMULH_VX, 0, true },
    { ISA_MULHU, ISA_VMULHU_VV, ISA_VMULHU_VX, 0, true },
    { ISA_MULHSU, ISA_VMULHSU_VV, ISA_VMULHSU_VX, 0, false },
    { ISA_DIV, ISA_VDIV_VV, ISA_VDIV_VX, 0, false },
    { ISA_DIVU, ISA_VDIVU_VV, ISA_VDIVU_VX, 0, false },
    { ISA_REM, ISA_VREM_VV, ISA_VREM_VX, 0, false },
    { ISA_REMU, ISA_VREMU_VV, ISA_VREMU_VX, 0, false },
    { ISA_FADD_S, ISA_VFADD_VV, ISA_VFADD_VF, 0, true },
    { ISA_FSUB_S, ISA_VFSUB_VV, ISA_VFSUB_VF, ISA_VFRSUB_VF, false },
    { ISA_FMUL_S, ISA_VFMUL_VV, ISA_VFMUL_VF, 0, true },
    { ISA_FDIV_S, ISA_VFDIV_VV, ISA_VFDIV_VF, ISA_VFRDIV_VF, false },
    { ISA_FSGNJ_S, ISA_VFSGNJ_VV, ISA_VFSGNJ_VF, 0, false },
    { ISA_FSGNJN_S, ISA_VFSGNJN_VV, ISA_VFSGNJN_VF, 0, false },
    { ISA_FSGNJX_S, ISA_VFSGNJX_VV, ISA_VFSGNJX_VF, 0, false },
    { ISA_FMIN_S, ISA_VFMIN_VV, ISA_VFMIN_VF, 0, true },
    { ISA_FMAX_S, ISA_VFMAX_VV, ISA_VFMAX_VF, 0, true },
    { ISA_FEQ_S, ISA_VMFEQ_VV, ISA_VMFEQ_VF, 0, true },
    { ISA_FLT_S, ISA_VMFLT_VV, ISA_VMFLT_VF, ISA_VMFGT_VF, false },
    { ISA_FLE_S, ISA_VMFLE_VV, ISA_VMFLE_VF, ISA_VMFGE_VF, false },
};

/* One source: slot 1 to slot 2. */
static const struct {
    uint16_t op, vector;
    uint8_t rm;
} unary[] = {
    { ISA_FSQRT_S, ISA_VFSQRT_V, 7 },
    { ISA_FCLASS_S, ISA_VFCLASS_V, 7 },
    { ISA_FCVT_W_S, ISA_VFCVT_RTZ_X_F_V, 1 },
    { ISA_FCVT_WU_S, ISA_VFCVT_RTZ_XU_F_V, 1 },
    { ISA_FCVT_W_S, ISA_VFCVT_X_F_V, 7 },
    { ISA_FCVT_WU_S, ISA_VFCVT_XU_F_V, 7 },
    { ISA_FCVT_S_W, ISA_VFCVT_F_X_V, 7 },
    { ISA_FCVT_S_WU, ISA_VFCVT_F_XU_V, 7 },
    { IR_CLIP, ISA_VNCLIP_WI, 7 }, /* >> 0 */
    { IR_WIDEN, ISA_VFWCVT_F_F_V, 7 },
    { IR_NARROW, ISA_VFNCVT_F_F_W, 7 },
};

/* Loads and stores: scalar, vector, private; branches: scalar, vector. */
static const uint16_t memory[][3] = {
    { ISA_LB, ISA_VLB12_V, ISA_VLB_V },
    { ISA_LH, ISA_VLH12_V, ISA_VLH_V },
    { ISA_LW, ISA_VLW12_V, ISA_VLW_V },
    { ISA_LBU, ISA_VLBU12_V, ISA_VLBU_V },
    { ISA_LHU, ISA_VLHU12_V, ISA_VLHU_V },
    { ISA_SB, ISA_VSB12_V, ISA_VSB_V },
    { ISA_SH, ISA_VSH12_V, ISA_VSH_V },
    { ISA_SW, ISA_VSW12_V, ISA_VSW_V },
};

static const uint16_t branches[][2] = {
    { ISA_BEQ, ISA_VBEQ }, { ISA_BNE, ISA_VBNE },   { ISA_BLT, ISA_VBLT },
    { ISA_BGE, ISA_VBGE }, { ISA_BLTU, ISA_VBLTU }, { ISA_BGEU, ISA_VBGEU },
};

/* A new instruction before `at`, with a result of class cls. */
struct ir_insn *
lower_before(struct lowering *s, struct ir_insn *at, unsigned op,
             enum ir_class cls, unsigned words)
{
    struct ir_insn *in = ir_insn_new(s->f, op);
    in->line = at->line;
    in->column = at->column;
    in->file = at->file;
    in->pair = words == 2;
    ir_insert_before(at, in);
    if (words)
        ir_set_dst(s->f, in, ir_value_new(s->f, cls, words));
    return in;
}

/* What is narrower than 32 bits of the sources and of the result of `in`. */
static uint8_t
source_half(const struct ir_insn *in)
{
    bool narrows = in->op == IR_NARROW || in->op == ISA_VFNCVT_F_F_W ||
                   in->op == IR_CLIP || in->op == ISA_VNCLIP_WI;
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
    bool has_xv = row->xv && !(is_upstream(s) && (row->xv == ISA_VMSGT_VX ||
                                                  row->xv == ISA_VMSGTU_VX));
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
    { ISA_FMADD_S,
      { ISA_VFMACC_VV, ISA_VFMACC_VF },
      { ISA_VFMADD_VV, ISA_VFMADD_VF } },
    { ISA_FMSUB_S,
      { ISA_VFMSAC_VV, ISA_VFMSAC_VF },
      { ISA_VFMSUB_VV, ISA_VFMSUB_VF } },
    { ISA_FNMSUB_S,
      { ISA_VFNMSAC_VV, ISA_VFNMSAC_VF },
      { ISA_VFNMSUB_VV, ISA_VFNMSUB_VF } },
    { ISA_FNMADD_S,
      { ISA_VFNMACC_VV, ISA_VFNMACC_VF },
      { ISA_VFNMADD_VV, ISA_VFNMADD_VF } },
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
    struct ir_insn *sub = lower_before(s, in, ISA_VSUB_VV, IR_V, 1);
    lower_sources(sub, lower_as_vector(s, sub, b), lower_as_vector(s, sub, a),
                  IR_NONE);
    in->op = ISA_VMADD_VV;
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
    in->op = scalar ? ISA_VMERGE_VXM : ISA_VMERGE_VVM;
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
    less = lower_before(s, in, in->op == IR_SLE ? ISA_SLT : ISA_SLTU, IR_V, 1);
    lower_sources(less, in->src[2], in->src[1], IR_NONE);
    in->op = ISA_XOR;
    lower_sources(in, less->dst, one->dst, IR_NONE);
    if (lower_is_vector(s, less->src[1]) || lower_is_vector(s, less->src[2]))
        binary(s, less);
    else
        lower_scalar_then_copy(s, less);
}

void
lower_to_vector(struct lowering *s, struct ir_insn *in)
{
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
