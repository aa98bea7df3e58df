/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Divergence lowering, scalar to vector machine IR: divergent values become
 * vectors, and what computes them vector instructions; uniform ones stay
 * scalar.  Pseudo operations that have no instruction are expanded.
 *
 *   v5 = add v3, v4      v5 = vadd.vv v3, v4
 *   v5 = add v3, s4      v5 = vadd.vx v3, s4
 *   v5 = lw s2 (private) v6 = copy s2; v5 = vlw.v v6
 *   s5 = seq s3, s4      s6 = xor s3, s4; s5 = sltiu s6, 1
 *
 * Scalar rows have their operands in slots 1, 2; vector rows a in slot 2 and b
 * in slot 1.
 */
#include <assert.h>

#include "cc/cc.h"

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

struct state {
    struct cc *c;
    struct ir_func *f;
    unsigned *uses; /* of the values there were at the start */
    size_t n_uses;
};

static bool
is_vector(struct state *s, ir_val v)
{
    return ir_value(s->f, v)->cls == IR_V;
}

/* A new instruction before `at`, with a result of class cls. */
static struct ir_insn *
before(struct state *s, struct ir_insn *at, unsigned op, enum ir_class cls,
       unsigned words)
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

static uint8_t
result_half(const struct ir_insn *in)
{
    return in->op == IR_WIDEN ? 0 : in->half;
}

/* v as a vector, for `at`; of halves 16 bits are enough. */
static ir_val
vector(struct state *s, struct ir_insn *at, ir_val v)
{
    if (is_vector(s, v))
        return v;
    struct ir_insn *in = before(s, at, IR_COPY, IR_V, ir_value(s->f, v)->words);
    in->src[1] = v;
    in->half = source_half(at);
    return in->dst;
}

static void
sources(struct ir_insn *in, ir_val s1, ir_val s2, ir_val s3)
{
    in->src[0] = IR_NONE;
    in->src[1] = s1;
    in->src[2] = s2;
    in->src[3] = s3;
}

/* ---- vectors ---- */

static bool
is_upstream(const struct state *s)
{
    return s->c->options->profile == CC_PROFILE_UPSTREAM;
}

static bool
binary(struct state *s, struct ir_insn *in)
{
    const struct row *row = NULL;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].op == in->op)
            row = &rows[i];
    if (!row)
        return false;
    ir_val a = in->src[1], b = in->src[2];
    bool has_xv = row->xv && !(is_upstream(s) && (row->xv == ISA_VMSGT_VX ||
                                                  row->xv == ISA_VMSGTU_VX));
    if (!is_vector(s, a) && is_vector(s, b) && row->commutes) {
        ir_val swap = a;
        a = b;
        b = swap;
    }
    if (is_vector(s, a) && !is_vector(s, b)) {
        in->op = row->vx;
    } else if (!is_vector(s, a) && is_vector(s, b) && has_xv) {
        in->op = row->xv;
        ir_val swap = a;
        a = b;
        b = swap;
    } else {
        in->op = row->vv;
        a = vector(s, in, a);
        b = vector(s, in, b);
    }
    /* sgnj of a value with itself, both odd registers */
    sources(in, b, a, IR_NONE);
    return true;
}

