/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vector machine IR: the order of instructions inside a block.
 *
 * List scheduling from the top.  Of the ready instructions the one with the longest
 * critical path to the end of the block is next, in cycles of the default machine, so
 * that loads start early.  While more than ROOM registers of a class are live, an
 * instruction that frees registers has priority: registers above 31 cost a prefix word
 * for each use.  A class with few free registers counts far more than the other.
 *
 * The definition of a mask for one vmerge is placed right before it, so that the mask
 * can be in v0; vmerges with the same mask are adjacent.  An instruction that
 * overwrites its accumulator follows the other readers of it, and the increment of a
 * loop counter follows the other readers of the counter, so that both share a
 * register.
 *
 * The pass keeps the order of calls with all other instructions; of stores with
 * accesses that may alias, in each address space; of all accesses with atomics,
 * barriers and fences; and of instructions that are not pure.
 */
#include <assert.h>
#include <string.h>

#include "cc/cc.h"
#include "cc/debuginfo/order.h"
#include "cc/live.h"
#include "cc/passes.h"
#include "cc/sched.h"

enum {
    ROOM = 13,
    SPACES = 4,
    NODES_MIN = 3,
    SOURCES = 5,
    FULL_S = 40,
    FULL_V = 200
};

struct node {
    struct ir_insn *in;
    ir_val source[SOURCES]; /* phis, which have more, are not scheduled */
    unsigned n_sources;
    unsigned waits;     /* for so many others */
    unsigned height;    /* cycles to the end of the block */
    unsigned then;      /* 1 + the node that comes right after it */
    vec(unsigned) next; /* instructions that wait for it */
};

/* A list of the nodes that read a value. */
struct reader {
    unsigned node, before; /* before: 1 + index of the reader before, or 0 */
};

struct state {
    struct ir_func *f;
    struct arena *arena;
    struct node *node;
    unsigned n;
    unsigned *left;   /* by value: uses that are not scheduled yet */
    unsigned *of;     /* by value: 1 + the node that defines it */
    unsigned *reader; /* by value: 1 + the last reader, an index */
    vec(struct reader) readers;
    const unsigned *uses; /* by value: in the whole function */
    unsigned next;        /* 1 + the node that must go next */
    ir_val mask;          /* the last one used: likely in v0 */
    unsigned live[2];     /* words, by class */
    ir_val **at;
    /* The accesses so far, by space: 1 + node of the last store, loads since. */
    unsigned store[SPACES];
    vec(unsigned) loads[SPACES];
    unsigned order; /* 1 + the last node that orders all others */
};

static unsigned
latency(const struct ir_insn *in)
{
    if (!ir_is_isa(in->op))
        return 1;
    return ventus_isa_latency[ventus_isa_info[in->op].lat].cycles;
}

static void
edge(struct state *s, unsigned from, unsigned to)
{
    if (from == to)
        return;
    assert(from < s->n && to < s->n);
    vec_push(s->arena, &s->node[from].next, to);
    s->node[to].waits++;
}

bool
cc_orders_memory(const struct ir_insn *in)
{
    return in->is_volatile ||
           (!ir_is_pure(in) && !ir_is_load(in) && !ir_is_store(in)) ||
           ir_flags(in->op) & VENTUS_ISA_F_READLANE;
}

static void
add_memory(struct state *s, unsigned i)
{
    struct ir_insn *in = s->node[i].in;
    bool all = cc_orders_memory(in), memory = ir_is_load(in) || ir_is_store(in);
    if (!all && (!memory || (ir_is_load(in) && in->space == IR_SPACE_CONST)))
        return;
    if (s->order)
        edge(s, s->order - 1, i);
    for (unsigned space = 0; space < SPACES; space++) {
        if (!all && space != in->space)
            continue;
        if (s->store[space])
            edge(s, s->store[space] - 1, i);
        if (ir_is_load(in) && !all) {
            vec_push(s->arena, &s->loads[space], i);
            continue;
        }
        for (size_t k = 0; k < s->loads[space].n; k++)
            edge(s, s->loads[space].at[k], i);
        s->loads[space].n = 0;
        s->store[space] = all ? 0 : i + 1;
    }
    if (all)
        s->order = i + 1;
}

/* The phi of which node i makes the next value, IR_NONE if of none. */
static ir_val
raises(struct state *s, const struct ir_insn *in)
{
    const struct ir_block *to = in->block->succ[0], *other = in->block->succ[1];
    if (!in->dst ||
        (in->op != VENTUS_ISA_ADDI && in->op != VENTUS_ISA_ADD &&
         in->op != VENTUS_ISA_VADD_VI && in->op != VENTUS_ISA_VADD_VX &&
         in->op != VENTUS_ISA_VADD12_VI && in->op != VENTUS_ISA_VSUB12_VI &&
         in->op != VENTUS_ISA_VADD_VV))
        return IR_NONE;
    for (unsigned k = 1; k < 3; k++) {
        const struct ir_insn *phi = ir_value(s->f, in->src[k])->def;
        if (!in->src[k] || !phi || phi->op != IR_PHI ||
            (phi->block != to && phi->block != other &&
             (!to || phi->block != to->succ[0])))
            continue;
        for (unsigned i = 0; i < phi->n_many; i++)
            if (phi->many[i] == in->dst)
                return in->src[k];
    }
    return IR_NONE;
}

