/* SPDX-License-Identifier: Apache-2.0 */
/* LLVM's intrinsics on integers: bits, shifts, minima, saturation, overflow. */
#include <assert.h>
#include <string.h>

#include "cc/isel/arith.h"
#include "cc/isel/build.h"
#include "cc/isel/intrinsic_int.h"
#include "cc/isel/type.h"
#include "cc/isel/value.h"

bool
tr_has_fixed_point(const struct tr *t, unsigned width)
{
    return t->m->options->profile != CC_PROFILE_UPSTREAM &&
           (width == 8 || width == 16 || width == 32);
}

struct ir_insn *
tr_fixed_point(struct tr *t, unsigned op, ir_val a, ir_val b, unsigned width)
{
    struct ir_insn *in = tr_emit(t, op, 1);
    in->src[1] = a;
    in->src[2] = b;
    in->half = width == 8 ? IR_BYTE : width == 16 ? IR_HALF : 0;
    return in;
}

static ir_val
popcount(struct tr *t, ir_val x)
{
    x = tr_op(
        t, VENTUS_ISA_SUB, x,
        tr_opi(t, VENTUS_ISA_AND, tr_opi(t, VENTUS_ISA_SRL, x, 1), 0x55555555));
    ir_val y =
        tr_opi(t, VENTUS_ISA_AND, tr_opi(t, VENTUS_ISA_SRL, x, 2), 0x33333333);
    x = tr_op(t, VENTUS_ISA_ADD, tr_opi(t, VENTUS_ISA_AND, x, 0x33333333), y);
    x = tr_op(t, VENTUS_ISA_ADD, x, tr_opi(t, VENTUS_ISA_SRL, x, 4));
    x = tr_opi(t, VENTUS_ISA_AND, x, 0x0f0f0f0f);
    return tr_opi(t, VENTUS_ISA_SRL, tr_opi(t, VENTUS_ISA_MUL, x, 0x01010101),
                  24);
}

/* Ones below the highest one, then count what is not there. */
static ir_val
leading_zeros(struct tr *t, ir_val x)
{
    for (int32_t k = 1; k < 32; k *= 2)
        x = tr_op(t, VENTUS_ISA_OR, x, tr_opi(t, VENTUS_ISA_SRL, x, k));
    return tr_op(t, VENTUS_ISA_SUB, tr_const(t, 32), popcount(t, x));
}

static ir_val
trailing_zeros(struct tr *t, ir_val x)
{
    ir_val below = tr_op(t, VENTUS_ISA_AND, tr_opi(t, VENTUS_ISA_XOR, x, -1),
                         tr_opi(t, VENTUS_ISA_ADD, x, -1));
    return popcount(t, below);
}

enum count { COUNT_ONES, COUNT_LEADING, COUNT_TRAILING };

static void
count_bits(struct tr *t, enum count what, const ir_val *a, unsigned width,
           ir_val *r)
{
    assert(width && width <= 64);
    ir_val lo = a[0], hi = width > 32 ? a[1] : (ir_val)IR_ZERO;
    if (what == COUNT_ONES) {
        r[0] = popcount(t, tr_zext(t, lo, width));
        if (width > 32)
            r[0] = tr_op(t, VENTUS_ISA_ADD, r[0], popcount(t, hi));
    } else if (width > 32) {
        bool leading = what == COUNT_LEADING;
        ir_val first = leading ? hi : lo, second = leading ? lo : hi;
        ir_val n1 =
            leading ? leading_zeros(t, first) : trailing_zeros(t, first);
        ir_val n2 =
            leading ? leading_zeros(t, second) : trailing_zeros(t, second);
        n2 = tr_opi(t, VENTUS_ISA_ADD, n2, 32);
        ir_val empty = tr_op(t, IR_SEQ, first, IR_ZERO);
        r[0] = tr_select(t, empty, n2, n1);
    } else if (what == COUNT_LEADING) {
        ir_val n = leading_zeros(t, tr_zext(t, lo, width));
        r[0] = tr_opi(t, VENTUS_ISA_ADD, n, (int32_t)width - 32);
    } else {
        if (width < 32)
            lo = tr_opi(t, VENTUS_ISA_OR, lo, (int32_t)(1u << width));
        r[0] = trailing_zeros(t, lo);
    }
    if (width > 32)
        r[1] = IR_ZERO;
}

