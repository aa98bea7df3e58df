/* SPDX-License-Identifier: Apache-2.0 */
/* LLVM's instructions on integers. */
#include <assert.h>

#include "cc/isel/arith.h"
#include "cc/isel/build.h"
#include "cc/isel/divide.h"
#include "cc/isel/int.h"
#include "cc/isel/type.h"
#include "cc/isel/value.h"

static bool
is_division(LLVMOpcode op)
{
    return op == LLVMSDiv || op == LLVMUDiv || op == LLVMSRem || op == LLVMURem;
}

static bool
is_signed_op(LLVMOpcode op)
{
    return op == LLVMSDiv || op == LLVMSRem || op == LLVMAShr;
}

static unsigned
row_of(LLVMOpcode op)
{
    switch ((int)op) {
    case LLVMAdd:
        return VENTUS_ISA_ADD;
    case LLVMSub:
        return VENTUS_ISA_SUB;
    case LLVMMul:
        return VENTUS_ISA_MUL;
    case LLVMAnd:
        return VENTUS_ISA_AND;
    case LLVMOr:
        return VENTUS_ISA_OR;
    case LLVMXor:
        return VENTUS_ISA_XOR;
    case LLVMShl:
        return VENTUS_ISA_SLL;
    case LLVMLShr:
        return VENTUS_ISA_SRL;
    case LLVMAShr:
        return VENTUS_ISA_SRA;
    case LLVMSDiv:
        return VENTUS_ISA_DIV;
    case LLVMUDiv:
        return VENTUS_ISA_DIVU;
    case LLVMSRem:
        return VENTUS_ISA_REM;
    case LLVMURem:
        return VENTUS_ISA_REMU;
    }
    return VENTUS_ISA_NONE;
}

static void
binary64(struct tr *t, LLVMOpcode op, ir_val a[2], ir_val b[2], unsigned width,
         ir_val out[2])
{
    unsigned row = row_of(op);
    assert(width > 32 && width <= 64);
    switch ((int)op) {
    case LLVMAdd:
        tr_add64(t, a, b, out);
        return;
    case LLVMSub:
        tr_sub64(t, a, b, out);
        return;
    case LLVMMul:
        tr_mul64(t, a, b, out);
        return;
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        out[0] = tr_op(t, row, a[0], b[0]);
        out[1] = tr_op(t, row, a[1], b[1]);
        return;
    case LLVMLShr:
    case LLVMAShr:
        tr_extend64(t, a, width, op == LLVMAShr);
        tr_shift64(t, row, a, b[0], out);
        return;
    case LLVMShl:
        tr_shift64(t, row, a, b[0], out);
        return;
    }
    tr_extend64(t, a, width, is_signed_op(op));
    tr_extend64(t, b, width, is_signed_op(op));
    if (t->m->options->profile == CC_PROFILE_UPSTREAM) {
        tr_divide64(t, is_signed_op(op), op == LLVMSRem || op == LLVMURem, a, b,
                    out);
        return;
    }
    ir_val r =
        tr_pair_op(t, row, tr_pair(t, a[0], a[1]), tr_pair(t, b[0], b[1]));
    out[0] = tr_lo(t, r);
    out[1] = tr_hi(t, r);
}

/* An operation on one pair: by words if no instruction of 64 bits does it. */
static ir_val
binary_pair(struct tr *t, LLVMOpcode op, ir_val a, ir_val b, unsigned width)
{
    ir_val x[2] = { tr_lo(t, a), tr_hi(t, a) }, y[2], r[2];
    int32_t n;
    assert(t->target->wide_integers && width > 32 && width <= 64);
    switch ((int)op) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        return tr_op(t, row_of(op), a, b);
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
        y[0] = tr_lo(t, b);
        if (op != LLVMShl && width < 64)
            tr_extend64(t, x, width, op == LLVMAShr);
        if (tr_is_const(t, y[0], &n) && n >= 32) {
            tr_shift64(t, row_of(op), x, y[0], r);
            return tr_pair(t, r[0], r[1]);
        }
        return tr_op(t, row_of(op), tr_pair(t, x[0], x[1]), y[0]);
    }
    if (width == 64)
        return tr_op(t, row_of(op), a, b);
    y[0] = tr_lo(t, b);
    y[1] = tr_hi(t, b);
    binary64(t, op, x, y, width, r);
    return tr_pair(t, r[0], r[1]);
}

