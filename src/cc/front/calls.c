/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses which functions of the user are called instead of inlined: those
 * that say noinline, large ones where inlining would multiply the code, and with -g
 * -O0 all.
 *
 * A function is inlined whatever it says, together with all that call it in
 * turn, where it could not be called: if it is recursive (which is an error,
 * found later), uses inline assembly, images, pointers without address space or
 * local memory that is no argument, or prints strings, which must be known
 * where they are printed.
 *
 * So is one that asks for the size that its kernel requires of sub-groups.
 *
 * So is one in which a work-item may wait for another, in a loop with an atomic or
 * volatile access: which writes end the wait only its caller shows (progress.c).  It
 * stays only if inlining would multiply the code, or for other objects.
 *
 * A struct by value is a pointer to private memory, of which a function that
 * stays makes its own copy.
 */
#include <string.h>

#include <llvm-c/Target.h>

#include "base/map.h"
#include "cc/front/calls.h"
#include "cc/front/extern.h"
#include "cc/front/module.h"

enum { LARGE = 400, EXPLOSION = 30000 }; /* LLVM's instructions, at first */

struct candidate {
    LLVMValueRef f;
    bool visited, open;
    bool not_callable;
    bool shares; /* atomics, volatile accesses, with all that it calls */
    bool waits;  /* it has them in a loop */
    bool kept;
    uint64_t size;   /* with all that it calls */
    uint64_t copies; /* that inlining would make */
};

struct calls {
    struct front_build *b;
    bool sized; /* a kernel requires a size of sub-groups */
    struct map by_name;
    vec(struct candidate *) order; /* callees first */
};

static struct candidate *
find_callee(struct calls *c, LLVMValueRef f)
{
    size_t n;
    const char *name = LLVMGetValueName2(f, &n);
    void **at = map_put(c->b->arena, &c->by_name, name, n);
    if (!*at) {
        struct candidate *x = arena_new(c->b->arena, struct candidate, 1);
        x->f = f;
        *at = x;
    }
    return *at;
}

static bool
has_attribute(LLVMValueRef f, const char *attribute)
{
    return LLVMGetEnumAttributeAtIndex(
        f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMGetEnumAttributeKindForName(attribute, strlen(attribute)));
}

static const char USERS[] = "ventus-user", NOINLINE[] = "ventus-noinline";
static const char KEPT[] = "ventus-kept";

void
front_mark_functions(struct front_build *b)
{
    front_foreach_function(f, b->module)
    {
        if (LLVMIsDeclaration(f) || front_is_kernel(f))
            continue;
        front_say(b, f, USERS);
        if (has_attribute(f, "noinline") && !has_attribute(f, "optnone"))
            front_say(b, f, NOINLINE);
    }
}

bool
front_is_kept(LLVMValueRef f)
{
    return front_says(f, KEPT);
}

/* ---- what can be called ---- */

/* Whether a type is made of words: numbers, vectors of them, pointers to known memory. */
static bool
is_plain(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMVoidTypeKind:
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
        return true;
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) <= 64;
    case LLVMPointerTypeKind:
        return LLVMGetPointerAddressSpace(type) <= 3;
    case LLVMVectorTypeKind:
        return is_plain(LLVMGetElementType(type));
    default:
        return false;
    }
}

bool
front_is_plain(LLVMValueRef f)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(f);
    bool ok = is_plain(LLVMGetReturnType(type)) && !LLVMIsFunctionVarArg(type);
    for (unsigned i = 0; i < LLVMCountParams(f); i++)
        ok = ok && is_plain(LLVMTypeOf(LLVMGetParam(f, i)));
    return ok;
}

static bool
is_allowed_operand(LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    if (LLVMGetTypeKind(type) != LLVMPointerTypeKind)
        return true;
    unsigned space = LLVMGetPointerAddressSpace(type);
    bool local_variable =
        space == 3 && LLVMIsConstant(v) && !LLVMIsNull(v) && !LLVMIsUndef(v);
    return space <= 3 && !local_variable;
}

