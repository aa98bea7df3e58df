/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Colouring (Chaitin, Briggs).  Simplify removes trivially colourable values from the
 * graph: they have fewer neighbours than there are registers.  If there is none, the
 * value that is cheapest to spill is removed optimistically.  Select assigns registers in
 * the reverse order, to each value the first that is free.
 *
 * Registers that need no prefix word come first.  x0, ra, sp, tp and t1
 * (setrpc writes it) are reserved.
 */
#include <assert.h>
#include <string.h>

#include "base/debug_assert.h"
#include "cc/regalloc/color.h"
#include "cc/regalloc/registers.h"

enum {
    REGS = 258
}; /* of a class, and two after the last, for pairs that begin there */

/* Reserved registers, by class: they are not assigned. */
struct reserved {
    bool busy[2][REGS];
};

static void
find_reserved(const struct ra_graph *g, struct reserved *reserved)
{
    memset(reserved, true, sizeof *reserved);
    for (unsigned cls = 0; cls < 2; cls++)
        for (unsigned i = 0;; i++) {
            int r = ra_register(g, (enum ir_class)cls, i);
            if (r < 0)
                break;
            assert(r < REGS);
            assert(reserved->busy[cls][r] && "an order names a register once");
            reserved->busy[cls][r] = false;
        }
}

static bool
is_node(const struct ra_graph *g, ir_val v)
{
    return v > IR_ZERO && g->node[v].into == v &&
           (g->node[v].n_adj || g->node[v].cost > 0);
}

/* Words of registers that v cannot have because of its neighbour n. */
static unsigned
words_taken(const struct ra_graph *g, ir_val v, ir_val n)
{
    const struct ir_value *x = ir_value(g->f, v);
    debug_assert(x->cls == ir_value(g->f, n)->cls);
    bool half = x->words == 2 || x->odd;
    return half ? 2 : ir_value(g->f, n)->words;
}

/* Removes duplicate neighbours, which merging leaves, and computes the degree. */
static void
unique_neighbours(struct ra_graph *g, ir_val v, unsigned char *seen)
{
    struct ra_node *node = &g->node[v];
    unsigned n = 0;
    for (unsigned i = 0; i < node->n_adj; i++) {
        ir_val a = ra_find(g, node->adj[i]);
        if (seen[a] || a == v)
            continue;
        seen[a] = 1;
        node->adj[n++] = a;
    }
    node->n_adj = n;
    for (unsigned i = 0; i < n; i++)
        seen[node->adj[i]] = 0;
    node->degree = 0;
    for (unsigned i = 0; i < n; i++)
        node->degree += words_taken(g, v, node->adj[i]);
}

struct candidate {
    float cost;
    ir_val v;
};

struct simplify {
    struct ra_graph *g;
    unsigned pairs[2], odds[2]; /* registers for a pair, odd ones, by class */
    struct candidate *heap; /* the cheapest to spill first; NULL: none yet */
    size_t n_heap;
    ir_val *stack, *colourable;
    size_t n_stack, n_colourable;
    bool *queued;
};

static void
count_halves(struct simplify *s, const struct reserved *reserved)
{
    for (unsigned cls = 0; cls < 2; cls++)
        for (unsigned r = 0; r + 1 < REGS; r += 2) {
            bool odd = !reserved->busy[cls][r + 1];
            s->odds[cls] += odd;
            s->pairs[cls] += odd && !reserved->busy[cls][r];
        }
}

/*
 * Whether v gets a register whatever its neighbours get.  Of ten scalars only six make
 * pairs: a register beside a reserved one is none for a pair.
 */
static bool
is_trivially_colourable(const struct simplify *s, ir_val v)
{
    const struct ir_value *x = ir_value(s->g->f, v);
    unsigned limit = x->words == 2 ? 2 * s->pairs[x->cls]
                     : x->odd      ? 2 * s->odds[x->cls]
                                   : ra_limit(s->g, (enum ir_class)x->cls);
    return s->g->node[v].degree + 2 <= limit;
}

