/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linking objects: a variable or function has one type in all of them.  LLVM's linker
 * takes the definition whatever the others declare: an `extern float` would read the
 * bits of an int, and a call with other parameters would be undefined.
 *
 * Types are LLVM's, so that int and uint are one, as are all pointers to one address
 * space.  clang gives a struct or an array the type of its initial value, a struct: such
 * types of one size are one, too.  An array may be declared without a size.
 */
#include <string.h>

#include <llvm-c/Target.h>

#include "cc/front/module.h"
#include "cc/front/types.h"

/* ---- what the types are called ---- */

static const char *
integer_name(struct arena *a, unsigned bits)
{
    switch (bits) {
    case 1:
        return "bool";
    case 8:
        return "char";
    case 16:
        return "short";
    case 32:
        return "int";
    case 64:
        return "long";
    }
    return arena_printf(a, "integer of %u bits", bits);
}

static const char *
pointer_name(LLVMTypeRef type)
{
    static const char *const names[] = { "private", "global", "constant",
                                         "local", "generic" };
    unsigned space = LLVMGetPointerAddressSpace(type);
    return space < sizeof names / sizeof *names ? names[space] : "other";
}

static const char *
array_name(struct arena *a, const char *element, uint64_t n)
{
    return n ? arena_printf(a, "%s[%llu]", element, (unsigned long long)n)
             : arena_printf(a, "%s[]", element);
}

static const char *
type_name(struct front_build *b, LLVMTypeRef type)
{
    struct arena *a = b->arena;
    switch (LLVMGetTypeKind(type)) {
    case LLVMVoidTypeKind:
        return "void";
    case LLVMHalfTypeKind:
        return "half";
    case LLVMFloatTypeKind:
        return "float";
    case LLVMDoubleTypeKind:
        return "double";
    case LLVMIntegerTypeKind:
        return integer_name(a, LLVMGetIntTypeWidth(type));
    case LLVMPointerTypeKind:
        return arena_printf(a, "pointer to %s", pointer_name(type));
    case LLVMVectorTypeKind:
        return arena_printf(a, "%s%u", type_name(b, LLVMGetElementType(type)),
                            LLVMGetVectorSize(type));
    case LLVMArrayTypeKind:
        return array_name(a, type_name(b, LLVMGetElementType(type)),
                          LLVMGetArrayLength2(type));
    default:
        if (!LLVMTypeIsSized(type))
            return "another type";
        return arena_printf(
            a, "struct of %llu bytes",
            LLVMABISizeOfType(LLVMGetModuleDataLayout(b->module), type));
    }
}

static const char *
function_name(struct front_build *b, LLVMTypeRef type)
{
    unsigned n = LLVMCountParamTypes(type);
    LLVMTypeRef *of = arena_new(b->arena, LLVMTypeRef, n + 1);
    const char *text =
        arena_printf(b->arena, "%s (", type_name(b, LLVMGetReturnType(type)));
    LLVMGetParamTypes(type, of);
    for (unsigned i = 0; i < n; i++)
        text = arena_printf(b->arena, "%s%s%s", text, i ? ", " : "",
                            type_name(b, of[i]));
    return arena_printf(b->arena, "%s)", text);
}

static const char *
name_of(struct front_build *b, LLVMValueRef global)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(global);
    if (LLVMIsAFunction(global))
        return function_name(b, type);
    const char *space = pointer_name(LLVMTypeOf(global));
    return arena_printf(b->arena, "%s %s", space, type_name(b, type));
}

/* ---- are they one? ---- */

