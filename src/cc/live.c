/* SPDX-License-Identifier: Apache-2.0 */
#include "cc/live.h"
#include "base/debug_assert.h"

#include <assert.h>
#include <string.h>

#include "cc/regions.h"

/* Adds edges from the last blocks of one side to the start of the other. */
static void
add_edges(struct arena *a, struct live_edges *extra, struct region *r,
          struct ir_block *b)
{
    region_find(r, b);
    for (unsigned k = 0; k < 2 && r->meet; k++) {
        struct ir_block *other = b->succ[1 - k];
        if (other == r->meet)
            continue;
        for (size_t p = 0; p < r->meet->preds.n; p++) {
            struct ir_block *end = r->meet->preds.at[p];
            if (!region_has(r, k, end))
                continue;
            assert(end != r->meet && other != r->meet);
            vec_push(a, &extra[end->id].to, other);
            vec_push(a, &extra[other->id].from, end);
        }
    }
}

struct live_edges *
live_edges(struct arena *a, struct ir_func *f)
{
    struct live_edges *extra = arena_new(a, struct live_edges, f->blocks.n);
    struct region r = region_begin(a, f);
    ir_foreach_rpo (f, b)
        if (b->last && ir_is_vbranch(b->last))
            add_edges(a, extra, &r, b);
    return extra;
}

/* ---- lists of blocks by what happens there ---- */

/*
 * A block in which a value is used before it is defined, is defined, or at
 * whose end it is used (phis).
 */
struct place {
    uint32_t value;
    enum { PLACE_USE, PLACE_DEFINE, PLACE_END } what;
    struct ir_block *block;
};

struct finder {
    struct arena *arena;
    struct ir_func *f;
    struct live live;
    vec(struct place) places;
    uint32_t *defined; /* by value: 1 + the last block that does */
    bool *used;        /* by value: so far in this block, undefined since */
    vec(uint32_t) touched;
    uint32_t *stamp; /* by block: the last value that it defines */
    struct ir_block **work;
};

static void
add_definition(struct finder *s, struct ir_block *b, uint32_t v)
{
    s->used[v] = false;
    if (s->defined[v] == b->id + 1)
        return;
    s->defined[v] = b->id + 1;
    vec_push(s->arena, &s->places, ((struct place){ v, PLACE_DEFINE, b }));
}

static void
add_use(struct finder *s, uint32_t v)
{
    if (!s->used[v])
        vec_push(s->arena, &s->touched, v);
    s->used[v] = true;
}

static void
end_block(struct finder *s, struct ir_block *b)
{
    for (size_t i = 0; i < s->touched.n; i++) {
        uint32_t v = s->touched.at[i];
        if (s->used[v])
            vec_push(s->arena, &s->places, ((struct place){ v, PLACE_USE, b }));
        s->used[v] = false;
    }
    s->touched.n = 0;
}

/* Sorts the places by value. */
static struct place *
sort_by_value(struct finder *s, size_t n, size_t *start)
{
    struct place *to = arena_new(s->arena, struct place, s->places.n + 1);
    for (size_t i = 0; i < s->places.n; i++)
        start[s->places.at[i].value + 1]++;
    for (size_t v = 0; v < n; v++)
        start[v + 1] += start[v];
    size_t *next = arena_new(s->arena, size_t, n + 1);
    memcpy(next, start, n * sizeof *next);
    for (size_t i = 0; i < s->places.n; i++) {
        debug_assert(s->places.at[i].value < n);
        to[next[s->places.at[i].value]++] = s->places.at[i];
    }
    return to;
}

/* ---- walking back ---- */

/* Appends v, the largest so far; false if it is there already. */
static bool
append_value(struct arena *a, struct live_list *list, uint32_t v)
{
    debug_assert((!list->n || list->at[list->n - 1] <= v) &&
                 "values come in ascending order");
    if (list->n && list->at[list->n - 1] == v)
        return false;
    vec_push(a, list, v);
    return true;
}

