/* SPDX-License-Identifier: Apache-2.0 */
#include "cc/live.h"

#include <string.h>

#include "cc/regions.h"

/* From the last blocks of one side to the start of the other. */
static void
add_edges(struct ir_func *f, struct live_edges *extra, struct ir_block *b)
{
    struct region r = region_of(f, b);
    for (unsigned k = 0; k < 2 && r.meet; k++) {
        struct ir_block *other = b->succ[1 - k];
        if (other == r.meet)
            continue;
        for (size_t p = 0; p < r.meet->preds.n; p++) {
            struct ir_block *end = r.meet->preds.at[p];
            if (!r.side[k][end->id])
                continue;
            vec_push(f->arena, &extra[end->id].to, other);
            vec_push(f->arena, &extra[other->id].from, end);
        }
    }
}

struct live_edges *
live_edges(struct ir_func *f)
{
    struct live_edges *extra =
        arena_new(f->arena, struct live_edges, f->blocks.n);
    ir_foreach_rpo (f, b)
        if (b->last && ir_is_vbranch(b->last))
            add_edges(f, extra, b);
    return extra;
}

/* upward[b]: used before defined; killed[b]: defined. */
static void
scan(struct ir_func *f, struct ir_block *b, uint64_t *upward, uint64_t *killed,
     ir_val **at)
{
    for (struct ir_insn *in = b->last; in; in = in->prev) {
        for (unsigned i = ir_defs(in, at); i-- > 0;) {
            live_drop(upward, *at[i]);
            live_add(killed, *at[i]);
        }
        for (unsigned i = ir_sources(in, at); i-- > 0;)
            live_add(upward, *at[i]);
    }
    (void)f;
}

static bool
merge(uint64_t *to, const uint64_t *from, const uint64_t *only, size_t n)
{
    bool changed = false;
    for (size_t i = 0; i < n; i++) {
        uint64_t x = to[i] | (from[i] & (only ? only[i] : ~UINT64_C(0)));
        changed |= x != to[i];
        to[i] = x;
    }
    return changed;
}

struct live
live_find(struct ir_func *f)
{
    struct live l = { .words = (f->values.n + 63) / 64 };
    size_t n = f->blocks.n, words = l.words;
    l.in = arena_new(f->arena, uint64_t *, n);
    l.out = arena_new(f->arena, uint64_t *, n);
    l.extra = live_edges(f);
    uint64_t **killed = arena_new(f->arena, uint64_t *, n);
    uint64_t *scalars = arena_new(f->arena, uint64_t, words);
    ir_val **at = arena_new(f->arena, ir_val *, ir_max_sources(f));
    for (ir_val v = 2; v < f->values.n; v++)
        if (ir_value(f, v)->cls == IR_S)
            live_add(scalars, v);
    ir_foreach_block (f, b) {
        l.in[b->id] = arena_new(f->arena, uint64_t, words);
        l.out[b->id] = arena_new(f->arena, uint64_t, words);
        killed[b->id] = arena_new(f->arena, uint64_t, words);
        scan(f, b, l.in[b->id], killed[b->id], at);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = f->rpo.n; i-- > 0;) {
            struct ir_block *b = f->rpo.at[i];
            uint64_t *out = l.out[b->id], *in = l.in[b->id];
            for (unsigned k = 0; k < 2; k++)
                if (b->succ[k])
                    merge(out, l.in[b->succ[k]->id], NULL, words);
            for (size_t k = 0; k < l.extra[b->id].to.n; k++)
                merge(out, l.in[l.extra[b->id].to.at[k]->id], scalars, words);
            for (size_t w = 0; w < words; w++) {
                uint64_t x = in[w] | (out[w] & ~killed[b->id][w]);
                changed |= x != in[w];
                in[w] = x;
            }
        }
    }
    return l;
}
