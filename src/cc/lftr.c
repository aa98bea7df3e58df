/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linear-function test replacement, on scalar machine IR after the divergence
 * analysis: the exit test of a loop uses a pointer instead of a counter that has no
 * other use.
 *
 *   before:                         end = p0 + (n - i0) * 16
 *   loop: i = phi i0, i1            loop: p = phi p0, p1
 *         p = phi p0, p1                  ... lw (p)
 *         ... lw (p)                      p1 = p + 16
 *         p1 = p + 16                     bne p1, end, loop
 *         i1 = i + 1
 *         blt i1, n, loop
 *
 * This is correct if every iteration accesses memory at p: then p does not run through
 * the whole address space, and p1 is `end` only when i1 is n.  For `less` the pass
 * must know that i0 is less than n; also for a counter of 32 bits and a pointer
 * of 64, which 2^32 iterations may access.
 */
#include <assert.h>

#include "cc/cc.h"
#include "cc/passes.h"
#include "isa/sem.h"

struct state {
    struct ir_func *f;
    unsigned *uses;
    const struct ir_loop *loop;
    struct ir_block *front, *latch;
    struct ir_block
        *exit; /* whose branch leaves: the latch, or in front of it */
    unsigned from_front, from_latch;
};

/* The counter's phi, its next value, and what that is compared with. */
struct counter {
    struct ir_insn *phi, *next;
    ir_val limit;
};

static bool
is_outside(const struct state *s, ir_val v)
{
    const struct ir_insn *def = ir_value(s->f, v)->def;
    return v == IR_ZERO || (def && !ir_in_loop(def->block, s->loop));
}

/* Whether the loop has one edge into it, and its only exit is at its back edge. */
static bool
has_simple_shape(struct state *s)
{
    const struct ir_block *h = s->loop->header;
    s->front = s->latch = NULL;
    for (unsigned i = 0; i < h->preds.n; i++) {
        struct ir_block *p = h->preds.at[i];
        if (!p->reachable)
            return false;
        struct ir_block **to = ir_in_loop(p, s->loop) ? &s->latch : &s->front;
        if (*to)
            return false;
        *to = p;
        *(to == &s->latch ? &s->from_latch : &s->from_front) = i;
    }
    if (!s->front || !s->latch)
        return false;
    s->exit = s->latch;
    if (s->latch->last->op == IR_JUMP && s->latch->first == s->latch->last &&
        s->latch->preds.n == 1)
        s->exit = s->latch->preds.at[0];
    if (!ir_is_branch(s->exit->last))
        return false;
    ir_foreach_rpo (s->f, b)
        for (unsigned k = 0; k < 2 && ir_in_loop(b, s->loop); k++)
            if (b != s->exit && b->succ[k] && !ir_in_loop(b->succ[k], s->loop))
                return false;
    return true;
}

/* Whether the branch at the end of the loop continues the loop if its condition holds. */
static bool
goes_on(const struct state *s)
{
    return ir_in_loop(s->exit->succ[0], s->loop);
}

/* phi + step, by a value from outside. */
static struct ir_insn *
next_of(const struct state *s, const struct ir_insn *phi, ir_val *step)
{
    struct ir_insn *next = ir_value(s->f, phi->many[s->from_latch])->def;
    if (!next || next->op != VENTUS_ISA_ADD || next->src[1] != phi->dst ||
        !is_outside(s, next->src[2]))
        return NULL;
    *step = next->src[2];
    return next;
}

static bool
find_counter(const struct state *s, struct counter *c)
{
    const struct ir_insn *branch = s->exit->last;
    for (unsigned k = 1; k < 3; k++) {
        c->next = ir_value(s->f, branch->src[k])->def;
        c->limit = branch->src[3 - k];
        if (!c->next || c->next->op != VENTUS_ISA_ADD ||
            !is_outside(s, c->limit) || (branch->pair && c->limit <= IR_ZERO))
            continue;
        c->phi = ir_value(s->f, c->next->src[1])->def;
        ir_val step;
        int32_t x;
        if (c->phi && c->phi->op == IR_PHI &&
            c->phi->block == s->loop->header &&
            next_of(s, c->phi, &step) == c->next &&
            cc_is_constant(s->f, step, &x) && x == 1 &&
            s->uses[c->phi->dst] == 1 && s->uses[c->next->dst] == 2)
            return true;
    }
    return false;
}

