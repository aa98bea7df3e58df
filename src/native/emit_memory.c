/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads and stores.  What a cached span has is accessed by code of the host: scalars and
 * rows here, other vectors by functions of templates.c.  The rest is the interpreter's,
 * which finds faults, too:
 *
 *     is it in one span? -- no --> the interpreter's function
 *       | yes                      |
 *     access -----------------> together
 *
 * Registers are stored before, so that all of these find them, and results of vectors
 * are in memory.
 */
#include "native/emit.h"

#include <assert.h>

struct ways {
    LLVMBasicBlockRef slow, together;
};

static struct ways
open_ways(struct emit *e)
{
    return (struct ways){ emit_block(e, "slow"), emit_block(e, "") };
}

/* Goes the slow way unless `ok`. */
static void
demand(struct emit *e, const struct ways *w, LLVMValueRef ok)
{
    LLVMBasicBlockRef goes = emit_block(e, "");
    LLVMBuildCondBr(e->b, ok, goes, w->slow);
    LLVMPositionBuilderAtEnd(e->b, goes);
}

static LLVMValueRef
add_bytes(struct emit *e, LLVMValueRef host, uint64_t bytes)
{
    LLVMValueRef at = LLVMConstInt(e->i64, bytes, false);
    return LLVMBuildInBoundsGEP2(e->b, e->i8, host, &at, 1, "");
}