static ir_val
swap_bytes(struct tr *t, ir_val x, unsigned width)
{
    ir_val odd =
        tr_opi(t, VENTUS_ISA_AND, tr_opi(t, VENTUS_ISA_SRL, x, 8), 0x00ff00ff);
    ir_val even =
        tr_opi(t, VENTUS_ISA_SLL, tr_opi(t, VENTUS_ISA_AND, x, 0x00ff00ff), 8);
    x = tr_op(t, VENTUS_ISA_OR, odd, even);
    if (width == 16)
        return x;
    return tr_op(t, VENTUS_ISA_OR, tr_opi(t, VENTUS_ISA_SRL, x, 16),
                 tr_opi(t, VENTUS_ISA_SLL, x, 16));
}

static ir_val
reverse_bits(struct tr *t, ir_val x, unsigned width)
{
    static const int32_t masks[] = { 0x55555555, 0x33333333, 0x0f0f0f0f };
    for (int32_t k = 0; k < 3; k++) {
        ir_val odd = tr_opi(t, VENTUS_ISA_AND,
                            tr_opi(t, VENTUS_ISA_SRL, x, 1 << k), masks[k]);
        ir_val even = tr_opi(t, VENTUS_ISA_SLL,
                             tr_opi(t, VENTUS_ISA_AND, x, masks[k]), 1 << k);
        x = tr_op(t, VENTUS_ISA_OR, odd, even);
    }
    x = swap_bytes(t, x, 32);
    return tr_opi(t, VENTUS_ISA_SRL, x, (int32_t)(32 - width));
}

/* The high or low half of a:b shifted by c. */
static bool
translate_funnel(struct tr *t, LLVMValueRef in, bool left, unsigned width)
{
    struct tr_value a = tr_get_words(t, LLVMGetOperand(in, 0));
    struct tr_value b = tr_get_words(t, LLVMGetOperand(in, 1));
    struct tr_value n = tr_get_words(t, LLVMGetOperand(in, 2));
    ir_val by = tr_opi(t, VENTUS_ISA_AND, n.at[0], (int32_t)width - 1);
    if (width & (width - 1))
        by = tr_opi(t, VENTUS_ISA_REMU, tr_zext(t, n.at[0], width),
                    (int32_t)width);
    ir_val rest = tr_op(t, VENTUS_ISA_SUB, tr_const(t, (int32_t)width - 1), by);
    ir_val r[2], x[2], y[2];
    if (width > 32) {
        ir_val one[2], minus = rest;
        if (left) {
            tr_shift64(t, VENTUS_ISA_SLL, a.at, by, x);
            tr_shift64(t, VENTUS_ISA_SRL, b.at, tr_const(t, 1), one);
            tr_shift64(t, VENTUS_ISA_SRL, one, minus, y);
        } else {
            tr_shift64(t, VENTUS_ISA_SRL, b.at, by, x);
            tr_shift64(t, VENTUS_ISA_SLL, a.at, tr_const(t, 1), one);
            tr_shift64(t, VENTUS_ISA_SLL, one, minus, y);
        }
        r[0] = tr_op(t, VENTUS_ISA_OR, x[0], y[0]);
        r[1] = tr_op(t, VENTUS_ISA_OR, x[1], y[1]);
        tr_set_words(t, in, r, 2);
        return true;
    }
    ir_val low = tr_zext(t, b.at[0], width);
    if (left) {
        x[0] = tr_op(t, VENTUS_ISA_SLL, a.at[0], by);
        y[0] =
            tr_op(t, VENTUS_ISA_SRL, tr_opi(t, VENTUS_ISA_SRL, low, 1), rest);
    } else {
        x[0] = tr_op(t, VENTUS_ISA_SRL, low, by);
        y[0] = tr_op(t, VENTUS_ISA_SLL, tr_opi(t, VENTUS_ISA_SLL, a.at[0], 1),
                     rest);
    }
    tr_set1(t, in, tr_op(t, VENTUS_ISA_OR, x[0], y[0]));
    return true;
}

static void
select_words(struct tr *t, ir_val c, const ir_val *a, const ir_val *b,
             unsigned n, ir_val *r)
{
    for (unsigned i = 0; i < n; i++)
        r[i] = tr_select(t, c, a[i], b[i]);
}