/* Whether the call is asm volatile(""), which front/printf.c puts after a printf. */
static bool
is_empty_assembly(LLVMValueRef call)
{
    LLVMValueRef f = LLVMGetCalledValue(call);
    size_t n = 1;
    if (LLVMIsAInlineAsm(f))
        LLVMGetInlineAsmAsmString(f, &n);
    return n == 0;
}

/* Whether a function that stays can make the call; sized: some kernel requires a size of
 * sub-groups. */
static bool
is_allowed_call(LLVMValueRef i, bool sized)
{
    LLVMValueRef callee = front_callee(i);
    if (!callee)
        return is_empty_assembly(i);
    size_t n;
    const char *name = LLVMGetValueName2(callee, &n);
    if (!LLVMIsDeclaration(callee) || LLVMGetIntrinsicID(callee) != 0 ||
        front_is_extern(callee))
        return true;
    return strncmp(name, "__ventus_", 9) == 0 &&
           strcmp(name, "__ventus_values") != 0 &&
           (!sized || strcmp(name, "__ventus_required_sub_group") != 0) &&
           strcmp(name, "__ventus_print_string") != 0;
}

static bool
is_allowed(LLVMValueRef i, bool sized)
{
    if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMPointerTypeKind &&
        LLVMGetPointerAddressSpace(LLVMTypeOf(i)) > 3)
        return false;
    if (LLVMIsACallInst(i) && !is_allowed_call(i, sized))
        return false;
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
        if (!LLVMIsAFunction(LLVMGetOperand(i, (unsigned)k)) &&
            !is_allowed_operand(LLVMGetOperand(i, (unsigned)k)))
            return false;
    return true;
}

static bool
is_shared_access(LLVMValueRef i)
{
    if (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i))
        return true;
    return (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) &&
           (LLVMGetVolatile(i) ||
            LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic);
}

/* Every loop goes back in the order of the blocks somewhere. */
static bool
has_loop(LLVMValueRef f)
{
    struct map seen = { 0 };
    struct arena a = { 0 };
    bool back = false;
    front_foreach_block(block, f)
    {
        map_put_number(&a, &seen, (uintptr_t)block);
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
            back |= map_find_number(
                        &seen, (uintptr_t)LLVMGetSuccessor(end, k)) != NULL;
    }
    arena_free(&a);
    return back;
}

static void
visit_function(struct calls *c, struct candidate *x)
{
    x->visited = x->open = true;
    x->not_callable = !front_is_plain(x->f);
    front_foreach_block(block, x->f) front_foreach_insn(i, block)
    {
        x->size++;
        x->not_callable |= !is_allowed(i, c->sized);
        x->shares |= is_shared_access(i);
        LLVMValueRef callee = LLVMIsACallInst(i) ? front_callee(i) : NULL;
        if (!callee || LLVMIsDeclaration(callee))
            continue;
        struct candidate *y = find_callee(c, callee);
        if (!y->visited)
            visit_function(c, y);
        x->not_callable |= y->open || y->not_callable;
        x->size += y->size;
        x->shares |= y->shares;
        x->waits |= y->waits;
    }
    x->waits |= x->shares && has_loop(x->f);
    x->open = false;
    vec_push(c->b->arena, &c->order, x);
}

/* ---- what is called ---- */

/* Whether all functions that can be are called, so that a debugger steps into them and
 * out; not where indices are checked, which needs the object of each pointer. */
static bool
for_debugger(const struct front_options *o)
{
    return o->debug && !o->optimise && !o->check_bounds;
}

/* The function's own copy of what parameter i points to. */
static void
copy_by_value(struct front_build *b, LLVMBuilderRef builder, LLVMValueRef f,
              unsigned i, LLVMTypeRef type)
{
    LLVMValueRef param = LLVMGetParam(f, i);
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(b->module);
    unsigned align = LLVMABIAlignmentOfType(layout, type);
    LLVMValueRef copy = LLVMBuildAlloca(builder, type, "");
    LLVMReplaceAllUsesWith(param, copy);
    LLVMBuildMemCpy(builder, copy, align, param, align,
                    LLVMConstInt(LLVMInt32TypeInContext(b->context),
                                 LLVMABISizeOfType(layout, type), false));
    front_drop_by_value(f, i);
}

