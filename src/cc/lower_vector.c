/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Divergence lowering: the vector form of an instruction.  Scalar rows have
 * their operands in slots 1, 2; vector rows a in slot 2 and b in slot 1.
 */
#include <assert.h>

#include "cc/lower_divergence.h"

/* The rows of pseudo operations, with vectors only; ventus.isa relates them to those
 * with a scalar. */
static const struct {
    uint16_t op, vector;
} pseudo[] = {
    { IR_SEQ, VENTUS_ISA_VMSEQ_VV },
    { IR_SNE, VENTUS_ISA_VMSNE_VV },
    { IR_SLE, VENTUS_ISA_VMSLE_VV },
    { IR_SLEU, VENTUS_ISA_VMSLEU_VV },
    { IR_MIN, VENTUS_ISA_VMIN_VV },
    { IR_MAX, VENTUS_ISA_VMAX_VV },
    { IR_MINU, VENTUS_ISA_VMINU_VV },
    { IR_MAXU, VENTUS_ISA_VMAXU_VV },
    { IR_SADD, VENTUS_ISA_VSADD_VV },
    { IR_SADDU, VENTUS_ISA_VSADDU_VV },
    { IR_SSUB, VENTUS_ISA_VSSUB_VV },
    { IR_SSUBU, VENTUS_ISA_VSSUBU_VV },
    { IR_HADD, VENTUS_ISA_VAADD_VV },
    { IR_HADDU, VENTUS_ISA_VAADDU_VV },
    { IR_WIDEN, VENTUS_ISA_VFWCVT_F_F_V },
    { IR_NARROW, VENTUS_ISA_VFNCVT_F_F_W },
    { IR_CLIP, VENTUS_ISA_VNCLIP_WI }, /* >> 0 */
};

/* The row with vectors for a scalar row or pseudo operation; VENTUS_ISA_NONE if there
 * is none. */
static uint16_t
vector_row(unsigned op)
{
    for (unsigned i = 0; i < sizeof pseudo / sizeof pseudo[0]; i++)
        if (pseudo[i].op == op)
            return pseudo[i].vector;
    return ir_related(op, VENTUS_ISA_VECTOR_OF);
}

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
    bool narrows = in->op == IR_NARROW || in->op == IR_CLIP ||
                   ir_flags(in->op) & VENTUS_ISA_F_NARROWS;
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

/* Whether the target has a row and the profile allows it. */
static bool
is_allowed(const struct lowering *s, unsigned op)
{
    return op && !(is_upstream(s) &&
                   ventus_isa_info[op].flags & VENTUS_ISA_F_DIFFERS);
}

/* a op b, with a scalar on one side where there is a row for that. */
static bool
binary(struct lowering *s, struct ir_insn *in)
{
    uint16_t vv = vector_row(in->op);
    uint16_t vx = ir_related(vv, VENTUS_ISA_SCALAR_OF);
    uint16_t xv = ir_related(vx, VENTUS_ISA_EXCHANGED_OF);
    if (!vx)
        return false;
    assert(!in->masked && "scalar operations have no mask");
    ir_val a = in->src[1], b = in->src[2];
    bool commutes = ir_flags(vv) & VENTUS_ISA_F_COMMUTES;
    if (!lower_is_vector(s, a) && lower_is_vector(s, b) && commutes) {
        ir_val swap = a;
        a = b;
        b = swap;
    }
    if (lower_is_vector(s, a) && !lower_is_vector(s, b)) {
        in->op = vx;
    } else if (!lower_is_vector(s, a) && lower_is_vector(s, b) &&
               is_allowed(s, xv)) {
        in->op = xv;
        ir_val swap = a;
        a = b;
        b = swap;
    } else {
        in->op = vv;
        a = lower_as_vector(s, in, a);
        b = lower_as_vector(s, in, b);
    }
    /* sgnj of a value with itself, both odd registers */
    lower_sources(in, b, a, IR_NONE);
    return true;
}

/* An operation of one source, which rounds as frm says or, to integers, towards zero. */
static bool
one_source(struct lowering *s, struct ir_insn *in)
{
    enum { ROUND_TOWARDS_ZERO = 1, ROUND_DYNAMIC = 7 };
    uint16_t op = in->rm == ROUND_DYNAMIC ? vector_row(in->op)
                  : in->rm == ROUND_TOWARDS_ZERO
                      ? ir_related(in->op, VENTUS_ISA_TRUNCATING_OF)
                      : VENTUS_ISA_NONE;
    if (!op)
        return false;
    in->op = op;
    in->rm = ROUND_DYNAMIC;
    lower_sources(in, IR_NONE, lower_as_vector(s, in, in->src[1]), IR_NONE);
    return true;
}

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
    uint16_t op = vector_row(in->op);
    if (!ir_related(op, VENTUS_ISA_FACTOR_OF))
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
    if (over_b)
        op = ir_related(op, VENTUS_ISA_FACTOR_OF);
    in->op = scalar ? ir_related(op, VENTUS_ISA_SCALAR_OF) : op;
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
    uint16_t op = vector_row(in->op);
    if (!op)
        return false;
    bool is_private = in->space == IR_SPACE_PRIVATE;
    in->op = is_private ? ir_related(op, VENTUS_ISA_PRIVATE_OF) : op;
    in->src[1] = lower_as_vector(s, in, in->src[1]);
    if (in->src[2])
        in->src[2] = lower_as_vector(s, in, in->src[2]);
    return true;
}

void
lower_branch(struct lowering *s, struct ir_insn *in)
{
    in->op = vector_row(in->op);
    assert(ir_is_vbranch(in) &&
           "branches of threads are those of warps on vectors");
    ir_val a = lower_as_vector(s, in, in->src[1]);
    ir_val b = lower_as_vector(s, in, in->src[2]);
    in->src[2] = a; /* vs2 OP vs1 */
    in->src[1] = b;
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
