/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of the device library's intrinsics whose results the compiler knows: sizes
 * that the kernel's attributes fix, whether all work-groups have one size, samplers
 * that are constants of the program.
 */
#include <inttypes.h>
#include <string.h>

#include "cc/front/builtins.h"
#include "cc/front/intrinsics.h"

static LLVMValueRef
number(struct front_build *b, unsigned long long x)
{
    return LLVMConstInt(LLVMInt32TypeInContext(b->context), x, false);
}

/* The numbers of reqd_work_group_size; false if there are none. */
static bool
required_size(struct front_build *b, LLVMValueRef kernel, LLVMValueRef size[3])
{
    unsigned n;
    LLVMValueRef *at =
        front_metadata(b->arena, kernel, "reqd_work_group_size", &n);
    for (unsigned i = 0; i < 3 && n == 3; i++)
        size[i] = at[i];
    return n == 3;
}

static void
check_sub_group(struct front_build *b, LLVMValueRef kernel, uint64_t size)
{
    enum { LANES_MAX = 64 };
    if (size > LANES_MAX || (size & (size - 1)))
        front_error(b, kernel,
                    "kernel '%s': intel_reqd_sub_group_size is %" PRIu64
                    ": expected a power of two, at most %d",
                    LLVMGetValueName2(kernel, &(size_t){ 0 }), size,
                    (int)LANES_MAX);
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
 * The number of dimensions up to the last of a local size that is not 1; the work_dim
 * is as good.  A kernel that asks for a higher dimension is taken to have it: a
 * division too many is right, too, and only costs where the dimension is missing.
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

/* An array in local memory with an element for each work-item (lib/collective.cl). */
static LLVMValueRef
exchange_area(struct front_build *b)
{
    enum { LOCAL = 3, MAX_ITEMS = 1024 };
    const char *name = FRONT_EXCHANGE;
    LLVMValueRef v = LLVMGetNamedGlobal(b->module, name);
    if (v)
        return v;
    LLVMTypeRef type =
        LLVMArrayType2(LLVMInt64TypeInContext(b->context), MAX_ITEMS);
    v = LLVMAddGlobalInAddressSpace(b->module, type, name, LOCAL);
    LLVMSetInitializer(v, LLVMGetUndef(type));
    LLVMSetLinkage(v, LLVMInternalLinkage);
    LLVMSetAlignment(v, 8);
    return v;
}

bool
front_is_sampler_constant(LLVMValueRef insn)
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
    return front_is_sampler_constant(sampler) ? LLVMGetOperand(sampler, 0)
                                              : NULL;
}

/* Facts of a kernel: from its attributes, and which local ids it asks for. */
struct known {
    LLVMValueRef *size; /* of a workgroup; NULL: not known */
    uint64_t sub_group; /* the required size of sub-groups, or 0 */
    unsigned highest_dim;
};

/* The known result of a call; NULL: it is not known. */
static LLVMValueRef
known_result(struct front_build *b, LLVMValueRef call, const struct known *k)
{
    LLVMValueRef callee = front_callee(call);
    if (!callee)
        return NULL;
    size_t n;
    const char *name = LLVMGetValueName2(callee, &n);
    bool uniform = b->options->uniform_groups || b->options->std < 200;
    if (strcmp(name, "__ventus_uniform_groups") == 0)
        return LLVMConstInt(LLVMTypeOf(call), uniform, false);
    if (strcmp(name, "__ventus_required_sub_group") == 0)
        return number(b, k->sub_group);
    if (is_local_dims(call))
        return local_dims(b, call, k->size, k->highest_dim);
    if (strcmp(name, "__ventus_values") == 0)
        return exchange_area(b);
    if (strcmp(name, "__ventus_knl_word") == 0)
        return metadata_word(call, k->size);
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

/* Removes the calls for samplers whose words are known: they are dead. */
static void
drop_sampler_constants(LLVMValueRef kernel)
{
    front_foreach_block(block, kernel) front_foreach_insn(i, block)
    {
        if (front_is_sampler_constant(i) && !LLVMGetFirstUse(i))
            LLVMInstructionEraseFromParent(i);
    }
}

/* Replaces the calls of a function whose results are known, and marks its loads of
 * constant memory as invariant. */
static void
resolve_function(struct front_build *b, LLVMValueRef kernel)
{
    enum { CONSTANT = 2 }; /* the address space */
    unsigned invariant =
        LLVMGetMDKindIDInContext(b->context, "invariant.load", 14);
    LLVMValueRef empty = LLVMMetadataAsValue(
        b->context, LLVMMDNodeInContext2(b->context, NULL, 0));
    LLVMValueRef numbers[3];
    LLVMValueRef *size = required_size(b, kernel, numbers) ? numbers : NULL;
    struct known known = { size, front_required_sub_group(b->arena, kernel),
                           highest_dim(kernel) };
    check_sub_group(b, kernel, known.sub_group);
    front_foreach_block(block, kernel) front_foreach_insn(i, block)
    {
        LLVMValueRef result = known_result(b, i, &known);
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

void
front_resolve_builtins(struct front_build *b)
{
    front_foreach_function(f, b->module) if (!LLVMIsDeclaration(f))
        resolve_function(b, f);
}
