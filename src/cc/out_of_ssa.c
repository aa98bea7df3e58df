/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Out of SSA: the program that registers are allocated for.
 *
 *   phi        a variable, which each predecessor sets at its end in one
 *              parallel copy, and which is copied where the phi was (Sreedhar
 *              et al., "Translating Out of Static Single Assignment Form")
 *   vmacc ...  the destination holds the accumulator: copied before
 *   vmerge     its mask is copied to v0
 *   calls      arguments and results are copied to and from their registers
 *   pairs      32-bit operands of 64-bit instructions: copied to odd registers
 *
 * The copies are many; the register allocator coalesces them.
 */
#include <assert.h>

#include "cc/call.h"
#include "cc/cc.h"
#include "cc/passes.h"

static struct ir_insn *
copy(struct ir_func *f, ir_val to, ir_val from)
{
    assert(ir_value(f, to)->words == ir_value(f, from)->words);
    struct ir_insn *in = ir_insn_new(f, IR_COPY);
    in->dst = to;
    in->src[1] = from;
    in->pair = ir_value(f, to)->words == 2;
    return in;
}

static void
add_pair(struct ir_insn *p, ir_val to, ir_val from)
{
    p->many[p->n_many++] = to;
    p->many[p->n_many++] = from;
}

/* The value v, or IR_NONE if it is undefined: then no move is made. */
static ir_val
unless_undefined(struct ir_func *f, ir_val v)
{
    struct ir_insn *def = ir_value(f, v)->def;
    bool undefined = def && def->op == IR_UNDEF && ir_value(f, v)->fixed < 0;
    return undefined ? (ir_val)IR_NONE : v;
}

static void
remove_phis(struct ir_func *f, struct ir_block *b)
{
    unsigned n = 0;
    for (struct ir_insn *in = b->first; in && in->op == IR_PHI; in = in->next)
        n++;
    if (!n)
        return;
    struct ir_insn **into = arena_new(f->arena, struct ir_insn *, b->preds.n);
    for (size_t p = 0; p < b->preds.n; p++) {
        into[p] = ir_insn_new(f, IR_PARCOPY);
        into[p]->many = arena_new(f->arena, ir_val, 2 * n);
        /* on an edge of its own, else the copy is made on the other way too */
        assert(b->preds.n == 1 || !b->preds.at[p]->succ[1]);
        ir_insert_end(b->preds.at[p], into[p]);
        if (into[p]->next)
            ir_place_like(into[p], into[p]->next);
    }
    struct ir_insn *out = ir_insn_new(f, IR_PARCOPY);
    out->many = arena_new(f->arena, ir_val, 2 * n);
    while (b->first && b->first->op == IR_PHI) {
        struct ir_insn *phi = b->first;
        assert(phi->n_many == b->preds.n && out->n_many < 2 * n);
        ir_val variable = ir_value_like(f, phi->dst);
        add_pair(out, phi->dst, variable);
        for (size_t p = 0; p < b->preds.n; p++)
            add_pair(into[p], variable, unless_undefined(f, phi->many[p]));
        ir_remove(phi);
    }
    if (b->first)
        ir_insert_before(b->first, out);
    else
        ir_append(b, out);
}

/* Ties the destination to the accumulator, or to the value that masked-off lanes keep. */
static void
tie_operand(struct ir_func *f, struct ir_insn *in)
{
    if (!in->src[0] || !in->dst)
        return;
    assert(ir_reads_d(in->op) || in->masked);
    struct ir_insn *kept = copy(f, in->dst, in->src[0]);
    kept->half = in->half;
    ir_insert_before(in, kept);
    in->src[0] = in->dst;
}

/* The mask that is in v0 at this place of the block. */
struct v0 {
    ir_val mask, copy;
};

static void
mask_to_v0(struct ir_func *f, struct ir_insn *in, struct v0 *now)
{
    if (!in->mask)
        return;
    if (in->mask != now->mask) {
        now->mask = in->mask;
        now->copy = ir_value_new(f, IR_V, 1);
        ir_value(f, now->copy)->fixed = 0;
        ir_insert_before(in, copy(f, now->copy, in->mask));
    }
    assert(ir_value(f, now->copy)->fixed == 0);
    in->mask = now->copy;
}

static bool
needs_odd(struct ir_func *f, ir_val v)
{
    return v > IR_ZERO && ir_value(f, v)->words == 1;
}

static void
to_odd(struct ir_func *f, struct ir_insn *in)
{
    if (!in->pair || !ir_is_isa(in->op) || ir_has_address(in) ||
        ventus_isa_info[in->op].flags & VENTUS_ISA_F_PAIR64)
        return;
    for (unsigned i = 1; i < 4; i++) {
        if (!in->src[i] || !needs_odd(f, in->src[i]))
            continue;
        ir_val v = ir_value_like(f, in->src[i]), old = in->src[i];
        ir_value(f, v)->odd = true;
        ir_insert_before(in, copy(f, v, old));
        for (unsigned k = i; k < 4; k++)
            if (in->src[k] == old)
                in->src[k] = v;
    }
    if (in->dst && needs_odd(f, in->dst)) {
        ir_val v = ir_value_like(f, in->dst);
        ir_value(f, v)->odd = true;
        ir_insert_after(in, copy(f, in->dst, v));
        in->dst = v;
    }
}

/*
 * The zero of a 32-bit operand among pairs is x0, which as a pair is zero
 * too; float 0.0 as well.
 */
void
cc_out_of_ssa(struct cc *c)
{
    assert(c->f->form == IR_FORM_VECTOR);
    struct ir_func *f = c->f;
    cc_lower_calls(f);
    ir_foreach_block (f, b)
        remove_phis(f, b);
    ir_foreach_block (f, b) {
        struct v0 now = { 0 };
        ir_foreach_insn_safe (b, in) {
            to_odd(f, in);
            tie_operand(f, in);
            mask_to_v0(f, in, &now);
            if (in->op == IR_CALL) /* which has masks of its own */
                now = (struct v0){ 0 };
        }
    }
    for (size_t v = 0; v < f->values.n; v++)
        f->values.at[v].def = NULL;
    ir_analyse(f);
}
