/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Warp form: constants and addresses of symbols, all made at the start, move
 * to the block that dominates their uses and is in no deeper loop than it has
 * to be: short live ranges, nothing computed again in a loop.
 */
#include "cc/cc.h"

static struct ir_block *
common_dominator(struct ir_block *a, struct ir_block *b)
{
    if (!a)
        return b;
    while (a != b) {
        while (a->order > b->order)
            a = a->idom;
        while (b->order > a->order)
            b = b->idom;
    }
    return a;
}

static unsigned
depth(const struct ir_block *b)
{
    return b->loop ? b->loop->depth : 0;
}

static bool
may_move(const struct ir_insn *in)
{
    return in->op == IR_CONST || in->op == IR_SYMBOL;
}

/* Before its first use in the block, or at its end. */
static void
place(struct ir_func *f, struct ir_insn *in, struct ir_block *b, ir_val **at)
{
    ir_remove(in);
    ir_foreach_insn (b, user) {
        bool uses = ir_is_terminator(user);
        if (user->op != IR_PHI)
            for (unsigned i = ir_sources(user, at); i-- > 0;)
                uses |= *at[i] == in->dst;
        if (uses) {
            ir_insert_before(user, in);
            return;
        }
    }
    (void)f;
}

void
cc_sink(struct cc *c)
{
    struct ir_func *f = c->f;
    ir_analyse(f);
    struct ir_block **where =
        arena_new(f->arena, struct ir_block *, f->values.n);
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
        if (!may_move(in) || !to)
            continue;
        for (struct ir_block *b = to; b; b = b->idom)
            if (depth(b) < depth(to))
                to = b;
        if (to != f->blocks.at[0])
            place(f, in, to, at);
    }
}
