/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Generic pointers, of OpenCL C 2.0 and of C11 atomics, get the address space
 * of what they point to.  After inlining nearly all are casts of pointers
 * whose space is known, perhaps with offsets, selects and phis between.
 *
 * Where the space is not known it is derived from the address:
 * front/generic.c.
 *
 * Assumes inlined functions with memory promoted to values.  Guarantees that
 * loads, stores and atomic operations name a space, or reports an error.
 *
 * The lattice of a pointer: ANY (null, not yet known), a space, UNKNOWN.
 */
#include <string.h>

#include "base/map.h"
#include "cc/front/generic.h"
#include "cc/front/spaces.h"

enum { ANY = -1, UNKNOWN = GENERIC };

struct pointer {
    LLVMValueRef value;
    int space;
    LLVMValueRef other; /* the same pointer in its space */
};

struct spaces {
    struct front_build *b;
    LLVMBuilderRef builder;
    struct map map; /* value to struct pointer */
    struct front_generic generic;
    vec(struct pointer *) pointers;
};

static struct pointer *
find_pointer(struct spaces *s, LLVMValueRef v)
{
    void **entry = map_find(&s->map, (const char *)&v, sizeof v);
    return entry ? *entry : NULL;
}

static void
add_pointer(struct spaces *s, LLVMValueRef v)
{
    struct pointer *p = arena_new(s->b->arena, struct pointer, 1);
    *p = (struct pointer){ v, ANY, NULL };
    vec_push(s->b->arena, &s->pointers, p);
    *map_put(s->b->arena, &s->map, (const char *)&v, sizeof v) = p;
}

/* The operation of an instruction or a constant expression. */
static LLVMOpcode
opcode(LLVMValueRef v)
{
    if (LLVMIsAInstruction(v))
        return LLVMGetInstructionOpcode(v);
    return LLVMIsAConstantExpr(v) ? LLVMGetConstOpcode(v) : (LLVMOpcode)0;
}

/* ---- which space ---- */

static int
join_spaces(int a, int b)
{
    if (a == ANY)
        return b;
    return b == ANY || a == b ? a : UNKNOWN;
}

static int
space_of(struct spaces *s, LLVMValueRef v)
{
    if (!front_is_generic(v))
        return (int)LLVMGetPointerAddressSpace(LLVMTypeOf(v));
    if (LLVMIsNull(v) || LLVMIsUndef(v))
        return ANY;
    struct pointer *p = find_pointer(s, v);
    if (p)
        return p->space;
    LLVMOpcode op = opcode(v);
    if (op == LLVMAddrSpaceCast || op == LLVMGetElementPtr)
        return space_of(s, LLVMGetOperand(v, 0));
    return UNKNOWN;
}

static int
evaluate_space(struct spaces *s, LLVMValueRef v)
{
    int space = ANY;
    switch (opcode(v)) {
    case LLVMAddrSpaceCast:
    case LLVMGetElementPtr:
    case LLVMFreeze:
        return space_of(s, LLVMGetOperand(v, 0));
    case LLVMSelect:
        return join_spaces(space_of(s, LLVMGetOperand(v, 1)),
                           space_of(s, LLVMGetOperand(v, 2)));
    case LLVMPHI:
        for (unsigned i = 0; i < LLVMCountIncoming(v); i++)
            space = join_spaces(space, space_of(s, LLVMGetIncomingValue(v, i)));
        return space;
    default:
        return UNKNOWN;
    }
}

static void
infer_spaces(struct spaces *s)
{
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < s->pointers.n; i++) {
            struct pointer *p = s->pointers.at[i];
            int space = join_spaces(p->space, evaluate_space(s, p->value));
            again |= space != p->space;
            p->space = space;
        }
    }
}

/* ---- the same pointers in their space ---- */

static LLVMTypeRef
pointer_type(struct spaces *s, int space)
{
    return LLVMPointerTypeInContext(s->b->context, (unsigned)space);
}

static LLVMValueRef
in_space(struct spaces *s, LLVMValueRef v, int space);

