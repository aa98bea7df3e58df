/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A module that llvm-spirv made becomes one as clang makes it.
 *
 * Images, samplers and events are pointers there, in address spaces 1, 2 and 0, which
 * only names tell from others: those of the library's functions, and the types of
 * kernels' arguments in the metadata.  So a function of the library is declared with
 * LLVM's types of them, and each value converted where it is passed; a kernel converts
 * its parameters at its beginning.  When all is inlined, the two meet
 * (front_join_handles): an image comes from a parameter, as OpenCL C has it, too.
 */
#include "cc/front/spirv_module.h"

#include <ctype.h>
#include <string.h>

#include "base/arith.h"
#include "cc/front/llvm_passes.h"

/* Functions from a pointer to a handle, and back; the type's name follows. */
static const char TO_HANDLE[] = "__ventus_spirv_to.";
static const char FROM_HANDLE[] = "__ventus_spirv_from.";

/* ---- the types ---- */

/* The type of "image2d_array_ro", "sampler" or "event"; NULL: none of those. */
static LLVMTypeRef
handle_type(struct front_build *b, const char *name, size_t n)
{
    enum { DIM, DEPTH, ARRAYED, MULTISAMPLED, SAMPLED, FORMAT, ACCESS, PARTS };
    static const struct {
        const char *name;
        unsigned dim, depth, arrayed;
    } images[] = {
        { "image1d", 0, 0, 0 },
        { "image1d_array", 0, 0, 1 },
        { "image1d_buffer", 5, 0, 0 },
        { "image2d", 1, 0, 0 },
        { "image2d_array", 1, 0, 1 },
        { "image2d_depth", 1, 1, 0 },
        { "image2d_array_depth", 1, 1, 1 },
        { "image3d", 2, 0, 0 },
    };
    static const char *const accesses[] = { "_ro", "_wo", "_rw" };
    LLVMContextRef c = b->context;
    if (n == 7 && memcmp(name, "sampler", n) == 0)
        return LLVMTargetExtTypeInContext(c, "spirv.Sampler", NULL, 0, NULL, 0);
    if (n == 5 && memcmp(name, "event", n) == 0)
        return LLVMTargetExtTypeInContext(c, "spirv.Event", NULL, 0, NULL, 0);
    for (unsigned i = 0; i < ARRAY_SIZE(images); i++) {
        size_t length = strlen(images[i].name);
        if (n != length + 3 || memcmp(name, images[i].name, length) != 0)
            continue;
        unsigned parts[PARTS] = { [DIM] = images[i].dim,
                                  [DEPTH] = images[i].depth,
                                  [ARRAYED] = images[i].arrayed };
        LLVMTypeRef none = LLVMVoidTypeInContext(c);
        for (unsigned a = 0; a < 3; a++) {
            parts[ACCESS] = a;
            if (memcmp(name + length, accesses[a], 3) == 0)
                return LLVMTargetExtTypeInContext(c, "spirv.Image", &none, 1,
                                                  parts, PARTS);
        }
    }
    return NULL;
}

/* A handle, and the name of its type. */
struct handle {
    LLVMTypeRef type; /* NULL: none */
    const char *name;
};

/* ---- conversions ---- */

static bool
is_event(LLVMTypeRef type)
{
    return strcmp(LLVMGetTargetExtTypeName(type), "spirv.Event") == 0;
}

static LLVMValueRef
call_one(struct front_build *b, LLVMBuilderRef at, const char *name,
         LLVMTypeRef result, LLVMValueRef x)
{
    LLVMTypeRef from = LLVMTypeOf(x);
    LLVMTypeRef type = LLVMFunctionType(result, &from, 1, false);
    LLVMValueRef f = LLVMGetNamedFunction(b->module, name);
    if (!f)
        f = LLVMAddFunction(b->module, name, type);
    return LLVMBuildCall2(at, type, f, &x, 1, "");
}

/* The handle that a pointer is.  An event is its word. */
static LLVMValueRef
to_handle(struct front_build *b, LLVMBuilderRef at, struct handle h,
          LLVMValueRef pointer)
{
    LLVMTypeRef word = LLVMInt32TypeInContext(b->context);
    if (is_event(h.type))
        return call_one(b, at, "__ventus_event", h.type,
                        LLVMBuildPtrToInt(at, pointer, word, ""));
    return call_one(b, at, arena_printf(b->arena, "%s%s", TO_HANDLE, h.name),
                    h.type, pointer);
}

