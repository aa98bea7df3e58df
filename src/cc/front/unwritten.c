/* SPDX-License-Identifier: Apache-2.0 */
/*
 * With -fcheck-init a variable begins with values that nothing knows, each of a call:
 *
 *     %x = alloca i32              %x = alloca i32
 *                            =>    %1 = call i32 @__ventus_unwritten(i32 0)
 *                                  store i32 %1, ptr %x
 *
 * Without, LLVM takes what it likes for them, and a branch on one for none: the
 * machine code shows no mistake.  Where the source stores first, the calls are dead.
 * Padding gets a value, unless nothing in the function copies memory: then only loads of
 * other types than the variable's find it.
 *
 * A variable ends with such values, too: where its scope ends, and where a function
 * returns that is not inlined, whose memory the next one takes.  A pointer to it
 * finds them.
 */
#include <string.h>

#include <llvm-c/Target.h>

#include "cc/front/module.h"
#include "cc/front/unwritten.h"

/* Elements of one variable.  Larger ones stay in memory, whose bytes the checks know. */
enum { ELEMENTS_MAX = 64 };

struct marking {
    struct front_build *b;
    LLVMBuilderRef builder;
    LLVMTargetDataRef layout;
    LLVMTypeRef word, type; /* i32; i32 (i32) */
    LLVMValueRef function;
    unsigned calls; /* so far; equal numbers would be one value */
    bool copies;    /* the function may copy memory: padding has a value */
};

static void
declare(struct marking *m)
{
    static const char name[] = "__ventus_unwritten";
    LLVMContextRef context = m->b->context;
    m->word = LLVMInt32TypeInContext(context);
    m->type = LLVMFunctionType(m->word, &m->word, 1, false);
    m->function = LLVMGetNamedFunction(m->b->module, name);
    if (!m->function)
        m->function = LLVMAddFunction(m->b->module, name, m->type);
    static const char *const attributes[] = { "nounwind", "willreturn",
                                              "memory" /* none: 0 */ };
    for (unsigned i = 0; i < 3; i++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(attributes[i],
                                                        strlen(attributes[i]));
        LLVMAddAttributeAtIndex(m->function, LLVMAttributeFunctionIndex,
                                LLVMCreateEnumAttribute(context, kind, 0));
    }
}

/* ---- values ---- */

static LLVMValueRef
unwritten_word(struct marking *m)
{
    LLVMValueRef number = LLVMConstInt(m->word, m->calls++, false);
    return LLVMBuildCall2(m->builder, m->type, m->function, &number, 1, "");
}

static LLVMValueRef
unwritten_int(struct marking *m, LLVMTypeRef type)
{
    unsigned bits = LLVMGetIntTypeWidth(type);
    LLVMValueRef low = unwritten_word(m);
    if (bits <= 32)
        return LLVMBuildTrunc(m->builder, low, type, "");
    LLVMValueRef high = LLVMBuildZExt(m->builder, unwritten_word(m), type, "");
    high = LLVMBuildShl(m->builder, high, LLVMConstInt(type, 32, false), "");
    low = LLVMBuildZExt(m->builder, low, type, "");
    return LLVMBuildOr(m->builder, low, high, "");
}

/* Bits of an element as an integer; 0: it is of a type that is left as it is. */
static unsigned
element_bits(const struct marking *m, LLVMTypeRef type)
{
    enum { LOCAL = 3 };
    unsigned space, bits;
    switch (LLVMGetTypeKind(type)) {
    case LLVMHalfTypeKind:
        return 16;
    case LLVMFloatTypeKind:
        return 32;
    case LLVMDoubleTypeKind:
        return 64;
    case LLVMIntegerTypeKind:
        bits = LLVMGetIntTypeWidth(type);
        return bits <= 64 ? bits : 0;
    case LLVMPointerTypeKind:
        space = LLVMGetPointerAddressSpace(type);
        return space > 0 && space <= LOCAL
                   ? cc_pointer_bits(cc_target_or_v1(m->b->options->target),
                                     space)
                   : 0;
    default:
        return 0;
    }
}

static LLVMValueRef
unwritten(struct marking *m, LLVMTypeRef type, unsigned bits)
{
    LLVMTypeRef whole = LLVMIntTypeInContext(m->b->context, bits);
    LLVMValueRef x = unwritten_int(m, whole);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMBuildIntToPtr(m->builder, x, type, "");
    return LLVMBuildBitCast(m->builder, x, type, "");
}

/* ---- elements ---- */

