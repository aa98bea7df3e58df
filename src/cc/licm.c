/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loop-invariant code motion, on either SSA form.  Computations with loop-invariant
 * operands move in front of the loop, if there is one block there that leads only to
 * the loop, or that may execute them speculatively.  Every lane that is active in the
 * loop was active in front of it.
 *
 * In vector machine IR these are mostly vectors of a scalar or a constant, which
 * branches and some instructions need.  Their number is limited, because each
 * takes a register in the whole loop.
 */
#include <assert.h>

#include "cc/cc.h"
#include "cc/passes.h"

enum { MOST = 16 };

struct state {
    struct ir_func *f;
    ir_val **at;
};

static bool
may_move(const struct ir_insn *in)
{
    if (!ir_is_pure(in) || !in->dst || ir_is_load(in) || in->src[0] ||
        in->mask || in->masked)
        return false;
    switch (in->op) {
    case IR_PHI:
    case IR_UNDEF:
    case IR_UNWRITTEN:
    case IR_UNIFORM:
    case IR_CONST: /* sink.c knows where these go */
    case IR_SYMBOL:
        return false;
    }
    /* Which lane is read depends on which lanes are active. */
    return !(ir_flags(in->op) & VENTUS_ISA_F_READLANE);
}

/* The only block outside of the loop that leads to it. */
static struct ir_block *
front_of(const struct ir_loop *l)
{
    struct ir_block *front = NULL;
    for (size_t i = 0; i < l->header->preds.n; i++) {
        struct ir_block *p = l->header->preds.at[i];
        if (!p->reachable || ir_in_loop(p, l))
            continue;
        if (front)
            return NULL;
        front = p;
    }
    return front;
}

static bool
is_invariant(struct state *s, struct ir_insn *in, const struct ir_loop *l)
{
    for (unsigned i = ir_sources(in, s->at); i-- > 0;) {
        const struct ir_insn *def = ir_value(s->f, *s->at[i])->def;
        if (*s->at[i] != IR_ZERO && (!def || ir_in_loop(def->block, l)))
            return false;
    }
    return true;
}

static void
licm_of_loop(struct state *s, const struct ir_loop *l)
{
    struct ir_block *front = front_of(l);
    unsigned moved = 0;
    if (!front)
        return;
    ir_foreach_rpo (s->f, b) {
        if (!ir_in_loop(b, l))
            continue;
        ir_foreach_insn_safe (b, in)
            if (moved < MOST && may_move(in) && is_invariant(s, in, l)) {
                assert(
                    ir_dominates(front, b)); /* its uses are dominated still */
                ir_remove(in);
                ir_insert_end(front, in);
                moved++;
            }
    }
}

void
cc_licm(struct cc *c)
{
    assert(c->f->form <= IR_FORM_VECTOR && "the function is in SSA form");
    struct ir_func *f = c->f;
    struct state s = { .f = f };
    ir_analyse(f);
    s.at = arena_new(f->arena, ir_val *, ir_max_sources(f));
    /* Inner loops first: what they give up may go on outwards. */
    for (size_t i = f->rpo.n; i-- > 0;) {
        const struct ir_block *b = f->rpo.at[i];
        if (b->loop && b->loop->header == b)
            licm_of_loop(&s, b->loop);
    }
}
