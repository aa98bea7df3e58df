/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Atomic operations, with the order that LLVM's instructions say
 * (docs/abi.md, "Memory order").  The machine has them for words, and does them
 * behind the L1Ds, where all SMs see them: so an atomic load is lr, a store is
 * amoswap, .aq is an acquire and .rl a release.  Volatile accesses to global
 * memory are done there, too.
 *
 * Those of 64 bits are done under one of LOCKS locks, which the address
 * selects:
 *
 *     again:  taken = amoswap 1, (lock)
 *             if (taken) goto latch
 *             old = lr (address + taken), lr.aq ... + 4
 *             amoswap.rl new, (address + taken); ... + 4
 *             fence r,w
 *             amoswap 0, (lock)
 *     latch:  if (!taken) goto done
 *             wait for rounds / 8
 *             goto again
 *
 * `taken` is 0 in the address: the words depend on the lock, as RVWMO wants it
 * (syntactic address dependency), and all of them have been read when the lock
 * is given back.  What the operation orders is marked on the words.
 *
 * The threads of a warp meet at `latch`: whoever has the lock gives it back
 * before the others try again, so they cannot wait for it for ever.  Warps that
 * find it taken leave the way to memory to the one that has it, longer each
 * time: it may be served by a fixed priority.
 */
#include <string.h>

#include "cc/llvm/tr.h"
#include "obj/kernels.h"

enum { LOCKS = 64, ROUNDS_SHIFT = 3 };
enum { RL = 1, AQ = 2 };

static const char locks[] = KERNELS_LOCKS;

/* ---- orders ---- */

static bool
is_acquire(LLVMAtomicOrdering o)
{
    return o == LLVMAtomicOrderingAcquire ||
           o == LLVMAtomicOrderingAcquireRelease ||
           o == LLVMAtomicOrderingSequentiallyConsistent;
}

static bool
is_release(LLVMAtomicOrdering o)
{
    return o == LLVMAtomicOrderingRelease ||
           o == LLVMAtomicOrderingAcquireRelease ||
           o == LLVMAtomicOrderingSequentiallyConsistent;
}

static unsigned
marks_of(LLVMValueRef in)
{
    LLVMAtomicOrdering o = LLVMGetOrdering(in);
    if (LLVMIsAtomicSingleThread(in))
        return 0;
    return (is_acquire(o) ? AQ : 0) | (is_release(o) ? RL : 0);
}

/* The weakest fence that has the order. */
bool
tr_fence(struct tr *t, LLVMValueRef in)
{
    enum { R_RW = 0x23, RW_W = 0x31, TSO = 0x833, RW_RW = 0x33 };
    unsigned marks = marks_of(in);
    if (!marks)
        return true;
    bool all = LLVMGetOrdering(in) == LLVMAtomicOrderingSequentiallyConsistent;
    tr_emit(t, ISA_FENCE, 0)->aux = all           ? RW_RW
                                    : marks == AQ ? R_RW
                                    : marks == RL ? RW_W
                                                  : TSO;
    return true;
}

/* ---- words ---- */

static ir_val
access_word(struct tr *t, unsigned op, enum ir_space space, ir_val address,
            ir_val v, unsigned marks)
{
    struct ir_insn *in = tr_emit(t, op, 1);
    in->src[1] = address;
    if (v)
        in->src[2] = v;
    in->space = (uint8_t)space;
    in->aqrl = (uint8_t)marks;
    return in->dst;
}

ir_val
tr_shared_load(struct tr *t, ir_val address)
{
    return access_word(t, ISA_LR_W, IR_SPACE_GLOBAL, address, IR_NONE, 0);
}

