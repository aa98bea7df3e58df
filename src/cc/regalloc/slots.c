/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stack slots of spilled words.  Two words share a slot if their live intervals do
 * not overlap; a linear scan assigns slots in the order of the starts.  Each round
 * assigns all slots again.
 *
 * The warp's stack has 256 words; a function leaves one for `ra` of each active
 * caller.  Scalars that do not fit, the longest-lived ones, become vectors.
 * All lanes that are active at the definition keep the value; the lanes that are
 * active at a use are among them, because the value is uniform.  The next round may
 * spill these vectors to private memory.
 */
#include <assert.h>
#include <stdlib.h>

#include "cc/regalloc/slots.h"

enum { STACK_WORDS = 256, PRIVATE_OFFSETS = 1024 };

struct interval {
    uint32_t word, start, end; /* start 0: not seen */
    bool scalar;
    uint32_t slot;
};

struct slots {
    struct ra_graph *g;
    struct ir_func *f;
    struct interval *interval; /* by word */
    ir_val *vector;            /* by word: what it becomes, or IR_NONE */
    unsigned capacity;         /* of the stack, in words */
    struct ir_insn **def;      /* by value: a definition */
};

static void
extend_interval(struct slots *s, uint32_t word, uint32_t at)
{
    assert(word && word <= s->f->n_spills);
    struct interval *x = &s->interval[word];
    if (!x->start)
        x->start = at;
    assert(at >= x->end && "the code is walked forwards");
    x->end = at;
    x->word = word;
}

static void
find_intervals(struct slots *s)
{
    struct live live = live_find_spills(s->g->arena, s->f);
    uint32_t at = 1;
    ir_foreach_rpo (s->f, b) {
        for (size_t i = 0; i < live.in[b->id].n; i++)
            extend_interval(s, live.in[b->id].at[i], at);
        ir_foreach_insn (b, in) {
            at++;
            if (in->dst)
                s->def[in->dst] = in;
            if (!in->spill)
                continue;
            extend_interval(s, in->spill, at);
            s->interval[in->spill].scalar = in->space != IR_SPACE_PRIVATE;
        }
        at++;
        for (size_t i = 0; i < live.out[b->id].n; i++)
            extend_interval(s, live.out[b->id].at[i], at);
    }
}

static int
by_start(const void *a, const void *b)
{
    const struct interval *x = *(struct interval *const *)a;
    const struct interval *y = *(struct interval *const *)b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->word < y->word ? -1 : x->word > y->word;
}

/* Evicts the interval with the latest end from the stack: x or one that has a slot. */
static void
evict_interval(struct slots *s, struct interval *x, struct interval **slot)
{
    unsigned last = 0;
    for (unsigned i = 1; i < s->capacity; i++)
        if (slot[i]->end > slot[last]->end)
            last = i;
    struct interval *gone = x;
    if (s->capacity && slot[last]->end > x->end) {
        gone = slot[last];
        slot[last] = x;
        x->slot = last;
    }
    assert(gone->scalar && !s->vector[gone->word]);
    s->vector[gone->word] = ir_value_new(s->f, IR_V, 1);
}

/* Assigns slots to the intervals of one class among the n of `list`; returns how many. */
static unsigned
linear_scan(struct slots *s, struct interval **list, size_t n, bool scalar)
{
    struct interval **slot = arena_new(s->g->arena, struct interval *, n + 1);
    unsigned used = 0;
    for (size_t i = 0; i < n; i++) {
        struct interval *x = list[i];
        assert((!i || list[i - 1]->start <= x->start) && "starts ascend");
        unsigned k = 0;
        if (x->scalar != scalar)
            continue;
        while (k < used && slot[k]->end >= x->start)
            k++;
        if (scalar && k == s->capacity) {
            evict_interval(s, x, slot);
            continue;
        }
        used += k == used;
        assert(k < n && (!scalar || k < s->capacity));
        slot[k] = x;
        x->slot = k;
    }
    return used;
}

/* ---- rewriting ---- */

/* Makes a spilled scalar's access a copy to or from the vector that it becomes. */
static void
replace_by_vector(struct ir_insn *in, ir_val vector)
{
    if (ir_is_store(in)) {
        in->op = IR_COPY;
        in->dst = vector;
        in->src[1] = in->src[2];
        in->src[2] = IR_NONE;
    } else {
        in->op = VENTUS_ISA_VMV_X_S;
        in->src[1] = IR_NONE;
        in->src[2] = vector;
    }
    in->imm = 0;
    in->space = IR_SPACE_GLOBAL;
    in->spill = 0;
}

