/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Divergence lowering, scalar to vector machine IR: divergent values and their
 * instructions become vectors; uniform ones stay scalar.  Pseudo operations that have no instruction are expanded.
 *
 *   v5 = add v3, v4      v5 = vadd.vv v3, v4
 *   v5 = add v3, s4      v5 = vadd.vx v3, s4
 *   v5 = lw s2 (private) v6 = copy s2; v5 = vlw.v v6
 *   s5 = seq s3, s4      s6 = xor s3, s4; s5 = sltiu s6, 1
 *
 * Vector forms are in lower_vector.c, scalar ones here.
 */
#include <assert.h>

#include "abi/hints.h"
#include "cc/lower_divergence.h"
#include "cc/passes.h"

/* ---- scalars ---- */

static ir_val
op2(struct lowering *s, struct ir_insn *at, unsigned op, ir_val a, ir_val b)
{
    struct ir_insn *in = lower_before(s, at, op, IR_S, 1);
    in->src[1] = a;
    in->src[2] = b;
    return in->dst;
}

static ir_val
opi(struct lowering *s, struct ir_insn *at, unsigned op, ir_val a, int32_t imm)
{
    struct ir_insn *in = lower_before(s, at, op, IR_S, 1);
    in->src[1] = a;
    in->imm = imm;
    return in->dst;
}

static void
change_insn(struct ir_insn *in, unsigned op, ir_val a, ir_val b, int32_t imm)
{
    in->op = (uint16_t)op;
    in->pair = in->half = 0;
    in->imm = imm;
    lower_sources(in, a, b, IR_NONE);
}

static ir_val
build_half(struct lowering *s, struct ir_insn *at, unsigned op, ir_val v)
{
    struct ir_insn *in = lower_before(s, at, op, IR_S, 1);
    in->src[1] = v;
    in->pair = 1;
    return in->dst;
}

static ir_val
build_difference(struct lowering *s, struct ir_insn *at, ir_val a, ir_val b)
{
    return b == IR_ZERO ? a : op2(s, at, VENTUS_ISA_XOR, a, b);
}

/* A number that is 0 only if two pairs, or a pair and the sign extension of a word,
 * are equal. */
static ir_val
differ_wide(struct lowering *s, struct ir_insn *at, ir_val a, ir_val b)
{
    struct ir_insn *x = lower_before(s, at, VENTUS_ISA_XOR, IR_S, 2);
    x->src[1] = a;
    x->src[2] = b;
    ir_val lo = build_half(s, at, IR_LO, x->dst),
           hi = build_half(s, at, IR_HI, x->dst);
    return op2(s, at, VENTUS_ISA_OR, lo, hi);
}

/* b < a of 64 bits, by slt or sltu. */
static ir_val
less_wide(struct lowering *s, struct ir_insn *at, unsigned op, ir_val a,
          ir_val b)
{
    struct ir_insn *x = lower_before(s, at, op, IR_S, 1);
    x->src[1] = b;
    x->src[2] = a;
    x->pair = 1;
    return x->dst;
}

static void
to_scalar_wide(struct lowering *s, struct ir_insn *in)
{
    ir_val a = in->src[1], b = in->src[2];
    switch (in->op) {
    case IR_SEQ:
        change_insn(in, VENTUS_ISA_SLTIU, differ_wide(s, in, a, b), IR_NONE, 1);
        return;
    case IR_SNE:
        change_insn(in, VENTUS_ISA_SLTU, IR_ZERO, differ_wide(s, in, a, b), 0);
        return;
    case IR_SLE:
        change_insn(in, VENTUS_ISA_XORI, less_wide(s, in, VENTUS_ISA_SLT, a, b),
                    IR_NONE, 1);
        return;
    case IR_SLEU:
        change_insn(in, VENTUS_ISA_XORI,
                    less_wide(s, in, VENTUS_ISA_SLTU, a, b), IR_NONE, 1);
        return;
    case IR_SEXT:
        in->op = VENTUS_ISA_ADDI; /* an odd register is sign-extended */
        return;
    case IR_ZEXT:
        in->op = IR_PAIR;
        in->src[2] = IR_ZERO;
        return;
    }
}

