/* SPDX-License-Identifier: Apache-2.0 */
/* The number of words of values of an LLVM type; the spaces of pointers. */
#include "cc/isel/type.h"

#include <string.h>

#include "cc/isel/build.h"

/* A sampler is a word, an image the address of a descriptor. */
static unsigned
opaque_width(const struct tr *t, LLVMTypeRef type)
{
    enum { CONSTANT = 2 };
    if (strcmp(LLVMGetTargetExtTypeName(type), "spirv.Image") == 0)
        return cc_pointer_bits(t->target, CONSTANT);
    return 32;
}

unsigned
tr_width(const struct tr *t, LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type);
    case LLVMHalfTypeKind:
        return 16;
    case LLVMDoubleTypeKind:
        return 64;
    case LLVMPointerTypeKind:
        return cc_pointer_bits(t->target, LLVMGetPointerAddressSpace(type));
    case LLVMTargetExtTypeKind:
        return opaque_width(t, type);
    default:
        return 32;
    }
}

unsigned
tr_unit(const struct tr *t, unsigned width)
{
    return width > 32 && !t->target->wide_integers ? 2 : 1;
}

bool
tr_is_pair(const struct tr *t, LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        type = LLVMGetElementType(type);
    return LLVMGetTypeKind(type) == LLVMDoubleTypeKind ||
           (t->target->wide_integers && tr_width(t, type) > 32);
}

unsigned
tr_words(struct tr *t, LLVMTypeRef type)
{
    unsigned n = 0;
    switch (LLVMGetTypeKind(type)) {
    case LLVMVoidTypeKind:
        return 0;
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            n += tr_words(t, LLVMStructGetTypeAtIndex(type, i));
        return n;
    case LLVMArrayTypeKind:
        return (unsigned)LLVMGetArrayLength2(type) *
               tr_words(t, LLVMGetElementType(type));
    case LLVMVectorTypeKind:
        return LLVMGetVectorSize(type) * tr_words(t, LLVMGetElementType(type));
    case LLVMIntegerTypeKind:
        return tr_unit(t, LLVMGetIntTypeWidth(type));
    default:
        return 1;
    }
}

static void
add_sizes(struct tr *t, LLVMTypeRef type, uint8_t **at)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    unsigned n = 0;
    if (kind == LLVMStructTypeKind)
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            add_sizes(t, LLVMStructGetTypeAtIndex(type, i), at);
    else if (kind == LLVMArrayTypeKind)
        for (uint64_t i = 0; i < LLVMGetArrayLength2(type); i++)
            add_sizes(t, LLVMGetElementType(type), at);
    else
        n = tr_words(t, type);
    for (unsigned i = 0; i < n; i++)
        *(*at)++ = tr_is_pair(t, type) ? 2 : 1;
}

const uint8_t *
tr_value_sizes(struct tr *t, LLVMTypeRef type)
{
    uint8_t *r = arena_new(t->m->arena, uint8_t, tr_words(t, type) + 1);
    uint8_t *at = r;
    add_sizes(t, type, &at);
    return r;
}

/* OpenCL's images, samplers and events: the address of a descriptor, a word. */
static bool
is_handle(LLVMTypeRef type)
{
    static const char *const names[] = { "spirv.Image", "spirv.Sampler",
                                         "spirv.Event" };
    const char *name = LLVMGetTargetExtTypeName(type);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* Whether values of the type are words, or there are none. */
static bool
has_words(LLVMTypeRef type)
{
    switch ((int)LLVMGetTypeKind(type)) {
    case LLVMVoidTypeKind:
    case LLVMLabelTypeKind:
    case LLVMMetadataTypeKind:
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind:
        return true;
    case LLVMTargetExtTypeKind:
        return is_handle(type);
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) <= 64;
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind:
        return has_words(LLVMGetElementType(type));
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            if (!has_words(LLVMStructGetTypeAtIndex(type, i)))
                return false;
        return true;
    }
    return false;
}

bool
tr_check_type(struct tr *t, LLVMTypeRef type)
{
    static char checked;
    void **at = map_put_number(t->m->arena, &t->types, (uintptr_t)type);
    if (*at)
        return true;
    if (has_words(type)) {
        *at = &checked;
        return true;
    }
    char *text = LLVMPrintTypeToString(type);
    tr_fail(t,
            "values of type %s are not supported, only integers of up to 64 "
            "bits, half, float, double, and pointers",
            text);
    LLVMDisposeMessage(text);
    return false;
}

enum ir_space
tr_space(struct tr *t, LLVMValueRef pointer)
{
    for (unsigned i = 0; i < t->n_arg_pointers; i++)
        if (t->arg_pointers[i] == pointer)
            return IR_SPACE_CONST;
    switch (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer))) {
    case 1:
        return IR_SPACE_GLOBAL;
    case 2:
        return IR_SPACE_CONST;
    case 3:
        return IR_SPACE_LOCAL;
    case 0:
        return IR_SPACE_PRIVATE;
    }
    tr_fail(t, "generic pointers are not supported");
    return IR_SPACE_GLOBAL;
}
