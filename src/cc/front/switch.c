/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Switch statements.  LLVM's lower-switch makes a tree of compares in which several leaves
 * lead to a block of several labels, and to the default: lanes come there one leaf after the
 * other.  In functions with calls of sub-group functions the block is found first, and the
 * tree is one of blocks:
 *
 *     switch i32 %n, label %d [0: %a, 2: %a]  =>  %to = %n is 0 or 2 ? 0 : 1
 *                                                 br (%to < 1), %a, %d
 *
 * Debug locations of the other switches.  The compares of lower-switch have none; before it
 * a mark with the location is put, and after it the compares get what the mark has:
 *
 *         call @llvm.donothing(), !dbg !7             br %NodeBlock, !dbg !7
 *         switch i32 %n, ...         !dbg !7      NodeBlock:
 *                                            =>       %Pivot = icmp slt %n, 2, !dbg !7
 *                                                     br %Pivot, ..., !dbg !7
 */
#include <assert.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>

#include "base/arena.h"

#include "cc/front/module.h"
#include "cc/front/switch.h"

/* ---- labels of one block ---- */

struct labels {
    struct front_build *b;
    LLVMBuilderRef builder;
    LLVMValueRef of; /* the switch */
    LLVMValueRef to; /* the number of the block that a lane goes to */
    LLVMBasicBlockRef *blocks, *ways;
    unsigned n;
};

static unsigned
number_of_block(struct labels *s, LLVMBasicBlockRef block)
{
    unsigned i = 0;
    while (i < s->n && s->blocks[i] != block)
        i++;
    if (i == s->n)
        s->blocks[s->n++] = block;
    return i;
}

static LLVMBasicBlockRef
add_block(struct labels *s)
{
    LLVMBasicBlockRef block =
        LLVMCreateBasicBlockInContext(s->b->context, "Label");
    LLVMInsertExistingBasicBlockAfterInsertBlock(s->builder, block);
    return block;
}

static LLVMValueRef
number(struct labels *s, unsigned i)
{
    return LLVMConstInt(LLVMInt32TypeInContext(s->b->context), i, false);
}

/* Chooses one of the blocks from `first` to before `end`, at the end of the builder's. */
static void
choose_block(struct labels *s, unsigned first, unsigned end)
{
    if (end - first == 1) {
        s->ways[first] = LLVMGetInsertBlock(s->builder);
        LLVMBuildBr(s->builder, s->blocks[first]);
        return;
    }
    const unsigned middle = first + (end - first) / 2;
    LLVMBasicBlockRef high = add_block(s), low = add_block(s);
    LLVMValueRef is_low =
        LLVMBuildICmp(s->builder, LLVMIntULT, s->to, number(s, middle), "");
    LLVMBuildCondBr(s->builder, is_low, low, high);
    LLVMPositionBuilderAtEnd(s->builder, low);
    choose_block(s, first, middle);
    LLVMPositionBuilderAtEnd(s->builder, high);
    choose_block(s, middle, end);
}

/* A phi has a value for each label; now it has one for the only way from the switch. */
static void
replace_phi(struct labels *s, LLVMValueRef phi, LLVMBasicBlockRef from,
            LLVMBasicBlockRef way)
{
    LLVMPositionBuilderBefore(s->builder, phi);
    LLVMValueRef new = LLVMBuildPhi(s->builder, LLVMTypeOf(phi), "");
    LLVMInstructionSetDebugLoc(new, LLVMInstructionGetDebugLoc(phi));
    bool done = false;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
        if (block == from && done)
            continue;
        done |= block == from;
        block = block == from ? way : block;
        LLVMAddIncoming(new, &value, &block, 1);
    }
    LLVMReplaceAllUsesWith(phi, new);
    LLVMInstructionEraseFromParent(phi);
}

static void
join_labels(struct front_build *b, LLVMBuilderRef builder, LLVMValueRef of)
{
    const unsigned most = LLVMGetNumSuccessors(of);
    LLVMBasicBlockRef from = LLVMGetInstructionParent(of);
    struct labels s = { .b = b, .builder = builder, .of = of };
    s.blocks = arena_new(b->arena, LLVMBasicBlockRef, most);
    s.ways = arena_new(b->arena, LLVMBasicBlockRef, most);
    LLVMPositionBuilderBefore(builder, of);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(of));
    s.to = number(&s, number_of_block(&s, LLVMGetSwitchDefaultDest(of)));
    for (unsigned i = 1; i < most; i++) {
        LLVMValueRef label = LLVMGetOperand(of, 2 * i);
        LLVMValueRef is_it =
            LLVMBuildICmp(builder, LLVMIntEQ, LLVMGetOperand(of, 0), label, "");
        unsigned to = number_of_block(&s, LLVMGetSuccessor(of, i));
        s.to = LLVMBuildSelect(builder, is_it, number(&s, to), s.to, "");
    }
    LLVMInstructionEraseFromParent(of);
    LLVMPositionBuilderAtEnd(builder, from);
    choose_block(&s, 0, s.n);
    for (unsigned i = 0; i < s.n; i++) {
        LLVMValueRef next, phi = LLVMGetFirstInstruction(s.blocks[i]);
        for (; phi && LLVMIsAPHINode(phi); phi = next) {
            next = LLVMGetNextInstruction(phi);
            replace_phi(&s, phi, from, s.ways[i]);
        }
    }
}

/* Functions that may call a function of sub-groups, themselves or by others. */
struct callers {
    LLVMValueRef *functions;
    size_t n;
};

static bool
is_caller(const struct callers *c, LLVMValueRef f)
{
    for (size_t i = 0; i < c->n; i++)
        if (c->functions[i] == f)
            return true;
    return false;
}

static bool
calls_one(const struct callers *c, LLVMValueRef f)
{
    front_foreach_block(block, f) front_foreach_insn(i, block)
    {
        LLVMValueRef callee = front_callee(i);
        size_t n;
        if (callee &&
            (is_caller(c, callee) ||
             strcmp(LLVMGetValueName2(callee, &n), "__ventus_together") == 0))
            return true;
    }
    return false;
}

static struct callers
find_callers(struct front_build *b)
{
    size_t all = 0, before;
    front_foreach_function(f, b->module) all++;
    struct callers c = { arena_new(b->arena, LLVMValueRef, all + 1), 0 };
    do {
        before = c.n;
        front_foreach_function(f, b->module)
        {
            if (!is_caller(&c, f) && calls_one(&c, f))
                c.functions[c.n++] = f;
        }
    } while (c.n != before);
    return c;
}

void
front_join_labels(struct front_build *b)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(b->context);
    const struct callers callers = find_callers(b);
    for (size_t i = 0; i < callers.n; i++) {
        front_foreach_block(block, callers.functions[i])
        {
            LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
            if (LLVMIsASwitchInst(end) && LLVMGetNumSuccessors(end) > 2)
                join_labels(b, builder, end);
        }
    }
    LLVMDisposeBuilder(builder);
}

/* ---- lines ---- */

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
