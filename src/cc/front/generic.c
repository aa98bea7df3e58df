/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Generic pointers whose space only the address reveals.
 *
 * Global and local memory have addresses of their own, which all instructions
 * but those for private memory take; a generic pointer to private memory,
 * whose addresses are small numbers, is marked by adding PRIVATE.  A load then
 * is one from each of the two, of which one is from a place that does not
 * matter; so is a store.
 */
#include "cc/front/generic.h"

#include <string.h>

#include <llvm-c/Target.h>

#include "cc/front/hints.h"
#include "cc/front/intrinsics.h"

/* The highest four bits of an address: of private memory by our mark, which
 * nothing else has, of local memory (abi.md, Memory map); global memory has the
 * rest. */
enum { PRIVATE = GENERIC_PRIVATE, LOCAL = 0x70000000 };
static const uint32_t BELOW = ~GENERIC_MARKS;
static const uint32_t ABOVE =
    0x80000000; /* global memory: the upper half of 4 GiB, and more */
enum { NOWHERE_B = 128 };

bool
front_is_generic(LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind &&
           LLVMGetPointerAddressSpace(type) == GENERIC;
}

static LLVMValueRef
address_word(struct front_generic *g, uint64_t x)
{
    return LLVMConstInt(front_address_type(g->b), x, false);
}

static LLVMValueRef
as_word(struct front_generic *g, LLVMValueRef pointer)
{
    return LLVMBuildPtrToInt(g->builder, pointer, front_address_type(g->b), "");
}

static LLVMValueRef
as_pointer(struct front_generic *g, LLVMValueRef address, int space)
{
    return LLVMBuildIntToPtr(
        g->builder, address,
        LLVMPointerTypeInContext(g->b->context, (unsigned)space), "");
}

static LLVMValueRef
is_in_memory(struct front_generic *g, LLVMValueRef address, uint32_t memory)
{
    LLVMValueRef high = LLVMBuildAnd(g->builder, address,
                                     address_word(g, ~(uint64_t)BELOW), "");
    return LLVMBuildICmp(g->builder, LLVMIntEQ, high, address_word(g, memory),
                         "");
}

/* Memory that is never read: of the program, and of this function. */
static LLVMValueRef
unread_memory(struct front_generic *g, LLVMValueRef insn, int space)
{
    const char *name = "__ventus_nowhere";
    LLVMTypeRef type =
        LLVMArrayType2(LLVMInt64TypeInContext(g->b->context), NOWHERE_B / 8);
    if (space == 0) {
        if (g->room)
            return g->room;
        LLVMValueRef f =
            LLVMGetBasicBlockParent(LLVMGetInstructionParent(insn));
        LLVMPositionBuilderBefore(
            g->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
        g->room = LLVMBuildAlloca(g->builder, type, "");
        LLVMSetAlignment(g->room, 16);
        return g->room;
    }
    LLVMValueRef v = LLVMGetNamedGlobal(g->b->module, name);
    if (v)
        return v;
    v = LLVMAddGlobalInAddressSpace(g->b->module, type, name, (unsigned)space);
    LLVMSetInitializer(v, LLVMConstNull(type));
    LLVMSetLinkage(v, LLVMInternalLinkage);
    LLVMSetAlignment(v, 16);
    return v;
}

/* The two pointers that stand for a generic one, and which is right. */
struct either {
    LLVMValueRef is_private, flat, own;
};

static struct either
split_pointer(struct front_generic *g, LLVMValueRef insn, LLVMValueRef generic)
{
    struct either e;
    LLVMValueRef room = unread_memory(g, insn, 0),
                 global = unread_memory(g, insn, 1);
    LLVMPositionBuilderBefore(g->builder, insn);
    LLVMValueRef address = as_word(g, generic);
    e.is_private = is_in_memory(g, address, PRIVATE);
    LLVMValueRef own =
        LLVMBuildAnd(g->builder, address, address_word(g, BELOW), "");
    e.flat = as_pointer(g,
                        LLVMBuildSelect(g->builder, e.is_private,
                                        as_word(g, global), address, ""),
                        1);
    e.own = as_pointer(
        g, LLVMBuildSelect(g->builder, e.is_private, own, as_word(g, room), ""),
        0);
    return e;
}

/* Copies the metadata of a nontemporal access. */
static void
copy_hint(LLVMContextRef context, LLVMValueRef access, LLVMValueRef like)
{
    unsigned kind = front_hint_kind(context);
    LLVMValueRef hint = LLVMGetMetadata(like, kind);
    if (hint)
        LLVMSetMetadata(access, kind, hint);
}

/* Volatile: nothing else knows that global memory may be local here.  If the
 * program does not say it, this one is only that. */
static void
set_volatile(struct front_generic *g, LLVMValueRef access, LLVMValueRef like)
{
    LLVMContextRef context = g->b->context;
    LLVMSetVolatile(access, true);
    copy_hint(context, access, like);
    if (LLVMGetVolatile(like))
        return;
    unsigned kind = LLVMGetMDKindIDInContext(context, PLAIN_METADATA,
                                             strlen(PLAIN_METADATA));
    LLVMMetadataRef none = LLVMMDNodeInContext2(context, NULL, 0);
    LLVMSetMetadata(access, kind, LLVMMetadataAsValue(context, none));
}

static LLVMValueRef
load_like(struct front_generic *g, LLVMValueRef like, LLVMValueRef from)
{
    LLVMValueRef r = LLVMBuildLoad2(g->builder, LLVMTypeOf(like), from, "");
    LLVMSetAlignment(r, LLVMGetAlignment(like));
    set_volatile(g, r, like);
    return r;
}

static void
load_at_run_time(struct front_generic *g, LLVMValueRef insn)
{
    struct either e = split_pointer(g, insn, LLVMGetOperand(insn, 0));
    LLVMValueRef flat = load_like(g, insn, e.flat),
                 own = load_like(g, insn, e.own);
    LLVMReplaceAllUsesWith(
        insn, LLVMBuildSelect(g->builder, e.is_private, own, flat, ""));
    LLVMInstructionEraseFromParent(insn);
}

static void
store_at_run_time(struct front_generic *g, LLVMValueRef insn)
{
    struct either e = split_pointer(g, insn, LLVMGetOperand(insn, 1));
    LLVMValueRef to[2] = { e.flat, e.own };
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef r =
            LLVMBuildStore(g->builder, LLVMGetOperand(insn, 0), to[i]);
        LLVMSetAlignment(r, LLVMGetAlignment(insn));
        set_volatile(g, r, insn);
    }
    LLVMInstructionEraseFromParent(insn);
}

