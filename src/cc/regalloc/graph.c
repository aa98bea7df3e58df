/* SPDX-License-Identifier: Apache-2.0 */
/* The interference graph, and merging the two sides of copies. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/debug_assert.h"
#include "cc/regalloc/graph.h"
#include "cc/regalloc/group.h"
#include "cc/regalloc/registers.h"

enum { MATRIX_MAX_VALUES = 16384 }; /* values: 16 MiB of bits */

static void
add_neighbour(struct ra_graph *g, ir_val a, ir_val b)
{
    debug_assert(a != b && a > IR_ZERO && b > IR_ZERO);
    debug_assert(ir_value(g->f, a)->cls == ir_value(g->f, b)->cls);
    struct ra_node *n = &g->node[a];
    if (n->n_adj == n->cap_adj) {
        size_t cap = n->cap_adj;
        n->adj = vec_grow(g->arena, n->adj, &cap, n->n_adj, sizeof *n->adj);
        n->cap_adj = (unsigned)cap;
    }
    n->adj[n->n_adj++] = b;
}

/*
 * Adds the pair to the set of edges; false if it was there.  Without a matrix the neighbours of
 * one value at a time are marked: edges come in rows with the same `a`.
 */
static bool
note_edge(struct ra_graph *g, ir_val a, ir_val b)
{
    if (g->matrix) {
        size_t bit = ra_matrix_bit(a, b);
        uint64_t *word = &g->matrix[bit / 64], one = UINT64_C(1) << bit % 64;
        bool is_new = !(*word & one);
        *word |= one;
        return is_new;
    }
    if (g->marked != a) {
        g->marked = a;
        for (unsigned i = 0; i < g->node[a].n_adj; i++)
            g->seen[g->node[a].adj[i]] = a;
    }
    debug_assert(g->marked == a);
    bool is_new = g->seen[b] != a;
    g->seen[b] = a;
    return is_new;
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

/*
 * The set of values that are live at one instruction: a bit for each value that is live at
 * the end of the block or named in it, in ascending order.  A long block names many and
 * few are live at a time: a bit in `above` says which words of bits are not 0.
 */
struct live_set {
    vec(ir_val) value; /* by bit */
    uint32_t *bit;     /* by value */
    uint64_t *set, *above;
    size_t cap, words;
};

static void
set_live(struct live_set *now, ir_val v)
{
    debug_assert(now->bit[v] < now->value.n && now->value.at[now->bit[v]] == v);
    size_t word = now->bit[v] / 64;
    now->set[word] |= UINT64_C(1) << now->bit[v] % 64;
    now->above[word / 64] |= UINT64_C(1) << word % 64;
}

static void
set_dead(struct live_set *now, ir_val v)
{
    debug_assert(now->value.at[now->bit[v]] == v);
    size_t word = now->bit[v] / 64;
    now->set[word] &= ~(UINT64_C(1) << now->bit[v] % 64);
    if (!now->set[word])
        now->above[word / 64] &= ~(UINT64_C(1) << word % 64);
}

/* Makes the set empty, with capacity for `n` values. */
static void
clear_live(struct ra_graph *g, struct live_set *now, size_t n)
{
    now->words = n / 64 + 1;
    if (now->words > now->cap) {
        now->cap = 2 * now->words;
        now->set = arena_new(g->arena, uint64_t, now->cap);
        now->above = arena_new(g->arena, uint64_t, now->cap / 64 + 1);
    }
    assert(now->words <= now->cap);
    memset(now->set, 0, now->words * sizeof *now->set);
    memset(now->above, 0, (now->words / 64 + 1) * sizeof *now->above);
}

static int
by_number(const void *a, const void *b)
{
    ir_val x = *(const ir_val *)a, y = *(const ir_val *)b;
    return x < y ? -1 : x > y;
}

/* Numbers the values of b, and makes those live that are live at its end. */
static void
begin_block(struct ra_graph *g, struct live_set *now, struct ir_block *b,
            ir_val **at)
{
    const struct live_list *out = &g->live.out[b->id];
    now->value.n = 0;
    for (size_t i = 0; i < out->n; i++)
        vec_push(g->arena, &now->value, out->at[i]);
    ir_foreach_insn (b, in) {
        for (unsigned i = ir_defs(in, at); i-- > 0;)
            vec_push(g->arena, &now->value, *at[i]);
        for (unsigned i = ir_sources(in, at); i-- > 0;)
            if (*at[i] > IR_ZERO)
                vec_push(g->arena, &now->value, *at[i]);
    }
    if (now->value.n)
        qsort(now->value.at, now->value.n, sizeof(ir_val), by_number);
    size_t n = 0;
    for (size_t i = 0; i < now->value.n; i++)
        if (!n || now->value.at[n - 1] != now->value.at[i]) {
            now->bit[now->value.at[i]] = (uint32_t)n;
            now->value.at[n++] = now->value.at[i];
        }
    assert(n <= now->value.n);
    now->value.n = n;
    clear_live(g, now, n);
    for (size_t i = 0; i < out->n; i++)
        set_live(now, out->at[i]);
}

/* Makes `def` interfere with all live values but the one that it is a copy of. */
static void
add_interferences(struct ra_graph *g, ir_val def, ir_val source,
                  const struct live_set *now)
{
    for (size_t i = 0; i < now->words / 64 + 1; i++)
        for (uint64_t above = now->above[i]; above; above &= above - 1) {
            size_t w = 64 * i + (size_t)__builtin_ctzll(above);
            for (uint64_t rest = now->set[w]; rest; rest &= rest - 1) {
                size_t bit = 64 * w + (size_t)__builtin_ctzll(rest);
                if (now->value.at[bit] != source)
                    add_edge(g, def, now->value.at[bit]);
            }
        }
}

/* The estimated number of executions of a block: 10 to the depth of its loop. */
static float
block_weight(const struct ir_block *b)
{
    float w = 1;
    for (unsigned d = b->loop ? b->loop->depth : 0; d > 0 && w < 1e8f; d--)
        w *= 10;
    return w;
}

static void
scan_block(struct ra_graph *g, struct ir_block *b, struct live_set *now,
           ir_val **at)
{
    begin_block(g, now, b, at);
    float w = block_weight(b);
    for (struct ir_insn *in = b->last; in; in = in->prev) {
        unsigned n = ir_defs(in, at);
        for (unsigned i = 0; i < n; i++) {
            ir_val source = IR_NONE;
            if (in->op == IR_COPY)
                source = in->src[1];
            else if (in->op == IR_PARCOPY)
                source = in->many[2 * i + 1];
            debug_assert(in->op != IR_PHI && *at[i] > IR_ZERO);
            add_interferences(g, *at[i], source, now);
            g->node[*at[i]].cost += w;
        }
        bool several = in->op == IR_PARCOPY || ir_is_isa(in->op);
        for (unsigned i = 0; several && i < n; i++)
            for (unsigned k = 0; k < i; k++)
                add_edge(g, *at[i], *at[k]);
        for (unsigned i = 0; i < n; i++)
            set_dead(now, *at[i]);
        for (unsigned i = ir_sources(in, at); i-- > 0;) {
            if (*at[i] > IR_ZERO)
                set_live(now, *at[i]);
            g->node[*at[i]].cost += w;
        }
    }
}

void
ra_build(struct ra_graph *g)
{
    struct ir_func *f = g->f;
    g->live = live_find(g->arena, f);
    g->node = arena_new(g->arena, struct ra_node, f->values.n);
    size_t n = f->values.n;
    if (n <= MATRIX_MAX_VALUES)
        g->matrix = arena_new(g->arena, uint64_t, n * n / 128 + 1);
    else
        g->seen = arena_new(g->arena, ir_val, n);
    struct live_set now = { .bit = arena_new(g->arena, uint32_t, f->values.n) };
    ir_val **at = arena_new(g->arena, ir_val *, ir_max_sources(f));
    for (ir_val v = 0; v < f->values.n; v++)
        g->node[v].into = v;
    ra_find_groups(g);
    ir_foreach_rpo (f, b)
        scan_block(g, b, &now, at);
}

/* ---- coalescing ---- */

/*
 * Whether a and b can be coalesced conservatively (Briggs): the merged value is certain
 * to get a colour, because fewer of its neighbours than there are registers have as many
 * neighbours as there are registers.
 */
static bool
is_conservative(struct ra_graph *g, ir_val a, ir_val b, unsigned char *seen)
{
    enum ir_class cls = (enum ir_class)ir_value(g->f, a)->cls;
    unsigned limit = ra_limit(g, cls), heavy = ir_value(g->f, a)->words;
    const ir_val both[2] = { a, b };
    unsigned looked[2] = { 0, 0 }; /* at so many neighbours of each */
    for (unsigned k = 0; k < 2; k++)
        while (heavy < limit && looked[k] < g->node[both[k]].n_adj) {
            ir_val n = ra_find(g, g->node[both[k]].adj[looked[k]++]);
            if (seen[n])
                continue;
            seen[n] = 1;
            if (g->node[n].n_adj + 2 >= limit || ir_value(g->f, n)->fixed >= 0)
                heavy += ir_value(g->f, n)->words;
        }
    for (unsigned k = 0; k < 2; k++)
        for (unsigned i = 0; i < looked[k]; i++)
            seen[ra_find(g, g->node[both[k]].adj[i])] = 0;
    return heavy < limit;
}

/* Whether a neighbour of a is fixed to the register that the merged value gets. */
static bool
fixed_conflict(struct ra_graph *g, ir_val a, int reg)
{
    for (unsigned i = 0; i < g->node[a].n_adj; i++)
        if (ir_value(g->f, ra_find(g, g->node[a].adj[i]))->fixed == reg)
            return true;
    return false;
}

/* Whether a and b may share a register or a slot: one kind, no interference. */
static bool
may_coalesce(const struct ra_graph *g, ir_val a, ir_val b)
{
    const struct ir_value *x = ir_value(g->f, a), *y = ir_value(g->f, b);
    return a != b && x->cls == y->cls && x->words == y->words &&
           x->no_spill == y->no_spill && !ra_interferes(g, a, b) &&
           (x->fixed < 0 || y->fixed < 0);
}

/* Merges b into a, with its neighbours and its cost. */
static void
merge_nodes(struct ra_graph *g, ir_val a, ir_val b)
{
    assert(g->node[a].into == a && g->node[b].into == b);
    ra_merge_groups(g, a, b);
    g->node[b].into = a;
    g->node[a].cost += g->node[b].cost;
    for (unsigned i = 0; i < g->node[b].n_adj; i++)
        add_edge(g, a, ra_find(g, g->node[b].adj[i]));
}

static void
try_coalesce(struct ra_graph *g, ir_val to, ir_val from, unsigned char *seen)
{
    if (to <= IR_ZERO || from <= IR_ZERO)
        return;
    ir_val a = ra_find(g, to), b = ra_find(g, from);
    if (!may_coalesce(g, a, b))
        return;
    struct ir_value *x = ir_value(g->f, a), *y = ir_value(g->f, b);
    int fixed = x->fixed >= 0 ? x->fixed : y->fixed;
    bool odd = x->odd || y->odd;
    if (fixed >= 0 && ((odd && fixed % 2 == 0) || fixed_conflict(g, a, fixed) ||
                       fixed_conflict(g, b, fixed)))
        return;
    /* the mask register v0 is kept for short live ranges */
    if (fixed >= 0 && g->node[a].n_adj + g->node[b].n_adj > 64)
        return;
    if (!ra_may_merge(g, a, b) || !is_conservative(g, a, b, seen))
        return;
    x->fixed = (int16_t)fixed;
    x->odd = odd;
    merge_nodes(g, a, b);
}

static void
coalesce_block(struct ra_graph *g, struct ir_block *b, unsigned char *seen)
{
    ir_foreach_insn (b, in) {
        if (in->op == IR_COPY)
            try_coalesce(g, in->dst, in->src[1], seen);
        for (unsigned i = 0; in->op == IR_PARCOPY && i < in->n_many; i += 2)
            try_coalesce(g, in->many[i], in->many[i + 1], seen);
    }
}

void
ra_coalesce(struct ra_graph *g)
{
    unsigned char *seen = arena_new(g->arena, unsigned char, g->f->values.n);
    unsigned deepest = 0;
    ir_foreach_rpo (g->f, b)
        if (b->loop && b->loop->depth > deepest)
            deepest = b->loop->depth;
    /* innermost loops first */
    for (unsigned d = deepest + 1; d-- > 0;)
        ir_foreach_rpo (g->f, b)
            if ((b->loop ? b->loop->depth : 0) == d)
                coalesce_block(g, b, seen);
}

/* ---- coalescing of spilled values ---- */

/* The copies between two roots. */
struct affinity {
    ir_val a, b; /* a < b */
    float weight;
};

struct affinities {
    struct affinity *at;
    size_t n, cap;
};

/* Whether v is spilled, or can be to save a copy. */
static bool
may_be_spilled(const struct ra_graph *g, ir_val v)
{
    return ir_value(g->f, v)->fixed < 0 && !ir_value(g->f, v)->no_spill &&
           (g->node[v].spilled || !ra_group_of(g, v));
}

static void
add_affinity(struct ra_graph *g, struct affinities *list, ir_val to,
             ir_val from, float weight)
{
    if (to <= IR_ZERO || from <= IR_ZERO)
        return;
    ir_val a = ra_find(g, to), b = ra_find(g, from);
    if (a == b || (!g->node[a].spilled && !g->node[b].spilled) ||
        !may_be_spilled(g, a) || !may_be_spilled(g, b))
        return;
    vec_push(g->arena, list,
             ((struct affinity){ a < b ? a : b, a < b ? b : a, weight }));
}

static int
by_roots(const void *a, const void *b)
{
    const struct affinity *x = a, *y = b;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

/* Lists each pair of roots once, with the weight of all copies between the two. */
static struct affinities
find_affinities(struct ra_graph *g)
{
    struct affinities list = { 0 };
    ir_foreach_rpo (g->f, b)
        ir_foreach_insn (b, in) {
            if (in->op == IR_COPY)
                add_affinity(g, &list, in->dst, in->src[1], block_weight(b));
            for (unsigned i = 0; in->op == IR_PARCOPY && i < in->n_many; i += 2)
                add_affinity(g, &list, in->many[i], in->many[i + 1],
                             block_weight(b));
        }
    if (list.n)
        qsort(list.at, list.n, sizeof *list.at, by_roots);
    size_t n = 0;
    for (size_t i = 0; i < list.n; i++)
        if (n && !by_roots(&list.at[n - 1], &list.at[i]))
            list.at[n - 1].weight += list.at[i].weight;
        else
            list.at[n++] = list.at[i];
    list.n = n;
    return list;
}

/*
 * Merges the two sides of a copy into one slot in memory, so that the copy needs
 * neither a load nor a store.  A side that has a register is spilled for it if
 * that saves more accesses at the copies than it makes elsewhere.
 */
static bool
merge_spilled(struct ra_graph *g, const struct affinity *x)
{
    ir_val a = ra_find(g, x->a), b = ra_find(g, x->b);
    if (!may_coalesce(g, a, b))
        return false;
    if ((!g->node[a].spilled && g->node[a].cost >= 2 * x->weight) ||
        (!g->node[b].spilled && g->node[b].cost >= 2 * x->weight))
        return false;
    merge_nodes(g, a, b);
    g->node[a].spilled = true;
    return true;
}

void
ra_merge_spilled(struct ra_graph *g, const bool *rematerialised)
{
    for (bool merged = true; merged;) {
        struct affinities list = find_affinities(g);
        merged = false;
        for (size_t i = 0; i < list.n; i++)
            if (!rematerialised[list.at[i].a] && !rematerialised[list.at[i].b])
                merged |= merge_spilled(g, &list.at[i]);
    }
    for (ir_val v = 2; v < g->f->values.n; v++)
        g->node[v].spilled = g->node[ra_find(g, v)].spilled;
}