/* b ^ ((a ^ b) & -c); shorter with a zero. */
static ir_val
select_scalar(struct lowering *s, struct ir_insn *in, ir_val c, ir_val a,
              ir_val b)
{
    if (a == IR_ZERO)
        return op2(s, in, VENTUS_ISA_AND, b,
                   opi(s, in, VENTUS_ISA_ADDI, c, -1));
    ir_val minus = op2(s, in, VENTUS_ISA_SUB, IR_ZERO, c);
    if (b == IR_ZERO)
        return op2(s, in, VENTUS_ISA_AND, a, minus);
    ir_val mixed =
        op2(s, in, VENTUS_ISA_AND, op2(s, in, VENTUS_ISA_XOR, a, b), minus);
    return op2(s, in, VENTUS_ISA_XOR, b, mixed);
}

/* No scalar instruction knows halves or saturates: the result of any lane. */
static bool
is_vector_only(const struct ir_insn *in)
{
    return (in->half && ir_is_isa(in->op)) ||
           (in->op >= IR_SADD && in->op <= IR_NARROW);
}

static void
half_to_scalar(struct lowering *s, struct ir_insn *in)
{
    ir_val dst = in->dst;
    assert(ir_value(s->f, dst)->cls == IR_S && ir_value(s->f, dst)->words == 1);
    struct ir_insn *out = ir_insn_new(s->f, VENTUS_ISA_VMV_X_S);
    ir_set_dst(s->f, in, ir_value_new(s->f, IR_V, 1));
    out->src[2] = in->dst;
    out->half = lower_result_half(in);
    ir_insert_after(in, out);
    ir_set_dst(s->f, out, dst);
    in->src[1] = lower_as_vector(s, in, in->src[1]);
    lower_to_vector(s, in);
}

static void
to_scalar(struct lowering *s, struct ir_insn *in)
{
    ir_val a = in->src[1], b = in->src[2], c;
    if (is_vector_only(in)) {
        half_to_scalar(s, in);
        return;
    }
    if (in->pair && in->op != IR_SELECT) {
        to_scalar_wide(s, in);
        return;
    }
    switch (in->op) {
    case IR_SEQ:
        change_insn(in, VENTUS_ISA_SLTIU, build_difference(s, in, a, b),
                    IR_NONE, 1);
        return;
    case IR_SNE:
        change_insn(in, VENTUS_ISA_SLTU, IR_ZERO, build_difference(s, in, a, b),
                    0);
        return;
    case IR_SLE:
    case IR_SLEU:
        c = op2(s, in, in->op == IR_SLE ? VENTUS_ISA_SLT : VENTUS_ISA_SLTU, b,
                a);
        change_insn(in, VENTUS_ISA_XORI, c, IR_NONE, 1);
        return;
    case IR_MIN:
    case IR_MINU:
        c = op2(s, in, in->op == IR_MIN ? VENTUS_ISA_SLT : VENTUS_ISA_SLTU, a,
                b);
        change_insn(in, IR_COPY, select_scalar(s, in, c, a, b), IR_NONE, 0);
        return;
    case IR_MAX:
    case IR_MAXU:
        c = op2(s, in, in->op == IR_MAX ? VENTUS_ISA_SLT : VENTUS_ISA_SLTU, b,
                a);
        change_insn(in, IR_COPY, select_scalar(s, in, c, a, b), IR_NONE, 0);
        return;
    case IR_SELECT:
        if (!in->pair) {
            change_insn(in, IR_COPY, select_scalar(s, in, a, b, in->src[3]),
                        IR_NONE, 0);
            return;
        }
        c = select_scalar(s, in, a, build_half(s, in, IR_LO, b),
                          build_half(s, in, IR_LO, in->src[3]));
        ir_val hi = select_scalar(s, in, a, build_half(s, in, IR_HI, b),
                                  build_half(s, in, IR_HI, in->src[3]));
        change_insn(in, IR_PAIR, c, hi, 0);
        in->pair = 1;
        return;
    case IR_UNIFORM:
        if (lower_is_vector(s, a))
            change_insn(in, VENTUS_ISA_VMV_X_S, IR_NONE, a, 0);
        else
            change_insn(in, IR_COPY, a, IR_NONE, 0);
        return;
    }
}

/* ---- what has no result, atomics ---- */

static ir_val
any_lane(struct lowering *s, struct ir_insn *at, ir_val v)
{
    if (!lower_is_vector(s, v))
        return v;
    struct ir_insn *in =
        lower_before(s, at, VENTUS_ISA_VMV_X_S, IR_S, ir_value(s->f, v)->words);
    in->src[2] = v;
    return in->dst;
}

