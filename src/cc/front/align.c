/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests the address of a vector or of a number of 64 bits in a buffer, for -fcheck-bounds.  The machine accesses their words one by one, each of which may be aligned:
 *
 *     %v = load <4 x i32>, ptr addrspace(1) %p, align 16
 *  =>
 *     %a = ptrtoint ptr addrspace(1) %p to i32
 *     %x = and i32 %a, 15
 *     call void @__ventus_check_alignment(i32 %x)       ; a hint unless 0
 *
 * Private memory is left out, since the compiler places its variables, and with it
 * generic pointers, which may be to it.
 */
#include "cc/front/align.h"

#include "cc/front/module.h"

enum { WORD_B = 4 };

/* The pointer of a load or store that a word's alignment is not enough for; or NULL. */
static LLVMValueRef
aligned_pointer(LLVMValueRef i)
{
    bool load = LLVMIsALoadInst(i), store = LLVMIsAStoreInst(i);
    if ((!load && !store) || LLVMGetAlignment(i) <= WORD_B)
        return NULL;
    LLVMValueRef p = LLVMGetOperand(i, store ? 1 : 0);
    enum { GLOBAL = 1, LOCAL = 3 };
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(p));
    bool known = LLVMIsAGlobalVariable(p) || space < GLOBAL || space > LOCAL;
    return known ? NULL : p;
}

void
front_mark_alignment(struct front_build *b)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(b->context);
    LLVMTypeRef word = LLVMInt32TypeInContext(b->context);
    LLVMTypeRef type =
        LLVMFunctionType(LLVMVoidTypeInContext(b->context), &word, 1, false);
    LLVMValueRef check = NULL;
    front_foreach_function(f, b->module) front_foreach_block(block, f)
        front_foreach_insn(i, block)
    {
        LLVMValueRef p = aligned_pointer(i);
        if (!p)
            continue;
        if (!check)
            check =
                LLVMAddFunction(b->module, "__ventus_check_alignment", type);
        LLVMPositionBuilderBefore(builder, i);
        LLVMValueRef below = LLVMConstInt(word, LLVMGetAlignment(i) - 1, false);
        LLVMValueRef wrong = LLVMBuildAnd(
            builder, LLVMBuildPtrToInt(builder, p, word, ""), below, "");
        LLVMBuildCall2(builder, type, check, &wrong, 1, "");
    }
    LLVMDisposeBuilder(builder);
}
