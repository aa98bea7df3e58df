/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads and stores.  What a cached span has is accessed by code of the host: scalars here,
 * loads of vectors in the loop over strips, at places that a function of access.c has
 * found, stores by such a function.  The rest is the interpreter's, which finds faults,
 * too; of scalars and stores:
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
    for (unsigned k = 0; k < emit_words(op); k++) {
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
    for (unsigned k = 0; k < emit_words(op); k++) {
        size_t offset = offsetof(struct sim_warp, x) + 4 * (op->d + k);
        value[k] = LLVMBuildLoad2(e->b, e->i32, emit_member(e, offset), "");
    }
}

static LLVMValueRef
scalar_host(struct emit *e, const struct native_op *op, const struct ways *w)
{
    unsigned bytes, words = emit_words(op);
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
    for (unsigned k = 0; store && k < emit_words(op); k++)
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
    for (unsigned k = 0; !store && k < emit_words(op); k++) {
        LLVMValueRef phi = LLVMBuildPhi(e->b, e->i32, "");
        for (unsigned i = 0; i < 2; i++)
            LLVMAddIncoming(phi, &value[i][k], &from[i], 1);
        emit_set_x(e, op->d + k, phi);
    }
}

/* ---- vectors ---- */

unsigned
emit_words(const struct native_op *op)
{
    return op->width > 1 ? op->width : 1;
}

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

/* A member of a room. */
static LLVMValueRef
room_of(struct emit *e, const struct kept *k, size_t offset)
{
    return emit_at(e, k->room, offset);
}

/* Puts the strip into a row. */
static void
put(struct emit *e, LLVMValueRef row, LLVMValueRef value)
{
    LLVMBuildStore(e->b, value, emit_in_row(e, row));
}

/* Operands of the functions of access.c. */
struct where {
    LLVMValueRef lo, hi, imm, mask, exec;
    bool some; /* lanes may be off */
};

static void
find_mask(struct emit *e, const struct kept *k, struct where *to)
{
    const struct native_op *op = k->op;
    to->some = e->version == PARTIAL || op->slow;
    to->mask = emit_member(e, offsetof(struct sim_warp, lane));
    to->exec = LLVMConstInt(e->i64, 0, false);
    if (!op->slow) {
        LLVMValueRef exec = emit_member(e, offsetof(struct sim_warp, exec));
        if (to->some)
            to->exec = LLVMBuildLoad2(e->b, e->i64, exec, "");
        return;
    }
    LLVMValueRef row = room_of(e, k, offsetof(struct room, mask));
    for (unsigned s = 0; s < e->strips; s++) {
        emit_begin_strip_number(e, s);
        LLVMValueRef mask = emit_mask(e, op);
        put(e, row, mask);
        to->exec = LLVMBuildOr(e->b, to->exec, emit_bits(e, mask), "");
        emit_end_strip(e);
    }
    to->mask = row;
}

/* Addresses that depend on the number of the lane, or on a part of an index. */
static LLVMValueRef
make_addresses(struct emit *e, const struct kept *k, unsigned bytes)
{
    const struct native_op *op = k->op;
    LLVMValueRef row = room_of(e, k, offsetof(struct room, address));
    for (unsigned s = 0; s < e->strips; s++) {
        LLVMValueRef step;
        emit_begin_strip_number(e, s);
        if (op->mode == MODE_UNIT)
            step = multiples(e, s, bytes);
        else if (op->mode == MODE_STRIDE)
            step = LLVMBuildMul(e->b, emit_splat(e, k->step),
                                multiples(e, s, 1), "");
        else
            step = LLVMBuildAnd(e->b, emit_vec(e, op->s2),
                                emit_splat(e, emit_int(e, index_bits(op))), "");
        put(e, row, step);
        emit_end_strip(e);
    }
    return row;
}