/* The branch goes to `yes` only if a < b, by `less`, blt or bltu. */
static bool
implies_less(const struct ir_block *at, const struct ir_block *yes,
             unsigned less, ir_val a, ir_val b)
{
    const struct ir_insn *in = at->last;
    unsigned not_less = ir_related(less, VENTUS_ISA_INVERSE_OF);
    if (!ir_is_branch(in) || at->succ[0] == at->succ[1] || in->src[1] != a ||
        in->src[2] != b)
        return false;
    return (in->op == less && at->succ[0] == yes) ||
           (in->op == not_less && at->succ[1] == yes);
}

/* The loop is only entered if its counter begins below the limit. */
static bool
is_guarded(const struct state *s, unsigned less, const struct counter *c)
{
    ir_val first = c->phi->many[s->from_front];
    int32_t x, y;
    if (cc_is_constant(s->f, first, &x) && cc_is_constant(s->f, c->limit, &y))
        return (less == VENTUS_ISA_BLT ? sem_slt_32 : sem_sltu_32)((uint32_t)x,
                                                                   (uint32_t)y);
    const struct ir_block *b = s->loop->header, *p = s->front;
    for (unsigned n = 0; n < 8 && p; n++) {
        if (implies_less(p, b, less, first, c->limit))
            return true;
        b = p;
        p = b->preds.n == 1 ? b->preds.at[0] : NULL;
    }
    return false;
}

/* Whether the loop continues until the counter is the limit. */
static bool
counts_up_to_limit(const struct state *s, const struct counter *c)
{
    const struct ir_insn *branch = s->exit->last;
    bool on = goes_on(s), swapped;
    swapped = branch->src[2] == c->next->dst;
    switch (branch->op) {
    case VENTUS_ISA_BNE:
        return on;
    case VENTUS_ISA_BEQ:
        return !on;
    case VENTUS_ISA_BLT:
    case VENTUS_ISA_BLTU:
        return on && !swapped && is_guarded(s, branch->op, c);
    case VENTUS_ISA_BGE:
    case VENTUS_ISA_BGEU:
        return !on && !swapped &&
               is_guarded(s, ir_related(branch->op, VENTUS_ISA_INVERSE_OF), c);
    }
    return false;
}

/* Memory at p is accessed in every round. */
static bool
is_accessed(const struct state *s, ir_val p)
{
    ir_foreach_rpo (s->f, b) {
        if (!ir_in_loop(b, s->loop) || !ir_dominates(b, s->exit))
            continue;
        ir_foreach_insn (b, in)
            if ((ir_is_load(in) || ir_is_store(in)) && in->src[1] == p &&
                in->space != IR_SPACE_PRIVATE)
                return true;
    }
    return false;
}

static bool
is_wide(const struct state *s, ir_val v)
{
    return v > IR_ZERO && ir_value(s->f, v)->words == 2;
}

static ir_val
insert_before_loop(struct state *s, unsigned op, ir_val a, ir_val b)
{
    struct ir_insn *in = ir_insn_new(s->f, op);
    in->src[1] = a;
    in->src[2] = b;
    ir_place_like(in, s->exit->last);
    bool wide = op == IR_ZEXT || (op != IR_LO && is_wide(s, a));
    in->pair = wide || op == IR_LO;
    ir_set_dst(s->f, in, ir_value_new(s->f, IR_S, wide ? 2 : 1));
    ir_value(s->f, in->dst)->divergent =
        ir_value(s->f, a)->divergent || ir_value(s->f, b)->divergent;
    ir_insert_end(s->front, in);
    return in->dst;
}

