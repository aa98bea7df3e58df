/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Atomic operations, with the order that LLVM's instructions say
 * (docs/abi.md, "Memory order").  The machine has them for words, and does them
 * beyond the L1Ds, where all SMs see them: so an atomic load is lr, a store is
 * amoswap, .aq is an acquire and .rl a release.  Volatile accesses to global
 * memory are done there, too.  Those of 64 bits are of a pair where the target has
 * atomics of two words, else isel/atomic64.c does them.
 */
#include <assert.h>

#include "cc/isel/arith.h"
#include "cc/isel/atomic.h"
#include "cc/isel/atomic64.h"
#include "cc/isel/atomic_word.h"
#include "cc/isel/build.h"
#include "cc/isel/type.h"
#include "cc/isel/value.h"

/* The weakest fence that has the order. */
bool
tr_fence(struct tr *t, LLVMValueRef in)
{
    enum { R_RW = 0x23, RW_W = 0x31, TSO = 0x833, RW_RW = 0x33 };
    unsigned marks = tr_atomic_marks(in);
    if (!marks)
        return true;
    bool all = LLVMGetOrdering(in) == LLVMAtomicOrderingSequentiallyConsistent;
    tr_emit(t, VENTUS_ISA_FENCE, 0)->aux = all           ? RW_RW
                                           : marks == AQ ? R_RW
                                           : marks == RL ? RW_W
                                                         : TSO;
    return true;
}

/* ---- words ---- */

ir_val
tr_shared_load(struct tr *t, ir_val address)
{
    return tr_atomic_word(t, VENTUS_ISA_LR_W, IR_SPACE_GLOBAL, address, IR_NONE,
                          0);
}

void
tr_shared_store(struct tr *t, ir_val address, ir_val v)
{
    tr_atomic_word(t, VENTUS_ISA_AMOSWAP_W, IR_SPACE_GLOBAL, address, v, 0);
}

static unsigned
atomic_row(LLVMAtomicRMWBinOp op)
{
    switch ((int)op) {
    case LLVMAtomicRMWBinOpXchg:
        return VENTUS_ISA_AMOSWAP_W;
    case LLVMAtomicRMWBinOpAdd:
    case LLVMAtomicRMWBinOpSub:
        return VENTUS_ISA_AMOADD_W;
    case LLVMAtomicRMWBinOpAnd:
        return VENTUS_ISA_AMOAND_W;
    case LLVMAtomicRMWBinOpOr:
        return VENTUS_ISA_AMOOR_W;
    case LLVMAtomicRMWBinOpXor:
        return VENTUS_ISA_AMOXOR_W;
    case LLVMAtomicRMWBinOpMax:
        return VENTUS_ISA_AMOMAX_W;
    case LLVMAtomicRMWBinOpMin:
        return VENTUS_ISA_AMOMIN_W;
    case LLVMAtomicRMWBinOpUMax:
        return VENTUS_ISA_AMOMAXU_W;
    case LLVMAtomicRMWBinOpUMin:
        return VENTUS_ISA_AMOMINU_W;
    }
    return VENTUS_ISA_NONE;
}

static ir_val
private_load(struct tr *t, ir_val address)
{
    struct ir_insn *load = tr_emit(t, VENTUS_ISA_LW, 1);
    load->src[1] = address;
    load->space = IR_SPACE_PRIVATE;
    return load->dst;
}

