/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Colouring.  Values with fewer neighbours than there are registers are removed
 * from the graph; if there is none, the value that is cheapest to spill is removed
 * optimistically (Briggs).  Then they are inserted in reverse order, each with the
 * first free register.
 *
 * Registers that need no prefix word come first.  x0, ra, sp, tp and t1
 * (setrpc writes it) are never assigned.
 */
#include <assert.h>
#include <string.h>

#include "base/debug_assert.h"
#include "cc/regalloc/ra.h"

enum { TEMPORARIES = 8 }; /* beside the registers that calls take */

enum { REGS = 258 }; /* of a class, and room behind the last pair */

static const uint8_t scalar_order[] = { 5,  7,  11, 12, 13, 14, 15, 16, 17, 28,
                                        29, 30, 31, 10, 8,  9,  18, 19, 20, 21,
                                        22, 23, 24, 25, 26, 27, 3,  32, 33, 34,
                                        35, 36, 37, 38, 39, 40, 41, 42, 43, 44,
                                        45, 46, 47, 48, 49, 50, 51, 52, 53, 54,
                                        55, 56, 57, 58, 59, 60, 61, 62, 63 };

int
ra_register(const struct ra_graph *g, enum ir_class cls, unsigned i)
{
    if (cls == IR_V) {
        unsigned n = ra_limit(g, cls);
        /* v0, the mask, last of those without prefix */
        unsigned r = i < 31 ? i + 1 : i == 31 ? 0 : i;
        if (n < 32)
            r = i + 1 < n ? i + 1 : 0;
        return i < n ? (int)r : -1;
    }
    unsigned n = ra_limit(g, cls);
    assert(n <= sizeof scalar_order);
    return i < n ? scalar_order[i] : -1;
}

unsigned
ra_limit(const struct ra_graph *g, enum ir_class cls)
{
    const struct cc_options *o = g->c->options;
    unsigned calls = g->f->call_vgprs ? g->f->call_vgprs + TEMPORARIES : 0;
    if (cls == IR_V && o->max_vgprs && o->max_vgprs < calls)
        return calls;
    unsigned most = cls == IR_V ? 256 : sizeof scalar_order;
    unsigned limit = cls == IR_V ? o->max_vgprs : o->max_sgprs;
    if (g->f->is_limited) /* the first of scalar_order */
        most = cls == IR_V ? CC_CALLER_VECTORS : CC_CALLER_SCALARS;
    return limit && limit < most ? limit : most;
}

/* Registers that are never assigned, by class. */
struct never {
    bool busy[2][REGS];
};

static void
find_never(const struct ra_graph *g, struct never *never)
{
    memset(never, true, sizeof *never);
    for (unsigned cls = 0; cls < 2; cls++)
        for (unsigned i = 0;; i++) {
            int r = ra_register(g, (enum ir_class)cls, i);
            if (r < 0)
                break;
            assert(r < REGS);
            /* each register once: the order is a permutation */
            assert(never->busy[cls][r]);
            never->busy[cls][r] = false;
        }
}

static bool
is_node(const struct ra_graph *g, ir_val v)
{
    return v > IR_ZERO && g->node[v].into == v &&
           (g->node[v].n_adj || g->node[v].cost > 0);
}

/* What the neighbour n takes away from v, in words. */
static unsigned
taken(const struct ra_graph *g, ir_val v, ir_val n)
{
    const struct ir_value *x = ir_value(g->f, v);
    debug_assert(x->cls == ir_value(g->f, n)->cls);
    bool half = x->words == 2 || x->odd;
    return half ? 2 : ir_value(g->f, n)->words;
}

/* Each neighbour once, although merging left doubles. */
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
        node->degree += taken(g, v, node->adj[i]);
}

struct candidate {
    float cost;
    ir_val v;
};

struct simplify {
    struct ra_graph *g;
    unsigned pairs[2], odds[2]; /* registers for a pair, odd ones, by class */
    struct candidate *heap;     /* of those to spill; NULL: not needed yet */
    size_t n_heap;
    ir_val *stack, *low;
    size_t n_stack, n_low;
    bool *queued;
};

static void
count_halves(struct simplify *s, const struct never *never)
{
    for (unsigned cls = 0; cls < 2; cls++)
        for (unsigned r = 0; r + 1 < REGS; r += 2) {
            bool odd = !never->busy[cls][r + 1];
            s->odds[cls] += odd;
            s->pairs[cls] += odd && !never->busy[cls][r];
        }
}

/*
 * Certain to get a register, whatever its neighbours get.  Of ten scalars only
 * six make pairs: a register beside one that is never given is none for a pair.
 */
static bool
is_low(const struct simplify *s, ir_val v)
{
    const struct ir_value *x = ir_value(s->g->f, v);
    unsigned limit = x->words == 2 ? 2 * s->pairs[x->cls]
                     : x->odd      ? 2 * s->odds[x->cls]
                                   : ra_limit(s->g, (enum ir_class)x->cls);
    return s->g->node[v].degree + 2 <= limit;
}

