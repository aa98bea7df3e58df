/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LLVM's passes, and between them what we know about Ventus.
 *
 * First variables become values and everything is inlined; then sizes that the
 * kernel's attributes fix become constants; then the optimisations.  Jump
 * threading, and whatever else may duplicate or sink code under divergent
 * branches, is not among these.  Without a target LLVM's cost models take
 * divisions for expensive and everything else for cheap, which is right here.
 */
#include <string.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/Error.h>
#include <llvm-c/Support.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "cc/front/calls.h"
#include "cc/front/debug.h"
#include "cc/front/extern.h"
#include "cc/front/hints.h"
#include "cc/front/intrinsics.h"
#include "cc/front/module.h"
#include "cc/front/passes.h"
#include "cc/front/printf.h"
#include "cc/front/spaces.h"
#include "cc/front/stores.h"
#include "cc/front/switch.h"
#include "cc/front/unwritten.h"

#define COMBINE "instcombine<no-verify-fixpoint>"

/*
 * Variables become values before functions are copied, each where it is once:
 * the time of sroa is that of variables times blocks, and a kernel of all its
 * functions had 20 times as many of both (bench/bench_compile.py).
 */
static const char inline_passes[] =
    "function(sroa),always-inline,globaldce,"
    "function(sroa,early-cse<memssa>,simplifycfg," COMBINE ")";

/* Only scalars, so that what follows sees them. */
#define SCALARS "scalarizer,sroa,early-cse<memssa>,"

static const char *const optimise_passes[] = {
    "function(" SCALARS "simplifycfg)",
    "function(" SCALARS "loop-simplify,lcssa,loop-mssa(loop-rotate,licm),"
    "simplifycfg," COMBINE ",gvn,dse,adce,simplifycfg)",
    "function(" SCALARS "loop-simplify,lcssa,loop-mssa(loop-rotate,licm),"
    "simplifycfg," COMBINE ",loop-simplify,lcssa,loop(indvars,loop-deletion),"
    "loop-unroll<O2;no-partial;no-peeling;no-runtime;no-upperbound>,"
    "sroa,early-cse<memssa>,simplifycfg," COMBINE ",gvn,dse,adce,"
    "simplifycfg," COMBINE ")",
};

/*
 * With -fcheck-bounds, before these: the checks of indices that are always inside of
 * their arrays go, before they keep a loop from being unrolled.  Passes that follow
 * a condition from block to block take what ends a loop out of it: lanes would wait for
 * others that hold a lock.
 */
static const char bounds_passes[] =
    "function(" SCALARS "loop-simplify,lcssa,loop(indvars)," COMBINE
    ",simplifycfg)";

/* What the back end wants: front/intrinsics.h. */
static const char legalise_passes[] =
    "globaldce,function(scalarizer,dce,div-rem-pairs)";
static const char structure_passes[] =
    "function(fix-irreducible,mergereturn,loop-simplify)";

static bool
run_passes(struct front_build *b, const char *passes)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(b->module, passes, NULL, options);
    LLVMDisposePassBuilderOptions(options);
    if (!error)
        return true;
    char *message = LLVMGetErrorMessage(error);
    front_error(b, NULL, "LLVM: %s", message);
    LLVMDisposeErrorMessage(message);
    return false;
}

