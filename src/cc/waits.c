/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the loops in which a work-item waits for another.
 *
 * What an atomic, a volatile load, a load beside a fence or a call gives in a loop
 * is followed through the instructions of the loop, through its branches to the
 * phis where their sides meet, and through private memory as a whole.  The loop waits
 * if that reaches the condition of one of its exits, or a branch that decides whether
 * the exit is come to.
 *
 * Some loops that this holds for wait for no other work-item:
 *   - those that only functions of sub-groups decide about (ir_insn.is_exchange);
 *   - lr, sc, again if sc failed: some lane's sc succeeds;
 *   - the loop of an atomic of 64 bits, whose lock is given back inside, and that of a
 *     printf, whose record is completed inside;
 *   - compare-and-exchange, again if another work-item was faster: what is
 *     compared with is what was read, so that some work-item makes progress.
 *
 * Addresses are compared by what they are computed from.  Symbols are apart from each
 * other and from arguments; two pointers to global memory that are arguments may be the
 * same one; of any other value nothing is known.  Indices are left out.
 */
#include "cc/waits.h"

#include <assert.h>
#include <string.h>

#include "cc/regions.h"
#include "obj/kernels.h"

struct finder {
    struct waits w;
    struct arena *arena;
    ir_val **at;
    unsigned *seen; /* by value: the last walk that came there */
    unsigned walk;
    const struct waits_access **of; /* by value: the access that gives it */
    bool *follows;                  /* by value: from a read of the loop */
    bool *meets;                    /* by block: its phis follow from a read */
    bool *decided;                  /* by block: whether it runs does */
    bool waits;    /* and so does whether there is another round */
    bool in_stack; /* and so does what private memory holds */
    struct region region;
};

/* ---- accesses ---- */

static bool
is_atomic(const struct ir_insn *in)
{
    return ir_is_isa(in->op) &&
           ventus_isa_info[in->op].flags & VENTUS_ISA_F_ATOMIC;
}

/* Values between the lanes of a sub-group are left out: the lanes that come to its functions
 * together write and read them at once, and none waits for another. */
static bool
is_shared(const struct ir_insn *in)
{
    return ir_has_address(in) && !in->is_exchange &&
           (in->space == IR_SPACE_GLOBAL || in->space == IR_SPACE_LOCAL);
}

bool
waits_is_barrier(const struct ir_insn *in)
{
    return in->op == VENTUS_ISA_BARRIER || in->op == VENTUS_ISA_BARRIERSUB;
}

/* A function in which work-items may wait or end the wait of others. */
static bool
may_wait(const struct ir_func *f)
{
    bool may = f->is_external;
    for (size_t i = 0; i < f->callees.n; i++)
        may |= may_wait(f->callees.at[i]);
    ir_foreach_block (f, b)
        ir_foreach_insn (b, in)
            may |= is_shared(in) && (is_atomic(in) || in->is_volatile);
    return may;
}

/* An argument of a kernel, or what the runtime passes beside these. */
static bool
is_argument(const struct ir_insn *in)
{
    return in && ir_is_load(in) && in->space == IR_SPACE_CONST;
}

/* A number of a work-item, or the remainder or quotient of one. */
static bool
is_index(const struct ir_insn *in)
{
    switch (in ? in->op : IR_OP_COUNT) {
    case VENTUS_ISA_CSRRS:
    case VENTUS_ISA_VID_V:
    case VENTUS_ISA_DIV:
    case VENTUS_ISA_DIVU:
    case VENTUS_ISA_REM:
    case VENTUS_ISA_REMU:
        return true;
    }
    return false;
}

/* Finds the values that the address v is computed from. */
static void
find_roots(struct finder *s, struct waits_access *a, ir_val v)
{
    const struct ir_insn *def = ir_value(s->w.f, v)->def;
    assert(s->walk && "else all values were seen");
    if (v <= IR_ZERO || s->seen[v] == s->walk)
        return;
    s->seen[v] = s->walk;
    switch (def ? def->op : IR_OP_COUNT) {
    case IR_CONST:
    case VENTUS_ISA_SLL:
    case VENTUS_ISA_SLLI:
    case VENTUS_ISA_MUL:
        return;
    case IR_COPY:
    case IR_PAIR:
    case IR_LO:
    case IR_HI:
    case IR_SEXT:
    case IR_ZEXT:
    case IR_UNIFORM:
    case VENTUS_ISA_ADD:
    case VENTUS_ISA_ADDI:
    case VENTUS_ISA_SUB:
    case VENTUS_ISA_AND:
    case VENTUS_ISA_ANDI:
    case VENTUS_ISA_OR:
    case VENTUS_ISA_ORI:
        find_roots(s, a, def->src[1]);
        find_roots(s, a, def->src[2]);
        return;
    case IR_SELECT:
        find_roots(s, a, def->src[2]);
        find_roots(s, a, def->src[3]);
        return;
    case IR_PHI:
        for (unsigned i = 0; i < def->n_many; i++)
            find_roots(s, a, def->many[i]);
        return;
    }
    if (is_index(def))
        return;
    bool fits = a->n_roots < WAITS_ROOTS;
    if (fits)
        a->root[a->n_roots++] = v;
    a->anywhere |= !fits || !def || (def->op != IR_SYMBOL && !is_argument(def));
}

