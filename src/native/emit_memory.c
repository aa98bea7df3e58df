/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads and stores.  What a cached span has is accessed here; all other accesses are the
 * interpreter's, which finds faults, too.  Vectors:
 *
 *     addresses --> is one span around all of them? -- no --> the interpreter's function
 *                     | yes                                     |
 *                   are strips rows, or all the same?           |
 *                     | yes         | no                        |
 *                   copy           gather, scatter --------> together
 *
 * Registers are stored before, so that the interpreter finds them and faults have them.
 */
#include "native/emit.h"

#include <assert.h>
#include <string.h>

enum { WAYS_MAX = 4 };

/* The ways of an access, and what they deliver. */
struct ways {
    const struct native_op *op;
    LLVMBasicBlockRef slow, together, from[WAYS_MAX];
    LLVMValueRef (*value)[STRIPS_MAX * NATIVE_TO_MAX]; /* of each way */
    unsigned n, results;
};

static void
arrive(struct emit *e, struct ways *w)
{
    assert(w->n < WAYS_MAX);
    w->from[w->n++] = LLVMGetInsertBlock(e->b);
    LLVMBuildBr(e->b, w->together);
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
meet(struct emit *e, struct ways *w, unsigned k)
{
    LLVMValueRef phi = LLVMBuildPhi(e->b, LLVMTypeOf(w->value[0][k]), "");
    for (unsigned i = 0; i < w->n; i++)
        LLVMAddIncoming(phi, &w->value[i][k], &w->from[i], 1);
    return phi;
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
extend(struct emit *e, LLVMValueRef value, unsigned kind, LLVMTypeRef to)
{
    if (kind == MEM_W)
        return value;
    return kind == MEM_B || kind == MEM_H ? LLVMBuildSExt(e->b, value, to, "")
                                          : LLVMBuildZExt(e->b, value, to, "");
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

static void
scalar_words(struct emit *e, const struct native_op *op, struct ways *w,
             LLVMValueRef host)
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
            LLVMValueRef data = LLVMBuildLoad2(e->b, type, at, "");
            LLVMSetAlignment(data, 1);
            w->value[w->n][k] = extend(e, data, op->kind, e->i32);
        }
    }
}

static void
scalar_access(struct emit *e, const struct native_op *op)
{
    bool store = op->form == NATIVE_SCALAR_STORE;
    unsigned bytes, words = words_of(op);
    LLVMValueRef value[WAYS_MAX][STRIPS_MAX * NATIVE_TO_MAX];
    struct ways w = { .op = op, .value = value };
    type_of_kind(e, op->kind, &bytes);
    LLVMValueRef at = scalar_address(e, op);
    for (unsigned k = 0; store && k < words; k++)
        emit_x(e, op->s2 ? op->s2 + k : 0);
    w.slow = emit_block(e, "slow");
    w.together = emit_block(e, "");
    if (words > 1 && !(op->aux & MEM_WIDE_ADDRESS)) {
        LLVMValueRef last =
            LLVMConstInt(e->i64, (UINT64_C(1) << 32) - 4 * words, false);
        demand(e, &w, LLVMBuildICmp(e->b, LLVMIntULE, at, last, ""));
    }
    LLVMValueRef args[] = { e->w, at, emit_int(e, bytes * words),
                            emit_int(e, bytes) };
    LLVMValueRef host = emit_call(e, store ? "run_write" : "run_read", args, 4);
    demand(e, &w, LLVMBuildIsNotNull(e->b, host, ""));
    scalar_words(e, op, &w, host);
    arrive(e, &w);
    LLVMPositionBuilderAtEnd(e->b, w.slow);
    emit_interpret(e, op);
    for (unsigned k = 0; !store && k < words; k++) {
        size_t offset = offsetof(struct sim_warp, x) + 4 * (op->d + k);
        value[w.n][k] =
            LLVMBuildLoad2(e->b, e->i32, emit_member(e, offset), "");
    }
    arrive(e, &w);
    LLVMPositionBuilderAtEnd(e->b, w.together);
    for (unsigned k = 0; !store && k < words; k++)
        emit_set_x(e, op->d + k, meet(e, &w, k));
}

/* ---- vectors: addresses ---- */

/* Addresses of the lanes of a strip: their low halves, the high ones or NULL. */
struct lanes_at {
    LLVMValueRef lo[STRIPS_MAX], hi[STRIPS_MAX], mask[STRIPS_MAX];
    bool some; /* not all lanes are on */
};

