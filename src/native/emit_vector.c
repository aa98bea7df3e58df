/* SPDX-License-Identifier: Apache-2.0 */
/* Vector instructions, a strip of lanes at a time. */
#include "native/emit.h"

#include <assert.h>

const char *const emit_int_names[] = {
#define X(name) #name,
    SEM_LIST2(X) SEM_LIST3(X)
#undef X
};

static const char *const fp_names[] = {
#define X(name, ...) #name,
    FP_LIST2(X) FP_LIST1(X) FP_LIST3(X)
#undef X
};

const char *const emit_branch_names[] = {
#define X(name, compare) #name,
    SEM_BRANCH_LIST(X)
#undef X
};

/* ---- masks ---- */

/* The bits 0 of v0, as a mask of a strip. */
static LLVMValueRef
v0_mask(struct emit *e, unsigned s)
{
    LLVMValueRef one = emit_splat(e, emit_int(e, 1));
    LLVMValueRef bit = LLVMBuildAnd(e->b, emit_vec(e, 0, s), one, "");
    return LLVMBuildNeg(e->b, bit, "");
}

LLVMValueRef
emit_mask(struct emit *e, const struct native_op *op, unsigned s)
{
    if (e->version == FULL)
        return op->slow ? v0_mask(e, s) : NULL;
    if (!e->lane[s]) {
        size_t at = offsetof(struct sim_warp, lane) + 4 * STRIP_LANES * s;
        e->lane[s] = LLVMBuildLoad2(e->b, e->strip, emit_member(e, at), "");
    }
    return op->slow ? LLVMBuildAnd(e->b, e->lane[s], v0_mask(e, s), "")
                    : e->lane[s];
}

LLVMValueRef
emit_blend(struct emit *e, LLVMValueRef mask, LLVMValueRef on, LLVMValueRef off)
{
    if (!mask)
        return on;
    LLVMValueRef zero = LLVMConstNull(e->strip);
    LLVMValueRef is_on = LLVMBuildICmp(e->b, LLVMIntSLT, mask, zero, "");
    return LLVMBuildSelect(e->b, is_on, on, off, "");
}

/* ---- operations ---- */

static LLVMValueRef
integer(struct emit *e, const struct native_op *op, LLVMValueRef scalar,
        unsigned s)
{
    LLVMValueRef two = emit_vec(e, op->s2, s);
    LLVMValueRef one = scalar ? emit_splat(e, scalar) : emit_vec(e, op->s1, s);
    const char *name = emit_int_names[op->kind];
    if (op->kind < INT_madd)
        return emit_named(e, "vec", name, (LLVMValueRef[]){ two, one }, 2);
    LLVMValueRef args[] = { one, two, emit_vec(e, op->s3, s) };
    return emit_named(e, "vec", name, args, 3);
}

/* Lanes that are off compute with 1.0, which raises no flag. */
static LLVMValueRef
floating(struct emit *e, const struct native_op *op, LLVMValueRef scalar,
         LLVMValueRef mask, unsigned s)
{
    LLVMValueRef safe = emit_splat(e, emit_int(e, 0x3f800000));
    const char *name = fp_names[op->kind];
    LLVMValueRef two = emit_blend(e, mask, emit_vec(e, op->s2, s), safe);
    if (op->kind >= FP_fsqrt && op->kind < FP_vfmadd)
        return emit_named(e, "fp", name, (LLVMValueRef[]){ e->host, two }, 2);
    LLVMValueRef one = scalar ? emit_splat(e, scalar) : emit_vec(e, op->s1, s);
    one = emit_blend(e, mask, one, safe);
    if (op->kind < FP_fsqrt)
        return emit_named(e, "fp", name, (LLVMValueRef[]){ e->host, two, one },
                          3);
    LLVMValueRef vd = emit_blend(e, mask, emit_vec(e, op->s3, s), safe);
    LLVMValueRef args[] = { e->host, one, two, vd };
    return emit_named(e, "fp", name, args, 4);
}

static LLVMValueRef
merge(struct emit *e, const struct native_op *op, LLVMValueRef scalar,
      unsigned s)
{
    LLVMValueRef one = scalar ? emit_splat(e, scalar) : emit_vec(e, op->s1, s);
    return emit_blend(e, v0_mask(e, s), one, emit_vec(e, op->s2, s));
}