/* The address of the print buffer, which the runtime passes. */
static bool
is_print_buffer(const struct ir_func *f, const struct ir_insn *in)
{
    enum { CSR_KNL = 0x803 };
    const struct ir_insn *base = is_argument(in) && in->imm == KERNELS_PRINT_AT
                                     ? ir_value(f, in->src[1])->def
                                     : NULL;
    return base && base->op == VENTUS_ISA_CSRRS && base->aux == CSR_KNL;
}

/* Whether the access is to a lock of the compiler's own, taken and released inside of
 * a loop: that of the 64-bit atomics, or room in the print buffer (lib/print.cl). */
static bool
is_own_lock(const struct finder *s, const struct waits_access *a)
{
    for (unsigned i = 0; i < a->n_roots; i++) {
        const struct ir_insn *def = ir_value(s->w.f, a->root[i])->def;
        if ((def && def->op == IR_SYMBOL &&
             strcmp(def->symbol, KERNELS_LOCKS) == 0) ||
            is_print_buffer(s->w.f, def))
            return true;
    }
    return false;
}

static void
add_access(struct finder *s, struct ir_insn *in)
{
    struct waits_access a = { .in = in, .space = in->space };
    if (in->op == IR_CALL) {
        a.anywhere = a.reads = a.writes = true;
        if (!in->callee || may_wait(in->callee))
            vec_push(s->arena, &s->w.accesses, a);
        return;
    }
    if (!is_shared(in))
        return;
    assert(in->src[1] && "an access without an address");
    s->walk++;
    find_roots(s, &a, in->src[1]);
    a.anywhere |= !a.n_roots;
    a.plain = !is_atomic(in) && !in->is_volatile;
    a.writes = ir_is_store(in) || (is_atomic(in) && in->op != VENTUS_ISA_LR_W);
    a.reads = in->dst && in->op != VENTUS_ISA_SC_W;
    if (!is_own_lock(s, &a))
        vec_push(s->arena, &s->w.accesses, a);
}

static bool
same_root(const struct ir_func *f, ir_val a, ir_val b)
{
    const struct ir_insn *x = ir_value(f, a)->def, *y = ir_value(f, b)->def;
    if (a == b || !x || !y || x->op != y->op)
        return a == b;
    if (x->op == IR_SYMBOL)
        return strcmp(x->symbol, y->symbol) == 0;
    return is_argument(x) && is_argument(y) && x->src[1] == y->src[1] &&
           x->imm == y->imm;
}

static bool
share_root(const struct ir_func *f, const struct waits_access *a,
           const struct waits_access *b)
{
    for (unsigned i = 0; i < a->n_roots; i++)
        for (unsigned k = 0; k < b->n_roots; k++)
            if (same_root(f, a->root[i], b->root[k]))
                return true;
    return false;
}

static bool
has_argument(const struct ir_func *f, const struct waits_access *a)
{
    for (unsigned i = 0; i < a->n_roots; i++)
        if (is_argument(ir_value(f, a->root[i])->def))
            return true;
    return false;
}

static bool
may_be_same(const struct ir_func *f, const struct waits_access *a,
            const struct waits_access *b)
{
    if (a->in->op == IR_CALL || b->in->op == IR_CALL)
        return true;
    if (a->space != b->space)
        return false;
    bool unknown = a->anywhere || b->anywhere ||
                   (a->space == IR_SPACE_GLOBAL && has_argument(f, a) &&
                    has_argument(f, b));
    return share_root(f, a, b) || (unknown && !a->plain && !b->plain);
}

bool
waits_is_ended_by(const struct waits *w, const struct waits_loop *l,
                  const struct waits_access *by)
{
    for (size_t i = 0; by->writes && i < l->reads.n; i++)
        if (may_be_same(w->f, l->reads.at[i], by))
            return true;
    return false;
}

/* ---- loops that wait for no other work-item ---- */

static bool
is_failed_sc(const struct ir_func *f, ir_val v)
{
    const struct ir_insn *def = ir_value(f, v)->def;
    return def && def->op == VENTUS_ISA_SC_W;
}

