/* SPDX-License-Identifier: Apache-2.0 */
/* LLVM's instructions on floating-point numbers, and conversions. */
#include "cc/isel/fp_insn.h"

#include "cc/isel/arith.h"
#include "cc/isel/build.h"
#include "cc/isel/fp.h"
#include "cc/isel/type.h"
#include "cc/isel/value.h"

bool
tr_fbinary(struct tr *t, LLVMValueRef in)
{
    LLVMOpcode code = LLVMGetInstructionOpcode(in);
    enum fp_format format = fp_format_of(LLVMTypeOf(in));
    struct tr_value a = tr_get(t, LLVMGetOperand(in, 0)), b = a;
    unsigned op = VENTUS_ISA_FSGNJN_S;
    if (code == LLVMFAdd)
        op = VENTUS_ISA_FADD_S;
    else if (code == LLVMFSub)
        op = VENTUS_ISA_FSUB_S;
    else if (code == LLVMFMul)
        op = VENTUS_ISA_FMUL_S;
    else if (code == LLVMFDiv)
        op = VENTUS_ISA_FDIV_S;
    else if (code != LLVMFNeg)
        return tr_fail(t, "frem is not supported");
    if (code != LLVMFNeg)
        b = tr_get(t, LLVMGetOperand(in, 1));
    struct tr_value r = tr_new_value(t, a.n);
    for (unsigned i = 0; i < a.n; i++)
        r.at[i] = fp_op(t, op, a.at[i], b.at[i], format);
    tr_set(t, in, r.at, r.n);
    return true;
}

static ir_val
is_ordered(struct tr *t, ir_val a, ir_val b, enum fp_format format)
{
    ir_val x = fp_test(t, VENTUS_ISA_FEQ_S, a, a, format);
    if (a == b)
        return x;
    return tr_op(t, VENTUS_ISA_AND, x,
                 fp_test(t, VENTUS_ISA_FEQ_S, b, b, format));
}

static ir_val
fp_compare(struct tr *t, LLVMRealPredicate p, ir_val a, ir_val b,
           enum fp_format format)
{
    switch (p) {
    case LLVMRealPredicateFalse:
        return IR_ZERO;
    case LLVMRealPredicateTrue:
        return tr_const(t, 1);
    case LLVMRealOEQ:
        return fp_test(t, VENTUS_ISA_FEQ_S, a, b, format);
    case LLVMRealOLT:
        return fp_test(t, VENTUS_ISA_FLT_S, a, b, format);
    case LLVMRealOLE:
        return fp_test(t, VENTUS_ISA_FLE_S, a, b, format);
    case LLVMRealOGT:
        return fp_test(t, VENTUS_ISA_FLT_S, b, a, format);
    case LLVMRealOGE:
        return fp_test(t, VENTUS_ISA_FLE_S, b, a, format);
    case LLVMRealONE:
        return tr_op(t, VENTUS_ISA_OR,
                     fp_test(t, VENTUS_ISA_FLT_S, a, b, format),
                     fp_test(t, VENTUS_ISA_FLT_S, b, a, format));
    case LLVMRealORD:
        return is_ordered(t, a, b, format);
    /* The rest are the opposites. */
    case LLVMRealUNE:
        return tr_opi(t, VENTUS_ISA_XOR,
                      fp_compare(t, LLVMRealOEQ, a, b, format), 1);
    case LLVMRealUEQ:
        return tr_opi(t, VENTUS_ISA_XOR,
                      fp_compare(t, LLVMRealONE, a, b, format), 1);
    case LLVMRealUGT:
        return tr_opi(t, VENTUS_ISA_XOR,
                      fp_compare(t, LLVMRealOLE, a, b, format), 1);
    case LLVMRealUGE:
        return tr_opi(t, VENTUS_ISA_XOR,
                      fp_compare(t, LLVMRealOLT, a, b, format), 1);
    case LLVMRealULT:
        return tr_opi(t, VENTUS_ISA_XOR,
                      fp_compare(t, LLVMRealOGE, a, b, format), 1);
    case LLVMRealULE:
        return tr_opi(t, VENTUS_ISA_XOR,
                      fp_compare(t, LLVMRealOGT, a, b, format), 1);
    case LLVMRealUNO:
        return tr_opi(t, VENTUS_ISA_XOR, is_ordered(t, a, b, format), 1);
    }
    return IR_ZERO;
}