static LLVMTypeRef
part_type(LLVMTypeRef type, uint64_t i)
{
    return LLVMGetTypeKind(type) == LLVMStructTypeKind
               ? LLVMStructGetTypeAtIndex(type, (unsigned)i)
               : LLVMGetElementType(type);
}

/* The elements of a type, ELEMENTS_MAX + 1 if there are more. */
static uint64_t
count_elements(LLVMTypeRef type)
{
    uint64_t parts = front_parts(type), n = 0;
    for (uint64_t i = 0; i < parts && n <= ELEMENTS_MAX; i++)
        n += count_elements(part_type(type, i));
    return parts ? n : 1;
}

static uint64_t
part_offset(const struct marking *m, LLVMTypeRef type, uint64_t i)
{
    return LLVMGetTypeKind(type) == LLVMStructTypeKind
               ? LLVMOffsetOfElement(m->layout, type, (unsigned)i)
           : LLVMGetTypeKind(type) == LLVMArrayTypeKind
               ? i * LLVMABISizeOfType(m->layout, LLVMGetElementType(type))
               : i * LLVMStoreSizeOfType(m->layout, LLVMGetElementType(type));
}

/* Bytes without a meaning are 0: copies take whole words, which have one value. */
static void
clear(struct marking *m, LLVMValueRef at, uint64_t from, uint64_t to)
{
    if (from >= to)
        return;
    LLVMTypeRef byte = LLVMInt8TypeInContext(m->b->context);
    LLVMValueRef offset = LLVMConstInt(m->word, from, false);
    LLVMBuildMemSet(m->builder,
                    LLVMBuildInBoundsGEP2(m->builder, byte, at, &offset, 1, ""),
                    LLVMConstInt(byte, 0, false),
                    LLVMConstInt(m->word, to - from, false), 1);
}

/* Bytes between the members of a structure, which no copy of it needs. */
static void
leave(struct marking *m, LLVMValueRef at, uint64_t from, uint64_t to)
{
    LLVMTypeRef byte = LLVMInt8TypeInContext(m->b->context);
    for (; from < to; from++) {
        LLVMValueRef offset = LLVMConstInt(m->word, from, false);
        LLVMBuildStore(
            m->builder, unwritten_int(m, byte),
            LLVMBuildInBoundsGEP2(m->builder, byte, at, &offset, 1, ""));
    }
}

static void
pad(struct marking *m, LLVMTypeRef type, LLVMValueRef at, uint64_t from,
    uint64_t to)
{
    if (m->copies || LLVMGetTypeKind(type) != LLVMStructTypeKind)
        clear(m, at, from, to);
    else
        leave(m, at, from, to);
}

static void
store(struct marking *m, LLVMTypeRef type, LLVMValueRef at)
{
    uint64_t parts = front_parts(type), end = 0;
    unsigned bits = parts ? 0 : element_bits(m, type);
    for (uint64_t i = 0; i < parts; i++) {
        LLVMValueRef index[] = { LLVMConstInt(m->word, 0, false),
                                 LLVMConstInt(m->word, i, false) };
        LLVMTypeRef part = part_type(type, i);
        uint64_t begin = part_offset(m, type, i);
        pad(m, type, at, end, begin);
        store(m, part,
              LLVMBuildInBoundsGEP2(m->builder, type, at, index, 2, ""));
        bool is_array = LLVMGetTypeKind(type) == LLVMArrayTypeKind;
        end = begin + (is_array ? LLVMABISizeOfType(m->layout, part)
                                : LLVMStoreSizeOfType(m->layout, part));
    }
    if (parts)
        pad(m, type, at, end, LLVMABISizeOfType(m->layout, type));
    if (bits)
        LLVMBuildStore(m->builder, unwritten(m, type, bits), at);
}

/* ---- places ---- */

static bool
is_call_of(LLVMValueRef user, const char *intrinsic)
{
    LLVMValueRef f = front_callee(user);
    size_t n;
    return f &&
           strncmp(LLVMGetValueName2(f, &n), intrinsic, strlen(intrinsic)) == 0;
}

static void
store_behind(struct marking *m, LLVMValueRef insn, LLVMValueRef variable)
{
    LLVMPositionBuilderBefore(m->builder, LLVMGetNextInstruction(insn));
    store(m, LLVMGetAllocatedType(variable), variable);
}

/*
 * Marks a variable where its scope begins and ends, each time, if that is known; else
 * where it is made. LLVM is not told of the end: a value read after it could be any
 * again.
 */