static size_t
live_out(struct finder *s, struct ir_block *b, uint32_t v, size_t n)
{
    if (append_value(s->arena, &s->live.out[b->id], v) &&
        s->stamp[b->id] != v && append_value(s->arena, &s->live.in[b->id], v))
        s->work[n++] = b;
    return n;
}

static void
walk_backwards(struct finder *s, const struct place *p, bool physical)
{
    size_t n = 0;
    uint32_t v = p->value;
    struct ir_block *b = p->block;
    if (p->what == PLACE_END)
        n = live_out(s, b, v, n);
    else if (append_value(s->arena, &s->live.in[b->id], v))
        s->work[n++] = b;
    while (n) {
        assert(n <= s->f->blocks.n);
        b = s->work[--n];
        for (size_t i = 0; i < b->preds.n; i++)
            n = live_out(s, b->preds.at[i], v, n);
        const struct live_edges *extra = &s->live.extra[b->id];
        for (size_t i = 0; physical && i < extra->from.n; i++)
            n = live_out(s, extra->from.at[i], v, n);
    }
}

static struct finder
begin_search(struct arena *a, struct ir_func *f, size_t n)
{
    struct finder s = { .arena = a, .f = f };
    s.live.in = arena_new(a, struct live_list, f->blocks.n);
    s.live.out = arena_new(a, struct live_list, f->blocks.n);
    s.live.extra = live_edges(a, f);
    s.defined = arena_new(a, uint32_t, n);
    s.used = arena_new(a, bool, n);
    s.stamp = arena_new(a, uint32_t, f->blocks.n);
    s.work = arena_new(a, struct ir_block *, f->blocks.n + 1);
    return s;
}

/* Solves liveness from the places of n values; scalar[v]: v lives by the physical
 * flow. */
static struct live
solve_liveness(struct finder *s, size_t n, const bool *scalar)
{
    size_t *start = arena_new(s->arena, size_t, n + 2);
    const struct place *place = sort_by_value(s, n, start);
    for (uint32_t v = 1; v < n; v++) {
        for (size_t i = start[v]; i < start[v + 1]; i++)
            if (place[i].what == PLACE_DEFINE)
                s->stamp[place[i].block->id] = v;
        for (size_t i = start[v]; i < start[v + 1]; i++)
            if (place[i].what != PLACE_DEFINE)
                walk_backwards(s, &place[i], scalar[v]);
    }
    return s->live;
}

struct live
live_find(struct arena *a, struct ir_func *f)
{
    size_t n = f->values.n;
    struct finder s = begin_search(a, f, n);
    ir_val **at = arena_new(a, ir_val *, ir_max_sources(f));
    bool *scalar = arena_new(a, bool, n);
    for (ir_val v = 2; v < n; v++)
        scalar[v] = ir_value(f, v)->cls == IR_S;
    ir_foreach_rpo (f, b) {
        for (struct ir_insn *in = b->last; in; in = in->prev) {
            for (unsigned i = ir_defs(in, at); i-- > 0;)
                add_definition(&s, b, *at[i]);
            for (unsigned i = ir_sources(in, at); i-- > 0;)
                if (*at[i] > IR_ZERO && in->op != IR_PHI)
                    add_use(&s, *at[i]);
                else if (*at[i] > IR_ZERO)
                    vec_push(
                        a, &s.places,
                        ((struct place){ *at[i], PLACE_END, b->preds.at[i] }));
        }
        end_block(&s, b);
    }
    return solve_liveness(&s, n, scalar);
}

struct live
live_find_spills(struct arena *a, struct ir_func *f)
{
    size_t n = f->n_spills + 1;
    struct finder s = begin_search(a, f, n);
    bool *scalar = arena_new(a, bool, n);
    ir_foreach_rpo (f, b) {
        for (struct ir_insn *in = b->last; in; in = in->prev) {
            if (!in->spill)
                continue;
            assert(in->spill < n && (ir_is_load(in) || ir_is_store(in)));
            scalar[in->spill] = in->space != IR_SPACE_PRIVATE;
            if (ir_is_store(in))
                add_definition(&s, b, in->spill);
            else
                add_use(&s, in->spill);
        }
        end_block(&s, b);
    }
    return solve_liveness(&s, n, scalar);
}
