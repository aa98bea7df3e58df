/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rounds of a group of loops (progress.c): all edges to its starts and to its end
 * lead to one block j, and j leads on.
 *
 *     edges to start 1, start 2, end        j:  next = phi 1, 2, 0
 *                                               if (!next) goto end
 *                                           d:  if (next == 1) goto start 1
 *                                               goto start 2
 *
 * What a phi of a start took from an edge a phi of j takes, and the start a copy of
 * it.
 */
#include "cc/rounds.h"

#include <assert.h>

#include "cc/cc.h"
#include "cc/repair.h"

/* An edge that leads over j now. */
struct edge {
    struct ir_block *from, *to;
    unsigned k;    /* which of its successors */
    unsigned next; /* 1 + the number of the start; 0: the end */
};

struct rounds {
    struct ir_func *f;
    const struct group *g;
    struct ir_block *j;
    vec(struct edge) edges; /* as the predecessors of j */
};

/* Adds the edges to `to`, which become edges from j for this value of `next`; those
 * from blocks of `only`, of n blocks, or all. */
static void
find_edges(struct rounds *r, struct ir_block *to, unsigned next,
           const bool *only, size_t n)
{
    for (size_t i = 0; i < to->preds.n; i++) {
        struct ir_block *p = to->preds.at[i];
        if (!only || (p->id < n && only[p->id]))
            vec_push(r->f->arena, &r->edges,
                     ((struct edge){ p, to, p->succ[1] == to, next }));
    }
}

/* Splits the edges, so that each starts at a block of its own. */
static void
split_edges(struct rounds *r)
{
    for (size_t i = 0; i < r->edges.n; i++) {
        struct edge *e = &r->edges.at[i];
        if (e->from->succ[1])
            e->from = ir_split_edge(e->from, e->k);
        assert(e->from->succ[0] == e->to && !e->from->succ[1]);
    }
}

static struct ir_insn *
phi_at_j(struct rounds *r, unsigned words)
{
    struct ir_insn *phi = ir_insn_new(r->f, IR_PHI);
    phi->pair = words == 2;
    phi->n_many = (unsigned)r->edges.n;
    phi->many = arena_new(r->f->arena, ir_val, phi->n_many);
    if (r->j->first)
        ir_insert_before(r->j->first, phi);
    else
        ir_append(r->j, phi);
    ir_set_dst(r->f, phi, ir_value_new(r->f, IR_S, words));
    return phi;
}

static ir_val
at_entry(struct rounds *r, unsigned op, unsigned words, int32_t imm)
{
    struct ir_insn *in = ir_insn_new(r->f, op);
    in->imm = imm;
    ir_insert_end(r->f->blocks.at[0], in);
    ir_set_dst(r->f, in, ir_value_new(r->f, IR_S, words));
    return in->dst;
}

static size_t
number_of(const struct ir_block *to, const struct ir_block *pred)
{
    size_t i = 0;
    while (to->preds.at[i] != pred)
        i++;
    assert(i < to->preds.n);
    return i;
}

/* The phi of j that takes the values that phis of `to` take from these edges. */
static ir_val
phi_for(struct rounds *r, const struct ir_block *to, const struct ir_insn *phi)
{
    struct ir_insn *new = phi_at_j(r, ir_value(r->f, phi->dst)->words);
    ir_val none = at_entry(r, IR_UNDEF, ir_value(r->f, phi->dst)->words, 0);
    for (size_t i = 0; i < r->edges.n; i++)
        new->many[i] = r->edges.at[i].to == to
                           ? phi->many[number_of(to, r->edges.at[i].from)]
                           : none;
    return new->dst;
}

static bool
is_moved(const struct rounds *r, const struct ir_block *from,
         const struct ir_block *to)
{
    for (size_t i = 0; i < r->edges.n; i++)
        if (r->edges.at[i].from == from && r->edges.at[i].to == to)
            return true;
    return false;
}

