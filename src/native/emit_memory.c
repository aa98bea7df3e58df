/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads and stores.  A row of words in cached memory is copied; all other accesses are
 * the interpreter's, which finds faults, too:
 *
 *     is it a row? -- no ------------------.
 *      | yes                               |
 *     does a span have it? -- no -------> the interpreter's function
 *      | yes                               |
 *     copy ---------------------------> together
 */
#include "native/emit.h"

#include <assert.h>

struct ways {
    LLVMBasicBlockRef fast, slow, together;
    LLVMBasicBlockRef fast_end, slow_end;
};

/* Goes the fast way if `host` is not NULL. */
static struct ways
part(struct emit *e, LLVMValueRef host, LLVMBasicBlockRef slow)
{
    struct ways w = { emit_block(e, "fast"), slow, emit_block(e, ""), NULL,
                      NULL };
    LLVMBuildCondBr(e->b, LLVMBuildIsNull(e->b, host, ""), slow, w.fast);
    LLVMPositionBuilderAtEnd(e->b, w.fast);
    return w;
}

/* The slow way, from the end of the fast one on. */
static void
go_slow(struct emit *e, struct ways *w, const struct native_op *op)
{
    w->fast_end = LLVMGetInsertBlock(e->b);
    LLVMBuildBr(e->b, w->together);
    LLVMPositionBuilderAtEnd(e->b, w->slow);
    emit_store_state(e);
    emit_interpret(e, op);
}

static void
meet(struct emit *e, struct ways *w)
{
    w->slow_end = LLVMGetInsertBlock(e->b);
    LLVMBuildBr(e->b, w->together);
    LLVMPositionBuilderAtEnd(e->b, w->together);
}

static LLVMValueRef
choose(struct emit *e, const struct ways *w, LLVMValueRef fast,
       LLVMValueRef slow)
{
    LLVMValueRef phi = LLVMBuildPhi(e->b, LLVMTypeOf(fast), "");
    LLVMAddIncoming(phi, &fast, (LLVMBasicBlockRef[]){ w->fast_end }, 1);
    LLVMAddIncoming(phi, &slow, (LLVMBasicBlockRef[]){ w->slow_end }, 1);
    return phi;
}

/* ---- scalars ---- */

static LLVMTypeRef
type_of_kind(struct emit *e, unsigned kind, unsigned *bytes)
{
    *bytes = kind == MEM_W ? 4 : kind == MEM_H || kind == MEM_HU ? 2 : 1;
    return LLVMIntTypeInContext(e->context, 8 * *bytes);
}

static LLVMValueRef
extend(struct emit *e, LLVMValueRef value, unsigned kind)
{
    if (kind == MEM_W)
        return value;
    return kind == MEM_B || kind == MEM_H
               ? LLVMBuildSExt(e->b, value, e->i32, "")
               : LLVMBuildZExt(e->b, value, e->i32, "");
}

static void
scalar_access(struct emit *e, const struct native_op *op)
{
    bool store = op->form == NATIVE_SCALAR_STORE;
    unsigned bytes;
    LLVMTypeRef type = type_of_kind(e, op->kind, &bytes);
    LLVMValueRef at = LLVMBuildAdd(e->b, emit_x(e, op->s1),
                                   emit_int(e, (uint32_t)op->imm), "");
    LLVMValueRef data = store ? emit_x(e, op->s2) : NULL, loaded = NULL;
    LLVMValueRef args[] = { e->w, at, emit_int(e, bytes), emit_int(e, bytes) };
    LLVMValueRef host = emit_call(e, store ? "run_write" : "run_read", args, 4);
    struct ways w = part(e, host, emit_block(e, "slow"));
    if (store) {
        data = LLVMBuildIntCast2(e->b, data, type, false, "");
        LLVMSetAlignment(LLVMBuildStore(e->b, data, host), 1);
    } else {
        loaded = LLVMBuildLoad2(e->b, type, host, "");
        LLVMSetAlignment(loaded, 1);
        loaded = extend(e, loaded, op->kind);
    }
    go_slow(e, &w, op);
    LLVMValueRef slow = NULL;
    if (!store) {
        size_t offset = offsetof(struct sim_warp, x) + 4 * op->d;
        slow = LLVMBuildLoad2(e->b, e->i32, emit_member(e, offset), "");
    }
    meet(e, &w);
    if (!store)
        emit_set_x(e, op->d, choose(e, &w, loaded, slow));
}

