/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The control-flow graph of a function: order, dominators, post-dominators, loops.
 *
 * Dominators as in Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm".
 * Post-dominators are the same on the reversed graph; blocks that cannot reach the
 * exit (infinite loops) get an edge to it first.  In a function without an exit those
 * edges lead to a virtual one, so that branches inside of its loops reconverge as they
 * do in other functions.
 */
#include "ir/ir.h"

#include <assert.h>

static void
visit_block(struct ir_func *f, struct ir_block *b, struct ir_block **post,
            unsigned *n)
{
    b->reachable = true;
    for (unsigned k = 2; k-- > 0;)
        if (b->succ[k] && !b->succ[k]->reachable)
            visit_block(f, b->succ[k], post, n);
    post[(*n)++] = b;
}

static void
find_order(struct ir_func *f)
{
    struct ir_block **post =
        arena_new(f->arena, struct ir_block *, f->blocks.n);
    unsigned n = 0;
    ir_foreach_block (f, b)
        b->reachable = false;
    visit_block(f, f->blocks.at[0], post, &n);
    assert(n && n <= f->blocks.n && post[n - 1] == f->blocks.at[0] &&
           "the entry is last in post-order");
    f->rpo.n = 0;
    f->exit = NULL;
    while (n-- > 0) {
        post[n]->order = (unsigned)f->rpo.n;
        vec_push(f->arena, &f->rpo, post[n]);
        if (post[n]->last && post[n]->last->op == IR_RET)
            f->exit = post[n];
    }
}

/* Numbers the dominator tree in pre-order: a dominates b if b's number is between that
 * of a and that of a's last descendant. */
static void
number_tree(struct ir_func *f)
{
    /* descendants come later in the order: their numbers sum up backwards */
    ir_foreach_block (f, b) {
        b->dom_first = UINT32_MAX;
        b->dom_size = b->reachable;
    }
    for (size_t i = f->rpo.n; i-- > 1;)
        f->rpo.at[i]->idom->dom_size += f->rpo.at[i]->dom_size;
    assert(f->rpo.at[0]->dom_size == f->rpo.n && "the entry dominates all");
    unsigned *next = arena_new(f->arena, unsigned, f->rpo.n);
    f->rpo.at[0]->dom_first = 0;
    next[0] = 1;
    for (size_t i = 1; i < f->rpo.n; i++) {
        struct ir_block *b = f->rpo.at[i];
        b->dom_first = next[b->idom->order];
        next[b->idom->order] += b->dom_size;
        next[i] = b->dom_first + 1;
        assert(b->idom->order < i && "dominators come first");
        assert(b->dom_first + b->dom_size <= f->rpo.n &&
               "the numbers are those of a tree");
    }
}

static void
find_dominators(struct ir_func *f)
{
    struct ir_block *entry = f->rpo.at[0];
    ir_foreach_block (f, b)
        b->idom = NULL;
    entry->idom = entry;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 1; i < f->rpo.n; i++) {
            struct ir_block *b = f->rpo.at[i], *dom = NULL;
            for (size_t p = 0; p < b->preds.n; p++) {
                struct ir_block *x = b->preds.at[p], *y = dom;
                if (!x->idom)
                    continue;
                while (y && x != y) {
                    while (x->order > y->order)
                        x = x->idom;
                    while (y->order > x->order)
                        y = y->idom;
                }
                dom = x;
            }
            if (b->idom != dom) {
                b->idom = dom;
                changed = true;
            }
        }
    }
    entry->idom = NULL;
    number_tree(f);
}

/* Numbers the reversed graph in post-order, from the exit. */
static void
number_backwards(struct ir_block *b, bool *seen, struct ir_block **post,
                 unsigned *n)
{
    seen[b->id] = true;
    for (size_t p = 0; p < b->preds.n; p++)
        if (b->preds.at[p]->reachable && !seen[b->preds.at[p]->id])
            number_backwards(b->preds.at[p], seen, post, n);
    b->post_order = *n;
    post[(*n)++] = b;
}

static struct ir_block *
common_post_dominator(struct ir_block *x, struct ir_block *y)
{
    while (x != y) {
        while (x->post_order < y->post_order)
            x = x->ipdom;
        while (y->post_order < x->post_order)
            y = y->ipdom;
    }
    return x;
}

