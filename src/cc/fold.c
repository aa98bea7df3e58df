/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scalar machine IR: folds constants, addresses and operations into their users.
 *
 *   lw (a + 8)                    lw 8(a)
 *   c = a < b; bne c, zero        blt a, b          if c has no other use
 *   c = d ^ 1; bne c, zero        beq d, zero
 *   select d ^ 1, a, b            select d, b, a
 *   fma -a, b, c                  -(a * b) + c      and the like, also of
 *   fma a, b, -(d * e)            a * b - d * e     what is added
 *   ((a >> 8) << 24) >> 24        (a << 16) >> 24   if a << 24 has no other use
 */
#include <assert.h>

#include "cc/cc.h"
#include "cc/passes.h"

/* v == w ^ 1 of a value that is 0 or 1. */
static bool
is_not(struct ir_func *f, ir_val v, ir_val *w)
{
    struct ir_insn *def = ir_value(f, v)->def;
    int32_t x;
    if (!def || def->op != VENTUS_ISA_XOR ||
        !cc_is_constant(f, def->src[2], &x) || x != 1)
        return false;
    *w = def->src[1];
    struct ir_insn *of = ir_value(f, *w)->def;
    if (!of)
        return false;
    switch (of->op) {
    case IR_SEQ:
    case IR_SNE:
    case IR_SLE:
    case IR_SLEU:
    case VENTUS_ISA_SLT:
    case VENTUS_ISA_SLTU:
    case VENTUS_ISA_FEQ_S:
    case VENTUS_ISA_FLT_S:
    case VENTUS_ISA_FLE_S:
        return true;
    }
    return false;
}

static void
fold_address(struct ir_func *f, struct ir_insn *in)
{
    int32_t limit = in->space == IR_SPACE_PRIVATE ? 1024 : 2048, x;
    struct ir_insn *def = ir_value(f, in->src[1])->def;
    while (def && def->op == VENTUS_ISA_ADD &&
           ir_value(f, def->src[1])->words == ir_value(f, in->src[1])->words &&
           cc_is_constant(f, def->src[2], &x) && x >= -limit - in->imm &&
           x < limit - in->imm) {
        in->src[1] = def->src[1];
        in->imm += x;
        def = ir_value(f, in->src[1])->def;
    }
    /* a constant address: the offset in place, the rest shared */
    if (cc_is_constant(f, in->src[1], &x) && x && x + in->imm >= 0 &&
        x + in->imm < limit) {
        in->src[1] = IR_ZERO;
        in->imm += x;
    }
}

/* The instruction that shifts v by a constant, which goes to *by; NULL if none does. */
static struct ir_insn *
shift_of(struct ir_func *f, ir_val v, int32_t *by)
{
    struct ir_insn *def = ir_value(f, v)->def;
    if (!def || ir_value(f, v)->words != 1 || def->half ||
        (def->op != VENTUS_ISA_SLL && def->op != VENTUS_ISA_SRL &&
         def->op != VENTUS_ISA_SRA))
        return NULL;
    return cc_is_constant(f, def->src[2], by) && *by >= 0 && *by < 32 ? def
                                                                      : NULL;
}

/*
 * Extracts a field of a word in two shifts: a shift to the left and one back by the same
 * number drop the high bits, whatever a shift to the right has put there before.
 */
static void
fold_field(struct ir_func *f, struct ir_insn *in, const unsigned *uses)
{
    int32_t back, left, right;
    if (!in->dst || shift_of(f, in->dst, &back) != in ||
        in->op == VENTUS_ISA_SLL)
        return;
    struct ir_insn *up = shift_of(f, in->src[1], &left);
    if (!up || up->op != VENTUS_ISA_SLL || left != back)
        return;
    struct ir_insn *down = shift_of(f, up->src[1], &right);
    if (!down || down->op == VENTUS_ISA_SLL || right > left)
        return;
    if (right == left) {
        in->src[1] = down->src[1];
    } else if (uses[up->dst] == 1) {
        struct ir_insn *by = ir_insn_new(f, IR_CONST);
        by->imm = left - right;
        ir_insert_before(up, by);
        ir_set_dst(f, by, ir_value_new(f, IR_S, 1));
        up->src[1] = down->src[1];
        up->src[2] = by->dst;
    }
}