static void
simplify_node(struct simplify *s, ir_val v)
{
    struct ra_graph *g = s->g;
    assert(!g->node[v].removed && s->n_stack < g->f->values.n);
    g->node[v].removed = true;
    s->stack[s->n_stack++] = v;
    for (unsigned i = 0; i < g->node[v].n_adj; i++) {
        ir_val a = g->node[v].adj[i];
        if (g->node[a].removed)
            continue;
        assert(g->node[a].degree >= words_taken(g, a, v));
        g->node[a].degree -= words_taken(g, a, v);
        if (!s->queued[a] && is_trivially_colourable(s, a)) {
            s->queued[a] = true;
            assert(s->n_colourable < 2 * g->f->values.n);
            s->colourable[s->n_colourable++] = a;
        }
    }
}

/* ---- the cheapest value to spill ---- */

static bool
may_spill(const struct ra_graph *g, ir_val v)
{
    return !ir_value(g->f, v)->no_spill && ir_value(g->f, v)->fixed < 0;
}

static float
spill_cost(const struct ra_graph *g, ir_val v)
{
    float cost = g->node[v].cost / (float)(g->node[v].degree + 1);
    if (!may_spill(g, v))
        cost += 1e30f;
    return cost;
}

static bool
is_cheaper(struct candidate a, struct candidate b)
{
    return a.cost < b.cost || (a.cost == b.cost && a.v < b.v);
}

/* Restores the order of the heap below entry i. */
static void
sift_down(struct simplify *s, size_t i)
{
    struct candidate x = s->heap[i];
    for (size_t k = 2 * i + 1; k < s->n_heap; k = 2 * i + 1) {
        if (k + 1 < s->n_heap && is_cheaper(s->heap[k + 1], s->heap[k]))
            k++;
        if (!is_cheaper(s->heap[k], x))
            break;
        s->heap[i] = s->heap[k];
        i = k;
    }
    s->heap[i] = x;
}

static void
build_heap(struct simplify *s)
{
    s->heap = arena_new(s->g->arena, struct candidate, s->g->f->values.n);
    for (ir_val v = 2; v < s->g->f->values.n; v++)
        if (is_node(s->g, v) && !s->g->node[v].removed)
            s->heap[s->n_heap++] = (struct candidate){ spill_cost(s->g, v), v };
    for (size_t i = s->n_heap; i-- > 0;)
        sift_down(s, i);
}

/* The value that is cheapest to spill.  Costs rise as degrees fall, so a cost in the heap
 * may be too low: it is updated when it is on top. */
static ir_val
cheapest_spill(struct simplify *s)
{
    if (!s->heap)
        build_heap(s);
    for (;;) {
        assert(s->n_heap && "a value is left in the graph");
        struct candidate *top = &s->heap[0];
        float now = spill_cost(s->g, top->v);
        if (!s->g->node[top->v].removed && now == top->cost)
            return top->v;
        if (s->g->node[top->v].removed)
            *top = s->heap[--s->n_heap];
        else
            top->cost = now;
        sift_down(s, 0);
    }
}

/* Removes all values from the graph, to the stack. */
static void
simplify_graph(struct simplify *s)
{
    struct ra_graph *g = s->g;
    size_t left = 0;
    for (ir_val v = 2; v < g->f->values.n; v++) {
        if (!is_node(g, v))
            continue;
        left++;
        if (is_trivially_colourable(s, v)) {
            s->queued[v] = true;
            s->colourable[s->n_colourable++] = v;
        }
    }
    while (left) {
        ir_val v = IR_NONE;
        while (s->n_colourable && !v) {
            v = s->colourable[--s->n_colourable];
            if (g->node[v].removed)
                v = IR_NONE;
        }
        if (!v) {
            v = cheapest_spill(s);
            g->node[v].optimistic = may_spill(g, v);
        }
        simplify_node(s, v);
        left--;
    }
}

/* ---- select: hints ---- */