static LLVMValueRef
multiples(struct emit *e, unsigned s, uint32_t step)
{
    LLVMValueRef number[STRIP_LANES];
    for (unsigned i = 0; i < STRIP_LANES; i++)
        number[i] = emit_int(e, step * (s * STRIP_LANES + i));
    return LLVMConstVector(number, STRIP_LANES);
}

/* v[s1] + imm */
static void
by_vector(struct emit *e, const struct native_op *op, struct lanes_at *a,
          unsigned s)
{
    LLVMValueRef base = emit_vec(e, op->s1, s);
    LLVMValueRef imm = emit_splat(e, emit_int(e, (uint32_t)op->imm));
    a->lo[s] = op->imm ? LLVMBuildAdd(e->b, base, imm, "") : base;
    if (!(op->aux & MEM_WIDE_ADDRESS))
        return;
    LLVMValueRef sign = emit_splat(e, emit_int(e, 31));
    a->hi[s] = op->s1 % 2 ? LLVMBuildAShr(e->b, base, sign, "")
                          : emit_vec(e, op->s1 + 1u, s);
    if (!op->imm)
        return;
    LLVMValueRef carry = LLVMBuildICmp(e->b, LLVMIntULT, a->lo[s], imm, "");
    carry = LLVMBuildSExt(e->b, carry, e->strip, "");
    a->hi[s] = LLVMBuildSub(e->b, a->hi[s], carry, "");
    if (op->imm < 0)
        a->hi[s] =
            LLVMBuildSub(e->b, a->hi[s], emit_splat(e, emit_int(e, 1)), "");
}

static uint32_t
index_bits(const struct native_op *op)
{
    return op->aux & MEM_INDEX_8    ? 0xff
           : op->aux & MEM_INDEX_16 ? 0xffff
                                    : UINT32_MAX;
}

static void
find_addresses(struct emit *e, const struct native_op *op, unsigned bytes,
               struct lanes_at *a)
{
    bool vector = op->mode == MODE_OFFSET || op->mode == MODE_PRIVATE;
    LLVMValueRef base = vector ? NULL : emit_splat(e, emit_x(e, op->s1));
    for (unsigned s = 0; s < e->strips; s++) {
        LLVMValueRef step = NULL;
        a->mask[s] = emit_mask(e, op, s);
        a->some = a->mask[s];
        if (vector)
            by_vector(e, op, a, s);
        else if (op->mode == MODE_UNIT)
            step = multiples(e, s, bytes);
        else if (op->mode == MODE_STRIDE)
            step = LLVMBuildMul(e->b, emit_splat(e, emit_x(e, op->s2)),
                                multiples(e, s, 1), "");
        else
            step = LLVMBuildAnd(e->b, emit_vec(e, op->s2, s),
                                emit_splat(e, emit_int(e, index_bits(op))), "");
        if (step)
            a->lo[s] = LLVMBuildAdd(e->b, base, step, "");
    }
}

static LLVMValueRef
masked(struct emit *e, const struct lanes_at *a, unsigned s, LLVMValueRef value)
{
    return a->mask[s] ? LLVMBuildAnd(e->b, value, a->mask[s], "") : value;
}

static LLVMValueRef
more(struct emit *e, LLVMValueRef all, LLVMValueRef value)
{
    return all ? LLVMBuildOr(e->b, all, value, "") : value;
}

static LLVMValueRef
largest(struct emit *e, LLVMValueRef all, LLVMValueRef value)
{
    if (!all)
        return value;
    LLVMValueRef is = LLVMBuildICmp(e->b, LLVMIntUGT, all, value, "");
    return LLVMBuildSelect(e->b, is, all, value, "");
}

static LLVMValueRef
is_zero(struct emit *e, LLVMValueRef strip)
{
    LLVMTypeRef whole = LLVMIntTypeInContext(e->context, 32 * STRIP_LANES);
    return LLVMBuildIsNull(e->b, LLVMBuildBitCast(e->b, strip, whole, ""), "");
}