static void
take_out(struct simplify *s, ir_val v)
{
    struct ra_graph *g = s->g;
    assert(!g->node[v].removed && s->n_stack < g->f->values.n);
    g->node[v].removed = true;
    s->stack[s->n_stack++] = v;
    for (unsigned i = 0; i < g->node[v].n_adj; i++) {
        ir_val a = g->node[v].adj[i];
        if (g->node[a].removed)
            continue;
        assert(g->node[a].degree >= taken(g, a, v));
        g->node[a].degree -= taken(g, a, v);
        if (!s->queued[a] && is_low(s, a)) {
            s->queued[a] = true;
            assert(s->n_low < 2 * g->f->values.n);
            s->low[s->n_low++] = a;
        }
    }
}

/* ---- the cheapest to spill ---- */

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

/* Entry i sinks to where it belongs. */
static void
sink(struct simplify *s, size_t i)
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
fill_heap(struct simplify *s)
{
    s->heap = arena_new(s->g->arena, struct candidate, s->g->f->values.n);
    for (ir_val v = 2; v < s->g->f->values.n; v++)
        if (is_node(s->g, v) && !s->g->node[v].removed)
            s->heap[s->n_heap++] = (struct candidate){ spill_cost(s->g, v), v };
    for (size_t i = s->n_heap; i-- > 0;)
        sink(s, i);
}

/* Costs only rise, as degrees fall: those in the heap may be too low. */
static ir_val
cheapest(struct simplify *s)
{
    if (!s->heap)
        fill_heap(s);
    for (;;) {
        assert(s->n_heap); /* something is left to spill */
        struct candidate *top = &s->heap[0];
        float now = spill_cost(s->g, top->v);
        if (!s->g->node[top->v].removed && now == top->cost)
            return top->v;
        if (s->g->node[top->v].removed)
            *top = s->heap[--s->n_heap];
        else
            top->cost = now;
        sink(s, 0);
    }
}

static void
simplify(struct simplify *s)
{
    struct ra_graph *g = s->g;
    size_t left = 0;
    for (ir_val v = 2; v < g->f->values.n; v++) {
        if (!is_node(g, v))
            continue;
        left++;
        if (is_low(s, v)) {
            s->queued[v] = true;
            s->low[s->n_low++] = v;
        }
    }
    while (left) {
        ir_val v = IR_NONE;
        while (s->n_low && !v) {
            v = s->low[--s->n_low];
            if (g->node[v].removed)
                v = IR_NONE;
        }
        if (!v) {
            v = cheapest(s);
            g->node[v].doubtful = may_spill(g, v);
        }
        take_out(s, v);
        left--;
    }
}

/* ---- giving registers ---- */

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
    assert(offset >= -1 && offset <= 1); /* halves of a pair */
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

