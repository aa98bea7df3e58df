/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vector machine IR: loads and stores of adjacent words become one instruction
 * where the target has some of several words:
 *
 *     v5 = vlw12.v v1            v5, v6, v7, v8 = vlw12.v v1
 *     v6 = vlw12.v v1 imm=4  =>
 *     v7 = vlw12.v v1 imm=8
 *     v8 = vlw12.v v1 imm=12
 *
 * In a block the pass collects loads from one base up to the next store to their
 * address space, and stores to one base up to the next other access of their address
 * space; an instruction that orders memory ends both.  The new load is at the place of
 * the first part, the new store at the place of the last.  The values of one
 * instruction must get consecutive registers (regalloc/group.c).  A value that is part of two
 * stores is copied for the second, if the copies cost less than the combination
 * saves.
 */
#include <assert.h>
#include <stdlib.h>

#include "cc/cc.h"
#include "cc/passes.h"
#include "cc/sched.h"

struct part {
    struct ir_insn *in;
    unsigned order; /* in the block */
};

/* Accesses that differ in their offsets only. */
struct run {
    vec(struct part) parts;
};

/* The access of several words that a value is part of, and its offset in it, in words. */
struct row {
    const struct ir_insn *in;
    unsigned at;
};

struct state {
    struct ir_func *f;
    struct arena *arena;
    unsigned most; /* words of an access */
    unsigned order;
    vec(struct run) runs;
    struct row *row; /* by value, of those before the pass */
    size_t n_values;
};

static bool
is_candidate(const struct ir_insn *in)
{
    switch (in->op) {
    case VENTUS_ISA_LW:
    case VENTUS_ISA_SW:
    case VENTUS_ISA_VLW12_V:
    case VENTUS_ISA_VSW12_V:
    case VENTUS_ISA_VLW_V:
    case VENTUS_ISA_VSW_V:
        return !in->is_volatile && !in->masked && !in->n_many &&
               (ir_is_store(in) || in->dst);
    }
    return false;
}

static ir_val
data_of(const struct ir_insn *in)
{
    return ir_is_store(in) ? in->src[2] : in->dst;
}

static unsigned
words_of(const struct state *s, const struct ir_insn *in)
{
    ir_val v = data_of(in);
    return v > IR_ZERO ? ir_value(s->f, v)->words : 1;
}

static bool
belongs_to_run(const struct run *r, const struct ir_insn *in)
{
    const struct ir_insn *first = r->parts.at[0].in;
    return first->op == in->op && first->src[1] == in->src[1] &&
           first->space == in->space && first->hint == in->hint &&
           first->object == in->object;
}

/* ---- one instruction of several ---- */

/* A value that no other row has, in the place of part i. */
static bool
needs_copy(const struct state *s, const struct part *part, unsigned i)
{
    ir_val v = data_of(part[i].in);
    if (v <= IR_ZERO || v >= s->n_values || s->row[v].in ||
        ir_value(s->f, v)->fixed >= 0)
        return true;
    for (unsigned k = 0; k < i; k++)
        if (data_of(part[k].in) == v)
            return true;
    return false;
}

/* The values are in a row already, as those of a load that is stored are. */
static bool
is_row(const struct state *s, const struct part *part, unsigned n)
{
    const struct row *first = NULL;
    unsigned words = 0;
    for (unsigned i = 0; i < n; i++) {
        ir_val v = data_of(part[i].in);
        if (v <= IR_ZERO || v >= s->n_values || !s->row[v].in)
            return false;
        first = i ? first : &s->row[v];
        if (s->row[v].in != first->in || s->row[v].at != first->at + words)
            return false;
        words += ir_value(s->f, v)->words;
    }
    return true;
}

static ir_val
copy_of(struct state *s, struct ir_insn *at, ir_val v)
{
    const struct ir_value *x = ir_value(s->f, v);
    enum ir_class cls = v == IR_ZERO ? IR_S : (enum ir_class)x->cls;
    unsigned words = v == IR_ZERO ? 1 : x->words;
    struct ir_insn *copy = ir_insn_new(s->f, IR_COPY);
    copy->src[1] = v;
    copy->pair = words == 2;
    ir_place_like(copy, at);
    ir_insert_before(at, copy);
    ir_set_dst(s->f, copy, ir_value_new(s->f, cls, words));
    return copy->dst;
}

/* Inserts an access at `at` that is like the first part's, without its values. */
static struct ir_insn *
access_like(struct state *s, const struct ir_insn *first, struct ir_insn *at)
{
    struct ir_insn *in = ir_insn_new(s->f, first->op);
    in->src[1] = first->src[1];
    in->imm = first->imm;
    in->space = first->space;
    in->hint = first->hint;
    in->object = first->object;
    in->rm = first->rm;
    ir_place_like(in, at);
    ir_insert_before(at, in);
    return in;
}

