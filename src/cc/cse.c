/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SSA: of two equal pure instructions, one of which dominates the other, the pass
 * removes the dominated one.  Every thread that reaches the second has executed the
 * first, so this holds for vectors too.
 */
#include <assert.h>
#include <string.h>

#include "base/hash.h"
#include "cc/cc.h"
#include "cc/passes.h"

static bool
may_share(const struct ir_insn *in)
{
    if (!ir_is_pure(in) || !in->dst || ir_is_load(in) || in->src[0] ||
        in->masked)
        return false;
    switch (in->op) {
    case IR_PHI:
    case IR_UNDEF:
    case IR_UNWRITTEN: /* those of two variables differ */
    case IR_UNIFORM:
        return false;
    }
    /* Which lane is read depends on which lanes are active. */
    return !(ir_flags(in->op) & VENTUS_ISA_F_READLANE);
}

static uint32_t
hash_insn(const struct ir_insn *in)
{
    uint32_t h = in->op;
    for (unsigned i = 1; i < 4; i++)
        h = (h ^ in->src[i]) * 0x9e3779b1u;
    h = (h ^ (uint32_t)in->imm ^ in->mask) * 0x9e3779b1u;
    return h ^ h >> 15;
}

/* The instructions that were kept. */
struct table {
    struct hash_index index;
    vec(struct ir_insn *) kept;
};

static bool
same_computation(struct ir_func *f, const struct ir_insn *a,
                 const struct ir_insn *b)
{
    return a->op == b->op && a->imm == b->imm && a->aux == b->aux &&
           a->rm == b->rm && a->pair == b->pair && a->half == b->half &&
           a->abs == b->abs && a->neg == b->neg && a->mask == b->mask &&
           a->symbol == b->symbol &&
           memcmp(a->src, b->src, sizeof a->src) == 0 &&
           ir_value(f, a->dst)->cls == ir_value(f, b->dst)->cls &&
           ir_value(f, a->dst)->words == ir_value(f, b->dst)->words &&
           ir_value(f, a->dst)->fixed < 0 && ir_value(f, b->dst)->fixed < 0;
}

/* The instruction that computed the same before, on each path to `in`; else `in`
 * itself. */
static const struct ir_insn *
computed_before(struct ir_func *f, struct table *t, struct ir_insn *in)
{
    uint32_t h = hash_insn(in), row;
    hash_each (&t->index, h, row)
        if (same_computation(f, t->kept.at[row], in) &&
            ir_dominates(t->kept.at[row]->block, in->block))
            return t->kept.at[row];
    hash_add(&t->index, h, t->kept.n);
    vec_push(f->arena, &t->kept, in);
    return NULL;
}

void
cc_cse(struct cc *c)
{
    assert(c->f->form <= IR_FORM_VECTOR && "the function is in SSA form");
    struct ir_func *f = c->f;
    ir_analyse(f);
    struct arena_mark mark = arena_mark(f->arena);
    struct table t = { .index = { .arena = f->arena } };
    ir_val *now = arena_new(f->arena, ir_val, f->values.n);
    ir_val **at = arena_new(f->arena, ir_val *, ir_max_sources(f));
    for (ir_val v = 0; v < f->values.n; v++)
        now[v] = v;
    ir_foreach_rpo (f, b)
        ir_foreach_insn_safe (b, in) {
            for (unsigned i = ir_sources(in, at); i-- > 0;)
                *at[i] = now[*at[i]];
            if (!may_share(in))
                continue;
            const struct ir_insn *same = computed_before(f, &t, in);
            if (same) {
                /* chains end at once: what is kept is never replaced */
                assert(now[same->dst] == same->dst && same != in);
                now[in->dst] = same->dst;
                ir_remove(in);
            }
        }
    /* phis of loops use what comes later */
    ir_foreach_block (f, b)
        ir_foreach_insn (b, in)
            for (unsigned i = ir_sources(in, at); i-- > 0;)
                *at[i] = now[*at[i]];
    ir_foreach_block (f, b)
        ir_foreach_insn (b, in)
            ir_foreach_debug (in, d)
                for (unsigned i = 0; i < d->n; i++)
                    d->word[i].v = now[d->word[i].v];
    arena_reset(f->arena, mark);
}
