/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Floating point.  A double is a register pair and an instruction on it has
 * `pair` set; what has 32 bits in such an instruction sits in an odd register
 * (manual 4.2.3), which also is how the formats convert into each other.  An
 * instruction on halves has `half` set: its elements are of 16 bits (vsetvli.c).
 */
#include "cc/isel/fp.h"

#include "cc/isel/build.h"

struct ir_insn *
fp_emit(struct tr *t, unsigned op, unsigned words, enum fp_format format)
{
    struct ir_insn *in = tr_emit(t, op, words);
    in->pair = format == FP_DOUBLE;
    in->half = format == FP_HALF;
    return in;
}

ir_val
fp_op1(struct tr *t, unsigned op, unsigned words, ir_val a,
       enum fp_format format)
{
    struct ir_insn *in = fp_emit(t, op, words, format);
    in->src[1] = a;
    return in->dst;
}

static bool
is_soft(const struct tr *t, enum fp_format format)
{
    return format == FP_HALF && half_is_soft(t);
}

ir_val
fp_op(struct tr *t, unsigned op, ir_val a, ir_val b, enum fp_format format)
{
    if (is_soft(t, format))
        return half_soft_op(t, op, a, b);
    struct ir_insn *in = fp_emit(t, op, format == FP_DOUBLE ? 2 : 1, format);
    in->src[1] = a;
    in->src[2] = b;
    return in->dst;
}

/* The result of a comparison, 0 or 1. */
ir_val
fp_test(struct tr *t, unsigned op, ir_val a, ir_val b, enum fp_format format)
{
    if (is_soft(t, format))
        return fp_test(t, op, half_to_float(t, a), half_to_float(t, b),
                       FP_SINGLE);
    struct ir_insn *in = fp_emit(t, op, 1, format);
    in->src[1] = a;
    in->src[2] = b;
    return in->dst;
}

ir_val
fp_fma(struct tr *t, ir_val a, ir_val b, ir_val c, enum fp_format format)
{
    if (is_soft(t, format))
        return half_soft_fma(t, a, b, c);
    unsigned words = format == FP_DOUBLE ? 2 : 1;
    struct ir_insn *in = fp_emit(t, VENTUS_ISA_FMADD_S, words, format);
    in->src[1] = a;
    in->src[2] = b;
    in->src[3] = c;
    return in->dst;
}

ir_val
fp_sqrt(struct tr *t, ir_val a, enum fp_format format)
{
    if (is_soft(t, format))
        return half_of_float(t, fp_sqrt(t, half_to_float(t, a), FP_SINGLE));
    return fp_op1(t, VENTUS_ISA_FSQRT_S, format == FP_DOUBLE ? 2 : 1, a,
                  format);
}

ir_val
fp_class(struct tr *t, ir_val a, enum fp_format format)
{
    if (is_soft(t, format))
        return half_soft_class(t, a);
    return fp_op1(t, VENTUS_ISA_FCLASS_S, 1, a, format);
}

ir_val
fp_const(struct tr *t, double x, enum fp_format format)
{
    union {
        float f;
        uint32_t bits;
    } narrow = { (float)x };
    union {
        double f;
        uint64_t bits;
    } whole = { x };
    if (format == FP_SINGLE)
        return tr_const(t, (int32_t)narrow.bits);
    if (format == FP_HALF) /* 0, or what is normal and exact as a half */
        return tr_const(
            t, x == 0
                   ? 0
                   : (int32_t)(((narrow.bits & 0x7fffffff) - 0x38000000) >> 13 |
                               (narrow.bits >> 16 & 0x8000)));
    return tr_pair(t, tr_const(t, (int32_t)whole.bits),
                   tr_const(t, (int32_t)(whole.bits >> 32)));
}

enum fp_format
fp_format_of(LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        type = LLVMGetElementType(type);
    switch (LLVMGetTypeKind(type)) {
    case LLVMHalfTypeKind:
        return FP_HALF;
    case LLVMDoubleTypeKind:
        return FP_DOUBLE;
    default:
        return FP_SINGLE;
    }
}

ir_val
fp_select(struct tr *t, ir_val c, ir_val a, ir_val b, enum fp_format format)
{
    struct ir_insn *last = t->block->last;
    ir_val r = tr_select(t, c, a, b);
    if (t->block->last != last)
        t->block->last->half = format == FP_HALF && !half_is_soft(t);
    return r;
}

/* ---- halves: to and from float, and all of it where no instruction does it ---- */

static ir_val
convert_half(struct tr *t, unsigned op, ir_val x)
{
    struct ir_insn *in = tr_emit(t, op, 1);
    in->src[1] = x;
    in->half = IR_HALF;
    return in->dst;
}

/* Converts a half without an instruction: exponent and fraction move into place; the
 * multiplication by 2^112 corrects the bias and normalises subnormal numbers. */
