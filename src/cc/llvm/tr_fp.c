/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Floating point.  A double is a register pair and an instruction on it has
 * `pair` set; what has 32 bits in such an instruction sits in an odd register
 * (manual 4.2.3), which also is how the formats convert into each other.
 */
#include "cc/llvm/tr_fp.h"

ir_val
fp_op(struct tr *t, unsigned op, ir_val a, ir_val b, bool wide)
{
    struct ir_insn *in = tr_emit(t, op, wide ? 2 : 1);
    in->src[1] = a;
    in->src[2] = b;
    in->pair = wide;
    return in->dst;
}

/* 0 or 1. */
ir_val
fp_test(struct tr *t, unsigned op, ir_val a, ir_val b, bool wide)
{
    struct ir_insn *in = tr_emit(t, op, 1);
    in->src[1] = a;
    in->src[2] = b;
    in->pair = wide;
    return in->dst;
}

ir_val
fp_const(struct tr *t, double x, bool wide)
{
    union {
        float f;
        uint32_t bits;
    } narrow = { (float)x };
    union {
        double f;
        uint64_t bits;
    } whole = { x };
    if (!wide)
        return tr_const(t, (int32_t)narrow.bits);
    return tr_pair(t, tr_const(t, (int32_t)whole.bits),
                   tr_const(t, (int32_t)(whole.bits >> 32)));
}

bool
fp_is_wide(LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        type = LLVMGetElementType(type);
    return LLVMGetTypeKind(type) == LLVMDoubleTypeKind;
}

static bool
is_half(LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        type = LLVMGetElementType(type);
    return LLVMGetTypeKind(type) == LLVMHalfTypeKind;
}

/*
 * Exponent and fraction move into place; the multiplication by 2^112 corrects
 * the bias and normalises subnormal numbers.
 */
static ir_val
from_half(struct tr *t, ir_val h)
{
    ir_val bits = tr_opi(t, ISA_SLL, tr_opi(t, ISA_AND, h, 0x7fff), 13);
    ir_val f = fp_op(t, ISA_FMUL_S, bits, tr_const(t, 0x77800000), false);
    ir_val special = tr_op(t, ISA_SLTU, tr_const(t, 0x0f7fffff), bits);
    ir_val all = tr_opi(t, ISA_OR, bits, 0x7f800000);
    f = tr_select(t, special, all, f);
    ir_val sign = tr_opi(t, ISA_SLL, tr_opi(t, ISA_AND, h, 0x8000), 16);
    return tr_op(t, ISA_OR, f, sign);
}

/* To nearest, ties to even. */
static ir_val
to_half(struct tr *t, ir_val f)
{
    ir_val bits = tr_opi(t, ISA_AND, f, 0x7fffffff);
    /* normal: rebias, add half of the last place and the odd bit */
    ir_val odd = tr_opi(t, ISA_AND, tr_opi(t, ISA_SRL, bits, 13), 1);
    ir_val normal = tr_opi(t, ISA_ADD, bits, (int32_t)0xc8000fff);
    normal = tr_opi(t, ISA_SRL, tr_op(t, ISA_ADD, normal, odd), 13);
    /* subnormal: an addition rounds at the right place */
    ir_val magic = tr_const(t, 0x3f000000);
    ir_val small =
        tr_op(t, ISA_SUB, fp_op(t, ISA_FADD_S, bits, magic, false), magic);
    ir_val nan = tr_op(t, ISA_SLTU, tr_const(t, 0x7f800000), bits);
    ir_val large = tr_select(t, nan, tr_const(t, 0x7e00), tr_const(t, 0x7c00));
    ir_val is_small = tr_op(t, ISA_SLTU, bits, tr_const(t, 0x38800000));
    ir_val is_large = tr_op(t, ISA_SLTU, tr_const(t, 0x477fffff), bits);
    ir_val r =
        tr_select(t, is_small, small, tr_select(t, is_large, large, normal));
    ir_val sign = tr_opi(t, ISA_AND, tr_opi(t, ISA_SRL, f, 16), 0x8000);
    return tr_op(t, ISA_OR, r, sign);
}

/* Rounding to float first and then to half is exact: 24 >= 2 * 11 + 2. */
static ir_val
half_op(struct tr *t, unsigned op, ir_val a, ir_val b)
{
    if (op == ISA_FSGNJN_S)
        return tr_opi(t, ISA_XOR, a, 0x8000);
    ir_val x = from_half(t, a), y = from_half(t, b);
    return to_half(t, fp_op(t, op, x, y, false));
}

