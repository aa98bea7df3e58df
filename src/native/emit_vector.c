/* SPDX-License-Identifier: Apache-2.0 */
/* Vector instructions, a strip of lanes at a time. */
#include "native/emit.h"

#include <assert.h>
#include <string.h>

const char *const emit_int_names[] = {
#define X(name) #name,
    SEM_LIST2(X) SEM_LIST3(X)
#undef X
};

const char *const emit_fp_names[] = {
#define X(name, ...) #name,
    FP_LIST2(X) FP_LIST1(X) FP_LIST3(X)
#undef X
};

const char *const emit_branch_names[] = {
#define X(name, compare) #name,
    SEM_BRANCH_LIST(X)
#undef X
};

/* ---- operations ---- */

static LLVMValueRef
integer(struct emit *e, const struct native_op *op, LLVMValueRef scalar)
{
    LLVMValueRef two = emit_vec(e, op->s2);
    LLVMValueRef one = scalar ? emit_splat(e, scalar) : emit_vec(e, op->s1);
    const char *name = emit_int_names[op->kind];
    if (op->kind < INT_madd)
        return emit_named(e, "vec", name, (LLVMValueRef[]){ two, one }, 2);
    LLVMValueRef args[] = { one, two, emit_vec(e, op->s3) };
    return emit_named(e, "vec", name, args, 3);
}

/* Lanes that are off compute with 1.0, which raises no flag. */
static LLVMValueRef
floating(struct emit *e, const struct native_op *op, LLVMValueRef scalar,
         LLVMValueRef mask)
{
    LLVMValueRef safe = emit_splat(e, emit_int(e, 0x3f800000));
    const char *name = emit_fp_names[op->kind];
    LLVMValueRef two = emit_blend(e, mask, emit_vec(e, op->s2), safe);
    if (op->kind >= FP_fsqrt && op->kind < FP_vfmadd)
        return emit_named(e, "fp", name, (LLVMValueRef[]){ e->host, two }, 2);
    LLVMValueRef one = scalar ? emit_splat(e, scalar) : emit_vec(e, op->s1);
    one = emit_blend(e, mask, one, safe);
    if (op->kind < FP_fsqrt)
        return emit_named(e, "fp", name, (LLVMValueRef[]){ e->host, two, one },
                          3);
    LLVMValueRef vd = emit_blend(e, mask, emit_vec(e, op->s3), safe);
    LLVMValueRef args[] = { e->host, one, two, vd };
    return emit_named(e, "fp", name, args, 4);
}

static LLVMValueRef
merge(struct emit *e, const struct native_op *op, LLVMValueRef scalar)
{
    LLVMValueRef one = scalar ? emit_splat(e, scalar) : emit_vec(e, op->s1);
    return emit_blend(e, emit_v0_mask(e), one, emit_vec(e, op->s2));
}

static LLVMValueRef
lane_numbers(struct emit *e)
{
    LLVMValueRef number[STRIP_LANES];
    for (unsigned i = 0; i < STRIP_LANES; i++)
        number[i] = emit_int(e, i);
    LLVMValueRef first =
        LLVMBuildLShr(e->b, e->offset, LLVMConstInt(e->i64, 2, false), "");
    first = LLVMBuildTrunc(e->b, first, e->i32, "");
    return LLVMBuildAdd(e->b, emit_splat(e, first),
                        LLVMConstVector(number, STRIP_LANES), "");
}

static void
load(struct emit *e, const struct kept *k)
{
    LLVMValueRef mask = emit_mask(e, k->op);
    for (unsigned i = 0; i < emit_words(k->op); i++) {
        unsigned d = k->op->d + i;
        LLVMValueRef word = emit_fetch(e, k, i, mask);
        if (mask)
            word = emit_blend(e, mask, word, emit_vec(e, d));
        emit_set_vec(e, d, word);
    }
}