ir_val
half_to_float(struct tr *t, ir_val h)
{
    if (!half_is_soft(t))
        return convert_half(t, IR_WIDEN, h);
    ir_val bits =
        tr_opi(t, VENTUS_ISA_SLL, tr_opi(t, VENTUS_ISA_AND, h, 0x7fff), 13);
    ir_val f =
        fp_op(t, VENTUS_ISA_FMUL_S, bits, tr_const(t, 0x77800000), FP_SINGLE);
    ir_val special = tr_op(t, VENTUS_ISA_SLTU, tr_const(t, 0x0f7fffff), bits);
    ir_val all = tr_opi(t, VENTUS_ISA_OR, bits, 0x7f800000);
    f = tr_select(t, special, all, f);
    ir_val sign =
        tr_opi(t, VENTUS_ISA_SLL, tr_opi(t, VENTUS_ISA_AND, h, 0x8000), 16);
    return tr_op(t, VENTUS_ISA_OR, f, sign);
}

/* Rounds to half, to nearest, ties to even. */
ir_val
half_of_float(struct tr *t, ir_val f)
{
    if (!half_is_soft(t))
        return convert_half(t, IR_NARROW, f);
    ir_val bits = tr_opi(t, VENTUS_ISA_AND, f, 0x7fffffff);
    /* normal: rebias, add half of the last place and the odd bit */
    ir_val odd =
        tr_opi(t, VENTUS_ISA_AND, tr_opi(t, VENTUS_ISA_SRL, bits, 13), 1);
    ir_val normal = tr_opi(t, VENTUS_ISA_ADD, bits, (int32_t)0xc8000fff);
    normal =
        tr_opi(t, VENTUS_ISA_SRL, tr_op(t, VENTUS_ISA_ADD, normal, odd), 13);
    /* subnormal: an addition rounds at the right place */
    ir_val magic = tr_const(t, 0x3f000000);
    ir_val small =
        tr_op(t, VENTUS_ISA_SUB,
              fp_op(t, VENTUS_ISA_FADD_S, bits, magic, FP_SINGLE), magic);
    ir_val nan = tr_op(t, VENTUS_ISA_SLTU, tr_const(t, 0x7f800000), bits);
    ir_val large = tr_select(t, nan, tr_const(t, 0x7e00), tr_const(t, 0x7c00));
    ir_val is_small = tr_op(t, VENTUS_ISA_SLTU, bits, tr_const(t, 0x38800000));
    ir_val is_large = tr_op(t, VENTUS_ISA_SLTU, tr_const(t, 0x477fffff), bits);
    ir_val r =
        tr_select(t, is_small, small, tr_select(t, is_large, large, normal));
    ir_val sign =
        tr_opi(t, VENTUS_ISA_AND, tr_opi(t, VENTUS_ISA_SRL, f, 16), 0x8000);
    return tr_op(t, VENTUS_ISA_OR, r, sign);
}

/*
 * Whether halves are computed as floats: where vectors of 16-bit elements are packed,
 * two to a lane, and not one in each (semantics.md, Vectors of RVV), their
 * instructions are of no use.
 */
bool
half_is_soft(const struct tr *t)
{
    return t->m->options->profile == CC_PROFILE_UPSTREAM;
}

/* Rounding to float first and then to half is exact: 24 >= 2 * 11 + 2. */
ir_val
half_soft_op(struct tr *t, unsigned op, ir_val a, ir_val b)
{
    if (op == VENTUS_ISA_FSGNJN_S && a == b)
        return tr_opi(t, VENTUS_ISA_XOR, a, 0x8000);
    if (op == VENTUS_ISA_FSGNJX_S && a == b)
        return tr_opi(t, VENTUS_ISA_AND, a, 0x7fff);
    ir_val x = half_to_float(t, a), y = half_to_float(t, b);
    return half_of_float(t, fp_op(t, op, x, y, FP_SINGLE));
}

/*
 * A product and a sum of halves: the float is rounded to odd.  Products of halves are
 * exact, and so is what a sum loses (Knuth's two-sum); if it lost something and its
 * last bit is even, the neighbour on that side is odd.
 */