/* 32 bits and fewer. */
static ir_val
binary32(struct tr *t, LLVMOpcode op, ir_val a, ir_val b, unsigned width)
{
    if (is_division(op) || op == LLVMAShr) {
        a = is_signed_op(op) ? tr_sext(t, a, width) : tr_zext(t, a, width);
        if (op != LLVMAShr)
            b = is_signed_op(op) ? tr_sext(t, b, width) : tr_zext(t, b, width);
    } else if (op == LLVMLShr) {
        a = tr_zext(t, a, width);
    }
    assert(width && width <= 32);
    int32_t c;
    if (op == LLVMUDiv && tr_is_const(t, b, &c) && c > 0 && !(c & (c - 1)))
        return tr_opi(t, VENTUS_ISA_SRL, a, __builtin_ctz((unsigned)c));
    if (op == LLVMURem && tr_is_const(t, b, &c) && c > 0 && !(c & (c - 1)))
        return tr_opi(t, VENTUS_ISA_AND, a, c - 1);
    ir_val r = tr_op(t, row_of(op), a, b);
    bool keeps = op == LLVMAnd || op == LLVMOr || op == LLVMXor;
    return width == 1 && !keeps ? tr_opi(t, VENTUS_ISA_AND, r, 1) : r;
}

struct tr_value
tr_binary_value(struct tr *t, LLVMOpcode op, LLVMValueRef in)
{
    LLVMTypeRef type = LLVMTypeOf(in);
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        type = LLVMGetElementType(type);
    unsigned width = tr_width(t, type), step = tr_unit(t, width);
    struct tr_value a = tr_get(t, LLVMGetOperand(in, 0));
    struct tr_value b = tr_get(t, LLVMGetOperand(in, 1));
    struct tr_value r = tr_new_value(t, a.n);
    if (width > 64) {
        tr_fail(t, "integers of %u bits are not supported", width);
        return a;
    }
    for (unsigned i = 0; i < a.n; i += step) {
        if (step == 1) {
            r.at[i] = (width > 32 ? binary_pair : binary32)(t, op, a.at[i],
                                                            b.at[i], width);
            continue;
        }
        ir_val x[2] = { a.at[i], a.at[i + 1] };
        ir_val y[2] = { b.at[i], b.at[i + 1] };
        binary64(t, op, x, y, width, &r.at[i]);
    }
    return r;
}

bool
tr_binary(struct tr *t, LLVMValueRef in)
{
    struct tr_value r = tr_binary_value(t, LLVMGetInstructionOpcode(in), in);
    tr_set(t, in, r.at, r.n);
    return !t->failed;
}

bool
tr_icmp(struct tr *t, LLVMValueRef in)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(in, 0));
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        type = LLVMGetElementType(type);
    unsigned width = tr_width(t, type), step = tr_unit(t, width);
    struct tr_value a = tr_get(t, LLVMGetOperand(in, 0));
    struct tr_value b = tr_get(t, LLVMGetOperand(in, 1));
    struct tr_value r = tr_new_value(t, a.n / step);
    for (unsigned i = 0; i < r.n; i++) {
        struct tr_value x = { a.at + i * step, step };
        struct tr_value y = { b.at + i * step, step };
        r.at[i] = tr_compare(t, LLVMGetICmpPredicate(in), x, y, width);
    }
    tr_set(t, in, r.at, r.n);
    return true;
}

/* Casts a word to a pair. */
static ir_val
cast_to_pair(struct tr *t, LLVMOpcode op, ir_val from, unsigned width)
{
    bool is_signed = op == LLVMSExt;
    return tr_extend(
        t, is_signed ? tr_sext(t, from, width) : tr_zext(t, from, width),
        is_signed);
}

static void
cast_int(struct tr *t, LLVMOpcode op, const ir_val *from, unsigned from_width,
         ir_val *to, unsigned to_width)
{
    if (t->target->wide_integers && from_width <= 32 && to_width > 32) {
        to[0] = cast_to_pair(t, op, from[0], from_width);
        return;
    }
    ir_val x[2] = { from[0], IR_ZERO };
    if (from_width > 32)
        tr_split(t, from, x);
    if (op == LLVMZExt || op == LLVMSExt) {
        if (to_width > 32)
            tr_extend64(t, x, from_width, op == LLVMSExt);
        else
            x[0] = op == LLVMSExt ? tr_sext(t, x[0], from_width)
                                  : tr_zext(t, x[0], from_width);
    } else if (to_width == 1) {
        x[0] = tr_opi(t, VENTUS_ISA_AND, x[0], 1);
    }
    if (to_width > 32)
        tr_join(t, x, to);
    else
        to[0] = x[0];
}

