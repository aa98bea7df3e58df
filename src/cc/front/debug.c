/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prepares a module for debuggers, before it is optimised.
 *
 * Without optimisation every variable is in memory, wherever the program is:
 * what is only loaded and stored is computed with as ever, and each store goes
 * to a second place, too, which is the variable's for debuggers; accesses of
 * other variables, as arrays, are volatile.  The other side of a copy from or to
 * such a variable is not: volatile words of global memory are atomics.
 */
#include <assert.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

#include "cc/front/calls.h"
#include "cc/front/debug.h"
#include "cc/front/module.h"

/* The variable that a dbg.declare is about; NULL: the insn is something else. */
static LLVMValueRef
declared_variable(LLVMValueRef insn)
{
    LLVMValueRef callee = front_callee(insn), v = NULL;
    size_t n;
    if (!callee ||
        strcmp(LLVMGetValueName2(callee, &n), "llvm.dbg.declare") != 0)
        return NULL;
    LLVMValueRef of = LLVMGetOperand(insn, 0);
    if (LLVMGetMetadataKind(LLVMValueAsMetadata(of)) ==
        LLVMLocalAsMetadataMetadataKind)
        LLVMGetMDNodeOperands(of, &v);
    return v;
}

/*
 * Targets called spir name the address space of the variable in an expression
 * that LLVM cannot take apart where it takes apart the variable; it is known
 * without.
 */
static void
drop_expressions(struct front_build *b)
{
    LLVMDIBuilderRef builder = LLVMCreateDIBuilder(b->module);
    LLVMMetadataRef none = LLVMDIBuilderCreateExpression(builder, NULL, 0);
    front_foreach_function(f, b->module) front_foreach_block(block, f)
        front_foreach_insn(i, block)
    {
        if (declared_variable(i))
            LLVMSetOperand(i, 2, LLVMMetadataAsValue(b->context, none));
    }
    LLVMDisposeDIBuilder(builder);
}

/* ---- variables in memory ---- */

enum { PRIVATE_SPACE = 0 };

static bool
is_lifetime(LLVMValueRef insn)
{
    LLVMValueRef callee = front_callee(insn);
    size_t n;
    return callee &&
           strncmp(LLVMGetValueName2(callee, &n), "llvm.lifetime.", 14) == 0;
}

/* Whether the variable is only loaded and stored as a whole. */
static bool
is_simple(LLVMValueRef variable)
{
    LLVMTypeRef type = LLVMGetAllocatedType(variable);
    switch ((int)LLVMGetTypeKind(type)) {
    case LLVMStructTypeKind:
    case LLVMArrayTypeKind:
        return false;
    }
    for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        bool loads = LLVMIsALoadInst(user) && LLVMTypeOf(user) == type;
        bool stores = LLVMIsAStoreInst(user) &&
                      LLVMGetOperand(user, 0) != variable &&
                      LLVMTypeOf(LLVMGetOperand(user, 0)) == type;
        if (!loads && !stores && !is_lifetime(user))
            return false;
    }
    return true;
}

static LLVMValueRef
next_of(LLVMValueRef insn)
{
    return LLVMGetNextInstruction(insn);
}

static void
store_again(LLVMBuilderRef builder, LLVMValueRef store, LLVMValueRef to)
{
    LLVMPositionBuilderBefore(builder, next_of(store));
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(store));
    LLVMValueRef again = LLVMBuildStore(builder, LLVMGetOperand(store, 0), to);
    LLVMSetVolatile(again, true);
    LLVMSetAlignment(again, LLVMGetAlignment(to));
}

/* A second place, to which all that is stored goes. */
static void
double_variable(struct front_build *b, LLVMValueRef declare,
                LLVMValueRef variable)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(b->context);
    LLVMPositionBuilderBefore(builder, next_of(variable));
    LLVMValueRef place =
        LLVMBuildAlloca(builder, LLVMGetAllocatedType(variable), "");
    LLVMSetAlignment(place, LLVMGetAlignment(variable));
    for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u))
        if (LLVMIsAStoreInst(LLVMGetUser(u)))
            store_again(builder, LLVMGetUser(u), place);
    LLVMDisposeBuilder(builder);
    LLVMSetOperand(declare, 0,
                   LLVMMetadataAsValue(b->context, LLVMValueAsMetadata(place)));
}

static LLVMValueRef
build_copy(LLVMBuilderRef builder, LLVMValueRef like, LLVMValueRef to,
           LLVMValueRef from, bool is_volatile)
{
    LLVMValueRef r =
        LLVMBuildMemCpy(builder, to, front_param_align(like, 0), from,
                        front_param_align(like, 1), LLVMGetOperand(like, 2));
    LLVMSetOperand(
        r, 3,
        LLVMConstInt(LLVMTypeOf(LLVMGetOperand(like, 3)), is_volatile, false));
    return r;
}

