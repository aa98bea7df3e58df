/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linking with those parts of the device library that have something that is
 * called.  LLVM-C has no "only what is needed", but of a module that is loaded
 * lazily and all linkonce_odr the linker takes only what is called.  The
 * calling conventions must agree before any pass sees a call, or it becomes
 * unreachable.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>

#include "abi/library.h"
#include "base/env.h"
#include "cc/front/calls.h"
#include "cc/front/extern.h"
#include "cc/front/link.h"
#include "cc/front/module.h"

/* The one file that has to be there. */
static const char *
core_of(struct arena *a, const char *dir)
{
    return arena_printf(a, "%s/%s", dir, library_parts[LIBRARY_CORE].file);
}

/* $VENTUS_LIB, or beside the program as built (../lib) or installed. */
static const char *
library_dir(struct arena *a)
{
    const char *dir = env_get("VENTUS_LIB");
    if (dir)
        return dir;
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n < 0)
        n = 0;
    self[n] = 0;
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = 0;
    static const char *const places[] = { "../lib", "../share/ventus",
                                          "../../share/ventus" };
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        dir = arena_printf(a, "%s/%s", self, places[i]);
        if (access(core_of(a, dir), R_OK) == 0)
            return dir;
    }
    return VENTUS_LIBRARY_DIR;
}

static LLVMModuleRef
open_lazily(LLVMContextRef context, struct arena *a, const char *dir,
            const char *name, struct diag_sink *sink)
{
    const char *path = arena_printf(a, "%s/%s", dir, name);
    LLVMMemoryBufferRef memory;
    char *message = NULL;
    LLVMModuleRef module;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &memory, &message)) {
        diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = path },
                    "device library: %s",
                    arena_strndup(a, message, strlen(message)));
        LLVMDisposeMessage(message);
        return NULL;
    }
    if (LLVMGetBitcodeModuleInContext2(context, memory, &module)) {
        diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = path },
                    "device library: not LLVM 19 bitcode");
        LLVMDisposeMemoryBuffer(memory);
        return NULL;
    }
    return module;
}

const char *
front_find_library(struct arena *a, const struct cc_target *target,
                   struct diag_sink *sink)
{
    const char *dir = arena_printf(a, "%s%s", library_dir(a),
                                   cc_target_or_v1(target)->library);
    const char *core = core_of(a, dir);
    if (access(core, R_OK) == 0)
        return dir;
    diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = core },
                "device library: %s", strerror(errno));
    return NULL;
}

/* ---- before ---- */

/* The program may call the other one by its name, too. */
static void
rename_or_merge(LLVMModuleRef module, LLVMValueRef f, const char *name,
                size_t length)
{
    LLVMValueRef known = LLVMGetNamedFunction(module, name);
    if (!known) {
        LLVMSetValueName2(f, name, length);
        return;
    }
    LLVMReplaceAllUsesWith(f, known);
    LLVMDeleteFunction(f);
}

/* _Z3expDv4_f -> _Z10native_expDv4_f; 0: no such function of floats. */
static size_t
native_name(const char *old, char *name, size_t size)
{
    static const char *const names[] = {
        "_Z3sin",   "_Z3cos", "_Z3tan",  "_Z3exp",   "_Z4exp2",
        "_Z5exp10", "_Z3log", "_Z4log2", "_Z5log10", "_Z4powr",
    };
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        size_t m = strlen(names[i]);
        const char *type = old + m; /* f, ff, Dv4_f, Dv4_fS_ */
        if (strncmp(old, names[i], m) == 0 &&
            (*type == 'f' || (*type == 'D' && strstr(type, "_f"))))
            return (size_t)snprintf(name, size, "_Z%zunative_%s%s",
                                    m - 3 + strlen("native_"), names[i] + 3,
                                    type);
    }
    return 0;
}

/* Replaces functions by native ones: under -cl-fast-relaxed-math these are as exact as
 * they have to be. */
void
front_use_native(LLVMModuleRef module)
{
    LLVMValueRef next;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = next) {
        char name[64];
        size_t n;
        next = LLVMGetNextFunction(f);
        size_t length =
            native_name(LLVMGetValueName2(f, &n), name, sizeof name);
        if (length && LLVMIsDeclaration(f))
            rename_or_merge(module, f, name, length);
    }
}

/* Bits of the library's parts that have what the module only declares. */
static unsigned
needed_parts(LLVMModuleRef module)
{
    unsigned parts = 0;
    front_foreach_function(f, module)
    {
        size_t n;
        if (LLVMIsDeclaration(f))
            parts |= 1u << library_part_of(LLVMGetValueName2(f, &n));
    }
    return parts;
}

