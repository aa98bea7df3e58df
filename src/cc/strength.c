/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Strength reduction, on scalar machine IR: an address that depends linearly on the
 * counter of a loop is incremented instead of computed again from the counter.
 *
 *   before:                    i0 = ...           p0 = base + i0 * n * 4
 *                                                 step = n * 4
 *   loop: i = phi i0, i1           loop: p = phi p0, p1
 *         x = lw (base + i * n * 4)      x = lw (p)
 *         i1 = i + 1                     p1 = p + step
 *
 * A value is affine in a counter i if it is i times a loop-invariant value plus a
 * loop-invariant value.  All arithmetic is modulo 2^32, also that of addresses, so
 * the reduction is exact.  For pairs, whose counter is a pair as well, it is exact
 * modulo 2^64.  The first address is computed in front of the loop with i0 in place
 * of i.
 *
 * Inner loops come first; outer loops may then reduce the first addresses of inner
 * loops.
 */
#include <assert.h>
#include <string.h>

#include "cc/cc.h"
#include "cc/passes.h"
#include "isa/sem.h"

enum { MOST = 12, DEPTH = 12 }; /* pointers of a loop, operations of one */

enum kind { NOT_SEEN, NOT_AFFINE, INVARIANT, AFFINE };

struct affine {
    uint8_t kind;
    uint8_t operations; /* in the loop, to compute it */
    ir_val counter;     /* AFFINE: which phi */
    uint64_t factor;    /* times these, unless they are none */
    ir_val times[2];
};

struct state {
    struct ir_func *f;
    const struct ir_loop *loop;
    struct ir_block *front, *latch;
    unsigned from_front, from_latch; /* places among the header's preds */
    struct affine *of;               /* by value */
    ir_val *copy, *pointer;          /* by value: in front; that replaces it */
    size_t n;                        /* values when the loop was begun */
    unsigned pointers;
    bool *is_start; /* by value: what a pointer begins with */
    ir_val **at;
};

static bool
is_outside(const struct state *s, ir_val v)
{
    const struct ir_insn *def = ir_value(s->f, v)->def;
    return v == IR_ZERO || (def && !ir_in_loop(def->block, s->loop));
}

/* The step of the counter `phi`; IR_NONE if it is no counter. */
static ir_val
step_of(const struct state *s, const struct ir_insn *phi)
{
    const struct ir_insn *next = ir_value(s->f, phi->many[s->from_latch])->def;
    if (!next || next->op != VENTUS_ISA_ADD)
        return IR_NONE;
    for (unsigned k = 1; k < 3; k++)
        if (next->src[k] == phi->dst && is_outside(s, next->src[3 - k]))
            return next->src[3 - k];
    return IR_NONE;
}

static struct affine
find_affine(struct state *s, ir_val v, unsigned depth);

static struct affine
affine_sum(struct affine a, struct affine b, bool minus)
{
    struct affine r = { .kind = NOT_AFFINE };
    if (a.kind == NOT_AFFINE || b.kind == NOT_AFFINE)
        return r;
    if (b.kind == INVARIANT)
        return a;
    if (minus)
        b.factor = 0 - b.factor;
    if (a.kind == INVARIANT)
        return b;
    if (a.counter != b.counter || a.times[0] != b.times[0] ||
        a.times[1] != b.times[1])
        return r;
    a.factor += b.factor;
    return a;
}

static struct affine
affine_product(const struct state *s, struct affine a, ir_val by)
{
    int32_t x;
    if (cc_is_constant(s->f, by, &x))
        a.factor *= (uint64_t)(int64_t)x;
    else if (!a.times[0])
        a.times[0] = by;
    else if (!a.times[1])
        a.times[1] = by;
    else
        a.kind = NOT_AFFINE;
    return a;
}

/* The sign extension of a counter of 32 bits is not affine in it. */
static bool
is_narrow(const struct state *s, ir_val v, const struct affine *a)
{
    return ir_value(s->f, v)->words == 1 && a->kind == AFFINE;
}