bool
tr_fbinary(struct tr *t, LLVMValueRef in)
{
    LLVMOpcode code = LLVMGetInstructionOpcode(in);
    LLVMTypeRef type = LLVMTypeOf(in);
    bool wide = fp_is_wide(type);
    bool half = is_half(type);
    struct tr_value a = tr_get(t, LLVMGetOperand(in, 0)), b = a;
    unsigned op = ISA_FSGNJN_S;
    if (code == LLVMFAdd)
        op = ISA_FADD_S;
    else if (code == LLVMFSub)
        op = ISA_FSUB_S;
    else if (code == LLVMFMul)
        op = ISA_FMUL_S;
    else if (code == LLVMFDiv)
        op = ISA_FDIV_S;
    else if (code != LLVMFNeg)
        return tr_fail(t, "frem is not supported");
    if (code != LLVMFNeg)
        b = tr_get(t, LLVMGetOperand(in, 1));
    struct tr_value r = tr_new_value(t, a.n);
    for (unsigned i = 0; i < a.n; i++)
        r.at[i] = half ? half_op(t, op, a.at[i], b.at[i])
                       : fp_op(t, op, a.at[i], b.at[i], wide);
    tr_set(t, in, r.at, r.n);
    return true;
}

static ir_val
ordered(struct tr *t, ir_val a, ir_val b, bool wide)
{
    ir_val x = fp_test(t, ISA_FEQ_S, a, a, wide);
    if (a == b)
        return x;
    return tr_op(t, ISA_AND, x, fp_test(t, ISA_FEQ_S, b, b, wide));
}

static ir_val
fp_compare(struct tr *t, LLVMRealPredicate p, ir_val a, ir_val b, bool wide)
{
    switch (p) {
    case LLVMRealPredicateFalse:
        return IR_ZERO;
    case LLVMRealPredicateTrue:
        return tr_const(t, 1);
    case LLVMRealOEQ:
        return fp_test(t, ISA_FEQ_S, a, b, wide);
    case LLVMRealOLT:
        return fp_test(t, ISA_FLT_S, a, b, wide);
    case LLVMRealOLE:
        return fp_test(t, ISA_FLE_S, a, b, wide);
    case LLVMRealOGT:
        return fp_test(t, ISA_FLT_S, b, a, wide);
    case LLVMRealOGE:
        return fp_test(t, ISA_FLE_S, b, a, wide);
    case LLVMRealONE:
        return tr_op(t, ISA_OR, fp_test(t, ISA_FLT_S, a, b, wide),
                     fp_test(t, ISA_FLT_S, b, a, wide));
    case LLVMRealORD:
        return ordered(t, a, b, wide);
    /* The rest are the opposites. */
    case LLVMRealUNE:
        return tr_opi(t, ISA_XOR, fp_compare(t, LLVMRealOEQ, a, b, wide), 1);
    case LLVMRealUEQ:
        return tr_opi(t, ISA_XOR, fp_compare(t, LLVMRealONE, a, b, wide), 1);
    case LLVMRealUGT:
        return tr_opi(t, ISA_XOR, fp_compare(t, LLVMRealOLE, a, b, wide), 1);
    case LLVMRealUGE:
        return tr_opi(t, ISA_XOR, fp_compare(t, LLVMRealOLT, a, b, wide), 1);
    case LLVMRealULT:
        return tr_opi(t, ISA_XOR, fp_compare(t, LLVMRealOGE, a, b, wide), 1);
    case LLVMRealULE:
        return tr_opi(t, ISA_XOR, fp_compare(t, LLVMRealOGT, a, b, wide), 1);
    case LLVMRealUNO:
        return tr_opi(t, ISA_XOR, ordered(t, a, b, wide), 1);
    }
    return IR_ZERO;
}

bool
tr_fcmp(struct tr *t, LLVMValueRef in)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(in, 0));
    struct tr_value a = tr_get(t, LLVMGetOperand(in, 0));
    struct tr_value b = tr_get(t, LLVMGetOperand(in, 1));
    struct tr_value r = tr_new_value(t, a.n);
    bool half = is_half(type);
    for (unsigned i = 0; i < a.n; i++) {
        ir_val x = half ? from_half(t, a.at[i]) : a.at[i];
        ir_val y = half ? from_half(t, b.at[i]) : b.at[i];
        r.at[i] =
            fp_compare(t, LLVMGetFCmpPredicate(in), x, y, fp_is_wide(type));
    }
    tr_set(t, in, r.at, r.n);
    return true;
}

/* ---- conversions ---- */

/* Between float and double: fsgnj of a value with itself. */
static ir_val
change_format(struct tr *t, ir_val a, bool to_wide)
{
    struct ir_insn *in = tr_emit(t, ISA_FSGNJ_S, to_wide ? 2 : 1);
    in->src[1] = in->src[2] = a;
    in->pair = 1;
    return in->dst;
}

static ir_val
float_to_float(struct tr *t, ir_val a, unsigned from, unsigned to)
{
    if (from == 64) {
        a = change_format(t, a, false);
        from = 32;
    }
    if (from == 16)
        a = from_half(t, a);
    if (to == 16)
        return to_half(t, a);
    return to == 64 ? change_format(t, a, true) : a;
}

/*
 * 64 bits to float goes through double, which must not round a first time:
 * from 2^53 up, the bits that double cannot hold become one sticky bit.
 */