/* A row on vectors in scalar machine IR: of inline assembly, vid.v, vfexp.v. */
static bool
is_vector_row(const struct ir_insn *in)
{
    for (unsigned slot = 0; slot < 4 && ir_is_isa(in->op); slot++)
        if (ir_slot_kind(in->op, (enum ventus_isa_slot)slot) ==
            VENTUS_ISA_KIND_V)
            return true;
    return false;
}

static void
fit_slots(struct lowering *s, struct ir_insn *in)
{
    for (unsigned slot = 0; slot < 4; slot++) {
        int kind = ir_slot_kind(in->op, (enum ventus_isa_slot)slot);
        if (in->src[slot] && kind == VENTUS_ISA_KIND_V)
            in->src[slot] = lower_as_vector(s, in, in->src[slot]);
        else if (in->src[slot])
            in->src[slot] = any_lane(s, in, in->src[slot]);
    }
}

/* The operand of a hint that is a scalar needs no vector (abi/hints.h). */
static bool
tell_scalar(struct lowering *s, struct ir_insn *in)
{
    bool tells = in->op == VENTUS_ISA_VMV_X_S && !in->dst && in->is_volatile;
    if (!tells || lower_is_vector(s, in->src[2]))
        return false;
    in->op = VENTUS_ISA_SLTI;
    in->src[1] = in->src[2];
    in->src[2] = IR_NONE;
    in->imm = HINT_OPERAND;
    return true;
}

/*
 * Scalars for vector parameters and results become vectors when they are moved
 * there; small constants at once, for which there is an instruction.
 */
static void
lower_call(struct lowering *s, struct ir_insn *in)
{
    const struct ir_place *place =
        in->op == IR_CALL ? in->callee->params : s->f->results;
    assert(in->op != IR_ENTER || !in->n_in);
    for (unsigned i = 0; i < in->n_in; i++) {
        const struct ir_insn *def = ir_value(s->f, in->many[i])->def;
        if (in->op == IR_CALL && place[i].sreg)
            in->many[i] = any_lane(s, in, in->many[i]);
        else if (def && def->op == IR_CONST && def->imm >= -16 && def->imm < 16)
            in->many[i] = lower_as_vector(s, in, in->many[i]);
    }
}

static void
lower_insn(struct lowering *s, struct ir_insn *in)
{
    if (in->op == IR_CALL || in->op == IR_RET || in->op == IR_ENTER) {
        lower_call(s, in);
        return;
    }
    if (is_vector_row(in)) {
        if (!tell_scalar(s, in))
            fit_slots(s, in);
        return;
    }
    bool atomic = ir_is_isa(in->op) &&
                  (ventus_isa_info[in->op].flags & VENTUS_ISA_F_ATOMIC);
    if (atomic) {
        in->src[1] = lower_as_vector(s, in, in->src[1]);
        if (in->src[2])
            in->src[2] = lower_as_vector(s, in, in->src[2]);
    } else if (in->op == VENTUS_ISA_CSRRW) {
        in->src[1] = any_lane(s, in, in->src[1]);
        if (in->dst && lower_is_vector(s, in->dst))
            lower_scalar_then_copy(s, in);
    } else if (ir_is_branch(in)) {
        if (lower_is_vector(s, in->src[1]) || lower_is_vector(s, in->src[2]))
            lower_branch(s, in);
    } else if (ir_is_store(in)) {
        if (in->space == IR_SPACE_PRIVATE || lower_is_vector(s, in->src[1]) ||
            lower_is_vector(s, in->src[2]))
            lower_access(s, in);
    } else if (in->dst && lower_is_vector(s, in->dst)) {
        lower_to_vector(s, in);
    } else {
        to_scalar(s, in);
    }
}

void
cc_lower_divergence(struct cc *c)
{
    assert(c->f->form == IR_FORM_SCALAR);
    struct lowering s = { .c = c, .f = c->f };
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
            lower_insn(&s, in);
    /* what is not reachable is not rewritten */
    ir_foreach_block (f, b)
        if (!b->reachable)
            ir_foreach_insn_safe (b, in)
                if (!ir_is_terminator(in))
                    ir_remove(in);
}
