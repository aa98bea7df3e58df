/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An independent check of the register allocation.  It knows nothing of
 * liveness or interference.  A place is a register or a word of memory that
 * spill code uses; each value, and each spilled word, has its own.  From every
 * use it searches backwards for the last write to the place, along the
 * logical flow for vectors and private memory, along the physical one for scalars
 * and their stack.  On all paths this write must be of the used value.
 * It processes one place after the other, so that the work is proportional to the
 * length of the live ranges.
 *
 * A value that was not defined yet counts as being in its register: edges of
 * the physical flow make paths that no warp takes, on which it is undefined.
 * That definitions dominate uses was checked before, in SSA form.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/debug_assert.h"
#include "cc/call.h"
#include "cc/cc.h"
#include "cc/live.h"
#include "cc/regalloc/check.h"

enum {
    REGS = 258,
    STACK = 2 * REGS,
    STACK_WORDS = 256,
    REG_SP = 2,
    REG_TP = 4
};

/* A use of a value in its place, or a write that puts it there. */
struct event {
    unsigned place;
    bool writes;
    uint32_t value;
    uint32_t keep; /* a write: this value was there and still is (copies) */
    const struct ir_insn *in;
};

/* The query whether the value is in the current place where the block begins. */
struct query {
    uint32_t value;
    const struct event *user;
};

struct check {
    struct ir_func *f;
    struct live_edges *extra;
    vec(struct event) events; /* in the order of the blocks */
    unsigned n_places;
    unsigned *spill_at; /* by spilled word: its place */
    int64_t *constant;  /* by value: what it is known to be, or -1 */
    /* for the current place: */
    vec(struct query) queries;
    const struct event **last; /* by block: its last write, if ... */
    unsigned *last_of;         /* 1 + the place that `last` is of */
    unsigned *asked;           /* by block: the last round that came there */
    unsigned round;
    struct ir_block **work;
    const struct event *first;
    const char *error;
};

static void
ra_fail(struct check *c, const struct ir_insn *in, uint32_t v, const char *what)
{
    if (c->error)
        return;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    fprintf(out, "%s: b%u: %s %u %s: ", c->f->name, in->block->id,
            in->spill == v && v ? "spilled word" : "value", v, what);
    ir_print_insn(c->f, in, out);
    fclose(out);
    c->error = arena_strndup(c->f->arena, text, size);
    free(text);
}

/* ---- events ---- */

static void
add_event(struct check *c, const struct ir_insn *in, unsigned place,
          bool writes, uint32_t value, uint32_t keep)
{
    vec_push(c->f->arena, &c->events,
             ((struct event){ place, writes, value, keep, in }));
}

static void
add_value_events(struct check *c, const struct ir_insn *in, ir_val v,
                 bool writes, ir_val keep)
{
    const struct ir_value *x = ir_value(c->f, v);
    for (unsigned k = 0; v > IR_ZERO && k < x->words; k++)
        add_event(c, in, x->cls * (unsigned)REGS + (unsigned)x->reg + k, writes,
                  v, keep);
}

static bool
same_register(const struct check *c, ir_val a, ir_val b)
{
    if (a <= IR_ZERO || b <= IR_ZERO)
        return false;
    const struct ir_value *x = ir_value(c->f, a), *y = ir_value(c->f, b);
    return x->cls == y->cls && x->words == y->words && x->reg == y->reg;
}

static unsigned
stack_place(struct check *c, const struct ir_insn *in)
{
    const struct ir_value *base = ir_value(c->f, in->src[1]);
    if (base->fixed != REG_SP || in->imm < 4 * (int32_t)c->f->stack_from ||
        in->imm % 4 || in->imm >= 4 * STACK_WORDS)
        ra_fail(c, in, in->spill, "is not in the warp's stack");
    return STACK + (unsigned)in->imm / 4;
}

static unsigned
private_place(struct check *c, const struct ir_insn *in)
{
    int64_t base = c->constant[in->src[1]], at = base + in->imm;
    if (base < 0 || at % 4 || at < c->f->arrays_B || at >= c->f->private_B) {
        ra_fail(c, in, in->spill, "is not among the thread's spilled words");
        return STACK;
    }
    return STACK + STACK_WORDS + (unsigned)(at - c->f->arrays_B) / 4;
}

/* Adds a load or store of spill code; a word has the same place in all of them. */
static void
add_spill_event(struct check *c, const struct ir_insn *in)
{
    unsigned place = in->space == IR_SPACE_PRIVATE ? private_place(c, in)
                                                   : stack_place(c, in);
    if (c->spill_at[in->spill] && c->spill_at[in->spill] != place)
        ra_fail(c, in, in->spill, "has two places");
    c->spill_at[in->spill] = place;
    add_event(c, in, place, ir_is_store(in), in->spill, 0);
}

