/* SPDX-License-Identifier: Apache-2.0 */
/* Questions about the interference graph that all steps ask. */
#include "cc/regalloc/ra.h"

#include "base/debug_assert.h"

ir_val
ra_find(const struct ra_graph *g, ir_val v)
{
    while (g->node[v].into != v) {
        g->node[v].into = g->node[g->node[v].into].into;
        v = g->node[v].into;
    }
    return v;
}

size_t
ra_matrix_bit(ir_val a, ir_val b)
{
    debug_assert(a != b);
    return a < b ? (size_t)b * (b - 1) / 2 + a : (size_t)a * (a - 1) / 2 + b;
}

static bool
has_neighbour(const struct ra_graph *g, ir_val a, ir_val b)
{
    const struct ra_node *n = &g->node[a];
    for (unsigned i = 0; i < n->n_adj; i++)
        if (n->adj[i] == b)
            return true;
    return false;
}

bool
ra_interferes(const struct ra_graph *g, ir_val a, ir_val b)
{
    if (g->matrix) {
        size_t bit = ra_matrix_bit(a, b);
        return g->matrix[bit / 64] >> bit % 64 & 1;
    }
    return g->node[a].n_adj < g->node[b].n_adj ? has_neighbour(g, a, b)
                                               : has_neighbour(g, b, a);
}

struct ra_group *
ra_group_root(struct ra_group *group)
{
    while (group && group->into != group)
        group = group->into;
    return group;
}

struct ra_group *
ra_group_of(const struct ra_graph *g, ir_val v)
{
    return ra_group_root(g->node[ra_find(g, v)].group);
}