/* ---- vectors ---- */

/* Whether the first strip's first address goes on as a row, with `step` from a lane to
 * the next; goes to `slow` if not. */
static LLVMValueRef
row_base(struct emit *e, const struct native_op *op, unsigned step,
         LLVMBasicBlockRef slow)
{
    LLVMValueRef first = LLVMBuildExtractElement(e->b, emit_vec(e, op->s1, 0),
                                                 emit_int(e, 0), "");
    LLVMValueRef odd = NULL, base = emit_splat(e, first);
    for (unsigned s = 0; s < e->strips; s++) {
        LLVMValueRef number[STRIP_LANES];
        for (unsigned i = 0; i < STRIP_LANES; i++)
            number[i] = emit_int(e, step * (s * STRIP_LANES + i));
        LLVMValueRef want =
            LLVMBuildAdd(e->b, base, LLVMConstVector(number, STRIP_LANES), "");
        LLVMValueRef differs =
            LLVMBuildXor(e->b, emit_vec(e, op->s1, s), want, "");
        odd = odd ? LLVMBuildOr(e->b, odd, differs, "") : differs;
    }
    LLVMTypeRef whole = LLVMIntTypeInContext(e->context, 32 * STRIP_LANES);
    LLVMValueRef bits = LLVMBuildBitCast(e->b, odd, whole, "");
    LLVMBasicBlockRef row = emit_block(e, "row");
    LLVMBuildCondBr(e->b, LLVMBuildIsNull(e->b, bits, ""), row, slow);
    LLVMPositionBuilderAtEnd(e->b, row);
    return LLVMBuildAdd(e->b, first, emit_int(e, (uint32_t)op->imm), "");
}

/* The host address of the row that op accesses, or NULL. */
static LLVMValueRef
row_of(struct emit *e, const struct native_op *op, bool store,
       LLVMBasicBlockRef slow)
{
    LLVMValueRef n = emit_int(e, 4 * e->r->lanes);
    if (op->mode == MODE_PRIVATE) {
        LLVMValueRef args[] = { e->w, row_base(e, op, 0, slow), n };
        return emit_call(e, store ? "run_write_private" : "run_read_private",
                         args, 3);
    }
    LLVMValueRef base =
        op->mode == MODE_UNIT ? emit_x(e, op->s1) : row_base(e, op, 4, slow);
    LLVMValueRef args[] = { e->w, base, n, emit_int(e, 4) };
    return emit_call(e, store ? "run_write" : "run_read", args, 4);
}

static LLVMValueRef
strip_of_row(struct emit *e, LLVMValueRef host, unsigned s)
{
    LLVMValueRef at = LLVMConstInt(e->i64, 4 * STRIP_LANES * s, false);
    return LLVMBuildInBoundsGEP2(e->b, e->i8, host, &at, 1, "");
}

/* The data register of a store: vs2 of custom ones, else in the place of vd. */
static unsigned
data_of(const struct native_op *op)
{
    return op->mode == MODE_OFFSET || op->mode == MODE_PRIVATE ? op->s2 : op->d;
}