/* Bits of vectors of i1 as a number and back; everything else is words. */
static bool
bitcast(struct tr *t, LLVMValueRef in)
{
    LLVMValueRef from = LLVMGetOperand(in, 0);
    struct tr_value a = tr_get(t, from);
    LLVMTypeRef ft = LLVMTypeOf(from), tt = LLVMTypeOf(in);
    bool fv = LLVMGetTypeKind(ft) == LLVMVectorTypeKind;
    bool tv = LLVMGetTypeKind(tt) == LLVMVectorTypeKind;
    unsigned fw = tr_width(t, fv ? LLVMGetElementType(ft) : ft);
    unsigned tw = tr_width(t, tv ? LLVMGetElementType(tt) : tt);
    bool fd = tr_is_pair(t, ft), td = tr_is_pair(t, tt);
    /* To words of 32 bits, then from these. */
    unsigned n_from = fv ? LLVMGetVectorSize(ft) : 1;
    unsigned n_to = tv ? LLVMGetVectorSize(tt) : 1;
    unsigned words = (fw * n_from + 31) / 32;
    struct tr_value w = tr_new_value(t, words);
    for (unsigned i = 0; i < words; i++)
        w.at[i] = IR_ZERO;
    for (unsigned i = 0, k = 0; i < n_from; i++) {
        if (fw < 32) {
            ir_val x = tr_zext(t, a.at[i], fw);
            x = tr_opi(t, VENTUS_ISA_SLL, x, (int32_t)(i * fw % 32));
            w.at[i * fw / 32] = tr_op(t, VENTUS_ISA_OR, w.at[i * fw / 32], x);
        } else if (fd) {
            w.at[2 * i] = tr_lo(t, a.at[i]);
            w.at[2 * i + 1] = tr_hi(t, a.at[i]);
        } else {
            for (unsigned j = 0; j < fw / 32; j++, k++)
                w.at[k] = a.at[k];
        }
    }
    struct tr_value r = tr_new_value(t, tr_words(t, tt));
    for (unsigned i = 0, k = 0; i < n_to; i++) {
        if (tw < 32) {
            r.at[i] = tr_opi(t, VENTUS_ISA_SRL, w.at[i * tw / 32],
                             (int32_t)(i * tw % 32));
            if (tw == 1)
                r.at[i] = tr_opi(t, VENTUS_ISA_AND, r.at[i], 1);
        } else if (td) {
            r.at[i] = tr_pair(t, w.at[2 * i], w.at[2 * i + 1]);
        } else {
            for (unsigned j = 0; j < tw / 32; j++, k++)
                r.at[k] = w.at[k];
        }
    }
    tr_set(t, in, r.at, r.n);
    return true;
}

/* Casts a value by any cast but bitcast. */
struct tr_value
tr_cast_value(struct tr *t, LLVMOpcode op, LLVMValueRef in)
{
    LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(in, 0)), to = LLVMTypeOf(in);
    if (LLVMGetTypeKind(from) == LLVMVectorTypeKind) {
        from = LLVMGetElementType(from);
        to = LLVMGetElementType(to);
    }
    unsigned fw = tr_width(t, from), tw = tr_width(t, to);
    if (op == LLVMPtrToInt || op == LLVMIntToPtr)
        op = fw < tw ? LLVMZExt : LLVMTrunc;
    unsigned fs = tr_unit(t, fw), ts = tr_unit(t, tw);
    struct tr_value a = tr_get(t, LLVMGetOperand(in, 0));
    struct tr_value r = tr_new_value(t, a.n / fs * ts);
    for (unsigned i = 0; i < a.n / fs; i++)
        cast_int(t, op, a.at + i * fs, fw, r.at + i * ts, tw);
    return r;
}

bool
tr_cast(struct tr *t, LLVMValueRef in)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(in);
    if (op == LLVMBitCast)
        return bitcast(t, in);
    struct tr_value r = tr_cast_value(t, op, in);
    tr_set(t, in, r.at, r.n);
    return true;
}
