/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Atomic operations.  The machine has them for words.  Those of 64 bits are
 * done under one of LOCKS locks, which the address selects:
 *
 *     again:  taken = amoswap 1, (lock)
 *             if (taken) goto latch
 *             old = lr (address), lr (address + 4)
 *             amoswap new, (address); ... + 4
 *             amoswap 0, (lock)
 *     latch:  if (taken) goto again
 *
 * The threads of a warp meet at `latch`: whoever has the lock gives it back
 * before the others try again, so they cannot wait for it for ever.  Words are
 * read and written where atomics are done, behind the first caches.
 */
#include <string.h>

#include "cc/llvm/tr.h"

enum { LOCKS = 64 };

static const char locks[] = "__ventus_locks";

/* ---- words ---- */

static ir_val
access_word(struct tr *t, unsigned op, enum ir_space space, ir_val address,
            ir_val v)
{
    struct ir_insn *in = tr_emit(t, op, 1);
    in->src[1] = address;
    if (v)
        in->src[2] = v;
    in->space = space;
    return in->dst;
}

static unsigned
atomic_row(LLVMAtomicRMWBinOp op)
{
    switch ((int)op) {
    case LLVMAtomicRMWBinOpXchg:
        return ISA_AMOSWAP_W;
    case LLVMAtomicRMWBinOpAdd:
    case LLVMAtomicRMWBinOpSub:
        return ISA_AMOADD_W;
    case LLVMAtomicRMWBinOpAnd:
        return ISA_AMOAND_W;
    case LLVMAtomicRMWBinOpOr:
        return ISA_AMOOR_W;
    case LLVMAtomicRMWBinOpXor:
        return ISA_AMOXOR_W;
    case LLVMAtomicRMWBinOpMax:
        return ISA_AMOMAX_W;
    case LLVMAtomicRMWBinOpMin:
        return ISA_AMOMIN_W;
    case LLVMAtomicRMWBinOpUMax:
        return ISA_AMOMAXU_W;
    case LLVMAtomicRMWBinOpUMin:
        return ISA_AMOMINU_W;
    }
    return ISA_NONE;
}

/* Nobody else sees private memory: load, compute, store. */
static bool
private_atomic(struct tr *t, LLVMValueRef in, ir_val address, ir_val v)
{
    struct ir_insn *load = tr_emit(t, ISA_LW, 1);
    load->src[1] = address;
    load->space = IR_SPACE_PRIVATE;
    ir_val old = load->dst, r = v;
    switch ((int)LLVMGetAtomicRMWBinOp(in)) {
    case LLVMAtomicRMWBinOpXchg:
        break;
    case LLVMAtomicRMWBinOpAdd:
        r = tr_op(t, ISA_ADD, old, v);
        break;
    case LLVMAtomicRMWBinOpSub:
        r = tr_op(t, ISA_SUB, old, v);
        break;
    default:
        return tr_fail(t, "this atomic is not supported in private memory");
    }
    struct ir_insn *store = tr_emit(t, ISA_SW, 0);
    store->src[1] = address;
    store->src[2] = r;
    store->space = IR_SPACE_PRIVATE;
    tr_set1(t, in, old);
    return true;
}

/* Upstream's machines disagree on what registers atomics have. */
static bool
refuse_upstream(struct tr *t)
{
    if (t->m->options->profile == CC_PROFILE_UPSTREAM)
        tr_fail(t, "atomics are not executed alike by upstream's machines; "
                   "profile 'upstream' does not use them");
    return t->failed;
}

/* ---- 64 bits ---- */