static void
row_access(struct emit *e, const struct native_op *op)
{
    bool store = op->form == NATIVE_STORE;
    LLVMBasicBlockRef slow = emit_block(e, "slow");
    LLVMValueRef fast[STRIPS_MAX], kept[STRIPS_MAX];
    for (unsigned s = 0; store && s < e->strips; s++)
        emit_vec(e, data_of(op), s);
    LLVMValueRef host = row_of(e, op, store, slow);
    struct ways w = part(e, host, slow);
    for (unsigned s = 0; s < e->strips; s++) {
        LLVMValueRef at = strip_of_row(e, host, s);
        fast[s] = store ? LLVMBuildStore(e->b, emit_vec(e, data_of(op), s), at)
                        : LLVMBuildLoad2(e->b, e->strip, at, "");
        LLVMSetAlignment(fast[s], 1);
    }
    go_slow(e, &w, op);
    uint64_t offset = 4 * (uint64_t)op->d * e->r->lanes;
    LLVMValueRef index = LLVMConstInt(e->i64, offset, false);
    LLVMValueRef row = LLVMBuildInBoundsGEP2(e->b, e->i8, e->v, &index, 1, "");
    for (unsigned s = 0; !store && s < e->strips; s++)
        kept[s] = LLVMBuildLoad2(e->b, e->strip, strip_of_row(e, row, s), "");
    meet(e, &w);
    for (unsigned s = 0; !store && s < e->strips; s++)
        emit_set_vec(e, op->d, s, choose(e, &w, fast[s], kept[s]));
}

/* ---- words anywhere ---- */

/* A load on one of three ways: a row, words of one span, the interpreter's. */
struct load {
    const struct native_op *op;
    LLVMBasicBlockRef slow, together, from[3];
    LLVMValueRef value[3][STRIPS_MAX];
    unsigned n;
};

static void
arrive(struct emit *e, struct load *l)
{
    l->from[l->n++] = LLVMGetInsertBlock(e->b);
    LLVMBuildBr(e->b, l->together);
}

static void
try_row(struct emit *e, struct load *l)
{
    LLVMBasicBlockRef other = emit_block(e, "other");
    LLVMBasicBlockRef fast = emit_block(e, "fast");
    LLVMValueRef host = row_of(e, l->op, false, other);
    LLVMBuildCondBr(e->b, LLVMBuildIsNull(e->b, host, ""), other, fast);
    LLVMPositionBuilderAtEnd(e->b, fast);
    for (unsigned s = 0; s < e->strips; s++) {
        LLVMValueRef at = strip_of_row(e, host, s);
        l->value[l->n][s] = LLVMBuildLoad2(e->b, e->strip, at, "");
        LLVMSetAlignment(l->value[l->n][s], 1);
    }
    arrive(e, l);
    LLVMPositionBuilderAtEnd(e->b, other);
}

/* The address of the first active lane; goes the slow way if there is none. */
static LLVMValueRef
first_address(struct emit *e, struct load *l, const LLVMValueRef *at)
{
    if (e->version == FULL)
        return LLVMBuildExtractElement(e->b, at[0], emit_int(e, 0), "");
    LLVMBasicBlockRef some = emit_block(e, "some");
    LLVMValueRef exec = LLVMBuildLoad2(
        e->b, e->i64, emit_member(e, offsetof(struct sim_warp, exec)), "");
    LLVMBuildCondBr(e->b, LLVMBuildIsNull(e->b, exec, ""), l->slow, some);
    LLVMPositionBuilderAtEnd(e->b, some);
    for (unsigned s = 0; s < e->strips; s++)
        LLVMBuildStore(e->b, at[s], strip_of_row(e, e->addresses, s));
    LLVMValueRef lane = emit_call(e, "run_first", &exec, 1);
    LLVMValueRef place =
        LLVMBuildInBoundsGEP2(e->b, e->i32, e->addresses, &lane, 1, "");
    return LLVMBuildLoad2(e->b, e->i32, place, "");
}

