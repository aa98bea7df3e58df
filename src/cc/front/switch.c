/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Debug locations of switch statements.  The compares of LLVM's lower-switch have none;
 * before it a mark with the location is put, and after it the compares get what the mark has:
 *
 *         call @llvm.donothing(), !dbg !7             br %NodeBlock, !dbg !7
 *         switch i32 %n, ...         !dbg !7      NodeBlock:
 *                                            =>       %Pivot = icmp slt %n, 2, !dbg !7
 *                                                     br %Pivot, ..., !dbg !7
 */
#include <assert.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>

#include "cc/front/module.h"
#include "cc/front/switch.h"

static const char mark_name[] = "llvm.donothing";

void
front_mark_switches(struct front_build *b)
{
    LLVMValueRef mark = LLVMGetIntrinsicDeclaration(
        b->module, LLVMLookupIntrinsicID(mark_name, sizeof mark_name - 1), NULL,
        0);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(b->context);
    front_foreach_function(f, b->module) front_foreach_block(block, f)
    {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        if (!LLVMIsASwitchInst(end) || !LLVMInstructionGetDebugLoc(end))
            continue;
        LLVMPositionBuilderBefore(builder, end);
        LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(end));
        LLVMBuildCall2(builder, LLVMGlobalGetValueType(mark), mark, NULL, 0,
                       "");
    }
    LLVMDisposeBuilder(builder);
}

/* Whether lower-switch made the block: clang's blocks have no names. */
static bool
is_of_switch(LLVMBasicBlockRef block)
{
    static const char *const names[] = { "NodeBlock", "LeafBlock",
                                         "NewDefault" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(LLVMGetBasicBlockName(block), names[i], strlen(names[i])) ==
            0)
            return true;
    return false;
}

/* Sets the location from an instruction to the end of its block, and in the tree below
 * it. */
static void
locate_compare(LLVMValueRef from, LLVMMetadataRef location)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(from);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (LLVMInstructionGetDebugLoc(end))
        return;
    for (LLVMValueRef i = from; i; i = LLVMGetNextInstruction(i))
        if (!LLVMInstructionGetDebugLoc(i) && !LLVMIsAPHINode(i))
            LLVMInstructionSetDebugLoc(i, location);
    for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
        LLVMBasicBlockRef next = LLVMGetSuccessor(end, k);
        if (is_of_switch(next))
            locate_compare(LLVMGetFirstInstruction(next), location);
    }
}

/* The declaration goes, too: the back end translates no such function. */
void
front_settle_switches(struct front_build *b)
{
    LLVMValueRef mark = LLVMGetNamedFunction(b->module, mark_name);
    assert(mark);
    front_foreach_function(f, b->module) front_foreach_block(block, f)
        front_foreach_insn(i, block)
    {
        if (front_callee(i) != mark)
            continue;
        locate_compare(i, LLVMInstructionGetDebugLoc(i));
        LLVMInstructionEraseFromParent(i);
    }
    LLVMDeleteFunction(mark);
}
