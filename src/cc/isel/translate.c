/* SPDX-License-Identifier: Apache-2.0 */
/* A module, its kernels, their blocks: from LLVM IR to scalar machine IR. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cc/front/calls.h"
#include "cc/front/extern.h"
#include "cc/front/module.h"
#include "cc/isel/aggregate.h"
#include "cc/isel/arith.h"
#include "cc/isel/atomic.h"
#include "cc/isel/build.h"
#include "cc/isel/call.h"
#include "cc/isel/const.h"
#include "cc/isel/debug.h"
#include "cc/isel/fp_insn.h"
#include "cc/isel/function.h"
#include "cc/isel/int.h"
#include "cc/isel/mem.h"
#include "cc/isel/object.h"
#include "cc/isel/params.h"
#include "cc/isel/translate.h"
#include "cc/isel/type.h"
#include "cc/isel/value.h"

enum {
    CSR_NUMW = 0x801,
    CSR_KNL = 0x803,
    CSR_LDS = 0x806,
    REG_TP = 4,
    REG_A0 = 10,
    STACK_SHIFT = 10 /* each warp has 1 KiB of stack, lib/start.S */
};

/* ---- instructions ---- */

static bool
translate_phi(struct tr *t, LLVMValueRef in)
{
    LLVMTypeRef type = LLVMTypeOf(in);
    struct tr_value r = tr_new_value(t, tr_words(t, type));
    const uint8_t *size = tr_value_sizes(t, type);
    for (unsigned i = 0; i < r.n; i++) {
        struct ir_insn *p = tr_emit(t, IR_PHI, size[i]);
        p->pair = size[i] == 2;
        r.at[i] = p->dst;
    }
    tr_set(t, in, r.at, r.n);
    return true;
}

/* ---- control flow ---- */

static unsigned
block_index(struct tr *t, LLVMBasicBlockRef b)
{
    for (unsigned i = 0; i < t->n_blocks; i++)
        if (t->llvm_blocks[i] == b)
            return i;
    assert(!"a block of another function");
    return 0;
}

static struct ir_block *
first_block(struct tr *t, LLVMBasicBlockRef b)
{
    return t->blocks[block_index(t, b)];
}

static void
emit_jump(struct tr *t, struct ir_block *to)
{
    tr_emit(t, IR_JUMP, 0);
    ir_link(t->block, 0, to);
}

static void
branch_if(struct tr *t, ir_val c, struct ir_block *yes, struct ir_block *no)
{
    struct ir_insn *in = tr_emit(t, VENTUS_ISA_BNE, 0);
    in->src[1] = c;
    in->src[2] = IR_ZERO;
    ir_link(t->block, 0, yes);
    ir_link(t->block, 1, no);
}

static bool
translate_branch(struct tr *t, LLVMValueRef in)
{
    if (!LLVMIsConditional(in)) {
        emit_jump(t, first_block(t, LLVMGetSuccessor(in, 0)));
        return true;
    }
    struct ir_block *yes = first_block(t, LLVMGetSuccessor(in, 0));
    struct ir_block *no = first_block(t, LLVMGetSuccessor(in, 1));
    if (yes == no)
        emit_jump(t, yes);
    else
        branch_if(t, tr_get1(t, LLVMGetCondition(in)), yes, no);
    return true;
}

/* A chain of compares. */
static bool
switch_insn(struct tr *t, LLVMValueRef in)
{
    LLVMValueRef of = LLVMGetOperand(in, 0);
    unsigned width = tr_width(t, LLVMTypeOf(of));
    struct tr_value v = tr_get(t, of);
    unsigned n = (unsigned)LLVMGetNumOperands(in);
    for (unsigned i = 2; i + 1 < n; i += 2) {
        struct tr_value c = tr_get(t, LLVMGetOperand(in, i));
        ir_val same = tr_compare(t, LLVMIntEQ, v, c, width);
        struct ir_block *here = t->block, *next = tr_new_block(t);
        t->block = here;
        branch_if(t, same, first_block(t, LLVMGetSuccessor(in, i / 2)), next);
        t->block = next;
    }
    emit_jump(t, first_block(t, LLVMGetSuccessor(in, 0)));
    return true;
}