/* The table of locks is a part of the program, as a variable would be. */
static ir_val
lock_address(struct tr *t, ir_val address)
{
    bool known = false;
    for (size_t i = 0; i < t->m->data.n; i++)
        known |= strcmp(t->m->data.at[i].name, locks) == 0;
    if (!known) {
        struct cc_data d = { .name = locks,
                             .section = ".data",
                             .align = 4,
                             .size = 4 * LOCKS,
                             .bytes =
                                 arena_new(t->m->arena, uint8_t, 4 * LOCKS) };
        vec_push(t->m->arena, &t->m->data, d);
    }
    struct ir_insn *table = tr_emit(t, IR_SYMBOL, 1);
    table->symbol = locks;
    ir_val number =
        tr_opi(t, ISA_AND, tr_opi(t, ISA_SRL, address, 3), LOCKS - 1);
    return tr_op(t, ISA_ADD, table->dst, tr_opi(t, ISA_SLL, number, 2));
}

/* An operation under a lock, from `wide_begin` to `wide_end`. */
struct wide {
    enum ir_space space;
    ir_val address, lock, taken;
    struct ir_block *again, *body;
    ir_val old[2];
};

static void
branch_on(struct tr *t, ir_val word)
{
    struct ir_insn *in = tr_emit(t, ISA_BNE, 0);
    in->src[1] = word;
    in->src[2] = IR_ZERO;
}

/* Takes the lock and reads the old value. */
static bool
wide_begin(struct tr *t, struct wide *w, LLVMValueRef pointer)
{
    w->space = tr_space(t, pointer);
    if (w->space == IR_SPACE_PRIVATE)
        return tr_fail(t, "atomics of 64 bits in private memory are not "
                          "supported");
    if (refuse_upstream(t))
        return false;
    w->address = tr_get1(t, pointer);
    w->lock = lock_address(t, w->address);
    struct ir_block *before = t->block;
    w->again = tr_new_block(t);
    ir_append(before, ir_insn_new(t->f, IR_JUMP));
    ir_link(before, 0, w->again);
    w->taken =
        access_word(t, ISA_AMOSWAP_W, IR_SPACE_GLOBAL, w->lock, tr_const(t, 1));
    branch_on(t, w->taken);
    w->body = tr_new_block(t);
    w->old[0] = access_word(t, ISA_LR_W, w->space, w->address, IR_NONE);
    w->old[1] = access_word(t, ISA_LR_W, w->space,
                            tr_opi(t, ISA_ADD, w->address, 4), IR_NONE);
    return true;
}

/* Writes the new value if there is one, gives the lock back; w->old becomes
 * the value behind the loop. */
static void
wide_end(struct tr *t, struct wide *w, const ir_val *value)
{
    if (value) {
        access_word(t, ISA_AMOSWAP_W, w->space, w->address, value[0]);
        access_word(t, ISA_AMOSWAP_W, w->space,
                    tr_opi(t, ISA_ADD, w->address, 4), value[1]);
    }
    access_word(t, ISA_AMOSWAP_W, IR_SPACE_GLOBAL, w->lock, IR_ZERO);
    tr_emit(t, IR_JUMP, 0);
    struct ir_block *end = t->block, *latch = tr_new_block(t);
    ir_link(w->again, 0, latch);
    ir_link(w->again, 1, w->body);
    ir_link(end, 0, latch);
    for (unsigned i = 0; i < 2; i++) {
        struct ir_insn *phi = tr_emit(t, IR_PHI, 1);
        phi->many = arena_new(t->m->arena, ir_val, 2);
        phi->n_many = 2;
        phi->many[0] = IR_ZERO;
        phi->many[1] = w->old[i];
        w->old[i] = phi->dst;
    }
    branch_on(t, w->taken);
    struct ir_block *done = tr_new_block(t);
    ir_link(latch, 0, w->again);
    ir_link(latch, 1, done);
}

/* The words of a value of 64 bits, which may be a double. */
static void
words_of(struct tr *t, LLVMValueRef v, ir_val out[2])
{
    struct tr_value x = tr_get(t, v);
    out[0] = x.n == 2 ? x.at[0] : tr_lo(t, x.at[0]);
    out[1] = x.n == 2 ? x.at[1] : tr_hi(t, x.at[0]);
}

static void
set_wide(struct tr *t, LLVMValueRef in, const ir_val words[2])
{
    if (LLVMGetTypeKind(LLVMTypeOf(in)) == LLVMDoubleTypeKind)
        tr_set1(t, in, tr_pair(t, words[0], words[1]));
    else
        tr_set(t, in, words, 2);
}

