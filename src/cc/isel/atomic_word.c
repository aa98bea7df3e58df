/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic instructions and their memory order. */
#include "cc/isel/atomic_word.h"

#include <assert.h>

#include "cc/isel/build.h"

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

unsigned
tr_atomic_marks(LLVMValueRef in)
{
    LLVMAtomicOrdering o = LLVMGetOrdering(in);
    if (LLVMIsAtomicSingleThread(in))
        return 0;
    return (is_acquire(o) ? AQ : 0) | (is_release(o) ? RL : 0);
}

/* .aq is on lr, which is all that is done if it fails; .rl is on the store. */
unsigned
tr_exchange_marks(LLVMValueRef in)
{
    LLVMAtomicOrdering yes = LLVMGetCmpXchgSuccessOrdering(in);
    LLVMAtomicOrdering no = LLVMGetCmpXchgFailureOrdering(in);
    if (LLVMIsAtomicSingleThread(in))
        return 0;
    return (is_acquire(yes) || is_acquire(no) ? AQ : 0) |
           (is_release(yes) ? RL : 0);
}

ir_val
tr_atomic_insn(struct tr *t, unsigned op, enum ir_space space, ir_val address,
               ir_val v, unsigned words, unsigned marks)
{
    assert(words && words <= t->target->atomic_words);
    assert(ventus_isa_info[op].flags & VENTUS_ISA_F_ATOMIC &&
           marks <= (AQ | RL));
    assert(space != IR_SPACE_PRIVATE && "no other thread sees private memory");
    struct ir_insn *in = tr_emit(t, op, op == VENTUS_ISA_SC_W ? 1 : words);
    in->src[1] = address;
    if (v)
        in->src[2] = v;
    in->space = (uint8_t)space;
    in->pair = words == 2 || ir_value(t->f, address)->words == 2;
    in->aqrl = (uint8_t)marks;
    return in->dst;
}

ir_val
tr_atomic_word(struct tr *t, unsigned op, enum ir_space space, ir_val address,
               ir_val v, unsigned marks)
{
    return tr_atomic_insn(t, op, space, address, v, 1, marks);
}

/* Upstream's machines disagree on what registers atomics have. */
bool
tr_refuse_atomics(struct tr *t)
{
    if (t->m->options->profile == CC_PROFILE_UPSTREAM)
        tr_fail(t, "atomics are not executed alike by upstream's machines; "
                   "profile 'upstream' does not use them");
    return t->failed;
}