static bool
translate_terminator(struct tr *t, LLVMValueRef in, struct ir_block *exit)
{
    switch ((int)LLVMGetInstructionOpcode(in)) {
    case LLVMRet:
        if (t->function && LLVMGetNumOperands(in))
            tr_return(t, LLVMGetOperand(in, 0));
        emit_jump(t, exit);
        return true;
    case LLVMUnreachable:
        emit_jump(t, exit);
        return true;
    case LLVMBr:
        return translate_branch(t, in);
    case LLVMSwitch:
        return switch_insn(t, in);
    }
    return tr_fail(t, "a terminator of a kind that is not supported");
}

static const struct {
    LLVMOpcode opcode;
    bool (*translate)(struct tr *t, LLVMValueRef in);
} instructions[] = {
    { LLVMPHI, translate_phi },
    { LLVMFence, tr_fence },
    { LLVMSelect, tr_select_value },
    { LLVMExtractValue, tr_extract_value },
    { LLVMInsertValue, tr_insert_value },
    { LLVMExtractElement, tr_extract_element },
    { LLVMInsertElement, tr_insert_element },
    { LLVMShuffleVector, tr_shuffle },
    { LLVMFreeze, tr_freeze },
    { LLVMCall, tr_call },
    { LLVMLoad, tr_load },
    { LLVMStore, tr_store },
    { LLVMGetElementPtr, tr_gep },
    { LLVMAlloca, tr_alloca },
    { LLVMAtomicRMW, tr_atomic },
    { LLVMAtomicCmpXchg, tr_cmpxchg },
    { LLVMICmp, tr_icmp },
    { LLVMFCmp, tr_fcmp },
    { LLVMAdd, tr_binary },
    { LLVMSub, tr_binary },
    { LLVMMul, tr_binary },
    { LLVMUDiv, tr_binary },
    { LLVMSDiv, tr_binary },
    { LLVMURem, tr_binary },
    { LLVMSRem, tr_binary },
    { LLVMShl, tr_binary },
    { LLVMLShr, tr_binary },
    { LLVMAShr, tr_binary },
    { LLVMAnd, tr_binary },
    { LLVMOr, tr_binary },
    { LLVMXor, tr_binary },
    { LLVMFAdd, tr_fbinary },
    { LLVMFSub, tr_fbinary },
    { LLVMFMul, tr_fbinary },
    { LLVMFDiv, tr_fbinary },
    { LLVMFRem, tr_fbinary },
    { LLVMFNeg, tr_fbinary },
    { LLVMTrunc, tr_cast },
    { LLVMZExt, tr_cast },
    { LLVMSExt, tr_cast },
    { LLVMPtrToInt, tr_cast },
    { LLVMIntToPtr, tr_cast },
    { LLVMBitCast, tr_cast },
    { LLVMFPExt, tr_fcast },
    { LLVMFPTrunc, tr_fcast },
    { LLVMFPToSI, tr_fcast },
    { LLVMFPToUI, tr_fcast },
    { LLVMSIToFP, tr_fcast },
    { LLVMUIToFP, tr_fcast },
};

/* Checks the types of the operands and of the result. */
static bool
check_types(struct tr *t, LLVMValueRef in)
{
    bool ok = tr_check_type(t, LLVMTypeOf(in));
    for (int i = 0; ok && i < LLVMGetNumOperands(in); i++)
        ok = tr_check_type(t, LLVMTypeOf(LLVMGetOperand(in, (unsigned)i)));
    return ok;
}

static bool
translate_insn(struct tr *t, LLVMValueRef in)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(in);
    t->insn = in;
    if (tr_debug_record(t, in))
        return true;
    tr_set_line(t, in);
    if (!check_types(t, in))
        return false;
    for (unsigned i = 0; i < sizeof instructions / sizeof instructions[0]; i++)
        if (instructions[i].opcode == opcode) {
            t->object = tr_object_of_access(t, in);
            t->is_exchange = tr_is_exchange_access(in);
            bool ok = instructions[i].translate(t, in);
            t->object = 0;
            t->is_exchange = false;
            return ok;
        }
    return tr_fail(t, "an instruction of a kind that is not supported: %s",
                   LLVMPrintValueToString(in));
}