/* n - i0, of as many bits as the pointer has. */
static ir_val
count_of(struct state *s, const struct counter *c, ir_val base)
{
    ir_val first = c->phi->many[s->from_front], n = c->limit;
    if (!cc_is_zero(s->f, first))
        n = insert_before_loop(s, VENTUS_ISA_SUB, n, first);
    if (is_wide(s, base) && !is_wide(s, n))
        return insert_before_loop(s, IR_ZEXT, n, IR_NONE);
    if (!is_wide(s, base) && is_wide(s, n))
        return insert_before_loop(s, IR_LO, n, IR_NONE);
    return n;
}

/* base + (n - i0) * step; a power of two by a shift. */
static ir_val
end_of(struct state *s, const struct counter *c, ir_val base, ir_val step)
{
    int32_t x;
    ir_val n = count_of(s, c, base);
    cc_is_constant(s->f, step, &x);
    assert(x > 0 && "replace_test() takes no others");
    if (x & (x - 1))
        return insert_before_loop(
            s, VENTUS_ISA_ADD, insert_before_loop(s, VENTUS_ISA_MUL, n, step),
            base); /* of 32 bits */
    struct ir_insn *by = ir_insn_new(s->f, IR_CONST);
    by->imm = __builtin_ctz((unsigned)x);
    ir_insert_end(s->front, by);
    ir_set_dst(s->f, by, ir_value_new(s->f, IR_S, 1));
    return insert_before_loop(s, VENTUS_ISA_ADD,
                              insert_before_loop(s, VENTUS_ISA_SLL, n, by->dst),
                              base);
}

/* A pointer of 64 bits that is raised by x: there is no product of pairs, and
 * a counter of 32 bits must not begin at its limit. */
static bool
may_count(const struct state *s, const struct counter *c, ir_val pointer,
          int32_t x)
{
    unsigned op = s->exit->last->op;
    bool less = op != VENTUS_ISA_BNE && op != VENTUS_ISA_BEQ;
    return !is_wide(s, pointer) ||
           ((x & (x - 1)) == 0 && (less || is_wide(s, c->limit)));
}

static void
replace_test(struct state *s, const struct counter *c)
{
    struct ir_func *f = s->f;
    bool divides = ir_value(f, c->next->dst)->divergent ||
                   ir_value(f, c->limit)->divergent;
    for (struct ir_insn *phi = s->loop->header->first; phi && phi->op == IR_PHI;
         phi = phi->next) {
        ir_val step;
        int32_t x;
        struct ir_insn *next = next_of(s, phi, &step);
        if (phi == c->phi || !next || !cc_is_constant(s->f, step, &x) ||
            x <= 0 || (ir_value(f, phi->dst)->divergent && !divides) ||
            !is_accessed(s, phi->dst) || !may_count(s, c, phi->dst, x))
            continue;
        ir_val end = end_of(s, c, phi->many[s->from_front], step);
        struct ir_insn *branch = s->exit->last;
        assert(ir_is_branch(branch) && !ir_is_vbranch(branch));
        branch->op = goes_on(s) ? VENTUS_ISA_BNE : VENTUS_ISA_BEQ;
        branch->pair = is_wide(s, next->dst);
        branch->src[1] = next->dst;
        branch->src[2] = end;
        return;
    }
}

void
cc_lftr(struct cc *c)
{
    assert(c->f->form == IR_FORM_SCALAR);
    struct ir_func *f = c->f;
    ir_analyse(f);
    struct state s = { .f = f };
    ir_val **at = arena_new(f->arena, ir_val *, ir_max_sources(f));
    s.uses = arena_new(f->arena, unsigned, f->values.n);
    ir_foreach_rpo (f, b)
        ir_foreach_insn (b, in)
            for (unsigned i = ir_sources(in, at); i-- > 0;)
                s.uses[*at[i]]++;
    ir_foreach_rpo (f, b) {
        struct counter counter;
        s.loop = b->loop;
        if (b->loop && b->loop->header == b && has_simple_shape(&s) &&
            find_counter(&s, &counter) && counts_up_to_limit(&s, &counter))
            replace_test(&s, &counter);
    }
}
