/* SPDX-License-Identifier: Apache-2.0 */
/* Integer arithmetic on IR values; 64 bits as two words in 32-bit instructions. */
#include "cc/isel/arith.h"

#include <assert.h>

#include "cc/isel/build.h"

ir_val
tr_zext(struct tr *t, ir_val v, unsigned width)
{
    if (width >= 32)
        return v;
    struct ir_insn *def = ir_value(t->f, v)->def;
    if (def && ((def->op == VENTUS_ISA_LBU && width >= 8) ||
                (def->op == VENTUS_ISA_LHU && width >= 16)))
        return v;
    if (width == 1)
        return v; /* always 0 or 1 */
    return tr_opi(t, VENTUS_ISA_AND, v, (int32_t)((1u << width) - 1));
}

ir_val
tr_sext(struct tr *t, ir_val v, unsigned width)
{
    if (width >= 32)
        return v;
    struct ir_insn *def = ir_value(t->f, v)->def;
    if (def && ((def->op == VENTUS_ISA_LB && width >= 8) ||
                (def->op == VENTUS_ISA_LH && width >= 16)))
        return v;
    if (width == 1)
        return tr_op(t, VENTUS_ISA_SUB, IR_ZERO, v);
    ir_val up = tr_opi(t, VENTUS_ISA_SLL, v, (int32_t)(32 - width));
    return tr_opi(t, VENTUS_ISA_SRA, up, (int32_t)(32 - width));
}

void
tr_add64(struct tr *t, const ir_val a[2], const ir_val b[2], ir_val out[2])
{
    ir_val lo = tr_op(t, VENTUS_ISA_ADD, a[0], b[0]);
    ir_val carry = tr_op(t, VENTUS_ISA_SLTU, lo, b[0]);
    ir_val hi = tr_op(t, VENTUS_ISA_ADD, a[1], b[1]);
    out[1] = tr_op(t, VENTUS_ISA_ADD, hi, carry);
    out[0] = lo;
}

void
tr_sub64(struct tr *t, const ir_val a[2], const ir_val b[2], ir_val out[2])
{
    ir_val borrow = tr_op(t, VENTUS_ISA_SLTU, a[0], b[0]);
    ir_val hi = tr_op(t, VENTUS_ISA_SUB, a[1], b[1]);
    out[0] = tr_op(t, VENTUS_ISA_SUB, a[0], b[0]);
    out[1] = tr_op(t, VENTUS_ISA_SUB, hi, borrow);
}

void
tr_mul64(struct tr *t, const ir_val a[2], const ir_val b[2], ir_val out[2])
{
    ir_val lo = tr_op(t, VENTUS_ISA_MUL, a[0], b[0]);
    ir_val hi = tr_op(t, VENTUS_ISA_MULHU, a[0], b[0]);
    hi = tr_op(t, VENTUS_ISA_ADD, hi, tr_op(t, VENTUS_ISA_MUL, a[0], b[1]));
    out[1] = tr_op(t, VENTUS_ISA_ADD, hi, tr_op(t, VENTUS_ISA_MUL, a[1], b[0]));
    out[0] = lo;
}