static void
copy_structs(struct front_build *b, LLVMValueRef f)
{
    unsigned by_value = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(b->context);
    LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(entry));
    for (unsigned i = 0; i < LLVMCountParams(f); i++) {
        LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(f, i + 1, by_value);
        if (a)
            copy_by_value(b, builder, f, i, LLVMGetTypeAttributeValue(a));
    }
    LLVMDisposeBuilder(builder);
}

static void
keep_function(struct front_build *b, LLVMValueRef f)
{
    const LLVMAttributeIndex at =
        (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    unsigned always = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
    unsigned never = LLVMGetEnumAttributeKindForName("noinline", 8);
    LLVMRemoveEnumAttributeAtIndex(f, at, always);
    LLVMAddAttributeAtIndex(f, at,
                            LLVMCreateEnumAttribute(b->context, never, 0));
    front_say(b, f, KEPT);
    copy_structs(b, f);
}

static void
decide_inlining(struct calls *c, struct candidate *x)
{
    bool explodes = x->copies > 1 && x->size >= LARGE &&
                    x->size * (x->copies - 1) >= EXPLOSION;
    bool asked = front_says(x->f, NOINLINE) || c->b->options->call_all ||
                 for_debugger(c->b->options);
    bool wanted = explodes || (asked && !x->waits);
    x->kept = front_says(x->f, USERS) && !x->not_callable && wanted &&
              !c->b->options->inline_all;
    if (front_is_exported(x->f) && x->not_callable)
        front_error(c->b, x->f,
                    "function '%s' cannot be called by other objects: it, or "
                    "what it calls, is recursive or uses inline assembly, "
                    "images, local variables, pointers without address space "
                    "or strings to print",
                    LLVMGetValueName2(x->f, &(size_t){ 0 }));
    x->kept |= front_is_exported(x->f) && !x->not_callable;
    if (x->kept)
        keep_function(c->b, x->f);
    uint64_t copies = x->kept || front_is_kernel(x->f) ? 1 : x->copies;
    front_foreach_block(block, x->f) front_foreach_insn(i, block)
    {
        LLVMValueRef callee = LLVMIsACallInst(i) ? front_callee(i) : NULL;
        if (!callee || LLVMIsDeclaration(callee))
            continue;
        struct candidate *y = find_callee(c, callee);
        if (y->copies < UINT32_MAX)
            y->copies += copies;
    }
}

void
front_keep_functions(struct front_build *b)
{
    struct calls c = { .b = b };
    front_foreach_function(f, b->module) c.sized |=
        front_required_sub_group(b->arena, f) != 0;
    front_foreach_function(f, b->module)
    {
        bool root = front_is_kernel(f) || front_is_exported(f);
        if (root && !LLVMIsDeclaration(f) && !find_callee(&c, f)->visited)
            visit_function(&c, find_callee(&c, f));
    }
    for (size_t i = c.order.n; i-- > 0;)
        decide_inlining(&c, c.order.at[i]);
}

/* ---- callers ---- */

bool
front_is_caller(const struct front_callers *c, LLVMValueRef f)
{
    for (size_t i = 0; i < c->n; i++)
        if (c->at[i] == f)
            return true;
    return false;
}

static bool
may_call(const struct front_callers *c, LLVMValueRef f,
         bool (*is)(LLVMValueRef callee))
{
    front_foreach_block(block, f) front_foreach_insn(i, block)
    {
        LLVMValueRef callee = front_callee(i);
        if (callee && (front_is_caller(c, callee) || is(callee)))
            return true;
    }
    return false;
}

struct front_callers
front_callers(struct front_build *b, bool (*is)(LLVMValueRef callee))
{
    size_t all = 0, before;
    front_foreach_function(f, b->module) all++;
    struct front_callers c = { arena_new(b->arena, LLVMValueRef, all + 1), 0 };
    do {
        before = c.n;
        front_foreach_function(f, b->module)
        {
            if (!front_is_caller(&c, f) && may_call(&c, f, is))
                c.at[c.n++] = f;
        }
    } while (c.n != before);
    return c;
}