static LLVMValueRef
lane_numbers(struct emit *e, unsigned s)
{
    LLVMValueRef number[STRIP_LANES];
    for (unsigned i = 0; i < STRIP_LANES; i++)
        number[i] = emit_int(e, s * STRIP_LANES + i);
    return LLVMConstVector(number, STRIP_LANES);
}

static void
one_strip(struct emit *e, const struct kept *k, unsigned s)
{
    const struct native_op *op = k->op;
    if (op->form >= NATIVE_PAIR_VV && op->form <= NATIVE_WIDE_VS) {
        emit_pair_strip(e, op, k->scalar, s);
        return;
    }
    LLVMValueRef mask = emit_mask(e, op, s), result;
    switch ((enum native_form)op->form) {
    case NATIVE_VV:
    case NATIVE_VS:
        result = integer(e, op, k->scalar, s);
        break;
    case NATIVE_FP_VV:
    case NATIVE_FP_VS:
        result = floating(e, op, k->scalar, mask, s);
        break;
    case NATIVE_MERGE_V:
    case NATIVE_MERGE_S:
        result = merge(e, op, k->scalar, s);
        break;
    default:
        assert(op->form == NATIVE_VID && "emit_page.c keeps these forms only");
        result = lane_numbers(e, s);
    }
    if (mask)
        result = emit_blend(e, mask, result, emit_vec(e, op->d, s));
    emit_set_vec(e, op->d, s, result);
}

void
emit_keep(struct emit *e, const struct native_op *op)
{
    LLVMValueRef scalar = NULL;
    bool on_pairs = op->form == NATIVE_PAIR_VS || op->form == NATIVE_WIDE_VS ||
                    op->form == NATIVE_PAIR_MERGE_S;
    bool has_scalar = op->form == NATIVE_VS || op->form == NATIVE_FP_VS ||
                      op->form == NATIVE_MERGE_S;
    if (has_scalar) {
        scalar = emit_x(e, op->s1);
        bool adds = op->form != NATIVE_FP_VS &&
                    !(op->form == NATIVE_VS && op->kind >= INT_madd);
        if (adds)
            scalar =
                LLVMBuildAdd(e->b, scalar, emit_int(e, (uint32_t)op->imm), "");
    }
    if (on_pairs)
        scalar = emit_pair_scalar(e, op);
    e->kept[e->n_kept++] = (struct kept){ op, scalar };
}

void
emit_kept(struct emit *e)
{
    for (unsigned s = 0; s < e->strips; s++)
        for (unsigned i = 0; i < e->n_kept; i++)
            one_strip(e, &e->kept[i], s);
    e->n_kept = 0;
}

LLVMValueRef
emit_bits(struct emit *e, const LLVMValueRef *mask)
{
    LLVMValueRef all = LLVMConstInt(e->i64, 0, false);
    LLVMValueRef zero = LLVMConstNull(e->strip);
    for (unsigned s = 0; s < e->strips; s++) {
        LLVMValueRef is_on = LLVMBuildICmp(e->b, LLVMIntSLT, mask[s], zero, "");
        LLVMValueRef each = LLVMBuildBitCast(e->b, is_on, e->i8, "");
        each = LLVMBuildZExt(e->b, each, e->i64, "");
        LLVMValueRef by = LLVMConstInt(e->i64, s * STRIP_LANES, false);
        all = LLVMBuildOr(e->b, all, LLVMBuildShl(e->b, each, by, ""), "");
    }
    return all;
}

LLVMValueRef
emit_outcomes(struct emit *e, const struct native_op *op)
{
    LLVMValueRef taken[STRIPS_MAX];
    const char *name = emit_branch_names[op->kind];
    for (unsigned s = 0; s < e->strips; s++) {
        if (op->form == NATIVE_PAIR_THREAD_BRANCH) {
            taken[s] = emit_pair_outcomes(e, op, s);
        } else {
            LLVMValueRef args[] = { emit_vec(e, op->s2, s),
                                    emit_vec(e, op->s1, s) };
            taken[s] = emit_named(e, "vec_b", name, args, 2);
        }
        taken[s] = LLVMBuildNeg(e->b, taken[s], "");
    }
    return emit_bits(e, taken);
}