void
tr_shared_store(struct tr *t, ir_val address, ir_val v)
{
    access_word(t, ISA_AMOSWAP_W, IR_SPACE_GLOBAL, address, v, 0);
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

static ir_val
private_load(struct tr *t, ir_val address)
{
    struct ir_insn *load = tr_emit(t, ISA_LW, 1);
    load->src[1] = address;
    load->space = IR_SPACE_PRIVATE;
    return load->dst;
}

static void
private_store(struct tr *t, ir_val address, ir_val v)
{
    struct ir_insn *store = tr_emit(t, ISA_SW, 0);
    store->src[1] = address;
    store->src[2] = v;
    store->space = IR_SPACE_PRIVATE;
}

/* The larger or the smaller of two words. */
static ir_val
extreme(struct tr *t, LLVMIntPredicate keeps, ir_val old, ir_val v)
{
    struct tr_value a = { &old, 1 }, b = { &v, 1 };
    return tr_select(t, tr_compare(t, keeps, a, b, 32), old, v);
}

/* No other thread sees private memory: load, compute, store. */
static bool
private_atomic(struct tr *t, LLVMValueRef in, ir_val address, ir_val v)
{
    ir_val old = private_load(t, address), r = v;
    switch ((int)LLVMGetAtomicRMWBinOp(in)) {
    case LLVMAtomicRMWBinOpXchg:
        break;
    case LLVMAtomicRMWBinOpAdd:
        r = tr_op(t, ISA_ADD, old, v);
        break;
    case LLVMAtomicRMWBinOpSub:
        r = tr_op(t, ISA_SUB, old, v);
        break;
    case LLVMAtomicRMWBinOpAnd:
        r = tr_op(t, ISA_AND, old, v);
        break;
    case LLVMAtomicRMWBinOpOr:
        r = tr_op(t, ISA_OR, old, v);
        break;
    case LLVMAtomicRMWBinOpXor:
        r = tr_op(t, ISA_XOR, old, v);
        break;
    case LLVMAtomicRMWBinOpMax:
        r = extreme(t, LLVMIntSGT, old, v);
        break;
    case LLVMAtomicRMWBinOpMin:
        r = extreme(t, LLVMIntSLT, old, v);
        break;
    case LLVMAtomicRMWBinOpUMax:
        r = extreme(t, LLVMIntUGT, old, v);
        break;
    case LLVMAtomicRMWBinOpUMin:
        r = extreme(t, LLVMIntULT, old, v);
        break;
    default:
        return tr_fail(t, "this atomic is not supported in private memory");
    }
    private_store(t, address, r);
    tr_set1(t, in, old);
    return true;
}

static void
private_exchange(struct tr *t, LLVMValueRef in, ir_val address, ir_val expected,
                 ir_val new_value)
{
    ir_val old = private_load(t, address);
    ir_val same = tr_op(t, IR_SEQ, old, expected);
    private_store(t, address, tr_select(t, same, new_value, old));
    ir_val r[2] = { old, same };
    tr_set(t, in, r, 2);
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
    ir_val address, high, lock, taken, rounds;
    unsigned marks;
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

static struct ir_insn *
phi_of_two(struct tr *t)
{
    struct ir_insn *phi = tr_emit(t, IR_PHI, 1);
    phi->many = arena_new(t->m->arena, ir_val, 2);
    phi->n_many = 2;
    return phi;
}

/* Takes the lock and reads the old value; marks are the operation's. */
static bool
wide_begin(struct tr *t, struct wide *w, LLVMValueRef pointer, unsigned marks)
{
    w->space = tr_space(t, pointer);
    w->marks = marks;
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
    struct ir_insn *phi = phi_of_two(t);
    phi->many[0] = IR_ZERO;
    w->rounds = phi->dst;
    w->taken = access_word(t, ISA_AMOSWAP_W, IR_SPACE_GLOBAL, w->lock,
                           tr_const(t, 1), 0);
    branch_on(t, w->taken);
    w->body = tr_new_block(t);
    w->address = tr_op(t, ISA_ADD, w->address, w->taken);
    w->high = tr_opi(t, ISA_ADD, w->address, 4);
    w->old[0] = access_word(t, ISA_LR_W, w->space, w->address, IR_NONE, 0);
    w->old[1] =
        access_word(t, ISA_LR_W, w->space, w->high, IR_NONE, marks & AQ);
    return true;
}

/*
 * latch: if (!taken) goto done
 *        n = rounds / 8; rounds++
 * pause: if (!n) goto again
 *        n = n / taken - 1; goto pause
 *
 * The divisor is 1: a warp that waits for a long instruction leaves fetch, which
 * may have a fixed priority, to the warp that has the lock.
 */
static void
wide_wait(struct tr *t, struct wide *w, struct ir_block *latch)
{
    branch_on(t, w->taken);
    struct ir_block *wait = tr_new_block(t);
    ir_val left = tr_opi(t, ISA_SRL, w->rounds, ROUNDS_SHIFT);
    ir_value(t->f, w->rounds)->def->many[1] = tr_opi(t, ISA_ADD, w->rounds, 1);
    tr_emit(t, IR_JUMP, 0);
    struct ir_block *head = tr_new_block(t);
    struct ir_insn *phi = phi_of_two(t);
    branch_on(t, phi->dst);
    struct ir_block *body = tr_new_block(t);
    phi->many[0] = left;
    phi->many[1] =
        tr_opi(t, ISA_ADD, tr_op(t, ISA_DIVU, phi->dst, w->taken), -1);
    tr_emit(t, IR_JUMP, 0);
    ir_link(wait, 0, head);
    ir_link(head, 0, body);
    ir_link(head, 1, w->again);
    ir_link(body, 0, head);
    struct ir_block *done = tr_new_block(t);
    ir_link(latch, 0, wait);
    ir_link(latch, 1, done);
}

/* Writes the new value if there is one, gives the lock back; w->old becomes
 * the value behind the loop. */
static void
wide_end(struct tr *t, struct wide *w, const ir_val *value)
{
    enum { FENCE_R_W = 0x21 };
    unsigned rl = w->marks & RL;
    if (value) {
        access_word(t, ISA_AMOSWAP_W, w->space, w->address, value[0], rl);
        access_word(t, ISA_AMOSWAP_W, w->space, w->high, value[1], rl);
    }
    tr_emit(t, ISA_FENCE, 0)->aux = FENCE_R_W;
    access_word(t, ISA_AMOSWAP_W, IR_SPACE_GLOBAL, w->lock, IR_ZERO, 0);
    tr_emit(t, IR_JUMP, 0);
    struct ir_block *end = t->block, *latch = tr_new_block(t);
    ir_link(w->again, 0, latch);
    ir_link(w->again, 1, w->body);
    ir_link(end, 0, latch);
    for (unsigned i = 0; i < 2; i++) {
        struct ir_insn *phi = phi_of_two(t);
        phi->many[0] = IR_ZERO;
        phi->many[1] = w->old[i];
        w->old[i] = phi->dst;
    }
    wide_wait(t, w, latch);
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
    if (!wide_begin(t, &w, LLVMGetOperand(in, 0), marks_of(in)) ||
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

/* .aq is on lr, which is all that is done if it fails; .rl is on the store. */
static unsigned
exchange_marks(LLVMValueRef in)
{
    LLVMAtomicOrdering yes = LLVMGetCmpXchgSuccessOrdering(in);
    LLVMAtomicOrdering no = LLVMGetCmpXchgFailureOrdering(in);
    if (LLVMIsAtomicSingleThread(in))
        return 0;
    return (is_acquire(yes) || is_acquire(no) ? AQ : 0) |
           (is_release(yes) ? RL : 0);
}

static bool
wide_cmpxchg(struct tr *t, LLVMValueRef in)
{
    struct wide w = { 0 };
    ir_val expected[2], v[2], value[2];
    words_of(t, LLVMGetOperand(in, 1), expected);
    words_of(t, LLVMGetOperand(in, 2), v);
    if (!wide_begin(t, &w, LLVMGetOperand(in, 0), exchange_marks(in)))
        return false;
    select_wide(t, is_same(t, w.old, expected), v, w.old, value);
    wide_end(t, &w, value);
    ir_val r[3] = { w.old[0], w.old[1], is_same(t, w.old, expected) };
    tr_set(t, in, r, 3);
    return true;
}

static bool
wide_load(struct tr *t, LLVMValueRef in)
{
    struct wide w = { 0 };
    if (!wide_begin(t, &w, LLVMGetOperand(in, 0), marks_of(in)))
        return false;
    wide_end(t, &w, NULL);
    set_wide(t, in, w.old);
    return true;
}

static bool
wide_store(struct tr *t, LLVMValueRef in)
{
    struct wide w = { 0 };
    ir_val v[2];
    words_of(t, LLVMGetOperand(in, 0), v);
    if (!wide_begin(t, &w, LLVMGetOperand(in, 1), marks_of(in) & RL))
        return false;
    wide_end(t, &w, v);
    return true;
}

/* ---- LLVM's instructions ---- */

/* Local memory has no caches; where upstream's machines run, caches are as one.
 * What others do not see or do not change needs nothing. */
bool
tr_is_atomic(struct tr *t, LLVMValueRef in, LLVMTypeRef type,
             enum ir_space space)
{
    if (LLVMGetOrdering(in) <= LLVMAtomicOrderingUnordered)
        return false;
    if (tr_width(type) != 32)
        return true;
    return t->m->options->profile != CC_PROFILE_UPSTREAM &&
           (space == IR_SPACE_GLOBAL ||
            (space == IR_SPACE_LOCAL && marks_of(in)));
}

static bool
is_bad_width(struct tr *t, unsigned width)
{
    if (width != 32)
        tr_fail(t, "atomics of %u bits are not supported", width);
    return width != 32;
}

/* A load releases nothing, a store acquires nothing. */
bool
tr_atomic_load(struct tr *t, LLVMValueRef in)
{
    LLVMValueRef pointer = LLVMGetOperand(in, 0);
    unsigned width = tr_width(LLVMTypeOf(in));
    if (width == 64)
        return wide_load(t, in);
    if (is_bad_width(t, width))
        return false;
    tr_set1(t, in,
            access_word(t, ISA_LR_W, tr_space(t, pointer), tr_get1(t, pointer),
                        IR_NONE, marks_of(in) & AQ));
    return true;
}

bool
tr_atomic_store(struct tr *t, LLVMValueRef in)
{
    LLVMValueRef v = LLVMGetOperand(in, 0), pointer = LLVMGetOperand(in, 1);
    unsigned width = tr_width(LLVMTypeOf(v));
    if (width == 64)
        return wide_store(t, in);
    if (is_bad_width(t, width))
        return false;
    access_word(t, ISA_AMOSWAP_W, tr_space(t, pointer), tr_get1(t, pointer),
                tr_get1(t, v), marks_of(in) & RL);
    return true;
}

bool
tr_atomic(struct tr *t, LLVMValueRef in)
{
    LLVMValueRef pointer = LLVMGetOperand(in, 0);
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(in);
    ir_val address = tr_get1(t, pointer);
    unsigned width = tr_width(LLVMTypeOf(in));
    if (width == 64)
        return wide_rmw(t, in);
    if (is_bad_width(t, width))
        return false;
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
    tr_set1(t, in, access_word(t, row, space, address, v, marks_of(in)));
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
    if (tr_width(LLVMTypeOf(LLVMGetOperand(in, 1))) != 32)
        return tr_fail(t, "this compare-exchange is not supported");
    if (space == IR_SPACE_PRIVATE) {
        private_exchange(t, in, address, expected, new_value);
        return true;
    }
    if (refuse_upstream(t))
        return false;
    struct ir_block *before = t->block, *again = tr_new_block(t);
    ir_append(before, ir_insn_new(t->f, IR_JUMP));
    ir_link(before, 0, again);
    unsigned marks = exchange_marks(in);
    ir_val old = access_word(t, ISA_LR_W, space, address, IR_NONE, marks & AQ);
    struct ir_insn *branch = tr_emit(t, ISA_BNE, 0);
    branch->src[1] = old;
    branch->src[2] = expected;
    struct ir_block *try = tr_new_block(t);
    ir_val failed =
        access_word(t, ISA_SC_W, space, address, new_value, marks & RL);
    struct ir_insn *retry = tr_emit(t, ISA_BNE, 0);
    retry->src[1] = failed;
    retry->src[2] = IR_ZERO;
    struct ir_block *done = tr_new_block(t);
    ir_link(again, 0, done);
    ir_link(again, 1, try);
    ir_link(try, 0, again);
    ir_link(try, 1, done);
    ir_val r[2] = { old, tr_op(t, IR_SEQ, old, expected) };
    tr_set(t, in, r, 2);
    return true;
}
