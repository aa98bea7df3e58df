/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that are called, from both sides: docs/abi.md "Functions".  What
 * they take and return is, element by element, in v0 to v31; 64 bits begin at
 * an even register.  Arguments that no register is left for lie in private
 * memory, each at a multiple of 4: of the function, whose place is fixed because
 * nothing calls itself, and after those of all functions that it calls.
 */
#include <assert.h>

#include "cc/call.h"
#include "cc/front/module.h"
#include "cc/isel/build.h"
#include "cc/isel/function.h"
#include "cc/isel/params.h"
#include "cc/isel/type.h"
#include "cc/isel/value.h"

enum { VECTORS = 32, ON_STACK = 0xff };

struct tr_function *
tr_find_function(struct tr *t, LLVMValueRef of)
{
    for (size_t i = 0; i < t->functions.n; i++)
        if (t->functions.at[i]->of == of)
            return t->functions.at[i];
    return NULL;
}

/* ---- where what lies ---- */

/* A value of the IR in a register, or at an offset of the stack. */
struct tr_place {
    uint8_t words, vreg; /* vreg ON_STACK: there */
    uint32_t offset;
};

/* An element: `n` values, together `words` words. */
static void
add_element(struct tr *t, struct tr_places *to, unsigned n, unsigned words)
{
    unsigned reg = words == 2 ? (to->next + 1) / 2 * 2 : to->next;
    bool fits = !to->stack_B && reg + words <= VECTORS;
    assert(words == n || (n == 1 && words == 2));
    for (unsigned i = 0; i < n; i++) {
        struct tr_place p = { .words = (uint8_t)(words / n) };
        p.vreg = fits ? (uint8_t)(reg + i) : ON_STACK;
        p.offset = to->stack_B;
        to->stack_B += fits ? 0 : 4 * p.words;
        vec_push(t->m->arena, &to->of, p);
    }
    to->next = fits ? reg + words : VECTORS;
}

static void
add_type(struct tr *t, struct tr_places *to, LLVMTypeRef type)
{
    switch ((int)LLVMGetTypeKind(type)) {
    case LLVMVoidTypeKind:
        return;
    case LLVMVectorTypeKind:
        for (unsigned i = 0; i < LLVMGetVectorSize(type); i++)
            add_type(t, to, LLVMGetElementType(type));
        return;
    }
    if (tr_is_pair(t, type)) {
        add_element(t, to, 1, 2);
        return;
    }
    unsigned n = tr_width(t, type) > 32 ? 2 : 1;
    add_element(t, to, n, n);
}

/* The arguments or results that are in registers, for the back end. */
static struct ir_place *
register_places(struct tr *t, const struct tr_places *from, unsigned *n)
{
    struct ir_place *to =
        arena_new(t->m->arena, struct ir_place, from->of.n + 1);
    *n = 0;
    for (size_t i = 0; i < from->of.n; i++)
        if (from->of.at[i].vreg != ON_STACK)
            to[(*n)++] = (struct ir_place){ .words = from->of.at[i].words,
                                            .vreg = from->of.at[i].vreg };
    return to;
}

void
tr_place_arguments(struct tr *t, struct tr_function *to)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(to->of);
    add_type(t, &to->results, LLVMGetReturnType(type));
    for (unsigned i = 0; i < LLVMCountParams(to->of); i++)
        add_type(t, &to->params, LLVMTypeOf(LLVMGetParam(to->of, i)));
    to->func->params = register_places(t, &to->params, &to->func->n_params);
    to->func->results = register_places(t, &to->results, &to->func->n_results);
    /* arguments that other objects pass are not known */
    bool open = to->func->is_external || to->func->is_exported;
    for (unsigned i = 0; i < to->func->n_params; i++)
        to->func->params[i].varies = open;
}

void
tr_add_external(struct tr *t, LLVMValueRef f)
{
    size_t length;
    const char *name = LLVMGetValueName2(f, &length);
    struct tr_function *x = arena_new(t->m->arena, struct tr_function, 1);
    x->of = f;
    x->func =
        ir_func_new(t->m->arena, arena_strndup(t->m->arena, name, length));
    x->func->is_external = x->func->is_function = true;
    for (unsigned cls = 0; cls < 2; cls++)
        for (unsigned r = 0; r < 256; r++)
            if (cc_is_caller_saved((enum ir_class)cls, r))
                x->func->writes[cls][r / 64] |= UINT64_C(1) << r % 64;
    tr_place_arguments(t, x);
    vec_push(t->m->arena, &t->functions, x);
    vec_push(t->m->arena, &t->m->externals, x->func);
}

/* ---- the function's side ---- */

static ir_val
from_stack(struct tr *t, uint32_t at, unsigned words)
{
    ir_val low = tr_get_word(t, t->tp, at);
    return words == 1 ? low : tr_pair(t, low, tr_get_word(t, t->tp, at + 4));
}