static LLVMValueRef
from_handle(struct front_build *b, LLVMBuilderRef at, struct handle h,
            LLVMTypeRef pointer, LLVMValueRef handle)
{
    LLVMTypeRef word = LLVMInt32TypeInContext(b->context);
    if (is_event(h.type))
        return LLVMBuildIntToPtr(
            at, call_one(b, at, "__ventus_event_word", word, handle), pointer,
            "");
    return call_one(b, at, arena_printf(b->arena, "%s%s", FROM_HANDLE, h.name),
                    pointer, handle);
}

/* ---- functions of the library ---- */

static bool
is_pointer_in(LLVMTypeRef type, unsigned space)
{
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind &&
           LLVMGetPointerAddressSpace(type) == space;
}

/* The next "ocl_NAME" in a mangled name from *at on; false: there is none. */
static bool
next_name(struct front_build *b, const char **at, struct handle *h)
{
    const char *s = strstr(*at, "ocl_");
    if (!s)
        return false;
    s += strlen("ocl_");
    size_t n = 0;
    while (islower((unsigned char)s[n]) || s[n] == '_' ||
           (n == 5 && isdigit((unsigned char)s[n]))) /* image2d */
        n++;
    /* The letter of the next parameter's type may follow. */
    while (n && !(h->type = handle_type(b, s, n)))
        n--;
    h->name = arena_strndup(b->arena, s, n);
    *at = s + n;
    return true;
}

/* The address space of the pointer that a handle is. */
static unsigned
space_of(LLVMTypeRef type)
{
    const char *name = LLVMGetTargetExtTypeName(type);
    return strcmp(name, "spirv.Image") == 0     ? 1
           : strcmp(name, "spirv.Sampler") == 0 ? 2
                                                : 0;
}

/* The handles among a function's result, which is the last, and parameters; false:
 * there are none. */
static bool
handles_of_builtin(struct front_build *b, const char *name,
                   const LLVMTypeRef *types, unsigned n, struct handle *handles)
{
    bool any = false;
    struct handle h = { 0 };
    unsigned next = 0;
    if (strcmp(name, "__translate_sampler_initializer") == 0) {
        handles[n] = (struct handle){ handle_type(b, "sampler", 7), "sampler" };
        return is_pointer_in(types[n], space_of(handles[n].type));
    }
    if (strncmp(name, "_Z", 2) != 0)
        return false;
    while (next_name(b, &name, &h)) {
        while (h.type && next < n &&
               !is_pointer_in(types[next], space_of(h.type)))
            next++;
        if (!h.type || next == n)
            continue;
        any = true;
        handles[next++] = h;
        if (is_event(h.type) && is_pointer_in(types[n], 0))
            handles[n] = h;
    }
    return any;
}

/* A function's result type, at [n], and its n parameters'. */
static LLVMTypeRef *
types_of(struct front_build *b, LLVMTypeRef function, unsigned *n)
{
    *n = LLVMCountParamTypes(function);
    LLVMTypeRef *types = arena_new(b->arena, LLVMTypeRef, *n + 1);
    LLVMGetParamTypes(function, types);
    types[*n] = LLVMGetReturnType(function);
    return types;
}

/* The type with handles in place of pointers. */
static LLVMTypeRef
with_handles(struct front_build *b, const LLVMTypeRef *types, unsigned n,
             const struct handle *handles)
{
    LLVMTypeRef *all = arena_new(b->arena, LLVMTypeRef, n + 1);
    for (unsigned i = 0; i <= n; i++)
        all[i] = handles[i].type ? handles[i].type : types[i];
    return LLVMFunctionType(all[n], all, n, false);
}

static void
replace_call(struct front_build *b, LLVMValueRef call, LLVMValueRef f,
             LLVMTypeRef type, const struct handle *handles)
{
    unsigned n = LLVMCountParamTypes(type);
    LLVMValueRef *args = arena_new(b->arena, LLVMValueRef, n + 1);
    LLVMBuilderRef at = LLVMCreateBuilderInContext(b->context);
    LLVMPositionBuilderBefore(at, call);
    for (unsigned i = 0; i < n; i++) {
        args[i] = LLVMGetOperand(call, i);
        if (handles[i].type)
            args[i] = to_handle(b, at, handles[i], args[i]);
    }
    LLVMValueRef made = LLVMBuildCall2(at, type, f, args, n, "");
    LLVMSetInstructionCallConv(made, LLVMGetInstructionCallConv(call));
    LLVMValueRef result = made;
    if (handles[n].type)
        result = from_handle(b, at, handles[n], LLVMTypeOf(call), made);
    if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
        LLVMReplaceAllUsesWith(call, result);
    LLVMInstructionEraseFromParent(call);
    LLVMDisposeBuilder(at);
}