static LLVMValueRef
offset_in_space(struct spaces *s, LLVMValueRef v, int space)
{
    LLVMValueRef indices[16];
    unsigned n = (unsigned)LLVMGetNumOperands(v) - 1;
    if (n > 16)
        return NULL;
    for (unsigned i = 0; i < n; i++)
        indices[i] = LLVMGetOperand(v, i + 1);
    LLVMValueRef base = in_space(s, LLVMGetOperand(v, 0), space);
    if (!base)
        return NULL;
    if (LLVMIsAInstruction(v))
        LLVMPositionBuilderBefore(s->builder, v);
    LLVMValueRef r = LLVMBuildGEP2(s->builder, LLVMGetGEPSourceElementType(v),
                                   base, indices, n, "");
    if (LLVMIsAGetElementPtrInst(r))
        LLVMSetIsInBounds(r, LLVMIsInBounds(v));
    return r;
}

static LLVMValueRef
build_in_space(struct spaces *s, LLVMValueRef v, int space)
{
    LLVMValueRef a, b;
    switch (opcode(v)) {
    case LLVMAddrSpaceCast:
    case LLVMFreeze:
        return in_space(s, LLVMGetOperand(v, 0), space);
    case LLVMGetElementPtr:
        return offset_in_space(s, v, space);
    case LLVMSelect:
        a = in_space(s, LLVMGetOperand(v, 1), space);
        b = in_space(s, LLVMGetOperand(v, 2), space);
        LLVMPositionBuilderBefore(s->builder, v);
        return LLVMBuildSelect(s->builder, LLVMGetOperand(v, 0), a, b, "");
    case LLVMPHI: /* its operands follow in fill_phis */
        LLVMPositionBuilderBefore(s->builder, v);
        return LLVMBuildPhi(s->builder, pointer_type(s, space), "");
    default:
        return NULL;
    }
}

static LLVMValueRef
in_space(struct spaces *s, LLVMValueRef v, int space)
{
    if (!front_is_generic(v))
        return v;
    if (LLVMIsUndef(v))
        return LLVMGetUndef(pointer_type(s, space));
    if (LLVMIsNull(v))
        return LLVMConstNull(pointer_type(s, space));
    struct pointer *p = find_pointer(s, v);
    if (!p)
        return build_in_space(s, v, space);
    if (!p->other)
        p->other = build_in_space(s, v, space);
    return p->other;
}

static void
fill_phis(struct spaces *s)
{
    for (size_t i = 0; i < s->pointers.n; i++) {
        struct pointer *p = s->pointers.at[i];
        if (!p->other || !LLVMIsAPHINode(p->value))
            continue;
        for (unsigned k = 0; k < LLVMCountIncoming(p->value); k++) {
            LLVMValueRef v =
                in_space(s, LLVMGetIncomingValue(p->value, k), p->space);
            LLVMBasicBlockRef from = LLVMGetIncomingBlock(p->value, k);
            LLVMAddIncoming(p->other, &v, &from, 1);
        }
    }
}

/* ---- uses ---- */

static LLVMValueRef
resolved_pointer(struct spaces *s, LLVMValueRef v)
{
    int space = space_of(s, v);
    if (space == ANY)
        space = 1; /* null: any does */
    return space == UNKNOWN ? NULL : in_space(s, v, space);
}

static void
use_address(struct spaces *s, LLVMValueRef insn, unsigned operand)
{
    LLVMValueRef v = LLVMGetOperand(insn, operand);
    if (!front_is_generic(v))
        return;
    LLVMValueRef other = resolved_pointer(s, v);
    if (other)
        LLVMSetOperand(insn, operand, other);
    else if (!front_generic_use(&s->generic, insn, v))
        front_error(s->b, insn,
                    "a generic pointer: its address space is not known here");
}

/* Compares addresses: spaces do not overlap. */
static void
use_compare(struct spaces *s, LLVMValueRef insn)
{
    if (!front_is_generic(LLVMGetOperand(insn, 0)))
        return;
    LLVMTypeRef word = front_address_type(s->b);
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef other = resolved_pointer(s, LLVMGetOperand(insn, i));
        if (!other)
            return;
        LLVMPositionBuilderBefore(s->builder, insn);
        LLVMSetOperand(insn, i, LLVMBuildPtrToInt(s->builder, other, word, ""));
    }
}

/* Resolves a cast to a named space, explicit or by to_global and the like: NULL unless
 * the pointer is to it.  LLVM may have left out the generic pointer in between. */
