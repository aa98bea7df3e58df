/* SPDX-License-Identifier: Apache-2.0 */
/*
 * With -fcheck-bounds clang tests an index in brackets after an array.  An access of
 * a variable by nothing but such indices and members is inside of it, which metadata
 * say: isel/object.c leaves it out.
 *
 *     local int h[16];
 *     h[i] = 0;              inside, or clang has said that it is not
 *     atomic_inc(&h[i]);     one past the end has an address: not known
 */
#include <string.h>

#include "cc/front/inside.h"
#include "cc/front/module.h"

/* Whether the instruction addresses one element, or one member, of what its pointer
 * points to. */
static bool
is_part(LLVMValueRef gep)
{
    LLVMValueRef first = LLVMGetOperand(gep, 1);
    return LLVMGetNumOperands(gep) == 3 && LLVMIsAConstantInt(first) &&
           LLVMIsNull(first);
}

static bool
is_inside(LLVMValueRef pointer)
{
    while (LLVMIsAGetElementPtrInst(pointer) && is_part(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return LLVMIsAAllocaInst(pointer) || LLVMIsAGlobalVariable(pointer);
}

void
front_mark_inside(struct front_build *b)
{
    unsigned kind = LLVMGetMDKindIDInContext(b->context, INSIDE_METADATA,
                                             strlen(INSIDE_METADATA));
    LLVMValueRef none = LLVMMetadataAsValue(
        b->context, LLVMMDNodeInContext2(b->context, NULL, 0));
    front_foreach_function(f, b->module) front_foreach_block(block, f)
        front_foreach_insn(i, block)
    {
        bool store = LLVMIsAStoreInst(i);
        if ((store || LLVMIsALoadInst(i)) &&
            is_inside(LLVMGetOperand(i, store ? 1 : 0)))
            LLVMSetMetadata(i, kind, none);
    }
}