/* bne c, zero or beq c, zero with c a compare. */
static bool
fold_branch(struct ir_func *f, struct ir_insn *in)
{
    if ((in->op != VENTUS_ISA_BNE && in->op != VENTUS_ISA_BEQ) ||
        in->src[2] != IR_ZERO)
        return false;
    struct ir_insn *def = ir_value(f, in->src[1])->def;
    ir_val w;
    if (is_not(f, in->src[1], &w)) {
        in->op = ir_related(in->op, VENTUS_ISA_INVERSE_OF);
        in->src[1] = w;
        return true;
    }
    if (!def)
        return false;
    bool swap = def->op == IR_SLE || def->op == IR_SLEU;
    uint16_t op; /* the branch if def is 1 */
    switch (def->op) {
    case IR_SEQ:
        op = VENTUS_ISA_BEQ;
        break;
    case IR_SNE:
        op = VENTUS_ISA_BNE;
        break;
    case IR_SLE: /* a <= b is b >= a */
        op = VENTUS_ISA_BGE;
        break;
    case IR_SLEU:
        op = VENTUS_ISA_BGEU;
        break;
    default:
        op = ir_related(def->op, VENTUS_ISA_BRANCH_OF);
        if (!op)
            return false;
    }
    in->op =
        in->op == VENTUS_ISA_BNE ? op : ir_related(op, VENTUS_ISA_INVERSE_OF);
    in->pair = def->pair;
    in->src[1] = def->src[swap ? 2 : 1];
    in->src[2] = def->src[swap ? 1 : 2];
    return true;
}

/* v == -w in floating point, in the format of `in`. */
static bool
is_negative(struct ir_func *f, ir_val v, const struct ir_insn *in, ir_val *w)
{
    const struct ir_insn *def = ir_value(f, v)->def;
    if (!def || def->op != VENTUS_ISA_FSGNJN_S || def->src[1] != def->src[2] ||
        def->pair != in->pair || def->half != in->half)
        return false;
    *w = def->src[1];
    return true;
}

/* Signs of the product and of what is added go into the operation. */
static void
fold_signs(struct ir_func *f, struct ir_insn *in, const unsigned *uses)
{
    static const uint16_t rows[2][2] = {
        { VENTUS_ISA_FMADD_S, VENTUS_ISA_FMSUB_S },
        { VENTUS_ISA_FNMSUB_S, VENTUS_ISA_FNMADD_S }
    };
    bool product = false, added = false;
    if (in->op != VENTUS_ISA_FMADD_S)
        return;
    for (unsigned k = 1; k < 3; k++)
        if (is_negative(f, in->src[k], in, &in->src[k]))
            product = !product;
    struct ir_insn *mul = ir_value(f, in->src[3])->def;
    if (is_negative(f, in->src[3], in, &in->src[3]))
        added = true;
    else if (mul && mul->op == VENTUS_ISA_FMUL_S && mul->pair == in->pair &&
             mul->half == in->half && uses[in->src[3]] == 1)
        for (unsigned k = 1; k < 3; k++)
            if (is_negative(f, mul->src[k], mul, &mul->src[k]))
                added = !added;
    assert(!in->masked && in->dst);
    in->op = rows[product][added];
}

void
cc_fold(struct cc *c)
{
    assert(c->f->form == IR_FORM_SCALAR);
    struct ir_func *f = c->f;
    unsigned *uses = arena_new(f->arena, unsigned, f->values.n);
    ir_val **at = arena_new(f->arena, ir_val *, ir_max_sources(f));
    ir_foreach_block (f, b)
        ir_foreach_insn (b, in)
            for (unsigned i = ir_sources(in, at); i-- > 0;)
                uses[*at[i]]++;
    ir_foreach_block (f, b)
        ir_foreach_insn (b, in) {
            if (ir_is_load(in) || ir_is_store(in))
                fold_address(f, in);
            fold_signs(f, in, uses);
            fold_field(f, in, uses);
            while (ir_is_branch(in) && fold_branch(f, in))
                continue;
            ir_val w;
            if (in->op == IR_SELECT && is_not(f, in->src[1], &w)) {
                ir_val yes = in->src[2];
                in->src[1] = w;
                in->src[2] = in->src[3];
                in->src[3] = yes;
            }
        }
}
