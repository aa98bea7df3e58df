/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two sides of a call, docs/abi.md "Functions".
 *
 *     before                          after cc_lower_calls
 *       s1, v2 = enter                  s10@10, v11@1 = enter
 *                                       parcopy s1 = s10, v2 = v11
 *       v5 = call v3, s4 sym=f          parcopy v12@0 = v3, s13@10 = s4
 *                                       v14@0 = call v12, s13 sym=f
 *                                       parcopy v5 = v14
 *       ret v6                          parcopy v15@0 = v6
 *                                       ret v15
 *
 * A parameter that is uniform in all calls of a function is passed in a scalar
 * register, as long as there are some; the others are in vector registers, which
 * follow from their places among all parameters.
 */
#include <assert.h>

#include "cc/call.h"
#include "cc/cc.h"

enum { FIRST_SCALAR = 10, SCALARS = 8 }; /* a0 to a7 */

/* The next scalar register for `words`, 0 if there is none left. */
static unsigned
next_scalar(unsigned *next, unsigned words)
{
    unsigned at = words == 2 ? (*next + 1) / 2 * 2 : *next;
    if (at + words > SCALARS)
        return 0;
    assert(words == 1 || (words == 2 && at % 2 == 0));
    *next = at + words;
    return FIRST_SCALAR + at;
}

/* A word that is the same for all lanes comes in a vector. */
static void
take_from_vector(struct ir_func *f, struct ir_insn *enter, ir_val *out)
{
    struct ir_insn *word = ir_insn_new(f, IR_UNIFORM);
    word->src[1] = ir_value_like(f, *out);
    ir_value(f, word->src[1])->def = enter;
    ir_insert_after(enter, word);
    ir_set_dst(f, word, *out);
    *out = word->src[1];
}

void
cc_take_arguments(struct ir_func *f)
{
    struct ir_insn *enter = f->blocks.at[0]->first;
    unsigned next = 0;
    if (!f->is_function)
        return;
    assert(enter->op == IR_ENTER && enter->n_out == f->n_params);
    for (unsigned i = 0; i < f->n_params; i++) {
        struct ir_place *p = &f->params[i];
        if (p->varies)
            continue;
        p->sreg = (uint8_t)next_scalar(&next, p->words);
        p->varies = !p->sreg;
        if (p->varies && p->words == 1)
            take_from_vector(f, enter, &enter->many[i]);
    }
}

void
cc_pass_arguments(struct ir_func *f)
{
    ir_foreach_block (f, b)
        ir_foreach_insn (b, in)
            for (unsigned i = 0; in->op == IR_CALL && i < in->n_in; i++)
                in->callee->params[i].varies |=
                    ir_value(f, in->many[i])->divergent;
}

/* ---- registers ---- */

static ir_val
at_place(struct ir_func *f, const struct ir_place *p)
{
    assert(p->sreg < 64 && (p->words == 1 || p->vreg % 2 == 0 || p->sreg));
    ir_val v = ir_value_new(f, p->sreg ? IR_S : IR_V, p->words);
    ir_value(f, v)->fixed = p->sreg ? p->sreg : p->vreg;
    ir_value(f, v)->no_spill = true;
    return v;
}

static struct ir_insn *
parallel(struct ir_func *f, const struct ir_insn *at, unsigned n)
{
    struct ir_insn *p = ir_insn_new(f, IR_PARCOPY);
    p->many = arena_new(f->arena, ir_val, 2 * n + 1);
    ir_place_like(p, at);
    return p;
}

/* The n values of `many`, before `in`, go to the registers of their places. */
static void
move_in(struct ir_func *f, struct ir_insn *in, const struct ir_place *place)
{
    assert(in->op == IR_CALL || in->op == IR_RET);
    struct ir_insn *p = parallel(f, in, in->n_in);
    for (unsigned i = 0; i < in->n_in; i++) {
        ir_val v = in->many[i], to = at_place(f, &place[i]);
        const struct ir_insn *def = ir_value(f, v)->def;
        bool undefined =
            def && def->op == IR_UNDEF && ir_value(f, v)->fixed < 0;
        assert(ir_value(f, v)->words == place[i].words || v == IR_ZERO);
        p->many[p->n_many++] = to;
        p->many[p->n_many++] = undefined ? (ir_val)IR_NONE : v;
        in->many[i] = to;
    }
    if (p->n_many)
        ir_insert_before(in, p);
}

/* Behind `in`, those that are used come from there. */
static void
move_out(struct ir_func *f, struct ir_insn *in, const struct ir_place *place,
         const unsigned *uses)
{
    assert(in->op == IR_CALL || in->op == IR_ENTER);
    struct ir_insn *p = parallel(f, in, in->n_out);
    for (unsigned i = 0; i < in->n_out; i++) {
        ir_val *out = &in->many[in->n_in + i], v = *out;
        *out = at_place(f, &place[i]);
        if (!uses[v])
            continue;
        p->many[p->n_many++] = v;
        p->many[p->n_many++] = *out;
    }
    if (p->n_many)
        ir_insert_after(in, p);
}

void
cc_lower_calls(struct ir_func *f)
{
    unsigned *uses = arena_new(f->arena, unsigned, f->values.n);
    ir_val **at = arena_new(f->arena, ir_val *, ir_max_sources(f));
    if (!f->is_function && !f->callees.n)
        return;
    ir_foreach_block (f, b)
        ir_foreach_insn (b, in)
            for (unsigned i = ir_sources(in, at); i-- > 0;)
                uses[*at[i]]++;
    ir_foreach_block (f, b)
        ir_foreach_insn_safe (b, in) {
            if (in->op == IR_CALL || in->op == IR_ENTER)
                move_out(f, in,
                         in->op == IR_CALL ? in->callee->results : f->params,
                         uses);
            if (in->op == IR_CALL || in->op == IR_RET)
                move_in(f, in,
                        in->op == IR_CALL ? in->callee->params : f->results);
        }
}

bool
cc_is_caller_saved(enum ir_class cls, unsigned reg)
{
    if (cls == IR_V)
        return reg < CC_CALLER_VECTORS;
    /* t0, t2, a0 to a7, t3 to t6; t1 and ra are not allocated */
    return reg == 5 || reg == 7 || (reg >= 10 && reg < 18) ||
           (reg >= 28 && reg < 32);
}