bool
tr_fcmp(struct tr *t, LLVMValueRef in)
{
    enum fp_format format = fp_format_of(LLVMTypeOf(LLVMGetOperand(in, 0)));
    struct tr_value a = tr_get(t, LLVMGetOperand(in, 0));
    struct tr_value b = tr_get(t, LLVMGetOperand(in, 1));
    struct tr_value r = tr_new_value(t, a.n);
    for (unsigned i = 0; i < a.n; i++)
        r.at[i] =
            fp_compare(t, LLVMGetFCmpPredicate(in), a.at[i], b.at[i], format);
    tr_set(t, in, r.at, r.n);
    return true;
}

/* ---- conversions ---- */

/* Between float and double: fsgnj of a value with itself. */
static ir_val
change_format(struct tr *t, ir_val a, bool to_wide)
{
    struct ir_insn *in = tr_emit(t, VENTUS_ISA_FSGNJ_S, to_wide ? 2 : 1);
    in->src[1] = in->src[2] = a;
    in->pair = 1;
    return in->dst;
}

/* Rounds a double to odd on its way to half: the bits after the last bit of a float
 * are or-ed into that bit, so that the first of two roundings loses nothing. */
static ir_val
make_odd(struct tr *t, ir_val a)
{
    ir_val low = tr_lo(t, a);
    ir_val rest = tr_opi(t, VENTUS_ISA_AND, low, 0x1fffffff);
    ir_val sticky =
        tr_opi(t, VENTUS_ISA_SLL, tr_op(t, IR_SNE, rest, IR_ZERO), 29);
    ir_val first = tr_opi(t, VENTUS_ISA_AND, low, (int32_t)0xe0000000);
    return tr_pair(t, tr_op(t, VENTUS_ISA_OR, first, sticky), tr_hi(t, a));
}

static ir_val
float_to_float(struct tr *t, ir_val a, unsigned from, unsigned to)
{
    if (from == 64 && to == 16)
        a = make_odd(t, a);
    if (from == 64)
        a = change_format(t, a, false);
    if (from == 16)
        a = half_to_float(t, a);
    if (to == 16)
        return half_of_float(t, a);
    return to == 64 ? change_format(t, a, true) : a;
}

/*
 * 64 bits to float goes through double, which must not round a first time:
 * from 2^53 up, the bits that double cannot hold become one sticky bit.
 */
static void
make_sticky(struct tr *t, ir_val x[2], bool is_signed)
{
    ir_val top = is_signed ? tr_op(t, VENTUS_ISA_XOR, x[1],
                                   tr_opi(t, VENTUS_ISA_SRA, x[1], 31))
                           : x[1];
    ir_val large = tr_op(t, VENTUS_ISA_SLTU, tr_const(t, 0x1fffff), top);
    ir_val lost =
        tr_op(t, IR_SNE, tr_opi(t, VENTUS_ISA_AND, x[0], 0x7ff), IR_ZERO);
    ir_val kept = tr_opi(t, VENTUS_ISA_AND, x[0], ~0x7ff);
    kept = tr_op(t, VENTUS_ISA_OR, kept, tr_opi(t, VENTUS_ISA_SLL, lost, 11));
    x[0] = tr_select(t, large, kept, x[0]);
}

/* Converts an integer.  To half by way of float is right, too: what float rounds is
 * infinite as a half. */
static ir_val
int_to_float(struct tr *t, const ir_val *a, unsigned from, unsigned to,
             bool is_signed)
{
    unsigned op = is_signed ? VENTUS_ISA_FCVT_S_W : VENTUS_ISA_FCVT_S_WU;
    enum fp_format format = to == 64 ? FP_DOUBLE : FP_SINGLE;
    if (from <= 32) {
        ir_val x = is_signed ? tr_sext(t, a[0], from) : tr_zext(t, a[0], from);
        if (to == 16 && from <= 16 && !half_is_soft(t))
            return fp_op1(t, op, 1, from == 16 ? a[0] : x, FP_HALF);
        x = fp_op1(t, op, to == 64 ? 2 : 1, x, format);
        return to == 16 ? half_of_float(t, x) : x;
    }
    ir_val x[2];
    tr_split(t, a, x);
    if (to != 64)
        make_sticky(t, x, is_signed);
    ir_val whole = tr_pair(t, x[0], x[1]);
    ir_val r = fp_op1(t, op, to == 64 ? 2 : 1, whole, FP_DOUBLE);
    return to == 16 ? half_of_float(t, r) : r;
}