/* The value that LLVM's phi takes from its block number `from`. */
static LLVMValueRef
incoming_value(struct tr *t, LLVMValueRef phi, unsigned from)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (LLVMGetIncomingBlock(phi, i) == t->llvm_blocks[from])
            return LLVMGetIncomingValue(phi, i);
    assert(!"a phi without a value for a predecessor");
    return LLVMGetIncomingValue(phi, 0);
}

/*
 * Phis after all blocks exist.  An LLVM block may have become several of ours,
 * each of which knows where it comes from.
 */
static void
fill_phi(struct tr *t, LLVMValueRef in)
{
    struct tr_value r = tr_get(t, in);
    struct ir_block *b = r.n ? ir_value(t->f, r.at[0])->def->block : NULL;
    for (unsigned w = 0; w < r.n; w++) {
        struct ir_insn *p = ir_value(t->f, r.at[w])->def;
        assert(p->op == IR_PHI && p->block == b && !p->n_many);
        p->n_many = (unsigned)b->preds.n;
        p->many = arena_new(t->m->arena, ir_val, p->n_many + 1);
    }
    for (size_t k = 0; b && k < b->preds.n; k++) {
        struct ir_block *pred = b->preds.at[k];
        /* constants that need instructions go to its end */
        assert(pred->last && ir_is_terminator(pred->last));
        struct ir_insn *end = pred->last;
        ir_remove(end);
        t->block = pred;
        struct tr_value x =
            tr_get(t, incoming_value(t, in, t->origin.at[pred->id]));
        ir_append(pred, end);
        for (unsigned w = 0; w < r.n; w++)
            ir_value(t->f, r.at[w])->def->many[k] = x.at[w];
    }
}

/* Post-order from block i; definitions then come first from its end. */
static void
visit_postorder(struct tr *t, unsigned i, bool *seen, unsigned *order,
                unsigned *n)
{
    seen[i] = true;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(t->llvm_blocks[i]);
    for (unsigned k = LLVMGetNumSuccessors(end); k-- > 0;) {
        unsigned s = block_index(t, LLVMGetSuccessor(end, k));
        if (!seen[s])
            visit_postorder(t, s, seen, order, n);
    }
    assert(*n < t->n_blocks);
    order[(*n)++] = i;
}

static ir_val
read_csr(struct tr *t, unsigned number)
{
    struct ir_insn *in = tr_emit(t, VENTUS_ISA_CSRRS, 1);
    in->src[1] = IR_ZERO;
    in->aux = (uint16_t)number;
    return in->dst;
}

/*
 * Upstream machines run the lanes of a partial warp that are no work-items:
 * these go to the exit at once.
 */
static void
guard_tail(struct tr *t, struct ir_block *first, struct ir_block *exit)
{
    enum { KNL_LOCAL_SIZE = 24, CSR_TID = 0x800 };
    ir_val items = IR_NONE;
    for (int32_t d = 0; d < 3; d++) {
        struct ir_insn *in = tr_emit(t, VENTUS_ISA_LW, 1);
        in->src[1] = t->knl;
        in->imm = KNL_LOCAL_SIZE + 4 * d;
        in->space = IR_SPACE_CONST;
        items = d ? tr_op(t, VENTUS_ISA_MUL, items, in->dst) : in->dst;
    }
    ir_val lane = tr_emit(t, VENTUS_ISA_VID_V, 1)->dst;
    ir_val linear = tr_op(t, VENTUS_ISA_ADD, lane, read_csr(t, CSR_TID));
    branch_if(t, tr_op(t, VENTUS_ISA_SLTU, linear, items), first, exit);
}

