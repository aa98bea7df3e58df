/* SPDX-License-Identifier: Apache-2.0 */
/* Calls: what the device library leaves open, and LLVM's intrinsics. */
#include <string.h>

#include "cc/llvm/tr_fp.h"

enum { CSR_TID = 0x800, CSR_PRINT = 0x80b };

static ir_val
arg(struct tr *t, LLVMValueRef in, unsigned i)
{
    return tr_get1(t, LLVMGetOperand(in, i));
}

static ir_val
read_csr(struct tr *t, unsigned number)
{
    struct ir_insn *in = tr_emit(t, ISA_CSRRS, 1);
    in->src[1] = IR_ZERO;
    in->aux = (uint16_t)number;
    return in->dst;
}

static bool
constant_arg(struct tr *t, LLVMValueRef in, unsigned i, int32_t *x)
{
    if (tr_is_const(t, arg(t, in, i), x))
        return true;
    return tr_fail(t, "argument %u of a built-in must be constant", i + 1);
}

/* ---- __ventus_* ---- */

static enum intrinsic
find_intrinsic(const char *name)
{
    static const char *const names[] = {
#define X(id, text, ...) [INTRINSIC_##id] = text,
        INTRINSIC_LIST(X)
#undef X
    };
    for (unsigned i = 1; i < INTRINSIC_COUNT; i++) {
        size_t n = strcspn(names[i], "*");
        if (names[i][n] ? strncmp(names[i], name, n) == 0
                        : strcmp(names[i], name) == 0)
            return (enum intrinsic)i;
    }
    return INTRINSIC_NONE;
}

static unsigned
csr_of(enum intrinsic id)
{
    static const uint16_t numbers[INTRINSIC_COUNT] = {
        [INTRINSIC_CSR_TID] = 0x800,  [INTRINSIC_CSR_NUMW] = 0x801,
        [INTRINSIC_CSR_NUMT] = 0x802, [INTRINSIC_CSR_KNL] = 0x803,
        [INTRINSIC_CSR_WGID] = 0x804, [INTRINSIC_CSR_WID] = 0x805,
        [INTRINSIC_CSR_GIDX] = 0x808, [INTRINSIC_CSR_GIDY] = 0x809,
        [INTRINSIC_CSR_GIDZ] = 0x80a,
    };
    return numbers[id];
}

/* Bits of an immediate; all of them if they are not known, which is stronger. */
static int32_t
known_or_all(struct tr *t, LLVMValueRef in, unsigned i, int32_t all)
{
    int32_t x;
    return tr_is_const(t, arg(t, in, i), &x) ? x & all : all;
}

/* Manual 4.2.4.  Upstream's machines do not do barriersub alike; fences they do. */
static void
barrier(struct tr *t, LLVMValueRef in, bool sub)
{
    if (sub && t->m->options->profile == CC_PROFILE_UPSTREAM) {
        tr_emit(t, ISA_FENCE, 0)->aux = 0x0ff;
        return;
    }
    int32_t flags = known_or_all(t, in, 0, 7);
    int32_t scope = sub ? 0 : known_or_all(t, in, 1, 3);
    struct ir_insn *x = tr_emit(t, sub ? ISA_BARRIERSUB : ISA_BARRIER, 0);
    x->src[2] = IR_ZERO;
    x->imm = scope << 3 | flags;
}

static bool
effect(struct tr *t, LLVMValueRef in, enum intrinsic id)
{
    int32_t flags;
    if (id == INTRINSIC_PRINT) {
        ir_val x = arg(t, in, 0);
        struct ir_insn *w = tr_emit(t, ISA_CSRRW, 1);
        w->src[1] = x;
        w->aux = CSR_PRINT;
        w->is_volatile = true;
        return true;
    }
    if (id == INTRINSIC_BARRIER || id == INTRINSIC_BARRIERSUB) {
        barrier(t, in, id == INTRINSIC_BARRIERSUB);
        return true;
    }
    if (!constant_arg(t, in, 0, &flags))
        return false;
    tr_emit(t, ISA_FENCE, 0)->aux = flags & 0xfff;
    return true;
}