static ir_val
truncate_float(struct tr *t, unsigned op, unsigned words, ir_val a,
               enum fp_format format)
{
    struct ir_insn *in = fp_emit(t, op, words, format);
    in->src[1] = a;
    in->rm = 1; /* towards zero */
    return in->dst;
}

/* The largest half fits 16 bits without a sign. */
static ir_val
half_to_int(struct tr *t, ir_val h, unsigned to, bool is_signed)
{
    if (!is_signed)
        return truncate_float(t, VENTUS_ISA_FCVT_WU_S, 1, h, FP_HALF);
    if (to <= 16)
        return truncate_float(t, VENTUS_ISA_FCVT_W_S, 1, h, FP_HALF);
    ir_val sign =
        tr_opi(t, VENTUS_ISA_SRA, tr_opi(t, VENTUS_ISA_SLL, h, 16), 31);
    ir_val size = fp_op(t, VENTUS_ISA_FSGNJX_S, h, h, FP_HALF);
    size = truncate_float(t, VENTUS_ISA_FCVT_WU_S, 1, size, FP_HALF);
    return tr_op(t, VENTUS_ISA_SUB, tr_op(t, VENTUS_ISA_XOR, size, sign), sign);
}

static void
float_to_int(struct tr *t, ir_val a, unsigned from, ir_val *r, unsigned to,
             bool is_signed)
{
    if (from == 16) {
        if (half_is_soft(t))
            r[0] = truncate_float(
                t, is_signed ? VENTUS_ISA_FCVT_W_S : VENTUS_ISA_FCVT_WU_S, 1,
                half_to_float(t, a), FP_SINGLE);
        else
            r[0] = half_to_int(t, a, to, is_signed);
        if (to > 32) {
            ir_val high = is_signed ? tr_opi(t, VENTUS_ISA_SRA, r[0], 31)
                                    : (ir_val)IR_ZERO;
            tr_join(t, (ir_val[2]){ r[0], high }, r);
        }
    } else {
        ir_val x = truncate_float(
            t, is_signed ? VENTUS_ISA_FCVT_W_S : VENTUS_ISA_FCVT_WU_S,
            to > 32 ? 2 : 1, a, from == 64 || to > 32 ? FP_DOUBLE : FP_SINGLE);
        r[0] = x;
        if (to > 32) {
            ir_val words[2] = { tr_lo(t, x), tr_hi(t, x) };
            tr_join(t, words, r);
        }
    }
    if (to == 1)
        r[0] = tr_opi(t, VENTUS_ISA_AND, r[0], 1);
}

bool
tr_fcast(struct tr *t, LLVMValueRef in)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(in);
    LLVMTypeRef ft = LLVMTypeOf(LLVMGetOperand(in, 0)), tt = LLVMTypeOf(in);
    if (LLVMGetTypeKind(ft) == LLVMVectorTypeKind) {
        ft = LLVMGetElementType(ft);
        tt = LLVMGetElementType(tt);
    }
    unsigned from = tr_width(t, ft), to = tr_width(t, tt);
    bool from_int = op == LLVMSIToFP || op == LLVMUIToFP;
    bool to_int = op == LLVMFPToSI || op == LLVMFPToUI;
    unsigned fs = from_int ? tr_unit(t, from) : 1;
    unsigned ts = to_int ? tr_unit(t, to) : 1;
    struct tr_value a = tr_get(t, LLVMGetOperand(in, 0));
    struct tr_value r = tr_new_value(t, a.n / fs * ts);
    for (unsigned i = 0; i < a.n / fs; i++) {
        if (from_int)
            r.at[i] =
                int_to_float(t, a.at + i * fs, from, to, op == LLVMSIToFP);
        else if (to_int)
            float_to_int(t, a.at[i], from, r.at + i * ts, to, op == LLVMFPToSI);
        else
            r.at[i] = float_to_float(t, a.at[i], from, to);
    }
    tr_set(t, in, r.at, r.n);
    return true;
}