static void
select_wide(struct tr *t, ir_val c, const ir_val a[2], const ir_val b[2],
            ir_val out[2])
{
    for (unsigned i = 0; i < 2; i++)
        out[i] = tr_select(t, c, a[i], b[i]);
}

static bool
combine_wide(struct tr *t, LLVMAtomicRMWBinOp op, const ir_val old[2],
             const ir_val v[2], ir_val out[2])
{
    static const struct {
        LLVMAtomicRMWBinOp op;
        LLVMIntPredicate keeps; /* the old value if old ? v */
    } extremes[] = {
        { LLVMAtomicRMWBinOpMax, LLVMIntSGT },
        { LLVMAtomicRMWBinOpMin, LLVMIntSLT },
        { LLVMAtomicRMWBinOpUMax, LLVMIntUGT },
        { LLVMAtomicRMWBinOpUMin, LLVMIntULT },
    };
    static const struct {
        LLVMAtomicRMWBinOp op;
        unsigned row;
    } words[] = {
        { LLVMAtomicRMWBinOpAnd, ISA_AND },
        { LLVMAtomicRMWBinOpOr, ISA_OR },
        { LLVMAtomicRMWBinOpXor, ISA_XOR },
    };
    for (unsigned i = 0; i < 4; i++)
        if (extremes[i].op == op) {
            struct tr_value a = { (ir_val[]){ old[0], old[1] }, 2 };
            struct tr_value b = { (ir_val[]){ v[0], v[1] }, 2 };
            ir_val c = tr_compare(t, extremes[i].keeps, a, b, 64);
            select_wide(t, c, old, v, out);
            return true;
        }
    for (unsigned i = 0; i < 3; i++)
        if (words[i].op == op) {
            out[0] = tr_op(t, words[i].row, old[0], v[0]);
            out[1] = tr_op(t, words[i].row, old[1], v[1]);
            return true;
        }
    if (op == LLVMAtomicRMWBinOpXchg)
        memcpy(out, v, 2 * sizeof *v);
    else if (op == LLVMAtomicRMWBinOpAdd)
        tr_add64(t, old, v, out);
    else if (op == LLVMAtomicRMWBinOpSub)
        tr_sub64(t, old, v, out);
    else
        return tr_fail(t, "this atomic operation is not supported");
    return true;
}

static bool
wide_rmw(struct tr *t, LLVMValueRef in)
{
    struct wide w = { 0 };
    ir_val v[2], value[2];
    words_of(t, LLVMGetOperand(in, 1), v);
    if (!wide_begin(t, &w, LLVMGetOperand(in, 0)) ||
        !combine_wide(t, LLVMGetAtomicRMWBinOp(in), w.old, v, value))
        return false;
    wide_end(t, &w, value);
    set_wide(t, in, w.old);
    return true;
}

static ir_val
is_same(struct tr *t, const ir_val a[2], const ir_val b[2])
{
    return tr_op(t, IR_SEQ,
                 tr_op(t, ISA_OR, tr_op(t, ISA_XOR, a[0], b[0]),
                       tr_op(t, ISA_XOR, a[1], b[1])),
                 IR_ZERO);
}

static bool
wide_cmpxchg(struct tr *t, LLVMValueRef in)
{
    struct wide w = { 0 };
    ir_val expected[2], v[2], value[2];
    words_of(t, LLVMGetOperand(in, 1), expected);
    words_of(t, LLVMGetOperand(in, 2), v);
    if (!wide_begin(t, &w, LLVMGetOperand(in, 0)))
        return false;
    select_wide(t, is_same(t, w.old, expected), v, w.old, value);
    wide_end(t, &w, value);
    ir_val r[3] = { w.old[0], w.old[1], is_same(t, w.old, expected) };
    tr_set(t, in, r, 3);
    return true;
}

bool
tr_is_wide_atomic(LLVMValueRef in, LLVMTypeRef type)
{
    return LLVMGetOrdering(in) > LLVMAtomicOrderingUnordered &&
           tr_width(type) == 64;
}

