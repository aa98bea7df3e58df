/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Atomic operations of 64 bits are done under one of LOCKS locks, which the address
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
 * The threads of a warp meet at `latch`: the holder gives the lock back
 * before the others try again, so they cannot wait for it for ever.  Warps that
 * find it taken leave the way to memory to the one that has it, longer each
 * time: it may be served by a fixed priority.
 */
#include <assert.h>
#include <string.h>

#include "cc/isel/arith.h"
#include "cc/isel/atomic64.h"
#include "cc/isel/atomic_word.h"
#include "cc/isel/build.h"
#include "cc/isel/type.h"
#include "cc/isel/value.h"
#include "obj/kernels.h"

enum { LOCKS = 64, ROUNDS_SHIFT = 3 };

static const char locks[] = KERNELS_LOCKS;

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
    static_assert((LOCKS & (LOCKS - 1)) == 0, "LOCKS - 1 is a mask");
    struct ir_insn *table = tr_emit(t, IR_SYMBOL, 1);
    table->symbol = locks;
    if (ir_value(t->f, address)->words == 2)
        address = tr_lo(t, address);
    ir_val number = tr_opi(t, VENTUS_ISA_AND,
                           tr_opi(t, VENTUS_ISA_SRL, address, 3), LOCKS - 1);
    return tr_op(t, VENTUS_ISA_ADD, table->dst,
                 tr_opi(t, VENTUS_ISA_SLL, number, 2));
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
    struct ir_insn *in = tr_emit(t, VENTUS_ISA_BNE, 0);
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
    if (tr_refuse_atomics(t))
        return false;
    assert(marks <= (AQ | RL));
    w->address = tr_get1(t, pointer);
    w->lock = lock_address(t, w->address);
    struct ir_block *before = t->block;
    w->again = tr_new_block(t);
    ir_append(before, ir_insn_new(t->f, IR_JUMP));
    ir_link(before, 0, w->again);
    struct ir_insn *phi = phi_of_two(t);
    phi->many[0] = IR_ZERO;
    w->rounds = phi->dst;
    w->taken = tr_atomic_word(t, VENTUS_ISA_AMOSWAP_W, IR_SPACE_GLOBAL, w->lock,
                              tr_const(t, 1), 0);
    branch_on(t, w->taken);
    w->body = tr_new_block(t);
    w->address = tr_op(t, VENTUS_ISA_ADD, w->address, w->taken);
    w->high = tr_opi(t, VENTUS_ISA_ADD, w->address, 4);
    w->old[0] =
        tr_atomic_word(t, VENTUS_ISA_LR_W, w->space, w->address, IR_NONE, 0);
    w->old[1] = tr_atomic_word(t, VENTUS_ISA_LR_W, w->space, w->high, IR_NONE,
                               marks & AQ);
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
    ir_val left = tr_opi(t, VENTUS_ISA_SRL, w->rounds, ROUNDS_SHIFT);
    ir_value(t->f, w->rounds)->def->many[1] =
        tr_opi(t, VENTUS_ISA_ADD, w->rounds, 1);
    tr_emit(t, IR_JUMP, 0);
    struct ir_block *head = tr_new_block(t);
    struct ir_insn *phi = phi_of_two(t);
    branch_on(t, phi->dst);
    struct ir_block *body = tr_new_block(t);
    phi->many[0] = left;
    phi->many[1] = tr_opi(t, VENTUS_ISA_ADD,
                          tr_op(t, VENTUS_ISA_DIVU, phi->dst, w->taken), -1);
    tr_emit(t, IR_JUMP, 0);
    ir_link(wait, 0, head);
    ir_link(head, 0, body);
    ir_link(head, 1, w->again);
    ir_link(body, 0, head);
    struct ir_block *done = tr_new_block(t);
    ir_link(latch, 0, wait);
    ir_link(latch, 1, done);
}

/* Writes the new value if there is one, releases the lock; w->old becomes the value
 * after the loop. */
static void
wide_end(struct tr *t, struct wide *w, const ir_val *value)
{
    enum { FENCE_R_W = 0x21 };
    unsigned rl = w->marks & RL;
    if (value) {
        tr_atomic_word(t, VENTUS_ISA_AMOSWAP_W, w->space, w->address, value[0],
                       rl);
        tr_atomic_word(t, VENTUS_ISA_AMOSWAP_W, w->space, w->high, value[1],
                       rl);
    }
    tr_emit(t, VENTUS_ISA_FENCE, 0)->aux = FENCE_R_W;
    tr_atomic_word(t, VENTUS_ISA_AMOSWAP_W, IR_SPACE_GLOBAL, w->lock, IR_ZERO,
                   0);
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
    assert(x.n == 2 || (x.n == 1 && ir_value(t->f, x.at[0])->words == 2));
    out[0] = x.n == 2 ? x.at[0] : tr_lo(t, x.at[0]);
    out[1] = x.n == 2 ? x.at[1] : tr_hi(t, x.at[0]);
}

static void
set_wide(struct tr *t, LLVMValueRef in, const ir_val words[2])
{
    tr_set_words(t, in, words, 2);
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
        { LLVMAtomicRMWBinOpAnd, VENTUS_ISA_AND },
        { LLVMAtomicRMWBinOpOr, VENTUS_ISA_OR },
        { LLVMAtomicRMWBinOpXor, VENTUS_ISA_XOR },
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

bool
tr_wide_rmw(struct tr *t, LLVMValueRef in)
{
    struct wide w = { 0 };
    ir_val v[2], value[2];
    words_of(t, LLVMGetOperand(in, 1), v);
    if (!wide_begin(t, &w, LLVMGetOperand(in, 0), tr_atomic_marks(in)) ||
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
                 tr_op(t, VENTUS_ISA_OR, tr_op(t, VENTUS_ISA_XOR, a[0], b[0]),
                       tr_op(t, VENTUS_ISA_XOR, a[1], b[1])),
                 IR_ZERO);
}

bool
tr_wide_cmpxchg(struct tr *t, LLVMValueRef in)
{
    struct wide w = { 0 };
    ir_val expected[2], v[2], value[2];
    words_of(t, LLVMGetOperand(in, 1), expected);
    words_of(t, LLVMGetOperand(in, 2), v);
    if (!wide_begin(t, &w, LLVMGetOperand(in, 0), tr_exchange_marks(in)))
        return false;
    select_wide(t, is_same(t, w.old, expected), v, w.old, value);
    wide_end(t, &w, value);
    ir_val r[3] = { w.old[0], w.old[1], is_same(t, w.old, expected) };
    tr_set_words(t, in, r, 3);
    return true;
}

bool
tr_wide_load(struct tr *t, LLVMValueRef in)
{
    struct wide w = { 0 };
    if (!wide_begin(t, &w, LLVMGetOperand(in, 0), tr_atomic_marks(in)))
        return false;
    wide_end(t, &w, NULL);
    set_wide(t, in, w.old);
    return true;
}

bool
tr_wide_store(struct tr *t, LLVMValueRef in)
{
    struct wide w = { 0 };
    ir_val v[2];
    words_of(t, LLVMGetOperand(in, 0), v);
    if (!wide_begin(t, &w, LLVMGetOperand(in, 1), tr_atomic_marks(in) & RL))
        return false;
    wide_end(t, &w, v);
    return true;
}