static void
use_cast(struct spaces *s, LLVMValueRef insn)
{
    LLVMValueRef v = LLVMGetOperand(insn, 0);
    if (front_is_generic(insn))
        return;
    LLVMTypeRef type = LLVMTypeOf(insn);
    LLVMValueRef other = front_is_generic(v) ? resolved_pointer(s, v) : v;
    if (!other)
        other = front_generic_cast(&s->generic, insn, v);
    bool same = LLVMTypeOf(other) == type;
    LLVMReplaceAllUsesWith(insn, same ? other : LLVMConstNull(type));
    LLVMInstructionEraseFromParent(insn);
}

/* memcpy, memmove and memset, whose names hold the spaces.  What stays generic
 * is told apart when the copy is made: isel/mem.c. */
static void
use_memory_call(struct spaces *s, LLVMValueRef insn, const char *name)
{
    bool set = strncmp(name, "llvm.memset.", 12) == 0;
    bool move = strncmp(name, "llvm.memmove.", 13) == 0;
    if (!set && !move && strncmp(name, "llvm.memcpy.", 12) != 0)
        return;
    LLVMValueRef p[2], size = LLVMGetOperand(insn, 2);
    unsigned align[2], n = set ? 1 : 2;
    bool known = false;
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef v = p[i] = LLVMGetOperand(insn, i);
        align[i] = front_param_align(insn, i);
        if (!front_is_generic(v))
            continue;
        LLVMValueRef other = resolved_pointer(s, v);
        known |= other != NULL;
        p[i] = other ? other : v;
    }
    if (!known)
        return;
    LLVMPositionBuilderBefore(s->builder, insn);
    LLVMValueRef r =
        set ? LLVMBuildMemSet(s->builder, p[0], LLVMGetOperand(insn, 1), size,
                              align[0])
        : move
            ? LLVMBuildMemMove(s->builder, p[0], align[0], p[1], align[1], size)
            : LLVMBuildMemCpy(s->builder, p[0], align[0], p[1], align[1], size);
    LLVMSetOperand(r, 3, LLVMGetOperand(insn, 3)); /* volatile */
    LLVMInstructionEraseFromParent(insn);
}

static void
use_call(struct spaces *s, LLVMValueRef insn)
{
    size_t n;
    LLVMValueRef callee = front_callee(insn);
    if (!callee)
        return;
    const char *name = LLVMGetValueName2(callee, &n);
    if (strncmp(name, "__ventus_to_", 12) == 0)
        use_cast(s, insn);
    else
        use_memory_call(s, insn, name);
}

static void
use_insn(struct spaces *s, LLVMValueRef insn)
{
    switch (LLVMGetInstructionOpcode(insn)) {
    case LLVMLoad:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMPtrToInt:
        use_address(s, insn, 0);
        return;
    case LLVMStore:
        use_address(s, insn, 1);
        return;
    case LLVMICmp:
        use_compare(s, insn);
        return;
    case LLVMAddrSpaceCast:
        use_cast(s, insn);
        return;
    case LLVMCall:
        use_call(s, insn);
        return;
    default:
        return;
    }
}

static void
resolve_function(struct spaces *s, LLVMValueRef f)
{
    front_foreach_block(b, f) front_foreach_insn(i, b) if (front_is_generic(i))
        add_pointer(s, i);
    infer_spaces(s);
    for (size_t i = 0; i < s->pointers.n; i++) {
        struct pointer *p = s->pointers.at[i];
        if (p->space != ANY && p->space != UNKNOWN)
            in_space(s, p->value, p->space);
    }
    fill_phis(s);
    s->generic = (struct front_generic){ s->b, s->builder, NULL };
    front_foreach_block(b, f) front_foreach_insn(i, b) use_insn(s, i);
    front_foreach_block(b, f) front_foreach_insn(i, b)
        front_generic_make(&s->generic, i);
}

void
front_resolve_spaces(struct front_build *b)
{
    struct spaces s = { .b = b,
                        .builder = LLVMCreateBuilderInContext(b->context) };
    front_foreach_function(f, b->module)
    {
        s.pointers.n = 0;
        if (front_is_kernel(f))
            resolve_function(&s, f);
    }
    LLVMDisposeBuilder(s.builder);
}
