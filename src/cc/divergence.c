/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scalar machine IR: finds the values that may differ between the threads of a warp.
 *
 * A value is divergent if
 *   - it is the lane number, what an atomic returns, or of private memory;
 *   - it is computed from a divergent value;
 *   - it is a phi where the sides of a divergent branch reconverge;
 *   - (temporal divergence) it is uniform inside a loop that threads leave at
 *     different times, and used outside: a copy is made where it is defined,
 *     which each thread keeps from its last iteration;
 *   - (split loops) it is defined in a loop in which the sides of a divergent
 *     branch do not reconverge before the next iteration: then one side runs
 *     iterations while the other waits, and scalars would be overwritten.
 *
 * The SIMT stack of the hardware requires the last rule, because branches reconverge
 * at their immediate post-dominator and not, as in structured code, at
 * the end of the iteration.  With it any control flow is correct.
 *
 * The analysis iterates to a fixed point and processes each divergent branch
 * once.  Guarantees: value->divergent; temporal copies are inserted.
 */
#include <assert.h>

#include "cc/cc.h"
#include "cc/passes.h"
#include "cc/regions.h"

struct state {
    struct cc *c;
    struct ir_func *f;
    bool *branch_done; /* by block */
    bool *phi_divides; /* by block: its phis are divergent */
    bool *leaves;      /* by header: threads leave at different times */
    bool *split;       /* by header: all of it is divergent */
    struct region region;
    bool changed;
    ir_val **at;
};

static bool
is_invariant(const struct ir_insn *in)
{
    return in->op == IR_CONST || in->op == IR_SYMBOL;
}

/* Used in `user`, is v seen from outside a loop that threads leave apart? */
static bool
is_temporal(struct state *s, ir_val v, const struct ir_block *user)
{
    const struct ir_insn *def = ir_value(s->f, v)->def;
    if (!def || is_invariant(def))
        return false;
    for (const struct ir_loop *l = def->block->loop; l; l = l->parent)
        if (s->leaves[l->header->id] && !ir_in_loop(user, l))
            return true;
    return false;
}

/* A phi uses its source at the end of that predecessor, or on the edge. */
static const struct ir_block *
user_block(const struct ir_insn *in, unsigned source)
{
    if (in->op != IR_PHI || in->block->preds.at[source]->succ[1])
        return in->block;
    assert(source < in->n_many);
    return in->block->preds.at[source];
}

static bool
is_divergent_use(struct state *s, const struct ir_insn *in, unsigned i)
{
    ir_val v = *s->at[i];
    return ir_value(s->f, v)->divergent || is_temporal(s, v, user_block(in, i));
}

static bool
is_source(const struct ir_insn *in)
{
    if (!ir_is_isa(in->op))
        return false;
    if (ventus_isa_info[in->op].flags & VENTUS_ISA_F_ATOMIC)
        return true;
    if (ir_is_load(in))
        return in->space == IR_SPACE_PRIVATE;
    /* no scalar form: vid.v, vfexp.v */
    return in->dst &&
           ir_slot_kind(in->op, VENTUS_ISA_SLOT_D) == VENTUS_ISA_KIND_V;
}

static bool
in_split_loop(struct state *s, const struct ir_block *b)
{
    for (const struct ir_loop *l = b->loop; l; l = l->parent)
        if (s->split[l->header->id])
            return true;
    return false;
}

static bool
result_divides(struct state *s, struct ir_insn *in)
{
    if (in->op == IR_UNIFORM || is_invariant(in))
        return false;
    if (ir_is_isa(in->op) &&
        (ventus_isa_info[in->op].flags & VENTUS_ISA_F_READLANE))
        return false;
    if (s->c->options->off & CC_NO_UNIFORM && in->op == VENTUS_ISA_LW)
        return true;
    if (is_source(in) || in_split_loop(s, in->block))
        return true;
    if (in->op == IR_PHI && s->phi_divides[in->block->id])
        return true;
    for (unsigned i = ir_sources(in, s->at); i-- > 0;)
        if (is_divergent_use(s, in, i))
            return true;
    return false;
}

static bool
branch_divides(struct state *s, struct ir_insn *in)
{
    for (unsigned i = ir_sources(in, s->at); i-- > 0;)
        if (is_divergent_use(s, in, i))
            return true;
    return false;
}

