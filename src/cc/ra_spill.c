/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spilled values live in memory, and in a register only around instructions:
 *
 *   scalars  the warp's stack in local memory, sw s5, 4(sp)
 *   vectors  the thread's private memory, vsw.v v5, 4(v6), v6 = 0
 *   consts   nowhere: made again before each use
 *
 * In a parallel copy, memory that is written is not read by another part.
 */
#include "cc/ra.h"

enum { REG_SP = 2, SCALAR_STACK_B = 1024, PRIVATE_OFFSETS = 1024 };

struct slot {
    int32_t offset;       /* -1: none yet */
    struct ir_insn *make; /* the only definition, if it is a constant */
    unsigned defs;
};

struct spill {
    struct ra_graph *g;
    struct ir_func *f;
    struct slot *slot; /* by root */
    ir_val sp;
    size_t n_values; /* before spill code */
};

static bool
is_spilled(const struct spill *s, ir_val v)
{
    return v > IR_ZERO && v < s->n_values && s->g->node[v].spilled;
}

static struct slot *
slot_of(struct spill *s, ir_val v)
{
    struct slot *slot = &s->slot[ra_find(s->g, v)];
    const struct ir_value *x = ir_value(s->f, v);
    if (slot->offset >= 0)
        return slot;
    if (x->cls == IR_V) {
        slot->offset = (int32_t)s->f->private_B;
        s->f->private_B += 4 * x->words;
        s->g->c->stats->spill_B += 4 * x->words;
    } else {
        slot->offset = (int32_t)s->f->scalar_stack_B;
        s->f->scalar_stack_B += 4 * x->words;
    }
    return slot;
}

static bool
is_made_again(struct spill *s, ir_val v)
{
    const struct slot *slot = &s->slot[ra_find(s->g, v)];
    return slot->make && slot->defs == 1;
}

static ir_val
temporary(struct spill *s, enum ir_class cls, unsigned words)
{
    ir_val v = ir_value_new(s->f, cls, words);
    ir_value(s->f, v)->no_spill = true;
    return v;
}

/* Inserts a new instruction before or behind `at`; returns it. */
static struct ir_insn *
place(struct spill *s, struct ir_insn *at, bool behind, unsigned op)
{
    struct ir_insn *in = ir_insn_new(s->f, op);
    in->line = at->line;
    if (behind)
        ir_insert_after(at, in);
    else
        ir_insert_before(at, in);
    return in;
}

/* A vector with the base of private offset `offset`; what is left of it. */
static ir_val
private_base(struct spill *s, struct ir_insn *at, int32_t *offset)
{
    struct ir_insn *in;
    ir_val base = temporary(s, IR_V, 1);
    if (*offset < PRIVATE_OFFSETS) {
        in = place(s, at, false, ISA_VMV_V_I);
    } else {
        struct ir_insn *c = place(s, at, false, IR_CONST);
        c->imm = *offset;
        c->dst = temporary(s, IR_S, 1);
        in = place(s, at, false, IR_COPY);
        in->src[1] = c->dst;
        *offset = 0;
    }
    in->dst = base;
    return base;
}

static void
access(struct spill *s, struct ir_insn *at, bool store, enum ir_class cls,
       int32_t offset, ir_val v)
{
    /* the base goes before the access, which goes before `at` */
    ir_val base = cls == IR_V ? private_base(s, at, &offset) : s->sp;
    unsigned op = cls == IR_V ? (store ? ISA_VSW_V : ISA_VLW_V)
                              : (store ? ISA_SW : ISA_LW);
    struct ir_insn *in = place(s, at, false, op);
    in->src[1] = base;
    in->imm = offset;
    in->space = cls == IR_V ? IR_SPACE_PRIVATE : IR_SPACE_LOCAL;
    if (store)
        in->src[2] = v;
    else
        in->dst = v;
}

/* The value of v in a temporary, before `at`. */
static ir_val
reload(struct spill *s, struct ir_insn *at, ir_val v)
{
    struct ir_value x = *ir_value(s->f, v);
    enum ir_class cls = (enum ir_class)x.cls;
    ir_val to = temporary(s, cls, x.words);
    ir_value(s->f, to)->odd = x.odd && x.words == 1;
    if (is_made_again(s, v)) {
        struct ir_insn *make = s->slot[ra_find(s->g, v)].make;
        struct ir_insn *in = place(s, at, false, make->op);
        in->imm = make->imm;
        in->symbol = make->symbol;
        in->dst = to;
        return to;
    }
    int32_t offset = slot_of(s, v)->offset;
    if (x.words == 1) {
        access(s, at, false, cls, offset, to);
        return to;
    }
    ir_val lo = temporary(s, cls, 1), hi = temporary(s, cls, 1);
    access(s, at, false, cls, offset, lo);
    access(s, at, false, cls, offset + 4, hi);
    struct ir_insn *pair = place(s, at, false, IR_PAIR);
    pair->src[1] = lo;
    pair->src[2] = hi;
    pair->dst = to;
    pair->pair = 1;
    return to;
}

/* Stores `from`, the new value of v, before `at`. */
static void
save(struct spill *s, struct ir_insn *at, ir_val v, ir_val from)
{
    struct ir_value x = *ir_value(s->f, v);
    enum ir_class cls = (enum ir_class)x.cls;
    if (is_made_again(s, v))
        return;
    int32_t offset = slot_of(s, v)->offset;
    if (x.words == 1) {
        access(s, at, true, cls, offset, from);
        return;
    }
    for (unsigned k = 0; k < 2; k++) {
        ir_val word = temporary(s, cls, 1);
        struct ir_insn *in = place(s, at, false, k ? IR_HI : IR_LO);
        in->src[1] = from;
        in->dst = word;
        in->pair = 1;
        access(s, at, true, cls, offset + 4 * (int32_t)k, word);
    }
}