static struct affine
combine_affine(struct state *s, const struct ir_insn *in, unsigned depth)
{
    struct affine none = { .kind = NOT_AFFINE };
    int32_t x;
    if (!in->src[1] || !in->src[2])
        return none;
    struct affine a = find_affine(s, in->src[1], depth);
    struct affine b = find_affine(s, in->src[2], depth), r = none;
    if (in->pair &&
        (is_narrow(s, in->src[1], &a) || is_narrow(s, in->src[2], &b)))
        return none;
    switch (in->op) {
    case VENTUS_ISA_ADD:
    case VENTUS_ISA_SUB:
        r = affine_sum(a, b, in->op == VENTUS_ISA_SUB);
        break;
    case VENTUS_ISA_SLL:
        if (a.kind == AFFINE && cc_is_constant(s->f, in->src[2], &x)) {
            r = a;
            r.factor <<= x & (in->pair ? 63 : 31);
        }
        break;
    case VENTUS_ISA_MUL:
        if (a.kind == AFFINE && b.kind == INVARIANT)
            r = affine_product(s, a, in->src[2]);
        else if (b.kind == AFFINE && a.kind == INVARIANT)
            r = affine_product(s, b, in->src[1]);
        break;
    }
    r.operations = (uint8_t)(a.operations + b.operations + 1);
    return r.operations > DEPTH ? none : r;
}

static struct affine
find_affine(struct state *s, ir_val v, unsigned depth)
{
    struct affine none = { .kind = NOT_AFFINE };
    if (is_outside(s, v))
        return (struct affine){ .kind = INVARIANT };
    if (v >= s->n || depth > DEPTH)
        return none;
    if (s->of[v].kind != NOT_SEEN)
        return s->of[v];
    const struct ir_insn *in = ir_value(s->f, v)->def;
    struct affine r = none;
    if (in && in->op == IR_PHI && in->block == s->loop->header) {
        if (step_of(s, in))
            r = (struct affine){ .kind = AFFINE, .counter = v, .factor = 1 };
    } else if (in && in->block->loop == s->loop) {
        r = combine_affine(s, in, depth + 1);
    }
    s->of[v] = r;
    return r;
}

/* a op b where that needs no instruction, else IR_NONE. */
static ir_val
simplified(const struct state *s, unsigned op, ir_val a, ir_val b)
{
    int32_t x;
    if (cc_is_zero(s->f, b))
        return op == VENTUS_ISA_MUL ? b : a;
    if (cc_is_zero(s->f, a) && op != VENTUS_ISA_SUB)
        return op == VENTUS_ISA_ADD ? b : a;
    if (op == VENTUS_ISA_MUL && cc_is_constant(s->f, a, &x) && x == 1)
        return b;
    return IR_NONE;
}

/* v as it is when the loop begins, computed in front of it. */
static ir_val
first_value(struct state *s, ir_val v)
{
    if (is_outside(s, v))
        return v;
    const struct ir_insn *in = ir_value(s->f, v)->def;
    if (in->op == IR_PHI)
        return in->many[s->from_front];
    if (s->copy[v])
        return s->copy[v];
    assert(v < s->n && in->block->reachable);
    ir_val a = first_value(s, in->src[1]), b = first_value(s, in->src[2]);
    unsigned words = ir_value(s->f, v)->words;
    ir_val same = simplified(s, in->op, a, b);
    if (same && ir_value(s->f, same)->words == words) {
        s->copy[v] = same;
        return same;
    }
    struct ir_insn *copy = ir_insn_new(s->f, in->op);
    copy->pair = in->pair;
    copy->src[1] = a;
    copy->src[2] = b;
    ir_place_like(copy, in);
    ir_set_dst(s->f, copy, ir_value_new(s->f, IR_S, words));
    ir_insert_end(s->front, copy);
    s->copy[v] = copy->dst;
    return copy->dst;
}