/* Passes that make others of stores, but remove none that has an effect. */
static bool
keeps_stores(const char *pass)
{
    static const char *const names[] = {
        "sroa",        "scalarizer",    "always-inline", "globaldce",
        "loop-unroll", "loop-simplify", "lcssa",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(pass, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* One of a list, `before` it and `behind` it what it is in. */
static bool
run_followed(struct front_build *b, const char *before, const char *pass,
             const char *behind)
{
    bool keeps = keeps_stores(pass);
    if (!keeps)
        front_mark_stores(b);
    bool ok =
        run_passes(b, arena_printf(b->arena, "%s%s%s", before, pass, behind));
    if (!keeps)
        front_settle_stores(b);
    return ok;
}

/* The pass at the start of a list, up to the comma behind it. */
static size_t
pass_length(const char *list)
{
    unsigned depth = 0;
    size_t n = 0;
    for (; list[n] && (depth || list[n] != ','); n++) {
        depth += list[n] == '(' || list[n] == '<';
        depth -= list[n] == ')' || list[n] == '>';
    }
    return n;
}

/* The same one by one, so that stores can be followed: front/stores.c. */
static bool
run_each(struct front_build *b, const char *before, const char *list,
         const char *behind)
{
    static const char function[] = "function(";
    bool ok = true;
    while (ok && *list) {
        size_t n = pass_length(list), k = sizeof function - 1;
        const char *pass = arena_strndup(b->arena, list, n);
        if (strncmp(pass, function, k) == 0)
            ok = run_each(b, function,
                          arena_strndup(b->arena, pass + k, n - k - 1), ")");
        else
            ok = run_followed(b, before, pass, behind);
        list += n + (list[n] == ',');
    }
    return ok;
}

static bool
run_list(struct front_build *b, const char *passes)
{
    bool follows = b->options->debug && b->options->optimise;
    return follows ? run_each(b, "", passes, "") : run_passes(b, passes);
}

static bool
legalise(struct front_build *b)
{
    if (!run_passes(b, legalise_passes))
        return false;
    front_mark_switches(b);
    if (!run_passes(b, "function(lower-switch)"))
        return false;
    front_settle_switches(b);
    return run_passes(b, structure_passes);
}

/* ---- between the passes ---- */

static LLVMValueRef
number(struct front_build *b, unsigned long long x)
{
    return LLVMConstInt(LLVMInt32TypeInContext(b->context), x, false);
}

/* The numbers of reqd_work_group_size; false if there are none. */
static bool
required_size(struct front_build *b, LLVMValueRef kernel, LLVMValueRef size[3])
{
    unsigned kind =
        LLVMGetMDKindIDInContext(b->context, "reqd_work_group_size", 20);
    LLVMValueRef node = LLVMGetMetadata(kernel, kind);
    if (!node || LLVMGetMDNodeNumOperands(node) != 3)
        return false;
    LLVMGetMDNodeOperands(node, size);
    return true;
}

static bool
is_one(LLVMValueRef x)
{
    return LLVMConstIntGetZExtValue(x) == 1;
}

enum { KNL_WORK_DIM = 8, KNL_LOCAL_SIZE = 24 }; /* abi.md, KNL metadata */

static LLVMValueRef
metadata_word(LLVMValueRef call, LLVMValueRef size[3])
{
    if (!size)
        return NULL;
    LLVMValueRef offset = LLVMGetOperand(call, 0);
    if (!LLVMIsAConstantInt(offset))
        return NULL;
    unsigned long long at = LLVMConstIntGetZExtValue(offset);
    if (at < KNL_LOCAL_SIZE || at >= KNL_LOCAL_SIZE + 12 || at % 4)
        return NULL;
    return size[(at - KNL_LOCAL_SIZE) / 4];
}

/* Calls of __ventus_local_dims say which local ids the kernel asks for. */
static bool
is_local_dims(LLVMValueRef insn)
{
    LLVMValueRef callee = LLVMIsACallInst(insn) ? front_callee(insn) : NULL;
    size_t n;
    return callee &&
           strcmp(LLVMGetValueName2(callee, &n), "__ventus_local_dims") == 0;
}

static unsigned
asked_dim(LLVMValueRef call)
{
    LLVMValueRef d = LLVMGetOperand(call, 0);
    return LLVMIsAConstantInt(d) ? (unsigned)LLVMConstIntGetZExtValue(d) : 2;
}

static unsigned
highest_dim(LLVMValueRef kernel)
{
    unsigned most = 0;
    front_foreach_block(block, kernel) front_foreach_insn(i, block)
    {
        if (is_local_dims(i) && asked_dim(i) > most)
            most = asked_dim(i);
    }
    return most;
}

/*
 * How many dimensions of a local size are not 1; the work_dim is as good.  A
 * kernel that asks for a higher dimension is taken to have it: a division of
 * too much is right, too, and only matters where it would be for nothing.
 */
static LLVMValueRef
local_dims(struct front_build *b, LLVMValueRef call, LLVMValueRef size[3],
           unsigned highest)
{
    if (size)
        return number(b, is_one(size[2]) ? is_one(size[1]) ? 1 : 2 : 3);
    if (asked_dim(call) < highest || highest == 2)
        return number(b, 3);
    const struct cc_target *target = cc_target_or_v1(b->options->target);
    LLVMValueRef word = LLVMGetNamedFunction(b->module, "__ventus_knl_word");
    LLVMTypeRef int32 = LLVMInt32TypeInContext(b->context);
    LLVMTypeRef type = LLVMFunctionType(int32, &int32, 1, false);
    if (!word)
        word = LLVMAddFunction(b->module, "__ventus_knl_word", type);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(b->context);
    LLVMPositionBuilderBefore(builder, call);
    unsigned less_one = target->knl_dims;
    LLVMValueRef argument = number(b, less_one ? less_one : KNL_WORK_DIM);
    LLVMValueRef dims = LLVMBuildCall2(builder, type, word, &argument, 1, "");
    if (less_one)
        dims = LLVMBuildAdd(builder, dims, number(b, 1), "");
    LLVMDisposeBuilder(builder);
    return dims;
}

/* A place in local memory for a value of each work-item (lib/collective.cl). */
static LLVMValueRef
values(struct front_build *b)
{
    enum { LOCAL = 3, MOST_ITEMS = 1024 };
    const char *name = FRONT_EXCHANGE;
    LLVMValueRef v = LLVMGetNamedGlobal(b->module, name);
    if (v)
        return v;
    LLVMTypeRef type =
        LLVMArrayType2(LLVMInt64TypeInContext(b->context), MOST_ITEMS);
    v = LLVMAddGlobalInAddressSpace(b->module, type, name, LOCAL);
    LLVMSetInitializer(v, LLVMGetUndef(type));
    LLVMSetLinkage(v, LLVMInternalLinkage);
    LLVMSetAlignment(v, 8);
    return v;
}

/* What clang makes of a sampler that is a number in the program. */
static bool
is_sampler_constant(LLVMValueRef insn)
{
    LLVMValueRef callee = front_callee(insn);
    size_t n;
    return callee && strcmp(LLVMGetValueName2(callee, &n),
                            "__translate_sampler_initializer") == 0;
}

/* The word of a sampler that the program has as a constant. */
static LLVMValueRef
sampler_word(LLVMValueRef sampler)
{
    return is_sampler_constant(sampler) ? LLVMGetOperand(sampler, 0) : NULL;
}

/* What a call is known to return; NULL if it is not. */
static LLVMValueRef
known_result(struct front_build *b, LLVMValueRef call, LLVMValueRef size[3],
             unsigned highest)
{
    LLVMValueRef callee = front_callee(call);
    if (!callee)
        return NULL;
    size_t n;
    const char *name = LLVMGetValueName2(callee, &n);
    bool uniform = b->options->uniform_groups || b->options->std < 200;
    if (strcmp(name, "__ventus_uniform_groups") == 0)
        return LLVMConstInt(LLVMTypeOf(call), uniform, false);
    if (is_local_dims(call))
        return local_dims(b, call, size, highest);
    if (strcmp(name, "__ventus_values") == 0)
        return values(b);
    if (strcmp(name, "__ventus_knl_word") == 0)
        return metadata_word(call, size);
    if (strcmp(name, "__ventus_sampler") == 0)
        return sampler_word(LLVMGetOperand(call, 0));
    return NULL;
}

/* The number of a work-item in its group is less than the group's size, so an index
 * that is made of it needs no check of its bounds. */
static void
set_range(struct front_build *b, LLVMValueRef call, LLVMValueRef size[3])
{
    unsigned kind = LLVMGetMDKindIDInContext(b->context, "range", 5);
    unsigned long long items = 1;
    for (unsigned i = 0; i < 3; i++)
        items *= LLVMConstIntGetZExtValue(size[i]);
    LLVMMetadataRef ends[] = { LLVMValueAsMetadata(number(b, 0)),
                               LLVMValueAsMetadata(number(b, items)) };
    LLVMSetMetadata(call, kind,
                    LLVMMetadataAsValue(
                        b->context, LLVMMDNodeInContext2(b->context, ends, 2)));
}

static bool
is_local_linear(LLVMValueRef insn)
{
    LLVMValueRef callee = front_callee(insn);
    size_t n;
    return callee &&
           strcmp(LLVMGetValueName2(callee, &n), "__ventus_local_linear") == 0;
}

/* Those whose words are known are dead. */
static void
drop_sampler_constants(LLVMValueRef kernel)
{
    front_foreach_block(block, kernel) front_foreach_insn(i, block)
    {
        if (is_sampler_constant(i) && !LLVMGetFirstUse(i))
            LLVMInstructionEraseFromParent(i);
    }
}

static void
tell_kernel(struct front_build *b, LLVMValueRef kernel)
{
    enum { CONSTANT = 2 }; /* the address space */
    unsigned invariant =
        LLVMGetMDKindIDInContext(b->context, "invariant.load", 14);
    LLVMValueRef empty = LLVMMetadataAsValue(
        b->context, LLVMMDNodeInContext2(b->context, NULL, 0));
    LLVMValueRef numbers[3];
    LLVMValueRef *size = required_size(b, kernel, numbers) ? numbers : NULL;
    unsigned highest = highest_dim(kernel);
    front_foreach_block(block, kernel) front_foreach_insn(i, block)
    {
        LLVMValueRef result = known_result(b, i, size, highest);
        if (result) {
            LLVMReplaceAllUsesWith(i, result);
            LLVMInstructionEraseFromParent(i);
        } else if (size && b->options->check_bounds && is_local_linear(i)) {
            set_range(b, i, size);
        } else if (LLVMIsALoadInst(i) &&
                   LLVMGetPointerAddressSpace(
                       LLVMTypeOf(LLVMGetOperand(i, 0))) == CONSTANT) {
            LLVMSetMetadata(i, invariant, empty);
        }
    }
    drop_sampler_constants(kernel);
}

/* No load is made that the source does not make: it would race with a store. */
static void
forbid_speculation(struct front_build *b)
{
    static const char name[] = "sanitize_thread";
    const unsigned kind =
        LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
    front_foreach_function(f, b->module)
        LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                                LLVMCreateEnumAttribute(b->context, kind, 0));
}

bool
front_optimise(struct front_build *b)
{
    static bool set_up;
    if (!set_up) /* the only way to this option */
        LLVMParseCommandLineOptions(
            2, (const char *const[]){ "ventus cc", "-scalarize-load-store" },
            NULL);
    set_up = true;
    front_prepare_debug(b);
    front_keep_functions(b);
    front_place_calls(b);
    if (b->options->check_race)
        forbid_speculation(b);
    if (b->sink->errors || !run_list(b, inline_passes))
        return false;
    front_foreach_function(f, b->module) if (!LLVMIsDeclaration(f))
        tell_kernel(b, f);
    if (!front_resolve_printf(b) || !front_check(b) || !front_resolve_spaces(b))
        return false;
    front_split_debug(b);
    if (cc_target_or_v1(b->options->target)->cache_hints)
        front_split_nontemporal(b);
    if (b->options->check_bounds && b->options->optimise &&
        !run_list(b, bounds_passes))
        return false;
    if (!run_list(b, optimise_passes[b->options->optimise]))
        return false;
    if (b->options->check_init)
        front_end_frames(b);
    front_place_variables(b);
    if (b->options->check_bounds)
        LLVMGetOrInsertNamedMetadata(b->module, MARKED_OBJECTS,
                                     strlen(MARKED_OBJECTS));
    if (b->options->check_race)
        LLVMGetOrInsertNamedMetadata(b->module, EXACT_ATOMICS,
                                     strlen(EXACT_ATOMICS));
    return legalise(b);
}

/* ---- checks ---- */

/* "foo" of foo, _Z3fooi and the like. */
static const char *
plain_name(struct arena *a, LLVMValueRef f)
{
    size_t n;
    const char *name = LLVMGetValueName2(f, &n);
    if (strncmp(name, "_Z", 2) != 0)
        return name;
    size_t length = 0;
    for (name += 2; *name >= '0' && *name <= '9'; name++)
        length = 10 * length + (size_t)(*name - '0');
    return arena_strndup(a, name,
                         length < strlen(name) ? length : strlen(name));
}

static bool
check_call(struct front_build *b, LLVMValueRef call)
{
    LLVMValueRef callee = front_callee(call);
    if (!callee) {
        if (LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
            return true;
        front_error(b, call, "a call through a pointer");
        return false;
    }
    size_t n;
    const char *name = LLVMGetValueName2(callee, &n);
    if (LLVMGetIntrinsicID(callee) != 0 || strncmp(name, "__ventus_", 9) == 0 ||
        is_sampler_constant(call))
        return true;
    if (front_is_kept(callee) ||
        (front_is_extern(callee) && front_is_plain(callee)))
        return true;
    if (front_is_extern(callee)) {
        front_error(b, call,
                    "function '%s' of another object cannot take or return "
                    "images or pointers without address space",
                    name);
        return false;
    }
    if (LLVMIsDeclaration(callee))
        front_error(b, call, "undefined function '%s'",
                    plain_name(b->arena, callee));
    else
        front_error(b, call,
                    "function '%s' calls itself, which OpenCL C "
                    "does not allow",
                    plain_name(b->arena, callee));
    return false;
}

bool
front_check(struct front_build *b)
{
    bool ok = true;
    front_foreach_function(f, b->module) front_foreach_block(block, f)
        front_foreach_insn(i, block)
    {
        if (LLVMIsACallInst(i) && !check_call(b, i))
            ok = false;
    }
    return ok;
}