void
tr_enter(struct tr *t)
{
    struct tr_function *to = t->function;
    struct ir_insn *enter = tr_emit(t, IR_ENTER, 0);
    enter->many = arena_new(t->m->arena, ir_val, to->func->n_params + 1);
    for (unsigned i = 0; i < to->func->n_params; i++) {
        ir_val v = ir_value_new(t->f, IR_S, to->func->params[i].words);
        ir_value(t->f, v)->def = enter;
        enter->many[enter->n_out++] = v;
    }
    assert(enter->n_out == to->func->n_params);
    enter->n_many = enter->n_out;
    /* The caller knows only tp; all are loaded before anything else is stored
     * there. */
    if (!t->f->is_exported)
        to->arguments = tr_private_room(t, to->params.stack_B, 4);
    else if (t->f->private_B < to->params.stack_B)
        t->f->private_B = to->params.stack_B;
}

void
tr_take_parameters(struct tr *t)
{
    struct tr_function *to = t->function;
    const struct ir_insn *enter = t->f->blocks.at[0]->first;
    size_t k = 0, in_register = 0;
    for (unsigned i = 0; i < LLVMCountParams(to->of); i++) {
        LLVMValueRef param = LLVMGetParam(to->of, i);
        struct tr_value r = tr_new_value(t, tr_words(t, LLVMTypeOf(param)));
        for (unsigned w = 0; w < r.n; w++) {
            assert(k < to->params.of.n);
            const struct tr_place *p = &to->params.of.at[k++];
            r.at[w] = p->vreg != ON_STACK
                          ? enter->many[in_register++]
                          : from_stack(t, to->arguments + p->offset, p->words);
        }
        tr_set(t, param, r.at, r.n);
    }
}

void
tr_return(struct tr *t, LLVMValueRef v)
{
    t->returned = tr_get(t, v);
    t->returns = t->block;
}

/* Word i of the result; of a block that does not return, any value. */
static ir_val
result_word(struct tr *t, struct ir_block *exit, unsigned i)
{
    unsigned words = t->f->results[i].words;
    if (!t->returns)
        return IR_ZERO;
    if (exit->preds.n == 1)
        return t->returned.at[i];
    struct ir_insn *phi = ir_insn_new(t->f, IR_PHI);
    ir_set_dst(t->f, phi, ir_value_new(t->f, IR_S, words));
    phi->pair = words == 2;
    phi->many = arena_new(t->m->arena, ir_val, exit->preds.n);
    for (size_t k = 0; k < exit->preds.n; k++)
        phi->many[phi->n_many++] =
            exit->preds.at[k] == t->returns ? t->returned.at[i] : IR_ZERO;
    ir_insert_front(exit, phi);
    return phi->dst;
}

void
tr_leave(struct tr *t, struct ir_block *exit)
{
    struct ir_insn *ret = ir_insn_new(t->f, IR_RET);
    ret->many = arena_new(t->m->arena, ir_val, t->f->n_results + 1);
    for (unsigned i = 0; i < t->f->n_results; i++)
        ret->many[ret->n_in++] = result_word(t, exit, i);
    ret->n_many = ret->n_in;
    tr_set_place(t, ret);
    assert(!exit->last || !ir_is_terminator(exit->last));
    ir_append(exit, ret);
}

/* ---- the caller's side ---- */

static void
to_stack(struct tr *t, ir_val base, uint32_t at, ir_val v)
{
    if (ir_value(t->f, v)->words == 1) {
        tr_put_word(t, base, at, v);
        return;
    }
    tr_put_word(t, base, at, tr_lo(t, v));
    tr_put_word(t, base, at + 4, tr_hi(t, v));
}

static void
pass_arguments(struct tr *t, LLVMValueRef in, const struct tr_function *to,
               ir_val *many)
{
    size_t k = 0;
    ir_val base = t->tp;
    if (to->func->is_external && to->params.stack_B)
        base = tr_emit(t, IR_FRAME, 1)->dst;
    for (unsigned i = 0; i < LLVMCountParams(to->of); i++) {
        struct tr_value v = tr_get(t, LLVMGetOperand(in, i));
        for (unsigned w = 0; w < v.n; w++) {
            assert(k < to->params.of.n && "as tr_place_arguments has counted");
            const struct tr_place *p = &to->params.of.at[k++];
            if (p->vreg != ON_STACK)
                *many++ = v.at[w];
            else
                to_stack(t, base, to->arguments + p->offset, v.at[w]);
        }
    }
}

bool
tr_call_function(struct tr *t, LLVMValueRef in, struct tr_function *to)
{
    const struct ir_func *f = to->func;
    ir_val *many =
        arena_new(t->m->arena, ir_val, f->n_params + f->n_results + 1);
    pass_arguments(t, in, to, many);
    struct ir_insn *call = tr_emit(t, IR_CALL, 0);
    call->symbol = f->name;
    call->callee = to->func;
    call->many = many;
    call->n_in = f->n_params;
    call->n_out = f->n_results;
    call->n_many = call->n_in + call->n_out;
    for (unsigned i = 0; i < call->n_out; i++) {
        ir_val v = ir_value_new(t->f, IR_S, f->results[i].words);
        ir_value(t->f, v)->def = call;
        many[call->n_in + i] = v;
    }
    assert(call->n_many <= f->n_params + f->n_results);
    if (call->n_out)
        tr_set(t, in, many + call->n_in, call->n_out);
    return true;
}