/* Inserts a constant at the start of the function, where all of them are. */
static ir_val
insert_constant(struct state *s, uint32_t x)
{
    if (!x)
        return IR_ZERO;
    struct ir_insn *in = ir_insn_new(s->f, IR_CONST), *at;
    in->imm = (int32_t)x;
    at = s->f->blocks.at[0]->first;
    while (at->op == IR_UNDEF || at->op == IR_ENTER)
        at = at->next;
    assert(at->block == s->f->blocks.at[0]);
    ir_insert_before(at, in);
    ir_set_dst(s->f, in, ir_value_new(s->f, IR_S, 1));
    return in->dst;
}

/* Inserts a * b before the loop, of 64 bits if `pair`: then a word stands for its sign
 * extension. */
static ir_val
insert_product(struct state *s, ir_val a, ir_val b, bool pair)
{
    int32_t x, y;
    if (cc_is_constant(s->f, a, &x) && cc_is_constant(s->f, b, &y))
        return insert_constant(s, sem_mul_32((uint32_t)x, (uint32_t)y));
    if (simplified(s, VENTUS_ISA_MUL, a, b))
        return simplified(s, VENTUS_ISA_MUL, a, b);
    struct ir_insn *in = ir_insn_new(s->f, VENTUS_ISA_MUL);
    in->src[1] = a;
    in->src[2] = b;
    in->pair = pair;
    if (cc_is_constant(s->f, b, &x) && x > 0 && !(x & (x - 1))) {
        in->op = VENTUS_ISA_SLL;
        in->src[2] = insert_constant(s, (uint32_t)__builtin_ctz((unsigned)x));
    }
    ir_set_dst(s->f, in, ir_value_new(s->f, IR_S, pair ? 2 : 1));
    ir_insert_end(s->front, in);
    return in->dst;
}

static ir_val
step_value(struct state *s, const struct affine *a)
{
    assert(a->kind == AFFINE);
    bool pair = ir_value(s->f, a->counter)->words == 2;
    ir_val step = step_of(s, ir_value(s->f, a->counter)->def);
    for (unsigned k = 0; k < 2; k++)
        if (a->times[k])
            step = insert_product(s, step, a->times[k], pair);
    uint32_t factor = (uint32_t)a->factor;
    return factor == 1
               ? step
               : insert_product(s, step, insert_constant(s, factor), pair);
}

/* The step is a word times a word, if both are constants: no pair is one. */
static bool
has_step(const struct state *s, const struct affine *a)
{
    int32_t x;
    int64_t factor = (int64_t)a->factor;
    ir_val step = step_of(s, ir_value(s->f, a->counter)->def);
    if (ir_value(s->f, a->counter)->words == 1)
        return true;
    if (factor != (int32_t)factor)
        return false;
    if (!cc_is_constant(s->f, step, &x))
        return true;
    for (unsigned k = 0; k < 2; k++)
        if (a->times[k])
            return true; /* no constants */
    return x * factor == (int32_t)(x * factor);
}

/* The phi that steps through the values of v. */
static ir_val
pointer_for(struct state *s, ir_val v, const struct affine *a)
{
    struct ir_func *f = s->f;
    struct ir_block *header = s->loop->header;
    const struct ir_insn *def = ir_value(f, v)->def;
    struct ir_insn *phi = ir_insn_new(f, IR_PHI);
    struct ir_insn *next = ir_insn_new(f, VENTUS_ISA_ADD);
    unsigned words = ir_value(f, v)->words;
    phi->pair = next->pair = words == 2;
    phi->n_many = (unsigned)header->preds.n;
    phi->many = arena_new(f->arena, ir_val, phi->n_many);
    ir_place_like(phi, def);
    ir_place_like(next, def);
    ir_set_dst(f, phi, ir_value_new(f, IR_S, words));
    next->src[1] = phi->dst;
    next->src[2] = step_value(s, a);
    ir_set_dst(f, next, ir_value_new(f, IR_S, words));
    for (unsigned i = 0; i < phi->n_many; i++)
        phi->many[i] = IR_ZERO; /* of what is not reachable */
    assert(phi->n_many > s->from_front && phi->n_many > s->from_latch);
    assert(s->from_front != s->from_latch);
    phi->many[s->from_front] = first_value(s, v);
    phi->many[s->from_latch] = next->dst;
    ir_insert_before(header->first, phi);
    ir_insert_end(s->latch, next);
    assert(s->pointers < MOST);
    s->pointers++;
    return phi->dst;
}