static bool
min_max(struct tr *t, LLVMValueRef in, const char *name, unsigned width)
{
    bool is_signed = name[0] == 's', min = name[2] == 'i';
    struct tr_value a = tr_get_words(t, LLVMGetOperand(in, 0));
    struct tr_value b = tr_get_words(t, LLVMGetOperand(in, 1));
    ir_val r[2];
    if (width <= 32) {
        unsigned op =
            is_signed ? (min ? IR_MIN : IR_MAX) : (min ? IR_MINU : IR_MAXU);
        ir_val x =
            is_signed ? tr_sext(t, a.at[0], width) : tr_zext(t, a.at[0], width);
        ir_val y =
            is_signed ? tr_sext(t, b.at[0], width) : tr_zext(t, b.at[0], width);
        tr_set1(t, in, tr_op(t, op, x, y));
        return true;
    }
    LLVMIntPredicate p = is_signed ? LLVMIntSLT : LLVMIntULT;
    ir_val less = tr_compare(t, p, a, b, width);
    select_words(t, less, min ? a.at : b.at, min ? b.at : a.at, 2, r);
    tr_set_words(t, in, r, 2);
    return true;
}

static bool
translate_abs(struct tr *t, LLVMValueRef in, unsigned width)
{
    struct tr_value a = tr_get_words(t, LLVMGetOperand(in, 0));
    if (width <= 32) {
        ir_val x = tr_sext(t, a.at[0], width);
        ir_val minus = tr_op(t, VENTUS_ISA_SUB, IR_ZERO, x);
        tr_set1(t, in, tr_op(t, IR_MAX, x, minus));
        return true;
    }
    ir_val zero[2] = { IR_ZERO, IR_ZERO }, minus[2], r[2];
    tr_sub64(t, zero, a.at, minus);
    ir_val negative = tr_op(t, VENTUS_ISA_SLT, a.at[1], IR_ZERO);
    select_words(t, negative, minus, a.at, 2, r);
    tr_set_words(t, in, r, 2);
    return true;
}

/* The flag of add, sub or mul; the result in r. */
static ir_val
overflow_flag(struct tr *t, char op, bool is_signed, const ir_val *a,
              const ir_val *b, unsigned n, ir_val *r)
{
    unsigned hi = n - 1;
    if (op == 'm') { /* 32 bits only */
        r[0] = tr_op(t, VENTUS_ISA_MUL, a[0], b[0]);
        ir_val high = tr_op(t, is_signed ? VENTUS_ISA_MULH : VENTUS_ISA_MULHU,
                            a[0], b[0]);
        ir_val sign =
            is_signed ? tr_opi(t, VENTUS_ISA_SRA, r[0], 31) : (ir_val)IR_ZERO;
        return tr_op(t, IR_SNE, high, sign);
    }
    if (n == 1)
        r[0] =
            tr_op(t, op == 'a' ? VENTUS_ISA_ADD : VENTUS_ISA_SUB, a[0], b[0]);
    else if (op == 'a')
        tr_add64(t, a, b, r);
    else
        tr_sub64(t, a, b, r);
    if (is_signed) {
        /* the sign differs from that of a, and of b (add) or ~b (sub) */
        ir_val x = tr_op(t, VENTUS_ISA_XOR, r[hi], a[hi]);
        ir_val y = op == 'a' ? tr_op(t, VENTUS_ISA_XOR, r[hi], b[hi])
                             : tr_op(t, VENTUS_ISA_XOR, a[hi], b[hi]);
        return tr_opi(t, VENTUS_ISA_SRL, tr_op(t, VENTUS_ISA_AND, x, y), 31);
    }
    struct tr_value sum = { r, n }, first = { (ir_val *)a, n },
                    second = { (ir_val *)b, n };
    unsigned width = 32 * n;
    return op == 'a' ? tr_compare(t, LLVMIntULT, sum, first, width)
                     : tr_compare(t, LLVMIntULT, first, second, width);
}

/* Saturation: what the result is if it overflows. */
static void
saturation_value(struct tr *t, char op, bool is_signed, const ir_val *a,
                 unsigned n, ir_val *r)
{
    for (unsigned i = 0; i < n; i++)
        r[i] = op == 'a' ? tr_const(t, -1) : (ir_val)IR_ZERO;
    if (!is_signed)
        return;
    /* by the sign of a: 0x7fff... or 0x8000... */
    ir_val sign = tr_opi(t, VENTUS_ISA_SRA, a[n - 1], 31);
    for (unsigned i = 0; i < n; i++)
        r[i] = tr_opi(t, VENTUS_ISA_XOR, sign, i == n - 1 ? INT32_MAX : -1);
}