static void
make_sticky(struct tr *t, ir_val x[2], bool is_signed)
{
    ir_val top = is_signed
                     ? tr_op(t, ISA_XOR, x[1], tr_opi(t, ISA_SRA, x[1], 31))
                     : x[1];
    ir_val large = tr_op(t, ISA_SLTU, tr_const(t, 0x1fffff), top);
    ir_val lost = tr_op(t, IR_SNE, tr_opi(t, ISA_AND, x[0], 0x7ff), IR_ZERO);
    ir_val kept = tr_opi(t, ISA_AND, x[0], ~0x7ff);
    kept = tr_op(t, ISA_OR, kept, tr_opi(t, ISA_SLL, lost, 11));
    x[0] = tr_select(t, large, kept, x[0]);
}

static ir_val
int_to_float(struct tr *t, const ir_val *a, unsigned from, unsigned to,
             bool is_signed)
{
    unsigned op = is_signed ? ISA_FCVT_S_W : ISA_FCVT_S_WU;
    if (from <= 32) {
        ir_val x = is_signed ? tr_sext(t, a[0], from) : tr_zext(t, a[0], from);
        struct ir_insn *in = tr_emit(t, op, to == 64 ? 2 : 1);
        in->src[1] = x;
        in->pair = to == 64;
        return to == 16 ? to_half(t, in->dst) : in->dst;
    }
    ir_val x[2] = { a[0], a[1] };
    if (to != 64)
        make_sticky(t, x, is_signed);
    ir_val whole = tr_pair(t, x[0], x[1]);
    struct ir_insn *in = tr_emit(t, op, to == 64 ? 2 : 1);
    in->src[1] = whole;
    in->pair = 1;
    return to == 16 ? to_half(t, in->dst) : in->dst;
}

static void
float_to_int(struct tr *t, ir_val a, unsigned from, ir_val *r, unsigned to,
             bool is_signed)
{
    if (from == 16)
        a = from_half(t, a);
    struct ir_insn *in =
        tr_emit(t, is_signed ? ISA_FCVT_W_S : ISA_FCVT_WU_S, to > 32 ? 2 : 1);
    in->src[1] = a;
    in->rm = 1; /* towards zero */
    in->pair = from == 64 || to > 32;
    r[0] = in->dst;
    if (to > 32) {
        r[0] = tr_lo(t, in->dst);
        r[1] = tr_hi(t, in->dst);
    } else if (to == 1) {
        r[0] = tr_opi(t, ISA_AND, r[0], 1);
    }
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
    unsigned from = tr_width(ft), to = tr_width(tt);
    bool from_int = op == LLVMSIToFP || op == LLVMUIToFP;
    bool to_int = op == LLVMFPToSI || op == LLVMFPToUI;
    unsigned fs = from_int && from > 32 ? 2 : 1;
    unsigned ts = to_int && to > 32 ? 2 : 1;
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

/* ---- rounding to an integral value ---- */

/* Through an integer, for |x| below 2^23 (2^52): others are integral. */
ir_val
fp_round(struct tr *t, enum fp_rounding how, ir_val x, bool wide)
{
    struct ir_insn *in = tr_emit(t, ISA_FCVT_W_S, wide ? 2 : 1);
    in->src[1] = x;
    in->rm = how == FP_ROUND_EVEN ? 7 : 1;
    in->pair = wide;
    struct ir_insn *back = tr_emit(t, ISA_FCVT_S_W, wide ? 2 : 1);
    back->src[1] = in->dst;
    back->pair = wide;
    ir_val r = back->dst, one = fp_const(t, 1, wide);
    ir_val size = fp_op(t, ISA_FSGNJX_S, x, x, wide);
    if (how == FP_ROUND_DOWN) {
        ir_val above = fp_test(t, ISA_FLT_S, x, r, wide);
        r = tr_select(t, above, fp_op(t, ISA_FSUB_S, r, one, wide), r);
    } else if (how == FP_ROUND_UP) {
        ir_val below = fp_test(t, ISA_FLT_S, r, x, wide);
        r = tr_select(t, below, fp_op(t, ISA_FADD_S, r, one, wide), r);
    } else if (how == FP_ROUND_AWAY) {
        ir_val rest = fp_op(t, ISA_FSUB_S, x, r, wide);
        rest = fp_op(t, ISA_FSGNJX_S, rest, rest, wide);
        ir_val far = fp_test(t, ISA_FLE_S, fp_const(t, 0.5, wide), rest, wide);
        ir_val step = fp_op(t, ISA_FSGNJ_S, one, x, wide);
        r = tr_select(t, far, fp_op(t, ISA_FADD_S, r, step, wide), r);
    }
    r = fp_op(t, ISA_FSGNJ_S, r, x, wide);
    ir_val limit = fp_const(t, wide ? 4503599627370496.0 : 8388608.0, wide);
    return tr_select(t, fp_test(t, ISA_FLT_S, size, limit, wide), r, x);
}