/* `to` has its edges from j by way of `by` alone; the phis may become copies. */
static void
move_edges(struct rounds *r, struct ir_block *to, struct ir_block *by)
{
    for (struct ir_insn *phi = to->first; phi && phi->op == IR_PHI;
         phi = phi->next) {
        ir_val new = phi_for(r, to, phi);
        unsigned n = 0;
        for (size_t i = 0; i < to->preds.n; i++)
            if (!is_moved(r, to->preds.at[i], to))
                phi->many[n++] = phi->many[i];
        phi->many[n++] = new; /* at least one is moved */
        phi->n_many = n;
    }
    size_t n = 0;
    for (size_t i = 0; i < to->preds.n; i++)
        if (!is_moved(r, to->preds.at[i], to))
            to->preds.at[n++] = to->preds.at[i];
    to->preds.n = n;
    ir_link(by, by->succ[0] != NULL, to);
    for (struct ir_insn *phi = to->first; n == 0 && phi && phi->op == IR_PHI;
         phi = phi->next) {
        phi->op = IR_COPY;
        phi->src[1] = phi->many[0];
        phi->many = NULL;
        phi->n_many = 0;
    }
}

static void
branch_at(struct rounds *r, struct ir_block *b, unsigned op, ir_val x, ir_val y)
{
    struct ir_insn *in = ir_insn_new(r->f, op);
    in->src[1] = x;
    in->src[2] = y;
    ir_place_like(in, r->g->loops.at[0]->loop->header->last);
    ir_append(b, in);
}

/*
 * j:  if (next) goto d1 else goto end
 * d1: if (next == 1) goto start 1 else goto d2      and so on; the last jumps
 */
static void
lead_on(struct rounds *r, ir_val next)
{
    struct ir_block *d = ir_block_new(r->f);
    size_t n = r->g->starts.n;
    assert(n && r->j->first && "after the phi of next");
    branch_at(r, r->j, VENTUS_ISA_BNE, next, IR_ZERO);
    ir_link(r->j, 0, d);
    move_edges(r, r->g->end, r->j);
    for (size_t i = 0; i + 1 < n; i++) {
        branch_at(r, d, VENTUS_ISA_BEQ, next,
                  at_entry(r, IR_CONST, 1, (int32_t)i + 1));
        move_edges(r, r->g->starts.at[i], d);
        struct ir_block *other = ir_block_new(r->f);
        ir_link(d, 1, other);
        d = other;
    }
    branch_at(r, d, IR_JUMP, IR_NONE, IR_NONE);
    move_edges(r, r->g->starts.at[n - 1], d);
}

static void
lead_to_j(struct rounds *r)
{
    for (size_t i = 0; i < r->edges.n; i++) {
        assert(!r->edges.at[i].from->succ[1] &&
               "split_edges made a block for the edge");
        r->edges.at[i].from->succ[0] = NULL;
        ir_link(r->edges.at[i].from, 0, r->j);
    }
}

static void
make_rounds(struct ir_func *f, const struct group *g)
{
    struct rounds r = { .f = f, .g = g };
    for (unsigned i = 0; i < g->starts.n; i++)
        find_edges(&r, g->starts.at[i], i + 1, NULL, 0);
    find_edges(&r, g->end, 0, NULL, 0);
    split_edges(&r);
    r.j = ir_block_new(f);
    struct ir_insn *next = phi_at_j(&r, 1);
    for (size_t i = 0; i < r.edges.n; i++) {
        unsigned to = r.edges.at[i].next;
        next->many[i] =
            to ? at_entry(&r, IR_CONST, 1, (int32_t)to) : (ir_val)IR_ZERO;
    }
    lead_on(&r, next->dst);
    lead_to_j(&r);
}

/* The region has an end of its own: the next block may be a start of other rounds. */
static void
make_end(struct ir_func *f, struct group *g, size_t n_blocks)
{
    struct rounds r = { .f = f, .g = g };
    find_edges(&r, g->end, 0, g->region, n_blocks);
    split_edges(&r);
    r.j = ir_block_new(f);
    move_edges(&r, g->end, r.j);
    ir_append(r.j, ir_insn_new(f, IR_JUMP));
    lead_to_j(&r);
    g->end = r.j;
}

void
rounds_make(struct ir_func *f, struct group *g, size_t n)
{
    size_t n_blocks = f->blocks.n;
    for (size_t i = 0; i < n; i++)
        make_end(f, &g[i], n_blocks);
    for (size_t i = 0; i < n; i++)
        make_rounds(f, &g[i]);
    cc_repair(f);
}