/* A copy of known size between private and other memory that is not volatile. */
static bool
is_plain_copy(LLVMValueRef user)
{
    if (!LLVMIsAMemCpyInst(user) ||
        !LLVMIsAConstantInt(LLVMGetOperand(user, 2)) ||
        LLVMConstIntGetZExtValue(LLVMGetOperand(user, 3)))
        return false;
    unsigned to =
        LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(user, 0)));
    unsigned from =
        LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(user, 1)));
    return (to == PRIVATE_SPACE) != (from == PRIVATE_SPACE);
}

/*
 * A copy between the variable and other memory becomes two, by way of a place
 * that no debugger sees: the one of the variable is volatile.
 *
 *     memcpy(out, variable)   =>   memcpy(place, variable), volatile
 *                                  memcpy(out, place)
 */
static void
split_copy(struct front_build *b, LLVMValueRef copy)
{
    LLVMValueRef to = LLVMGetOperand(copy, 0), from = LLVMGetOperand(copy, 1);
    bool saves = LLVMGetPointerAddressSpace(LLVMTypeOf(to)) == PRIVATE_SPACE;
    unsigned align[2] = { front_param_align(copy, 0),
                          front_param_align(copy, 1) };
    LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(copy));
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(b->context);
    LLVMPositionBuilderBefore(
        builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
    LLVMTypeRef bytes =
        LLVMArrayType2(LLVMInt8TypeInContext(b->context),
                       LLVMConstIntGetZExtValue(LLVMGetOperand(copy, 2)));
    LLVMValueRef place = LLVMBuildAlloca(builder, bytes, "");
    LLVMSetAlignment(place, align[0] > align[1] ? align[0] : align[1]);
    LLVMPositionBuilderBefore(builder, copy);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(copy));
    LLVMValueRef first = build_copy(builder, copy, place, from, !saves);
    LLVMValueRef second = build_copy(builder, copy, to, place, saves);
    unsigned members = LLVMGetMDKindIDInContext(b->context, "tbaa.struct", 11);
    LLVMValueRef node = LLVMGetMetadata(copy, members);
    if (node)
        LLVMSetMetadata(saves ? first : second, members, node);
    LLVMInstructionEraseFromParent(copy);
    LLVMDisposeBuilder(builder);
}

/* Loads and stores by way of the pointer. */
static void
keep_accesses(struct front_build *b, LLVMValueRef pointer)
{
    for (LLVMUseRef u = LLVMGetFirstUse(pointer), next; u; u = next) {
        LLVMValueRef user = LLVMGetUser(u);
        next = LLVMGetNextUse(u);
        if (LLVMIsALoadInst(user) ||
            (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == pointer))
            LLVMSetVolatile(user, true);
        else if (is_plain_copy(user))
            split_copy(b, user);
        else if (LLVMIsAMemCpyInst(user) || LLVMIsAMemSetInst(user))
            LLVMSetOperand(
                user, 3,
                LLVMConstInt(LLVMTypeOf(LLVMGetOperand(user, 3)), 1, false));
        else if (LLVMIsAGetElementPtrInst(user))
            keep_accesses(b, user);
    }
}

/* Images, samplers and events are no numbers: they stay values. */
static void
keep_variables(struct front_build *b)
{
    front_foreach_function(f, b->module) front_foreach_block(block, f)
        front_foreach_insn(i, block)
    {
        LLVMValueRef v = declared_variable(i);
        if (!v || !LLVMIsAAllocaInst(v) ||
            LLVMGetTypeKind(LLVMGetAllocatedType(v)) == LLVMTargetExtTypeKind)
            continue;
        if (is_simple(v))
            double_variable(b, i, v);
        else
            keep_accesses(b, v);
    }
}

/* ---- vectors ---- */

/* LLVM's scalarizer makes elements of it where it is.  Those of what comes whole,
 * as arguments do, are extracted where they are needed first, and an extraction
 * of ours would come before. */
static bool
is_taken_apart(LLVMValueRef v)
{
    if (LLVMIsABinaryOperator(v) || LLVMIsACmpInst(v))
        return true;
    return LLVMIsALoadInst(v) || LLVMIsAPHINode(v) || LLVMIsASelectInst(v) ||
           LLVMIsAInsertElementInst(v) || LLVMIsAShuffleVectorInst(v) ||
           (LLVMIsACastInst(v) && !LLVMIsABitCastInst(v));
}

/* The vector that a dbg.value is about as a whole, or NULL. */
static LLVMValueRef
vector_of(struct front_build *b, LLVMValueRef insn, LLVMMetadataRef none)
{
    LLVMValueRef callee = front_callee(insn), v = NULL;
    size_t n;
    if (!callee || strcmp(LLVMGetValueName2(callee, &n), "llvm.dbg.value") != 0)
        return NULL;
    LLVMValueRef of = LLVMGetOperand(insn, 0);
    if (LLVMGetMetadataKind(LLVMValueAsMetadata(of)) !=
            LLVMLocalAsMetadataMetadataKind ||
        LLVMGetOperand(insn, 2) != LLVMMetadataAsValue(b->context, none))
        return NULL;
    LLVMGetMDNodeOperands(of, &v);
    bool vector = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind;
    return vector && is_taken_apart(v) ? v : NULL;
}