/* Inserts a scalar of this number, + tp if private memory is relative to tp. */
static ir_val
insert_offset(struct slots *s, struct ir_insn *base, int32_t offset)
{
    struct ir_insn *c = ir_insn_new(s->f, IR_CONST);
    ir_place_like(c, base);
    c->imm = offset;
    c->dst = ir_value_new(s->f, IR_S, 1);
    ir_value(s->f, c->dst)->no_spill = true;
    ir_insert_before(base, c);
    if (!s->f->is_relative)
        return c->dst;
    struct ir_insn *sum = ir_insn_new(s->f, VENTUS_ISA_ADD);
    ir_place_like(sum, base);
    sum->src[1] = c->dst;
    sum->src[2] = base->src[1];
    sum->dst = ir_value_new(s->f, IR_S, 1);
    ir_value(s->f, sum->dst)->no_spill = true;
    ir_insert_before(base, sum);
    return sum->dst;
}

/* Sets the offset of an access of private memory; one that is too large for the
 * instruction is added to its base. */
static void
set_private_offset(struct slots *s, struct ir_insn *in, int32_t offset)
{
    assert(offset >= 0 && offset % 4 == 0);
    struct ir_insn *base = s->def[in->src[1]];
    if (base->op == IR_COPY && base->src[1] != s->f->tp) {
        struct ir_insn *c = s->def[base->src[1]];
        if (c->op == VENTUS_ISA_ADD)
            c = s->def[c->src[1]];
        c->imm = offset;
        return;
    }
    if (offset < PRIVATE_OFFSETS) {
        in->imm = offset;
        return;
    }
    ir_val at = insert_offset(s, base, offset);
    base->op = IR_COPY;
    base->src[1] = at;
    in->imm = 0;
}

static void
rewrite_accesses(struct slots *s)
{
    ir_foreach_rpo (s->f, b)
        ir_foreach_insn (b, in) {
            if (!in->spill)
                continue;
            assert(s->interval[in->spill].start &&
                   "each spilled word was seen");
            uint32_t at = 4 * s->interval[in->spill].slot;
            bool scalar = in->space != IR_SPACE_PRIVATE;
            s->f->spill_at[in->spill] =
                s->vector[in->spill] ? -1
                : scalar             ? (int32_t)(4 * s->f->stack_from + at)
                                     : (int32_t)(s->f->arrays_B + at);
            if (s->vector[in->spill])
                replace_by_vector(in, s->vector[in->spill]);
            else if (in->space == IR_SPACE_PRIVATE)
                set_private_offset(s, in, (int32_t)(s->f->arrays_B + at));
            else
                in->imm = (int32_t)(4 * s->f->stack_from + at);
        }
}

void
ra_slots(struct ra_graph *g)
{
    struct ir_func *f = g->f;
    struct slots s = { .g = g, .f = f };
    unsigned taken = f->stack_from + f->callers; /* callers store ra */
    s.capacity = taken < STACK_WORDS ? STACK_WORDS - taken : 0;
    size_t n = f->n_spills + 1, seen = 0;
    s.interval = arena_new(g->arena, struct interval, n);
    s.vector = arena_new(g->arena, ir_val, n);
    s.def = arena_new(g->arena, struct ir_insn *, f->values.n);
    find_intervals(&s);
    struct interval **list = arena_new(g->arena, struct interval *, n);
    for (size_t w = 1; w < n; w++)
        if (s.interval[w].start)
            list[seen++] = &s.interval[w];
    if (seen)
        qsort(list, seen, sizeof *list, by_start);
    size_t values = f->values.n;
    f->scalar_stack_B = 4 * (f->stack_from + linear_scan(&s, list, seen, true));
    f->private_B = f->arrays_B + 4 * linear_scan(&s, list, seen, false);
    g->c->stats->spill_B = f->private_B - f->arrays_B;
    f->spill_at = arena_new(f->arena, int32_t, n);
    for (size_t w = 0; w < n; w++)
        f->spill_at[w] = -1;
    if (f->values.n > values && g->c->options->profile == CC_PROFILE_UPSTREAM)
        diag_report(g->c->sink, DIAG_ERROR, (struct diag_at){ 0 },
                    "kernel '%s': more than %u bytes of scalar spills, which "
                    "is all that upstream's machines have capacity for",
                    f->name, 4 * STACK_WORDS);
    assert(f->scalar_stack_B <= 4 * STACK_WORDS || !s.capacity);
    rewrite_accesses(&s);
}
