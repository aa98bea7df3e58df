/* SPDX-License-Identifier: Apache-2.0 */
/* Values of registers inside a block, and calls. */
#include "native/emit.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

LLVMValueRef
emit_at(struct emit *e, LLVMValueRef what, size_t offset)
{
    LLVMValueRef at = LLVMConstInt(e->i64, offset, false);
    return LLVMBuildInBoundsGEP2(e->b, e->i8, what, &at, 1, "");
}

LLVMValueRef
emit_member(struct emit *e, size_t offset)
{
    return emit_at(e, e->w, offset);
}

LLVMValueRef
emit_int(struct emit *e, uint32_t value)
{
    return LLVMConstInt(e->i32, value, false);
}

LLVMValueRef
emit_call(struct emit *e, const char *name, LLVMValueRef *args, unsigned n)
{
    LLVMValueRef f = LLVMGetNamedFunction(e->module, name);
    if (!f || LLVMIsDeclaration(f)) {
        e->wrong = "an operation has no template";
        return LLVMGetUndef(e->i32);
    }
    LLVMTypeRef type = LLVMGlobalGetValueType(f);
    assert(LLVMCountParams(f) == n && "templates.c states the parameters");
    return LLVMBuildCall2(e->b, type, f, args, n, "");
}

LLVMValueRef
emit_named(struct emit *e, const char *prefix, const char *name,
           LLVMValueRef *args, unsigned n)
{
    char full[64];
    snprintf(full, sizeof full, "%s_%s", prefix, name);
    return emit_call(e, full, args, n);
}

LLVMBasicBlockRef
emit_block(struct emit *e, const char *name)
{
    return LLVMAppendBasicBlockInContext(e->context, e->function, name);
}

LLVMValueRef
emit_splat(struct emit *e, LLVMValueRef value)
{
    LLVMValueRef none = LLVMGetPoison(e->strip);
    LLVMTypeRef indices = LLVMVectorType(e->i32, STRIP_LANES);
    LLVMValueRef one =
        LLVMBuildInsertElement(e->b, none, value, emit_int(e, 0), "");
    return LLVMBuildShuffleVector(e->b, one, none, LLVMConstNull(indices), "");
}

/* ---- registers ---- */

static LLVMValueRef
address_of_x(struct emit *e, unsigned r)
{
    return emit_member(e, offsetof(struct sim_warp, x) + 4 * r);
}

LLVMValueRef
emit_row(struct emit *e, unsigned r)
{
    return emit_at(e, e->v, 4 * (size_t)r * e->r->lanes);
}

LLVMValueRef
emit_x(struct emit *e, unsigned r)
{
    assert(r < X_COUNT);
    if (r == 0)
        return emit_int(e, 0);
    if (!e->x[r])
        e->x[r] = LLVMBuildLoad2(e->b, e->i32, address_of_x(e, r), "");
    return e->x[r];
}

void
emit_set_x(struct emit *e, unsigned r, LLVMValueRef value)
{
    assert(r && r < X_COUNT && "bind.c writes no x0");
    e->x[r] = value;
    e->x_dirty[r] = true;
}

void
emit_begin_strip(struct emit *e, LLVMValueRef offset)
{
    memset(e->vec, 0, sizeof e->vec);
    memset(e->vec_dirty, 0, sizeof e->vec_dirty);
    e->lane = NULL;
    e->offset = offset;
}

void
emit_begin_strip_number(struct emit *e, unsigned s)
{
    assert(s < e->strips);
    emit_begin_strip(e, LLVMConstInt(e->i64, 4 * STRIP_LANES * s, false));
}

LLVMValueRef
emit_in_row(struct emit *e, LLVMValueRef row)
{
    return LLVMBuildInBoundsGEP2(e->b, e->i8, row, &e->offset, 1, "");
}

LLVMValueRef
emit_vec(struct emit *e, unsigned r)
{
    assert(r < SIM_VREGS && e->offset);
    if (e->vec[r])
        return e->vec[r];
    LLVMValueRef at = emit_in_row(e, emit_row(e, r));
    e->vec[r] = LLVMBuildLoad2(e->b, e->strip, at, "");
    LLVMSetAlignment(e->vec[r], 4 * STRIP_LANES);
    return e->vec[r];
}

void
emit_set_vec(struct emit *e, unsigned r, LLVMValueRef value)
{
    assert(r < SIM_VREGS && e->offset);
    e->vec[r] = value;
    e->vec_dirty[r] = true;
}

void
emit_end_strip(struct emit *e)
{
    for (unsigned r = 0; r < SIM_VREGS; r++)
        if (e->vec_dirty[r]) {
            LLVMValueRef at = emit_in_row(e, emit_row(e, r));
            LLVMValueRef store = LLVMBuildStore(e->b, e->vec[r], at);
            LLVMSetAlignment(store, 4 * STRIP_LANES);
        }
    e->offset = NULL;
}