/* From offsets of private memory to addresses; the slow way if one is outside. */
static void
enter_private(struct emit *e, const struct ways *w, unsigned bytes,
              struct lanes_at *a)
{
    bool store = w->op->form == NATIVE_STORE;
    LLVMValueRef far = NULL;
    for (unsigned s = 0; s < e->strips; s++)
        far = largest(e, far, masked(e, a, s, a->lo[s]));
    unsigned id = LLVMLookupIntrinsicID("llvm.vector.reduce.umax", 23);
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(e->module, id, &e->strip, 1);
    LLVMValueRef last =
        LLVMBuildCall2(e->b, LLVMGlobalGetValueType(f), f, &far, 1, "");
    LLVMValueRef args[] = { e->w, last, emit_int(e, bytes),
                            emit_int(e, store) };
    LLVMValueRef fits = emit_call(e, "run_private_fits", args, 4);
    demand(e, w, LLVMBuildIsNotNull(e->b, fits, ""));
    for (unsigned s = 0; s < e->strips; s++) {
        LLVMValueRef at[] = { e->w, a->lo[s], emit_int(e, s * STRIP_LANES) };
        a->lo[s] = emit_call(e, "run_private", at, 3);
    }
}

static LLVMValueRef
of_lane(struct emit *e, unsigned room, const LLVMValueRef *value,
        LLVMValueRef lane)
{
    for (unsigned s = 0; s < e->strips; s++)
        LLVMBuildStore(e->b, value[s],
                       add_bytes(e, e->room[room], 4 * STRIP_LANES * s));
    LLVMValueRef place =
        LLVMBuildInBoundsGEP2(e->b, e->i32, e->room[room], &lane, 1, "");
    return LLVMBuildLoad2(e->b, e->i32, place, "");
}

/* The address of the first lane in exec, which has one. */
static LLVMValueRef
first_address(struct emit *e, const struct lanes_at *a, LLVMValueRef exec,
              LLVMValueRef *hi)
{
    LLVMValueRef lo, zero = emit_int(e, 0);
    *hi = NULL;
    if (a->some) {
        LLVMValueRef lane = emit_call(e, "run_first", &exec, 1);
        lo = of_lane(e, 0, a->lo, lane);
        if (a->hi[0])
            *hi = of_lane(e, 1, a->hi, lane);
    } else {
        lo = LLVMBuildExtractElement(e->b, a->lo[0], zero, "");
        if (a->hi[0])
            *hi = LLVMBuildExtractElement(e->b, a->hi[0], zero, "");
    }
    LLVMValueRef first = LLVMBuildZExt(e->b, lo, e->i64, "");
    if (!*hi)
        return first;
    LLVMValueRef high = LLVMBuildZExt(e->b, *hi, e->i64, "");
    high = LLVMBuildShl(e->b, high, LLVMConstInt(e->i64, 32, false), "");
    return LLVMBuildOr(e->b, first, high, "");
}

/* ---- the window that has all lanes ---- */

struct window {
    LLVMValueRef host, exec, offset[STRIPS_MAX]; /* 0 of lanes that are off */
};

/* Goes the slow way if some lane is outside or misaligned. */
static void
find_window(struct emit *e, const struct ways *w, unsigned bytes,
            const struct lanes_at *a, struct window *to)
{
    bool store = w->op->form == NATIVE_STORE;
    LLVMValueRef all = emit_int(e, bytes * words_of(w->op)), hi;
    LLVMValueRef far = NULL, odd = NULL;
    LLVMValueRef low_bits = emit_splat(e, emit_int(e, bytes - 1));
    to->exec = LLVMConstInt(e->i64, first_lanes(e->r->lanes), false);
    if (a->some) {
        to->exec = emit_bits(e, a->mask);
        demand(e, w, LLVMBuildIsNotNull(e->b, to->exec, ""));
    }
    LLVMValueRef first = first_address(e, a, to->exec, &hi);
    LLVMValueRef find[] = { e->w, first,
                            emit_int(e, store ? MMU_WRITE : MMU_READ) };
    LLVMValueRef span = emit_call(e, "run_span", find, 3);
    LLVMValueRef in[] = { span, first, all };
    LLVMValueRef misses = emit_call(e, "run_window_misses", in, 3);
    demand(e, w, LLVMBuildIsNull(e->b, misses, ""));
    LLVMValueRef last = emit_call(e, "run_window_last", in, 3);
    LLVMValueRef low = emit_splat(e, emit_call(e, "run_window", in, 2));
    to->host = emit_call(e, "run_window_host", in, 2);
    for (unsigned s = 0; s < e->strips; s++) {
        LLVMValueRef offset = LLVMBuildSub(e->b, a->lo[s], low, "");
        to->offset[s] = masked(e, a, s, offset);
        far = largest(e, far, to->offset[s]);
        LLVMValueRef wrong = NULL;
        if (bytes > 1)
            wrong = LLVMBuildAnd(e->b, a->lo[s], low_bits, "");
        if (hi)
            wrong = more(e, wrong,
                         LLVMBuildXor(e->b, a->hi[s], emit_splat(e, hi), ""));
        if (wrong)
            odd = more(e, odd, masked(e, a, s, wrong));
    }
    LLVMValueRef over =
        LLVMBuildICmp(e->b, LLVMIntUGT, far, emit_splat(e, last), "");
    over = LLVMBuildSExt(e->b, over, e->strip, "");
    demand(e, w, is_zero(e, odd ? LLVMBuildOr(e->b, odd, over, "") : over));
}