static void
translate_body(struct tr *t, LLVMValueRef function)
{
    struct ir_block *start = t->block;
    t->n_blocks = LLVMCountBasicBlocks(function);
    t->llvm_blocks = arena_new(t->m->arena, LLVMBasicBlockRef, t->n_blocks);
    t->blocks = arena_new(t->m->arena, struct ir_block *, t->n_blocks);
    LLVMGetBasicBlocks(function, t->llvm_blocks);
    for (t->llvm_block = 0; t->llvm_block < t->n_blocks; t->llvm_block++)
        t->blocks[t->llvm_block] = tr_new_block(t);
    struct ir_block *exit = tr_new_block(t);
    t->block = start;
    if (t->m->options->profile == CC_PROFILE_UPSTREAM)
        guard_tail(t, t->blocks[0], exit);
    else
        emit_jump(t, t->blocks[0]);
    unsigned *order = arena_new(t->m->arena, unsigned, t->n_blocks), n = 0;
    bool *seen = arena_new(t->m->arena, bool, t->n_blocks);
    visit_postorder(t, 0, seen, order, &n);
    while (n-- > 0) {
        assert(order[n] < t->n_blocks);
        unsigned i = t->llvm_block = order[n];
        t->block = t->blocks[i];
        LLVMValueRef in = LLVMGetFirstInstruction(t->llvm_blocks[i]);
        LLVMValueRef end = LLVMGetBasicBlockTerminator(t->llvm_blocks[i]);
        for (; in && in != end && !t->failed; in = LLVMGetNextInstruction(in))
            translate_insn(t, in);
        if (t->failed)
            return;
        tr_set_line(t, end);
        if (!check_types(t, end) || !translate_terminator(t, end, exit))
            return;
    }
    tr_leave(t, exit);
    for (unsigned i = 0; i < t->n_blocks; i++) {
        LLVMValueRef in = LLVMGetFirstInstruction(t->llvm_blocks[i]);
        for (; seen[i] && in && LLVMIsAPHINode(in);
             in = LLVMGetNextInstruction(in))
            fill_phi(t, in);
        if (!seen[i]) { /* not reachable */
            t->block = t->blocks[i];
            emit_jump(t, t->blocks[i]);
        }
    }
}

/* ---- kernels ---- */

/* The prologue: a0, the metadata and the local memory after the stacks of the warps. */
static void
emit_prologue(struct tr *t)
{
    tr_new_block(t);
    t->args = IR_NONE;
    t->tp = IR_ZERO;
    if (t->function) {
        tr_enter(t);
        if (t->f->is_relative) {
            t->tp = tr_emit(t, IR_UNDEF, 1)->dst;
            ir_value(t->f, t->tp)->fixed = REG_TP;
            t->f->tp = t->tp;
        }
    } else {
        struct ir_insn *a0 = tr_emit(t, IR_UNDEF, 1);
        ir_value(t->f, a0->dst)->fixed = REG_A0;
        t->args = tr_op1(t, IR_COPY, a0->dst);
    }
    t->entry_mark = ir_insn_new(t->f, IR_UNDEF);
    ir_append(t->block, t->entry_mark);
    ir_set_dst(t->f, t->entry_mark, ir_value_new(t->f, IR_S, 1));
    t->knl = read_csr(t, CSR_KNL);
    ir_val stacks =
        tr_opi(t, VENTUS_ISA_SLL, read_csr(t, CSR_NUMW), STACK_SHIFT);
    t->local_base = tr_op(t, VENTUS_ISA_ADD, read_csr(t, CSR_LDS), stacks);
}

/* Finds the callees; private memory begins after theirs. */
static void
find_callees(struct tr *t, LLVMValueRef function)
{
    front_foreach_block(block, function) front_foreach_insn(i, block)
    {
        LLVMValueRef callee = front_callee(i);
        struct tr_function *to = callee ? tr_find_function(t, callee) : NULL;
        bool known = !to;
        for (size_t k = 0; k < t->f->callees.n && !known; k++)
            known = t->f->callees.at[k] == to->func;
        if (known)
            continue;
        assert(to->func != t->f && "nothing calls itself");
        vec_push(t->m->arena, &t->f->callees, to->func);
        if (to->func->private_B > t->f->private_B)
            t->f->private_B = to->func->private_B;
    }
}