static LLVMTypeRef
type_of_kind(struct emit *e, unsigned kind, unsigned *bytes)
{
    *bytes = kind == MEM_W ? 4 : kind == MEM_H || kind == MEM_HU ? 2 : 1;
    return *bytes == 4 ? e->i32 : *bytes == 2 ? e->i16 : e->i8;
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

static unsigned
words_of(const struct native_op *op)
{
    return op->width > 1 ? op->width : 1;
}

/* ---- scalars ---- */

static LLVMValueRef
scalar_address(struct emit *e, const struct native_op *op)
{
    LLVMValueRef imm = LLVMConstInt(e->i64, (uint64_t)(int64_t)op->imm, true);
    if (op->aux & MEM_WIDE_ADDRESS)
        return LLVMBuildAdd(e->b, emit_pair_x(e, op->s1), imm, "");
    LLVMValueRef at = LLVMBuildAdd(e->b, emit_x(e, op->s1),
                                   emit_int(e, (uint32_t)op->imm), "");
    return LLVMBuildZExt(e->b, at, e->i64, "");
}

/* The words in memory, of which loads deliver the values. */
static void
scalar_words(struct emit *e, const struct native_op *op, LLVMValueRef host,
             LLVMValueRef *value)
{
    unsigned bytes;
    LLVMTypeRef type = type_of_kind(e, op->kind, &bytes);
    for (unsigned k = 0; k < words_of(op); k++) {
        LLVMValueRef at = add_bytes(e, host, 4 * k);
        if (op->form == NATIVE_SCALAR_STORE) {
            LLVMValueRef data = emit_x(e, op->s2 ? op->s2 + k : 0);
            data = LLVMBuildIntCast2(e->b, data, type, false, "");
            LLVMSetAlignment(LLVMBuildStore(e->b, data, at), 1);
        } else {
            value[k] = LLVMBuildLoad2(e->b, type, at, "");
            LLVMSetAlignment(value[k], 1);
            value[k] = extend(e, value[k], op->kind);
        }
    }
}

/* Loads what the interpreter has put into registers. */
static void
scalar_results(struct emit *e, const struct native_op *op, LLVMValueRef *value)
{
    for (unsigned k = 0; k < words_of(op); k++) {
        size_t offset = offsetof(struct sim_warp, x) + 4 * (op->d + k);
        value[k] = LLVMBuildLoad2(e->b, e->i32, emit_member(e, offset), "");
    }
}

static LLVMValueRef
scalar_host(struct emit *e, const struct native_op *op, const struct ways *w)
{
    unsigned bytes, words = words_of(op);
    type_of_kind(e, op->kind, &bytes);
    LLVMValueRef at = scalar_address(e, op);
    if (words > 1 && !(op->aux & MEM_WIDE_ADDRESS)) {
        LLVMValueRef last =
            LLVMConstInt(e->i64, (UINT64_C(1) << 32) - 4 * words, false);
        demand(e, w, LLVMBuildICmp(e->b, LLVMIntULE, at, last, ""));
    }
    LLVMValueRef args[] = { e->w, at, emit_int(e, bytes * words),
                            emit_int(e, bytes) };
    bool store = op->form == NATIVE_SCALAR_STORE;
    LLVMValueRef host = emit_call(e, store ? "run_write" : "run_read", args, 4);
    demand(e, w, LLVMBuildIsNotNull(e->b, host, ""));
    return host;
}

static void
scalar_access(struct emit *e, const struct native_op *op)
{
    bool store = op->form == NATIVE_SCALAR_STORE;
    LLVMValueRef value[2][NATIVE_TO_MAX];
    LLVMBasicBlockRef from[2];
    for (unsigned k = 0; store && k < words_of(op); k++)
        emit_x(e, op->s2 ? op->s2 + k : 0);
    struct ways w = open_ways(e);
    scalar_words(e, op, scalar_host(e, op, &w), value[0]);
    from[0] = LLVMGetInsertBlock(e->b);
    LLVMBuildBr(e->b, w.together);
    LLVMPositionBuilderAtEnd(e->b, w.slow);
    emit_interpret(e, op);
    if (!store)
        scalar_results(e, op, value[1]);
    from[1] = LLVMGetInsertBlock(e->b);
    LLVMBuildBr(e->b, w.together);
    LLVMPositionBuilderAtEnd(e->b, w.together);
    for (unsigned k = 0; !store && k < words_of(op); k++) {
        LLVMValueRef phi = LLVMBuildPhi(e->b, e->i32, "");
        for (unsigned i = 0; i < 2; i++)
            LLVMAddIncoming(phi, &value[i][k], &from[i], 1);
        emit_set_x(e, op->d + k, phi);
    }
}

/* ---- vectors ---- */

/* The data register of a store: vs2 of custom ones, else in the place of vd. */
static unsigned
data_of(const struct native_op *op)
{
    bool custom = op->form == NATIVE_STORE && op->aux & MEM_DATA_S2;
    return custom ? op->s2 : op->d;
}

static LLVMValueRef
multiples(struct emit *e, unsigned s, uint32_t step)
{
    LLVMValueRef number[STRIP_LANES];
    for (unsigned i = 0; i < STRIP_LANES; i++)
        number[i] = emit_int(e, step * (s * STRIP_LANES + i));
    return LLVMConstVector(number, STRIP_LANES);
}

static uint32_t
index_bits(const struct native_op *op)
{
    return op->aux & MEM_INDEX_8    ? 0xff
           : op->aux & MEM_INDEX_16 ? 0xffff
                                    : UINT32_MAX;
}

/* Puts the strip where functions of templates.c find it. */
static void
put(struct emit *e, unsigned room, LLVMValueRef value)
{
    LLVMBuildStore(e->b, value, emit_in_row(e, e->room[room]));
}

/* Addresses from a scalar base, in the first room. */
static void
put_addresses(struct emit *e, const struct native_op *op, unsigned bytes)
{
    LLVMValueRef base = emit_splat(e, emit_x(e, op->s1));
    for (unsigned s = 0; s < e->strips; s++) {
        LLVMValueRef step;
        emit_begin_strip_number(e, s);
        if (op->mode == MODE_UNIT)
            step = multiples(e, s, bytes);
        else if (op->mode == MODE_STRIDE)
            step = LLVMBuildMul(e->b, emit_splat(e, emit_x(e, op->s2)),
                                multiples(e, s, 1), "");
        else
            step = LLVMBuildAnd(e->b, emit_vec(e, op->s2),
                                emit_splat(e, emit_int(e, index_bits(op))), "");
        put(e, 0, LLVMBuildAdd(e->b, base, step, ""));
        emit_end_strip(e);
    }
}

/* Operands of the functions of templates.c. */
struct where {
    LLVMValueRef lo, hi, imm, mask, exec;
    bool some; /* lanes may be off */
};

static void
find_mask(struct emit *e, const struct native_op *op, struct where *to)
{
    to->some = e->version == PARTIAL || op->slow;
    if (!op->slow) {
        to->mask = emit_member(e, offsetof(struct sim_warp, lane));
        to->exec = LLVMBuildLoad2(
            e->b, e->i64, emit_member(e, offsetof(struct sim_warp, exec)), "");
        return;
    }
    to->exec = LLVMConstInt(e->i64, 0, false);
    for (unsigned s = 0; s < e->strips; s++) {
        emit_begin_strip_number(e, s);
        LLVMValueRef mask = emit_mask(e, op);
        put(e, 2, mask);
        to->exec = LLVMBuildOr(e->b, to->exec, emit_bits(e, mask), "");
        emit_end_strip(e);
    }
    to->mask = e->room[2];
}

static void
find_addresses(struct emit *e, const struct native_op *op, unsigned bytes,
               struct where *to)
{
    bool vector = op->mode == MODE_OFFSET || op->mode == MODE_PRIVATE;
    bool wide = op->aux & MEM_WIDE_ADDRESS;
    to->lo = vector ? emit_row(e, op->s1) : e->room[0];
    to->hi = wide ? emit_row(e, op->s1 + 1u) : LLVMConstNull(e->ptr);
    to->imm = emit_int(e, vector ? (uint32_t)op->imm : 0);
    if (!vector)
        put_addresses(e, op, bytes);
    for (unsigned s = 0; wide && op->s1 % 2 && s < e->strips; s++) {
        emit_begin_strip_number(e, s);
        LLVMValueRef by = emit_splat(e, emit_int(e, 31));
        to->hi = e->room[1];
        put(e, 1, LLVMBuildAShr(e->b, emit_vec(e, op->s1), by, ""));
        emit_end_strip(e);
    }
}

/* From offsets of private memory to addresses; the slow way if one is outside. */
static void
enter_private(struct emit *e, const struct native_op *op, unsigned bytes,
              const struct ways *w, struct where *at)
{
    bool store = op->form == NATIVE_STORE;
    LLVMValueRef args[] = { e->w,
                            at->lo,
                            at->imm,
                            at->mask,
                            emit_int(e, e->strips),
                            emit_int(e, bytes),
                            emit_int(e, store),
                            e->room[0] };
    LLVMValueRef fits = emit_call(e, "shared_private", args, 8);
    demand(e, w, LLVMBuildIsNotNull(e->b, fits, ""));
    at->lo = e->room[0];
    at->imm = emit_int(e, 0);
}

/* By wide addresses, and some lanes. */
static const char *const loads[2][2] = {
    { "shared_load_all", "shared_load_some" },
    { "shared_load_wide_all", "shared_load_wide_some" },
};

static const char *const stores[2][2] = {
    { "shared_store_all", "shared_store_some" },
    { "shared_store_wide_all", "shared_store_wide_some" },
};

static void
vector_access(struct emit *e, const struct native_op *op)
{
    bool store = op->form == NATIVE_STORE, small = op->kind != MEM_W;
    unsigned bytes, wide = (op->aux & MEM_WIDE_ADDRESS) != 0;
    struct ways w = open_ways(e);
    struct where at;
    type_of_kind(e, op->kind, &bytes);
    find_mask(e, op, &at);
    find_addresses(e, op, bytes, &at);
    if (op->mode == MODE_PRIVATE)
        enter_private(e, op, bytes, &w, &at);
    LLVMValueRef args[] = { e->w,
                            at.lo,
                            at.hi,
                            at.imm,
                            at.mask,
                            at.exec,
                            emit_int(e, e->strips),
                            emit_int(e, small ? op->kind : words_of(op)),
                            emit_row(e, data_of(op)) };
    const char *name = store ? stores[wide][at.some] : loads[wide][at.some];
    if (small)
        name = store ? "shared_store_small" : "shared_load_small";
    LLVMValueRef done = emit_call(e, name, args, 9);
    LLVMBuildCondBr(e->b, LLVMBuildIsNull(e->b, done, ""), w.slow, w.together);
    LLVMPositionBuilderAtEnd(e->b, w.slow);
    emit_interpret(e, op);
    LLVMBuildBr(e->b, w.together);
    LLVMPositionBuilderAtEnd(e->b, w.together);
}

void
emit_access(struct emit *e, const struct native_op *op)
{
    assert(!e->n_kept && "addresses and data are there");
    emit_store_state(e);
    if (op->form == NATIVE_SCALAR_LOAD || op->form == NATIVE_SCALAR_STORE)
        scalar_access(e, op);
    else
        vector_access(e, op);
}