/* Reduces a use: an address, or the initial value of a pointer of an inner loop. */
static void
reduce_use(struct state *s, ir_val *use)
{
    ir_val v = *use;
    if (v >= s->n || v == IR_NONE || is_outside(s, v))
        return;
    struct affine a = find_affine(s, v, 0);
    if (a.kind != AFFINE || a.operations < 2 || !has_step(s, &a))
        return;
    if (!s->pointer[v] && s->pointers < MOST)
        s->pointer[v] = pointer_for(s, v, &a);
    if (s->pointer[v])
        *use = s->pointer[v];
}

static bool
has_address(const struct ir_insn *in)
{
    return ir_is_load(in) || ir_is_store(in) ||
           (ir_is_isa(in->op) &&
            ventus_isa_info[in->op].flags & VENTUS_ISA_F_ATOMIC);
}

static void
reduce_block(struct state *s, struct ir_block *b)
{
    ir_foreach_insn (b, in) {
        if (has_address(in))
            reduce_use(s, &in->src[1]);
        for (unsigned i = 0; in->op == IR_PHI && i < in->n_many; i++)
            if (in->many[i] < s->n && s->is_start[in->many[i]] &&
                b != s->loop->header)
                reduce_use(s, &in->many[i]);
    }
}

/* Whether the loop has one edge into it and one back. */
static bool
has_simple_shape(struct state *s)
{
    const struct ir_block *h = s->loop->header;
    s->front = s->latch = NULL;
    for (unsigned i = 0; i < h->preds.n; i++) {
        struct ir_block *p = h->preds.at[i];
        if (!p->reachable)
            continue;
        struct ir_block **to = ir_in_loop(p, s->loop) ? &s->latch : &s->front;
        if (*to)
            return false;
        *to = p;
        *(to == &s->latch ? &s->from_latch : &s->from_front) = i;
    }
    return s->front && s->latch;
}

static void
note_starts(struct state *s)
{
    const struct ir_block *h = s->loop->header;
    for (const struct ir_insn *in = h->first; in && in->op == IR_PHI;
         in = in->next) {
        ir_val v = in->many[s->from_front];
        if (in->dst >= s->n && v < s->f->values.n)
            s->is_start[v] = true;
    }
}

static void
reduce_loop(struct ir_func *f, const struct ir_loop *l, bool *is_start,
            ir_val **at)
{
    struct state s = { .f = f, .loop = l, .at = at, .is_start = is_start };
    if (!has_simple_shape(&s))
        return;
    struct arena scratch = { 0 };
    s.n = f->values.n;
    s.of = arena_new(&scratch, struct affine, s.n);
    s.copy = arena_new(&scratch, ir_val, s.n);
    s.pointer = arena_new(&scratch, ir_val, s.n);
    ir_foreach_rpo (f, b)
        if (ir_in_loop(b, l))
            reduce_block(&s, b);
    note_starts(&s);
    arena_free(&scratch);
}

void
cc_strength(struct cc *c)
{
    assert(c->f->form == IR_FORM_SCALAR);
    struct ir_func *f = c->f;
    ir_analyse(f);
    ir_val **at = arena_new(f->arena, ir_val *, ir_max_sources(f));
    /* a loop makes at most so many values */
    size_t most = f->values.n;
    ir_foreach_rpo (f, b)
        most += b->loop && b->loop->header == b ? MOST * (DEPTH + 8) : 0;
    bool *is_start = arena_new(f->arena, bool, most);
    for (size_t i = f->rpo.n; i-- > 0;) {
        const struct ir_block *b = f->rpo.at[i];
        if (b->loop && b->loop->header == b)
            reduce_loop(f, b->loop, is_start, at);
        assert(f->values.n <= most && "is_start has a bit for each value");
    }
}