/* Is there an instruction that saturates or averages numbers of this width? */
static bool
has_fixed_point(const struct tr *t, unsigned width)
{
    return t->m->options->profile != CC_PROFILE_UPSTREAM &&
           (width == 8 || width == 16 || width == 32);
}

static struct ir_insn *
fixed_point(struct tr *t, unsigned op, ir_val a, ir_val b, unsigned width)
{
    struct ir_insn *in = tr_emit(t, op, 1);
    in->src[1] = a;
    in->src[2] = b;
    in->half = width == 8 ? IR_BYTE : width == 16 ? IR_HALF : 0;
    return in;
}

/* A number of twice as many bits, saturated. */
static ir_val
clip(struct tr *t, LLVMValueRef in)
{
    unsigned width = tr_width(LLVMTypeOf(in));
    ir_val x = arg(t, in, 0);
    if (has_fixed_point(t, width))
        return fixed_point(t, IR_CLIP, x, IR_NONE, width)->dst;
    int32_t most = (int32_t)(1u << (width - 1)) - 1;
    x = tr_op(t, IR_MIN, tr_sext(t, x, 2 * width), tr_const(t, most));
    return tr_op(t, IR_MAX, x, tr_const(t, -most - 1));
}

/* A float as the saturating instruction has it. */
static ir_val
saturate_float(struct tr *t, LLVMValueRef in, unsigned op)
{
    ir_val x = arg(t, in, 0);
    struct ir_insn *cvt = fp_emit(t, op, 1, FP_SINGLE);
    cvt->src[1] = x;
    cvt->rm = 1; /* towards zero */
    return cvt->dst;
}

/* (a + b + up) >> 1 without overflow. */
static ir_val
average(struct tr *t, LLVMValueRef in, bool up, bool is_signed)
{
    unsigned width = tr_width(LLVMTypeOf(in));
    ir_val a = arg(t, in, 0), b = arg(t, in, 1);
    if (has_fixed_point(t, width)) {
        unsigned op = is_signed ? IR_HADD : IR_HADDU;
        struct ir_insn *half = fixed_point(t, op, a, b, width);
        half->rm = up ? VXRM_RNU : VXRM_RDN;
        return half->dst;
    }
    a = is_signed ? tr_sext(t, a, width) : tr_zext(t, a, width);
    b = is_signed ? tr_sext(t, b, width) : tr_zext(t, b, width);
    ir_val differ = tr_op(t, ISA_XOR, a, b);
    ir_val half = tr_opi(t, is_signed ? ISA_SRA : ISA_SRL, differ, 1);
    return up ? tr_op(t, ISA_SUB, tr_op(t, ISA_OR, a, b), half)
              : tr_op(t, ISA_ADD, tr_op(t, ISA_AND, a, b), half);
}