void
emit_store_state(struct emit *e)
{
    assert(!e->n_kept && "the state has what was kept back");
    for (unsigned r = 0; r < X_COUNT; r++)
        if (e->x_dirty[r])
            LLVMBuildStore(e->b, e->x[r], address_of_x(e, r));
    memset(e->x_dirty, 0, sizeof e->x_dirty);
    LLVMValueRef done = LLVMConstInt(e->i64, e->done, false);
    LLVMBuildStore(e->b, LLVMBuildSub(e->b, e->left, done, ""),
                   emit_member(e, offsetof(struct sim_warp, left)));
}

void
emit_forget(struct emit *e)
{
    memset(e->x, 0, sizeof e->x);
    memset(e->x_dirty, 0, sizeof e->x_dirty);
}

void
emit_forget_results(struct emit *e, const struct native_op *op)
{
    for (unsigned r = op->d; r < op->d + (unsigned)NATIVE_TO_MAX; r++)
        if (op->to & NATIVE_TO_X && r < X_COUNT) {
            assert(!e->x_dirty[r] && "the function saw all registers");
            e->x[r] = NULL;
        }
}

/* ---- masks ---- */

LLVMValueRef
emit_v0_mask(struct emit *e)
{
    LLVMValueRef one = emit_splat(e, emit_int(e, 1));
    LLVMValueRef bit = LLVMBuildAnd(e->b, emit_vec(e, 0), one, "");
    return LLVMBuildNeg(e->b, bit, "");
}

LLVMValueRef
emit_mask(struct emit *e, const struct native_op *op)
{
    if (e->version == FULL)
        return op->slow ? emit_v0_mask(e) : NULL;
    if (!e->lane) {
        LLVMValueRef all = emit_member(e, offsetof(struct sim_warp, lane));
        e->lane = LLVMBuildLoad2(e->b, e->strip, emit_in_row(e, all), "");
    }
    return op->slow ? LLVMBuildAnd(e->b, e->lane, emit_v0_mask(e), "")
                    : e->lane;
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

LLVMValueRef
emit_bits(struct emit *e, LLVMValueRef mask)
{
    LLVMValueRef is_on =
        LLVMBuildICmp(e->b, LLVMIntSLT, mask, LLVMConstNull(e->strip), "");
    LLVMValueRef bits = LLVMBuildBitCast(e->b, is_on, e->i8, "");
    LLVMValueRef by =
        LLVMBuildLShr(e->b, e->offset, LLVMConstInt(e->i64, 2, false), "");
    return LLVMBuildShl(e->b, LLVMBuildZExt(e->b, bits, e->i64, ""), by, "");
}

/* ---- calls ---- */

LLVMValueRef
emit_op(struct emit *e, unsigned index)
{
    return emit_at(e, e->ops, index * sizeof(struct sim_op));
}

LLVMValueRef
emit_interpret(struct emit *e, const struct native_op *op)
{
    LLVMBasicBlockRef goes = emit_block(e, "");
    LLVMValueRef at = emit_op(e, op->index);
    static_assert(offsetof(struct sim_op, fn) == 0, "it is loaded from there");
    LLVMValueRef fn = LLVMBuildLoad2(e->b, e->ptr, at, "");
    LLVMValueRef args[] = { e->w, at };
    LLVMValueRef next = LLVMBuildCall2(e->b, e->handler, fn, args, 2, "");
    LLVMBuildCondBr(e->b, LLVMBuildIsNull(e->b, next, ""), e->stop, goes);
    LLVMPositionBuilderAtEnd(e->b, goes);
    return next;
}

void
emit_go_on_at(struct emit *e, LLVMValueRef next)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
    LLVMAddIncoming(e->next, &next, &here, 1);
    LLVMBuildBr(e->b, e->dispatch);
}

LLVMValueRef
emit_outside(struct emit *e, size_t offset, LLVMTypeRef result,
             LLVMValueRef *args, unsigned n)
{
    LLVMTypeRef type[8];
    assert(n <= 8 && "struct native_calls has no function with more");
    for (unsigned i = 0; i < n; i++)
        type[i] = LLVMTypeOf(args[i]);
    LLVMValueRef calls = LLVMBuildLoad2(
        e->b, e->ptr, emit_member(e, offsetof(struct sim_warp, calls)), "");
    LLVMValueRef f =
        LLVMBuildLoad2(e->b, e->ptr, emit_at(e, calls, offset), "");
    return LLVMBuildCall2(e->b, LLVMFunctionType(result, type, n, false), f,
                          args, n, "");
}
