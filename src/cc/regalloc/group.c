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
 * If a group finds no registers, its instructions are split into one for each value
 * again.
 */
#include <assert.h>

#include "cc/regalloc/ra.h"

static struct ra_group *
root_of(struct ra_group *group)
{
    while (group && group->into != group)
        group = group->into;
    return group;
}

struct ra_group *
ra_group_of(const struct ra_graph *g, ir_val v)
{
    return root_of(g->node[ra_find(g, v)].group);
}

unsigned
ra_row(const struct ir_insn *in, ir_val row[RA_ROW])
{
    bool store = ir_is_store(in);
    row[0] = store ? in->src[2] : in->dst;
    assert(ir_is_isa(in->op) && in->n_many + 1 <= RA_ROW);
    for (unsigned i = 0; i < in->n_many; i++)
        row[i + 1] = in->many[i];
    return in->n_many + 1;
}

static void
add_member(struct ra_graph *g, struct ra_group *group, ir_val v, unsigned at)
{
    vec_push(g->arena, &group->members, ((struct ra_member){ v, (uint8_t)at }));
    g->node[v].group = group;
    g->node[v].at = (uint8_t)at;
}

/* False: some of its values are in a row already, and in another order. */
static bool
add_row(struct ra_graph *g, const struct ir_insn *in)
{
    ir_val row[RA_ROW];
    unsigned n = ra_row(in, row), at = 0, grouped = 0;
    struct ra_group *group = g->node[row[0]].group;
    unsigned from = g->node[row[0]].at;
    for (unsigned i = 0; i < n; i++) {
        const struct ra_node *node = &g->node[row[i]];
        if (node->group && (node->group != group || node->at != from + at))
            return false;
        grouped += node->group != NULL;
        at += ir_value(g->f, row[i])->words;
    }
    if (grouped) /* those of the load that is stored here */
        return grouped == n;
    group = arena_new(g->arena, struct ra_group, 1);
    group->into = group;
    at = 0;
    for (unsigned i = 0; i < n; i++) {
        add_member(g, group, row[i], at);
        at += ir_value(g->f, row[i])->words;
    }
    return true;
}

static void
split(struct ra_graph *g, struct ir_insn *in)
{
    ir_val row[RA_ROW];
    unsigned n = ra_row(in, row);
    int32_t at = in->imm;
    bool store = ir_is_store(in);
    for (unsigned i = 0; i < n; i++) {
        struct ir_insn *one = ir_insn_new(g->f, in->op);
        unsigned words = ir_value(g->f, row[i])->words;
        one->rm = in->rm;
        one->space = in->space;
        one->hint = in->hint;
        one->object = in->object;
        one->imm = at;
        ir_place_like(one, in);
        one->src[1] = in->src[1];
        *(store ? &one->src[2] : &one->dst) = row[i];
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
                (g->hurry || !add_row(g, in)))
                split(g, in);
}

/* ---- merging ---- */

/* May a value be at this place of the group, beside what is there? */
static bool
has_room(const struct ra_graph *g, const struct ra_group *group, ir_val v,
         unsigned at)
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
        return x ? has_room(g, x, b, g->node[a].at)
                 : has_room(g, y, a, g->node[b].at);
    if (g->node[a].at != g->node[b].at)
        return false;
    if (x == y) /* the two are in one place already */
        return true;
    for (size_t i = 0; i < y->members.n; i++) {
        const struct ra_member *m = &y->members.at[i];
        if (!has_room(g, x, ra_find(g, m->v), m->at))
            return false;
    }
    return true;
}

void
ra_merge_groups(struct ra_graph *g, ir_val a, ir_val b)
{
    struct ra_group *x = root_of(g->node[a].group);
    struct ra_group *y = root_of(g->node[b].group);
    if (!x && y)
        add_member(g, y, a, g->node[b].at);
    if (!x || !y || x == y)
        return;
    for (size_t i = 0; i < y->members.n; i++)
        vec_push(g->arena, &x->members, y->members.at[i]);
    y->into = x;
}

/* ---- giving up ---- */

static bool
is_given_up(const struct ra_graph *g, const struct ir_insn *in)
{
    ir_val row[RA_ROW];
    for (unsigned i = ra_row(in, row); i-- > 0;) {
        const struct ra_group *group = ra_group_of(g, row[i]);
        if (g->node[ra_find(g, row[i])].spilled || (group && group->broken))
            return true;
    }
    return false;
}

void
ra_split_groups(struct ra_graph *g)
{
    ir_foreach_rpo (g->f, b)
        ir_foreach_insn_safe (b, in)
            if (ir_is_isa(in->op) && in->n_many && is_given_up(g, in))
                split(g, in);
}