static ir_val
value(struct tr *t, LLVMValueRef in, enum intrinsic id)
{
    int32_t offset;
    struct ir_insn *x;
    ir_val a;
    switch (id) {
    case INTRINSIC_LANE:
        return tr_emit(t, ISA_VID_V, 1)->dst;
    case INTRINSIC_LOCAL_LINEAR:
        x = tr_emit(t, ISA_VID_V, 1);
        return tr_op(t, ISA_ADD, x->dst, read_csr(t, CSR_TID));
    case INTRINSIC_KNL_WORD:
        if (!constant_arg(t, in, 0, &offset))
            return IR_ZERO;
        x = tr_emit(t, ISA_LW, 1);
        x->src[1] = t->knl;
        x->imm = offset;
        x->space = IR_SPACE_CONST;
        return x->dst;
    case INTRINSIC_EXP_F32:
        a = arg(t, in, 0);
        x = tr_emit(t, ISA_VFEXP_V, 1);
        x->src[2] = a;
        return x->dst;
    case INTRINSIC_MULHU:
        return tr_op(t, ISA_MULHU, arg(t, in, 0), arg(t, in, 1));
    case INTRINSIC_MULHS:
        return tr_op(t, ISA_MULH, arg(t, in, 0), arg(t, in, 1));
    case INTRINSIC_HADD:
    case INTRINSIC_HADDU:
        return average(t, in, false, id == INTRINSIC_HADD);
    case INTRINSIC_RHADD:
    case INTRINSIC_RHADDU:
        return average(t, in, true, id == INTRINSIC_RHADD);
    case INTRINSIC_CLIP:
        return clip(t, in);
    case INTRINSIC_SAT_INT:
        return saturate_float(t, in, ISA_FCVT_W_S);
    case INTRINSIC_SAT_UINT:
        return saturate_float(t, in, ISA_FCVT_WU_S);
    case INTRINSIC_SAMPLER: /* parameters are words in scalar machine IR */
    case INTRINSIC_HANDLE:
        return arg(t, in, 0);
    case INTRINSIC_UNIFORM:
        return tr_op1(t, IR_UNIFORM, arg(t, in, 0));
    default:
        return read_csr(t, csr_of(id));
    }
}

/* ---- LLVM's integer intrinsics ---- */

static ir_val
popcount(struct tr *t, ir_val x)
{
    x = tr_op(t, ISA_SUB, x,
              tr_opi(t, ISA_AND, tr_opi(t, ISA_SRL, x, 1), 0x55555555));
    ir_val y = tr_opi(t, ISA_AND, tr_opi(t, ISA_SRL, x, 2), 0x33333333);
    x = tr_op(t, ISA_ADD, tr_opi(t, ISA_AND, x, 0x33333333), y);
    x = tr_op(t, ISA_ADD, x, tr_opi(t, ISA_SRL, x, 4));
    x = tr_opi(t, ISA_AND, x, 0x0f0f0f0f);
    return tr_opi(t, ISA_SRL, tr_opi(t, ISA_MUL, x, 0x01010101), 24);
}

/* Ones below the highest one, then count what is not there. */
static ir_val
leading_zeros(struct tr *t, ir_val x)
{
    for (int32_t k = 1; k < 32; k *= 2)
        x = tr_op(t, ISA_OR, x, tr_opi(t, ISA_SRL, x, k));
    return tr_op(t, ISA_SUB, tr_const(t, 32), popcount(t, x));
}

static ir_val
trailing_zeros(struct tr *t, ir_val x)
{
    ir_val below =
        tr_op(t, ISA_AND, tr_opi(t, ISA_XOR, x, -1), tr_opi(t, ISA_ADD, x, -1));
    return popcount(t, below);
}

enum count { COUNT_ONES, COUNT_LEADING, COUNT_TRAILING };

static void
count_bits(struct tr *t, enum count what, const ir_val *a, unsigned width,
           ir_val *r)
{
    ir_val lo = a[0], hi = width > 32 ? a[1] : (ir_val)IR_ZERO;
    if (what == COUNT_ONES) {
        r[0] = popcount(t, tr_zext(t, lo, width));
        if (width > 32)
            r[0] = tr_op(t, ISA_ADD, r[0], popcount(t, hi));
    } else if (width > 32) {
        bool leading = what == COUNT_LEADING;
        ir_val first = leading ? hi : lo, second = leading ? lo : hi;
        ir_val n1 =
            leading ? leading_zeros(t, first) : trailing_zeros(t, first);
        ir_val n2 =
            leading ? leading_zeros(t, second) : trailing_zeros(t, second);
        n2 = tr_opi(t, ISA_ADD, n2, 32);
        ir_val empty = tr_op(t, IR_SEQ, first, IR_ZERO);
        r[0] = tr_select(t, empty, n2, n1);
    } else if (what == COUNT_LEADING) {
        ir_val n = leading_zeros(t, tr_zext(t, lo, width));
        r[0] = tr_opi(t, ISA_ADD, n, (int32_t)width - 32);
    } else {
        if (width < 32)
            lo = tr_opi(t, ISA_OR, lo, (int32_t)(1u << width));
        r[0] = trailing_zeros(t, lo);
    }
    if (width > 32)
        r[1] = IR_ZERO;
}