/* The upper halves of the addresses of an odd register: its sign. */
static LLVMValueRef
make_high(struct emit *e, const struct kept *k)
{
    LLVMValueRef row = room_of(e, k, offsetof(struct room, high));
    LLVMValueRef by = emit_splat(e, emit_int(e, 31));
    for (unsigned s = 0; s < e->strips; s++) {
        emit_begin_strip_number(e, s);
        put(e, row, LLVMBuildAShr(e->b, emit_vec(e, k->op->s1), by, ""));
        emit_end_strip(e);
    }
    return row;
}

static void
find_addresses(struct emit *e, const struct kept *k, unsigned bytes,
               struct where *to)
{
    const struct native_op *op = k->op;
    bool by_vector = op->mode == MODE_OFFSET || op->mode == MODE_PRIVATE;
    bool wide = op->aux & MEM_WIDE_ADDRESS;
    bool whole_index = op->mode == MODE_INDEX && index_bits(op) == UINT32_MAX;
    to->hi = LLVMConstNull(e->ptr);
    to->imm = by_vector ? emit_int(e, (uint32_t)op->imm) : k->scalar;
    if (by_vector)
        to->lo = emit_row(e, op->s1);
    else
        to->lo =
            whole_index ? emit_row(e, op->s2) : make_addresses(e, k, bytes);
    if (wide)
        to->hi = op->s1 % 2 ? make_high(e, k) : emit_row(e, op->s1 + 1u);
}

static void
go_if(struct emit *e, LLVMValueRef ok, LLVMBasicBlockRef slow)
{
    LLVMBasicBlockRef goes = emit_block(e, "");
    LLVMBuildCondBr(e->b, LLVMBuildIsNull(e->b, ok, ""), slow, goes);
    LLVMPositionBuilderAtEnd(e->b, goes);
}

/* From offsets of private memory to addresses. */
static void
enter_private(struct emit *e, const struct kept *k, unsigned bytes,
              LLVMBasicBlockRef slow, struct where *at)
{
    LLVMValueRef to = room_of(e, k, offsetof(struct room, address));
    bool store = k->op->form == NATIVE_STORE;
    LLVMValueRef args[] = {
        e->w, at->lo, at->imm, at->mask, emit_int(e, bytes), emit_int(e, store),
        to
    };
    size_t offset = offsetof(struct native_calls, find_private);
    go_if(e, emit_outside(e, offset, e->i32, args, 7), slow);
    at->lo = to;
    at->imm = emit_int(e, 0);
}

/* Calls the function of access.c for an access; `last` is its last argument. */
static void
call_access(struct emit *e, const struct kept *k, LLVMValueRef last,
            LLVMBasicBlockRef slow)
{
    const struct native_op *op = k->op;
    struct where at;
    unsigned bytes;
    type_of_kind(e, op->kind, &bytes);
    find_mask(e, k, &at);
    find_addresses(e, k, bytes, &at);
    if (op->mode == MODE_PRIVATE)
        enter_private(e, k, bytes, slow, &at);
    LLVMValueRef args[] = { e->w,
                            at.lo,
                            at.hi,
                            at.mask,
                            at.exec,
                            at.imm,
                            emit_int(e, bytes | emit_words(op) << 8),
                            last };
    size_t offset = op->form == NATIVE_STORE
                        ? offsetof(struct native_calls, store)
                        : offsetof(struct native_calls, find);
    unsigned wide = (op->aux & MEM_WIDE_ADDRESS) != 0;
    offset += (2 * wide + at.some) * sizeof(native_find_fn *);
    go_if(e, emit_outside(e, offset, e->i32, args, 8), slow);
}

void
emit_find(struct emit *e, struct kept *k, LLVMBasicBlockRef slow)
{
    call_access(e, k, room_of(e, k, offsetof(struct room, place)), slow);
    LLVMValueRef host = room_of(e, k, offsetof(struct native_place, host));
    LLVMValueRef shape = room_of(e, k, offsetof(struct native_place, shape));
    k->host = LLVMBuildLoad2(e->b, e->ptr, host, "");
    k->shape = LLVMBuildLoad2(e->b, e->i32, shape, "");
}