static void
mark_variable(struct marking *m, LLVMValueRef variable)
{
    bool scoped = false;
    LLVMUseRef next;
    if (count_elements(LLVMGetAllocatedType(variable)) > ELEMENTS_MAX)
        return;
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        bool ends = is_call_of(user, "llvm.lifetime.end");
        next = LLVMGetNextUse(use);
        if (!ends && !is_call_of(user, "llvm.lifetime.start"))
            continue;
        store_behind(m, user, variable);
        scoped = true;
        if (ends)
            LLVMInstructionEraseFromParent(user);
    }
    if (!scoped)
        store_behind(m, variable, variable);
}

/* ---- frames ---- */

/* Stores that no pass takes for dead, one for each word or byte. */
static void
end_variable(struct marking *m, LLVMValueRef variable, LLVMValueRef ret)
{
    uint64_t bytes =
        LLVMABISizeOfType(m->layout, LLVMGetAllocatedType(variable));
    LLVMTypeRef byte = LLVMInt8TypeInContext(m->b->context);
    bool words = LLVMGetAlignment(variable) >= 4;
    if (bytes > 4 * ELEMENTS_MAX)
        return;
    LLVMPositionBuilderBefore(m->builder, ret);
    LLVMValueRef word = unwritten_word(m);
    for (uint64_t at = 0, size; at < bytes; at += size) {
        LLVMValueRef offset = LLVMConstInt(m->word, at, false), to, value;
        size = words && bytes - at >= 4 ? 4 : 1;
        to = LLVMBuildInBoundsGEP2(m->builder, byte, variable, &offset, 1, "");
        value = size == 4 ? word : LLVMBuildTrunc(m->builder, word, byte, "");
        value = LLVMBuildStore(m->builder, value, to);
        LLVMSetAlignment(value, (unsigned)size);
        LLVMSetVolatile(value, true);
    }
}

static void
end_frame(struct marking *m, LLVMValueRef f, LLVMValueRef ret)
{
    front_foreach_block(block, f) front_foreach_insn(i, block)
    {
        if (LLVMIsAAllocaInst(i) && LLVMIsConstant(LLVMGetOperand(i, 0)))
            end_variable(m, i, ret);
    }
}

/* ---- copies ---- */

/* Clears the padding after a copy of a structure to private memory: isel/copy.c leaves
 * padding out, and loads of whole words have it, too. */
static void
clear_padding(struct marking *m, LLVMValueRef copy)
{
    static const char name[] = "tbaa.struct";
    unsigned kind =
        LLVMGetMDKindIDInContext(m->b->context, name, sizeof name - 1);
    LLVMValueRef node = LLVMGetMetadata(copy, kind), part[3 * ELEMENTS_MAX];
    LLVMValueRef to = LLVMGetOperand(copy, 0), length = LLVMGetOperand(copy, 2);
    unsigned n = node ? (unsigned)LLVMGetMDNodeNumOperands(node) : 0;
    if (!n || n > 3 * ELEMENTS_MAX || !LLVMIsAConstantInt(length) ||
        LLVMGetPointerAddressSpace(LLVMTypeOf(to)) != 0)
        return;
    uint64_t end = 0, bytes = LLVMConstIntGetZExtValue(length);
    LLVMGetMDNodeOperands(node, part);
    LLVMPositionBuilderBefore(m->builder, LLVMGetNextInstruction(copy));
    for (unsigned i = 0; i + 2 < n; i += 3) {
        if (!LLVMIsAConstantInt(part[i]) || !LLVMIsAConstantInt(part[i + 1]))
            return;
        uint64_t at = LLVMConstIntGetZExtValue(part[i]);
        uint64_t past = at + LLVMConstIntGetZExtValue(part[i + 1]);
        clear(m, to, end, at < bytes ? at : bytes);
        end = past > end ? past : end;
    }
    clear(m, to, end, bytes);
}

/* ---- loads of several elements ---- */

/* Bits of the largest element of a type; 0: some is left as it is. */
static unsigned
largest_bits(const struct marking *m, LLVMTypeRef type)
{
    uint64_t parts = front_parts(type);
    unsigned most = parts ? 0 : element_bits(m, type);
    if (LLVMGetTypeKind(type) == LLVMArrayTypeKind && parts)
        parts = 1;
    for (uint64_t i = 0; i < parts; i++) {
        unsigned bits = largest_bits(m, part_type(type, i));
        if (!bits)
            return 0;
        most = bits > most ? bits : most;
    }
    return most;
}

/* The variable that an address is in; NULL: not known. */
static LLVMValueRef
variable_of(LLVMValueRef address)
{
    while (LLVMIsAGetElementPtrInst(address) ||
           LLVMIsAAddrSpaceCastInst(address))
        address = LLVMGetOperand(address, 0);
    return LLVMIsAAllocaInst(address) ? address : NULL;
}