static ir_val
swap_bytes(struct tr *t, ir_val x, unsigned width)
{
    ir_val odd = tr_opi(t, ISA_AND, tr_opi(t, ISA_SRL, x, 8), 0x00ff00ff);
    ir_val even = tr_opi(t, ISA_SLL, tr_opi(t, ISA_AND, x, 0x00ff00ff), 8);
    x = tr_op(t, ISA_OR, odd, even);
    if (width == 16)
        return x;
    return tr_op(t, ISA_OR, tr_opi(t, ISA_SRL, x, 16),
                 tr_opi(t, ISA_SLL, x, 16));
}

static ir_val
reverse_bits(struct tr *t, ir_val x, unsigned width)
{
    static const int32_t masks[] = { 0x55555555, 0x33333333, 0x0f0f0f0f };
    for (int32_t k = 0; k < 3; k++) {
        ir_val odd =
            tr_opi(t, ISA_AND, tr_opi(t, ISA_SRL, x, 1 << k), masks[k]);
        ir_val even =
            tr_opi(t, ISA_SLL, tr_opi(t, ISA_AND, x, masks[k]), 1 << k);
        x = tr_op(t, ISA_OR, odd, even);
    }
    x = swap_bytes(t, x, 32);
    return tr_opi(t, ISA_SRL, x, (int32_t)(32 - width));
}

/* The high or low half of a:b shifted by c. */
static bool
funnel(struct tr *t, LLVMValueRef in, bool left, unsigned width)
{
    struct tr_value a = tr_get(t, LLVMGetOperand(in, 0));
    struct tr_value b = tr_get(t, LLVMGetOperand(in, 1));
    struct tr_value n = tr_get(t, LLVMGetOperand(in, 2));
    ir_val by = tr_opi(t, ISA_AND, n.at[0], (int32_t)width - 1);
    if (width & (width - 1))
        by = tr_opi(t, ISA_REMU, tr_zext(t, n.at[0], width), (int32_t)width);
    ir_val rest = tr_op(t, ISA_SUB, tr_const(t, (int32_t)width - 1), by);
    ir_val r[2], x[2], y[2];
    if (width > 32) {
        ir_val one[2], minus = rest;
        if (left) {
            tr_shift64(t, ISA_SLL, a.at, by, x);
            tr_shift64(t, ISA_SRL, b.at, tr_const(t, 1), one);
            tr_shift64(t, ISA_SRL, one, minus, y);
        } else {
            tr_shift64(t, ISA_SRL, b.at, by, x);
            tr_shift64(t, ISA_SLL, a.at, tr_const(t, 1), one);
            tr_shift64(t, ISA_SLL, one, minus, y);
        }
        r[0] = tr_op(t, ISA_OR, x[0], y[0]);
        r[1] = tr_op(t, ISA_OR, x[1], y[1]);
        tr_set(t, in, r, 2);
        return true;
    }
    ir_val low = tr_zext(t, b.at[0], width);
    if (left) {
        x[0] = tr_op(t, ISA_SLL, a.at[0], by);
        y[0] = tr_op(t, ISA_SRL, tr_opi(t, ISA_SRL, low, 1), rest);
    } else {
        x[0] = tr_op(t, ISA_SRL, low, by);
        y[0] = tr_op(t, ISA_SLL, tr_opi(t, ISA_SLL, a.at[0], 1), rest);
    }
    tr_set1(t, in, tr_op(t, ISA_OR, x[0], y[0]));
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
    struct tr_value a = tr_get(t, LLVMGetOperand(in, 0));
    struct tr_value b = tr_get(t, LLVMGetOperand(in, 1));
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
    tr_set(t, in, r, 2);
    return true;
}