/* The registers that v cannot have, given what its neighbours have. */
static void
find_busy(const struct ra_graph *g, const struct never *never, ir_val v,
          bool *busy)
{
    const struct ir_value *x = ir_value(g->f, v);
    memcpy(busy, never->busy[x->cls], sizeof never->busy[x->cls]);
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
 * For half of a pair that has no register yet: where the pair can follow, if
 * possible beside the other half.  -1: nowhere.
 */
static int
choose_half(struct ra_graph *g, struct hints *h, const struct never *never,
            const struct hint *half, ir_val v, const bool *busy)
{
    bool pair_busy[REGS];
    ir_val pair = ra_find(g, half->other);
    find_busy(g, never, pair, pair_busy);
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
choose(struct ra_graph *g, struct hints *h, const struct never *never, ir_val v,
       const bool *busy)
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
    int r = half ? choose_half(g, h, never, half, v, busy) : -1;
    for (unsigned i = 0; r < 0; i++) {
        r = ra_register(g, (enum ir_class)x->cls, i);
        if (r < 0)
            break;
        if (!fits(g, v, r, busy))
            r = -1;
    }
    return r;
}

static bool
give(struct ra_graph *g, struct hints *h, const struct never *never, ir_val v)
{
    bool busy[REGS];
    find_busy(g, never, v, busy);
    struct ir_value *x = ir_value(g->f, v);
    x->reg = (int16_t)choose(g, h, never, v, busy);
    assert(x->reg < 0 || x->fixed < 0 || x->reg == x->fixed);
    assert(x->reg < 0 || x->words == 1 || x->reg % 2 == 0);
    assert(x->reg < 0 || !x->odd || x->reg % 2 == 1);
    return x->reg >= 0;
}

/* ---- values in a row ---- */

/* In bad[r]: the row cannot begin at register r. */
static void
find_bad(struct ra_graph *g, const struct never *never,
         const struct ra_group *group, bool bad[REGS])
{
    memset(bad, false, REGS * sizeof *bad);
    for (size_t i = 0; i < group->members.n; i++) {
        bool busy[REGS];
        unsigned at = group->members.at[i].at;
        ir_val v = ra_find(g, group->members.at[i].v);
        find_busy(g, never, v, busy);
        for (unsigned r = 0; r < REGS; r++)
            bad[r] |= r + at + 1 >= REGS || !fits(g, v, (int)(r + at), busy);
    }
}

/* Where a copy of a member is, else the first. */
static int
choose_row(struct ra_graph *g, struct hints *h, const struct ra_group *group,
           const bool bad[REGS])
{
    for (size_t i = 0; i < group->members.n; i++) {
        const struct ra_member *m = &group->members.at[i];
        ir_val v = ra_find(g, m->v);
        for (size_t k = 0; k < h->of[v].n; k++) {
            const struct hint *hint = &h->of[v].at[k];
            int reg = ir_value(g->f, ra_find(g, hint->other))->reg;
            int r = reg + hint->offset - m->at;
            if (reg >= 0 && r >= 0 && r < REGS && !bad[r])
                return r;
        }
    }
    unsigned cls = ir_value(g->f, group->members.at[0].v)->cls;
    for (unsigned i = 0;; i++) {
        int r = ra_register(g, (enum ir_class)cls, i);
        if (r < 0 || !bad[r])
            return r;
    }
}

/* All of a group at once; false: there is no room for it. */
static bool
give_row(struct ra_graph *g, struct hints *h, const struct never *never,
         struct ra_group *group)
{
    bool bad[REGS];
    find_bad(g, never, group, bad);
    int r = choose_row(g, h, group, bad);
    for (size_t i = 0; r >= 0 && i < group->members.n; i++)
        ir_value(g->f, ra_find(g, group->members.at[i].v))->reg =
            (int16_t)(r + group->members.at[i].at);
    group->broken = r < 0;
    return r >= 0;
}

/*
 * v has no register.  A row is given at once, so some of its values had theirs
 * before their turn, which v did not count on: the row is dropped.  False: it
 * is v that must go.
 */
static bool
blame_rows(struct ra_graph *g, ir_val v, const bool *had_turn)
{
    bool found = false;
    for (unsigned i = 0; i < g->node[v].n_adj; i++) {
        ir_val a = ra_find(g, g->node[v].adj[i]);
        struct ra_group *group = ra_group_of(g, a);
        if (!group || had_turn[a] || ir_value(g->f, a)->reg < 0)
            continue;
        group->broken = found = true;
    }
    return found;
}

/*
 * v has no register and is spill code itself, of which spilling makes only more:
 * the cheapest neighbour that has a register is spilled for it.  False: there is none.
 */
static bool
blame_neighbour(struct ra_graph *g, ir_val v)
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

static void
spill_for(struct ra_graph *g, ir_val v, const bool *had_turn)
{
    if (blame_rows(g, v, had_turn) ||
        (!may_spill(g, v) && blame_neighbour(g, v)))
        return;
    /* after many rounds, spilling spill code again leads nowhere */
    g->node[v].spilled = may_spill(g, v) || !g->hurry;
}

/* From the stack: false if some are spilled now, or rows broken. */
static bool
give_all(struct ra_graph *g, const ir_val *stack, size_t n, struct hints *h,
         const struct never *never)
{
    bool ok = true, *had_turn = arena_new(g->arena, bool, g->f->values.n);
    while (n) {
        ir_val v = stack[--n];
        struct ra_group *group = ra_group_of(g, v);
        bool open = ir_value(g->f, v)->reg < 0;
        had_turn[v] = true;
        if (open && group && !group->broken) {
            ok &= give_row(g, h, never, group);
            open = group->broken;
        }
        if (open && !give(g, h, never, v)) {
            spill_for(g, v, had_turn);
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
    s.low = arena_new(g->arena, ir_val, 2 * n);
    s.queued = arena_new(g->arena, bool, n);
    unsigned char *seen = arena_new(g->arena, unsigned char, n);
    struct hints h = { .of = arena_alloc(g->arena, n, sizeof *h.of, 8) };
    for (ir_val v = 2; v < n; v++) {
        ir_value(f, v)->reg = -1;
        if (is_node(g, v))
            unique_neighbours(g, v, seen);
    }
    struct never never;
    find_hints(g, &h);
    find_never(g, &never);
    count_halves(&s, &never);
    simplify(&s);
    bool ok = give_all(g, s.stack, s.n_stack, &h, &never);
    for (ir_val v = 2; v < n && !ok && g->hurry; v++)
        g->node[v].spilled |= g->node[v].doubtful;
    for (ir_val v = 2; v < n; v++) {
        ir_val root = ra_find(g, v);
        if (root != v) {
            ir_value(f, v)->reg = ir_value(f, root)->reg;
            g->node[v].spilled = g->node[root].spilled;
        }
    }
    return ok;
}