static const char *const kinds[] = { [MEM_B] = "MEM_B",
                                     [MEM_H] = "MEM_H",
                                     [MEM_W] = "MEM_W",
                                     [MEM_BU] = "MEM_BU",
                                     [MEM_HU] = "MEM_HU" };

/* The strip of lanes one after the other; e->offset is that of words. */
static LLVMValueRef
fetch_row(struct emit *e, const struct kept *k, LLVMValueRef mask)
{
    unsigned bytes;
    type_of_kind(e, k->op->kind, &bytes);
    LLVMValueRef shift =
        LLVMConstInt(e->i64, bytes == 4 ? 0 : 3 - bytes, false);
    LLVMValueRef at = LLVMBuildLShr(e->b, e->offset, shift, "");
    at = LLVMBuildInBoundsGEP2(e->b, e->i8, k->host, &at, 1, "");
    if (mask && bytes == 4)
        return emit_call(e, "row_some", (LLVMValueRef[]){ at, mask }, 2);
    return emit_named(e, "row", kinds[k->op->kind], &at, 1);
}

LLVMValueRef
emit_fetch(struct emit *e, const struct kept *k, unsigned word,
           LLVMValueRef mask)
{
    const char *kind = kinds[k->op->kind];
    LLVMValueRef all = LLVMConstAllOnes(e->strip), value[3];
    LLVMBasicBlockRef way[3], together = emit_block(e, "");
    for (unsigned i = 0; i < 3; i++)
        way[i] = emit_block(e, "");
    LLVMValueRef to = LLVMBuildSwitch(e->b, k->shape, way[NATIVE_GATHER], 2);
    LLVMAddCase(to, emit_int(e, NATIVE_ROW), way[NATIVE_ROW]);
    LLVMAddCase(to, emit_int(e, NATIVE_SAME), way[NATIVE_SAME]);
    LLVMPositionBuilderAtEnd(e->b, way[NATIVE_ROW]);
    value[NATIVE_ROW] = fetch_row(e, k, mask);
    LLVMBuildBr(e->b, together);
    LLVMPositionBuilderAtEnd(e->b, way[NATIVE_SAME]);
    LLVMValueRef host = emit_at(e, k->host, 4 * word);
    value[NATIVE_SAME] = emit_named(e, "same", kind, &host, 1);
    LLVMBuildBr(e->b, together);
    LLVMPositionBuilderAtEnd(e->b, way[NATIVE_GATHER]);
    LLVMValueRef offset =
        emit_in_row(e, room_of(e, k, offsetof(struct native_place, offset)));
    offset = LLVMBuildLoad2(e->b, e->strip, offset, "");
    LLVMValueRef args[] = { emit_at(e, k->host, 4 * word), offset,
                            mask ? mask : all };
    value[NATIVE_GATHER] = emit_named(e, "gather", kind, args, 3);
    LLVMBuildBr(e->b, together);
    LLVMPositionBuilderAtEnd(e->b, together);
    LLVMValueRef phi = LLVMBuildPhi(e->b, e->strip, "");
    LLVMAddIncoming(phi, value, way, 3);
    return phi;
}

static void
vector_store(struct emit *e, const struct native_op *op)
{
    struct ways w = open_ways(e);
    bool by_vector = op->mode == MODE_OFFSET || op->mode == MODE_PRIVATE;
    struct kept k = { .op = op,
                      .room = e->room[0],
                      .scalar = by_vector ? NULL : emit_x(e, op->s1),
                      .step =
                          op->mode == MODE_STRIDE ? emit_x(e, op->s2) : NULL };
    call_access(e, &k, emit_row(e, data_of(op)), w.slow);
    LLVMBuildBr(e->b, w.together);
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
    if (op->form == NATIVE_STORE)
        vector_store(e, op);
    else
        scalar_access(e, op);
}
