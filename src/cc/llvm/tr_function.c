/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that are called.  What they take and return lies in the thread's
 * private memory, at offsets that are fixed because nothing calls itself; a
 * function's memory is behind that of all functions that it calls.
 *
 *     caller                      function
 *       vsw.v  x, arguments(0)
 *       call                        vlw.v  x, arguments(0)
 *                                   ...
 *                                   vsw.v  r, result(0)
 *       vlw.v  r, result(0)         ret
 *
 * If all calls pass the same for all lanes the function takes it as a scalar.
 */
#include "cc/llvm/front_module.h"
#include "cc/llvm/tr.h"

struct tr_function *
tr_find_function(struct tr *t, LLVMValueRef of)
{
    for (size_t i = 0; i < t->functions.n; i++)
        if (t->functions.at[i]->of == of)
            return t->functions.at[i];
    return NULL;
}

/* Where the next argument lies behind `at`. */
static uint32_t
behind(struct tr *t, LLVMTypeRef type, uint32_t at)
{
    return at + ((uint32_t)LLVMABISizeOfType(t->layout, type) + 3) / 4 * 4;
}

void
tr_enter(struct tr *t)
{
    struct tr_function *to = t->function;
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(to->of));
    if (LLVMGetTypeKind(result) != LLVMVoidTypeKind)
        to->result = tr_private_room(t, behind(t, result, 0), 4);
    uint32_t size = 0;
    for (unsigned i = 0; i < LLVMCountParams(to->of); i++)
        size = behind(t, LLVMTypeOf(LLVMGetParam(to->of, i)), size);
    uint32_t at = to->arguments = tr_private_room(t, size, 4);
    t->f->varies = arena_new(t->m->arena, bool, size + 1);
    for (unsigned i = 0; i < LLVMCountParams(to->of); i++) {
        LLVMValueRef param = LLVMGetParam(to->of, i);
        LLVMTypeRef type = LLVMTypeOf(param);
        struct tr_value r = tr_new_value(t, tr_words(t, type));
        struct tr_slot slot = { at, t->f, to->arguments };
        tr_get_private(t, slot, type, r.at);
        tr_set(t, param, r.at, r.n);
        at = behind(t, type, at);
    }
}

void
tr_return(struct tr *t, LLVMValueRef v)
{
    struct tr_slot slot = { t->function->result, NULL, 0 };
    tr_put_private(t, slot, LLVMTypeOf(v), tr_get(t, v).at);
}

bool
tr_call_function(struct tr *t, LLVMValueRef in, struct tr_function *to)
{
    uint32_t at = to->arguments;
    for (unsigned i = 0; i < LLVMCountParams(to->of); i++) {
        LLVMValueRef x = LLVMGetOperand(in, i);
        struct tr_slot slot = { at, to->func, to->arguments };
        tr_put_private(t, slot, LLVMTypeOf(x), tr_get(t, x).at);
        at = behind(t, LLVMTypeOf(x), at);
    }
    struct ir_insn *call = tr_emit(t, IR_CALL, 0);
    call->symbol = to->func->name;
    call->callee = to->func;
    LLVMTypeRef type = LLVMTypeOf(in);
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
        return true;
    struct tr_value r = tr_new_value(t, tr_words(t, type));
    tr_get_private(t, (struct tr_slot){ to->result, NULL, 0 }, type, r.at);
    tr_set(t, in, r.at, r.n);
    return true;
}