ir_val
half_soft_fma(struct tr *t, ir_val a, ir_val b, ir_val c)
{
    ir_val p = fp_op(t, VENTUS_ISA_FMUL_S, half_to_float(t, a),
                     half_to_float(t, b), FP_SINGLE);
    ir_val q = half_to_float(t, c);
    ir_val sum = fp_op(t, VENTUS_ISA_FADD_S, p, q, FP_SINGLE);
    ir_val q1 = fp_op(t, VENTUS_ISA_FSUB_S, sum, p, FP_SINGLE);
    ir_val p1 = fp_op(t, VENTUS_ISA_FSUB_S, sum, q1, FP_SINGLE);
    ir_val lost = fp_op(
        t, VENTUS_ISA_FADD_S, fp_op(t, VENTUS_ISA_FSUB_S, p, p1, FP_SINGLE),
        fp_op(t, VENTUS_ISA_FSUB_S, q, q1, FP_SINGLE), FP_SINGLE);
    ir_val size = fp_op(t, VENTUS_ISA_FSGNJX_S, lost, lost, FP_SINGLE);
    /* nothing of what is no number */
    ir_val some = fp_test(t, VENTUS_ISA_FLT_S, IR_ZERO, size, FP_SINGLE);
    ir_val even =
        tr_opi(t, VENTUS_ISA_XOR, tr_opi(t, VENTUS_ISA_AND, sum, 1), 1);
    ir_val apart =
        tr_opi(t, VENTUS_ISA_SRA, tr_op(t, VENTUS_ISA_XOR, lost, sum), 31);
    ir_val step = tr_opi(t, VENTUS_ISA_OR, apart, 1); /* 1, or -1 */
    ir_val move = tr_op(t, VENTUS_ISA_AND, some, even);
    move =
        tr_op(t, VENTUS_ISA_AND, tr_op(t, VENTUS_ISA_SUB, IR_ZERO, move), step);
    return half_of_float(t, tr_op(t, VENTUS_ISA_ADD, sum, move));
}

/* Classifies a half by a float with the same fraction, which is denormal if the half is. */
ir_val
half_soft_class(struct tr *t, ir_val h)
{
    ir_val bits =
        tr_opi(t, VENTUS_ISA_SLL, tr_opi(t, VENTUS_ISA_AND, h, 0x7fff), 13);
    ir_val special = tr_op(t, VENTUS_ISA_SLTU, tr_const(t, 0x0f7fffff), bits);
    /* the first bit of the fraction is that of a quiet NaN in both */
    ir_val all = tr_opi(t, VENTUS_ISA_OR, bits, 0x7f800000);
    ir_val f = tr_select(t, special, all, bits);
    ir_val sign =
        tr_opi(t, VENTUS_ISA_SLL, tr_opi(t, VENTUS_ISA_AND, h, 0x8000), 16);
    return fp_class(t, tr_op(t, VENTUS_ISA_OR, f, sign), FP_SINGLE);
}

/* ---- rounding to an integral value ---- */

/* The limit from which on each number is integral. */
static ir_val
integral_limit(struct tr *t, enum fp_format format)
{
    static const double limits[] = { [FP_SINGLE] = 8388608.0,
                                     [FP_DOUBLE] = 4503599627370496.0,
                                     [FP_HALF] = 1024.0 };
    return fp_const(t, limits[format], format);
}

/* Through an integer, which holds what is below the limit. */
ir_val
fp_round(struct tr *t, enum fp_rounding how, ir_val x, enum fp_format format)
{
    if (is_soft(t, format))
        return half_of_float(t,
                             fp_round(t, how, half_to_float(t, x), FP_SINGLE));
    unsigned words = format == FP_DOUBLE ? 2 : 1;
    struct ir_insn *in = fp_emit(t, VENTUS_ISA_FCVT_W_S, words, format);
    in->src[1] = x;
    in->rm = how == FP_ROUND_EVEN ? 7 : 1;
    ir_val r = fp_op1(t, VENTUS_ISA_FCVT_S_W, words, in->dst, format);
    ir_val one = fp_const(t, 1, format);
    ir_val size = fp_op(t, VENTUS_ISA_FSGNJX_S, x, x, format);
    if (how == FP_ROUND_DOWN) {
        ir_val above = fp_test(t, VENTUS_ISA_FLT_S, x, r, format);
        r = fp_select(t, above, fp_op(t, VENTUS_ISA_FSUB_S, r, one, format), r,
                      format);
    } else if (how == FP_ROUND_UP) {
        ir_val below = fp_test(t, VENTUS_ISA_FLT_S, r, x, format);
        r = fp_select(t, below, fp_op(t, VENTUS_ISA_FADD_S, r, one, format), r,
                      format);
    } else if (how == FP_ROUND_AWAY) {
        ir_val rest = fp_op(t, VENTUS_ISA_FSUB_S, x, r, format);
        rest = fp_op(t, VENTUS_ISA_FSGNJX_S, rest, rest, format);
        ir_val far = fp_test(t, VENTUS_ISA_FLE_S, fp_const(t, 0.5, format),
                             rest, format);
        ir_val step = fp_op(t, VENTUS_ISA_FSGNJ_S, one, x, format);
        r = fp_select(t, far, fp_op(t, VENTUS_ISA_FADD_S, r, step, format), r,
                      format);
    }
    r = fp_op(t, VENTUS_ISA_FSGNJ_S, r, x, format);
    ir_val small =
        fp_test(t, VENTUS_ISA_FLT_S, size, integral_limit(t, format), format);
    return fp_select(t, small, r, x, format);
}