/* Marks as divergent what a divergent branch at the end of b makes so. */
static void
propagate_branch(struct state *s, struct ir_block *b)
{
    assert(ir_is_branch(b->last));
    struct region *r = &s->region;
    region_find(r, b);
    for (size_t i = 0; i < r->n[0]; i++)
        if (region_has(r, 1, r->side[0][i]))
            s->phi_divides[r->side[0][i]->id] = true;
    if (r->meet)
        s->phi_divides[r->meet->id] = true;
    for (struct ir_loop *l = b->loop; l; l = l->parent) {
        bool in0 = ir_in_loop(b->succ[0], l), in1 = ir_in_loop(b->succ[1], l);
        if (!in0 || !in1)
            s->leaves[l->header->id] = true;
        else if (region_has(r, 0, l->header) || region_has(r, 1, l->header))
            s->split[l->header->id] = true;
    }
    s->changed = true;
}

/* Parameters as calls pass them; results of calls may always differ. */
static void
propagate_call(struct state *s, struct ir_insn *in)
{
    for (unsigned i = 0; i < in->n_out; i++) {
        assert(in->n_in + i < in->n_many);
        struct ir_value *v = ir_value(s->f, in->many[in->n_in + i]);
        if (v->divergent || (in->op == IR_ENTER && !s->f->params[i].varies))
            continue;
        v->divergent = true;
        s->changed = true;
    }
}

static void
propagate_insn(struct state *s, struct ir_insn *in)
{
    if (in->op == IR_CALL || in->op == IR_ENTER)
        propagate_call(s, in);
    if (in->dst && !ir_value(s->f, in->dst)->divergent &&
        result_divides(s, in)) {
        ir_value(s->f, in->dst)->divergent = true;
        s->changed = true;
    }
    if (ir_is_branch(in) && !s->branch_done[in->block->id] &&
        branch_divides(s, in)) {
        s->branch_done[in->block->id] = true;
        propagate_branch(s, in->block);
    }
}

/* The divergent copy of v, after its definition. */
static ir_val
copy_of(struct state *s, ir_val v, ir_val *copies)
{
    if (copies[v])
        return copies[v];
    struct ir_func *f = s->f;
    struct ir_insn *def = ir_value(f, v)->def;
    assert(!ir_value(f, v)->divergent && def);
    struct ir_insn *copy = ir_insn_new(f, IR_COPY);
    ir_val n = ir_value_like(f, v);
    copy->src[1] = v;
    copy->pair = ir_value(f, v)->words == 2;
    ir_value(f, n)->divergent = true;
    ir_set_dst(f, copy, n);
    if (def->op == IR_PHI)
        ir_insert_front(def->block, copy);
    else
        ir_insert_after(def, copy);
    copies[v] = n;
    return n;
}

static void
insert_copies(struct state *s)
{
    ir_val *copies = arena_new(s->f->arena, ir_val, s->f->values.n);
    size_t n_values = s->f->values.n;
    ir_foreach_block (s->f, b)
        ir_foreach_insn (b, in) {
            unsigned n = b->reachable ? ir_sources(in, s->at) : 0;
            for (unsigned i = 0; i < n; i++) {
                ir_val v = *s->at[i];
                if (v < n_values && !ir_value(s->f, v)->divergent &&
                    is_temporal(s, v, user_block(in, i)))
                    *s->at[i] = copy_of(s, v, copies);
            }
        }
}

/* Splits edges into phis: the edge from one of two successors gets a block of its own. */
static void
split_edges(struct ir_func *f)
{
    size_t n = f->blocks.n;
    for (size_t i = 0; i < n; i++) {
        struct ir_block *b = f->blocks.at[i];
        for (unsigned k = 0; k < 2 && b->succ[1]; k++)
            if (b->succ[k]->first->op == IR_PHI && b->succ[k]->preds.n > 1)
                ir_split_edge(b, k);
    }
}

void
cc_divergence(struct cc *c)
{
    assert(c->f->form == IR_FORM_SCALAR);
    struct ir_func *f = c->f;
    split_edges(f);
    ir_analyse(f);
    size_t n = f->blocks.n;
    struct state s = { .c = c, .f = f, .changed = true };
    s.branch_done = arena_new(f->arena, bool, n);
    s.phi_divides = arena_new(f->arena, bool, n);
    s.leaves = arena_new(f->arena, bool, n);
    s.split = arena_new(f->arena, bool, n);
    s.at = arena_new(f->arena, ir_val *, ir_max_sources(f));
    s.region = region_begin(f->arena, f);
    while (s.changed) {
        s.changed = false;
        ir_foreach_rpo (f, b)
            ir_foreach_insn (b, in)
                propagate_insn(&s, in);
    }
    insert_copies(&s);
}
