/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the device library at build time: libclc as Debian ships it, with our
 * own functions in place of its, ready to be linked lazily into kernels.
 *
 *     clcprep nvptx--.bc FOLDER OWN.bc...
 *
 * libclc's nvptx--.bc is the one with 32-bit pointers and plain LLVM code.
 * Three things make it fit kernels that clang compiled for spir: the constant
 * address space is 2, not 4, in types and in mangled names; the triple and
 * layout; the calling convention.  As linkonce_odr, the linker takes of a
 * module loaded lazily only what a kernel calls, which takes 2 ms instead of
 * 1400 (front/link.c).
 *
 * They go into several modules (abi/library.h), of which a kernel loads those
 * that it calls something of.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "abi/library.h"
#include "base/buf.h"

_Noreturn static void
prep_fail(const char *what, const char *why)
{
    fprintf(stderr, "clcprep: %s: %s\n", what, why);
    exit(1);
}

static LLVMModuleRef
read_bitcode(LLVMContextRef context, const char *path)
{
    LLVMMemoryBufferRef memory;
    char *message;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &memory, &message))
        prep_fail(path, message);
    LLVMModuleRef module;
    if (LLVMParseBitcodeInContext2(context, memory, &module))
        prep_fail(path, "not LLVM bitcode");
    LLVMDisposeMemoryBuffer(memory);
    return module;
}

/* The replacement of the text at `s`, which has *taken characters; NULL: none. */
static const char *
replacement(const char *s, size_t *taken)
{
    static const char *const pairs[][2] = {
        { "addrspace(4)", "addrspace(2)" },
        { "PU3AS4", "PU3AS2" },
    };
    for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        *taken = strlen(pairs[i][0]);
        if (strncmp(s, pairs[i][0], *taken) == 0)
            return pairs[i][1];
    }
    return NULL;
}

/* A module instead of `old`, of text that ends with a 0; frees both. */
static LLVMModuleRef
parse_text(LLVMContextRef context, struct buf *text, LLVMModuleRef old)
{
    LLVMMemoryBufferRef memory = LLVMCreateMemoryBufferWithMemoryRangeCopy(
        (const char *)text->at, text->n - 1, "libclc");
    buf_free(text);
    LLVMModuleRef module;
    char *message;
    if (LLVMParseIRInContext(context, memory, &module, &message))
        prep_fail("libclc", message);
    LLVMDisposeModule(old);
    return module;
}

/* Whether a line names the compiler and version of a module; kernels would carry those
 * of all modules. */
static bool
is_origin(const char *line)
{
    static const char *const names[] = { "!llvm.ident ", "!opencl." };
    bool found = false;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        found |= strncmp(line, names[i], strlen(names[i])) == 0;
    return found;
}

/* The line with libclc's constant address space as clang's for spir has it. */
static void
put_line(struct buf *out, const char *line, const char *end, bool is_clc)
{
    const char *from = line;
    for (const char *s = line; is_clc && s < end; s++) {
        size_t taken;
        const char *to = replacement(s, &taken);
        if (!to)
            continue;
        buf_put(out, from, (size_t)(s - from));
        buf_put(out, to, strlen(to));
        from = s + taken;
        s = from - 1;
    }
    buf_put(out, from, (size_t)(end - from));
}

/* LLVM-C can neither change the address space of a type, nor rename inside of
 * metadata, nor remove it; text can. */
static LLVMModuleRef
rewrite_as_text(LLVMContextRef context, LLVMModuleRef old, bool is_clc)
{
    char *text = LLVMPrintModuleToString(old);
    struct buf out = { 0 };
    for (const char *line = text, *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        end += *end == '\n';
        if (!is_origin(line))
            put_line(&out, line, end, is_clc);
    }
    buf_put(&out, "", 1);
    LLVMDisposeMessage(text);
    return parse_text(context, &out, old);
}