/* name: "uadd.sat", "smul.with.overflow" ... */
static bool
translate_checked(struct tr *t, LLVMValueRef in, const char *name,
                  unsigned width)
{
    bool is_signed = name[0] == 's', sat = strstr(name, ".sat") != NULL;
    char op = name[1] == 's' ? 's' : name[1];
    struct tr_value x = tr_get_words(t, LLVMGetOperand(in, 0));
    struct tr_value y = tr_get_words(t, LLVMGetOperand(in, 1));
    unsigned n = width > 32 ? 2 : 1;
    ir_val a[2], b[2], r[3], limit[2];
    if (width > 32 && (width != 64 || op == 'm'))
        return tr_fail(t, "%s on %u bits is not supported", name, width);
    if (sat && tr_has_fixed_point(t, width)) {
        unsigned row = op == 'a' ? (is_signed ? IR_SADD : IR_SADDU)
                                 : (is_signed ? IR_SSUB : IR_SSUBU);
        tr_set1(t, in, tr_fixed_point(t, row, x.at[0], y.at[0], width)->dst);
        return true;
    }
    /* Narrow numbers: at the top of the word, where overflow shows. */
    int32_t up = width < 32 ? (int32_t)(32 - width) : 0;
    for (unsigned i = 0; i < n; i++) {
        a[i] = tr_opi(t, VENTUS_ISA_SLL, x.at[i], up);
        b[i] = tr_opi(t, VENTUS_ISA_SLL, y.at[i], op == 'm' ? 0 : up);
    }
    if (op == 'm' && width < 32)
        b[0] =
            is_signed ? tr_sext(t, y.at[0], width) : tr_zext(t, y.at[0], width);
    ir_val flag = overflow_flag(t, op, is_signed, a, b, n, r);
    if (sat) {
        saturation_value(t, op, is_signed, a, n, limit);
        select_words(t, flag, limit, r, n, r);
    }
    for (unsigned i = 0; up && i < n; i++)
        r[i] = tr_opi(t, is_signed ? VENTUS_ISA_SRA : VENTUS_ISA_SRL, r[i], up);
    r[n] = flag;
    tr_set_words(t, in, r, sat ? n : n + 1);
    return true;
}

bool
tr_integer_intrinsic(struct tr *t, LLVMValueRef in, const char *name)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(in, 0));
    unsigned width = tr_width(t, type);
    if (!strncmp(name, "smin", 4) || !strncmp(name, "smax", 4) ||
        !strncmp(name, "umin", 4) || !strncmp(name, "umax", 4))
        return min_max(t, in, name, width);
    if (!strncmp(name, "abs.", 4))
        return translate_abs(t, in, width);
    if (!strncmp(name, "fshl", 4) || !strncmp(name, "fshr", 4))
        return translate_funnel(t, in, name[3] == 'l', width);
    if (strstr(name, ".sat.") || strstr(name, ".with.overflow."))
        return translate_checked(t, in, name, width);
    struct tr_value a = tr_get_words(t, LLVMGetOperand(in, 0));
    ir_val r[2];
    if (!strncmp(name, "bswap", 5) || !strncmp(name, "bitreverse", 10)) {
        bool bytes = name[1] == 's';
        if (width <= 32) {
            r[0] = bytes ? swap_bytes(t, a.at[0], width)
                         : reverse_bits(t, a.at[0], width);
        } else {
            r[0] = bytes ? swap_bytes(t, a.at[1], 32)
                         : reverse_bits(t, a.at[1], 32);
            r[1] = bytes ? swap_bytes(t, a.at[0], 32)
                         : reverse_bits(t, a.at[0], 32);
        }
    } else {
        count_bits(t,
                   name[2] == 'p'   ? COUNT_ONES
                   : name[2] == 'l' ? COUNT_LEADING
                                    : COUNT_TRAILING,
                   a.at, width, r);
    }
    tr_set_words(t, in, r, width > 32 ? 2 : 1);
    return true;
}
