/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions on pairs of registers, and those with results of twice the width. */
#include "native/emit.h"

#include <assert.h>

static const struct {
    const char *name;
    bool a_signed, b_signed;
} wide[] = {
#define X(meaning, fn, as, bs) [WIDE_##meaning] = { #meaning, as, bs },
    SEM_WIDE_LIST(X)
#undef X
};

/* ---- scalars ---- */

static LLVMValueRef
sign_extended(struct emit *e, uint32_t imm)
{
    return LLVMConstInt(e->i64, (uint64_t)(int32_t)imm, true);
}

LLVMValueRef
emit_pair_x(struct emit *e, unsigned r)
{
    if (r % 2)
        return LLVMBuildSExt(e->b, emit_x(e, r), e->i64, "");
    if (!r)
        return LLVMConstInt(e->i64, 0, false);
    LLVMValueRef lo = LLVMBuildZExt(e->b, emit_x(e, r), e->i64, "");
    LLVMValueRef hi = LLVMBuildZExt(e->b, emit_x(e, r + 1), e->i64, "");
    hi = LLVMBuildShl(e->b, hi, LLVMConstInt(e->i64, 32, false), "");
    return LLVMBuildOr(e->b, lo, hi, "");
}

static void
set_pair_x(struct emit *e, unsigned d, LLVMValueRef value)
{
    emit_set_x(e, d, LLVMBuildTrunc(e->b, value, e->i32, ""));
    if (d % 2)
        return;
    LLVMValueRef by = LLVMConstInt(e->i64, 32, false);
    LLVMValueRef hi = LLVMBuildLShr(e->b, value, by, "");
    emit_set_x(e, d + 1, LLVMBuildTrunc(e->b, hi, e->i32, ""));
}

void
emit_pair(struct emit *e, const struct native_op *op)
{
    LLVMValueRef imm = sign_extended(e, (uint32_t)op->imm), args[2];
    args[0] = op->mode & NATIVE_IMM_1 ? imm : emit_pair_x(e, op->s1);
    if (op->mode & NATIVE_BOTH_1)
        args[1] = args[0];
    else
        args[1] = op->mode & NATIVE_IMM_2 ? imm : emit_pair_x(e, op->s2);
    const char *name = emit_int_names[op->kind];
    set_pair_x(e, op->d, emit_named(e, "one64", name, args, 2));
}

void
emit_pair_constant(struct emit *e, const struct native_op *op)
{
    emit_set_x(e, op->d, emit_int(e, (uint32_t)op->imm));
    emit_set_x(e, op->d + 1u, emit_int(e, (uint32_t)(int16_t)op->aux));
}

LLVMValueRef
emit_pair_taken(struct emit *e, const struct native_op *op)
{
    LLVMValueRef args[] = { emit_pair_x(e, op->s1), emit_pair_x(e, op->s2) };
    return emit_named(e, "one64_b", emit_branch_names[op->kind], args, 2);
}

/* x[s1] of a wide operation has a sign or not. */
static LLVMValueRef
wide_scalar(struct emit *e, const struct native_op *op)
{
    bool acc = op->kind >= WIDE_wmaccu;
    bool is_signed = acc ? wide[op->kind].a_signed : wide[op->kind].b_signed;
    if (op->mode & NATIVE_PAIR_1)
        return emit_pair_x(e, op->s1);
    LLVMValueRef x = emit_x(e, op->s1);
    return is_signed ? LLVMBuildSExt(e->b, x, e->i64, "")
                     : LLVMBuildZExt(e->b, x, e->i64, "");
}

LLVMValueRef
emit_pair_scalar(struct emit *e, const struct native_op *op)
{
    if (op->form == NATIVE_WIDE_VS)
        return wide_scalar(e, op);
    if (op->form ==
        NATIVE_FP_PAIR_VS) /* an odd register is widened in strips */
        return op->s1 % 2 ? LLVMBuildZExt(e->b, emit_x(e, op->s1), e->i64, "")
                          : emit_pair_x(e, op->s1);
    return LLVMBuildAdd(e->b, emit_pair_x(e, op->s1),
                        sign_extended(e, (uint32_t)op->imm), "");
}

/* ---- strips ---- */

struct halves {
    LLVMValueRef of[2];
};

static LLVMValueRef
pick(struct emit *e, LLVMValueRef a, LLVMValueRef b,
     const uint8_t index[STRIP_LANES])
{
    LLVMValueRef number[STRIP_LANES];
    for (unsigned i = 0; i < STRIP_LANES; i++)
        number[i] = emit_int(e, index[i]);
    return LLVMBuildShuffleVector(e->b, a, b,
                                  LLVMConstVector(number, STRIP_LANES), "");
}