/* Whether the lanes of each strip are `step` bytes apart. */
static LLVMValueRef
are_apart(struct emit *e, const struct window *in, uint32_t step)
{
    LLVMValueRef odd = NULL, zero = emit_int(e, 0);
    for (unsigned s = 0; s < e->strips; s++) {
        LLVMValueRef first =
            LLVMBuildExtractElement(e->b, in->offset[s], zero, "");
        LLVMValueRef want =
            LLVMBuildAdd(e->b, emit_splat(e, first), multiples(e, 0, step), "");
        odd = more(e, odd, LLVMBuildXor(e->b, in->offset[s], want, ""));
    }
    return is_zero(e, odd);
}

static LLVMValueRef
host_of_strip(struct emit *e, const struct window *in, unsigned s)
{
    LLVMValueRef at =
        LLVMBuildExtractElement(e->b, in->offset[s], emit_int(e, 0), "");
    at = LLVMBuildZExt(e->b, at, e->i64, "");
    return LLVMBuildInBoundsGEP2(e->b, e->i8, in->host, &at, 1, "");
}

/* ---- loads ---- */

static LLVMValueRef
load_row(struct emit *e, unsigned kind, LLVMValueRef host)
{
    unsigned bytes;
    LLVMTypeRef type = type_of_kind(e, kind, &bytes);
    LLVMValueRef row =
        LLVMBuildLoad2(e->b, LLVMVectorType(type, STRIP_LANES), host, "");
    LLVMSetAlignment(row, 1);
    return extend(e, row, kind, e->strip);
}

static LLVMValueRef
load_same(struct emit *e, unsigned kind, LLVMValueRef host)
{
    unsigned bytes;
    LLVMTypeRef type = type_of_kind(e, kind, &bytes);
    LLVMValueRef one = LLVMBuildLoad2(e->b, type, host, "");
    LLVMSetAlignment(one, 1);
    return emit_splat(e, extend(e, one, kind, e->i32));
}

typedef LLVMValueRef
load_strip(struct emit *e, unsigned kind, LLVMValueRef host);

/* Loads each strip in one way if its lanes are `step` bytes apart. */
static void
try_strips(struct emit *e, struct ways *w, const struct window *in,
           uint32_t step, load_strip *load)
{
    LLVMBasicBlockRef yes = emit_block(e, "strips"), no = emit_block(e, "");
    LLVMBuildCondBr(e->b, are_apart(e, in, step), yes, no);
    LLVMPositionBuilderAtEnd(e->b, yes);
    for (unsigned s = 0; s < e->strips; s++)
        w->value[w->n][s] = load(e, w->op->kind, host_of_strip(e, in, s));
    arrive(e, w);
    LLVMPositionBuilderAtEnd(e->b, no);
}

/* The gather of AVX2 has signed offsets: from the middle of 4 GB. */
static LLVMValueRef
gather_words(struct emit *e, const struct window *in, LLVMValueRef mask,
             LLVMValueRef old, unsigned word, unsigned s)
{
    unsigned id = LLVMLookupIntrinsicID("llvm.x86.avx2.gather.d.d.256", 28);
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(e->module, id, NULL, 0);
    LLVMValueRef middle = emit_splat(e, emit_int(e, 0x80000000));
    LLVMValueRef args[] = {
        old, add_bytes(e, in->host, UINT64_C(0x80000000) + 4 * word),
        LLVMBuildXor(e->b, in->offset[s], middle, ""), mask,
        LLVMConstInt(e->i8, 1, false)
    };
    return LLVMBuildCall2(e->b, LLVMGlobalGetValueType(f), f, args, 5, "");
}