/* Shifts by a constant: words move, bits cross over. */
static void
shift64_const(struct tr *t, unsigned op, const ir_val a[2], unsigned n,
              ir_val out[2])
{
    ir_val lo = a[0], hi = a[1];
    ir_val fill = op == VENTUS_ISA_SRA ? tr_opi(t, VENTUS_ISA_SRA, hi, 31)
                                       : (ir_val)IR_ZERO;
    assert(n < 64 && (op == VENTUS_ISA_SLL || op == VENTUS_ISA_SRL ||
                      op == VENTUS_ISA_SRA));
    int32_t k = (int32_t)(n & 31), back = 32 - k;
    if (op == VENTUS_ISA_SLL && n >= 32) {
        out[0] = IR_ZERO;
        out[1] = tr_opi(t, VENTUS_ISA_SLL, lo, k);
    } else if (op == VENTUS_ISA_SLL) {
        ir_val cross =
            k ? tr_opi(t, VENTUS_ISA_SRL, lo, back) : (ir_val)IR_ZERO;
        out[0] = tr_opi(t, VENTUS_ISA_SLL, lo, k);
        out[1] =
            tr_op(t, VENTUS_ISA_OR, tr_opi(t, VENTUS_ISA_SLL, hi, k), cross);
    } else if (n >= 32) {
        out[0] = tr_opi(t, op, hi, k);
        out[1] = fill;
    } else {
        ir_val cross =
            k ? tr_opi(t, VENTUS_ISA_SLL, hi, back) : (ir_val)IR_ZERO;
        out[0] =
            tr_op(t, VENTUS_ISA_OR, tr_opi(t, VENTUS_ISA_SRL, lo, k), cross);
        out[1] = tr_opi(t, op, hi, k);
    }
}

/* Shifts by a variable: with k = n mod 32, the bits that cross over are shifted by 1
 * and then by 31 - k = ~k mod 32, which is right for k = 0 too. */
void
tr_shift64(struct tr *t, unsigned op, const ir_val a[2], ir_val by,
           ir_val out[2])
{
    int32_t n;
    if (tr_is_const(t, by, &n)) {
        shift64_const(t, op, a, (unsigned)n & 63, out);
        return;
    }
    ir_val big = tr_op(t, IR_SNE, tr_opi(t, VENTUS_ISA_AND, by, 32), IR_ZERO);
    ir_val rest = tr_opi(t, VENTUS_ISA_XOR, by, -1);
    ir_val near_word, far_word, cross, shifted;
    if (op == VENTUS_ISA_SLL) {
        cross =
            tr_op(t, VENTUS_ISA_SRL, tr_opi(t, VENTUS_ISA_SRL, a[0], 1), rest);
        shifted = tr_op(t, VENTUS_ISA_SLL, a[0], by);
        far_word =
            tr_op(t, VENTUS_ISA_OR, tr_op(t, VENTUS_ISA_SLL, a[1], by), cross);
        out[1] = tr_select(t, big, shifted, far_word);
        out[0] = tr_select(t, big, IR_ZERO, shifted);
        return;
    }
    cross = tr_op(t, VENTUS_ISA_SLL, tr_opi(t, VENTUS_ISA_SLL, a[1], 1), rest);
    shifted = tr_op(t, op, a[1], by);
    near_word =
        tr_op(t, VENTUS_ISA_OR, tr_op(t, VENTUS_ISA_SRL, a[0], by), cross);
    ir_val fill = op == VENTUS_ISA_SRA ? tr_opi(t, VENTUS_ISA_SRA, a[1], 31)
                                       : (ir_val)IR_ZERO;
    out[0] = tr_select(t, big, shifted, near_word);
    out[1] = tr_select(t, big, fill, shifted);
}

void
tr_extend64(struct tr *t, ir_val a[2], unsigned width, bool is_signed)
{
    if (width <= 32) {
        a[0] = is_signed ? tr_sext(t, a[0], width) : tr_zext(t, a[0], width);
        a[1] =
            is_signed ? tr_opi(t, VENTUS_ISA_SRA, a[0], 31) : (ir_val)IR_ZERO;
    } else if (width < 64) {
        a[1] = is_signed ? tr_sext(t, a[1], width - 32)
                         : tr_zext(t, a[1], width - 32);
    }
}

