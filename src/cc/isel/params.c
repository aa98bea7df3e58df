/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of kernels, and room in private memory. */
#include <assert.h>

#include <llvm-c/DebugInfo.h>

#include "base/arith.h"
#include "cc/front/front.h"
#include "cc/isel/build.h"
#include "cc/isel/debug.h"
#include "cc/isel/mem.h"
#include "cc/isel/params.h"
#include "cc/isel/type.h"
#include "cc/isel/value.h"

/* ---- private memory ---- */

uint32_t
tr_private_room(struct tr *t, uint64_t size, unsigned align)
{
    uint32_t at = align_up(t->f->private_B, align < 4 ? 4 : align);
    t->f->private_B = align_up((uint32_t)(at + size), 4);
    assert(t->f->private_B % 4 == 0 && at <= t->f->private_B);
    return at;
}

static ir_val
private_room(struct tr *t, uint64_t size, unsigned align)
{
    ir_val at = tr_const(t, (int32_t)tr_private_room(t, size, align));
    return t->tp == IR_ZERO ? at : tr_op(t, VENTUS_ISA_ADD, at, t->tp);
}

/* Whether the address of a variable becomes a number, which may be compared with
 * NULL's. */
static bool
is_seen(LLVMValueRef variable)
{
    for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u))
        if (LLVMIsAPtrToIntInst(LLVMGetUser(u)))
            return true;
    return false;
}

/* Sets the line where the source uses the variable first: itself it has no line. */
static void
set_line_of_use(struct tr *t, LLVMValueRef variable)
{
    unsigned first = 0;
    for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        LLVMMetadataRef at =
            LLVMIsAInstruction(user) ? LLVMInstructionGetDebugLoc(user) : NULL;
        unsigned line = at ? LLVMDILocationGetLine(at) : 0;
        if (!line || (first && line >= first))
            continue;
        first = line;
        tr_set_line(t, user);
    }
}

bool
tr_alloca(struct tr *t, LLVMValueRef in)
{
    enum { MAX_B = 1 << 20 }; /* docs/limits.md */
    LLVMValueRef count = LLVMGetOperand(in, 0);
    if (!LLVMIsAConstantInt(count))
        return tr_fail(t, "arrays of variable length are not supported");
    LLVMTypeRef type = LLVMGetAllocatedType(in);
    uint64_t size =
        LLVMABISizeOfType(t->layout, type) * LLVMConstIntGetZExtValue(count);
    if (size > MAX_B) {
        set_line_of_use(t, in);
        return tr_fail(t,
                       "a private variable has %llu bytes, expected %d at "
                       "most; global memory has room for more",
                       (unsigned long long)size, MAX_B);
    }
    if (t->f->private_B == 0 && is_seen(in))
        t->f->private_B = 4; /* not at 0 */
    tr_set1(t, in, private_room(t, size, LLVMGetAlignment(in)));
    return true;
}

/* ---- parameters ---- */

static bool
only_read(LLVMValueRef v, unsigned depth)
{
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsAInstruction(user))
            return false;
        LLVMOpcode op = LLVMGetInstructionOpcode(user);
        if (op == LLVMLoad)
            continue;
        if (op != LLVMGetElementPtr || depth > 8 || !only_read(user, depth + 1))
            return false;
    }
    return true;
}

static void
add_arg_pointer(struct tr *t, LLVMValueRef v)
{
    if (t->n_arg_pointers == t->cap_arg_pointers) {
        size_t cap = t->cap_arg_pointers;
        t->arg_pointers = vec_grow(t->m->arena, t->arg_pointers, &cap,
                                   t->n_arg_pointers, sizeof(LLVMValueRef));
        t->cap_arg_pointers = (unsigned)cap;
    }
    t->arg_pointers[t->n_arg_pointers++] = v;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u))
        if (LLVMIsAGetElementPtrInst(LLVMGetUser(u)))
            add_arg_pointer(t, LLVMGetUser(u));
}

/* The location `offset` bytes from a base, with as many bytes after it as a vector has
 * in reach of a load. */
static struct tr_memory
memory_at(struct tr *t, ir_val base, uint32_t offset, enum ir_space space)
{
    enum { PAGE_B = 1024 };
    int32_t within = (int32_t)(offset % PAGE_B);
    int32_t page = (int32_t)offset - within;
    assert(within >= 0 && within < PAGE_B);
    if (page)
        base = tr_opi(t, VENTUS_ISA_ADD, base, page);
    return (struct tr_memory){ .base = base, .offset = within, .space = space };
}

/* A struct by value: read where it lies, or a copy in private memory. */
static void
param_by_value(struct tr *t, LLVMValueRef param, LLVMTypeRef type,
               uint32_t offset)
{
    if (only_read(param, 0)) {
        add_arg_pointer(t, param);
        tr_set1(t, param, tr_opi(t, VENTUS_ISA_ADD, t->args, (int32_t)offset));
        return;
    }
    uint32_t size = (uint32_t)LLVMABISizeOfType(t->layout, type);
    ir_val to = private_room(t, size, 8);
    for (uint32_t i = 0; i < size; i += 4) {
        struct tr_memory from =
            memory_at(t, t->args, offset + i, IR_SPACE_CONST);
        struct tr_memory at = memory_at(t, to, i, IR_SPACE_PRIVATE);
        tr_store_piece(t, at, 4, tr_load_piece(t, from, 4, false));
    }
    tr_set1(t, param, to);
}

static LLVMTypeRef
by_value_type(LLVMValueRef f, unsigned i)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(f, i + 1, kind);
    return a ? LLVMGetTypeAttributeValue(a) : NULL;
}

/* Arguments lie as kernels_lay_out_args says, each at 4 bytes or more. */
void
tr_params(struct tr *t, LLVMValueRef function)
{
    struct kernel_info *info = &t->kernel->info;
    front_kernel_info(t->m->arena, function, info);
    info->exact_atomics = t->exact_atomics;
    struct kernel_arg *args =
        arena_new(t->m->arena, struct kernel_arg, info->n_args + 1);
    for (size_t i = 0; i < info->n_args; i++) {
        args[i] = info->args[i];
        if (args[i].align_B < 4)
            args[i].align_B = 4;
    }
    info->args = args;
    uint64_t *offset = arena_new(t->m->arena, uint64_t, info->n_args + 1);
    kernels_lay_out_args(info, offset);
    for (unsigned i = 0; i < info->n_args; i++) {
        assert(offset[i] % 4 == 0);
        LLVMValueRef param = LLVMGetParam(function, i);
        LLVMTypeRef type = LLVMTypeOf(param);
        LLVMTypeRef value = by_value_type(function, i);
        if (value) {
            param_by_value(t, param, value, (uint32_t)offset[i]);
            continue;
        }
        struct tr_value r = tr_new_value(t, tr_words(t, type));
        ir_val *at = r.at;
        struct tr_memory p =
            memory_at(t, t->args, (uint32_t)offset[i], IR_SPACE_CONST);
        tr_access(t, p, type, 4, &at, false);
        tr_set(t, param, r.at, r.n);
    }
}

void
tr_put_word(struct tr *t, ir_val base, uint32_t offset, ir_val v)
{
    tr_store_piece(t, memory_at(t, base, offset, IR_SPACE_PRIVATE), 4, v);
}

ir_val
tr_get_word(struct tr *t, ir_val base, uint32_t offset)
{
    return tr_load_piece(t, memory_at(t, base, offset, IR_SPACE_PRIVATE), 4,
                         false);
}
