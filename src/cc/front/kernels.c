/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what clang's metadata say of a kernel and its arguments. */
#include <string.h>

#include <llvm-c/Target.h>

#include "cc/front/module.h"

static void
read_size(struct arena *a, LLVMValueRef f, const char *name, uint32_t size[3])
{
    unsigned n;
    LLVMValueRef *at = front_metadata(a, f, name, &n);
    for (unsigned i = 0; i < 3 && n == 3; i++)
        size[i] = (uint32_t)LLVMConstIntGetZExtValue(at[i]);
}

/* Strings of every argument, by argument. */
struct strings {
    LLVMValueRef *at;
    unsigned n;
};

static struct strings
node_strings(struct arena *a, LLVMValueRef f, const char *name)
{
    struct strings s;
    s.at = front_metadata(a, f, name, &s.n);
    return s;
}

static const char *
string_at(struct arena *a, struct strings s, unsigned i)
{
    return i < s.n ? front_metadata_text(a, s.at[i]) : "";
}

static enum kernel_arg_kind
kind_of(LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMTargetExtTypeKind)
        return strcmp(LLVMGetTargetExtTypeName(type), "spirv.Sampler") == 0
                   ? KERNEL_ARG_SAMPLER
                   : KERNEL_ARG_IMAGE;
    if (LLVMGetTypeKind(type) != LLVMPointerTypeKind)
        return KERNEL_ARG_VALUE;
    switch (LLVMGetPointerAddressSpace(type)) {
    case 1:
        return KERNEL_ARG_GLOBAL;
    case 2:
        return KERNEL_ARG_CONSTANT;
    case 3:
        return KERNEL_ARG_LOCAL;
    }
    return KERNEL_ARG_VALUE; /* a struct, by its address in the caller */
}

static unsigned
qualifiers_of(const char *words)
{
    unsigned q = 0;
    q |= strstr(words, "const") ? KERNEL_ARG_CONST : 0;
    q |= strstr(words, "restrict") ? KERNEL_ARG_RESTRICT : 0;
    q |= strstr(words, "volatile") ? KERNEL_ARG_VOLATILE : 0;
    q |= strstr(words, "pipe") ? KERNEL_ARG_PIPE : 0;
    return q;
}

static enum kernel_arg_access
access_of(const char *word)
{
    if (strcmp(word, "read_only") == 0)
        return KERNEL_ACCESS_READ_ONLY;
    if (strcmp(word, "write_only") == 0)
        return KERNEL_ACCESS_WRITE_ONLY;
    if (strcmp(word, "read_write") == 0)
        return KERNEL_ACCESS_READ_WRITE;
    return KERNEL_ACCESS_NONE;
}

/* The type of the bytes in the argument buffer: a struct is passed as a
 * pointer with byval. */
static LLVMTypeRef
stored_type(LLVMValueRef f, unsigned i, LLVMTypeRef type)
{
    LLVMAttributeRef byval = LLVMGetEnumAttributeAtIndex(
        f, i + 1, LLVMGetEnumAttributeKindForName("byval", 5));
    return byval ? LLVMGetTypeAttributeValue(byval) : type;
}

/* The size in the argument buffer (abi.md): that of the pointer, or of the address of
 * an image's descriptor. */
static uint32_t
address_B(enum kernel_arg_kind kind, LLVMTargetDataRef layout)
{
    enum { GLOBAL = 1, CONSTANT = 2 };
    switch (kind) {
    case KERNEL_ARG_GLOBAL:
        return LLVMPointerSizeForAS(layout, GLOBAL);
    case KERNEL_ARG_CONSTANT:
    case KERNEL_ARG_IMAGE:
        return LLVMPointerSizeForAS(layout, CONSTANT);
    case KERNEL_ARG_LOCAL:
    case KERNEL_ARG_SAMPLER:
    case KERNEL_ARG_VALUE:
    case KERNEL_ARG_KINDS:
        return 4;
    }
    return 4;
}

