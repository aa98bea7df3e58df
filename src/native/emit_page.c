/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of a page and the ways between them. */
#include "native/emit.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- leaving a block ---- */

/* Returns the op to the run loop. */
static void
leave(struct emit *e, unsigned index)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
    LLVMValueRef at = emit_op(e, index);
    LLVMAddIncoming(e->leaves, &at, &here, 1);
    LLVMBuildBr(e->b, e->leave);
}

/* The block of an op in this version; if it has none, one that returns the op. */
static LLVMBasicBlockRef
way_to(struct emit *e, unsigned index)
{
    int entry = index < CODE_WORDS ? e->entry_of[index] : -1;
    if (entry >= 0)
        return e->block[entry][e->version];
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
    LLVMBasicBlockRef leaves = emit_block(e, "leaves");
    LLVMPositionBuilderAtEnd(e->b, leaves);
    leave(e, index);
    LLVMPositionBuilderAtEnd(e->b, here);
    return leaves;
}

static void
go_to(struct emit *e, unsigned index)
{
    emit_store_state(e);
    LLVMBuildBr(e->b, way_to(e, index));
}

/* ---- control flow ---- */

static unsigned
after(const struct native_op *op)
{
    return op->index + op->words;
}

static void
branch(struct emit *e, const struct native_op *op)
{
    LLVMValueRef args[] = { emit_x(e, op->s1), emit_x(e, op->s2) };
    const char *name = emit_branch_names[op->kind];
    LLVMValueRef taken = emit_named(e, "one_b", name, args, 2);
    emit_store_state(e);
    LLVMValueRef none = LLVMBuildIsNull(e->b, taken, "");
    LLVMBasicBlockRef to = way_to(e, op->index + (unsigned)op->imm);
    LLVMBuildCondBr(e->b, none, way_to(e, after(op)), to);
}

static void
jump(struct emit *e, const struct native_op *op)
{
    emit_set_x(e, op->d, emit_int(e, op->pc + 4));
    go_to(e, op->index + (unsigned)op->imm);
}

/* Index of the op that a branch of threads goes to; CODE_WORDS: it is in another page,
 * or nowhere. */
static unsigned
target_of(const struct emit *e, const struct native_op *op)
{
    uint32_t offset = op->pc + (uint32_t)op->imm - e->r->base;
    return offset % 4 || offset / 4 >= CODE_WORDS ? CODE_WORDS : offset / 4;
}

static void
thread_branch(struct emit *e, const struct native_op *op)
{
    LLVMBasicBlockRef some = emit_block(e, "some"), split = emit_block(e, "");
    LLVMValueRef exec =
        e->version == FULL
            ? LLVMConstInt(e->i64, first_lanes(e->r->lanes), false)
            : LLVMBuildLoad2(e->b, e->i64,
                             emit_member(e, offsetof(struct sim_warp, exec)),
                             "");
    LLVMValueRef taken = LLVMBuildAnd(e->b, emit_outcomes(e, op), exec, "");
    emit_store_state(e);
    LLVMValueRef none = LLVMBuildIsNull(e->b, taken, "");
    LLVMBuildCondBr(e->b, none, way_to(e, after(op)), some);
    LLVMPositionBuilderAtEnd(e->b, some);
    unsigned target = target_of(e, op);
    if (target < CODE_WORDS) {
        LLVMValueRef all = LLVMBuildICmp(e->b, LLVMIntEQ, taken, exec, "");
        LLVMBuildCondBr(e->b, all, way_to(e, target), split);
    } else {
        LLVMBuildBr(e->b, split);
    }
    LLVMPositionBuilderAtEnd(e->b, split);
    emit_go_on_at(e, emit_interpret(e, op));
}