static bool
absolute(struct tr *t, LLVMValueRef in, unsigned width)
{
    struct tr_value a = tr_get(t, LLVMGetOperand(in, 0));
    if (width <= 32) {
        ir_val x = tr_sext(t, a.at[0], width);
        ir_val minus = tr_op(t, ISA_SUB, IR_ZERO, x);
        tr_set1(t, in, tr_op(t, IR_MAX, x, minus));
        return true;
    }
    ir_val zero[2] = { IR_ZERO, IR_ZERO }, minus[2], r[2];
    tr_sub64(t, zero, a.at, minus);
    ir_val negative = tr_op(t, ISA_SLT, a.at[1], IR_ZERO);
    select_words(t, negative, minus, a.at, 2, r);
    tr_set(t, in, r, 2);
    return true;
}

/* The flag of add, sub or mul; the result in r. */
static ir_val
overflow(struct tr *t, char op, bool is_signed, const ir_val *a,
         const ir_val *b, unsigned n, ir_val *r)
{
    unsigned hi = n - 1;
    if (op == 'm') { /* 32 bits only */
        r[0] = tr_op(t, ISA_MUL, a[0], b[0]);
        ir_val high = tr_op(t, is_signed ? ISA_MULH : ISA_MULHU, a[0], b[0]);
        ir_val sign =
            is_signed ? tr_opi(t, ISA_SRA, r[0], 31) : (ir_val)IR_ZERO;
        return tr_op(t, IR_SNE, high, sign);
    }
    if (n == 1)
        r[0] = tr_op(t, op == 'a' ? ISA_ADD : ISA_SUB, a[0], b[0]);
    else if (op == 'a')
        tr_add64(t, a, b, r);
    else
        tr_sub64(t, a, b, r);
    if (is_signed) {
        /* the sign differs from that of a, and of b (add) or ~b (sub) */
        ir_val x = tr_op(t, ISA_XOR, r[hi], a[hi]);
        ir_val y = op == 'a' ? tr_op(t, ISA_XOR, r[hi], b[hi])
                             : tr_op(t, ISA_XOR, a[hi], b[hi]);
        return tr_opi(t, ISA_SRL, tr_op(t, ISA_AND, x, y), 31);
    }
    struct tr_value sum = { r, n }, first = { (ir_val *)a, n },
                    second = { (ir_val *)b, n };
    unsigned width = 32 * n;
    return op == 'a' ? tr_compare(t, LLVMIntULT, sum, first, width)
                     : tr_compare(t, LLVMIntULT, first, second, width);
}

/* Saturation: what the result is if it overflows. */
static void
saturated(struct tr *t, char op, bool is_signed, const ir_val *a, unsigned n,
          ir_val *r)
{
    for (unsigned i = 0; i < n; i++)
        r[i] = op == 'a' ? tr_const(t, -1) : (ir_val)IR_ZERO;
    if (!is_signed)
        return;
    /* by the sign of a: 0x7fff... or 0x8000... */
    ir_val sign = tr_opi(t, ISA_SRA, a[n - 1], 31);
    for (unsigned i = 0; i < n; i++)
        r[i] = tr_opi(t, ISA_XOR, sign, i == n - 1 ? INT32_MAX : -1);
}