static void
private_store(struct tr *t, ir_val address, ir_val v)
{
    struct ir_insn *store = tr_emit(t, VENTUS_ISA_SW, 0);
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
        r = tr_op(t, VENTUS_ISA_ADD, old, v);
        break;
    case LLVMAtomicRMWBinOpSub:
        r = tr_op(t, VENTUS_ISA_SUB, old, v);
        break;
    case LLVMAtomicRMWBinOpAnd:
        r = tr_op(t, VENTUS_ISA_AND, old, v);
        break;
    case LLVMAtomicRMWBinOpOr:
        r = tr_op(t, VENTUS_ISA_OR, old, v);
        break;
    case LLVMAtomicRMWBinOpXor:
        r = tr_op(t, VENTUS_ISA_XOR, old, v);
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

/* ---- LLVM's instructions ---- */

/* Local memory has no caches; where upstream's machines run, caches are as one.
 * What others do not see or do not change needs nothing. */
bool
tr_is_atomic(struct tr *t, LLVMValueRef in, LLVMTypeRef type,
             enum ir_space space)
{
    if (LLVMGetOrdering(in) <= LLVMAtomicOrderingUnordered)
        return false;
    if (tr_width(t, type) != 32)
        return true;
    return t->m->options->profile != CC_PROFILE_UPSTREAM &&
           (space == IR_SPACE_GLOBAL ||
            (space == IR_SPACE_LOCAL &&
             (tr_atomic_marks(in) || t->exact_atomics)));
}

/* Whether the target takes a lock for an atomic of this width. */
static bool
is_locked(const struct tr *t, unsigned width)
{
    return width == 64 && t->target->atomic_words < 2;
}

static bool
is_bad_width(struct tr *t, unsigned width, enum ir_space space)
{
    bool wide = width == 64 && space == IR_SPACE_PRIVATE;
    if (wide)
        tr_fail(t, "atomics of 64 bits in private memory are not supported");
    else if (width != 32 && width != 64)
        tr_fail(t, "atomics of %u bits are not supported", width);
    return wide || (width != 32 && width != 64);
}

/* A load releases nothing, a store acquires nothing. */
bool
tr_atomic_load(struct tr *t, LLVMValueRef in)
{
    LLVMValueRef pointer = LLVMGetOperand(in, 0);
    unsigned width = tr_width(t, LLVMTypeOf(in));
    if (is_locked(t, width))
        return tr_wide_load(t, in);
    if (is_bad_width(t, width, IR_SPACE_GLOBAL))
        return false;
    tr_set1(t, in,
            tr_atomic_insn(t, VENTUS_ISA_LR_W, tr_space(t, pointer),
                           tr_get1(t, pointer), IR_NONE, width / 32,
                           tr_atomic_marks(in) & AQ));
    return true;
}

bool
tr_atomic_store(struct tr *t, LLVMValueRef in)
{
    LLVMValueRef v = LLVMGetOperand(in, 0), pointer = LLVMGetOperand(in, 1);
    unsigned width = tr_width(t, LLVMTypeOf(v));
    if (is_locked(t, width))
        return tr_wide_store(t, in);
    if (is_bad_width(t, width, IR_SPACE_GLOBAL))
        return false;
    tr_atomic_insn(t, VENTUS_ISA_AMOSWAP_W, tr_space(t, pointer),
                   tr_get1(t, pointer), tr_get1(t, v), width / 32,
                   tr_atomic_marks(in) & RL);
    return true;
}

static ir_val
negative(struct tr *t, ir_val v, unsigned width)
{
    return width == 64
               ? tr_pair_op(t, VENTUS_ISA_SUB, tr_pair(t, IR_ZERO, IR_ZERO), v)
               : tr_op(t, VENTUS_ISA_SUB, IR_ZERO, v);
}

bool
tr_atomic(struct tr *t, LLVMValueRef in)
{
    LLVMValueRef pointer = LLVMGetOperand(in, 0);
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(in);
    ir_val address = tr_get1(t, pointer);
    unsigned width = tr_width(t, LLVMTypeOf(in));
    enum ir_space space = tr_space(t, pointer);
    if (is_locked(t, width))
        return tr_wide_rmw(t, in);
    if (is_bad_width(t, width, space))
        return false;
    ir_val v = tr_get1(t, LLVMGetOperand(in, 1));
    if (space == IR_SPACE_PRIVATE)
        return private_atomic(t, in, address, v);
    unsigned row = atomic_row(op);
    if (tr_refuse_atomics(t))
        return false;
    if (row == VENTUS_ISA_NONE)
        return tr_fail(t, "this atomic operation is not supported");
    if (op == LLVMAtomicRMWBinOpSub)
        v = negative(t, v, width);
    tr_set1(t, in,
            tr_atomic_insn(t, row, space, address, v, width / 32,
                           tr_atomic_marks(in)));
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
    unsigned width = tr_width(t, LLVMTypeOf(LLVMGetOperand(in, 1)));
    enum ir_space space = tr_space(t, pointer);
    if (is_locked(t, width))
        return tr_wide_cmpxchg(t, in);
    if (is_bad_width(t, width, space))
        return false;
    ir_val address = tr_get1(t, pointer);
    ir_val expected = tr_get1(t, LLVMGetOperand(in, 1));
    ir_val new_value = tr_get1(t, LLVMGetOperand(in, 2));
    if (space == IR_SPACE_PRIVATE) {
        private_exchange(t, in, address, expected, new_value);
        return true;
    }
    if (tr_refuse_atomics(t))
        return false;
    struct ir_block *before = t->block, *again = tr_new_block(t);
    ir_append(before, ir_insn_new(t->f, IR_JUMP));
    ir_link(before, 0, again);
    unsigned marks = tr_exchange_marks(in);
    ir_val old = tr_atomic_insn(t, VENTUS_ISA_LR_W, space, address, IR_NONE,
                                width / 32, marks & AQ);
    struct ir_insn *branch = tr_emit(t, VENTUS_ISA_BNE, 0);
    branch->src[1] = old;
    branch->src[2] = expected;
    branch->pair = width == 64;
    struct ir_block *try = tr_new_block(t);
    ir_val failed = tr_atomic_insn(t, VENTUS_ISA_SC_W, space, address,
                                   new_value, width / 32, marks & RL);
    struct ir_insn *retry = tr_emit(t, VENTUS_ISA_BNE, 0);
    retry->src[1] = failed;
    retry->src[2] = IR_ZERO;
    struct ir_block *done = tr_new_block(t);
    ir_link(again, 0, done);
    ir_link(again, 1, try);
    ir_link(try, 0, again);
    ir_link(try, 1, done);
    struct tr_value a = { &old, 1 }, b = { &expected, 1 };
    ir_val r[2] = { old, tr_compare(t, LLVMIntEQ, a, b, width) };
    tr_set(t, in, r, 2);
    return true;
}