static void
one_strip(struct emit *e, const struct kept *k)
{
    const struct native_op *op = k->op;
    if (op->form == NATIVE_LOAD) {
        load(e, k);
        return;
    }
    if (op->form >= NATIVE_PAIR_VV && op->form <= NATIVE_WIDE_VS) {
        emit_pair_strip(e, op, k->scalar);
        return;
    }
    LLVMValueRef mask = emit_mask(e, op), result;
    switch ((enum native_form)op->form) {
    case NATIVE_VV:
    case NATIVE_VS:
        result = integer(e, op, k->scalar);
        break;
    case NATIVE_FP_VV:
    case NATIVE_FP_VS:
        result = floating(e, op, k->scalar, mask);
        break;
    case NATIVE_MERGE_V:
    case NATIVE_MERGE_S:
        result = merge(e, op, k->scalar);
        break;
    default:
        assert(op->form == NATIVE_VID && "emit_page.c keeps these forms only");
        result = lane_numbers(e);
    }
    if (mask)
        result = emit_blend(e, mask, result, emit_vec(e, op->d));
    emit_set_vec(e, op->d, result);
}

static void
note_results(struct emit *e, const struct native_op *op)
{
    unsigned n = op->form == NATIVE_LOAD ? emit_words(op) : 1;
    if (op->form >= NATIVE_PAIR_VV && op->form <= NATIVE_WIDE_VS)
        n = 2;
    for (unsigned i = 0; i < n; i++)
        e->pending[op->d + i] = true;
}

static LLVMValueRef
scalar_operand(struct emit *e, const struct native_op *op)
{
    LLVMValueRef imm = emit_int(e, (uint32_t)op->imm);
    bool multiplies = op->form == NATIVE_VS && op->kind >= INT_madd;
    switch ((enum native_form)op->form) {
    case NATIVE_PAIR_VS:
    case NATIVE_FP_PAIR_VS:
    case NATIVE_WIDE_VS:
    case NATIVE_PAIR_MERGE_S:
        return emit_pair_scalar(e, op);
    case NATIVE_VS:
    case NATIVE_MERGE_S:
        return multiplies ? emit_x(e, op->s1)
                          : LLVMBuildAdd(e->b, emit_x(e, op->s1), imm, "");
    case NATIVE_FP_VS:
        return emit_x(e, op->s1);
    case NATIVE_LOAD:
        return op->mode == MODE_OFFSET || op->mode == MODE_PRIVATE
                   ? NULL
                   : emit_x(e, op->s1);
    default:
        return NULL;
    }
}

void
emit_keep(struct emit *e, const struct native_op *op)
{
    if (!e->n_kept) {
        memset(e->pending, 0, sizeof e->pending);
        memcpy(e->before.x, e->x, sizeof e->x);
        memcpy(e->before.x_dirty, e->x_dirty, sizeof e->x_dirty);
        e->before.done = e->done - 1;
        e->before.rpc = NULL;
        e->n_loads = 0;
    }
    struct kept *k = &e->kept[e->n_kept++];
    *k = (struct kept){ .op = op, .scalar = scalar_operand(e, op) };
    if (op->form == NATIVE_LOAD) {
        k->room = e->room[e->n_loads++];
        k->step = op->mode == MODE_STRIDE ? emit_x(e, op->s2) : NULL;
    }
    note_results(e, op);
}

bool
emit_load_waits(const struct emit *e, const struct native_op *op)
{
    bool wide = op->aux & MEM_WIDE_ADDRESS;
    if (!e->n_kept)
        return false;
    if (e->n_loads == ROOMS || (op->slow && e->pending[0]))
        return true;
    if (op->mode == MODE_INDEX)
        return e->pending[op->s2];
    bool by_vector = op->mode == MODE_OFFSET || op->mode == MODE_PRIVATE;
    return by_vector &&
           (e->pending[op->s1] || (wide && e->pending[op->s1 + 1]));
}

/* Does what is kept back, for the strip; and the outcomes of a branch of its threads. */
static LLVMValueRef
strip_of_kept(struct emit *e, const struct native_op *op)
{
    LLVMValueRef taken = NULL;
    for (unsigned i = 0; i < e->n_kept; i++)
        one_strip(e, &e->kept[i]);
    if (op && op->form == NATIVE_PAIR_THREAD_BRANCH) {
        taken = emit_pair_outcomes(e, op);
    } else if (op) {
        LLVMValueRef args[] = { emit_vec(e, op->s2), emit_vec(e, op->s1) };
        const char *name = emit_branch_names[op->kind];
        taken = emit_named(e, "vec_b", name, args, 2);
    }
    LLVMValueRef bits = op ? emit_bits(e, LLVMBuildNeg(e->b, taken, "")) : NULL;
    emit_end_strip(e);
    return bits;
}

