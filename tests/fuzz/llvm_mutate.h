/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes of a module that leave it valid, or are given up: LLVM's reader of
 * text is not made for hostile input, so what is written is always what LLVM
 * itself prints of a module that its verifier takes.
 */
#pragma once

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>

#include "random.h"

struct site {
    struct rng *r;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMValueRef function, insn; /* what is inserted comes before insn */
};

/* Some instruction of some function; false: there is none. */
static inline bool
site_pick(struct site *s)
{
    unsigned left = 1;
    s->insn = NULL;
    for (LLVMValueRef f = LLVMGetFirstFunction(s->module); f;
         f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
             b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
                 i = LLVMGetNextInstruction(i))
                if (rng_below(s->r, left++) == 0) {
                    s->function = f;
                    s->insn = i;
                }
    return s->insn != NULL;
}

/* ---- values ---- */

static inline LLVMValueRef
draw_constant(struct rng *r, LLVMTypeRef type)
{
    static const unsigned long long corner[] = {
        0,  1,   2,   3,          7,          8,          31,         32,   63,
        64, 255, 256, 0x7fffffff, 0x80000000, 0xffffffff, 1ull << 63, ~0ull
    };
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return LLVMConstInt(type, corner[rng_below(r, 17)], false);
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
        return LLVMConstReal(type, (double)(int32_t)rng_word(r) / 1024);
    default:
        return rng_one_of(r, 2)   ? LLVMConstNull(type)
               : rng_one_of(r, 2) ? LLVMGetUndef(type)
                                  : LLVMGetPoison(type);
    }
}

/* A value that is there before s->insn; of that type, if one is given. */
static inline LLVMValueRef
draw_value(struct site *s, LLVMTypeRef type)
{
    LLVMValueRef found = NULL;
    unsigned left = 1, n = LLVMCountParams(s->function);
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef v = LLVMGetParam(s->function, i);
        if ((!type || LLVMTypeOf(v) == type) && rng_below(s->r, left++) == 0)
            found = v;
    }
    LLVMValueRef i = LLVMGetPreviousInstruction(s->insn);
    for (; i; i = LLVMGetPreviousInstruction(i)) {
        LLVMTypeRef t = LLVMTypeOf(i);
        bool fits = type ? t == type : LLVMGetTypeKind(t) != LLVMVoidTypeKind;
        if (fits && rng_below(s->r, left++) == 0)
            found = i;
    }
    if (type && (!found || rng_one_of(s->r, 4)))
        found = draw_constant(s->r, type);
    return found;
}

static inline LLVMTypeRef
draw_type(struct site *s)
{
    LLVMContextRef c = s->context;
    LLVMTypeRef scalar[] = {
        LLVMInt1TypeInContext(c),    LLVMInt8TypeInContext(c),
        LLVMInt16TypeInContext(c),   LLVMInt32TypeInContext(c),
        LLVMInt64TypeInContext(c),   LLVMHalfTypeInContext(c),
        LLVMFloatTypeInContext(c),   LLVMDoubleTypeInContext(c),
        LLVMInt32TypeInContext(c),   LLVMIntTypeInContext(c, 24),
        LLVMIntTypeInContext(c, 128)
    };
    static const unsigned lanes[] = { 2, 3, 4, 8, 16 };
    LLVMTypeRef t = scalar[rng_below(s->r, rng_one_of(s->r, 8) ? 11 : 9)];
    return rng_one_of(s->r, 4) ? LLVMVectorType(t, lanes[rng_below(s->r, 5)])
                               : t;
}

/* ---- new instructions ---- */

static inline LLVMTypeKind
element_kind(LLVMTypeRef t)
{
    if (LLVMGetTypeKind(t) == LLVMVectorTypeKind)
        t = LLVMGetElementType(t);
    return LLVMGetTypeKind(t);
}

static inline LLVMValueRef
build_binary(struct site *s, LLVMTypeRef type)
{
    static const LLVMOpcode ints[] = { LLVMAdd,  LLVMSub,  LLVMMul,  LLVMUDiv,
                                       LLVMSDiv, LLVMURem, LLVMSRem, LLVMShl,
                                       LLVMLShr, LLVMAShr, LLVMAnd,  LLVMOr,
                                       LLVMXor };
    static const LLVMOpcode floats[] = { LLVMFAdd, LLVMFSub, LLVMFMul, LLVMFDiv,
                                         LLVMFRem };
    LLVMValueRef a = draw_value(s, type), b = draw_value(s, type);
    if (element_kind(type) == LLVMIntegerTypeKind)
        return LLVMBuildBinOp(s->builder, ints[rng_below(s->r, 13)], a, b, "");
    if (element_kind(type) != LLVMPointerTypeKind &&
        element_kind(type) >= LLVMHalfTypeKind &&
        element_kind(type) <= LLVMDoubleTypeKind)
        return LLVMBuildBinOp(s->builder, floats[rng_below(s->r, 5)], a, b, "");
    return NULL;
}