/* lr, sc, and again only if sc failed. */
static bool
repeats_sc(const struct ir_func *f, const struct ir_loop *l)
{
    const struct ir_block *h = l->header;
    for (size_t i = 0; i < h->preds.n; i++) {
        const struct ir_block *p = h->preds.at[i];
        if (p->reachable && ir_in_loop(p, l) &&
            (!ir_is_branch(p->last) || !is_failed_sc(f, p->last->src[1])))
            return false;
    }
    return true;
}

/* v is, whenever l comes to its start again, what l has read. */
static bool
is_read_in(struct finder *s, const struct ir_loop *l, ir_val v)
{
    struct ir_insn *def = ir_value(s->w.f, v)->def;
    if (!def || !ir_in_loop(def->block, l))
        return false;
    if (s->seen[v] == s->walk)
        return true;
    s->seen[v] = s->walk;
    switch (def->op) {
    case IR_COPY:
    case IR_LO:
    case IR_HI:
        return is_read_in(s, l, def->src[1]);
    case IR_PAIR:
        return is_read_in(s, l, def->src[1]) && is_read_in(s, l, def->src[2]);
    case IR_PHI:
        for (unsigned i = 0; i < def->n_many; i++)
            if ((def->block != l->header ||
                 ir_in_loop(def->block->preds.at[i], l)) &&
                !is_read_in(s, l, def->many[i]))
                return false;
        return true;
    }
    return s->of[v] && s->of[v]->reads;
}

/* v is what lr read for an sc of the loop. */
static bool
is_exchanged(const struct ir_func *f, const struct ir_loop *l, ir_val v)
{
    const struct ir_insn *def = ir_value(f, v)->def;
    if (def && (def->op == IR_COPY || def->op == IR_LO || def->op == IR_HI))
        return is_exchanged(f, l, def->src[1]);
    if (!def || def->op != VENTUS_ISA_LR_W)
        return false;
    ir_foreach_rpo (f, b)
        ir_foreach_insn (b, in)
            if (in->op == VENTUS_ISA_SC_W && in->src[1] == def->src[1] &&
                ir_in_loop(b, l))
                return true;
    return false;
}

/* Equal to what was expected, or not: a compare-and-exchange that another
 * work-item's made fail, and no lock. */
static bool
is_retry(struct finder *s, const struct ir_loop *l,
         const struct ir_insn *branch)
{
    const struct ir_insn *in = branch;
    const struct ir_insn *c = ir_value(s->w.f, in->src[1])->def;
    if (in->op != VENTUS_ISA_BEQ && in->op != VENTUS_ISA_BNE)
        return false;
    if (in->src[2] == IR_ZERO && c && (c->op == IR_SEQ || c->op == IR_SNE))
        in = c;
    for (unsigned i = 1; i <= 2; i++) {
        s->walk++;
        if (is_exchanged(s->w.f, l, in->src[i]) &&
            is_read_in(s, l, in->src[3 - i]))
            return true;
    }
    return false;
}

/* ---- what follows from the reads of a loop ---- */

static bool
set_mark(bool *at, bool *changed)
{
    *changed |= !*at;
    return *at = true;
}

/* The sides of the branch at the end of b, and where they meet.  One of them is
 * another round: then the loop waits. */
static void
follow_branch(struct finder *s, const struct ir_loop *l, struct ir_block *b,
              bool *changed)
{
    struct region *r = &s->region;
    assert(ir_in_loop(b, l));
    region_find(r, b);
    for (unsigned k = 0; k < 2; k++)
        for (size_t i = 0; i < r->n[k]; i++) {
            struct ir_block *x = r->side[k][i];
            if (!ir_in_loop(x, l))
                continue;
            set_mark(&s->decided[x->id], changed);
            if (region_has(r, 1 - k, x))
                set_mark(&s->meets[x->id], changed);
        }
    if (r->meet && ir_in_loop(r->meet, l))
        set_mark(&s->meets[r->meet->id], changed);
    s->waits |= region_has(r, 0, l->header) || region_has(r, 1, l->header);
}

static void
follow_insn(struct finder *s, const struct ir_loop *l, struct ir_insn *in,
            bool *changed)
{
    bool is_private = ir_has_address(in) && in->space == IR_SPACE_PRIVATE;
    bool now = in->op == IR_PHI && s->meets[in->block->id];
    if (is_private && ir_is_load(in))
        now |= s->in_stack;
    if (is_private && ir_is_store(in))
        now |= s->decided[in->block->id];
    for (unsigned i = ir_sources(in, s->at); i-- > 0;)
        now |= s->follows[*s->at[i]];
    if (!now || in->op == VENTUS_ISA_SC_W)
        return;
    if (is_private && ir_is_store(in))
        set_mark(&s->in_stack, changed);
    if (ir_is_branch(in) && !is_retry(s, l, in))
        follow_branch(s, l, in->block, changed);
    for (unsigned i = ir_defs(in, s->at); i-- > 0;)
        set_mark(&s->follows[*s->at[i]], changed);
}