/* Stores the offsets where templates find them. */
static void
put_offsets(struct emit *e, const struct window *in, unsigned word)
{
    LLVMValueRef more_bytes = emit_splat(e, emit_int(e, 4 * word));
    for (unsigned s = 0; s < e->strips; s++) {
        LLVMValueRef to = add_bytes(e, e->room[0], 4 * STRIP_LANES * s);
        LLVMValueRef offset = in->offset[s];
        if (word)
            offset = LLVMBuildAdd(e->b, offset, more_bytes, "");
        LLVMBuildStore(e->b, offset, to);
    }
}

static void
gather(struct emit *e, struct ways *w, const struct window *in,
       const struct lanes_at *a)
{
    const struct native_op *op = w->op;
    if (op->kind != MEM_W) {
        put_offsets(e, in, 0);
        LLVMValueRef args[] = { in->host, e->room[0], e->room[1],
                                emit_int(e, e->r->lanes),
                                emit_int(e, op->kind) };
        emit_call(e, "shared_gather", args, 5);
    }
    for (unsigned k = 0; k < w->results; k++) {
        unsigned word = k / e->strips, s = k % e->strips;
        LLVMValueRef old = LLVMGetUndef(e->strip), mask = a->mask[s], *to;
        to = &w->value[w->n][k];
        if (mask)
            old = emit_vec(e, op->d + word, s);
        if (op->kind == MEM_W) {
            LLVMValueRef all = mask ? mask : LLVMConstAllOnes(e->strip);
            *to = gather_words(e, in, all, mask ? old : LLVMConstNull(e->strip),
                               word, s);
        } else {
            *to = LLVMBuildLoad2(e->b, e->strip,
                                 add_bytes(e, e->room[1], 4 * STRIP_LANES * s),
                                 "");
            *to = emit_blend(e, mask, *to, old);
        }
    }
    arrive(e, w);
}

static void
load(struct emit *e, struct ways *w, const struct lanes_at *a, unsigned bytes)
{
    struct window in;
    find_window(e, w, bytes, a, &in);
    if (!a->some && words_of(w->op) == 1) {
        try_strips(e, w, &in, bytes, load_row);
        try_strips(e, w, &in, 0, load_same);
    }
    gather(e, w, &in, a);
}

/* ---- stores ---- */

/* The data register of a store: vs2 of custom ones, else in the place of vd. */
static unsigned
data_of(const struct native_op *op)
{
    return op->aux & MEM_DATA_S2 ? op->s2 : op->d;
}

static void
store_row(struct emit *e, const struct native_op *op, unsigned s,
          LLVMValueRef host)
{
    unsigned bytes;
    LLVMTypeRef type = type_of_kind(e, op->kind, &bytes);
    LLVMValueRef data = emit_vec(e, data_of(op), s);
    if (bytes < 4)
        data =
            LLVMBuildTrunc(e->b, data, LLVMVectorType(type, STRIP_LANES), "");
    LLVMSetAlignment(LLVMBuildStore(e->b, data, host), 1);
}

static void
store(struct emit *e, struct ways *w, const struct lanes_at *a, unsigned bytes)
{
    struct window in;
    find_window(e, w, bytes, a, &in);
    if (!a->some && words_of(w->op) == 1) {
        LLVMBasicBlockRef yes = emit_block(e, "strips"), no = emit_block(e, "");
        LLVMBuildCondBr(e->b, are_apart(e, &in, bytes), yes, no);
        LLVMPositionBuilderAtEnd(e->b, yes);
        for (unsigned s = 0; s < e->strips; s++)
            store_row(e, w->op, s, host_of_strip(e, &in, s));
        arrive(e, w);
        LLVMPositionBuilderAtEnd(e->b, no);
    }
    for (unsigned k = 0; k < words_of(w->op); k++) {
        put_offsets(e, &in, k);
        LLVMValueRef args[] = { in.host, e->room[0],
                                emit_row(e, data_of(w->op) + k), in.exec,
                                emit_int(e, bytes) };
        emit_call(e, "shared_scatter", args, 5);
    }
    arrive(e, w);
}

/* ---- vectors ---- */