/* Lets the interpreter do what is kept back, and the branch, from the state before; goes to
 * `end` if there is none. */
static void
interpret_kept(struct emit *e, const struct native_op *op,
               LLVMBasicBlockRef end)
{
    for (unsigned r = 0; r < X_COUNT; r++)
        if (e->before.x_dirty[r])
            LLVMBuildStore(
                e->b, e->before.x[r],
                emit_member(e, offsetof(struct sim_warp, x) + 4 * r));
    if (e->before.rpc)
        LLVMBuildStore(e->b, e->before.rpc,
                       emit_member(e, offsetof(struct sim_warp, rpc)));
    LLVMValueRef done = LLVMConstInt(e->i64, e->before.done, false);
    LLVMBuildStore(e->b, LLVMBuildSub(e->b, e->left, done, ""),
                   emit_member(e, offsetof(struct sim_warp, left)));
    LLVMValueRef args[] = { e->w, emit_op(e, e->kept[0].op->index),
                            LLVMConstInt(e->i64, e->done - e->before.done,
                                         false) };
    size_t offset = offsetof(struct native_calls, interpret);
    LLVMValueRef next = emit_outside(e, offset, e->ptr, args, 3);
    LLVMBasicBlockRef goes = op ? emit_block(e, "") : end;
    LLVMBuildCondBr(e->b, LLVMBuildIsNull(e->b, next, ""), e->stop, goes);
    if (op) {
        LLVMPositionBuilderAtEnd(e->b, goes);
        emit_go_on_at(e, next);
    }
}

/* Finds the places of loads, then does the loop over the strips. */
static LLVMValueRef
all_strips(struct emit *e, const struct native_op *op)
{
    LLVMValueRef none = LLVMConstInt(e->i64, 0, false), bits = NULL, next;
    LLVMBasicBlockRef loop = emit_block(e, "loop"), end = emit_block(e, "");
    LLVMBasicBlockRef slow = e->n_loads && e->n_kept ? emit_block(e, "") : NULL;
    for (unsigned i = 0; i < e->n_kept; i++)
        if (e->kept[i].op->form == NATIVE_LOAD)
            emit_find(e, &e->kept[i], slow);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(e->b);
    LLVMBuildBr(e->b, loop);
    LLVMPositionBuilderAtEnd(e->b, loop);
    LLVMValueRef offset = LLVMBuildPhi(e->b, e->i64, "");
    LLVMValueRef sum = op ? LLVMBuildPhi(e->b, e->i64, "") : NULL;
    emit_begin_strip(e, offset);
    bits = strip_of_kept(e, op);
    if (op)
        bits = LLVMBuildOr(e->b, sum, bits, "");
    next = LLVMBuildAdd(e->b, offset,
                        LLVMConstInt(e->i64, 4 * STRIP_LANES, false), "");
    LLVMBasicBlockRef last = LLVMGetInsertBlock(e->b);
    LLVMAddIncoming(offset, &none, &before, 1);
    LLVMAddIncoming(offset, &next, &last, 1);
    if (op) {
        LLVMAddIncoming(sum, &none, &before, 1);
        LLVMAddIncoming(sum, &bits, &last, 1);
    }
    LLVMValueRef all = LLVMConstInt(e->i64, 4 * (uint64_t)e->r->lanes, false);
    LLVMValueRef ends = LLVMBuildICmp(e->b, LLVMIntEQ, next, all, "");
    LLVMBuildCondBr(e->b, ends, end, loop);
    if (slow) {
        LLVMPositionBuilderAtEnd(e->b, slow);
        interpret_kept(e, op, end);
    }
    LLVMPositionBuilderAtEnd(e->b, end);
    e->n_kept = e->n_loads = 0;
    return bits;
}

void
emit_kept(struct emit *e)
{
    if (e->n_kept)
        all_strips(e, NULL);
}

LLVMValueRef
emit_outcomes(struct emit *e, const struct native_op *op)
{
    return all_strips(e, op);
}