static void
find_post_dominators(struct ir_func *f)
{
    struct ir_block **post =
        arena_new(f->arena, struct ir_block *, f->blocks.n + 1);
    bool *seen = arena_new(f->arena, bool, f->blocks.n + 1);
    bool *fake = arena_new(f->arena, bool, f->blocks.n);
    unsigned n = 0;
    struct ir_block none = { .id = (unsigned)f->blocks.n };
    struct ir_block *exit = f->exit ? f->exit : &none;
    ir_foreach_block (f, b)
        b->ipdom = NULL;
    /* Infinite loops are numbered first, as if they led to the exit. */
    struct ir_block **all =
        arena_new(f->arena, struct ir_block *, f->blocks.n + 1);
    unsigned n_all = 0;
    number_backwards(exit, seen, all, &n_all);
    for (size_t i = f->rpo.n; i-- > 0;)
        if (!seen[f->rpo.at[i]->id]) {
            fake[f->rpo.at[i]->id] = true;
            number_backwards(f->rpo.at[i], seen, post, &n);
        }
    for (unsigned i = 0; i < n_all; i++) {
        all[i]->post_order = n;
        post[n++] = all[i];
    }
    assert(n <= f->blocks.n + 1 && post[n - 1] == exit &&
           "each block appears once, the exit last");
    exit->ipdom = exit;
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned i = n - 1; i-- > 0;) {
            struct ir_block *b = post[i];
            struct ir_block *dom = fake[b->id] ? exit : NULL;
            for (unsigned k = 0; k < 2; k++) {
                struct ir_block *s = b->succ[k];
                if (s && s->ipdom)
                    dom = dom ? common_post_dominator(dom, s) : s;
            }
            if (dom && b->ipdom != dom) {
                b->ipdom = dom;
                changed = true;
            }
        }
    }
    exit->ipdom = NULL;
    ir_foreach_block (f, b)
        if (b->ipdom == &none)
            b->ipdom = NULL;
}

bool
ir_dominates(const struct ir_block *a, const struct ir_block *b)
{
    return b->dom_first - a->dom_first < a->dom_size;
}

bool
ir_in_loop(const struct ir_block *b, const struct ir_loop *loop)
{
    for (const struct ir_loop *l = b->loop; l; l = l->parent)
        if (l == loop)
            return true;
    return false;
}

/* Puts b and its predecessors, transitively, into the loop, up to the header. */
static void
fill_loop(struct ir_loop *loop, struct ir_block *b)
{
    if (b == loop->header || !b->reachable)
        return;
    struct ir_loop *outer = NULL;
    /* Inner loops were found first: the outermost of them becomes a child of this one. */
    for (struct ir_loop *l = b->loop; l; l = l->parent) {
        if (l == loop)
            return;
        outer = l;
    }
    struct ir_block *from = b;
    if (outer) {
        assert(outer->header != loop->header && !outer->parent &&
               "the outermost loop of a nest has no parent yet");
        outer->parent = loop;
        from = outer->header;
    } else {
        b->loop = loop;
    }
    for (size_t p = 0; p < from->preds.n; p++)
        fill_loop(loop, from->preds.at[p]);
}

static void
find_loops(struct ir_func *f)
{
    ir_foreach_block (f, b)
        b->loop = NULL;
    /* Inner headers come later in reverse post-order. */
    for (size_t i = f->rpo.n; i-- > 0;) {
        struct ir_block *h = f->rpo.at[i];
        struct ir_loop *loop = NULL;
        for (size_t p = 0; p < h->preds.n; p++) {
            struct ir_block *latch = h->preds.at[p];
            if (!latch->reachable || !ir_dominates(h, latch))
                continue;
            if (!loop) {
                loop = arena_new(f->arena, struct ir_loop, 1);
                loop->header = h;
            }
            fill_loop(loop, latch);
        }
        if (loop) {
            assert(!h->loop && "a header has one loop");
            h->loop = loop;
        }
    }
    for (size_t i = 0; i < f->rpo.n; i++)
        for (struct ir_loop *l = f->rpo.at[i]->loop; l; l = l->parent) {
            l->depth = 1;
            for (struct ir_loop *p = l->parent; p; p = p->parent)
                l->depth++;
        }
}

void
ir_analyse(struct ir_func *f)
{
    find_order(f);
    find_dominators(f);
    find_post_dominators(f);
    find_loops(f);
}