static void
pair_branch(struct emit *e, const struct native_op *op)
{
    LLVMValueRef taken = emit_pair_taken(e, op);
    unsigned target = target_of(e, op);
    LLVMBasicBlockRef far = emit_block(e, "far");
    emit_store_state(e);
    LLVMValueRef none = LLVMBuildIsNull(e->b, taken, "");
    LLVMBasicBlockRef to = target < CODE_WORDS ? way_to(e, target) : far;
    LLVMBuildCondBr(e->b, none, way_to(e, after(op)), to);
    LLVMPositionBuilderAtEnd(e->b, far);
    if (to == far)
        emit_go_on_at(e, emit_interpret(e, op));
    else
        LLVMBuildUnreachable(e->b);
}

static void
join(struct emit *e, const struct native_op *op)
{
    LLVMBasicBlockRef pops = emit_block(e, "pops");
    LLVMValueRef args[] = { e->w, emit_int(e, op->pc),
                            emit_int(e, e->r->join_check) };
    LLVMValueRef passes = emit_call(e, "run_join_passes", args, 3);
    emit_store_state(e);
    LLVMValueRef none = LLVMBuildIsNull(e->b, passes, "");
    LLVMBuildCondBr(e->b, none, pops, way_to(e, after(op)));
    LLVMPositionBuilderAtEnd(e->b, pops);
    emit_go_on_at(e, emit_interpret(e, op));
}

static void
setrpc(struct emit *e, const struct native_op *op)
{
    LLVMValueRef rpc = LLVMBuildAdd(e->b, emit_x(e, op->s1),
                                    emit_int(e, (uint32_t)op->imm), "");
    LLVMValueRef args[] = { e->w, rpc, emit_int(e, e->r->join_check) };
    if (e->n_kept && !e->before.rpc)
        e->before.rpc = LLVMBuildLoad2(
            e->b, e->i32, emit_member(e, offsetof(struct sim_warp, rpc)), "");
    emit_call(e, "run_setrpc", args, 3);
    emit_set_x(e, op->d, rpc);
}

/* ---- instructions ---- */

static void
scalar(struct emit *e, const struct native_op *op)
{
    LLVMValueRef args[] = { emit_x(e, op->s1),
                            LLVMBuildAdd(e->b, emit_x(e, op->s2),
                                         emit_int(e, (uint32_t)op->imm), "") };
    const char *name = emit_int_names[op->kind];
    emit_set_x(e, op->d, emit_named(e, "one", name, args, 2));
}

static void
read_csr(struct emit *e, const struct native_op *op)
{
    size_t index = (size_t)op->aux - CSR_CONSTANT;
    LLVMValueRef at = emit_member(e, offsetof(struct sim_warp, constant) +
                                         index * sizeof(uint32_t));
    emit_set_x(e, op->d, LLVMBuildLoad2(e->b, e->i32, at, ""));
}

/* Estimates and exponentials come from tables, which the templates do not have; and of
 * the conversion of unsigned integers, two operations, clang makes another one. */
static enum native_form
form_of(const struct native_op *op)
{
    bool calls = op->form == NATIVE_FP_VV &&
                 (op->kind == FP_vfexp || op->kind == FP_frec7 ||
                  op->kind == FP_frsqrt7 || op->kind == FP_fcvt_f_wu);
    return calls ? NATIVE_CALL : (enum native_form)op->form;
}