static void
try_span(struct emit *e, struct load *l)
{
    LLVMValueRef at[STRIPS_MAX], mask[STRIPS_MAX], old[STRIPS_MAX];
    LLVMValueRef imm = emit_splat(e, emit_int(e, (uint32_t)l->op->imm));
    for (unsigned s = 0; s < e->strips; s++) {
        at[s] = LLVMBuildAdd(e->b, emit_vec(e, l->op->s1, s), imm, "");
        mask[s] = emit_mask(e, l->op, s);
        old[s] = mask[s] ? emit_vec(e, l->op->d, s) : NULL;
        if (!mask[s])
            mask[s] = LLVMConstAllOnes(e->strip);
    }
    LLVMValueRef first = first_address(e, l, at), misses = NULL;
    LLVMValueRef where[] = { e->w, first };
    LLVMValueRef span = emit_call(e, "run_span", where, 2);
    for (unsigned s = 0; s < e->strips; s++) {
        LLVMValueRef args[] = { span, first, at[s], mask[s] };
        LLVMValueRef some = emit_call(e, "run_misses", args, 4);
        misses = misses ? LLVMBuildOr(e->b, misses, some, "") : some;
    }
    LLVMBasicBlockRef inside = emit_block(e, "inside");
    LLVMBuildCondBr(e->b, LLVMBuildIsNull(e->b, misses, ""), inside, l->slow);
    LLVMPositionBuilderAtEnd(e->b, inside);
    for (unsigned s = 0; s < e->strips; s++) {
        LLVMValueRef args[] = { span, at[s], mask[s] };
        LLVMValueRef words = emit_call(e, "run_gather", args, 3);
        l->value[l->n][s] =
            old[s] ? emit_blend(e, mask[s], words, old[s]) : words;
    }
    arrive(e, l);
}

static void
interpret_load(struct emit *e, struct load *l)
{
    LLVMPositionBuilderAtEnd(e->b, l->slow);
    emit_store_state(e);
    emit_interpret(e, l->op);
    uint64_t offset = 4 * (uint64_t)l->op->d * e->r->lanes;
    LLVMValueRef index = LLVMConstInt(e->i64, offset, false);
    LLVMValueRef row = LLVMBuildInBoundsGEP2(e->b, e->i8, e->v, &index, 1, "");
    for (unsigned s = 0; s < e->strips; s++)
        l->value[l->n][s] =
            LLVMBuildLoad2(e->b, e->strip, strip_of_row(e, row, s), "");
    arrive(e, l);
}

static void
load_words(struct emit *e, const struct native_op *op)
{
    struct load l = { .op = op };
    l.slow = emit_block(e, "slow");
    l.together = emit_block(e, "");
    if (e->version == FULL)
        try_row(e, &l);
    try_span(e, &l);
    interpret_load(e, &l);
    LLVMPositionBuilderAtEnd(e->b, l.together);
    for (unsigned s = 0; s < e->strips; s++) {
        LLVMValueRef phi = LLVMBuildPhi(e->b, e->strip, "");
        for (unsigned i = 0; i < l.n; i++)
            LLVMAddIncoming(phi, &l.value[i][s], &l.from[i], 1);
        emit_set_vec(e, op->d, s, phi);
    }
}

void
emit_access(struct emit *e, const struct native_op *op)
{
    assert(!e->n_kept && "addresses and data are there");
    if (op->form == NATIVE_SCALAR_LOAD || op->form == NATIVE_SCALAR_STORE) {
        scalar_access(e, op);
        return;
    }
    bool row = e->version == FULL && !op->slow && op->kind == MEM_W &&
               (op->mode == MODE_OFFSET || op->mode == MODE_PRIVATE ||
                op->mode == MODE_UNIT);
    if (op->form == NATIVE_LOAD && !op->slow && op->kind == MEM_W &&
        op->mode == MODE_OFFSET) {
        load_words(e, op);
        return;
    }
    if (row) {
        row_access(e, op);
        return;
    }
    emit_store_state(e);
    emit_interpret(e, op);
    emit_forget(e);
}
