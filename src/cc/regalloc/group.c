/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The values of a load or store of several words must be in consecutive
 * registers.  A group consists of the values of such instructions with their
 * positions.  Two values at one position share a register, so they must
 * not interfere.  The groups of a load and of a store are merged if copies
 * between their values are coalesced, as in
 *
 *     v1, v2 = vlw12.v v9;  v1 += 1;  v2 += 2;  vsw12.v v1, v2
 *
 * If there are no registers for a group, its instructions are split into one for each
 * value again.
 */
#include <assert.h>

#include "cc/regalloc/group.h"

unsigned
ra_tuple(const struct ir_insn *in, ir_val tuple[RA_TUPLE])
{
    bool store = ir_is_store(in);
    tuple[0] = store ? in->src[2] : in->dst;
    assert(ir_is_isa(in->op) && in->n_many + 1 <= RA_TUPLE);
    for (unsigned i = 0; i < in->n_many; i++)
        tuple[i + 1] = in->many[i];
    return in->n_many + 1;
}

static void
add_member(struct ra_graph *g, struct ra_group *group, ir_val v, unsigned at)
{
    vec_push(g->arena, &group->members, ((struct ra_member){ v, (uint8_t)at }));
    g->node[v].group = group;
    g->node[v].at = (uint8_t)at;
}

/* Makes a group of the values of an access; false: some are in a tuple already, in another
 * order. */
static bool
add_tuple(struct ra_graph *g, const struct ir_insn *in)
{
    ir_val tuple[RA_TUPLE];
    unsigned n = ra_tuple(in, tuple), at = 0, grouped = 0;
    struct ra_group *group = g->node[tuple[0]].group;
    unsigned from = g->node[tuple[0]].at;
    for (unsigned i = 0; i < n; i++) {
        const struct ra_node *node = &g->node[tuple[i]];
        if (node->group && (node->group != group || node->at != from + at))
            return false;
        grouped += node->group != NULL;
        at += ir_value(g->f, tuple[i])->words;
    }
    if (grouped) /* a load has made the group that is stored here */
        return grouped == n;
    group = arena_new(g->arena, struct ra_group, 1);
    group->into = group;
    at = 0;
    for (unsigned i = 0; i < n; i++) {
        add_member(g, group, tuple[i], at);
        at += ir_value(g->f, tuple[i])->words;
    }
    return true;
}

/* Replaces an access of several words by one for each value. */
static void
split_access(struct ra_graph *g, struct ir_insn *in)
{
    ir_val tuple[RA_TUPLE];
    unsigned n = ra_tuple(in, tuple);
    int32_t at = in->imm;
    bool store = ir_is_store(in);
    for (unsigned i = 0; i < n; i++) {
        struct ir_insn *one = ir_insn_new(g->f, in->op);
        unsigned words = ir_value(g->f, tuple[i])->words;
        one->rm = in->rm;
        one->space = in->space;
        one->hint = in->hint;
        one->object = in->object;
        one->imm = at;
        ir_place_like(one, in);
        one->src[1] = in->src[1];
        *(store ? &one->src[2] : &one->dst) = tuple[i];
        one->pair = words == 2 || ir_value(g->f, in->src[1])->words == 2;
        ir_insert_before(in, one);
        at += 4 * (int32_t)words;
    }
    ir_remove(in);
}

void
ra_find_groups(struct ra_graph *g)
{
    ir_foreach_rpo (g->f, b)
        ir_foreach_insn_safe (b, in)
            if (ir_is_isa(in->op) && in->n_many &&
                (g->hurry || !add_tuple(g, in)))
                split_access(g, in);
}

/* ---- merging ---- */

/* Whether a value can be at this position of the group: it interferes with none there. */
static bool
is_free_in_group(const struct ra_graph *g, const struct ra_group *group,
                 ir_val v, unsigned at)
{
    unsigned words = ir_value(g->f, v)->words;
    for (size_t i = 0; i < group->members.n; i++) {
        const struct ra_member *m = &group->members.at[i];
        ir_val other = ra_find(g, m->v);
        unsigned end = m->at + ir_value(g->f, other)->words;
        if (other != v && m->at < at + words && at < end &&
            ra_interferes(g, other, v))
            return false;
    }
    return true;
}

bool
ra_may_merge(const struct ra_graph *g, ir_val a, ir_val b)
{
    struct ra_group *x = ra_group_of(g, a), *y = ra_group_of(g, b);
    if (!x && !y)
        return true;
    if (ir_value(g->f, a)->fixed >= 0 || ir_value(g->f, b)->fixed >= 0)
        return false;
    if (!x || !y)
        return x ? is_free_in_group(g, x, b, g->node[a].at)
                 : is_free_in_group(g, y, a, g->node[b].at);
    if (g->node[a].at != g->node[b].at)
        return false;
    if (x == y) /* the two are at one position already */
        return true;
    for (size_t i = 0; i < y->members.n; i++) {
        const struct ra_member *m = &y->members.at[i];
        if (!is_free_in_group(g, x, ra_find(g, m->v), m->at))
            return false;
    }
    return true;
}

void
ra_merge_groups(struct ra_graph *g, ir_val a, ir_val b)
{
    struct ra_group *x = ra_group_root(g->node[a].group);
    struct ra_group *y = ra_group_root(g->node[b].group);
    if (!x && y)
        add_member(g, y, a, g->node[b].at);
    if (!x || !y || x == y)
        return;
    for (size_t i = 0; i < y->members.n; i++)
        vec_push(g->arena, &x->members, y->members.at[i]);
    y->into = x;
}

/* ---- splitting ---- */

/* Whether a value of the access is spilled or its tuple broken. */
static bool
must_split(const struct ra_graph *g, const struct ir_insn *in)
{
    ir_val tuple[RA_TUPLE];
    for (unsigned i = ra_tuple(in, tuple); i-- > 0;) {
        const struct ra_group *group = ra_group_of(g, tuple[i]);
        if (g->node[ra_find(g, tuple[i])].spilled || (group && group->broken))
            return true;
    }
    return false;
}

void
ra_split_groups(struct ra_graph *g)
{
    ir_foreach_rpo (g->f, b)
        ir_foreach_insn_safe (b, in)
            if (ir_is_isa(in->op) && in->n_many && must_split(g, in))
                split_access(g, in);
}
