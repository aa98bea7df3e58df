/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/cc.h"
#include "cc/live.h"

/*
 * Register allocation by graph colouring (Chaitin, Briggs): values that are
 * live at the same time interfere; copies whose sides do not are merged; then
 * colours are given in the reverse order of removal from the graph.  A graph
 * and not SSA's trees, because scalars live by the physical flow, in which
 * definitions do not dominate uses.
 */
struct ra_member {
    ir_val v;
    uint8_t at;
};

/* A tuple: values in consecutive registers, each `at` words after its first register. */
struct ra_group {
    struct ra_group *into; /* merged into this group, or itself */
    vec(struct ra_member) members;
    bool broken; /* no registers are left for it */
};

struct ra_node {
    ir_val into;   /* merged into this value, or itself */
    uint32_t *adj; /* values it interferes with, some merged since */
    unsigned n_adj, cap_adj;
    unsigned degree; /* in words of the neighbours, while simplifying */
    bool removed, spilled;
    bool optimistic;        /* had too many neighbours when it was removed */
    float cost;             /* of spilling it, by loop depth */
    struct ra_group *group; /* or NULL: ra_group_of() */
    uint8_t at;             /* in the group */
};

struct ra_graph {
    struct cc *c;
    struct ir_func *f;
    struct arena *arena; /* of one round */
    bool hurry; /* spills all optimistic values: there were many rounds */
    struct live live;
    struct ra_node *node;
    uint64_t *matrix; /* a bit for each pair of values, unless too many */
    ir_val marked;    /* else the value whose neighbours are marked, */
    ir_val *seen;     /* by its number */
};

/* The value that v was merged into; v itself if it was not. */
ir_val
ra_find(const struct ra_graph *g, ir_val v);

/* Whether two different values of one class interfere. */
bool
ra_interferes(const struct ra_graph *g, ir_val a, ir_val b);

/* The bit of a pair of values in the lower triangle of the matrix. */
size_t
ra_matrix_bit(ir_val a, ir_val b);

/* The group that a group was merged into; NULL of NULL. */
struct ra_group *
ra_group_root(struct ra_group *group);

/* The group of v; NULL: none. */
struct ra_group *
ra_group_of(const struct ra_graph *g, ir_val v);