static void
redeclare(struct front_build *b, LLVMValueRef f)
{
    size_t length;
    unsigned n;
    const char *name = LLVMGetValueName2(f, &length);
    name = arena_strndup(b->arena, name, length);
    LLVMTypeRef *types = types_of(b, LLVMGlobalGetValueType(f), &n);
    struct handle *handles = arena_new(b->arena, struct handle, n + 1);
    if (!handles_of_builtin(b, name, types, n, handles))
        return;
    LLVMTypeRef type = with_handles(b, types, n, handles);
    LLVMSetValueName2(f, "", 0);
    LLVMValueRef made = LLVMAddFunction(b->module, name, type);
    LLVMSetFunctionCallConv(made, LLVMGetFunctionCallConv(f));
    LLVMUseRef next;
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = next) {
        LLVMValueRef call = LLVMGetUser(u);
        next = LLVMGetNextUse(u);
        if (front_callee(call) == f)
            replace_call(b, call, made, type, handles);
    }
    if (LLVMGetFirstUse(f))
        front_error(b, NULL, "function '%s' is used as a value", name);
    else
        LLVMDeleteFunction(f);
}

/* ---- kernels ---- */

/* "image2d_ro" of image2d_t and read_only. */
static const char *
handle_name(struct front_build *b, const char *type, const char *access)
{
    size_t n = strlen(type);
    if (n < 2 || strcmp(type + n - 2, "_t") != 0)
        return "";
    if (strncmp(type, "image", 5) != 0)
        return arena_strndup(b->arena, type, n - 2);
    return arena_printf(b->arena, "%.*s%s", (int)(n - 2), type,
                        strcmp(access, "write_only") == 0   ? "_wo"
                        : strcmp(access, "read_write") == 0 ? "_rw"
                                                            : "_ro");
}

static bool
handles_of_kernel(struct front_build *b, LLVMValueRef f,
                  const LLVMTypeRef *types, unsigned n, struct handle *handles)
{
    unsigned n_types, n_accesses;
    bool any = false;
    LLVMValueRef *names =
        front_metadata(b->arena, f, "kernel_arg_base_type", &n_types);
    LLVMValueRef *accesses =
        front_metadata(b->arena, f, "kernel_arg_access_qual", &n_accesses);
    for (unsigned i = 0; i < n && i < n_types && i < n_accesses; i++) {
        const char *name =
            handle_name(b, front_metadata_text(b->arena, names[i]),
                        front_metadata_text(b->arena, accesses[i]));
        LLVMTypeRef type = handle_type(b, name, strlen(name));
        if (!type || is_event(type) || !is_pointer_in(types[i], space_of(type)))
            continue;
        handles[i] = (struct handle){ type, name };
        any = true;
    }
    return any;
}

static void
move_body(LLVMValueRef to, LLVMValueRef from)
{
    LLVMBasicBlockRef block;
    while ((block = LLVMGetFirstBasicBlock(from))) {
        LLVMRemoveBasicBlockFromParent(block);
        LLVMAppendExistingBasicBlock(to, block);
    }
}

static void
copy_attributes(struct front_build *b, LLVMValueRef to, LLVMValueRef from,
                LLVMAttributeIndex at)
{
    unsigned n = LLVMGetAttributeCountAtIndex(from, at);
    LLVMAttributeRef *list = arena_new(b->arena, LLVMAttributeRef, n + 1);
    LLVMGetAttributesAtIndex(from, at, list);
    for (unsigned i = 0; i < n; i++)
        LLVMAddAttributeAtIndex(to, at, list[i]);
}

static void
copy_metadata(LLVMValueRef to, LLVMValueRef from)
{
    size_t n;
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(from, &n);
    LLVMGlobalClearMetadata(from);
    for (unsigned i = 0; i < n; i++)
        LLVMGlobalSetMetadata(to, LLVMValueMetadataEntriesGetKind(all, i),
                              LLVMValueMetadataEntriesGetMetadata(all, i));
    LLVMDisposeValueMetadataEntries(all);
}