static bool
is_result(const struct check *c, const struct ir_insn *in, enum ir_class cls,
          unsigned r)
{
    for (unsigned i = 0; i < in->n_out; i++) {
        const struct ir_value *x = ir_value(c->f, in->many[in->n_in + i]);
        unsigned at = r - (unsigned)x->reg;
        if (x->cls == cls && at < x->words)
            return true;
    }
    return false;
}

/* Adds a call: it defines its results, and nothing in the other registers that it writes. */
static void
add_call_events(struct check *c, const struct ir_insn *in)
{
    const struct ir_func *to = in->callee;
    for (unsigned r = 0; r < 256; r++) {
        if (r < 64 && r != REG_SP && ir_call_writes(in, IR_S, r) &&
            !is_result(c, in, IR_S, r))
            add_event(c, in, r, true, IR_NONE, IR_NONE);
        if (ir_call_writes(in, IR_V, r) && !is_result(c, in, IR_V, r))
            add_event(c, in, REGS + r, true, IR_NONE, IR_NONE);
    }
    for (unsigned i = 0; i < in->n_out; i++)
        add_value_events(c, in, in->many[in->n_in + i], true, IR_NONE);
    if (!to)
        return;
    if (to->private_B > c->f->arrays_B ||
        to->scalar_stack_B + 4 > 4 * c->f->stack_from)
        ra_fail(c, in, 0, "may be where the function has its own");
}

/* Checks that f writes no register but those in its record of them. */
static void
check_writes(struct check *c)
{
    for (size_t i = 0; i < c->events.n; i++) {
        const struct event *e = &c->events.at[i];
        unsigned cls = e->place / REGS, r = e->place % REGS;
        if (e->writes && e->place < STACK &&
            !(c->f->writes[cls][r / 64] >> r % 64 & 1))
            ra_fail(c, e->in, e->value,
                    "is in a register that the record lacks");
        if (e->writes && e->place < STACK && c->f->is_limited &&
            !(cls == IR_S && r == REG_TP) &&
            !cc_is_caller_saved((enum ir_class)cls, r))
            ra_fail(c, e->in, e->value, "is in a register of other objects");
    }
}

static void
add_insn_events(struct check *c, struct ir_insn *in, ir_val **at)
{
    unsigned n = ir_sources(in, at);
    for (unsigned i = 0; i < n; i++)
        add_value_events(c, in, *at[i], false, 0);
    if (in->mask && ir_value(c->f, in->mask)->reg != 0)
        ra_fail(c, in, in->mask, "is a mask, and not in v0");
    if (in->spill)
        add_spill_event(c, in);
    if (in->op == IR_CALL) {
        add_call_events(c, in);
        return;
    }
    n = ir_defs(in, at);
    for (unsigned i = 0; i < n; i++) {
        ir_val from = IR_NONE;
        if (in->op == IR_PARCOPY)
            from = in->many[2 * i + 1];
        else if (in->op == IR_COPY)
            from = in->src[1];
        add_value_events(c, in, *at[i], true,
                         same_register(c, *at[i], from) ? from
                                                        : (ir_val)IR_NONE);
    }
}

/* Whether v is the base of a relative function's private memory. */
static bool
is_tp(const struct check *c, ir_val v)
{
    return c->f->is_relative && v == c->f->tp;
}

/* Finds values that are defined once, as a constant: bases of private memory. */
static void
find_constants(struct check *c, ir_val **at)
{
    struct ir_func *f = c->f;
    unsigned *defs = arena_new(f->arena, unsigned, f->values.n);
    c->constant = arena_new(f->arena, int64_t, f->values.n);
    for (ir_val v = 0; v < f->values.n; v++)
        c->constant[v] = is_tp(c, v) ? 0 : -1;
    ir_foreach_rpo (f, b)
        ir_foreach_insn (b, in) {
            for (unsigned i = ir_defs(in, at); i-- > 0;)
                defs[*at[i]]++;
            if (in->op == IR_CONST || in->op == VENTUS_ISA_VMV_V_I)
                c->constant[in->dst] = in->imm;
            else if (in->op == IR_COPY ||
                     (in->op == VENTUS_ISA_ADD && is_tp(c, in->src[2])))
                c->constant[in->dst] = c->constant[in->src[1]];
        }
    for (size_t v = 0; v < f->values.n; v++)
        if (defs[v] != 1 && !is_tp(c, (ir_val)v))
            c->constant[v] = -1;
}

/* ---- queries of one place ---- */

/*
 * Whether the events in `block` before `e`, searched backwards, settle the query.  A use
 * of the same value settles it: that use has a query of its own, and nothing wrote since.
 */