struct hint {
    ir_val other;
    int8_t offset; /* this value's register - the other's */
};

struct hints {
    vec(struct hint) * of;
};

static void
add_hint(struct ra_graph *g, struct hints *h, ir_val a, ir_val b, int offset)
{
    if (a <= IR_ZERO || b <= IR_ZERO ||
        ir_value(g->f, a)->cls != ir_value(g->f, b)->cls)
        return;
    a = ra_find(g, a);
    b = ra_find(g, b);
    assert(offset >= -1 && offset <= 1 && "only halves of pairs are offset");
    vec_push(g->arena, &h->of[a], ((struct hint){ b, (int8_t)offset }));
    vec_push(g->arena, &h->of[b], ((struct hint){ a, (int8_t)-offset }));
}

static void
find_hints(struct ra_graph *g, struct hints *h)
{
    ir_foreach_rpo (g->f, b)
        ir_foreach_insn (b, in) {
            if (in->op == IR_COPY)
                add_hint(g, h, in->dst, in->src[1], 0);
            if (in->op == IR_PAIR) {
                add_hint(g, h, in->dst, in->src[1], 0);
                add_hint(g, h, in->dst, in->src[2], -1);
            }
            if (in->op == IR_LO || in->op == IR_HI)
                add_hint(g, h, in->dst, in->src[1], in->op == IR_HI);
            for (unsigned i = 0; in->op == IR_PARCOPY && i < in->n_many; i += 2)
                add_hint(g, h, in->many[i], in->many[i + 1], 0);
        }
}

static bool
fits(const struct ra_graph *g, ir_val v, int r, const bool *busy)
{
    assert(r + 1 < REGS);
    const struct ir_value *x = ir_value(g->f, v);
    if (r < 0 || busy[r] || (x->odd && r % 2 == 0))
        return false;
    return x->words == 1 || (r % 2 == 0 && !busy[r + 1]);
}

/* Finds the registers that v cannot have, because its neighbours have them. */
static void
find_busy(const struct ra_graph *g, const struct reserved *reserved, ir_val v,
          bool *busy)
{
    const struct ir_value *x = ir_value(g->f, v);
    memcpy(busy, reserved->busy[x->cls], sizeof reserved->busy[x->cls]);
    if (x->fixed >= 0)
        busy[x->fixed] = false;
    for (unsigned i = 0; i < g->node[v].n_adj; i++) {
        const struct ir_value *n =
            ir_value(g->f, ra_find(g, g->node[v].adj[i]));
        int r = n->reg >= 0 ? n->reg : n->fixed;
        if (r >= 0) {
            assert(r + n->words <= REGS);
            busy[r] = true;
            busy[r + 1] |= n->words == 2;
        }
    }
}

/*
 * A register for half of a pair that has none yet: one where the pair fits, too, if
 * possible beside the other half.  -1: there is none.
 */
static int
choose_half(struct ra_graph *g, struct hints *h,
            const struct reserved *reserved, const struct hint *half, ir_val v,
            const bool *busy)
{
    bool pair_busy[REGS];
    ir_val pair = ra_find(g, half->other);
    find_busy(g, reserved, pair, pair_busy);
    for (size_t i = 0; i < h->of[pair].n; i++) {
        const struct hint *other = &h->of[pair].at[i];
        int r = ir_value(g->f, ra_find(g, other->other))->reg;
        if (r < 0 || r + other->offset < 0)
            continue;
        r += other->offset;
        if (fits(g, pair, r, pair_busy) && fits(g, v, r + half->offset, busy))
            return r + half->offset;
    }
    for (unsigned i = 0;; i++) {
        int r = ra_register(g, (enum ir_class)ir_value(g->f, v)->cls, i);
        if (r < 0 ||
            (fits(g, pair, r, pair_busy) && fits(g, v, r + half->offset, busy)))
            return r < 0 ? r : r + half->offset;
    }
}