static bool
is_struct(LLVMTypeRef type)
{
    while (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
        type = LLVMGetElementType(type);
    return LLVMGetTypeKind(type) == LLVMStructTypeKind;
}

static bool
is_aggregate(LLVMTypeRef type)
{
    return is_struct(type) || LLVMGetTypeKind(type) == LLVMArrayTypeKind;
}

/* An array without a size is an array of none. */
static bool
has_no_size(LLVMTypeRef type)
{
    return !LLVMTypeIsSized(type) ||
           (LLVMGetTypeKind(type) == LLVMArrayTypeKind &&
            !LLVMGetArrayLength2(type));
}

/* Whether the types of the elements agree, if one array has no size. */
static bool
elements_agree(LLVMTypeRef x, LLVMTypeRef y)
{
    bool arrays = LLVMGetTypeKind(x) == LLVMArrayTypeKind &&
                  LLVMGetTypeKind(y) == LLVMArrayTypeKind;
    if (is_struct(x) || is_struct(y))
        return is_aggregate(x) && is_aggregate(y);
    return arrays && LLVMGetElementType(x) == LLVMGetElementType(y);
}

static bool
variables_agree(LLVMModuleRef module, LLVMTypeRef x, LLVMTypeRef y)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
    if (x == y)
        return true;
    if (has_no_size(x) || has_no_size(y))
        return elements_agree(x, y);
    return is_aggregate(x) && is_aggregate(y) &&
           (is_struct(x) || is_struct(y)) &&
           LLVMABISizeOfType(layout, x) == LLVMABISizeOfType(layout, y);
}

/* A parameter that is a struct is a pointer. */
static bool
functions_agree(struct front_build *b, LLVMTypeRef x, LLVMTypeRef y)
{
    unsigned n = LLVMCountParamTypes(x);
    if (x == y)
        return true;
    if (n != LLVMCountParamTypes(y))
        return false;
    LLVMTypeRef *of_x = arena_new(b->arena, LLVMTypeRef, n + 1);
    LLVMTypeRef *of_y = arena_new(b->arena, LLVMTypeRef, n + 1);
    LLVMGetParamTypes(x, of_x);
    LLVMGetParamTypes(y, of_y);
    of_x[n] = LLVMGetReturnType(x);
    of_y[n] = LLVMGetReturnType(y);
    for (unsigned i = 0; i <= n; i++)
        if (of_x[i] != of_y[i] && !variables_agree(b->module, of_x[i], of_y[i]))
            return false;
    return true;
}

static bool
agree(struct front_build *b, LLVMValueRef x, LLVMValueRef y)
{
    LLVMTypeRef of_x = LLVMGlobalGetValueType(x);
    LLVMTypeRef of_y = LLVMGlobalGetValueType(y);
    if (!LLVMIsAFunction(x) != !LLVMIsAFunction(y))
        return false;
    if (LLVMIsAFunction(x))
        return functions_agree(b, of_x, of_y);
    return LLVMTypeOf(x) == LLVMTypeOf(y) &&
           variables_agree(b->module, of_x, of_y);
}

/* ---- all of an object ---- */

static bool
is_shared(LLVMValueRef global)
{
    LLVMLinkage linkage = LLVMGetLinkage(global);
    return linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage &&
           linkage != LLVMAppendingLinkage;
}

static const char *
object_of(const front_seen_list *seen, const char *symbol)
{
    for (size_t i = 0; i < seen->n; i++)
        if (strcmp(seen->at[i].symbol, symbol) == 0)
            return seen->at[i].object;
    return "another object";
}

static bool
compare(struct front_build *b, LLVMValueRef global, front_seen_list *seen)
{
    size_t n;
    const char *name = LLVMGetValueName2(global, &n);
    LLVMValueRef known = b->module ? LLVMGetNamedGlobal(b->module, name) : NULL;
    if (b->module && !known)
        known = LLVMGetNamedFunction(b->module, name);
    if (!is_shared(global) || (known && !is_shared(known)))
        return true;
    if (!known) {
        vec_push(
            b->arena, seen,
            ((struct front_seen){ arena_strndup(b->arena, name, n), b->name }));
        return true;
    }
    if (agree(b, known, global))
        return true;
    front_error(b, NULL, "'%s' is %s here, and %s in %s", name,
                name_of(b, global), name_of(b, known), object_of(seen, name));
    return false;
}

bool
front_types_agree(struct front_build *b, LLVMModuleRef next,
                  front_seen_list *seen)
{
    bool ok = true;
    for (LLVMValueRef g = LLVMGetFirstGlobal(next); g; g = LLVMGetNextGlobal(g))
        ok &= compare(b, g, seen);
    front_foreach_function(f, next) ok &= compare(b, f, seen);
    return ok;
}
