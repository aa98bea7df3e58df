/* SPDX-License-Identifier: Apache-2.0 */
/*
 * With -fcheck-bounds: which object of the source an access is of, found from its pointer
 * (docs/abi.md, Hints).  What several objects may be, or none that is known, is not
 * marked; nor is what lies inside of its object for certain.  With any options: whether an
 * access is one of values between the lanes of a sub-group.
 */
#include <assert.h>
#include <string.h>

#include "abi/hints.h"
#include "cc/front/inside.h"
#include "cc/front/module.h"
#include "cc/isel/build.h"
#include "cc/isel/const.h"
#include "cc/isel/object.h"
#include "cc/isel/value.h"

enum { GLOBAL = 1, LOCAL = 3, MAX_PHIS = 8, MAX_STEPS = 64 };

/* ---- where a pointer comes from ---- */

struct walk {
    LLVMValueRef root, phi[MAX_PHIS];
    unsigned n, steps;
};

static LLVMOpcode
opcode(LLVMValueRef v)
{
    return LLVMIsAInstruction(v)    ? LLVMGetInstructionOpcode(v)
           : LLVMIsAConstantExpr(v) ? LLVMGetConstOpcode(v)
                                    : (LLVMOpcode)0;
}

static bool
find_root(struct walk *w, LLVMValueRef v);

static bool
find_root_of_phi(struct walk *w, LLVMValueRef v)
{
    for (unsigned i = 0; i < w->n; i++)
        if (w->phi[i] == v)
            return true;
    if (w->n == MAX_PHIS)
        return false;
    w->phi[w->n++] = v;
    for (unsigned i = 0; i < LLVMCountIncoming(v); i++)
        if (!find_root(w, LLVMGetIncomingValue(v, i)))
            return false;
    return true;
}

/* Finds the root of a pointer; false: there is more than one, or too much to look at. */
static bool
find_root(struct walk *w, LLVMValueRef v)
{
    LLVMOpcode op = opcode(v);
    while (op == LLVMGetElementPtr || op == LLVMFreeze || op == LLVMBitCast) {
        v = LLVMGetOperand(v, 0);
        op = opcode(v);
    }
    if (w->steps++ == MAX_STEPS)
        return false;
    if (op == LLVMPHI)
        return find_root_of_phi(w, v);
    if (op == LLVMSelect)
        return find_root(w, LLVMGetOperand(v, 1)) &&
               find_root(w, LLVMGetOperand(v, 2));
    if (w->root && w->root != v)
        return false;
    w->root = v;
    return true;
}

/* ---- offsets that are constant ---- */

static bool
is_inside(struct tr *t, LLVMValueRef pointer, LLVMValueRef root, uint64_t bytes,
          uint32_t size_B)
{
    int64_t offset = 0;
    for (; pointer != root; pointer = LLVMGetOperand(pointer, 0))
        if (opcode(pointer) != LLVMGetElementPtr ||
            !tr_add_indices(t, pointer, &offset))
            return false;
    return offset >= 0 && (uint64_t)offset + bytes <= size_B;
}

/* ---- objects ---- */

static bool
object_of_argument(struct tr *t, LLVMValueRef v, struct ir_object *o)
{
    LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(t->insn));
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(v));
    if (t->function || space < GLOBAL || space > LOCAL)
        return false;
    for (unsigned i = 0; i < LLVMCountParams(f) && i < HINT_ARGUMENTS; i++)
        if (LLVMGetParam(f, i) == v) {
            *o = (struct ir_object){ IR_OBJECT_ARGUMENT, i, 0 };
            return true;
        }
    return false;
}

static bool
object_of_variable(struct tr *t, LLVMValueRef v, struct ir_object *o)
{
    int32_t at;
    LLVMTypeRef type;
    if (LLVMIsAGlobalVariable(v) && t->kernel &&
        LLVMGetPointerAddressSpace(LLVMTypeOf(v)) == LOCAL) {
        type = LLVMGlobalGetValueType(v);
        o->kind = IR_OBJECT_LOCAL;
        o->at = tr_global(t, v)->offset;
    } else if (LLVMIsAAllocaInst(v) && t->tp == IR_ZERO &&
               tr_is_const(t, tr_get1(t, v), &at)) {
        type = LLVMGetAllocatedType(v);
        o->kind = IR_OBJECT_PRIVATE;
        o->at = (uint32_t)at;
    } else {
        return false;
    }
    uint64_t size = LLVMABISizeOfType(t->layout, type);
    o->size_B = (uint32_t)size;
    return o->at < HINT_MAX_B && size < HINT_MAX_B;
}

static unsigned
number_of(struct tr *t, const struct ir_object *o)
{
    struct ir_func *f = t->f;
    for (size_t i = 0; i < f->objects.n; i++) {
        const struct ir_object *x = &f->objects.at[i];
        if (x->kind == o->kind && x->at == o->at && x->size_B == o->size_B)
            return (unsigned)i + 1;
    }
    if (f->objects.n == UINT16_MAX)
        return 0;
    vec_push(f->arena, &f->objects, *o);
    return (unsigned)f->objects.n;
}

unsigned
tr_object(struct tr *t, LLVMValueRef pointer, uint64_t bytes)
{
    struct walk w = { 0 };
    struct ir_object o = { 0 };
    if (!t->marks_objects || !find_root(&w, pointer))
        return 0;
    if (LLVMIsAArgument(w.root))
        return object_of_argument(t, w.root, &o) ? number_of(t, &o) : 0;
    if (!object_of_variable(t, w.root, &o) ||
        is_inside(t, pointer, w.root, bytes, o.size_B))
        return 0;
    return number_of(t, &o);
}

/* The pointer of a load, a store or an atomic; NULL: another instruction. */
static LLVMValueRef
pointer_of(LLVMValueRef in)
{
    switch (LLVMGetInstructionOpcode(in)) {
    case LLVMLoad:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return LLVMGetOperand(in, 0);
    case LLVMStore:
        return LLVMGetOperand(in, 1);
    default:
        return NULL;
    }
}

bool
tr_is_exchange_access(LLVMValueRef in)
{
    struct walk w = { 0 };
    LLVMValueRef pointer = pointer_of(in);
    return pointer &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == LOCAL &&
           find_root(&w, pointer) && LLVMIsAGlobalVariable(w.root) &&
           tr_is_exchange_area(w.root);
}

unsigned
tr_object_of_access(struct tr *t, LLVMValueRef in)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(in);
    LLVMValueRef pointer = pointer_of(in);
    bool store = op == LLVMStore,
         update = op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg;
    if (!pointer)
        return 0;
    unsigned kind = LLVMGetMDKindIDInContext(t->context, INSIDE_METADATA,
                                             strlen(INSIDE_METADATA));
    if (LLVMGetMetadata(in, kind))
        return 0;
    LLVMTypeRef type =
        LLVMTypeOf(op == LLVMLoad ? in : LLVMGetOperand(in, store ? 0 : 1));
    uint64_t bytes = LLVMStoreSizeOfType(t->layout, type);
    if (update && bytes == 8 && t->target->atomic_words < 2)
        return 0; /* under a lock, which is another object */
    return tr_object(t, pointer, bytes);
}