/* Does an instruction; false: it has ended the block. */
static bool
instruction(struct emit *e, const struct native_op *op)
{
    enum native_form form = form_of(op);
    bool waits = form == NATIVE_SCALAR || form == NATIVE_MOVE ||
                 form == NATIVE_CONSTANT || form == NATIVE_CSR ||
                 form == NATIVE_NOP || form == NATIVE_SETRPC ||
                 form == NATIVE_PAIR || form == NATIVE_PAIR_CONSTANT ||
                 (form >= NATIVE_VV && form <= NATIVE_FP_VS) ||
                 (form >= NATIVE_PAIR_VV && form <= NATIVE_WIDE_VS) ||
                 (form == NATIVE_LOAD && !emit_load_waits(e, op));
    bool branches =
        form == NATIVE_THREAD_BRANCH || form == NATIVE_PAIR_THREAD_BRANCH;
    if (!waits && !branches)
        emit_kept(e);
    e->done++;
    switch (form) {
    case NATIVE_NOP:
        return true;
    case NATIVE_SCALAR:
        scalar(e, op);
        return true;
    case NATIVE_MOVE:
        emit_set_x(e, op->d, emit_x(e, op->s1));
        return true;
    case NATIVE_CONSTANT:
        emit_set_x(e, op->d, emit_int(e, (uint32_t)op->imm));
        return true;
    case NATIVE_CSR:
        read_csr(e, op);
        return true;
    case NATIVE_SETRPC:
        setrpc(e, op);
        return true;
    case NATIVE_PAIR:
        emit_pair(e, op);
        return true;
    case NATIVE_PAIR_CONSTANT:
        emit_pair_constant(e, op);
        return true;
    case NATIVE_VV:
    case NATIVE_VS:
    case NATIVE_MERGE_V:
    case NATIVE_MERGE_S:
    case NATIVE_VID:
    case NATIVE_FP_VV:
    case NATIVE_FP_VS:
    case NATIVE_PAIR_VV:
    case NATIVE_PAIR_VS:
    case NATIVE_PAIR_MERGE_V:
    case NATIVE_PAIR_MERGE_S:
    case NATIVE_FP_PAIR_VV:
    case NATIVE_FP_PAIR_VS:
    case NATIVE_WIDE_VV:
    case NATIVE_WIDE_VS:
    case NATIVE_LOAD:
        emit_keep(e, op);
        return true;
    case NATIVE_STORE:
    case NATIVE_SCALAR_LOAD:
    case NATIVE_SCALAR_STORE:
        emit_access(e, op);
        return true;
    case NATIVE_CALL:
        emit_store_state(e);
        emit_interpret(e, op);
        emit_forget_results(e, op);
        return true;
    case NATIVE_INDIRECT_JUMP:
        emit_store_state(e);
        emit_go_on_at(e, emit_interpret(e, op));
        return false;
    case NATIVE_BRANCH:
        branch(e, op);
        return false;
    case NATIVE_JUMP:
        jump(e, op);
        return false;
    case NATIVE_PAIR_BRANCH:
        pair_branch(e, op);
        return false;
    case NATIVE_THREAD_BRANCH:
    case NATIVE_PAIR_THREAD_BRANCH:
        thread_branch(e, op);
        return false;
    case NATIVE_JOIN:
        join(e, op);
        return false;
    case NATIVE_OTHER:
    case NATIVE_FORMS:
        break;
    }
    emit_store_state(e);
    LLVMBuildRet(e->b, emit_interpret(e, op));
    return false;
}

/* How many instructions a block has from op k on: to the next block or its end. */
static uint32_t
length_of(const struct native_request *r, uint32_t k)
{
    uint32_t n = 1;
    while (k + n < r->n && !r->op[k + n].leads &&
           r->op[k + n].index == after(&r->op[k + n - 1]))
        n++;
    return n;
}

/* Leaves at once if the warp has fewer instructions left than the block. */
static void
begin(struct emit *e, const struct native_op *op, uint32_t n)
{
    LLVMBasicBlockRef goes = emit_block(e, "");
    emit_forget(e);
    e->done = 0;
    e->n_kept = 0;
    e->left = LLVMBuildLoad2(
        e->b, e->i64, emit_member(e, offsetof(struct sim_warp, left)), "");
    LLVMValueRef enough = LLVMBuildICmp(e->b, LLVMIntUGE, e->left,
                                        LLVMConstInt(e->i64, n, false), "");
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
    LLVMValueRef at = emit_op(e, op->index);
    LLVMAddIncoming(e->leaves, &at, &here, 1);
    LLVMBuildCondBr(e->b, enough, goes, e->leave);
    LLVMPositionBuilderAtEnd(e->b, goes);
}