static void
drop_attributes(LLVMValueRef f)
{
    /* no-builtins and frame-pointer are about libclc's own compilation. */
    static const char *const names[] = {
        "target-features",         "target-cpu",
        "frame-pointer",           "no-builtins",
        "no-trapping-math",        "stack-protector-buffer-size",
        "uniform-work-group-size",
    };
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        LLVMRemoveStringAttributeAtIndex(
            f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, names[i],
            (unsigned)strlen(names[i]));
}

/* vload and vstore read and write bytes, whatever was stored there as what:
 * programs keep halves in shorts. */
static void
change_body(LLVMContextRef context, LLVMValueRef f)
{
    const unsigned tbaa = LLVMGetMDKindIDInContext(context, "tbaa", 4);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
         b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
             i = LLVMGetNextInstruction(i)) {
            LLVMSetMetadata(i, tbaa, NULL);
            if (LLVMIsACallInst(i))
                LLVMSetInstructionCallConv(i, LLVMCCallConv);
        }
}

/*
 * libclc converts to integers what may be out of their range, and leaves out in
 * the end what it computes of that.  For LLVM such a conversion of a constant
 * has any result, also one that makes a table's index, and so the function,
 * undefined; frozen, it is some number.
 */
static void
freeze_conversions(LLVMBuilderRef builder, LLVMValueRef f)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
         b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            LLVMOpcode op = LLVMGetInstructionOpcode(i);
            if (op != LLVMFPToSI && op != LLVMFPToUI)
                continue;
            LLVMPositionBuilderBefore(builder, next);
            LLVMValueRef frozen = LLVMBuildFreeze(builder, i, "");
            LLVMReplaceAllUsesWith(i, frozen);
            LLVMSetOperand(frozen, 0, i); /* of which it was a use, too */
        }
}

static void
freeze_all(LLVMModuleRef module)
{
    LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f))
        freeze_conversions(builder, f);
    LLVMDisposeBuilder(builder);
}

/* Prepares the functions for lazy linking: see the head of this file. */
static void
prepare_functions(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f)) {
        LLVMSetFunctionCallConv(f, LLVMCCallConv);
        drop_attributes(f);
        change_body(LLVMGetModuleContext(module), f);
        if (!LLVMIsDeclaration(f))
            LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g;
         g = LLVMGetNextGlobal(g))
        if (!LLVMIsDeclaration(g))
            LLVMSetLinkage(g, LLVMLinkOnceODRLinkage);
}

/* libclc's tables have names that a kernel might use, like EXP_TBL. */
static void
rename_tables(LLVMModuleRef module)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g;
         g = LLVMGetNextGlobal(g)) {
        size_t n;
        const char *old = LLVMGetValueName2(g, &n);
        struct buf name = { 0 };
        buf_printf(&name, "__clc_%.*s", (int)n, old);
        LLVMSetValueName2(g, (const char *)name.at, name.n);
        buf_free(&name);
    }
}

/* Our own functions.  Nothing internal may stay: a kernel's function of the
 * same name would take its place. */
static LLVMModuleRef
read_own(LLVMContextRef context, const char *path)
{
    LLVMModuleRef own =
        rewrite_as_text(context, read_bitcode(context, path), false);
    LLVMAttributeRef inlined = LLVMCreateEnumAttribute(
        context, LLVMGetEnumAttributeKindForName("alwaysinline", 12), 0);
    for (LLVMValueRef f = LLVMGetFirstFunction(own); f;
         f = LLVMGetNextFunction(f))
        if (LLVMGetLinkage(f) == LLVMInternalLinkage)
            LLVMAddAttributeAtIndex(
                f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, inlined);
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(
        own,
        "always-inline,globaldce,function(sroa,early-cse,simplifycfg,"
        "instcombine<no-verify-fixpoint>,loop-simplify,lcssa,"
        "loop(loop-rotate,indvars),"
        "loop-unroll<O3;no-partial;no-peeling;no-runtime;no-upperbound>,"
        "sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg)",
        NULL, options);
    LLVMDisposePassBuilderOptions(options);
    if (error)
        prep_fail(path, LLVMGetErrorMessage(error));
    return own;
}

