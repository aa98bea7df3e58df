/* SPDX-License-Identifier: Apache-2.0 */
#include "native/translate.h"

#include <assert.h>
#include <string.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "native/emit.h"
#include "native/strict.h"

/* Bitcode of templates.c. */
extern const char native_templates[], native_templates_end[];

/* ---- requests ---- */

static bool
refuse(const char **why, const char *text)
{
    *why = text;
    return false;
}

static bool
is_access(const struct native_op *op)
{
    return op->kind < MEM_KINDS && op->width <= 4 &&
           (op->width <= 1 || op->kind == MEM_W);
}

/* Whether the fields of an op are in the range that its form needs; every number of a
 * vector register is. */
static bool
is_sound(const struct native_op *op)
{
    unsigned words = op->width > 1 ? op->width : 1;
    switch ((enum native_form)op->form) {
    case NATIVE_SCALAR:
        return op->kind < INT_madd && op->d && op->d < X_COUNT &&
               op->s1 < X_COUNT && op->s2 < X_COUNT;
    case NATIVE_MOVE:
    case NATIVE_CONSTANT:
    case NATIVE_SETRPC:
    case NATIVE_JUMP:
        return op->d && op->d < X_COUNT && op->s1 < X_COUNT;
    case NATIVE_CSR:
        return op->d && op->d < X_COUNT && op->aux >= CSR_CONSTANT &&
               op->aux < CSR_CONSTANT + CSR_CONSTANTS;
    case NATIVE_SCALAR_LOAD:
        return is_access(op) && op->d && op->d + words < X_COUNT &&
               op->s1 + 1 < X_COUNT;
    case NATIVE_SCALAR_STORE:
        return is_access(op) && op->s1 + 1 < X_COUNT &&
               op->s2 + words < X_COUNT;
    case NATIVE_BRANCH:
        return op->kind < BRANCH_COUNT && op->s1 < X_COUNT && op->s2 < X_COUNT;
    case NATIVE_THREAD_BRANCH:
        return op->kind < BRANCH_COUNT;
    case NATIVE_VV:
        return op->kind < INT_COUNT;
    case NATIVE_VS:
        return op->kind < INT_COUNT && op->s1 < X_COUNT;
    case NATIVE_FP_VV:
        return op->kind < FP_fmadd;
    case NATIVE_FP_VS:
        return op->kind < FP_fmadd && op->s1 < X_COUNT;
    case NATIVE_MERGE_S:
        return op->s1 < X_COUNT;
    case NATIVE_LOAD:
    case NATIVE_STORE:
        if (words > 1 || op->aux & MEM_WIDE_ADDRESS)
            return is_access(op) && op->mode == MODE_OFFSET &&
                   op->d + words <= SIM_VREGS && op->s2 + words <= SIM_VREGS;
        return is_access(op) && op->mode < MODE_COUNT &&
               (op->mode == MODE_OFFSET || op->mode == MODE_PRIVATE ||
                (op->s1 < X_COUNT &&
                 (op->mode != MODE_STRIDE || op->s2 < X_COUNT)));
    case NATIVE_PAIR:
        return op->kind < INT_madd && op->d && op->d + 1 < X_COUNT &&
               op->s1 + 1 < X_COUNT && op->s2 + 1 < X_COUNT;
    case NATIVE_PAIR_CONSTANT:
        return op->d && op->d + 1 < X_COUNT;
    case NATIVE_PAIR_BRANCH:
        return op->kind < BRANCH_COUNT && op->s1 + 1 < X_COUNT &&
               op->s2 + 1 < X_COUNT;
    case NATIVE_PAIR_THREAD_BRANCH:
        return op->kind < BRANCH_COUNT;
    case NATIVE_PAIR_VV:
        return op->kind < INT_madd;
    case NATIVE_PAIR_VS:
        return op->kind < INT_madd && op->s1 + 1 < X_COUNT;
    case NATIVE_FP_PAIR_VV:
        return op->kind < FP_fmadd;
    case NATIVE_FP_PAIR_VS:
        return op->kind < FP_fmadd && op->s1 + 1 < X_COUNT;
    case NATIVE_PAIR_MERGE_S:
        return op->s1 + 1 < X_COUNT;
    case NATIVE_WIDE_VV:
        return op->kind < WIDE_COUNT;
    case NATIVE_WIDE_VS:
        return op->kind < WIDE_COUNT && op->s1 + 1 < X_COUNT;
    case NATIVE_PAIR_MERGE_V:
    case NATIVE_OTHER:
    case NATIVE_CALL:
    case NATIVE_INDIRECT_JUMP:
    case NATIVE_NOP:
    case NATIVE_MERGE_V:
    case NATIVE_VID:
    case NATIVE_JOIN:
        return true;
    case NATIVE_FORMS:
        break;
    }
    return false;
}