static struct halves
join(struct emit *e, LLVMValueRef lo, LLVMValueRef hi)
{
    static const uint8_t index[2][STRIP_LANES] = {
        { 0, 8, 1, 9, 4, 12, 5, 13 }, { 2, 10, 3, 11, 6, 14, 7, 15 }
    };
    struct halves h;
    for (unsigned i = 0; i < 2; i++)
        h.of[i] =
            LLVMBuildBitCast(e->b, pick(e, lo, hi, index[i]), e->half, "");
    return h;
}

/* Part 0: the low halves of the numbers, 1: the high ones. */
static LLVMValueRef
split(struct emit *e, const struct halves *h, unsigned part)
{
    static const uint8_t index[2][STRIP_LANES] = {
        { 0, 2, 8, 10, 4, 6, 12, 14 }, { 1, 3, 9, 11, 5, 7, 13, 15 }
    };
    LLVMValueRef a = LLVMBuildBitCast(e->b, h->of[0], e->strip, "");
    LLVMValueRef b = LLVMBuildBitCast(e->b, h->of[1], e->strip, "");
    return pick(e, a, b, index[part]);
}

static LLVMValueRef
sign_of(struct emit *e, LLVMValueRef lo)
{
    LLVMValueRef by = emit_splat(e, emit_int(e, 31));
    return LLVMBuildAShr(e->b, lo, by, "");
}

static LLVMValueRef
high_of(struct emit *e, unsigned r)
{
    return r % 2 ? sign_of(e, emit_vec(e, r)) : emit_vec(e, r + 1);
}

static struct halves
read_pair(struct emit *e, unsigned r)
{
    return join(e, emit_vec(e, r), high_of(e, r));
}

static struct halves
splat(struct emit *e, LLVMValueRef scalar)
{
    LLVMValueRef none = LLVMGetPoison(e->half);
    LLVMTypeRef indices = LLVMVectorType(e->i32, STRIP_LANES / 2);
    LLVMValueRef one =
        LLVMBuildInsertElement(e->b, none, scalar, emit_int(e, 0), "");
    one = LLVMBuildShuffleVector(e->b, one, none, LLVMConstNull(indices), "");
    return (struct halves){ { one, one } };
}

static void
write(struct emit *e, unsigned d, LLVMValueRef mask, LLVMValueRef value)
{
    if (mask)
        value = emit_blend(e, mask, value, emit_vec(e, d));
    emit_set_vec(e, d, value);
}

static void
write_pair(struct emit *e, const struct native_op *op, const struct halves *h)
{
    LLVMValueRef mask = emit_mask(e, op);
    write(e, op->d, mask, split(e, h, 0));
    if (op->d % 2 == 0)
        write(e, op->d + 1u, mask, split(e, h, 1));
}

/* ---- instructions ---- */

static struct halves
first_of(struct emit *e, const struct native_op *op, LLVMValueRef scalar)
{
    return scalar ? splat(e, scalar) : read_pair(e, op->s1);
}

static void
two(struct emit *e, const struct native_op *op, LLVMValueRef scalar)
{
    struct halves a = read_pair(e, op->s2), b = first_of(e, op, scalar);
    const char *name = emit_int_names[op->kind];
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef args[] = { a.of[i], b.of[i] };
        a.of[i] = emit_named(e, "vec64", name, args, 2);
    }
    write_pair(e, op, &a);
}

/* A source as doubles: a pair, or an odd register or scalar that holds floats.  Lanes that
 * are off compute with 1.0, which raises no flag. */
static struct halves
doubles(struct emit *e, const struct native_op *op, unsigned r,
        LLVMValueRef scalar)
{
    LLVMValueRef mask = emit_mask(e, op), none = LLVMConstNull(e->strip);
    struct halves x, one, on;
    if (scalar)
        x = splat(e, scalar);
    else
        x = r % 2 ? join(e, emit_vec(e, r), none) : read_pair(e, r);
    for (unsigned i = 0; r % 2 && i < 2; i++)
        x.of[i] = emit_named(e, "dbl", "widen", &x.of[i], 1);
    if (!mask)
        return x;
    on = join(e, mask, mask);
    one = splat(e, LLVMConstInt(e->i64, UINT64_C(0x3ff0000000000000), false));
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef off = LLVMBuildNot(e->b, on.of[i], "");
        off = LLVMBuildAnd(e->b, one.of[i], off, "");
        x.of[i] = LLVMBuildAnd(e->b, x.of[i], on.of[i], "");
        x.of[i] = LLVMBuildOr(e->b, x.of[i], off, "");
    }
    return x;
}