/* Renames libclc's NAME to libclc_NAME where our NAME replaces it and calls it so. */
static void
keep_replaced(LLVMModuleRef clc, LLVMModuleRef own)
{
    static const char prefix[] = "libclc_";
    for (LLVMValueRef f = LLVMGetFirstFunction(own); f;
         f = LLVMGetNextFunction(f)) {
        size_t n;
        const char *name = LLVMGetValueName2(f, &n);
        if (strncmp(name, prefix, strlen(prefix)) != 0)
            continue;
        LLVMValueRef old = LLVMGetNamedFunction(clc, name + strlen(prefix));
        if (!old)
            prep_fail(name, "not in libclc");
        LLVMSetValueName2(old, name, n);
    }
}

static void
link_own(LLVMContextRef context, LLVMModuleRef clc, const char *path)
{
    LLVMModuleRef own = read_own(context, path);
    keep_replaced(clc, own);
    if (LLVMLinkModules2(clc, own))
        prep_fail(path, "does not link with libclc");
}

/* The functions of a part as declarations. */
static LLVMModuleRef
declare_part(LLVMModuleRef all, unsigned part)
{
    LLVMModuleRef module = LLVMModuleCreateWithNameInContext(
        library_parts[part].file, LLVMGetModuleContext(all));
    LLVMSetTarget(module, LLVMGetTarget(all));
    LLVMSetDataLayout(module, LLVMGetDataLayoutStr(all));
    for (LLVMValueRef f = LLVMGetFirstFunction(all); f;
         f = LLVMGetNextFunction(f)) {
        size_t n;
        const char *name = LLVMGetValueName2(f, &n);
        if (!LLVMIsDeclaration(f) && library_part_of(name) == part)
            LLVMAddFunction(module, name, LLVMGlobalGetValueType(f));
    }
    return module;
}

/* The linker takes what is declared and what that calls, no more, if all is
 * loaded lazily. */
static void
write_part(LLVMModuleRef all, LLVMMemoryBufferRef bitcode, unsigned part,
           const char *folder)
{
    LLVMModuleRef module = declare_part(all, part), lazy;
    LLVMMemoryBufferRef again = LLVMCreateMemoryBufferWithMemoryRange(
        LLVMGetBufferStart(bitcode), LLVMGetBufferSize(bitcode), "all", false);
    struct buf path = { 0 };
    buf_printf(&path, "%s/%s%c", folder, library_parts[part].file, 0);
    if (LLVMGetBitcodeModuleInContext2(LLVMGetModuleContext(all), again,
                                       &lazy) ||
        LLVMLinkModules2(module, lazy) ||
        LLVMWriteBitcodeToFile(module, (const char *)path.at) != 0)
        prep_fail((const char *)path.at, "cannot be made");
    buf_free(&path);
    LLVMDisposeModule(module);
}

int
main(int argc, char **argv)
{
    if (argc < 4)
        prep_fail("usage", "clcprep LIBCLC.bc FOLDER OWN.bc...");
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef clc = read_bitcode(context, argv[1]);
    LLVMModuleRef first = read_own(context, argv[3]);
    LLVMSetTarget(clc, LLVMGetTarget(first));
    LLVMSetDataLayout(clc, LLVMGetDataLayoutStr(first));
    LLVMDisposeModule(first);
    clc = rewrite_as_text(context, clc, true);
    freeze_all(clc);
    prepare_functions(clc); /* linkonce: our definitions win */
    rename_tables(clc);
    for (int i = 3; i < argc; i++)
        link_own(context, clc, argv[i]);
    prepare_functions(clc);
    LLVMMemoryBufferRef bitcode = LLVMWriteBitcodeToMemoryBuffer(clc);
    for (unsigned part = 0; part < LIBRARY_PARTS; part++)
        write_part(clc, bitcode, part, argv[2]);
    LLVMDisposeMemoryBuffer(bitcode);
    LLVMDisposeModule(clc);
    LLVMContextDispose(context);
    return 0;
}