static int
choose_register(struct ra_graph *g, struct hints *h,
                const struct reserved *reserved, ir_val v, const bool *busy)
{
    struct ir_value *x = ir_value(g->f, v);
    if (x->fixed >= 0)
        return busy[x->fixed] ? -1 : x->fixed;
    const struct hint *half = NULL;
    for (size_t i = 0; i < h->of[v].n; i++) {
        const struct hint *hint = &h->of[v].at[i];
        struct ir_value *other = ir_value(g->f, ra_find(g, hint->other));
        int reg = other->reg >= 0 ? other->reg : other->fixed;
        if (reg >= 0 && fits(g, v, reg + hint->offset, busy))
            return reg + hint->offset;
        if (other->reg < 0 && other->fixed < 0 && other->words > x->words)
            half = hint;
    }
    int r = half ? choose_half(g, h, reserved, half, v, busy) : -1;
    for (unsigned i = 0; r < 0; i++) {
        r = ra_register(g, (enum ir_class)x->cls, i);
        if (r < 0)
            break;
        if (!fits(g, v, r, busy))
            r = -1;
    }
    return r;
}

/* Assigns a register to v; false: all are busy. */
static bool
select_register(struct ra_graph *g, struct hints *h,
                const struct reserved *reserved, ir_val v)
{
    bool busy[REGS];
    find_busy(g, reserved, v, busy);
    struct ir_value *x = ir_value(g->f, v);
    x->reg = (int16_t)choose_register(g, h, reserved, v, busy);
    assert(x->reg < 0 || x->fixed < 0 || x->reg == x->fixed);
    assert((x->reg < 0 || x->words == 1 || x->reg % 2 == 0) &&
           "a pair begins at an even register");
    assert((x->reg < 0 || !x->odd || x->reg % 2 == 1) &&
           "the value was asked for in an odd register");
    return x->reg >= 0;
}

/* ---- select: tuples ---- */

/* Finds the registers at which a tuple cannot begin. */
static void
find_blocked(struct ra_graph *g, const struct reserved *reserved,
             const struct ra_group *group, bool blocked[REGS])
{
    memset(blocked, false, REGS * sizeof *blocked);
    for (size_t i = 0; i < group->members.n; i++) {
        bool busy[REGS];
        unsigned at = group->members.at[i].at;
        ir_val v = ra_find(g, group->members.at[i].v);
        find_busy(g, reserved, v, busy);
        for (unsigned r = 0; r < REGS; r++)
            blocked[r] |=
                r + at + 1 >= REGS || !fits(g, v, (int)(r + at), busy);
    }
}

/* The register at which a tuple begins: one that saves a copy of a member, else the first;
 * -1: there is none. */
static int
choose_tuple(struct ra_graph *g, struct hints *h, const struct ra_group *group,
             const bool blocked[REGS])
{
    for (size_t i = 0; i < group->members.n; i++) {
        const struct ra_member *m = &group->members.at[i];
        ir_val v = ra_find(g, m->v);
        for (size_t k = 0; k < h->of[v].n; k++) {
            const struct hint *hint = &h->of[v].at[k];
            int reg = ir_value(g->f, ra_find(g, hint->other))->reg;
            int r = reg + hint->offset - m->at;
            if (reg >= 0 && r >= 0 && r < REGS && !blocked[r])
                return r;
        }
    }
    unsigned cls = ir_value(g->f, group->members.at[0].v)->cls;
    for (unsigned i = 0;; i++) {
        int r = ra_register(g, (enum ir_class)cls, i);
        if (r < 0 || !blocked[r])
            return r;
    }
}

/* Assigns registers to all members of a tuple; false: there are none in a row. */
static bool
select_tuple(struct ra_graph *g, struct hints *h,
             const struct reserved *reserved, struct ra_group *group)
{
    bool blocked[REGS];
    find_blocked(g, reserved, group, blocked);
    int r = choose_tuple(g, h, group, blocked);
    for (size_t i = 0; r >= 0 && i < group->members.n; i++)
        ir_value(g->f, ra_find(g, group->members.at[i].v))->reg =
            (int16_t)(r + group->members.at[i].at);
    group->broken = r < 0;
    return r >= 0;
}