/* A part of what a load loads, moved to its place in an integer of that size. */
static LLVMValueRef
load_part(struct marking *m, LLVMValueRef load, LLVMTypeRef whole,
          unsigned bits, unsigned at)
{
    LLVMTypeRef byte = LLVMInt8TypeInContext(m->b->context);
    LLVMTypeRef type = LLVMIntTypeInContext(m->b->context, bits);
    LLVMValueRef offset = LLVMConstInt(m->word, at / 8, false);
    LLVMValueRef from = LLVMBuildInBoundsGEP2(
        m->builder, byte, LLVMGetOperand(load, 0), &offset, 1, "");
    LLVMValueRef x = LLVMBuildLoad2(m->builder, type, from, "");
    unsigned align = LLVMGetAlignment(load);
    LLVMSetAlignment(x, align < bits / 8 ? align : bits / 8);
    x = LLVMBuildZExt(m->builder, x, whole, "");
    return LLVMBuildShl(m->builder, x, LLVMConstInt(whole, at, false), "");
}

/* A load of several elements of a variable, which have a value or not each, becomes loads
 * of these; memory knows that of a word only if no byte of it was written. */
static void
split_load(struct marking *m, LLVMValueRef load)
{
    LLVMTypeRef type = LLVMTypeOf(load);
    LLVMValueRef variable = variable_of(LLVMGetOperand(load, 0));
    bool plain = LLVMGetTypeKind(type) != LLVMPointerTypeKind &&
                 !LLVMGetVolatile(load) &&
                 LLVMGetOrdering(load) == LLVMAtomicOrderingNotAtomic;
    unsigned bits = variable && plain ? element_bits(m, type) : 0;
    unsigned one = bits ? largest_bits(m, LLVMGetAllocatedType(variable)) : 0;
    if (!one || one % 8 || one >= bits || bits % one)
        return;
    LLVMTypeRef whole = LLVMIntTypeInContext(m->b->context, bits);
    LLVMPositionBuilderBefore(m->builder, load);
    LLVMValueRef value = load_part(m, load, whole, one, 0);
    for (unsigned at = one; at < bits; at += one)
        value = LLVMBuildOr(m->builder, value,
                            load_part(m, load, whole, one, at), "");
    value = LLVMBuildBitCast(m->builder, value, type, "");
    LLVMReplaceAllUsesWith(load, value);
    LLVMInstructionEraseFromParent(load);
}

/* Whether an instruction may copy memory with the padding in it: it does, or a
 * function has the address of a variable. */
static bool
may_copy(LLVMValueRef insn)
{
    if (!LLVMIsACallInst(insn) || is_call_of(insn, "llvm.lifetime.") ||
        is_call_of(insn, "llvm.dbg."))
        return false;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(insn); i++)
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(insn, i))) ==
            LLVMPointerTypeKind)
            return true;
    return false;
}

static bool
copies_memory(LLVMValueRef f)
{
    front_foreach_block(block, f) front_foreach_insn(i, block)
    {
        if (may_copy(i))
            return true;
    }
    return false;
}

static struct marking
begin_marking(struct front_build *b)
{
    struct marking m = { .b = b,
                         .builder = LLVMCreateBuilderInContext(b->context),
                         .layout = LLVMGetModuleDataLayout(b->module) };
    declare(&m);
    return m;
}

void
front_end_frames(struct front_build *b)
{
    struct marking m = begin_marking(b);
    front_foreach_function(f, b->module)
    {
        LLVMValueRef ret;
        if (front_is_kernel(f))
            continue;
        front_foreach_block(block, f)
        {
            ret = LLVMGetBasicBlockTerminator(block);
            if (LLVMIsAReturnInst(ret))
                end_frame(&m, f, ret);
        }
    }
    LLVMDisposeBuilder(m.builder);
}

static void
mark_function(struct marking *m, LLVMValueRef f)
{
    m->copies = copies_memory(f);
    front_foreach_block(block, f) front_foreach_insn(i, block)
    {
        if (LLVMIsAAllocaInst(i) && LLVMIsConstant(LLVMGetOperand(i, 0)))
            mark_variable(m, i);
        if (LLVMIsAMemCpyInst(i))
            clear_padding(m, i);
    }
    front_foreach_block(block, f) front_foreach_insn(i, block)
    {
        if (LLVMIsALoadInst(i))
            split_load(m, i);
    }
}

void
front_mark_unwritten(struct front_build *b)
{
    struct marking m = begin_marking(b);
    front_foreach_function(f, b->module) mark_function(&m, f);
    LLVMDisposeBuilder(m.builder);
}
