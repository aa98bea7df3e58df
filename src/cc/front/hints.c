/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nontemporal accesses of vectors become those of their elements.  LLVM's scalarizer
 * would do the same and drop what says that they are nontemporal; combine.c makes one
 * access of them again.
 */
#include <llvm-c/Target.h>

#include "cc/front/hints.h"
#include "cc/front/module.h"

struct splitter {
    LLVMBuilderRef builder;
    LLVMTargetDataRef layout;
    unsigned kind; /* of the metadata */
};

unsigned
front_hint_kind(LLVMContextRef context)
{
    static const char name[] = "nontemporal";
    return LLVMGetMDKindIDInContext(context, name, sizeof name - 1);
}

static LLVMTypeRef
accessed_type(LLVMValueRef insn)
{
    return LLVMTypeOf(LLVMIsAStoreInst(insn) ? LLVMGetOperand(insn, 0) : insn);
}

static bool
is_split(struct splitter *s, LLVMValueRef insn)
{
    if ((!LLVMIsALoadInst(insn) && !LLVMIsAStoreInst(insn)) ||
        !LLVMGetMetadata(insn, s->kind))
        return false;
    LLVMTypeRef type = accessed_type(insn);
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
           LLVMSizeOfTypeInBits(s->layout, LLVMGetElementType(type)) % 8 == 0;
}

/* An access of element k is aligned, volatile, nontemporal like that of all. */
static void
take_properties(LLVMValueRef element, LLVMValueRef whole, uint64_t offset_B)
{
    size_t n;
    LLVMValueMetadataEntry *all =
        LLVMInstructionGetAllMetadataOtherThanDebugLoc(whole, &n);
    for (unsigned i = 0; i < n; i++)
        LLVMSetMetadata(
            element, LLVMValueMetadataEntriesGetKind(all, i),
            LLVMMetadataAsValue(LLVMGetTypeContext(LLVMTypeOf(whole)),
                                LLVMValueMetadataEntriesGetMetadata(all, i)));
    LLVMDisposeValueMetadataEntries(all);
    uint64_t align = LLVMGetAlignment(whole), low = offset_B & (0 - offset_B);
    LLVMSetAlignment(element, (unsigned)(low && low < align ? low : align));
    LLVMSetVolatile(element, LLVMGetVolatile(whole));
}

static void
split_access(struct splitter *s, LLVMValueRef insn)
{
    bool store = LLVMIsAStoreInst(insn);
    LLVMTypeRef type = accessed_type(insn), element = LLVMGetElementType(type);
    LLVMValueRef from = LLVMGetOperand(insn, store ? 1 : 0);
    LLVMValueRef all = store ? LLVMGetOperand(insn, 0) : LLVMGetPoison(type);
    LLVMTypeRef word = LLVMInt32TypeInContext(LLVMGetTypeContext(type));
    uint64_t size_B = LLVMABISizeOfType(s->layout, element);
    LLVMPositionBuilderBefore(s->builder, insn);
    for (unsigned k = 0; k < LLVMGetVectorSize(type); k++) {
        LLVMValueRef at = LLVMConstInt(word, k, false);
        LLVMValueRef p =
            LLVMBuildInBoundsGEP2(s->builder, element, from, &at, 1, "");
        LLVMValueRef v = store
                             ? LLVMBuildExtractElement(s->builder, all, at, "")
                             : LLVMBuildLoad2(s->builder, element, p, "");
        take_properties(store ? LLVMBuildStore(s->builder, v, p) : v, insn,
                        k * size_B);
        if (!store)
            all = LLVMBuildInsertElement(s->builder, all, v, at, "");
    }
    if (!store)
        LLVMReplaceAllUsesWith(insn, all);
    LLVMInstructionEraseFromParent(insn);
}

void
front_split_nontemporal(struct front_build *b)
{
    struct splitter s = { .builder = LLVMCreateBuilderInContext(b->context),
                          .layout = LLVMGetModuleDataLayout(b->module),
                          .kind = front_hint_kind(b->context) };
    front_foreach_function(f, b->module) front_foreach_block(block, f)
        front_foreach_insn(i, block)
    {
        if (is_split(&s, i))
            split_access(&s, i);
    }
    LLVMDisposeBuilder(s.builder);
}