/* name: "uadd.sat", "smul.with.overflow" ... */
static bool
checked(struct tr *t, LLVMValueRef in, const char *name, unsigned width)
{
    bool is_signed = name[0] == 's', sat = strstr(name, ".sat") != NULL;
    char op = name[1] == 's' ? 's' : name[1];
    struct tr_value x = tr_get(t, LLVMGetOperand(in, 0));
    struct tr_value y = tr_get(t, LLVMGetOperand(in, 1));
    unsigned n = width > 32 ? 2 : 1;
    ir_val a[2], b[2], r[3], limit[2];
    if (width > 32 && (width != 64 || op == 'm'))
        return tr_fail(t, "%s on %u bits is not supported", name, width);
    if (sat && has_fixed_point(t, width)) {
        unsigned row = op == 'a' ? (is_signed ? IR_SADD : IR_SADDU)
                                 : (is_signed ? IR_SSUB : IR_SSUBU);
        tr_set1(t, in, fixed_point(t, row, x.at[0], y.at[0], width)->dst);
        return true;
    }
    /* Narrow numbers: at the top of the word, where overflow shows. */
    int32_t up = width < 32 ? (int32_t)(32 - width) : 0;
    for (unsigned i = 0; i < n; i++) {
        a[i] = tr_opi(t, ISA_SLL, x.at[i], up);
        b[i] = tr_opi(t, ISA_SLL, y.at[i], op == 'm' ? 0 : up);
    }
    if (op == 'm' && width < 32)
        b[0] =
            is_signed ? tr_sext(t, y.at[0], width) : tr_zext(t, y.at[0], width);
    ir_val flag = overflow(t, op, is_signed, a, b, n, r);
    if (sat) {
        saturated(t, op, is_signed, a, n, limit);
        select_words(t, flag, limit, r, n, r);
    }
    for (unsigned i = 0; up && i < n; i++)
        r[i] = tr_opi(t, is_signed ? ISA_SRA : ISA_SRL, r[i], up);
    r[n] = flag;
    tr_set(t, in, r, sat ? n : n + 1);
    return true;
}

static bool
integer_call(struct tr *t, LLVMValueRef in, const char *name)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(in, 0));
    unsigned width = tr_width(type);
    if (!strncmp(name, "smin", 4) || !strncmp(name, "smax", 4) ||
        !strncmp(name, "umin", 4) || !strncmp(name, "umax", 4))
        return min_max(t, in, name, width);
    if (!strncmp(name, "abs.", 4))
        return absolute(t, in, width);
    if (!strncmp(name, "fshl", 4) || !strncmp(name, "fshr", 4))
        return funnel(t, in, name[3] == 'l', width);
    if (strstr(name, ".sat.") || strstr(name, ".with.overflow."))
        return checked(t, in, name, width);
    struct tr_value a = tr_get(t, LLVMGetOperand(in, 0));
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
    tr_set(t, in, r, width > 32 ? 2 : 1);
    return true;
}

/* ---- LLVM's floating-point intrinsics ---- */

/* LLVM's bits of classes to those of fclass. */
static int32_t
class_bits(uint64_t llvm)
{
    static const uint8_t to[10] = { 8, 9, 0, 1, 2, 3, 4, 5, 6, 7 };
    int32_t r = 0;
    for (unsigned i = 0; i < 10; i++)
        if (llvm >> i & 1)
            r |= 1 << to[i];
    return r;
}