bool
translate_accepts(const void *bytes, size_t size, const char **why)
{
    const struct native_request *r = bytes;
    if (size < sizeof *r || r->magic != NATIVE_MAGIC)
        return refuse(why, "the input is no request");
    if (r->layout != native_layout())
        return refuse(why, "ventus-native is of another version");
    if (r->n > CODE_WORDS || size != sizeof *r + r->n * sizeof r->op[0])
        return refuse(why, "the request has another length than it says");
    if (r->lanes < STRIP_LANES || r->lanes > SIM_LANES_MAX ||
        r->lanes % STRIP_LANES)
        return refuse(why, "warps are of 8 to 64 threads");
    for (uint32_t i = 0; i < r->n; i++) {
        const struct native_op *op = &r->op[i];
        if (op->index >= CODE_WORDS || op->words < 1 || op->words > 2 ||
            (i && op->index <= r->op[i - 1].index) || !is_sound(op))
            return refuse(why, "the request has an instruction that is none");
    }
    return true;
}

/* ---- the module ---- */

static LLVMModuleRef
read_templates(LLVMContextRef c)
{
    size_t size = (size_t)(native_templates_end - native_templates);
    LLVMMemoryBufferRef bytes = LLVMCreateMemoryBufferWithMemoryRange(
        native_templates, size, "templates", false);
    LLVMModuleRef module;
    bool failed = LLVMParseBitcodeInContext2(c, bytes, &module);
    assert(!failed && "the build has made the bitcode");
    LLVMDisposeMemoryBuffer(bytes);
    return module;
}

static void
add_attribute(LLVMValueRef f, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMContextRef c = LLVMGetModuleContext(LLVMGetGlobalParent(f));
    LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(c, kind, 0));
}

/* Templates are inlined; their arithmetic obeys the FPU's mode and keeps its flags. */
static void
prepare_templates(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        LLVMSetLinkage(f, LLVMInternalLinkage);
        add_attribute(f, "alwaysinline");
        add_attribute(f, "strictfp");
        strict_function(f);
    }
}

/* The page's function is for the same processor as the templates. */
static void
copy_target(LLVMModuleRef module)
{
    static const char *const names[] = { "target-cpu", "target-features" };
    LLVMValueRef from = LLVMGetNamedFunction(module, "vec_add");
    LLVMValueRef to = LLVMGetNamedFunction(module, "page");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        LLVMAttributeRef a =
            LLVMGetStringAttributeAtIndex(from, LLVMAttributeFunctionIndex,
                                          names[i], (unsigned)strlen(names[i]));
        if (a)
            LLVMAddAttributeAtIndex(to, LLVMAttributeFunctionIndex, a);
    }
    add_attribute(to, "nounwind");
    add_attribute(to, "strictfp");
}

static LLVMTargetMachineRef
open_target(LLVMModuleRef module, bool better)
{
    LLVMCodeGenOptLevel level =
        better ? LLVMCodeGenLevelLess : LLVMCodeGenLevelNone;
    LLVMTargetRef target;
    char *message = NULL;
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    const char *triple = LLVMGetTarget(module);
    bool failed = LLVMGetTargetFromTriple(triple, &target, &message);
    assert(!failed && "the build has LLVM for x86-64");
    LLVMDisposeMessage(message);
    return LLVMCreateTargetMachine(target, triple, "x86-64-v3", "", level,
                                   LLVMRelocPIC, LLVMCodeModelSmall);
}

static const char passes[] =
    "always-inline,globaldce,"
    "function(sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,"
    "simplifycfg)";

static bool
generate(LLVMModuleRef module, bool better, struct buf *code, uint32_t *start,
         const char **why)
{
    LLVMMemoryBufferRef object;
    char *message = NULL;
    LLVMTargetMachineRef machine = open_target(module, better);
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module, passes, machine, options);
    assert(!error && "the list of passes is constant");
    if (error)
        LLVMConsumeError(error);
    LLVMDisposePassBuilderOptions(options);
    bool ok = !LLVMTargetMachineEmitToMemoryBuffer(
        machine, module, LLVMObjectFile, &message, &object);
    if (ok) {
        ok = image_make((const uint8_t *)LLVMGetBufferStart(object),
                        LLVMGetBufferSize(object), "page", code, start, why);
        LLVMDisposeMemoryBuffer(object);
    } else {
        *why = "LLVM makes no object";
        LLVMDisposeMessage(message);
    }
    LLVMDisposeTargetMachine(machine);
    return ok;
}

bool
translate_page(const struct native_request *r, struct buf *code,
               uint32_t *start, const char **why)
{
    LLVMContextRef c = LLVMContextCreate();
    LLVMModuleRef module = read_templates(c);
    prepare_templates(module);
    bool ok = emit_page(module, r, why);
    if (ok) {
        copy_target(module);
        assert(!LLVMVerifyModule(module, LLVMPrintMessageAction, NULL));
        ok = generate(module, r->better, code, start, why);
    }
    LLVMDisposeModule(module);
    LLVMContextDispose(c);
    return ok;
}