static bool
fits_nowhere(struct front_generic *g, LLVMTypeRef type)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(g->b->module);
    return LLVMABISizeOfType(layout, type) <= NOWHERE_B;
}

/* Atomics are never of private memory. */
static void
use_flat(struct front_generic *g, LLVMValueRef insn, unsigned operand,
         LLVMValueRef pointer)
{
    LLVMPositionBuilderBefore(g->builder, insn);
    LLVMSetOperand(insn, operand, as_pointer(g, as_word(g, pointer), 1));
}

bool
front_generic_use(struct front_generic *g, LLVMValueRef insn,
                  LLVMValueRef pointer)
{
    switch (LLVMGetInstructionOpcode(insn)) {
    case LLVMLoad:
        if (LLVMGetOrdering(insn)) {
            use_flat(g, insn, 0, pointer);
            return true;
        }
        if (!fits_nowhere(g, LLVMTypeOf(insn)))
            return false;
        load_at_run_time(g, insn);
        return true;
    case LLVMStore:
        if (LLVMGetOrdering(insn)) {
            use_flat(g, insn, 1, pointer);
            return true;
        }
        if (!fits_nowhere(g, LLVMTypeOf(LLVMGetOperand(insn, 0))))
            return false;
        store_at_run_time(g, insn);
        return true;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        use_flat(g, insn, 0, pointer);
        return true;
    default: /* ptrtoint */
        return true;
    }
}

/* to_global and the like. */
LLVMValueRef
front_generic_cast(struct front_generic *g, LLVMValueRef insn,
                   LLVMValueRef generic)
{
    LLVMPositionBuilderBefore(g->builder, insn);
    LLVMValueRef address = as_word(g, generic), is;
    int space = (int)LLVMGetPointerAddressSpace(LLVMTypeOf(insn));
    if (space == 0) {
        is = is_in_memory(g, address, PRIVATE);
        address = LLVMBuildAnd(g->builder, address, address_word(g, BELOW), "");
    } else if (space == 3) {
        is = is_in_memory(g, address, LOCAL);
    } else if (LLVMGetIntTypeWidth(LLVMTypeOf(address)) == 32) {
        is = LLVMBuildICmp(g->builder, LLVMIntSLT, address, address_word(g, 0),
                           "");
    } else {
        is = LLVMBuildICmp(g->builder, LLVMIntUGE, address,
                           address_word(g, ABOVE), "");
    }
    address = LLVMBuildSelect(g->builder, is, address, address_word(g, 0), "");
    return as_pointer(g, address, space);
}

/* Lowers a cast to a generic pointer that is left: the same address, with the mark if
 * it is of private memory. */
void
front_generic_make(struct front_generic *g, LLVMValueRef insn)
{
    if (LLVMGetInstructionOpcode(insn) != LLVMAddrSpaceCast ||
        !front_is_generic(insn))
        return;
    LLVMPositionBuilderBefore(g->builder, insn);
    LLVMValueRef from = LLVMGetOperand(insn, 0);
    LLVMValueRef address = as_word(g, from);
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(from)) == 0)
        address =
            LLVMBuildAdd(g->builder, address, address_word(g, PRIVATE), "");
    LLVMReplaceAllUsesWith(insn, as_pointer(g, address, GENERIC));
    LLVMInstructionEraseFromParent(insn);
}
