/* SPDX-License-Identifier: Apache-2.0 */
/* Division of 64 bits without register pairs. */
#include <assert.h>

#include "cc/isel/arith.h"
#include "cc/isel/build.h"
#include "cc/isel/divide.h"

static struct ir_insn *
new_phi(struct tr *t, ir_val first)
{
    struct ir_insn *phi = tr_emit(t, IR_PHI, 1);
    phi->many = arena_new(t->m->arena, ir_val, 2);
    phi->n_many = 2;
    phi->many[0] = first;
    return phi;
}

/*
 * Bit by bit: the quotient comes into the low bits of the dividend while its
 * high bits go into the remainder.
 *
 *     do { r = r << 1 | n >> 63; n <<= 1; if (r >= d) r -= d, n |= 1; }
 *     while (--i);
 */
static void
divide_loop(struct tr *t, const ir_val n[2], const ir_val d[2], ir_val q[2],
            ir_val r[2])
{
    struct ir_block *before = t->block, *body = tr_new_block(t);
    ir_append(before, ir_insn_new(t->f, IR_JUMP));
    ir_link(before, 0, body);
    struct ir_insn *i = new_phi(t, tr_const(t, 64));
    struct ir_insn *p[4];
    for (unsigned k = 0; k < 4; k++)
        p[k] = new_phi(t, k < 2 ? n[k] : (ir_val)IR_ZERO);
    ir_val num[2] = { p[0]->dst, p[1]->dst }, rem[2] = { p[2]->dst, p[3]->dst };
    ir_val one = tr_const(t, 1), top = tr_opi(t, VENTUS_ISA_SRL, num[1], 31);
    ir_val next[2], shifted[2], less[2];
    tr_shift64(t, VENTUS_ISA_SLL, rem, one, shifted);
    shifted[0] = tr_op(t, VENTUS_ISA_OR, shifted[0], top);
    tr_shift64(t, VENTUS_ISA_SLL, num, one, next);
    tr_sub64(t, shifted, d, less);
    struct tr_value x = { shifted, 2 }, y = { (ir_val *)d, 2 };
    /* r had 63 bits at most if d has 64: no carry is lost */
    ir_val carry = tr_opi(t, VENTUS_ISA_SRL, rem[1], 31);
    ir_val fits =
        tr_op(t, VENTUS_ISA_OR, carry, tr_compare(t, LLVMIntUGE, x, y, 64));
    for (unsigned k = 0; k < 2; k++) {
        r[k] = tr_select(t, fits, less[k], shifted[k]);
        p[2 + k]->many[1] = r[k];
    }
    q[0] = tr_op(t, VENTUS_ISA_OR, next[0], fits);
    q[1] = next[1];
    p[0]->many[1] = q[0];
    p[1]->many[1] = q[1];
    i->many[1] = tr_opi(t, VENTUS_ISA_ADD, i->dst, -1);
    struct ir_insn *branch = tr_emit(t, VENTUS_ISA_BNE, 0);
    branch->src[1] = i->many[1];
    branch->src[2] = IR_ZERO;
    struct ir_block *after = tr_new_block(t);
    ir_link(body, 0, body);
    ir_link(body, 1, after);
}

/* a if sign is 0, -a if it is -1. */
static void
apply_sign(struct tr *t, const ir_val a[2], ir_val sign, ir_val out[2])
{
    ir_val x[2] = { tr_op(t, VENTUS_ISA_XOR, a[0], sign),
                    tr_op(t, VENTUS_ISA_XOR, a[1], sign) };
    ir_val s[2] = { sign, sign };
    tr_sub64(t, x, s, out);
}

void
tr_divide64(struct tr *t, bool is_signed, bool remainder, const ir_val a[2],
            const ir_val b[2], ir_val out[2])
{
    ir_val x[2] = { a[0], a[1] }, y[2] = { b[0], b[1] }, q[2], r[2];
    ir_val sa = IR_ZERO, sb = IR_ZERO;
    if (is_signed) {
        sa = tr_opi(t, VENTUS_ISA_SRA, a[1], 31);
        sb = tr_opi(t, VENTUS_ISA_SRA, b[1], 31);
        apply_sign(t, a, sa, x);
        apply_sign(t, b, sb, y);
    }
    divide_loop(t, x, y, q, r);
    if (is_signed && remainder)
        apply_sign(t, r, sa, out);
    else if (is_signed)
        apply_sign(t, q, tr_op(t, VENTUS_ISA_XOR, sa, sb), out);
    else
        for (unsigned k = 0; k < 2; k++)
            out[k] = remainder ? r[k] : q[k];
}