/* Adds edges from the nodes that read what node i overwrites, if they came before it. */
static void
follow_readers(struct state *s, unsigned i)
{
    ir_val v = s->node[i].in->src[0];
    if (!v)
        v = raises(s, s->node[i].in);
    for (unsigned r = v ? s->reader[v] : 0; r; r = s->readers.at[r - 1].before)
        if (s->readers.at[r - 1].node != i)
            edge(s, s->readers.at[r - 1].node, i);
}

/*
 * The mask that only node i uses waits for the other operands of i.  These
 * edges may point backwards; because nothing else follows what makes the
 * mask, they close no circle.
 */
static void
delay_mask(struct state *s, unsigned i)
{
    struct ir_insn *in = s->node[i].in;
    if (!in->mask || s->uses[in->mask] != 1 || !s->of[in->mask])
        return;
    unsigned make = s->of[in->mask] - 1;
    if (s->node[make].next.n != 1)
        return;
    for (unsigned slot = 0; slot < 4; slot++)
        if (in->src[slot] && s->of[in->src[slot]] &&
            s->of[in->src[slot]] - 1 != make)
            edge(s, s->of[in->src[slot]] - 1, make);
    assert(make < i && !s->node[make].then);
    s->node[make].then = i + 1;
}

/* From the end, over edges to later nodes; delayed masks point backwards. */
static unsigned
height(struct state *s, unsigned i)
{
    struct node *n = &s->node[i];
    if (n->height)
        return n->height;
    unsigned most = 0;
    for (size_t k = 0; k < n->next.n; k++) {
        unsigned h = height(s, n->next.at[k]);
        if (h > most)
            most = h;
    }
    assert(!n->height && "else the edges close a circle");
    n->height = most + latency(n->in);
    return n->height;
}

static void
build(struct state *s, struct ir_insn *first, struct ir_insn *end)
{
    unsigned i = 0;
    for (struct ir_insn *in = first; in != end; in = in->next, i++) {
        struct node *n = &s->node[i];
        n->in = in;
        n->n_sources = ir_sources(in, s->at);
        assert(n->n_sources <= SOURCES && in->op != IR_PHI);
        for (unsigned k = n->n_sources; k-- > 0;) {
            ir_val v = n->source[k] = *s->at[k];
            if (s->of[v])
                edge(s, s->of[v] - 1, i);
            struct reader r = { i, s->reader[v] };
            vec_push(s->arena, &s->readers, r);
            s->reader[v] = (unsigned)s->readers.n;
        }
        for (unsigned k = ir_defs(in, s->at); k-- > 0;)
            s->of[*s->at[k]] = i + 1;
        add_memory(s, i);
        follow_readers(s, i);
    }
    for (unsigned k = 0; k < i; k++)
        delay_mask(s, k);
    while (i-- > 0)
        height(s, i);
}

/* Words that become live by the node, less those that die, of a class. */
static int
growth(struct state *s, const struct node *n, enum ir_class cls)
{
    int g = 0;
    for (unsigned k = ir_defs(n->in, s->at); k-- > 0;)
        if (ir_value(s->f, *s->at[k])->cls == cls)
            g += ir_value(s->f, *s->at[k])->words;
    for (unsigned k = n->n_sources; k-- > 0;) {
        ir_val v = n->source[k];
        if (v > IR_ZERO && s->left[v] == 1 && ir_value(s->f, v)->cls == cls)
            g -= ir_value(s->f, v)->words;
    }
    return g;
}

static unsigned
choose(struct state *s, const unsigned *ready, unsigned n)
{
    unsigned best = 0;
    int best_growth = 0;
    bool tight[2] = { s->live[IR_S] > ROOM, s->live[IR_V] > ROOM };
    bool full[2] = { s->live[IR_S] > FULL_S, s->live[IR_V] > FULL_V };
    for (unsigned i = 0; i < n; i++)
        if (s->next == ready[i] + 1)
            return i;
    for (unsigned i = 0; i < n; i++)
        if (s->mask && s->node[ready[i]].in->mask == s->mask)
            return i;
    for (unsigned i = 0; i < n; i++) {
        const struct node *x = &s->node[ready[i]];
        const struct node *y = &s->node[ready[best]];
        int g = 0;
        for (unsigned cls = 0; cls < 2; cls++)
            if (tight[cls])
                g += growth(s, x, (enum ir_class)cls) * (full[cls] ? 8 : 1);
        if (i == 0 || g < best_growth ||
            (g == best_growth &&
             (x->height > y->height ||
              (x->height == y->height && ready[i] < ready[best])))) {
            best = i;
            best_growth = g;
        }
    }
    return best;
}