static void
lay_out(struct kernel_arg *arg, LLVMTargetDataRef layout, LLVMTypeRef type)
{
    arg->size_B = arg->align_B = address_B(arg->kind, layout);
    if (arg->kind != KERNEL_ARG_VALUE)
        return;
    /* A 3-vector takes the room of a 4-vector: its alloc size. */
    arg->size_B = (uint32_t)LLVMABISizeOfType(layout, type);
    arg->align_B = LLVMABIAlignmentOfType(layout, type);
}

static void
read_args(struct arena *a, LLVMValueRef f, unsigned n, struct kernel_arg *args)
{
    struct strings names = node_strings(a, f, "kernel_arg_name");
    struct strings types = node_strings(a, f, "kernel_arg_type");
    struct strings qualifiers = node_strings(a, f, "kernel_arg_type_qual");
    struct strings accesses = node_strings(a, f, "kernel_arg_access_qual");
    LLVMTargetDataRef layout =
        LLVMCreateTargetData(LLVMGetDataLayoutStr(LLVMGetGlobalParent(f)));
    for (unsigned i = 0; i < n; i++) {
        struct kernel_arg *arg = &args[i];
        LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(f, i));
        arg->name = string_at(a, names, i);
        arg->type_name = string_at(a, types, i);
        arg->kind = kind_of(type);
        arg->qualifiers = qualifiers_of(string_at(a, qualifiers, i));
        arg->access = access_of(string_at(a, accesses, i));
        lay_out(arg, layout, stored_type(f, i, type));
    }
    LLVMDisposeTargetData(layout);
}

/* "float4" of vec_type_hint(float4): an undefined value of the type, and
 * whether it is signed. */
static const char *
hint_type(struct arena *a, LLVMValueRef f)
{
    unsigned n, lanes = 1;
    LLVMValueRef *at = front_metadata(a, f, "vec_type_hint", &n);
    if (n != 2)
        return "";
    LLVMTypeRef type = LLVMTypeOf(at[0]);
    bool is_signed = LLVMConstIntGetZExtValue(at[1]) != 0;
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
        lanes = LLVMGetVectorSize(type);
        type = LLVMGetElementType(type);
    }
    const char *name = "half";
    if (LLVMGetTypeKind(type) == LLVMDoubleTypeKind)
        name = "double";
    else if (LLVMGetTypeKind(type) == LLVMFloatTypeKind)
        name = "float";
    else if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind)
        name = LLVMGetIntTypeWidth(type) == 8    ? "char"
               : LLVMGetIntTypeWidth(type) == 16 ? "short"
               : LLVMGetIntTypeWidth(type) == 32 ? "int"
                                                 : "long";
    bool is_unsigned =
        LLVMGetTypeKind(type) == LLVMIntegerTypeKind && !is_signed;
    return arena_printf(a, lanes > 1 ? "%s%s%u" : "%s%s",
                        is_unsigned ? "u" : "", name, lanes);
}

/* Whether the language or -cl-uniform-work-group-size says that all work-groups have
 * one size. */
static bool
has_uniform_groups(LLVMValueRef function)
{
    static const char name[] = "uniform-work-group-size";
    LLVMAttributeRef a = LLVMGetStringAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name,
        sizeof name - 1);
    unsigned length = 0;
    const char *value = a ? LLVMGetStringAttributeValue(a, &length) : "";
    return length == 4 && memcmp(value, "true", 4) == 0;
}

void
front_kernel_info(struct arena *a, void *function, struct kernel_info *info)
{
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    info->name = arena_strndup(a, name, length);
    info->n_args = LLVMCountParams(function);
    struct kernel_arg *args = arena_new(a, struct kernel_arg, info->n_args);
    read_args(a, function, (unsigned)info->n_args, args);
    info->args = args;
    read_size(a, function, "reqd_work_group_size", info->required_wg);
    read_size(a, function, "work_group_size_hint", info->hint_wg);
    info->required_sub_group = (uint32_t)front_required_sub_group(a, function);
    info->hint_type = hint_type(a, function);
    info->uniform_groups = has_uniform_groups(function);
}