static bool
same_slot(struct spill *s, ir_val a, ir_val b)
{
    return is_spilled(s, a) && is_spilled(s, b) &&
           ra_find(s->g, a) == ra_find(s->g, b);
}

/* One that nothing else in the parallel copy reads may be done before it. */
static bool
is_independent(struct spill *s, const struct ir_insn *in, unsigned k)
{
    for (unsigned i = 0; i < in->n_many; i += 2)
        if (i != k && same_slot(s, in->many[i + 1], in->many[k]))
            return false;
    return true;
}

static ir_val
as_vector(struct spill *s, struct ir_insn *at, ir_val v)
{
    unsigned words = ir_value(s->f, v)->words;
    struct ir_insn *copy = place(s, at, false, IR_COPY);
    copy->src[1] = v;
    copy->dst = temporary(s, IR_V, words);
    copy->pair = words == 2;
    return copy->dst;
}

static void
spill_parcopy(struct spill *s, struct ir_insn *in)
{
    ir_val *many = arena_new(s->f->arena, ir_val, in->n_many);
    unsigned n = 0;
    struct ir_insn *behind = in->next;
    for (unsigned k = 0; k < in->n_many; k += 2) {
        ir_val to = in->many[k], from = in->many[k + 1];
        bool to_memory = is_spilled(s, to);
        if (same_slot(s, to, from) || (to_memory && !from))
            continue;
        ir_val v = from;
        if (to_memory && is_independent(s, in, k)) {
            if (is_spilled(s, from))
                v = reload(s, in, from);
            if (ir_value(s->f, v)->cls != ir_value(s->f, to)->cls)
                v = as_vector(s, in, v);
            save(s, in, to, v);
            continue;
        }
        if (is_spilled(s, from))
            v = reload(s, in, from);
        if (to_memory) {
            ir_val t = temporary(s, (enum ir_class)ir_value(s->f, to)->cls,
                                 ir_value(s->f, to)->words);
            save(s, behind, to, t);
            to = t;
        }
        many[n++] = to;
        many[n++] = v;
    }
    in->many = many;
    in->n_many = n;
    if (!n)
        ir_remove(in);
}

static void
spill_insn(struct spill *s, struct ir_insn *in, ir_val **at)
{
    if (in->op == IR_PARCOPY) {
        spill_parcopy(s, in);
        return;
    }
    if (in->dst && is_spilled(s, in->dst) && is_made_again(s, in->dst)) {
        ir_remove(in);
        return;
    }
    ir_val dst = in->dst, tied = in->src[0];
    bool is_tied = tied && tied == dst;
    unsigned n = ir_sources(in, at);
    ir_val now = IR_NONE;
    for (unsigned i = 0; i < n; i++) {
        ir_val v = *at[i];
        if (!is_spilled(s, v))
            continue;
        ir_val t = reload(s, in, v);
        for (unsigned k = i; k < n; k++)
            if (*at[k] == v)
                *at[k] = t;
        if (is_tied && v == dst)
            now = t;
    }
    if (!dst || !is_spilled(s, dst))
        return;
    ir_val t = now;
    if (!t) {
        t = temporary(s, (enum ir_class)ir_value(s->f, dst)->cls,
                      ir_value(s->f, dst)->words);
        ir_value(s->f, t)->odd = ir_value(s->f, dst)->odd;
        ir_value(s->f, t)->fixed = ir_value(s->f, dst)->fixed;
    }
    in->dst = t;
    save(s, in->next, dst, t);
}

static void
find_constants(struct spill *s, ir_val **at)
{
    ir_foreach_block (s->f, b)
        ir_foreach_insn (b, in)
            for (unsigned i = ir_defs(in, at); i-- > 0;) {
                if (*at[i] <= IR_ZERO)
                    continue;
                struct slot *slot = &s->slot[ra_find(s->g, *at[i])];
                slot->defs++;
                if (in->op == IR_CONST || in->op == IR_SYMBOL ||
                    in->op == ISA_VMV_V_I)
                    slot->make = in;
            }
}

static void
count(struct spill *s)
{
    for (ir_val v = 2; v < s->n_values; v++)
        if (s->g->node[v].spilled && ra_find(s->g, v) == v &&
            !is_made_again(s, v)) {
            if (ir_value(s->f, v)->cls == IR_V)
                s->g->c->stats->spills_v++;
            else
                s->g->c->stats->spills_s++;
        }
}

void
ra_spill(struct ra_graph *g)
{
    struct ir_func *f = g->f;
    struct spill s = { .g = g, .f = f, .n_values = f->values.n };
    s.slot = arena_new(f->arena, struct slot, f->values.n);
    for (size_t i = 0; i < f->values.n; i++)
        s.slot[i].offset = -1;
    ir_val **at = arena_new(f->arena, ir_val *, ir_max_sources(f));
    find_constants(&s, at);
    count(&s);
    s.sp = ir_value_new(f, IR_S, 1);
    ir_value(f, s.sp)->fixed = REG_SP;
    ir_foreach_block (f, b)
        ir_foreach_insn_safe (b, in)
            spill_insn(&s, in, at);
    if (f->scalar_stack_B > SCALAR_STACK_B)
        diag_report(g->c->sink, DIAG_ERROR, (struct diag_at){ 0 },
                    "kernel '%s': %u bytes of scalar spills, at most %u",
                    f->name, f->scalar_stack_B, (unsigned)SCALAR_STACK_B);
}