static bool
float_call(struct tr *t, LLVMValueRef in, const char *name)
{
    static const struct {
        const char *name;
        unsigned op;  /* of two operands */
        int rounding; /* or -1 */
    } table[] = {
        { "fabs.", ISA_FSGNJX_S, -1 },      { "copysign.", ISA_FSGNJ_S, -1 },
        { "minnum.", ISA_FMIN_S, -1 },      { "maxnum.", ISA_FMAX_S, -1 },
        { "floor.", 0, FP_ROUND_DOWN },     { "ceil.", 0, FP_ROUND_UP },
        { "trunc.", 0, FP_ROUND_ZERO },     { "rint.", 0, FP_ROUND_EVEN },
        { "nearbyint.", 0, FP_ROUND_EVEN }, { "roundeven.", 0, FP_ROUND_EVEN },
        { "round.", 0, FP_ROUND_AWAY },
    };
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(in, 0));
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    enum fp_format format = fp_format_of(type);
    if (kind != LLVMHalfTypeKind && kind != LLVMFloatTypeKind &&
        kind != LLVMDoubleTypeKind)
        return tr_fail(t, "llvm.%s is not supported", name);
    ir_val a = arg(t, in, 0), r;
    for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (strncmp(name, table[i].name, strlen(table[i].name)) != 0)
            continue;
        bool two = LLVMGetNumArgOperands(in) == 2;
        enum fp_rounding how = (enum fp_rounding)table[i].rounding;
        r = table[i].rounding >= 0
                ? fp_round(t, how, a, format)
                : fp_op(t, table[i].op, a, two ? arg(t, in, 1) : a, format);
        tr_set1(t, in, r);
        return true;
    }
    if (!strncmp(name, "fma.", 4) || !strncmp(name, "fmuladd.", 8)) {
        r = fp_fma(t, a, arg(t, in, 1), arg(t, in, 2), format);
    } else if (!strncmp(name, "sqrt.", 5)) {
        r = fp_sqrt(t, a, format);
    } else if (!strncmp(name, "is.fpclass.", 11)) {
        int32_t bits =
            class_bits(LLVMConstIntGetZExtValue(LLVMGetOperand(in, 1)));
        r = tr_opi(t, ISA_AND, fp_class(t, a, format), bits);
        r = tr_op(t, IR_SNE, r, IR_ZERO);
    } else if (!strncmp(name, "exp.", 4) && format == FP_SINGLE) {
        struct ir_insn *x = tr_emit(t, ISA_VFEXP_V, 1);
        x->src[2] = a;
        r = x->dst;
    } else {
        return tr_fail(t, "llvm.%s is not supported", name);
    }
    tr_set1(t, in, r);
    return true;
}

static bool
is_ignored(const char *name)
{
    static const char *const names[] = {
        "lifetime.",  "assume",   "dbg.", "experimental.noalias.scope.decl",
        "invariant.", "donothing"
    };
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static bool
llvm_call(struct tr *t, LLVMValueRef in, const char *name)
{
    static const char *const integer[] = {
        "smin.", "smax.",  "umin.",       "umax.",  "abs.",  "fshl.",
        "fshr.", "bswap.", "bitreverse.", "ctpop.", "ctlz.", "cttz.",
        "uadd.", "sadd.",  "usub.",       "ssub.",  "umul.", "smul."
    };
    const char *rest = name + 5;
    if (is_ignored(rest))
        return true;
    if (!strncmp(rest, "memcpy.", 7) || !strncmp(rest, "memmove.", 8) ||
        !strncmp(rest, "memset.", 7))
        return tr_memory_call(t, in, name);
    if (!strncmp(rest, "expect.", 7)) {
        struct tr_value v = tr_get(t, LLVMGetOperand(in, 0));
        tr_set(t, in, v.at, v.n);
        return true;
    }
    for (unsigned i = 0; i < sizeof integer / sizeof integer[0]; i++)
        if (strncmp(rest, integer[i], strlen(integer[i])) == 0)
            return integer_call(t, in, rest);
    return float_call(t, in, rest);
}

bool
tr_call(struct tr *t, LLVMValueRef in)
{
    LLVMValueRef f = LLVMGetCalledValue(in);
    if (LLVMIsAInlineAsm(f))
        return tr_inline_asm(t, in);
    size_t length;
    const char *name = LLVMGetValueName2(f, &length);
    if (strncmp(name, "llvm.", 5) == 0)
        return llvm_call(t, in, name);
    struct tr_function *to = tr_find_function(t, f);
    if (to)
        return tr_call_function(t, in, to);
    enum intrinsic id = find_intrinsic(name);
    if (id == INTRINSIC_NONE)
        return tr_fail(t, "call of '%s', which is not defined", name);
    if (id == INTRINSIC_BARRIER || id == INTRINSIC_BARRIERSUB ||
        id == INTRINSIC_FENCE || id == INTRINSIC_PRINT)
        return effect(t, in, id);
    tr_set1(t, in, value(t, in, id));
    return true;
}