static void
one_block(struct emit *e, uint32_t k)
{
    const struct native_op *op = &e->r->op[k];
    uint32_t n = length_of(e->r, k);
    LLVMPositionBuilderAtEnd(e->b,
                             e->block[e->entry_of[op->index]][e->version]);
    begin(e, op, n);
    for (uint32_t i = 0; i < n; i++)
        if (!instruction(e, op + i))
            return;
    emit_kept(e);
    go_to(e, after(op + n - 1));
}

/* ---- entry ---- */

/* Continues at a block, or returns the op if it has none. */
static void
enter(struct emit *e, LLVMValueRef number, LLVMBasicBlockRef other, uint32_t n)
{
    LLVMValueRef slow = LLVMBuildLoad2(
        e->b, e->i32, emit_member(e, offsetof(struct sim_warp, slow)), "");
    LLVMValueRef partial =
        LLVMBuildICmp(e->b, LLVMIntNE, slow, LLVMConstNull(e->i32), "");
    partial = LLVMBuildZExt(e->b, partial, e->i32, "");
    number = LLVMBuildShl(e->b, number, emit_int(e, 1), "");
    number = LLVMBuildOr(e->b, number, partial, "");
    LLVMValueRef s = LLVMBuildSwitch(e->b, number, other, VERSIONS * n);
    for (uint32_t i = 0; i < n; i++)
        for (unsigned version = 0; version < VERSIONS; version++)
            LLVMAddCase(s, emit_int(e, VERSIONS * i + version),
                        e->block[i][version]);
}

static void
make_dispatch(struct emit *e, uint32_t blocks)
{
    LLVMBasicBlockRef inside = emit_block(e, "inside");
    LLVMBasicBlockRef leaves = emit_block(e, "leaves");
    LLVMPositionBuilderAtEnd(e->b, e->dispatch);
    LLVMValueRef from = LLVMBuildPtrToInt(e->b, e->ops, e->i64, "");
    LLVMValueRef offset = LLVMBuildSub(
        e->b, LLVMBuildPtrToInt(e->b, e->next, e->i64, ""), from, "");
    LLVMValueRef size =
        LLVMConstInt(e->i64, CODE_WORDS * sizeof(struct sim_op), false);
    LLVMValueRef is_inside = LLVMBuildICmp(e->b, LLVMIntULT, offset, size, "");
    LLVMBuildCondBr(e->b, is_inside, inside, leaves);
    LLVMPositionBuilderAtEnd(e->b, leaves);
    LLVMBuildRet(e->b, e->next);
    LLVMPositionBuilderAtEnd(e->b, inside);
    LLVMValueRef index = LLVMBuildUDiv(
        e->b, offset, LLVMConstInt(e->i64, sizeof(struct sim_op), false), "");
    LLVMValueRef at =
        LLVMBuildInBoundsGEP2(e->b, e->i16, e->entry, &index, 1, "");
    LLVMValueRef number = LLVMBuildLoad2(e->b, e->i16, at, "");
    number = LLVMBuildZExt(e->b, number, e->i32, "");
    enter(e, number, leaves, blocks);
}