static bool
is_settled(struct check *c, const struct event *e, const struct ir_block *block,
           const struct query *q)
{
    while (e > c->first && (--e)->in->block == block) {
        if (!e->writes && e->value == q->value)
            return true;
        if (!e->writes || e->keep == q->value)
            continue;
        if (e->value != q->value)
            ra_fail(c, q->user->in, q->value, "is not in its place");
        return true;
    }
    return false;
}

/* Asks at the end of a predecessor. */
static void
query_end_of(struct check *c, struct ir_block *b, const struct query *q,
             size_t *n)
{
    if (!b->reachable)
        return;
    if (c->last_of[b->id] == c->first->place + 1 &&
        is_settled(c, c->last[b->id] + 1, b, q))
        return;
    if (c->asked[b->id] != c->round)
        c->work[(*n)++] = b;
    c->asked[b->id] = c->round;
}

/* Searches all paths backwards from the block of the use. */
static void
answer_query(struct check *c, const struct query *q, bool physical)
{
    size_t n = 0;
    struct ir_block *b = q->user->in->block;
    if (c->asked[b->id] != c->round)
        c->work[n++] = b;
    c->asked[b->id] = c->round;
    while (n) {
        assert(n <= c->f->blocks.n && "each block comes once a round");
        b = c->work[--n];
        for (size_t i = 0; i < b->preds.n; i++)
            query_end_of(c, b->preds.at[i], q, &n);
        const struct live_edges *extra = &c->extra[b->id];
        for (size_t i = 0; physical && i < extra->from.n; i++)
            query_end_of(c, extra->from.at[i], q, &n);
    }
}

static int
by_value(const void *a, const void *b)
{
    const struct query *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return x->user < y->user ? -1 : x->user > y->user;
}

static void
check_place(struct check *c, const struct event *first, size_t n)
{
    unsigned place = first->place;
    bool physical =
        place < REGS || (place >= STACK && place < STACK + STACK_WORDS);
    assert(n && first->place == place && place < c->n_places);
    c->first = first;
    c->queries.n = 0;
    for (const struct event *e = first; e < first + n; e++) {
        struct query q = { e->value, e };
        if (!e->writes) {
            if (!is_settled(c, e, e->in->block, &q))
                vec_push(c->f->arena, &c->queries, q);
            continue;
        }
        if (e > first && e[-1].writes && e[-1].in == e->in)
            ra_fail(c, e->in, e->value, "is written over by the same copy");
        c->last[e->in->block->id] = e;
        c->last_of[e->in->block->id] = place + 1;
    }
    if (c->queries.n)
        qsort(c->queries.at, c->queries.n, sizeof(struct query), by_value);
    for (size_t i = 0; i < c->queries.n; i++) {
        const struct query *q = &c->queries.at[i];
        if (i == 0 || q->value != q[-1].value)
            c->round++;
        answer_query(c, q, physical);
    }
}

/* Sorts the events by place, stably; start[p]: the first event of place p. */
static struct event *
sort_by_place(struct check *c, size_t *start)
{
    struct event *to = arena_new(c->f->arena, struct event, c->events.n + 1);
    for (size_t i = 0; i < c->events.n; i++)
        start[c->events.at[i].place + 1]++;
    for (unsigned p = 0; p < c->n_places; p++)
        start[p + 1] += start[p];
    size_t *next = arena_new(c->f->arena, size_t, c->n_places);
    memcpy(next, start, c->n_places * sizeof *next);
    for (size_t i = 0; i < c->events.n; i++) {
        debug_assert(next[c->events.at[i].place] <
                     start[c->events.at[i].place + 1]);
        to[next[c->events.at[i].place]++] = c->events.at[i];
    }
    return to;
}

const char *
cc_check_registers(struct cc *cc)
{
    struct ir_func *f = cc->f;
    ir_analyse(f);
    struct check c = { .f = f, .extra = live_edges(f->arena, f) };
    c.n_places = STACK + STACK_WORDS + (f->private_B - f->arrays_B) / 4 + 1;
    c.spill_at = arena_new(f->arena, unsigned, f->n_spills + 1);
    c.last = arena_new(f->arena, const struct event *, f->blocks.n);
    c.last_of = arena_new(f->arena, unsigned, f->blocks.n);
    c.asked = arena_new(f->arena, unsigned, f->blocks.n);
    c.work = arena_new(f->arena, struct ir_block *, f->blocks.n + 1);
    ir_val **at = arena_new(f->arena, ir_val *, ir_max_sources(f));
    find_constants(&c, at);
    ir_foreach_rpo (f, b)
        ir_foreach_insn (b, in)
            add_insn_events(&c, in, at);
    check_writes(&c);
    size_t *start = arena_new(f->arena, size_t, c.n_places + 2);
    const struct event *events = sort_by_place(&c, start);
    for (unsigned p = 0; p < c.n_places && !c.error; p++)
        if (start[p + 1] > start[p])
            check_place(&c, events + start[p], start[p + 1] - start[p]);
    return c.error;
}