static bool
leaves_loop(const struct ir_block *b, const struct ir_loop *l)
{
    return ir_in_loop(b, l) && ir_is_branch(b->last) &&
           (!ir_in_loop(b->succ[0], l) || !ir_in_loop(b->succ[1], l));
}

static bool
has_atomic_at(const struct finder *s, const struct ir_loop *l,
              const struct waits_access *a)
{
    for (size_t i = 0; i < s->w.accesses.n; i++) {
        const struct waits_access *b = &s->w.accesses.at[i];
        if (!b->plain && ir_in_loop(b->in->block, l) && b->space == a->space &&
            share_root(s->w.f, a, b))
            return true;
    }
    return false;
}

/* The reads of l that may see what another work-item has just written. */
static void
find_reads(struct finder *s, const struct ir_loop *l, struct waits_loop *to)
{
    bool fenced = false;
    ir_foreach_rpo (s->w.f, b)
        ir_foreach_insn (b, in)
            fenced |= in->op == VENTUS_ISA_FENCE && ir_in_loop(b, l);
    for (size_t i = 0; i < s->w.accesses.n; i++) {
        const struct waits_access *a = &s->w.accesses.at[i];
        if (!a->reads || !ir_in_loop(a->in->block, l) ||
            (a->plain && !fenced && !has_atomic_at(s, l, a)))
            continue;
        vec_push(s->arena, &to->reads, a);
        for (unsigned k = ir_defs(a->in, s->at); k-- > 0;)
            s->follows[*s->at[k]] = true;
    }
}

static bool
has_barrier(const struct ir_func *f, const struct ir_loop *l)
{
    ir_foreach_rpo (f, b)
        ir_foreach_insn (b, in)
            if (waits_is_barrier(in) && ir_in_loop(b, l))
                return true;
    return false;
}

static void
look_at_loop(struct finder *s, const struct ir_loop *l)
{
    struct ir_func *f = s->w.f;
    struct waits_loop x = { .loop = l };
    if (repeats_sc(f, l) || has_barrier(f, l))
        return;
    memset(s->follows, 0, f->values.n * sizeof *s->follows);
    memset(s->meets, 0, f->blocks.n * sizeof *s->meets);
    memset(s->decided, 0, f->blocks.n * sizeof *s->decided);
    s->waits = s->in_stack = false;
    find_reads(s, l, &x);
    for (bool changed = x.reads.n; changed;) {
        changed = false;
        ir_foreach_rpo (f, b)
            if (ir_in_loop(b, l))
                ir_foreach_insn (b, in)
                    follow_insn(s, l, in, &changed);
    }
    ir_foreach_rpo (f, b)
        s->waits |= leaves_loop(b, l) && s->decided[b->id];
    if (s->waits)
        vec_push(s->arena, &s->w.loops, x);
}

/* ---- functions ---- */

static bool
may_have_waits(struct ir_func *f)
{
    ir_foreach_rpo (f, b)
        ir_foreach_insn (b, in)
            if (b->loop &&
                (in->op == IR_CALL || in->op == VENTUS_ISA_FENCE ||
                 (is_shared(in) && (is_atomic(in) || in->is_volatile))))
                return true;
    return false;
}

struct waits
waits_find(struct ir_func *f)
{
    struct finder s = { .w = { .f = f }, .arena = f->arena };
    if (!may_have_waits(f))
        return s.w;
    s.at = arena_new(f->arena, ir_val *, ir_max_sources(f));
    s.seen = arena_new(f->arena, unsigned, f->values.n);
    s.of = arena_new(f->arena, const struct waits_access *, f->values.n);
    s.follows = arena_new(f->arena, bool, f->values.n);
    s.meets = arena_new(f->arena, bool, f->blocks.n);
    s.decided = arena_new(f->arena, bool, f->blocks.n);
    s.region = region_begin(f->arena, f);
    assert(f->form == IR_FORM_SCALAR && f->rpo.n && "analysed");
    ir_foreach_rpo (f, b)
        ir_foreach_insn (b, in)
            add_access(&s, in);
    for (size_t i = 0; i < s.w.accesses.n; i++)
        if (s.w.accesses.at[i].in->dst)
            s.of[s.w.accesses.at[i].in->dst] = &s.w.accesses.at[i];
    ir_foreach_rpo (f, b)
        if (b->loop && b->loop->header == b)
            look_at_loop(&s, b->loop);
    return s.w;
}