/* The n parts, of ascending offsets, as one at `at`. */
static void
join_accesses(struct state *s, const struct part *part, unsigned n,
              struct ir_insn *at, bool copies)
{
    bool store = ir_is_store(part[0].in);
    ir_val v[8];
    assert(n >= 2 && n <= s->most && n <= 8);
    for (unsigned i = 0; i < n; i++) {
        v[i] = data_of(part[i].in);
        if (store && copies && needs_copy(s, part, i))
            v[i] = copy_of(s, at, v[i]);
    }
    struct ir_insn *in = access_like(s, part[0].in, at);
    in->many = arena_new(s->f->arena, ir_val, n);
    in->n_many = n - 1;
    *(store ? &in->n_in : &in->n_out) = n - 1;
    *(store ? &in->src[2] : &in->dst) = v[0];
    unsigned words = 0;
    for (unsigned i = 0; i < n; i++) {
        if (i)
            in->many[i - 1] = v[i];
        if (!store)
            ir_value(s->f, v[i])->def = in;
        in->pair |= part[i].in->pair;
        if (v[i] < s->n_values && !s->row[v[i]].in)
            s->row[v[i]] = (struct row){ in, words };
        words += ir_value(s->f, v[i])->words;
        ir_remove(part[i].in);
    }
}

/* ---- which ---- */

static int
by_offset(const void *a, const void *b)
{
    const struct part *x = a, *y = b;
    if (x->in->imm != y->in->imm)
        return x->in->imm < y->in->imm ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* The number of parts, from the first on, that one access can have.  Pairs are at even
 * registers, so all of them have an even or all an odd number of words before them. */
static unsigned
count_parts(const struct state *s, const struct part *part, size_t n)
{
    unsigned words = 0, k = 0, odd = 2;
    for (; k < n; k++) {
        unsigned more = words_of(s, part[k].in);
        if (part[k].in->imm != part[0].in->imm + 4 * (int32_t)words ||
            words + more > s->most)
            break;
        if (more == 2 && odd == 2)
            odd = words % 2;
        if (more == 2 && odd != words % 2)
            break;
        words += more;
    }
    return k;
}

static bool
try_join(struct state *s, const struct part *part, unsigned n)
{
    const struct part *at = part;
    bool store = ir_is_store(part[0].in);
    unsigned copies = 0;
    for (unsigned i = 0; i < n; i++) {
        if (store ? part[i].order > at->order : part[i].order < at->order)
            at = &part[i];
        copies += store && needs_copy(s, part, i);
    }
    bool row = store && is_row(s, part, n);
    if (!row && copies + 1 >= n)
        return false;
    join_accesses(s, part, n, at->in, !row);
    return true;
}

static bool
overlaps(const struct state *s, const struct run *r)
{
    for (size_t i = 1; i < r->parts.n; i++) {
        const struct ir_insn *a = r->parts.at[i - 1].in;
        if (r->parts.at[i].in->imm < a->imm + 4 * (int32_t)words_of(s, a))
            return true;
    }
    return false;
}

static void
close_run(struct state *s, struct run *r)
{
    size_t n = r->parts.n;
    if (n > 1)
        qsort(r->parts.at, n, sizeof(struct part), by_offset);
    if (n > 1 && !(ir_is_store(r->parts.at[0].in) && overlaps(s, r)))
        for (size_t i = 0; i < n;) {
            unsigned k = count_parts(s, r->parts.at + i, n - i);
            assert(k);
            while (k > 1 && !try_join(s, r->parts.at + i, k))
                k--;
            i += k;
        }
    r->parts.n = 0;
}

/* Whether the run ends at `in`, which it may not pass; NULL: the end of the block. */
static bool
ends_at(const struct run *r, const struct ir_insn *in)
{
    if (!in || cc_orders_memory(in) || in->op == IR_CALL)
        return true;
    const struct ir_insn *first = r->parts.at[0].in;
    bool load = ir_is_load(in), store = ir_is_store(in);
    if (first->space != in->space ||
        (is_candidate(in) && belongs_to_run(r, in)))
        return false;
    return store || (load && ir_is_store(first));
}

/* Loads first: stores see which values are in rows then. */
static void
close_before(struct state *s, const struct ir_insn *in)
{
    for (unsigned stores = 0; stores < 2; stores++)
        for (size_t i = 0; i < s->runs.n; i++) {
            struct run *r = &s->runs.at[i];
            if (r->parts.n && ir_is_store(r->parts.at[0].in) == stores &&
                ends_at(r, in))
                close_run(s, r);
        }
}

static void
add_to_run(struct state *s, struct ir_insn *in)
{
    struct run *free = NULL;
    for (size_t i = 0; i < s->runs.n; i++) {
        struct run *r = &s->runs.at[i];
        if (!r->parts.n)
            free = r;
        else if (belongs_to_run(r, in)) {
            vec_push(s->arena, &r->parts, ((struct part){ in, s->order }));
            return;
        }
    }
    if (!free) {
        vec_push(s->arena, &s->runs, ((struct run){ { 0 } }));
        free = &s->runs.at[s->runs.n - 1];
    }
    vec_push(s->arena, &free->parts, ((struct part){ in, s->order }));
}

void
cc_combine(struct cc *c)
{
    assert(c->f->form == IR_FORM_VECTOR);
    struct arena scratch = { 0 };
    struct state s = { .f = c->f, .arena = &scratch };
    s.most = cc_target_or_v1(c->options->target)->access_words;
    s.n_values = c->f->values.n;
    s.row = arena_new(&scratch, struct row, s.n_values);
    for (size_t i = 0; i < c->f->blocks.n && s.most > 1; i++) {
        ir_foreach_insn_safe (c->f->blocks.at[i], in) {
            close_before(&s, in);
            if (is_candidate(in))
                add_to_run(&s, in);
            s.order++;
        }
        close_before(&s, NULL);
    }
    arena_free(&scratch);
}