/* All lanes of one row: of private memory, if they have the same offset. */
static bool
is_row(const struct emit *e, const struct native_op *op)
{
    return e->version == FULL && !op->slow && op->kind == MEM_W &&
           words_of(op) == 1 &&
           (op->mode == MODE_UNIT || op->mode == MODE_PRIVATE);
}

static LLVMValueRef
row_of(struct emit *e, const struct ways *w, const struct lanes_at *a)
{
    const struct native_op *op = w->op;
    bool store = op->form == NATIVE_STORE;
    LLVMValueRef n = emit_int(e, 4 * e->r->lanes);
    if (op->mode == MODE_UNIT) {
        LLVMValueRef base = LLVMBuildZExt(e->b, emit_x(e, op->s1), e->i64, "");
        LLVMValueRef args[] = { e->w, base, n, emit_int(e, 4) };
        return emit_call(e, store ? "run_write" : "run_read", args, 4);
    }
    LLVMValueRef odd = NULL;
    LLVMValueRef first =
        LLVMBuildExtractElement(e->b, a->lo[0], emit_int(e, 0), "");
    for (unsigned s = 0; s < e->strips; s++)
        odd = more(e, odd,
                   LLVMBuildXor(e->b, a->lo[s], emit_splat(e, first), ""));
    demand(e, w, is_zero(e, odd));
    LLVMValueRef args[] = { e->w, first, n };
    return emit_call(e, store ? "run_write_private" : "run_read_private", args,
                     3);
}

static void
row(struct emit *e, struct ways *w, const struct lanes_at *a)
{
    LLVMValueRef host = row_of(e, w, a);
    demand(e, w, LLVMBuildIsNotNull(e->b, host, ""));
    for (unsigned s = 0; s < e->strips; s++) {
        LLVMValueRef at = add_bytes(e, host, 4 * STRIP_LANES * s);
        if (w->op->form == NATIVE_STORE)
            store_row(e, w->op, s, at);
        else
            w->value[w->n][s] = load_row(e, MEM_W, at);
    }
    arrive(e, w);
}

/* The interpreter's way: results are in memory. */
static void
interpret(struct emit *e, struct ways *w)
{
    LLVMPositionBuilderAtEnd(e->b, w->slow);
    emit_interpret(e, w->op);
    for (unsigned k = 0; k < w->results; k++) {
        unsigned word = k / e->strips, s = k % e->strips;
        LLVMValueRef at =
            add_bytes(e, emit_row(e, w->op->d + word), 4 * STRIP_LANES * s);
        w->value[w->n][k] = LLVMBuildLoad2(e->b, e->strip, at, "");
    }
    arrive(e, w);
}

/* Registers that the fast ways use are values before these part. */
static void
use_registers(struct emit *e, const struct native_op *op,
              const struct lanes_at *a)
{
    for (unsigned s = 0; s < e->strips; s++) {
        if (op->form == NATIVE_STORE)
            emit_vec(e, data_of(op), s);
        for (unsigned k = 0;
             op->form == NATIVE_LOAD && a->mask[s] && k < words_of(op); k++)
            emit_vec(e, op->d + k, s);
    }
}

static void
vector_access(struct emit *e, const struct native_op *op)
{
    LLVMValueRef value[WAYS_MAX][STRIPS_MAX * NATIVE_TO_MAX];
    struct ways w = { .op = op, .value = value };
    struct lanes_at a = { .some = false };
    unsigned bytes, words = words_of(op);
    type_of_kind(e, op->kind, &bytes);
    w.results = op->form == NATIVE_LOAD ? words * e->strips : 0;
    w.slow = emit_block(e, "slow");
    w.together = emit_block(e, "");
    find_addresses(e, op, bytes, &a);
    use_registers(e, op, &a);
    if (op->mode == MODE_PRIVATE && !is_row(e, op))
        enter_private(e, &w, bytes, &a);
    if (is_row(e, op))
        row(e, &w, &a);
    else if (op->form == NATIVE_LOAD)
        load(e, &w, &a, bytes);
    else
        store(e, &w, &a, bytes);
    interpret(e, &w);
    LLVMPositionBuilderAtEnd(e->b, w.together);
    for (unsigned k = 0; k < w.results; k++)
        emit_set_vec(e, op->d + k / e->strips, k % e->strips, meet(e, &w, k));
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
