/* SPDX-License-Identifier: Apache-2.0 */
/* The interference graph, and merging the two sides of copies. */
#include <string.h>

#include "cc/ra.h"

ir_val
ra_find(const struct ra_graph *g, ir_val v)
{
    while (g->node[v].into != v) {
        g->node[v].into = g->node[g->node[v].into].into;
        v = g->node[v].into;
    }
    return v;
}

static uint64_t *
edge_slot(const struct ra_graph *g, uint64_t key)
{
    uint64_t h = key * 0x9e3779b97f4a7c15u;
    for (h >>= 20;; h++) {
        uint64_t *e = &g->edges[h & (g->cap_edges - 1)];
        if (!*e || *e == key)
            return e;
    }
}

static uint64_t
edge_key(ir_val a, ir_val b)
{
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

enum { MATRIX_MOST = 16384 }; /* values: 16 MiB of bits */

/* The bit of a pair in the lower triangle. */
static size_t
matrix_bit(ir_val a, ir_val b)
{
    return a < b ? (size_t)b * (b - 1) / 2 + a : (size_t)a * (a - 1) / 2 + b;
}

bool
ra_interferes(const struct ra_graph *g, ir_val a, ir_val b)
{
    if (g->matrix) {
        size_t bit = matrix_bit(a, b);
        return g->matrix[bit / 64] >> bit % 64 & 1;
    }
    return *edge_slot(g, edge_key(a, b)) != 0;
}

static void
grow_edges(struct ra_graph *g)
{
    uint64_t *old = g->edges;
    size_t n = g->cap_edges;
    g->cap_edges = n ? 2 * n : 4096;
    g->edges = arena_new(g->f->arena, uint64_t, g->cap_edges);
    for (size_t i = 0; i < n; i++)
        if (old[i])
            *edge_slot(g, old[i]) = old[i];
}

static void
add_neighbour(struct ra_graph *g, ir_val a, ir_val b)
{
    struct ra_node *n = &g->node[a];
    if (n->n_adj == n->cap_adj) {
        size_t cap = n->cap_adj;
        n->adj = vec_grow(g->f->arena, n->adj, &cap, n->n_adj, sizeof *n->adj);
        n->cap_adj = (unsigned)cap;
    }
    n->adj[n->n_adj++] = b;
}

/* Notes the pair; false if it was known. */
static bool
note_edge(struct ra_graph *g, ir_val a, ir_val b)
{
    if (g->matrix) {
        size_t bit = matrix_bit(a, b);
        uint64_t *word = &g->matrix[bit / 64], one = UINT64_C(1) << bit % 64;
        bool is_new = !(*word & one);
        *word |= one;
        return is_new;
    }
    if (2 * g->n_edges >= g->cap_edges)
        grow_edges(g);
    uint64_t *e = edge_slot(g, edge_key(a, b));
    if (*e)
        return false;
    *e = edge_key(a, b);
    g->n_edges++;
    return true;
}

static void
add_edge(struct ra_graph *g, ir_val a, ir_val b)
{
    const struct ir_value *x = ir_value(g->f, a), *y = ir_value(g->f, b);
    if (a == b || a <= IR_ZERO || b <= IR_ZERO || x->cls != y->cls)
        return;
    if (!note_edge(g, a, b))
        return;
    add_neighbour(g, a, b);
    add_neighbour(g, b, a);
}

/* `def` against everything live, but not against what it is a copy of. */
static void
define(struct ra_graph *g, ir_val def, ir_val source, const uint64_t *live)
{
    for (size_t w = 0; w < g->live.words; w++)
        for (uint64_t rest = live[w]; rest; rest &= rest - 1) {
            ir_val v = (ir_val)(64 * w + (size_t)__builtin_ctzll(rest));
            if (v != source)
                add_edge(g, def, v);
        }
}

static float
weight(const struct ir_block *b)
{
    float w = 1;
    for (unsigned d = b->loop ? b->loop->depth : 0; d > 0 && w < 1e8f; d--)
        w *= 10;
    return w;
}

static void
scan_block(struct ra_graph *g, struct ir_block *b, uint64_t *live, ir_val **at)
{
    memcpy(live, g->live.out[b->id], g->live.words * sizeof *live);
    float w = weight(b);
    for (struct ir_insn *in = b->last; in; in = in->prev) {
        unsigned n = ir_defs(in, at);
        for (unsigned i = 0; i < n; i++) {
            ir_val source = IR_NONE;
            if (in->op == IR_COPY)
                source = in->src[1];
            else if (in->op == IR_PARCOPY)
                source = in->many[2 * i + 1];
            define(g, *at[i], source, live);
            g->node[*at[i]].cost += w;
        }
        for (unsigned i = 0; in->op == IR_PARCOPY && i < n; i++)
            for (unsigned k = 0; k < i; k++)
                add_edge(g, *at[i], *at[k]);
        for (unsigned i = 0; i < n; i++)
            live_drop(live, *at[i]);
        for (unsigned i = ir_sources(in, at); i-- > 0;) {
            live_add(live, *at[i]);
            g->node[*at[i]].cost += w;
        }
    }
}

/* No edges; the matrix of the round before is used again. */
static void
new_edges(struct ra_graph *g)
{
    size_t n = g->f->values.n, words = n * n / 128 + 1;
    g->edges = NULL;
    g->n_edges = g->cap_edges = 0;
    if (n > MATRIX_MOST) {
        g->matrix = NULL;
        grow_edges(g);
    } else if (words <= g->cap_matrix) {
        memset(g->matrix, 0, words * sizeof *g->matrix);
    } else {
        g->cap_matrix = words + words / 4;
        g->matrix = arena_new(g->f->arena, uint64_t, g->cap_matrix);
    }
}

void
ra_build(struct ra_graph *g)
{
    struct ir_func *f = g->f;
    g->live = live_find(f);
    g->node = arena_new(f->arena, struct ra_node, f->values.n);
    new_edges(g);
    uint64_t *live = arena_new(f->arena, uint64_t, g->live.words);
    ir_val **at = arena_new(f->arena, ir_val *, ir_max_sources(f));
    for (ir_val v = 0; v < f->values.n; v++)
        g->node[v].into = v;
    ir_foreach_rpo (f, b)
        scan_block(g, b, live, at);
}

/* ---- merging ---- */

/*
 * A copy between a and b may go if the merged value is certain to get a
 * colour: of its neighbours fewer than there are registers have that many
 * themselves (Briggs).
 */
static bool
is_safe(struct ra_graph *g, ir_val a, ir_val b, unsigned char *seen)
{
    enum ir_class cls = (enum ir_class)ir_value(g->f, a)->cls;
    unsigned limit = ra_limit(g, cls), heavy = 0;
    const ir_val both[2] = { a, b };
    for (unsigned k = 0; k < 2; k++)
        for (unsigned i = 0; i < g->node[both[k]].n_adj; i++) {
            ir_val n = ra_find(g, g->node[both[k]].adj[i]);
            if (seen[n])
                continue;
            seen[n] = 1;
            if (g->node[n].n_adj + 2 >= limit || ir_value(g->f, n)->fixed >= 0)
                heavy += ir_value(g->f, n)->words;
        }
    for (unsigned k = 0; k < 2; k++)
        for (unsigned i = 0; i < g->node[both[k]].n_adj; i++)
            seen[ra_find(g, g->node[both[k]].adj[i])] = 0;
    return heavy + ir_value(g->f, a)->words < limit;
}

/* A neighbour that must have the register that the merged value gets. */
static bool
fixed_conflict(struct ra_graph *g, ir_val a, int reg)
{
    for (unsigned i = 0; i < g->node[a].n_adj; i++)
        if (ir_value(g->f, ra_find(g, g->node[a].adj[i]))->fixed == reg)
            return true;
    return false;
}

static void
try_merge(struct ra_graph *g, ir_val to, ir_val from, unsigned char *seen)
{
    if (to <= IR_ZERO || from <= IR_ZERO)
        return;
    ir_val a = ra_find(g, to), b = ra_find(g, from);
    struct ir_value *x = ir_value(g->f, a), *y = ir_value(g->f, b);
    if (a == b || x->cls != y->cls || x->words != y->words ||
        x->no_spill != y->no_spill || ra_interferes(g, a, b) ||
        (x->fixed >= 0 && y->fixed >= 0))
        return;
    int fixed = x->fixed >= 0 ? x->fixed : y->fixed;
    bool odd = x->odd || y->odd;
    if (fixed >= 0 && ((odd && fixed % 2 == 0) || fixed_conflict(g, a, fixed) ||
                       fixed_conflict(g, b, fixed)))
        return;
    /* v0 is for masks that live shortly */
    if (fixed >= 0 && g->node[a].n_adj + g->node[b].n_adj > 64)
        return;
    if (!is_safe(g, a, b, seen))
        return;
    x->fixed = (int16_t)fixed;
    x->odd = odd;
    g->node[b].into = a;
    g->node[a].cost += g->node[b].cost;
    for (unsigned i = 0; i < g->node[b].n_adj; i++)
        add_edge(g, a, ra_find(g, g->node[b].adj[i]));
}

static void
merge_block(struct ra_graph *g, struct ir_block *b, unsigned char *seen)
{
    ir_foreach_insn (b, in) {
        if (in->op == IR_COPY)
            try_merge(g, in->dst, in->src[1], seen);
        for (unsigned i = 0; in->op == IR_PARCOPY && i < in->n_many; i += 2)
            try_merge(g, in->many[i], in->many[i + 1], seen);
    }
}

void
ra_coalesce(struct ra_graph *g)
{
    unsigned char *seen = arena_new(g->f->arena, unsigned char, g->f->values.n);
    unsigned deepest = 0;
    ir_foreach_rpo (g->f, b)
        if (b->loop && b->loop->depth > deepest)
            deepest = b->loop->depth;
    /* Innermost loops first. */
    for (unsigned d = deepest + 1; d-- > 0;)
        ir_foreach_rpo (g->f, b)
            if ((b->loop ? b->loop->depth : 0) == d)
                merge_block(g, b, seen);
}
