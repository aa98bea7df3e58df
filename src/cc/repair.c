/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Restores SSA after edges were changed: where a definition no longer dominates its uses,
 * phis take the definition of each path.  A path without a definition gives an undefined
 * value.
 *
 * One value after the other: from its uses back, the blocks that it is live into;
 * in these, in reverse post-order until nothing changes, what holds it at the start:
 * what the predecessors agree on, or a phi.
 */
#include <assert.h>

#include "cc/cc.h"
#include "cc/repair.h"

struct use {
    struct use *next; /* of the same value */
    struct ir_insn *in;
    unsigned number;
    struct ir_block *at_end; /* of this block, for a phi; or NULL */
};

struct repair {
    struct ir_func *f;
    ir_val **at;
    struct use **uses;    /* by value: those that it does not dominate */
    unsigned *live;       /* by block: the last value that is live into it */
    ir_val *now;          /* by block: what holds that value at its start */
    struct ir_insn **phi; /* by block: of that value, or NULL */
    struct ir_block **work;
    ir_val undefined[3]; /* by words */
};

static void
note_uses(struct repair *s, struct ir_insn *in)
{
    struct ir_func *f = s->f;
    unsigned n = ir_sources(in, s->at);
    for (unsigned i = 0; i < n; i++) {
        ir_val v = *s->at[i];
        const struct ir_insn *def = ir_value(f, v)->def;
        struct ir_block *end = in->op == IR_PHI ? in->block->preds.at[i] : NULL;
        struct ir_block *user = end ? end : in->block;
        if (!def || !def->block->reachable || !user->reachable ||
            ir_dominates(def->block, user))
            continue;
        struct use *u = arena_new(f->arena, struct use, 1);
        *u = (struct use){ s->uses[v], in, i, end };
        s->uses[v] = u;
    }
}

static ir_val
undefined_value(struct repair *s, unsigned words)
{
    assert(words <= 2);
    if (!s->undefined[words]) {
        struct ir_insn *in = ir_insn_new(s->f, IR_UNDEF);
        ir_insert_end(s->f->blocks.at[0], in);
        ir_set_dst(s->f, in, ir_value_new(s->f, IR_S, words));
        s->undefined[words] = in->dst;
    }
    return s->undefined[words];
}

static size_t
is_live_into(struct repair *s, struct ir_block *b, ir_val v, size_t n)
{
    if (s->live[b->id] == v)
        return n;
    s->live[b->id] = v;
    s->now[b->id] = IR_NONE;
    s->phi[b->id] = NULL;
    s->work[n] = b;
    return n + 1;
}

static void
find_live(struct repair *s, ir_val v)
{
    const struct ir_block *from = ir_value(s->f, v)->def->block;
    size_t n = 0;
    assert(from->reachable && s->uses[v]);
    for (const struct use *u = s->uses[v]; u; u = u->next) {
        n = is_live_into(s, u->at_end ? u->at_end : u->in->block, v, n);
        while (n) {
            assert(n <= s->f->blocks.n);
            struct ir_block *b = s->work[--n];
            for (size_t i = 0; i < b->preds.n; i++)
                if (b->preds.at[i] != from && b->preds.at[i]->reachable)
                    n = is_live_into(s, b->preds.at[i], v, n);
        }
    }
}

/* The value that stands for v at the end of b; IR_NONE: not known yet. */
static ir_val
at_end(const struct repair *s, const struct ir_block *b, ir_val v)
{
    return b == ir_value(s->f, v)->def->block ? v : s->now[b->id];
}

static void
add_phi(struct repair *s, struct ir_block *b, ir_val v)
{
    struct ir_insn *phi = ir_insn_new(s->f, IR_PHI);
    unsigned words = ir_value(s->f, v)->words;
    assert(b->preds.n > 1 && !s->phi[b->id]);
    phi->pair = words == 2;
    phi->n_many = (unsigned)b->preds.n;
    phi->many = arena_new(s->f->arena, ir_val, phi->n_many);
    if (b->first)
        ir_insert_before(b->first, phi);
    else
        ir_append(b, phi);
    ir_set_dst(s->f, phi, ir_value_like(s->f, v));
    s->phi[b->id] = phi;
    s->now[b->id] = phi->dst;
}

/* Joins the values at the ends of the predecessors of b; false if that changes
 * nothing. */
static bool
join_preds(struct repair *s, struct ir_block *b, ir_val v)
{
    ir_val all =
        b->preds.n ? IR_NONE : undefined_value(s, ir_value(s->f, v)->words);
    bool differ = false;
    if (s->phi[b->id])
        return false;
    for (size_t i = 0; i < b->preds.n; i++) {
        const struct ir_block *p = b->preds.at[i];
        ir_val x = p->reachable ? at_end(s, p, v) : IR_NONE;
        differ |= x && all && x != all;
        all = x ? x : all;
    }
    if (differ)
        add_phi(s, b, v);
    else if (s->now[b->id] == all)
        return false;
    else
        s->now[b->id] = all;
    return true;
}

static void
fill_phi(struct repair *s, struct ir_block *b, ir_val v)
{
    for (size_t i = 0; i < b->preds.n; i++) {
        const struct ir_block *p = b->preds.at[i];
        s->phi[b->id]->many[i] =
            p->reachable ? at_end(s, p, v)
                         : undefined_value(s, ir_value(s->f, v)->words);
        assert(s->phi[b->id]->many[i] && "a way without a value");
    }
}

static void
repair_value(struct repair *s, ir_val v)
{
    find_live(s, v);
    for (bool changed = true; changed;) {
        changed = false;
        ir_foreach_rpo (s->f, b)
            if (s->live[b->id] == v)
                changed |= join_preds(s, b, v);
    }
    ir_foreach_rpo (s->f, b)
        if (s->live[b->id] == v && s->phi[b->id])
            fill_phi(s, b, v);
    for (const struct use *u = s->uses[v]; u; u = u->next) {
        ir_sources(u->in, s->at);
        *s->at[u->number] =
            u->at_end ? at_end(s, u->at_end, v) : s->now[u->in->block->id];
    }
}

void
cc_repair(struct ir_func *f)
{
    assert(f->form <= IR_FORM_VECTOR && "SSA");
    struct repair s = { .f = f };
    ir_analyse(f);
    size_t n = f->values.n;
    s.at = arena_new(f->arena, ir_val *, ir_max_sources(f));
    s.uses = arena_new(f->arena, struct use *, n);
    s.live = arena_new(f->arena, unsigned, f->blocks.n);
    s.now = arena_new(f->arena, ir_val, f->blocks.n);
    s.phi = arena_new(f->arena, struct ir_insn *, f->blocks.n);
    s.work = arena_new(f->arena, struct ir_block *, f->blocks.n + 1);
    ir_foreach_rpo (f, b)
        ir_foreach_insn (b, in)
            note_uses(&s, in);
    for (ir_val v = 2; v < n; v++)
        if (s.uses[v])
            repair_value(&s, v);
}