static bool
one_source(struct state *s, struct ir_insn *in)
{
    for (unsigned i = 0; i < sizeof unary / sizeof unary[0]; i++)
        if (unary[i].op == in->op && unary[i].rm == in->rm) {
            in->op = unary[i].vector;
            in->rm = 7;
            sources(in, IR_NONE, vector(s, in, in->src[1]), IR_NONE);
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
may_overwrite(struct state *s, const struct ir_insn *in, ir_val v)
{
    const struct ir_insn *phi = ir_value(s->f, v)->def;
    if (!is_vector(s, v) || v >= s->n_uses)
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
multiply_add(struct state *s, struct ir_insn *in)
{
    unsigned i = 0, n = sizeof multiply_adds / sizeof multiply_adds[0];
    while (i < n && multiply_adds[i].op != in->op)
        i++;
    if (i == n)
        return false;
    ir_val a = in->src[1], b = in->src[2], c = in->src[3];
    if (!is_vector(s, b) || (is_vector(s, a) && may_overwrite(s, in, a) >
                                                    may_overwrite(s, in, b))) {
        ir_val swap = a;
        a = b;
        b = swap;
    }
    bool over_b = may_overwrite(s, in, b) > may_overwrite(s, in, c);
    bool scalar = !is_vector(s, a);
    b = vector(s, in, b);
    c = vector(s, in, c);
    in->op = over_b ? multiply_adds[i].over_b[scalar]
                    : multiply_adds[i].over_c[scalar];
    sources(in, a, over_b ? c : b, IR_NONE);
    in->src[0] = over_b ? b : c;
    in->rm = 7;
    return true;
}

/* Without vmerge: c * (a - b) + b, exact because c is 0 or 1. */
static void
select_arithmetic(struct state *s, struct ir_insn *in, ir_val c, ir_val a,
                  ir_val b)
{
    struct ir_insn *sub = before(s, in, ISA_VSUB_VV, IR_V, 1);
    sources(sub, vector(s, sub, b), vector(s, sub, a), IR_NONE);
    in->op = ISA_VMADD_VV;
    sources(in, c, vector(s, in, b), IR_NONE);
    in->src[0] = sub->dst;
}

static void
select_vector(struct state *s, struct ir_insn *in)
{
    ir_val c = vector(s, in, in->src[1]), a = in->src[2], b = in->src[3];
    if (is_upstream(s)) {
        in->half = 0;
        select_arithmetic(s, in, c, a, b);
        return;
    }
    bool scalar = !is_vector(s, a) && !in->pair;
    in->op = scalar ? ISA_VMERGE_VXM : ISA_VMERGE_VVM;
    if (!scalar)
        a = vector(s, in, a);
    sources(in, a, vector(s, in, b), IR_NONE);
    in->mask = c;
}

static bool
access(struct state *s, struct ir_insn *in)
{
    for (unsigned i = 0; i < sizeof memory / sizeof memory[0]; i++)
        if (memory[i][0] == in->op) {
            in->op = memory[i][in->space == IR_SPACE_PRIVATE ? 2 : 1];
            in->src[1] = vector(s, in, in->src[1]);
            if (in->src[2])
                in->src[2] = vector(s, in, in->src[2]);
            return true;
        }
    return false;
}

static void
branch(struct state *s, struct ir_insn *in)
{
    for (unsigned i = 0; i < 6; i++)
        if (branches[i][0] == in->op) {
            in->op = branches[i][1];
            ir_val a = vector(s, in, in->src[1]);
            ir_val b = vector(s, in, in->src[2]);
            in->src[2] = a; /* vs2 OP vs1 */
            in->src[1] = b;
            return;
        }
}

/* No vector form: a scalar result, copied. */
static void
scalar_then_copy(struct state *s, struct ir_insn *in)
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
avoid_less_equal(struct state *s, struct ir_insn *in)
{
    struct ir_insn *less, *one = before(s, in, IR_CONST, IR_S, 1);
    one->imm = 1;
    less = before(s, in, in->op == IR_SLE ? ISA_SLT : ISA_SLTU, IR_V, 1);
    sources(less, in->src[2], in->src[1], IR_NONE);
    in->op = ISA_XOR;
    sources(in, less->dst, one->dst, IR_NONE);
    if (is_vector(s, less->src[1]) || is_vector(s, less->src[2]))
        binary(s, less);
    else
        scalar_then_copy(s, less);
}

static void
to_vector(struct state *s, struct ir_insn *in)
{
    switch (in->op) {
    case IR_PHI:
    case IR_COPY:
    case IR_UNDEF:
    case IR_PAIR:
        return;
    case IR_LO:
    case IR_HI:
        in->src[1] = vector(s, in, in->src[1]);
        return;
    case IR_SELECT:
        select_vector(s, in);
        return;
    }
    if (multiply_add(s, in))
        return;
    if (ir_is_load(in) && access(s, in))
        return;
    if (is_upstream(s) && (in->op == IR_SLE || in->op == IR_SLEU))
        avoid_less_equal(s, in);
    if (binary(s, in) || one_source(s, in))
        return;
    scalar_then_copy(s, in);
}

/* ---- scalars ---- */

static ir_val
op2(struct state *s, struct ir_insn *at, unsigned op, ir_val a, ir_val b)
{
    struct ir_insn *in = before(s, at, op, IR_S, 1);
    in->src[1] = a;
    in->src[2] = b;
    return in->dst;
}

static ir_val
opi(struct state *s, struct ir_insn *at, unsigned op, ir_val a, int32_t imm)
{
    struct ir_insn *in = before(s, at, op, IR_S, 1);
    in->src[1] = a;
    in->imm = imm;
    return in->dst;
}

static void
become(struct ir_insn *in, unsigned op, ir_val a, ir_val b, int32_t imm)
{
    in->op = (uint16_t)op;
    in->pair = in->half = 0;
    in->imm = imm;
    sources(in, a, b, IR_NONE);
}

static ir_val
differ(struct state *s, struct ir_insn *at, ir_val a, ir_val b)
{
    return b == IR_ZERO ? a : op2(s, at, ISA_XOR, a, b);
}

/* b ^ ((a ^ b) & -c); shorter with a zero. */
static ir_val
select_scalar(struct state *s, struct ir_insn *in, ir_val c, ir_val a, ir_val b)
{
    if (a == IR_ZERO)
        return op2(s, in, ISA_AND, b, opi(s, in, ISA_ADDI, c, -1));
    ir_val minus = op2(s, in, ISA_SUB, IR_ZERO, c);
    if (b == IR_ZERO)
        return op2(s, in, ISA_AND, a, minus);
    ir_val mixed = op2(s, in, ISA_AND, op2(s, in, ISA_XOR, a, b), minus);
    return op2(s, in, ISA_XOR, b, mixed);
}

static ir_val
half(struct state *s, struct ir_insn *at, unsigned op, ir_val v)
{
    struct ir_insn *in = before(s, at, op, IR_S, 1);
    in->src[1] = v;
    in->pair = 1;
    return in->dst;
}

/* No scalar instruction knows halves or saturates: the result of any lane. */
static bool
is_vector_only(const struct ir_insn *in)
{
    return (in->half && ir_is_isa(in->op)) ||
           (in->op >= IR_SADD && in->op <= IR_NARROW);
}

static void
half_to_scalar(struct state *s, struct ir_insn *in)
{
    ir_val dst = in->dst;
    struct ir_insn *out = ir_insn_new(s->f, ISA_VMV_X_S);
    ir_set_dst(s->f, in, ir_value_new(s->f, IR_V, 1));
    out->src[2] = in->dst;
    out->half = result_half(in);
    ir_insert_after(in, out);
    ir_set_dst(s->f, out, dst);
    in->src[1] = vector(s, in, in->src[1]);
    to_vector(s, in);
}

static void
to_scalar(struct state *s, struct ir_insn *in)
{
    ir_val a = in->src[1], b = in->src[2], c;
    if (is_vector_only(in)) {
        half_to_scalar(s, in);
        return;
    }
    switch (in->op) {
    case IR_SEQ:
        become(in, ISA_SLTIU, differ(s, in, a, b), IR_NONE, 1);
        return;
    case IR_SNE:
        become(in, ISA_SLTU, IR_ZERO, differ(s, in, a, b), 0);
        return;
    case IR_SLE:
    case IR_SLEU:
        c = op2(s, in, in->op == IR_SLE ? ISA_SLT : ISA_SLTU, b, a);
        become(in, ISA_XORI, c, IR_NONE, 1);
        return;
    case IR_MIN:
    case IR_MINU:
        c = op2(s, in, in->op == IR_MIN ? ISA_SLT : ISA_SLTU, a, b);
        become(in, IR_COPY, select_scalar(s, in, c, a, b), IR_NONE, 0);
        return;
    case IR_MAX:
    case IR_MAXU:
        c = op2(s, in, in->op == IR_MAX ? ISA_SLT : ISA_SLTU, b, a);
        become(in, IR_COPY, select_scalar(s, in, c, a, b), IR_NONE, 0);
        return;
    case IR_SELECT:
        if (!in->pair) {
            become(in, IR_COPY, select_scalar(s, in, a, b, in->src[3]), IR_NONE,
                   0);
            return;
        }
        c = select_scalar(s, in, a, half(s, in, IR_LO, b),
                          half(s, in, IR_LO, in->src[3]));
        ir_val hi = select_scalar(s, in, a, half(s, in, IR_HI, b),
                                  half(s, in, IR_HI, in->src[3]));
        become(in, IR_PAIR, c, hi, 0);
        in->pair = 1;
        return;
    case IR_UNIFORM:
        if (is_vector(s, a))
            become(in, ISA_VMV_X_S, IR_NONE, a, 0);
        else
            become(in, IR_COPY, a, IR_NONE, 0);
        return;
    }
}

/* ---- what has no result, atomics ---- */

static ir_val
any_lane(struct state *s, struct ir_insn *at, ir_val v)
{
    if (!is_vector(s, v))
        return v;
    struct ir_insn *in = before(s, at, ISA_VMV_X_S, IR_S, 1);
    in->src[2] = v;
    return in->dst;
}

/* A row on vectors in scalar machine IR: of inline assembly, vid.v, vfexp.v. */
static bool
is_vector_row(const struct ir_insn *in)
{
    for (unsigned slot = 0; slot < 4 && ir_is_isa(in->op); slot++)
        if (ir_slot_kind(in->op, (enum isa_slot)slot) == ISA_KIND_V)
            return true;
    return false;
}

static void
fit_slots(struct state *s, struct ir_insn *in)
{
    for (unsigned slot = 0; slot < 4; slot++) {
        int kind = ir_slot_kind(in->op, (enum isa_slot)slot);
        if (in->src[slot] && kind == ISA_KIND_V)
            in->src[slot] = vector(s, in, in->src[slot]);
        else if (in->src[slot])
            in->src[slot] = any_lane(s, in, in->src[slot]);
    }
}

/*
 * Scalars for vector parameters and results become vectors when they are moved
 * there; small constants at once, for which there is an instruction.
 */
static void
rewrite_call(struct state *s, struct ir_insn *in)
{
    const struct ir_place *place =
        in->op == IR_CALL ? in->callee->params : s->f->results;
    for (unsigned i = 0; i < in->n_in; i++) {
        const struct ir_insn *def = ir_value(s->f, in->many[i])->def;
        if (in->op == IR_CALL && place[i].sreg)
            in->many[i] = any_lane(s, in, in->many[i]);
        else if (def && def->op == IR_CONST && def->imm >= -16 && def->imm < 16)
            in->many[i] = vector(s, in, in->many[i]);
    }
}

static void
rewrite(struct state *s, struct ir_insn *in)
{
    if (in->op == IR_CALL || in->op == IR_RET || in->op == IR_ENTER) {
        rewrite_call(s, in);
        return;
    }
    if (is_vector_row(in)) {
        fit_slots(s, in);
        return;
    }
    bool atomic = ir_is_isa(in->op) && (isa_info[in->op].flags & ISA_F_ATOMIC);
    if (atomic) {
        in->src[1] = vector(s, in, in->src[1]);
        if (in->src[2])
            in->src[2] = vector(s, in, in->src[2]);
    } else if (in->op == ISA_CSRRW) {
        in->src[1] = any_lane(s, in, in->src[1]);
        if (in->dst && is_vector(s, in->dst))
            scalar_then_copy(s, in);
    } else if (ir_is_branch(in)) {
        if (is_vector(s, in->src[1]) || is_vector(s, in->src[2]))
            branch(s, in);
    } else if (ir_is_store(in)) {
        if (in->space == IR_SPACE_PRIVATE || is_vector(s, in->src[1]) ||
            is_vector(s, in->src[2]))
            access(s, in);
    } else if (in->dst && is_vector(s, in->dst)) {
        to_vector(s, in);
    } else {
        to_scalar(s, in);
    }
}

void
cc_lower_divergence(struct cc *c)
{
    assert(c->f->form == IR_FORM_SCALAR);
    struct state s = { .c = c, .f = c->f };
    struct ir_func *f = c->f;
    ir_val **at = arena_new(f->arena, ir_val *, ir_max_sources(f));
    ir_analyse(f);
    s.n_uses = f->values.n;
    s.uses = arena_new(f->arena, unsigned, s.n_uses);
    ir_foreach_block (f, b)
        ir_foreach_insn (b, in)
            for (unsigned i = ir_sources(in, at); i-- > 0;)
                s.uses[*at[i]]++;
    for (size_t v = 2; v < f->values.n; v++)
        if (f->values.at[v].divergent) {
            f->values.at[v].cls = IR_V;
            f->values.at[v].divergent = false;
        }
    ir_foreach_rpo (f, b)
        ir_foreach_insn_safe (b, in)
            rewrite(&s, in);
    /* what is not reachable is not rewritten */
    ir_foreach_block (f, b)
        if (!b->reachable)
            ir_foreach_insn_safe (b, in)
                if (!ir_is_terminator(in))
                    ir_remove(in);
}