static ir_val
compare32(struct tr *t, LLVMIntPredicate p, ir_val a, ir_val b)
{
    switch (p) {
    case LLVMIntEQ:
        return tr_op(t, IR_SEQ, a, b);
    case LLVMIntNE:
        return tr_op(t, IR_SNE, a, b);
    case LLVMIntSLT:
        return tr_op(t, VENTUS_ISA_SLT, a, b);
    case LLVMIntSGT:
        return tr_op(t, VENTUS_ISA_SLT, b, a);
    case LLVMIntSLE:
        return tr_op(t, IR_SLE, a, b);
    case LLVMIntSGE:
        return tr_op(t, IR_SLE, b, a);
    case LLVMIntULT:
        return tr_op(t, VENTUS_ISA_SLTU, a, b);
    case LLVMIntUGT:
        return tr_op(t, VENTUS_ISA_SLTU, b, a);
    case LLVMIntULE:
        return tr_op(t, IR_SLEU, a, b);
    case LLVMIntUGE:
        return tr_op(t, IR_SLEU, b, a);
    }
    return IR_ZERO;
}

/* Below: high words decide, if equal the low ones, unsigned. */
static ir_val
less64(struct tr *t, bool is_signed, const ir_val *a, const ir_val *b)
{
    ir_val hi =
        tr_op(t, is_signed ? VENTUS_ISA_SLT : VENTUS_ISA_SLTU, a[1], b[1]);
    ir_val same = tr_op(t, IR_SEQ, a[1], b[1]);
    ir_val lo = tr_op(t, VENTUS_ISA_SLTU, a[0], b[0]);
    return tr_op(t, VENTUS_ISA_OR, hi, tr_op(t, VENTUS_ISA_AND, same, lo));
}

static ir_val
compare64(struct tr *t, LLVMIntPredicate p, const ir_val *a, const ir_val *b)
{
    switch (p) {
    case LLVMIntEQ:
    case LLVMIntNE: {
        ir_val differ =
            tr_op(t, VENTUS_ISA_OR, tr_op(t, VENTUS_ISA_XOR, a[0], b[0]),
                  tr_op(t, VENTUS_ISA_XOR, a[1], b[1]));
        return tr_op(t, p == LLVMIntEQ ? IR_SEQ : IR_SNE, differ, IR_ZERO);
    }
    case LLVMIntSLT:
    case LLVMIntULT:
        return less64(t, p == LLVMIntSLT, a, b);
    case LLVMIntSGT:
    case LLVMIntUGT:
        return less64(t, p == LLVMIntSGT, b, a);
    case LLVMIntSGE:
    case LLVMIntUGE:
        return tr_opi(t, VENTUS_ISA_XOR, less64(t, p == LLVMIntSGE, a, b), 1);
    case LLVMIntSLE:
    case LLVMIntULE:
        return tr_opi(t, VENTUS_ISA_XOR, less64(t, p == LLVMIntSLE, b, a), 1);
    }
    return IR_ZERO;
}

/* Splits a value of 64 bits, which is a pair or two words, into words. */
static void
words_of(struct tr *t, struct tr_value v, ir_val words[2])
{
    assert(v.n == 1 || v.n == 2);
    words[0] = v.n == 2 ? v.at[0] : tr_lo(t, v.at[0]);
    words[1] = v.n == 2 ? v.at[1] : tr_hi(t, v.at[0]);
}

ir_val
tr_compare(struct tr *t, LLVMIntPredicate p, struct tr_value a,
           struct tr_value b, unsigned width)
{
    bool is_signed = p >= LLVMIntSGT;
    if (width <= 32) {
        ir_val x =
            is_signed ? tr_sext(t, a.at[0], width) : tr_zext(t, a.at[0], width);
        ir_val y =
            is_signed ? tr_sext(t, b.at[0], width) : tr_zext(t, b.at[0], width);
        return compare32(t, p, x, y);
    }
    if (a.n == 1 && b.n == 1 && width == 64)
        return compare32(t, p, a.at[0], b.at[0]); /* of pairs */
    ir_val x[2], y[2];
    words_of(t, a, x);
    words_of(t, b, y);
    tr_extend64(t, x, width, is_signed);
    tr_extend64(t, y, width, is_signed);
    return compare64(t, p, x, y);
}