static inline LLVMValueRef
build_cast(struct site *s, LLVMTypeRef type)
{
    static const LLVMOpcode casts[] = {
        LLVMTrunc,    LLVMZExt,     LLVMSExt,         LLVMFPToUI, LLVMFPToSI,
        LLVMUIToFP,   LLVMSIToFP,   LLVMFPTrunc,      LLVMFPExt,  LLVMBitCast,
        LLVMPtrToInt, LLVMIntToPtr, LLVMAddrSpaceCast
    };
    LLVMValueRef from =
        draw_value(s, rng_one_of(s->r, 2) ? draw_type(s) : NULL);
    if (!from || LLVMIsConstant(from)) /* it would be folded, or asserted */
        return NULL;
    return LLVMBuildCast(s->builder, casts[rng_below(s->r, 13)], from, type,
                         "");
}

static inline LLVMValueRef
build_compare(struct site *s, LLVMTypeRef type)
{
    LLVMValueRef a = draw_value(s, type), b = draw_value(s, type), c;
    LLVMTypeKind kind = element_kind(type);
    if (kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind)
        c = LLVMBuildICmp(s->builder,
                          (LLVMIntPredicate)(LLVMIntEQ + rng_below(s->r, 10)),
                          a, b, "");
    else if (kind >= LLVMHalfTypeKind && kind <= LLVMDoubleTypeKind)
        c = LLVMBuildFCmp(s->builder, (LLVMRealPredicate)rng_below(s->r, 16), a,
                          b, "");
    else
        return NULL;
    return LLVMBuildSelect(s->builder, c, a, b, "");
}

static inline LLVMValueRef
draw_pointer(struct site *s)
{
    for (unsigned tries = 0; tries < 8; tries++) {
        LLVMValueRef p = draw_value(s, NULL);
        if (p && LLVMGetTypeKind(LLVMTypeOf(p)) == LLVMPointerTypeKind)
            return p;
    }
    return NULL;
}

static inline LLVMValueRef
build_memory(struct site *s, LLVMTypeRef type)
{
    LLVMValueRef p = draw_pointer(s), made = NULL;
    LLVMTypeRef word = LLVMInt32TypeInContext(s->context);
    if (!p)
        return LLVMBuildAlloca(s->builder, type, "");
    LLVMValueRef index = draw_value(s, word);
    if (rng_one_of(s->r, 2))
        p = LLVMBuildGEP2(s->builder, type, p, &index, 1, "");
    switch (rng_below(s->r, 4)) {
    case 0:
        LLVMBuildStore(s->builder, draw_value(s, type), p);
        return NULL;
    case 1:
        return LLVMBuildAtomicRMW(
            s->builder, (LLVMAtomicRMWBinOp)rng_below(s->r, 11), p,
            draw_value(s, word), LLVMAtomicOrderingSequentiallyConsistent,
            false);
    default:
        made = LLVMBuildLoad2(s->builder, type, p, "");
        LLVMSetAlignment(made, 1u << rng_below(s->r, 5));
        LLVMSetVolatile(made, rng_one_of(s->r, 8));
        return made;
    }
}

static inline LLVMValueRef
build_lanes(struct site *s, LLVMTypeRef type)
{
    LLVMTypeRef word = LLVMInt32TypeInContext(s->context);
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return NULL;
    LLVMValueRef a = draw_value(s, type), index = draw_value(s, word);
    LLVMValueRef e = LLVMBuildExtractElement(s->builder, a, index, "");
    return rng_one_of(s->r, 2)
               ? e
               : LLVMBuildInsertElement(s->builder, draw_value(s, type), e,
                                        draw_value(s, word), "");
}

/* Intrinsics of one type, with as many arguments of it. */
static inline LLVMValueRef
build_intrinsic(struct site *s, LLVMTypeRef type)
{
    static const struct {
        const char *name;
        unsigned args;
    } any[] = {
        { "llvm.ctpop", 1 },
        { "llvm.bswap", 1 },
        { "llvm.bitreverse", 1 },
        { "llvm.fshl", 3 },
        { "llvm.fshr", 3 },
        { "llvm.umin", 2 },
        { "llvm.smax", 2 },
        { "llvm.uadd.sat", 2 },
        { "llvm.ssub.sat", 2 },
        { "llvm.sadd.with.overflow", 2 },
        { "llvm.umul.with.overflow", 2 },
        { "llvm.fma", 3 },
        { "llvm.sqrt", 1 },
        { "llvm.fabs", 1 },
        { "llvm.copysign", 2 },
        { "llvm.minnum", 2 },
        { "llvm.rint", 1 },
        { "llvm.floor", 1 },
        { "llvm.trunc", 1 },
        { "llvm.canonicalize", 1 },
    };
    unsigned i = rng_below(s->r, sizeof any / sizeof *any);
    bool is_int = element_kind(type) == LLVMIntegerTypeKind;
    if (is_int != (i < 11))
        return NULL;
    unsigned id = LLVMLookupIntrinsicID(any[i].name, strlen(any[i].name));
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(s->module, id, &type, 1);
    LLVMValueRef args[3];
    for (unsigned k = 0; k < any[i].args; k++)
        args[k] = draw_value(s, type);
    LLVMValueRef call = LLVMBuildCall2(s->builder, LLVMGlobalGetValueType(f), f,
                                       args, any[i].args, "");
    if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMStructTypeKind)
        return LLVMBuildExtractValue(s->builder, call, rng_below(s->r, 2), "");
    return call;
}