bool
tr_atomic_load(struct tr *t, LLVMValueRef in)
{
    struct wide w = { 0 };
    if (!wide_begin(t, &w, LLVMGetOperand(in, 0)))
        return false;
    wide_end(t, &w, NULL);
    set_wide(t, in, w.old);
    return true;
}

bool
tr_atomic_store(struct tr *t, LLVMValueRef in)
{
    struct wide w = { 0 };
    ir_val v[2];
    words_of(t, LLVMGetOperand(in, 0), v);
    if (!wide_begin(t, &w, LLVMGetOperand(in, 1)))
        return false;
    wide_end(t, &w, v);
    return true;
}

/* ---- LLVM's instructions ---- */

bool
tr_atomic(struct tr *t, LLVMValueRef in)
{
    LLVMValueRef pointer = LLVMGetOperand(in, 0);
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(in);
    ir_val address = tr_get1(t, pointer);
    unsigned width = tr_width(LLVMTypeOf(in));
    if (width == 64)
        return wide_rmw(t, in);
    if (width != 32)
        return tr_fail(t, "atomics of %u bits are not supported", width);
    ir_val v = tr_get1(t, LLVMGetOperand(in, 1));
    enum ir_space space = tr_space(t, pointer);
    if (space == IR_SPACE_PRIVATE)
        return private_atomic(t, in, address, v);
    unsigned row = atomic_row(op);
    if (refuse_upstream(t))
        return false;
    if (row == ISA_NONE)
        return tr_fail(t, "this atomic operation is not supported");
    if (op == LLVMAtomicRMWBinOpSub)
        v = tr_op(t, ISA_SUB, IR_ZERO, v);
    tr_set1(t, in, access_word(t, row, space, address, v));
    return true;
}

/*
 * again: old = lr (address); if (old != expected) goto done;
 *        failed = sc new, (address); if (failed) goto again;
 * done:
 */
bool
tr_cmpxchg(struct tr *t, LLVMValueRef in)
{
    LLVMValueRef pointer = LLVMGetOperand(in, 0);
    if (tr_width(LLVMTypeOf(LLVMGetOperand(in, 1))) == 64)
        return wide_cmpxchg(t, in);
    ir_val address = tr_get1(t, pointer);
    ir_val expected = tr_get1(t, LLVMGetOperand(in, 1));
    ir_val new_value = tr_get1(t, LLVMGetOperand(in, 2));
    enum ir_space space = tr_space(t, pointer);
    if (tr_width(LLVMTypeOf(LLVMGetOperand(in, 1))) != 32 ||
        space == IR_SPACE_PRIVATE)
        return tr_fail(t, "this compare-exchange is not supported");
    if (refuse_upstream(t))
        return false;
    struct ir_block *before = t->block, *again = tr_new_block(t);
    ir_append(before, ir_insn_new(t->f, IR_JUMP));
    ir_link(before, 0, again);
    struct ir_insn *lr = tr_emit(t, ISA_LR_W, 1);
    lr->src[1] = address;
    lr->space = space;
    struct ir_insn *branch = tr_emit(t, ISA_BNE, 0);
    branch->src[1] = lr->dst;
    branch->src[2] = expected;
    struct ir_block *try = tr_new_block(t);
    struct ir_insn *sc = tr_emit(t, ISA_SC_W, 1);
    sc->src[1] = address;
    sc->src[2] = new_value;
    sc->space = space;
    struct ir_insn *retry = tr_emit(t, ISA_BNE, 0);
    retry->src[1] = sc->dst;
    retry->src[2] = IR_ZERO;
    struct ir_block *done = tr_new_block(t);
    ir_link(again, 0, done);
    ir_link(again, 1, try);
    ir_link(try, 0, again);
    ir_link(try, 1, done);
    ir_val r[2] = { lr->dst, tr_op(t, IR_SEQ, lr->dst, expected) };
    tr_set(t, in, r, 2);
    return true;
}