static bool
link_one(struct front_build *b, LLVMModuleRef library)
{
    LLVMSetTarget(library, LLVMGetTarget(b->module));
    LLVMSetDataLayout(library, LLVMGetDataLayoutStr(b->module));
    if (!LLVMLinkModules2(b->module, library))
        return true;
    front_error(b, NULL, "the device library does not link with this kernel");
    return false;
}

/* ---- after ---- */

static unsigned
attribute_kind(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static void
inline_always(struct front_build *b, LLVMValueRef f)
{
    const LLVMAttributeIndex at =
        (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    LLVMRemoveEnumAttributeAtIndex(f, at, attribute_kind("noinline"));
    LLVMRemoveEnumAttributeAtIndex(f, at, attribute_kind("optnone"));
    LLVMAddAttributeAtIndex(
        f, at,
        LLVMCreateEnumAttribute(b->context, attribute_kind("alwaysinline"), 0));
}

/* Intrinsics that only compute, memory(none), may be hoisted, merged, moved;
 * but clang calls everything in OpenCL convergent. */
static bool
is_pure(LLVMValueRef f)
{
    size_t n;
    const char *name = LLVMGetValueName2(f, &n);
    if (strncmp(name, "__ventus_", 9) != 0 || !LLVMIsDeclaration(f))
        return false;
    LLVMAttributeRef memory = LLVMGetEnumAttributeAtIndex(
        f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        attribute_kind("memory"));
    return memory && LLVMGetEnumAttributeValue(memory) == 0;
}

static void
make_pure(struct front_build *b, LLVMValueRef f)
{
    const LLVMAttributeIndex at =
        (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    LLVMRemoveEnumAttributeAtIndex(f, at, attribute_kind("convergent"));
    LLVMAddAttributeAtIndex(
        f, at,
        LLVMCreateEnumAttribute(b->context, attribute_kind("speculatable"), 0));
}

static void
set_call_conventions(LLVMValueRef f)
{
    front_foreach_block(block, f) front_foreach_insn(i, block)
    {
        if (!LLVMIsACallInst(i))
            continue;
        if (LLVMGetInstructionCallConv(i) == LLVMSPIRFUNCCallConv)
            LLVMSetInstructionCallConv(i, LLVMCCallConv);
        LLVMValueRef callee = front_callee(i);
        if (callee && is_pure(callee))
            LLVMRemoveCallSiteEnumAttribute(
                i, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                attribute_kind("convergent"));
    }
}

/* Makes all functions but kernels internal, to be inlined; kernels are inlined into
 * kernels that call them. */
static void
set_linkage(struct front_build *b)
{
    front_foreach_function(f, b->module)
    {
        set_call_conventions(f);
        if (LLVMIsDeclaration(f)) {
            if (LLVMGetIntrinsicID(f) == 0)
                LLVMSetFunctionCallConv(f, LLVMCCallConv);
            if (is_pure(f))
                make_pure(b, f);
        } else if (!front_is_kernel(f)) {
            LLVMSetFunctionCallConv(f, LLVMCCallConv);
            if (!front_is_exported(f))
                LLVMSetLinkage(f, LLVMInternalLinkage);
            inline_always(b, f);
        } else if (LLVMGetFirstUse(f)) {
            inline_always(b, f);
        }
    }
}

/* The library tells of coordinates outside of images only if bounds are checked. */
static void
drop_image_checks(struct front_build *b)
{
    LLVMValueRef f = LLVMGetNamedFunction(b->module, "__image_outside");
    if (!f || LLVMIsDeclaration(f) || b->options->check_bounds)
        return;
    LLVMBasicBlockRef body = LLVMGetEntryBasicBlock(f);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(body);
    while (LLVMGetFirstInstruction(body) != end)
        LLVMInstructionEraseFromParent(LLVMGetFirstInstruction(body));
}

void
front_link(struct front_build *b)
{
    front_mark_functions(b);
    front_mark_exports(b);
    if (b->options->fast_math)
        front_use_native(b->module);
    unsigned needed = needed_parts(b->module);
    for (unsigned part = 0; part < LIBRARY_PARTS; part++) {
        if (!(needed >> part & 1))
            continue;
        LLVMModuleRef module = open_lazily(b->context, b->arena, b->library,
                                           library_parts[part].file, b->sink);
        if (!module || !link_one(b, module))
            return;
    }
    drop_image_checks(b);
    front_mark_externs(b);
    set_linkage(b);
}