/*
 * Evicts the tuples that keep v from a register.  A tuple gets its registers as a whole,
 * some before their members are popped, which the degree of v does not count.  False:
 * there is no such tuple.
 */
static bool
evict_tuples(struct ra_graph *g, ir_val v, const bool *popped)
{
    bool found = false;
    for (unsigned i = 0; i < g->node[v].n_adj; i++) {
        ir_val a = ra_find(g, g->node[v].adj[i]);
        struct ra_group *group = ra_group_of(g, a);
        if (!group || popped[a] || ir_value(g->f, a)->reg < 0)
            continue;
        group->broken = found = true;
    }
    return found;
}

/*
 * Evicts the cheapest neighbour of v that has a register: v is spill code, of which
 * spilling makes only more.  False: there is none.
 */
static bool
evict_neighbour(struct ra_graph *g, ir_val v)
{
    ir_val best = IR_NONE;
    for (unsigned i = 0; i < g->node[v].n_adj; i++) {
        ir_val a = ra_find(g, g->node[v].adj[i]);
        if (may_spill(g, a) && ir_value(g->f, a)->reg >= 0 &&
            (!best || g->node[a].cost < g->node[best].cost))
            best = a;
    }
    g->node[best].spilled |= best != IR_NONE;
    return best != IR_NONE;
}

/* Chooses what is spilled because v has no register. */
static void
spill_for(struct ra_graph *g, ir_val v, const bool *popped)
{
    if (evict_tuples(g, v, popped) ||
        (!may_spill(g, v) && evict_neighbour(g, v)))
        return;
    /* after many rounds, spilling spill code again leads nowhere */
    g->node[v].spilled = may_spill(g, v) || !g->hurry;
}

/* Assigns registers in the order of the stack; false if values are spilled now, or tuples
 * broken. */
static bool
select_all(struct ra_graph *g, const ir_val *stack, size_t n, struct hints *h,
           const struct reserved *reserved)
{
    bool ok = true, *popped = arena_new(g->arena, bool, g->f->values.n);
    while (n) {
        ir_val v = stack[--n];
        struct ra_group *group = ra_group_of(g, v);
        bool unassigned = ir_value(g->f, v)->reg < 0;
        popped[v] = true;
        if (unassigned && group && !group->broken) {
            ok &= select_tuple(g, h, reserved, group);
            unassigned = group->broken;
        }
        if (unassigned && !select_register(g, h, reserved, v)) {
            spill_for(g, v, popped);
            ok = false;
        }
    }
    return ok;
}

bool
ra_color(struct ra_graph *g)
{
    struct ir_func *f = g->f;
    size_t n = f->values.n;
    struct simplify s = { .g = g };
    s.stack = arena_new(g->arena, ir_val, n);
    s.colourable = arena_new(g->arena, ir_val, 2 * n);
    s.queued = arena_new(g->arena, bool, n);
    unsigned char *seen = arena_new(g->arena, unsigned char, n);
    struct hints h = { .of = arena_alloc(g->arena, n, sizeof *h.of, 8) };
    for (ir_val v = 2; v < n; v++) {
        ir_value(f, v)->reg = -1;
        if (is_node(g, v))
            unique_neighbours(g, v, seen);
    }
    struct reserved reserved;
    find_hints(g, &h);
    find_reserved(g, &reserved);
    count_halves(&s, &reserved);
    simplify_graph(&s);
    bool ok = select_all(g, s.stack, s.n_stack, &h, &reserved);
    for (ir_val v = 2; v < n && !ok && g->hurry; v++)
        g->node[v].spilled |= g->node[v].optimistic;
    for (ir_val v = 2; v < n; v++) {
        ir_val root = ra_find(g, v);
        if (root != v) {
            ir_value(f, v)->reg = ir_value(f, root)->reg;
            g->node[v].spilled = g->node[root].spilled;
        }
    }
    return ok;
}