/* The instruction after v, and after the phis of its block. */
static LLVMValueRef
after_definition(LLVMValueRef v)
{
    do
        v = LLVMGetNextInstruction(v);
    while (LLVMIsAPHINode(v));
    return v;
}

/*
 * Makes a record of each element of the vector.  The elements are extracted after the
 * vector's definition: a record may stand before it, as what is moved down leaves its
 * records.
 */
static void
split_record(struct front_build *b, LLVMDIBuilderRef debug, LLVMValueRef insn,
             LLVMValueRef vector)
{
    enum { DW_OP_LLVM_fragment = 0x1000 };
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(b->context);
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(b->module);
    LLVMTypeRef type = LLVMTypeOf(vector);
    uint64_t bits = LLVMSizeOfTypeInBits(layout, LLVMGetElementType(type));
    LLVMMetadataRef where = LLVMInstructionGetDebugLoc(insn);
    for (unsigned i = 0; i < LLVMGetVectorSize(type); i++) {
        LLVMPositionBuilderBefore(builder, after_definition(vector));
        LLVMSetCurrentDebugLocation2(builder, where);
        LLVMValueRef index =
            LLVMConstInt(LLVMInt32TypeInContext(b->context), i, false);
        LLVMValueRef element =
            LLVMBuildExtractElement(builder, vector, index, "");
        uint64_t fragment[] = { DW_OP_LLVM_fragment, i * bits, bits };
        LLVMMetadataRef e = LLVMDIBuilderCreateExpression(debug, fragment, 3);
        LLVMValueRef record = LLVMInstructionClone(insn);
        LLVMSetOperand(
            record, 0,
            LLVMMetadataAsValue(b->context, LLVMValueAsMetadata(element)));
        LLVMSetOperand(record, 2, LLVMMetadataAsValue(b->context, e));
        LLVMPositionBuilderBefore(builder, insn);
        LLVMSetCurrentDebugLocation2(builder, where);
        LLVMInsertIntoBuilder(builder, record);
    }
    LLVMDisposeBuilder(builder);
    LLVMInstructionEraseFromParent(insn);
}

void
front_split_debug(struct front_build *b)
{
    LLVMSetIsNewDbgInfoFormat(b->module, false); /* records are calls */
    LLVMDIBuilderRef debug = LLVMCreateDIBuilder(b->module);
    LLVMMetadataRef none = LLVMDIBuilderCreateExpression(debug, NULL, 0);
    front_foreach_function(f, b->module) front_foreach_block(block, f)
        front_foreach_insn(i, block)
    {
        LLVMValueRef vector = vector_of(b, i, none);
        if (vector)
            split_record(b, debug, i, vector);
    }
    LLVMDisposeDIBuilder(debug);
    LLVMSetIsNewDbgInfoFormat(b->module, true);
}

/* ---- calls that are inlined ---- */

/* A nop, before the instruction and with its line. */
static void
place_before(struct front_build *b, LLVMValueRef insn)
{
    static const char name[] = "__ventus_place";
    LLVMTypeRef type =
        LLVMFunctionType(LLVMVoidTypeInContext(b->context), NULL, 0, false);
    LLVMValueRef place = LLVMGetNamedFunction(b->module, name);
    if (!place)
        place = LLVMAddFunction(b->module, name, type);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(b->context);
    LLVMPositionBuilderBefore(builder, insn);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(insn));
    LLVMBuildCall2(builder, type, place, NULL, 0, "");
    LLVMDisposeBuilder(builder);
}

/* The function has lines, and is inlined into its callers. */
static bool
is_inlined(LLVMValueRef f)
{
    return f && !LLVMIsDeclaration(f) && LLVMGetSubprogram(f) &&
           !front_is_kept(f);
}

/* The first instruction of the body: those that store parameters have no line. */
static LLVMValueRef
body_of(LLVMValueRef f)
{
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f));
    while (i && !LLVMInstructionGetDebugLoc(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

/*
 * A debugger takes the first address of an inlined function for one where it is
 * not yet called, and the line of the call may have no code before it:
 *
 *     nop          the line of the call, in the caller
 *     ...          parameters are stored
 *     nop          the first line of the function, in the function
 *     ...          its body
 */
void
front_place_calls(struct front_build *b)
{
    assert(b->options->debug && !b->options->optimise &&
           "optimised code has no places for calls");
    front_foreach_function(f, b->module)
    {
        bool inlined = is_inlined(f) && !front_is_kernel(f);
        LLVMValueRef body = inlined ? body_of(f) : NULL;
        if (body)
            place_before(b, body);
        front_foreach_block(block, f) front_foreach_insn(i, block)
        {
            if (LLVMIsACallInst(i) && LLVMInstructionGetDebugLoc(i) &&
                is_inlined(front_callee(i)))
                place_before(b, i);
        }
    }
}

void
front_prepare_debug(struct front_build *b)
{
    LLVMSetIsNewDbgInfoFormat(b->module, false); /* records are calls */
    drop_expressions(b);
    if (b->options->optimise == 0)
        keep_variables(b);
    LLVMSetIsNewDbgInfoFormat(b->module, true);
}