static void
take_params(struct front_build *b, LLVMValueRef to, LLVMValueRef from,
            const LLVMTypeRef *types, const struct handle *handles)
{
    LLVMBuilderRef at = LLVMCreateBuilderInContext(b->context);
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(to);
    LLVMPositionBuilderBefore(at, LLVMGetFirstInstruction(entry));
    for (unsigned i = 0; i < LLVMCountParams(to); i++) {
        LLVMValueRef param = LLVMGetParam(to, i);
        if (handles[i].type)
            param = from_handle(b, at, handles[i], types[i], param);
        else
            copy_attributes(b, to, from, i + 1);
        LLVMReplaceAllUsesWith(LLVMGetParam(from, i), param);
    }
    LLVMDisposeBuilder(at);
}

static void
remake_kernel(struct front_build *b, LLVMValueRef f)
{
    size_t length;
    unsigned n;
    LLVMTypeRef *types = types_of(b, LLVMGlobalGetValueType(f), &n);
    struct handle *handles = arena_new(b->arena, struct handle, n + 1);
    if (!handles_of_kernel(b, f, types, n, handles))
        return;
    const char *name = LLVMGetValueName2(f, &length);
    name = arena_strndup(b->arena, name, length);
    LLVMTypeRef type = with_handles(b, types, n, handles);
    LLVMSetValueName2(f, "", 0);
    LLVMValueRef made = LLVMAddFunction(b->module, name, type);
    LLVMSetFunctionCallConv(made, LLVMGetFunctionCallConv(f));
    LLVMSetLinkage(made, LLVMGetLinkage(f));
    copy_metadata(made, f);
    copy_attributes(b, made, f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex);
    move_body(made, f);
    take_params(b, made, f, types, handles);
    if (LLVMGetFirstUse(f))
        front_error(b, NULL, "kernel '%s' is called in the module", name);
    else
        LLVMDeleteFunction(f);
}

/* ---- integers of any width ---- */

/* The last letters of a mangled name of the library, one for each of its last parameters:
 * numbers of 32 bits, which in SPIR-V may have any width. */
static const char *
numbers_of(const char *name)
{
    static const struct {
        const char *start, *end;
    } rows[] = {
        { "_Z15bitfield_insert", "jj" },
        { "_Z23bitfield_extract_signed", "jj" },
        { "_Z25bitfield_extract_unsigned", "jj" },
        { "_Z16sub_group_rotate", "i" },
        { "_Z26sub_group_clustered_rotate", "ij" },
        { "_Z17sub_group_shuffle", "j" },
        { "_Z21sub_group_shuffle_xor", "j" },
        { "_Z20sub_group_shuffle_up", "j" },
        { "_Z22sub_group_shuffle_down", "j" },
    };
    for (unsigned i = 0; i < ARRAY_SIZE(rows); i++)
        if (strncmp(name, rows[i].start, strlen(rows[i].start)) == 0)
            return rows[i].end;
    return NULL;
}

/* A call with the last `numbers` arguments as words. */
static void
narrow_call(struct front_build *b, LLVMValueRef call, LLVMValueRef f,
            LLVMTypeRef type, unsigned numbers)
{
    unsigned n = LLVMCountParamTypes(type);
    LLVMValueRef *args = arena_new(b->arena, LLVMValueRef, n);
    LLVMBuilderRef at = LLVMCreateBuilderInContext(b->context);
    LLVMTypeRef word = LLVMInt32TypeInContext(b->context);
    LLVMPositionBuilderBefore(at, call);
    for (unsigned i = 0; i < n; i++) {
        args[i] = LLVMGetOperand(call, i);
        if (i >= n - numbers)
            args[i] = LLVMBuildIntCast2(at, args[i], word, false, "");
    }
    LLVMValueRef made = LLVMBuildCall2(at, type, f, args, n, "");
    LLVMSetInstructionCallConv(made, LLVMGetInstructionCallConv(call));
    LLVMReplaceAllUsesWith(call, made);
    LLVMInstructionEraseFromParent(call);
    LLVMDisposeBuilder(at);
}

/* Calls the library's function where the module declares one for other widths; true:
 * there is no such declaration any more. */