/* A kernel, or t->function. */
static bool
translate_kernel(struct tr *t, LLVMValueRef function)
{
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    vec_push(t->m->arena, &t->m->kernels, ((struct cc_kernel){ 0 }));
    t->kernel = &t->m->kernels.at[t->m->kernels.n - 1];
    t->f = ir_func_new(t->m->arena, arena_strndup(t->m->arena, name, length));
    t->kernel->func = t->f;
    t->kernel->info.isa = (unsigned)t->target->isa;
    t->line = 0;
    tr_debug_function(t, function);
    t->values = t->consts = t->globals = (struct map){ 0 };
    t->n_arg_pointers = 0;
    t->origin.n = 0;
    t->llvm_block = 0;
    t->returns = NULL;
    find_callees(t, function);
    if (t->function) {
        t->function->func = t->f;
        t->f->is_function = true;
        t->f->is_exported = front_is_exported(function);
        t->f->is_relative = t->m->has_exports;
        tr_place_arguments(t, t->function);
    }
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        if (!tr_check_type(t, LLVMTypeOf(LLVMGetParam(function, i))))
            return false;
    emit_prologue(t);
    if (t->function) {
        tr_take_parameters(t);
    } else {
        tr_params(t, function);
    }
    t->kernel->info.name = t->f->name;
    translate_body(t, function);
    tr_debug_globals(t);
    if ((t->function || t->f->callees.n) && t->f->private_B > t->m->arrays_B)
        t->m->arrays_B = t->f->private_B;
    return !t->failed;
}

/* Translates a function that is called, after those that it calls. */
static bool
called_function(struct tr *t, LLVMValueRef f)
{
    if (tr_find_function(t, f))
        return true;
    bool ok = true;
    front_foreach_block(block, f) front_foreach_insn(i, block)
    {
        LLVMValueRef callee = front_callee(i);
        if (callee && !LLVMIsDeclaration(callee))
            ok &= called_function(t, callee);
    }
    struct tr_function *x = arena_new(t->m->arena, struct tr_function, 1);
    x->of = f;
    vec_push(t->m->arena, &t->functions, x);
    t->function = x;
    ok &= translate_kernel(t, f);
    t->function = NULL;
    return ok;
}

/* Limits the registers of functions that other objects call, and of their callees. */
static void
limit_registers(struct cc_module *m)
{
    for (size_t i = m->kernels.n; i-- > 0;) {
        struct ir_func *f = m->kernels.at[i].func;
        f->is_limited |= f->is_exported;
        for (size_t k = 0; f->is_limited && k < f->callees.n; k++)
            f->callees.at[k]->is_limited = true;
    }
}

/* Counts the callers: each needs a word of the warp's stack after those of its
 * callees. */
static void
count_callers(struct cc_module *m)
{
    for (size_t i = m->kernels.n; i-- > 0;) { /* callers first */
        const struct ir_func *f = m->kernels.at[i].func;
        for (size_t k = 0; k < f->callees.n; k++) {
            struct ir_func *to = f->callees.at[k];
            assert(to != f);
            if (to->callers <= f->callers)
                to->callers = f->callers + 1;
        }
    }
}

bool
cc_translate(struct cc_module *m, void *module)
{
    LLVMModuleRef mod = module;
    struct tr t = { .m = m, .target = cc_target_or_v1(m->options->target) };
    t.marks_objects =
        LLVMGetNamedMetadata(mod, MARKED_OBJECTS, strlen(MARKED_OBJECTS));
    t.exact_atomics =
        LLVMGetNamedMetadata(mod, EXACT_ATOMICS, strlen(EXACT_ATOMICS));
    t.layout = LLVMCreateTargetData(LLVMGetDataLayoutStr(mod));
    t.context = LLVMGetModuleContext(mod);
    tr_debug_begin(&t, mod);
    bool ok = true;
    front_foreach_function(f, mod)
    {
        m->has_exports |= front_is_exported(f);
        if (front_is_extern(f) && LLVMGetFirstUse(f))
            tr_add_external(&t, f);
    }
    front_foreach_function(f, mod)
    {
        if (front_is_kept(f))
            ok &= called_function(&t, f);
    }
    front_foreach_function(f, mod)
    {
        if (LLVMIsDeclaration(f) || !front_is_kernel(f))
            continue;
        t.failed = false;
        ok &= translate_kernel(&t, f);
    }
    limit_registers(m);
    count_callers(m);
    if (ok && m->kernels.n)
        tr_sections(&t, mod);
    LLVMDisposeTargetData(t.layout);
    return ok;
}
