/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code sinking, on vector machine IR.  Constants and addresses of symbols are all
 * defined at the start.  They move to the block that dominates their uses, at the
 * lowest possible loop depth: that shortens live ranges and repeats no computation
 * in a loop.  Words of arguments move, too, if there are more than registers.
 */
#include <assert.h>

#include "cc/cc.h"
#include "cc/passes.h"

static struct ir_block *
common_dominator(struct ir_block *a, struct ir_block *b)
{
    if (!a)
        return b;
    assert(a->reachable && b->reachable);
    while (a != b) {
        while (a->order > b->order)
            a = a->idom;
        while (b->order > a->order)
            b = b->idom;
    }
    return a;
}

static unsigned
loop_depth(const struct ir_block *b)
{
    return b->loop ? b->loop->depth : 0;
}

/* A word that stays as it is in memory. */
static bool
is_argument(const struct ir_func *f, const struct ir_insn *in)
{
    return in->op == VENTUS_ISA_LW && in->space == IR_SPACE_CONST &&
           !in->is_volatile && f->values.at[in->dst].cls == IR_S;
}

static bool
may_move(const struct ir_func *f, const struct ir_insn *in, bool arguments)
{
    return in->op == IR_CONST || in->op == IR_SYMBOL ||
           (arguments && is_argument(f, in));
}

static bool
has_many_arguments(const struct ir_func *f)
{
    enum { MANY = 40 };
    unsigned n = 0;
    ir_foreach_insn (f->blocks.at[0], in)
        n += is_argument(f, in);
    return n > MANY;
}

/* The instructions that move, by value; the blocks that they move to. */
struct moves {
    struct ir_insn **pending;
    struct ir_block **target;
    struct list {
        vec(struct ir_insn *) insns;
    } * to;
};

static void
note_move(struct ir_func *f, struct moves *m, struct ir_insn *in,
          struct ir_block *to)
{
    assert(!m->pending[in->dst] && "SSA: one definition");
    assert(ir_dominates(in->block, to));
    ir_remove(in);
    m->pending[in->dst] = in;
    m->target[in->dst] = to;
    vec_push(f->arena, &m->to[to->id].insns, in);
}

/* Inserts the instructions that moved to b: before their first use, or at the end. */
static void
insert_moved(struct moves *m, struct ir_block *b, ir_val **at)
{
    size_t left = m->to[b->id].insns.n;
    for (struct ir_insn *user = b->first; user && left; user = user->next)
        for (unsigned i = ir_sources(user, at); i-- > 0;) {
            struct ir_insn *in = m->pending[*at[i]];
            if (!in || m->target[*at[i]] != b)
                continue;
            /* b would dominate one of its predecessors, and is in no loop */
            assert(user->op != IR_PHI);
            ir_insert_before(user, in);
            m->pending[*at[i]] = NULL;
            left--;
        }
    for (size_t k = 0; k < m->to[b->id].insns.n; k++) {
        struct ir_insn *in = m->to[b->id].insns.at[k];
        if (m->pending[in->dst]) {
            ir_insert_end(b, in);
            m->pending[in->dst] = NULL;
        }
    }
}

void
cc_sink(struct cc *c)
{
    assert(c->f->form == IR_FORM_VECTOR);
    struct ir_func *f = c->f;
    ir_analyse(f);
    struct ir_block **where =
        arena_new(f->arena, struct ir_block *, f->values.n);
    bool arguments = has_many_arguments(f);
    struct moves m = { 0 };
    m.pending = arena_new(f->arena, struct ir_insn *, f->values.n);
    m.target = arena_new(f->arena, struct ir_block *, f->values.n);
    m.to = arena_alloc(f->arena, f->blocks.n, sizeof *m.to, 8);
    ir_val **at = arena_new(f->arena, ir_val *, ir_max_sources(f));
    ir_foreach_rpo (f, b)
        ir_foreach_insn (b, in)
            for (unsigned i = ir_sources(in, at); i-- > 0;) {
                struct ir_block *user = in->op == IR_PHI ? b->preds.at[i] : b;
                if (user->reachable)
                    where[*at[i]] = common_dominator(where[*at[i]], user);
            }
    ir_foreach_insn_safe (f->blocks.at[0], in) {
        struct ir_block *to = in->dst ? where[in->dst] : NULL;
        if (!may_move(f, in, arguments) || !to)
            continue;
        for (struct ir_block *b = to; b; b = b->idom)
            if (loop_depth(b) < loop_depth(to))
                to = b;
        if (to != f->blocks.at[0])
            note_move(f, &m, in, to);
    }
    ir_foreach_rpo (f, b)
        insert_moved(&m, b, at);
}