static void
make_function(struct emit *e)
{
    LLVMTypeRef handler[] = { e->ptr, e->ptr };
    LLVMTypeRef params[] = { e->ptr, e->ptr, e->ptr, e->i32 };
    LLVMTypeRef type = LLVMFunctionType(e->ptr, params, 4, false);
    e->handler = LLVMFunctionType(e->ptr, handler, 2, false);
    e->function = LLVMAddFunction(e->module, "page", type);
    e->w = LLVMGetParam(e->function, 0);
    e->ops = LLVMGetParam(e->function, 1);
    e->entry = LLVMGetParam(e->function, 2);
    LLVMBasicBlockRef start = emit_block(e, "start");
    e->dispatch = emit_block(e, "dispatch");
    LLVMPositionBuilderAtEnd(e->b, e->dispatch);
    e->next = LLVMBuildPhi(e->b, e->ptr, "next");
    e->leave = emit_block(e, "leave");
    LLVMPositionBuilderAtEnd(e->b, e->leave);
    e->leaves = LLVMBuildPhi(e->b, e->ptr, "leaves");
    LLVMBuildRet(e->b, e->leaves);
    e->stop = emit_block(e, "stop");
    LLVMPositionBuilderAtEnd(e->b, e->stop);
    LLVMBuildRet(e->b, LLVMConstNull(e->ptr));
    LLVMPositionBuilderAtEnd(e->b, start);
    e->v = LLVMBuildLoad2(e->b, e->ptr,
                          emit_member(e, offsetof(struct sim_warp, v)), "");
    LLVMTypeRef room =
        LLVMArrayType2(e->strip, sizeof(struct room) / (4 * STRIP_LANES));
    static_assert(sizeof(struct room) % 32 == 0, "a room is whole strips");
    for (unsigned i = 0; i < ROOMS; i++)
        e->room[i] = LLVMBuildAlloca(e->b, room, "");
    e->host = LLVMBuildLoad2(e->b, e->ptr,
                             emit_member(e, offsetof(struct sim_warp, fp)), "");
}

/* Numbers the blocks; returns how many. */
static uint32_t
number_blocks(struct emit *e)
{
    uint32_t n = 0;
    for (unsigned i = 0; i < CODE_WORDS; i++)
        e->entry_of[i] = -1;
    for (uint32_t k = 0; k < e->r->n; k++)
        if (e->r->op[k].leads)
            e->entry_of[e->r->op[k].index] = (int)n++;
    for (uint32_t i = 0; i < n; i++)
        for (unsigned version = 0; version < VERSIONS; version++)
            e->block[i][version] = emit_block(e, "block");
    return n;
}

static void
make_page(struct emit *e)
{
    make_function(e);
    uint32_t blocks = number_blocks(e);
    LLVMBasicBlockRef never = emit_block(e, "never");
    enter(e, LLVMGetParam(e->function, 3), never, blocks);
    LLVMPositionBuilderAtEnd(e->b, never);
    LLVMBuildUnreachable(e->b);
    for (unsigned version = 0; version < VERSIONS; version++) {
        e->version = (enum version)version;
        for (uint32_t k = 0; k < e->r->n && !e->wrong; k++)
            if (e->r->op[k].leads)
                one_block(e, k);
    }
    if (e->wrong)
        return;
    make_dispatch(e, blocks);
}

bool
emit_page(LLVMModuleRef module, const struct native_request *r,
          const char **why)
{
    struct emit *e = calloc(1, sizeof *e);
    LLVMContextRef c = LLVMGetModuleContext(module);
    if (!e) {
        *why = "no memory";
        return false;
    }
    e->r = r;
    e->context = c;
    e->module = module;
    e->b = LLVMCreateBuilderInContext(c);
    e->i1 = LLVMInt1TypeInContext(c);
    e->i8 = LLVMInt8TypeInContext(c);
    e->i16 = LLVMInt16TypeInContext(c);
    e->i32 = LLVMInt32TypeInContext(c);
    e->i64 = LLVMInt64TypeInContext(c);
    e->ptr = LLVMPointerTypeInContext(c, 0);
    e->strip = LLVMVectorType(e->i32, STRIP_LANES);
    e->half = LLVMVectorType(e->i64, STRIP_LANES / 2);
    e->strips = r->lanes / STRIP_LANES;
    e->block = calloc(CODE_WORDS, sizeof *e->block);
    e->entry_of = calloc(CODE_WORDS, sizeof *e->entry_of);
    e->wrong = e->block && e->entry_of ? NULL : "no memory";
    if (!e->wrong)
        make_page(e);
    *why = e->wrong;
    LLVMDisposeBuilder(e->b);
    free(e->block);
    free(e->entry_of);
    free(e);
    return !*why;
}