static bool
narrow(struct front_build *b, LLVMValueRef f)
{
    size_t length;
    unsigned n;
    char *name = (char *)LLVMGetValueName2(f, &length);
    const char *end = numbers_of(name);
    if (!end || strcmp(name + length - strlen(end), end) == 0)
        return false;
    unsigned numbers = (unsigned)strlen(end);
    LLVMTypeRef *types = types_of(b, LLVMGlobalGetValueType(f), &n);
    for (unsigned i = n - numbers; i < n; i++)
        types[i] = LLVMInt32TypeInContext(b->context);
    LLVMTypeRef type = LLVMFunctionType(types[n], types, n, false);
    name =
        arena_printf(b->arena, "%.*s%s", (int)length - (int)numbers, name, end);
    LLVMValueRef to = LLVMGetNamedFunction(b->module, name);
    if (!to) {
        to = LLVMAddFunction(b->module, name, type);
        LLVMSetFunctionCallConv(to, LLVMGetFunctionCallConv(f));
    }
    LLVMUseRef next;
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = next) {
        next = LLVMGetNextUse(u);
        narrow_call(b, LLVMGetUser(u), to, type, numbers);
    }
    LLVMDeleteFunction(f);
    return true;
}

/* ---- remainders ---- */

/* The library's fmod() of a type: clang gives OpenCL C no remainder of its own. */
static LLVMValueRef
fmod_of(struct front_build *b, LLVMTypeRef type)
{
    bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    LLVMTypeRef element = vector ? LLVMGetElementType(type) : type;
    LLVMTypeKind kind = LLVMGetTypeKind(element);
    const char *letters = kind == LLVMHalfTypeKind    ? "Dh"
                          : kind == LLVMFloatTypeKind ? "f"
                                                      : "d";
    const char *name =
        vector ? arena_printf(b->arena, "_Z4fmodDv%u_%sS_",
                              LLVMGetVectorSize(type), letters)
               : arena_printf(b->arena, "_Z4fmod%s%s", letters, letters);
    LLVMValueRef f = LLVMGetNamedFunction(b->module, name);
    LLVMTypeRef types[] = { type, type };
    if (!f) {
        f = LLVMAddFunction(b->module, name,
                            LLVMFunctionType(type, types, 2, false));
        LLVMSetFunctionCallConv(f, LLVMSPIRFUNCCallConv);
    }
    return f;
}

static void
call_remainders(struct front_build *b, LLVMValueRef function)
{
    LLVMBuilderRef at = LLVMCreateBuilderInContext(b->context);
    front_foreach_block(block, function) front_foreach_insn(i, block)
    {
        if (LLVMGetInstructionOpcode(i) != LLVMFRem)
            continue;
        LLVMValueRef args[] = { LLVMGetOperand(i, 0), LLVMGetOperand(i, 1) };
        LLVMValueRef f = fmod_of(b, LLVMTypeOf(i));
        LLVMPositionBuilderBefore(at, i);
        LLVMValueRef call =
            LLVMBuildCall2(at, LLVMGlobalGetValueType(f), f, args, 2, "");
        LLVMSetInstructionCallConv(call, LLVMSPIRFUNCCallConv);
        LLVMReplaceAllUsesWith(i, call);
        LLVMInstructionEraseFromParent(i);
    }
    LLVMDisposeBuilder(at);
}

/* ---- attributes ---- */

static void
add_attribute(struct front_build *b, LLVMValueRef f, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(b->context, kind, 0));
}

/* Calls have the attributes of functions there, of which clang gives a call only some: a
 * call is inlined if its function is. */
static void
free_calls(LLVMValueRef f)
{
    const unsigned kind = LLVMGetEnumAttributeKindForName("noinline", 8);
    front_foreach_block(block, f) front_foreach_insn(i, block)
    {
        if (LLVMIsACallInst(i))
            LLVMRemoveCallSiteEnumAttribute(
                i, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
    }
}

/* Marks all functions as clang does for OpenCL C: work-items may wait for each other in
 * any, and kernels know whether all work-groups have one size. */
static void
set_attributes(struct front_build *b)
{
    static const char uniform[] = "uniform-work-group-size";
    front_foreach_function(f, b->module)
    {
        if (LLVMGetIntrinsicID(f) != 0)
            continue;
        add_attribute(b, f, "convergent");
        free_calls(f);
        if (front_is_kernel(f) && b->options->uniform_groups)
            LLVMAddAttributeAtIndex(
                f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                LLVMCreateStringAttribute(b->context, uniform,
                                          sizeof uniform - 1, "true", 4));
    }
}

/* Variables of the address space are constant, whatever the module says of each: a format
 * of printf() has to be. */
static void
fix_constants(struct front_build *b)
{
    enum { CONSTANT = 2 };
    for (LLVMValueRef g = LLVMGetFirstGlobal(b->module); g;
         g = LLVMGetNextGlobal(g))
        if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == CONSTANT)
            LLVMSetGlobalConstant(g, true);
}

