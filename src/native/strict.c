/* SPDX-License-Identifier: Apache-2.0 */
#include "native/strict.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static LLVMValueRef
text(LLVMContextRef c, const char *s)
{
    return LLVMMetadataAsValue(c, LLVMMDStringInContext2(c, s, strlen(s)));
}

/* Calls llvm.experimental.constrained.NAME in place of an instruction. */
static void
replace(LLVMValueRef old, const char *name, unsigned operands, bool converts,
        bool rounds)
{
    LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(old));
    LLVMModuleRef module = LLVMGetGlobalParent(f);
    LLVMContextRef c = LLVMGetModuleContext(module);
    char full[64];
    LLVMValueRef args[5];
    unsigned n = 0;
    snprintf(full, sizeof full, "llvm.experimental.constrained.%s", name);
    for (unsigned i = 0; i < operands; i++)
        args[n++] = LLVMGetOperand(old, i);
    if (rounds)
        args[n++] = text(c, "round.dynamic");
    args[n++] = text(c, "fpexcept.strict");
    LLVMTypeRef types[] = { LLVMTypeOf(old), LLVMTypeOf(args[0]) };
    unsigned id = LLVMLookupIntrinsicID(full, strlen(full));
    assert(id && "LLVM 19 has this operation");
    LLVMValueRef to =
        LLVMGetIntrinsicDeclaration(module, id, types, converts ? 2 : 1);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
    LLVMPositionBuilderBefore(b, old);
    LLVMValueRef call =
        LLVMBuildCall2(b, LLVMGlobalGetValueType(to), to, args, n, "");
    unsigned kind = LLVMGetEnumAttributeKindForName("strictfp", 8);
    LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex,
                             LLVMCreateEnumAttribute(c, kind, 0));
    LLVMDisposeBuilder(b);
    LLVMReplaceAllUsesWith(old, call);
    LLVMInstructionEraseFromParent(old);
}

static void
strict_call(LLVMValueRef call)
{
    size_t n;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &n);
    if (strncmp(name, "llvm.fma.", 9) == 0)
        replace(call, "fma", 3, false, true);
    else if (strncmp(name, "llvm.sqrt.", 10) == 0)
        replace(call, "sqrt", 1, false, true);
    else
        assert(strncmp(name, "llvm.fmuladd.", 13) != 0 &&
               "the templates are compiled with -ffp-contract=off");
}

static void
strict_instruction(LLVMValueRef in)
{
    switch (LLVMGetInstructionOpcode(in)) {
    case LLVMFAdd:
        replace(in, "fadd", 2, false, true);
        break;
    case LLVMFSub:
        replace(in, "fsub", 2, false, true);
        break;
    case LLVMFMul:
        replace(in, "fmul", 2, false, true);
        break;
    case LLVMFDiv:
        replace(in, "fdiv", 2, false, true);
        break;
    case LLVMSIToFP:
        replace(in, "sitofp", 1, true, true);
        break;
    case LLVMFPTrunc:
        replace(in, "fptrunc", 1, true, true);
        break;
    case LLVMFPExt:
        replace(in, "fpext", 1, true, false);
        break;
    case LLVMCall:
        strict_call(in);
        break;
    default:
        break;
    }
}

void
strict_function(LLVMValueRef f)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
         b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef next;
        for (LLVMValueRef in = LLVMGetFirstInstruction(b); in; in = next) {
            next = LLVMGetNextInstruction(in);
            strict_instruction(in);
        }
    }
}