/* ---- changes ---- */

/* An operand of s->insn becomes another value of its type. */
static inline void
change_operand(struct site *s, LLVMValueRef with)
{
    int n = LLVMGetNumOperands(s->insn);
    for (int tries = 0; n && tries < 8; tries++) {
        unsigned i = rng_below(s->r, (uint32_t)n);
        LLVMValueRef was = LLVMGetOperand(s->insn, i);
        if (!was || LLVMValueIsBasicBlock(was) || LLVMIsAFunction(was) ||
            (with && LLVMTypeOf(was) != LLVMTypeOf(with)))
            continue;
        LLVMValueRef to = with ? with : draw_value(s, LLVMTypeOf(was));
        LLVMSetOperand(s->insn, i, to);
        return;
    }
}

static inline void
insert_one(struct site *s)
{
    LLVMValueRef (*const build[])(struct site *, LLVMTypeRef) = {
        build_binary, build_cast,  build_compare,
        build_memory, build_lanes, build_intrinsic
    };
    LLVMValueRef like = rng_one_of(s->r, 2) ? draw_value(s, NULL) : NULL;
    LLVMTypeRef type = like ? LLVMTypeOf(like) : draw_type(s);
    if (LLVMIsAPHINode(s->insn) || !LLVMTypeIsSized(type))
        return;
    LLVMPositionBuilderBefore(s->builder, s->insn);
    LLVMValueRef made = build[rng_below(s->r, 6)](s, type);
    if (made)
        change_operand(s, made);
}

static inline void
erase_one(struct site *s)
{
    LLVMTypeRef type = LLVMTypeOf(s->insn);
    if (LLVMIsATerminatorInst(s->insn) ||
        LLVMGetTypeKind(type) == LLVMTokenTypeKind)
        return;
    if (LLVMGetTypeKind(type) != LLVMVoidTypeKind)
        LLVMReplaceAllUsesWith(s->insn, draw_constant(s->r, type));
    LLVMInstructionEraseFromParent(s->insn);
}

static inline void
change_flow(struct site *s)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(s->insn), to;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    unsigned n = end ? LLVMGetNumSuccessors(end) : 0;
    to = LLVMGetFirstBasicBlock(s->function);
    for (unsigned k = rng_below(s->r, LLVMCountBasicBlocks(s->function)); k;
         k--)
        to = LLVMGetNextBasicBlock(to);
    if (n)
        LLVMSetSuccessor(end, rng_below(s->r, n), to);
}

/* One change of the module; it may be invalid now. */
static inline void
module_change(struct site *s)
{
    if (!site_pick(s))
        return;
    switch (rng_below(s->r, 8)) {
    case 0:
    case 1:
        change_operand(s, NULL);
        return;
    case 2:
        erase_one(s);
        return;
    case 3:
        change_flow(s);
        return;
    default:
        insert_one(s);
        return;
    }
}

static inline void
llvm_ignore(LLVMDiagnosticInfoRef info, void *ctx)
{
    (void)info;
    (void)ctx;
}

/* The module of a text that LLVM printed; NULL: it is none. */
static inline LLVMModuleRef
llvm_read(LLVMContextRef context, const uint8_t *bytes, size_t size)
{
    LLVMModuleRef module = NULL;
    char *message = NULL;
    LLVMContextSetDiagnosticHandler(context, llvm_ignore, NULL);
    LLVMMemoryBufferRef text = LLVMCreateMemoryBufferWithMemoryRangeCopy(
        (const char *)bytes, size, "input");
    bool failed = LLVMParseIRInContext(context, text, &module, &message);
    LLVMDisposeMessage(message);
    return failed ? NULL : module;
}

/* Changes the text; returns its new size, 0 if nothing valid came of it. */
static inline size_t
llvm_mutate(struct rng *r, uint8_t *bytes, size_t size, size_t max_size)
{
    struct site s = { .r = r, .context = LLVMContextCreate() };
    size_t n = 0;
    s.module = llvm_read(s.context, bytes, size);
    s.builder = LLVMCreateBuilderInContext(s.context);
    for (unsigned k = 1 + rng_below(r, 4); s.module && k; k--)
        module_change(&s);
    if (s.module && !LLVMVerifyModule(s.module, LLVMReturnStatusAction, NULL)) {
        char *text = LLVMPrintModuleToString(s.module);
        n = strlen(text);
        n = n <= max_size ? n : 0;
        memcpy(bytes, text, n);
        LLVMDisposeMessage(text);
    }
    LLVMDisposeBuilder(s.builder);
    if (s.module)
        LLVMDisposeModule(s.module);
    LLVMContextDispose(s.context);
    return n;
}