/* ---- storage classes ---- */

/* Whether it points to memory that OpenCL does not have, as that of storage class Input,
 * which is left where llvm-spirv does not know a variable. */
static bool
points_elsewhere(LLVMTypeRef type)
{
    enum { GENERIC = 4 };
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        type = LLVMGetElementType(type);
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind &&
           LLVMGetPointerAddressSpace(type) > GENERIC;
}

static void
refuse_function(struct front_build *b, LLVMValueRef f)
{
    bool found = false;
    for (unsigned i = 0; i < LLVMCountParams(f); i++)
        found |= points_elsewhere(LLVMTypeOf(LLVMGetParam(f, i)));
    front_foreach_block(block, f) front_foreach_insn(i, block) found |=
        points_elsewhere(LLVMTypeOf(i));
    if (found)
        front_error(b, NULL,
                    "a pointer of the SPIR-V module: expected storage class "
                    "UniformConstant, Workgroup, CrossWorkgroup, Function or "
                    "Generic");
}

static void
refuse_storage_classes(struct front_build *b)
{
    size_t n;
    for (LLVMValueRef g = LLVMGetFirstGlobal(b->module); g;
         g = LLVMGetNextGlobal(g))
        if (points_elsewhere(LLVMTypeOf(g)))
            front_error(b, NULL,
                        "variable '%s' of the SPIR-V module: expected storage "
                        "class UniformConstant, Workgroup or CrossWorkgroup, "
                        "or the only variable with its BuiltIn",
                        LLVMGetValueName2(g, &n));
    if (b->sink->errors)
        return;
    front_foreach_function(f, b->module) refuse_function(b, f);
}

/* ---- all together ---- */

bool
front_spirv_adapt(struct front_build *b)
{
    const struct cc_target *target = cc_target_or_v1(b->options->target);
    LLVMValueRef next;
    refuse_storage_classes(b);
    if (b->sink->errors)
        return false;
    LLVMSetTarget(b->module, target->triple);
    for (LLVMValueRef f = LLVMGetFirstFunction(b->module); f; f = next) {
        next = LLVMGetNextFunction(f);
        call_remainders(b, f);
        if (front_is_kernel(f))
            remake_kernel(b, f);
        else if (LLVMIsDeclaration(f) && LLVMGetIntrinsicID(f) == 0 &&
                 !narrow(b, f))
            redeclare(b, f);
    }
    set_attributes(b);
    fix_constants(b);
    /* A work-item's number is one of a vector of three. */
    front_run_llvm(b, "function(instsimplify,dce)");
    return !b->sink->errors;
}

/* ---- when all is inlined ---- */

static bool
calls(LLVMValueRef insn, const char *prefix)
{
    LLVMValueRef f = LLVMIsACallInst(insn) ? front_callee(insn) : NULL;
    size_t n;
    return f && strncmp(LLVMGetValueName2(f, &n), prefix, strlen(prefix)) == 0;
}

static void
join(struct front_build *b, LLVMValueRef call)
{
    LLVMValueRef from = LLVMGetOperand(call, 0);
    if (calls(from, FROM_HANDLE) &&
        LLVMTypeOf(LLVMGetOperand(from, 0)) == LLVMTypeOf(call)) {
        LLVMReplaceAllUsesWith(call, LLVMGetOperand(from, 0));
        LLVMInstructionEraseFromParent(call);
        return;
    }
    front_error(b, call,
                "an image or a sampler of a SPIR-V module: expected a "
                "parameter of the kernel, of the type that is used");
}

void
front_join_handles(struct front_build *b)
{
    front_foreach_function(f, b->module) front_foreach_block(block, f)
        front_foreach_insn(i, block) if (calls(i, TO_HANDLE)) join(b, i);
    front_foreach_function(f, b->module) front_foreach_block(block, f)
        front_foreach_insn(i, block)
    {
        if (calls(i, FROM_HANDLE) && !LLVMGetFirstUse(i))
            LLVMInstructionEraseFromParent(i);
        else if (calls(i, FROM_HANDLE))
            front_error(b, i,
                        "an image or a sampler of a SPIR-V module is used as "
                        "another pointer");
    }
}
