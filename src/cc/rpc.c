/* SPDX-License-Identifier: Apache-2.0 */
/*
 * After register allocation: selects the blocks that set the reconvergence address.
 *
 * The address is a scalar like any other: a forward dataflow analysis over the
 * physical flow (live.h) finds its value at the start of each block.  At first every
 * divergent branch sets the address of its reconvergence block.  Then the pass visits
 * loops from the outermost on.  If all branches of a loop have one reconvergence
 * block, it sets the address on the edges into the loop, and keeps that if no branch
 * of the loop needs a setrpc any more.
 */
#include "cc/rpc.h"

#include <assert.h>
#include <string.h>

#include "cc/live.h"

struct plan {
    struct ir_func *f;
    struct live_edges *extra;
    struct ir_block **front;  /* by id: meet set at the end, for a loop */
    struct ir_block **in;     /* by id: what is set where it begins */
    struct ir_block **out;    /* by id: where it ends */
    struct ir_block *unknown; /* a mark */
};

/* The address that the branch at the end of b needs; NULL if it is none. */
static struct ir_block *
wanted_rpc(const struct ir_block *b)
{
    if (!b->reachable || !b->last || !ir_is_vbranch(b->last))
        return NULL;
    assert(b->succ[0] && b->succ[1]);
    return b->ipdom ? b->ipdom : b->succ[0];
}

static struct ir_block *
join(const struct plan *p, struct ir_block *a, struct ir_block *b)
{
    if (!a || !b)
        return a ? a : b;
    return a == b ? a : p->unknown;
}

static bool
join_preds(struct plan *p, struct ir_block *b)
{
    struct ir_block *in = b == p->f->blocks.at[0] ? p->unknown : NULL;
    for (size_t i = 0; i < b->preds.n; i++)
        in = join(p, in, p->out[b->preds.at[i]->id]);
    for (size_t i = 0; i < p->extra[b->id].from.n; i++)
        in = join(p, in, p->out[p->extra[b->id].from.at[i]->id]);
    struct ir_block *out = p->front[b->id] ? p->front[b->id] : in;
    if (wanted_rpc(b))
        out = wanted_rpc(b);
    bool changed = out != p->out[b->id];
    p->in[b->id] = in;
    p->out[b->id] = out;
    return changed;
}

static void
solve_rpc(struct plan *p)
{
    memset(p->in, 0, p->f->blocks.n * sizeof *p->in);
    memset(p->out, 0, p->f->blocks.n * sizeof *p->out);
    for (bool changed = true; changed;) {
        changed = false;
        ir_foreach_rpo (p->f, b)
            changed |= join_preds(p, b);
    }
}

static bool
must_set(const struct plan *p, const struct ir_block *b)
{
    struct ir_block *now = p->front[b->id] ? p->front[b->id] : p->in[b->id];
    return wanted_rpc(b) && wanted_rpc(b) != now;
}

/* The only reconvergence block of all branches of each loop, by header, or unknown. */
static struct ir_block **
only_meets(const struct plan *p)
{
    struct ir_block **meet =
        arena_new(p->f->arena, struct ir_block *, p->f->blocks.n);
    ir_foreach_rpo (p->f, b)
        for (struct ir_loop *l = wanted_rpc(b) ? b->loop : NULL; l;
             l = l->parent)
            meet[l->header->id] = join(p, meet[l->header->id], wanted_rpc(b));
    return meet;
}

/* meet on all edges into the loop, or NULL again. */
static void
set_front(struct plan *p, const struct ir_loop *l, struct ir_block *meet)
{
    struct ir_block *h = l->header;
    for (size_t i = 0; i < h->preds.n; i++)
        if (h->preds.at[i]->reachable && !ir_in_loop(h->preds.at[i], l)) {
            assert(!h->preds.at[i]->succ[1] &&
                   "split_entries made a block for the edge");
            p->front[h->preds.at[i]->id] = meet;
        }
}

/* Moves the setrpc of loops of one depth out of them.  Loops in which a branch still
 * must set its own are dropped, until there is none. */
static void
move_up(struct plan *p, struct ir_block **meet, unsigned depth)
{
    bool *tried = arena_new(p->f->arena, bool, p->f->blocks.n);
    bool again = false;
    ir_foreach_rpo (p->f, b) {
        if (!b->loop || b->loop->header != b || b->loop->depth != depth ||
            !meet[b->id] || meet[b->id] == p->unknown ||
            (b->idom && p->front[b->idom->id]))
            continue;
        set_front(p, b->loop, meet[b->id]);
        tried[b->id] = again = true;
    }
    while (again) {
        again = false;
        solve_rpc(p);
        ir_foreach_rpo (p->f, b)
            for (struct ir_loop *l = b->loop; l && must_set(p, b);
                 l = l->parent) {
                if (!tried[l->header->id])
                    continue;
                set_front(p, l, NULL);
                tried[l->header->id] = false;
                again = true;
            }
    }
}

/* Edges into loops get blocks of their own where they come from branches. */
static void
split_entries(struct ir_func *f)
{
    size_t n = f->blocks.n;
    for (size_t i = 0; i < n; i++) {
        struct ir_block *b = f->blocks.at[i];
        for (unsigned k = 0; k < 2 && b->reachable && b->succ[1]; k++) {
            const struct ir_loop *l = b->succ[k]->loop;
            if (l && l->header == b->succ[k] && !ir_in_loop(b, l))
                ir_split_edge(b, k);
        }
    }
}

/* Inline assembly may do as it likes, and functions do. */
static bool
is_touched(const struct ir_func *f)
{
    enum { CSR_RPC = 0x80c };
    ir_foreach_block (f, b)
        ir_foreach_insn (b, in)
            if (in->op == VENTUS_ISA_SETRPC || in->op == IR_CALL ||
                (ir_is_isa(in->op) && in->aux == CSR_RPC))
                return true;
    return false;
}

static float
block_weight(const struct ir_block *b)
{
    float w = 1;
    for (unsigned d = b->loop ? b->loop->depth : 0; d > 0; d--)
        w *= 10;
    return w;
}

struct rpc_plan
rpc_plan(struct ir_func *f, bool each)
{
    assert(f->form == IR_FORM_ALLOCATED);
    if (!each)
        split_entries(f);
    ir_analyse(f);
    size_t n = f->blocks.n;
    struct ir_block none;
    struct plan p = { .f = f, .unknown = &none };
    struct rpc_plan r = { .set = arena_new(f->arena, struct ir_block *, n) };
    p.front = arena_new(f->arena, struct ir_block *, n);
    p.in = arena_new(f->arena, struct ir_block *, n);
    p.out = arena_new(f->arena, struct ir_block *, n);
    p.extra = live_edges(f->arena, f);
    each |= is_touched(f);
    if (!each) {
        solve_rpc(&p);
        struct ir_block **meet = only_meets(&p);
        unsigned deepest = 0;
        ir_foreach_rpo (f, b)
            if (b->loop && b->loop->depth > deepest)
                deepest = b->loop->depth;
        for (unsigned depth = 1; depth <= deepest; depth++)
            move_up(&p, meet, depth);
    }
    ir_foreach_rpo (f, b) {
        if (each ? wanted_rpc(b) != NULL : must_set(&p, b))
            r.set[b->id] = wanted_rpc(b);
        else if (p.front[b->id] && p.front[b->id] != p.in[b->id])
            r.set[b->id] = p.front[b->id];
        if (r.set[b->id])
            r.weight += block_weight(b);
    }
    return r;
}