static void
floating(struct emit *e, const struct native_op *op, LLVMValueRef scalar)
{
    bool accumulates = op->kind >= FP_vfmadd;
    bool outcome = op->kind >= FP_feq && op->kind <= FP_fge;
    struct halves two = doubles(e, op, op->s2, NULL), one = two, vd = two;
    if (op->kind != FP_fsqrt)
        one = doubles(e, op, op->s1, scalar);
    if (accumulates)
        vd = doubles(e, op, op->s3, NULL);
    const char *name = emit_fp_names[op->kind];
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef args[] = { e->host, accumulates ? one.of[i] : two.of[i],
                                accumulates ? two.of[i] : one.of[i], vd.of[i] };
        unsigned n = accumulates ? 4 : op->kind == FP_fsqrt ? 2 : 3;
        LLVMValueRef result[] = { e->host,
                                  emit_named(e, "dbl", name, args, n) };
        if (op->d % 2 && !outcome)
            result[1] = emit_named(e, "dbl", "narrow", result, 2);
        two.of[i] = result[1];
    }
    write_pair(e, op, &two);
}

/* Bit 0 of v0 decides about both halves of a number. */
static void
merge(struct emit *e, const struct native_op *op, LLVMValueRef scalar)
{
    struct halves b = first_of(e, op, scalar);
    LLVMValueRef bit =
        LLVMBuildAnd(e->b, emit_vec(e, 0), emit_splat(e, emit_int(e, 1)), "");
    LLVMValueRef take = LLVMBuildNeg(e->b, bit, "");
    LLVMValueRef lo = emit_vec(e, op->s2), hi = high_of(e, op->s2);
    LLVMValueRef mask = emit_mask(e, op);
    write(e, op->d, mask, emit_blend(e, take, split(e, &b, 0), lo));
    if (op->d % 2 == 0)
        write(e, op->d + 1u, mask, emit_blend(e, take, split(e, &b, 1), hi));
}

/* A source of a wide operation: a pair or 32 bits. */
static struct halves
wide_source(struct emit *e, unsigned r, bool pair, bool is_signed)
{
    if (pair)
        return read_pair(e, r);
    LLVMValueRef lo = emit_vec(e, r);
    return join(e, lo, is_signed ? sign_of(e, lo) : LLVMConstNull(e->strip));
}

static void
widening(struct emit *e, const struct native_op *op, LLVMValueRef scalar)
{
    bool acc = op->kind >= WIDE_wmaccu;
    bool as = wide[op->kind].a_signed, bs = wide[op->kind].b_signed;
    struct halves one =
        scalar
            ? splat(e, scalar)
            : wide_source(e, op->s1, op->mode & NATIVE_PAIR_1, acc ? as : bs);
    struct halves other =
        wide_source(e, op->s2, op->mode & NATIVE_PAIR_2, acc ? bs : as);
    struct halves third = one, result;
    if (acc)
        third = read_pair(e, op->s3);
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef args[] = { acc ? one.of[i] : other.of[i],
                                acc ? other.of[i] : one.of[i], third.of[i] };
        result.of[i] = emit_named(e, "wide", wide[op->kind].name, args, 3);
    }
    write_pair(e, op, &result);
}

void
emit_pair_strip(struct emit *e, const struct native_op *op, LLVMValueRef scalar)
{
    switch ((enum native_form)op->form) {
    case NATIVE_PAIR_VV:
    case NATIVE_PAIR_VS:
        two(e, op, scalar);
        break;
    case NATIVE_PAIR_MERGE_V:
    case NATIVE_PAIR_MERGE_S:
        merge(e, op, scalar);
        break;
    case NATIVE_FP_PAIR_VV:
    case NATIVE_FP_PAIR_VS:
        floating(e, op, scalar);
        break;
    default:
        assert((op->form == NATIVE_WIDE_VV || op->form == NATIVE_WIDE_VS) &&
               "emit_vector.c sends forms on pairs only");
        widening(e, op, scalar);
    }
}

LLVMValueRef
emit_pair_outcomes(struct emit *e, const struct native_op *op)
{
    struct halves a = read_pair(e, op->s2), b = read_pair(e, op->s1);
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef args[] = { a.of[i], b.of[i] };
        a.of[i] =
            emit_named(e, "vec64_b", emit_branch_names[op->kind], args, 2);
    }
    return split(e, &a, 0);
}