static void
account(struct state *s, const struct node *n)
{
    for (unsigned cls = 0; cls < 2; cls++) {
        int live = (int)s->live[cls] + growth(s, n, (enum ir_class)cls);
        s->live[cls] = live < 0 ? 0 : (unsigned)live;
    }
    for (unsigned k = n->n_sources; k-- > 0;)
        if (s->left[n->source[k]])
            s->left[n->source[k]]--;
}

static void
schedule(struct state *s, struct ir_insn *first, struct ir_insn *end)
{
    unsigned *ready = arena_new(s->arena, unsigned, s->n), n = 0;
    build(s, first, end);
    for (unsigned i = 0; i < s->n; i++)
        if (!s->node[i].waits)
            ready[n++] = i;
    unsigned done = 0;
    while (n) {
        unsigned pick = choose(s, ready, n);
        done++;
        struct node *x = &s->node[ready[pick]];
        ready[pick] = ready[--n];
        assert(!x->waits);
        account(s, x);
        s->next = x->then;
        if (x->in->mask)
            s->mask = x->in->mask;
        ir_remove(x->in);
        ir_insert_before(end, x->in);
        for (size_t k = 0; k < x->next.n; k++)
            if (--s->node[x->next.at[k]].waits == 0)
                ready[n++] = x->next.at[k];
    }
    assert(done == s->n && "else a circle of edges has kept some out");
}

/* The first instruction that may move: after phis and those that must be at the entry. */
static struct ir_insn *
first_of(struct ir_block *b)
{
    struct ir_insn *in = b->first;
    while (in &&
           (in->op == IR_PHI || in->op == IR_UNDEF || in->op == IR_ENTER ||
            (in->op == IR_COPY && in->prev && in->prev->op == IR_UNDEF)))
        in = in->next;
    return in;
}

/* Words of both classes that are live where the block begins. */
static void
count_live(struct state *s, const struct live_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct ir_value *x = ir_value(s->f, list->at[i]);
        s->live[x->cls] += x->words;
    }
}

/* The arrays by value are as they were before the block again. */
static void
forget_block(struct state *s)
{
    for (unsigned i = 0; i < s->n; i++) {
        const struct node *n = &s->node[i];
        for (unsigned k = 0; k < n->n_sources; k++) {
            s->left[n->source[k]] = s->uses[n->source[k]];
            s->reader[n->source[k]] = 0;
        }
        for (unsigned k = ir_defs(n->in, s->at); k-- > 0;)
            s->of[*s->at[k]] = 0;
    }
}

/* From `first` up to `end`, another instruction of the block. */
static void
schedule_part(const struct state *common, struct ir_insn *first,
              struct ir_insn *end, const struct live_list *live)
{
    struct arena scratch = { 0 };
    struct state s = *common;
    s.arena = &scratch;
    assert(!first || first->block == end->block);
    for (struct ir_insn *in = first; in && in != end; in = in->next)
        s.n++;
    if (s.n >= NODES_MIN) {
        s.node = arena_new(&scratch, struct node, s.n);
        count_live(&s, live);
        struct debug_order debug;
        debug_take(&debug, &scratch, first, end);
        schedule(&s, first, end);
        debug_put_back(&debug, s.f, end);
        forget_block(&s);
    }
    arena_free(&scratch);
}

/* In parts between calls, which nothing passes. */
static void
schedule_block(const struct state *common, struct ir_block *b,
               const struct live *live)
{
    struct ir_insn *first = first_of(b);
    for (struct ir_insn *in = first, *next; in; in = next) {
        next = in->next;
        if (in->op != IR_CALL && in != b->last)
            continue;
        schedule_part(common, first, in, &live->in[b->id]);
        first = next;
    }
}

void
cc_sched(struct cc *c)
{
    assert(c->f->form == IR_FORM_VECTOR);
    struct ir_func *f = c->f;
    ir_analyse(f);
    struct arena scratch = { 0 }; /* debug_put_back keeps what it makes */
    struct live live = live_find(&scratch, f);
    size_t n = f->values.n;
    struct state s = { .f = f };
    s.at = arena_new(&scratch, ir_val *, ir_max_sources(f));
    unsigned *uses = arena_new(&scratch, unsigned, n);
    s.left = arena_new(&scratch, unsigned, n);
    s.of = arena_new(&scratch, unsigned, n);
    s.reader = arena_new(&scratch, unsigned, n);
    ir_foreach_rpo (f, b)
        ir_foreach_insn (b, in)
            for (unsigned k = ir_sources(in, s.at); k-- > 0;)
                uses[*s.at[k]]++;
    memcpy(s.left, uses, n * sizeof *uses);
    s.uses = uses;
    ir_foreach_rpo (f, b)
        schedule_block(&s, b, &live);
    arena_free(&scratch);
}
