/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spilled values live in memory, and in a register only around instructions:
 *
 *   scalars  the warp's stack in local memory, sw s5, 4(sp)
 *   vectors  the thread's private memory, vsw.v v5, 4(v6), v6 = 0 or tp
 *   others   nowhere, they are rematerialised before each use: constants, CSRs of
 *            the warp, arguments, metadata, and pairs of those
 *
 * regalloc/slots.c assigns slots when all spilled words are known.  In a parallel copy no
 * part reads memory that another part writes.
 */
#include <assert.h>
#include <string.h>

#include "base/debug_assert.h"
#include "cc/regalloc/graph.h"
#include "cc/regalloc/group.h"
#include "cc/regalloc/slots.h"
#include "cc/regalloc/spill.h"

enum { REG_SP = 2, REG_A0 = 10, REG_MASK = 0 };

struct slot {
    uint32_t word;        /* its first one in memory, 0: none yet */
    struct ir_insn *make; /* a definition; the only one if defs is 1 */
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
slot_of(const struct spill *s, ir_val v)
{
    debug_assert(v > IR_ZERO && v < s->n_values);
    return &s->slot[ra_find(s->g, v)];
}

static uint32_t
word_of(struct spill *s, ir_val v)
{
    struct slot *slot = slot_of(s, v);
    if (!slot->word) {
        assert(is_spilled(s, v));
        slot->word = s->f->n_spills + 1;
        s->f->n_spills += ir_value(s->f, v)->words;
    }
    return slot->word;
}

/* ---- rematerialisation ---- */

static bool
has_one_definition(const struct spill *s, ir_val v)
{
    return v > IR_ZERO && v < s->n_values && slot_of(s, v)->defs == 1;
}

/* Whether v is the pointer to the arguments: a0 as the start code leaves it, or a copy. */
static bool
is_arguments(const struct spill *s, ir_val v)
{
    if (!has_one_definition(s, v))
        return false;
    const struct ir_insn *make = slot_of(s, v)->make;
    ir_val a0 = make->op == IR_COPY ? make->src[1] : make->dst;
    return (make->op == IR_COPY || make->op == IR_UNDEF) &&
           ir_value(s->f, a0)->cls == IR_S &&
           ir_value(s->f, a0)->fixed == REG_A0;
}

/* Whether `in` reads a CSR in this range: tid to gdz do not change while a warp runs. */
static bool
reads_csr(const struct ir_insn *in, unsigned first, unsigned last)
{
    return in->op == VENTUS_ISA_CSRRS && in->src[1] == IR_ZERO &&
           !in->is_volatile && in->aux >= first && in->aux <= last;
}

static bool
is_metadata(const struct spill *s, ir_val v)
{
    enum { CSR_KNL = 0x803 };
    return has_one_definition(s, v) &&
           reads_csr(slot_of(s, v)->make, CSR_KNL, CSR_KNL);
}

static bool
is_rematerialised(const struct spill *s, ir_val v)
{
    enum { CSR_TID = 0x800, CSR_GDZ = 0x80a };
    if (!has_one_definition(s, v))
        return false;
    const struct ir_insn *make = slot_of(s, v)->make;
    switch (make->op) {
    case IR_CONST:
    case IR_SYMBOL:
    case IR_FRAME:
    case VENTUS_ISA_VMV_V_I:
        return true;
    case VENTUS_ISA_CSRRS:
        return reads_csr(make, CSR_TID, CSR_GDZ);
    case VENTUS_ISA_LW:
        return make->space == IR_SPACE_CONST && !make->is_volatile &&
               (is_arguments(s, make->src[1]) || is_metadata(s, make->src[1]));
    case IR_PAIR:
        return is_rematerialised(s, make->src[1]) &&
               is_rematerialised(s, make->src[2]);
    }
    return false;
}

static ir_val
new_temporary(struct spill *s, enum ir_class cls, unsigned words)
{
    ir_val v = ir_value_new(s->f, cls, words);
    ir_value(s->f, v)->no_spill = true;
    return v;
}

/* Inserts a new instruction before `at`, with its line. */
static struct ir_insn *
insert_before(struct spill *s, struct ir_insn *at, unsigned op)
{
    struct ir_insn *in = ir_insn_new(s->f, op);
    ir_place_like(in, at);
    ir_insert_before(at, in);
    return in;
}

/* Inserts the load or store of a spilled word of the value `of` before `at`. */
static void
insert_access(struct spill *s, struct ir_insn *at, bool store,
              enum ir_class cls, uint32_t word, ir_val v, ir_val of)
{
    ir_val base = s->sp;
    if (cls == IR_V) {
        struct ir_insn *zero = insert_before(
            s, at, s->f->is_relative ? IR_COPY : VENTUS_ISA_VMV_V_I);
        if (s->f->is_relative)
            zero->src[1] = s->f->tp;
        base = zero->dst = new_temporary(s, IR_V, 1);
    }
    unsigned op = cls == IR_V ? (store ? VENTUS_ISA_VSW_V : VENTUS_ISA_VLW_V)
                              : (store ? VENTUS_ISA_SW : VENTUS_ISA_LW);
    assert(word && word <= s->f->n_spills);
    assert(ir_value(s->f, v)->cls == cls && ir_value(s->f, v)->words == 1);
    struct ir_insn *in = insert_before(s, at, op);
    in->src[1] = base;
    in->spill = word;
    in->spilled = of;
    in->space = cls == IR_V ? IR_SPACE_PRIVATE : IR_SPACE_LOCAL;
    if (store)
        in->src[2] = v;
    else
        in->dst = v;
}

static ir_val
reload(struct spill *s, struct ir_insn *at, ir_val v);

/* Rematerialises v before `at`, in a new temporary. */
static ir_val
rematerialise(struct spill *s, struct ir_insn *at, ir_val v)
{
    const struct ir_insn *make = slot_of(s, v)->make;
    assert(slot_of(s, v)->defs == 1);
    ir_val src[2] = { make->src[1], make->src[2] };
    for (unsigned k = 0; k < 2 && make->op == IR_PAIR; k++)
        src[k] = rematerialise(s, at, src[k]);
    if (make->op == VENTUS_ISA_LW && is_spilled(s, src[0]))
        src[0] = reload(s, at, src[0]);
    else if (make->op == VENTUS_ISA_LW && ir_value(s->f, src[0])->no_spill)
        src[0] = rematerialise(
            s, at, src[0]); /* else its live range would reach up to here */
    struct ir_insn *in = insert_before(s, at, make->op);
    in->imm = make->imm;
    in->aux = make->aux;
    in->space = make->space;
    in->hint = make->hint;
    in->pair = make->pair;
    in->symbol = make->symbol;
    in->src[1] = src[0];
    in->src[2] = src[1];
    in->dst = new_temporary(s, (enum ir_class)ir_value(s->f, v)->cls,
                            ir_value(s->f, v)->words);
    return in->dst;
}

static bool
is_rematerialised_pair(const struct spill *s, ir_val v)
{
    return is_rematerialised(s, v) && slot_of(s, v)->make->op == IR_PAIR;
}

/* Reloads half k of a spilled pair before `at`, to a new temporary. */
static ir_val
reload_half(struct spill *s, struct ir_insn *at, ir_val v, unsigned k)
{
    assert(is_spilled(s, v) && ir_value(s->f, v)->words == 2 && k < 2);
    if (is_rematerialised_pair(s, v))
        return rematerialise(s, at, slot_of(s, v)->make->src[k + 1]);
    ir_val word = new_temporary(s, (enum ir_class)ir_value(s->f, v)->cls, 1);
    insert_access(s, at, false, (enum ir_class)ir_value(s->f, v)->cls,
                  word_of(s, v) + k, word, v);
    return word;
}

/* Reloads v before `at`, to a new temporary. */
static ir_val
reload(struct spill *s, struct ir_insn *at, ir_val v)
{
    assert(is_spilled(s, v));
    struct ir_value x = *ir_value(s->f, v);
    enum ir_class cls = (enum ir_class)x.cls;
    if (is_rematerialised(s, v)) {
        ir_val again = rematerialise(s, at, v);
        ir_value(s->f, again)->odd = x.odd && x.words == 1;
        return again;
    }
    ir_val to = new_temporary(s, cls, x.words);
    ir_value(s->f, to)->odd = x.odd && x.words == 1;
    if (x.words == 1) {
        insert_access(s, at, false, cls, word_of(s, v), to, v);
        return to;
    }
    ir_val lo = reload_half(s, at, v, 0), hi = reload_half(s, at, v, 1);
    struct ir_insn *pair = insert_before(s, at, IR_PAIR);
    pair->src[1] = lo;
    pair->src[2] = hi;
    pair->dst = to;
    pair->pair = 1;
    return to;
}

/* Stores `from`, the new value of v, before `at`. */
static void
store_spilled(struct spill *s, struct ir_insn *at, ir_val v, ir_val from)
{
    assert(is_spilled(s, v));
    assert(from == IR_ZERO || /* a pair, too */
           ir_value(s->f, v)->words == ir_value(s->f, from)->words);
    struct ir_value x = *ir_value(s->f, v);
    enum ir_class cls = (enum ir_class)x.cls;
    if (is_rematerialised(s, v))
        return;
    uint32_t first = word_of(s, v);
    ir_value(s->f, v)->spill = first;
    if (x.words == 1) {
        insert_access(s, at, true, cls, first, from, v);
        return;
    }
    for (unsigned k = 0; k < 2; k++) {
        ir_val word = new_temporary(s, cls, 1);
        struct ir_insn *in = insert_before(s, at, k ? IR_HI : IR_LO);
        in->src[1] = from;
        in->dst = word;
        in->pair = 1;
        insert_access(s, at, true, cls, first + k, word, v);
    }
}

static bool
same_slot(struct spill *s, ir_val a, ir_val b)
{
    return is_spilled(s, a) && is_spilled(s, b) &&
           ra_find(s->g, a) == ra_find(s->g, b);
}

/* Inserts a copy of `from` to `to`, of the same or another class, before `at`. */
static ir_val
copy_before(struct spill *s, struct ir_insn *at, ir_val to, ir_val from)
{
    struct ir_insn *copy = insert_before(s, at, IR_COPY);
    copy->src[1] = from;
    copy->dst = to;
    copy->pair = ir_value(s->f, to)->words == 2;
    assert(from == IR_ZERO || /* a pair, too */
           ir_value(s->f, from)->words == ir_value(s->f, to)->words);
    return to;
}

/* Copies v to a vector at once if `to`, which it is copied to, is one: scalar registers
 * are fewer. */
static ir_val
in_class_of(struct spill *s, struct ir_insn *at, ir_val v, ir_val to)
{
    if (ir_value(s->f, v)->cls == ir_value(s->f, to)->cls)
        return v;
    assert(ir_value(s->f, to)->cls == IR_V &&
           "no vector is copied to a scalar");
    return copy_before(s, at, new_temporary(s, IR_V, ir_value(s->f, to)->words),
                       v);
}

/* The part of a parallel copy that goes to memory: many[k] = many[k + 1]. */
struct parallel {
    ir_val *many;
    unsigned n;
    ir_val *held; /* by k: many[k + 1] in a temporary, or IR_NONE */
};

/* Whether another copy still has to read what copy k overwrites. */
static bool
is_waited_for(struct spill *s, const struct parallel *p, unsigned k)
{
    for (unsigned i = 0; i < p->n; i += 2)
        if (i != k && !p->held[i] && same_slot(s, p->many[i + 1], p->many[k]))
            return true;
    return false;
}

static void
move_word(struct spill *s, struct ir_insn *at, struct parallel *p, unsigned k)
{
    ir_val to = p->many[k], v = p->held[k] ? p->held[k] : p->many[k + 1];
    if (!p->held[k] && is_spilled(s, v))
        v = reload(s, at, v);
    store_spilled(s, at, to, in_class_of(s, at, v, to));
    assert(p->n >= 2 && k < p->n && k % 2 == 0);
    p->n -= 2;
    p->many[k] = p->many[p->n];
    p->many[k + 1] = p->many[p->n + 1];
    p->held[k] = p->held[p->n];
}

/*
 * Sequentialises the copies to memory: each comes when the word that it overwrites is
 * dead.  The copies that are left form cycles, which are broken by one temporary each, so
 * few registers are enough for any number of copies.
 */
static void
move_to_memory(struct spill *s, struct ir_insn *at, struct parallel *p)
{
    while (p->n) {
        bool moved = false;
        for (unsigned k = p->n; k > 0; k -= 2)
            if (k <= p->n && !is_waited_for(s, p, k - 2)) {
                move_word(s, at, p, k - 2);
                moved = true;
            }
        for (unsigned k = 0; k < p->n && !moved; k += 2)
            if (!p->held[k]) {
                p->held[k] = reload(s, at, p->many[k + 1]);
                moved = true;
            }
    }
}

/* Whether v is an argument or a result in its fixed register, which no other copy writes;
 * no copy of arguments goes to memory. */
static bool
is_argument(const struct spill *s, ir_val v)
{
    return ir_value(s->f, v)->fixed >= 0 && ir_value(s->f, v)->no_spill;
}

/*
 * Loads a spilled pair of scalars as a pair of vectors.  Its halves go one by one: between
 * the arguments a0 to a7 no two registers are free that make a pair.
 *
 *     lw t0, 4(sp);  vmv.v.x v40, t0;  lw t0, 8(sp);  vmv.v.x v41, t0
 */
static void
load_halves(struct spill *s, struct ir_insn *at, ir_val to, ir_val from)
{
    ir_val half[2];
    for (unsigned k = 0; k < 2; k++) {
        ir_val word = reload_half(s, at, from, k);
        half[k] = copy_before(s, at, new_temporary(s, IR_V, 1), word);
    }
    struct ir_insn *pair = insert_before(s, at, IR_PAIR);
    pair->src[1] = half[0];
    pair->src[2] = half[1];
    pair->dst = to;
    pair->pair = 1;
}

/* Loads a spilled argument after the parallel copy: one temporary is enough for all. */
static void
load_argument(struct spill *s, struct ir_insn *at, ir_val to, ir_val from)
{
    const struct ir_value *x = ir_value(s->f, from);
    if (x->cls == IR_S && ir_value(s->f, to)->cls == IR_V && x->words == 2 &&
        (is_rematerialised_pair(s, from) || !is_rematerialised(s, from)))
        load_halves(s, at, to, from);
    else
        copy_before(s, at, to, reload(s, at, from));
}

static void
spill_parcopy(struct spill *s, struct ir_insn *in)
{
    struct parallel p = { .many = arena_new(s->f->arena, ir_val, in->n_many),
                          .held = arena_new(s->f->arena, ir_val, in->n_many) };
    ir_val *many = arena_new(s->f->arena, ir_val, in->n_many);
    unsigned n = 0;
    struct ir_insn *next = in->next;
    for (unsigned k = 0; k < in->n_many; k += 2) {
        ir_val to = in->many[k], from = in->many[k + 1];
        bool to_memory = is_spilled(s, to);
        if (same_slot(s, to, from) || (to_memory && !from))
            continue;
        if (to_memory) {
            p.many[p.n++] = to;
            p.many[p.n++] = from;
            continue;
        }
        if (is_spilled(s, from) && is_argument(s, to)) {
            load_argument(s, next, to, from);
            continue;
        }
        if (is_spilled(s, from))
            from = in_class_of(s, in, reload(s, in, from), to);
        many[n++] = to;
        many[n++] = from;
    }
    move_to_memory(s, in, &p);
    assert(!p.n && n <= in->n_many && n % 2 == 0);
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
    if (in->op == IR_COPY && same_slot(s, in->dst, in->src[1])) {
        ir_remove(in);
        return;
    }
    if (in->dst && is_spilled(s, in->dst) && is_rematerialised(s, in->dst)) {
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
        if (v == in->mask)
            ir_value(s->f, t)->fixed = REG_MASK;
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
        t = new_temporary(s, (enum ir_class)ir_value(s->f, dst)->cls,
                          ir_value(s->f, dst)->words);
        ir_value(s->f, t)->odd = ir_value(s->f, dst)->odd;
        ir_value(s->f, t)->fixed = ir_value(s->f, dst)->fixed;
    }
    /* as many registers, of the same class */
    assert(ir_value(s->f, t)->cls == ir_value(s->f, dst)->cls);
    in->dst = t;
    store_spilled(s, in->next, dst, t);
}

/* Counts the definitions of each value; copies between merged values define nothing. */
static void
find_definitions(struct spill *s, ir_val **at)
{
    memset(s->slot, 0, s->n_values * sizeof *s->slot);
    ir_foreach_block (s->f, b)
        ir_foreach_insn (b, in)
            for (unsigned i = ir_defs(in, at); i-- > 0;) {
                ir_val from = in->op == IR_COPY      ? in->src[1]
                              : in->op == IR_PARCOPY ? in->many[2 * i + 1]
                                                     : (ir_val)IR_NONE;
                if (*at[i] <= IR_ZERO ||
                    (from > IR_ZERO &&
                     ra_find(s->g, from) == ra_find(s->g, *at[i])))
                    continue;
                slot_of(s, *at[i])->defs++;
                slot_of(s, *at[i])->make = in;
            }
}

static void
count_spills(struct spill *s)
{
    for (ir_val v = 2; v < s->n_values; v++)
        if (s->g->node[v].spilled && ra_find(s->g, v) == v &&
            !is_rematerialised(s, v)) {
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
    ra_split_groups(g);
    struct spill s = { .g = g, .f = f, .n_values = f->values.n };
    s.slot = arena_new(g->arena, struct slot, f->values.n);
    ir_val **at = arena_new(g->arena, ir_val *, ir_max_sources(f));
    find_definitions(&s, at);
    if (!(g->c->options->off & CC_NO_COALESCE)) {
        /* values that copies join share a slot, unless they are rematerialised */
        bool *again = arena_new(g->arena, bool, s.n_values);
        for (ir_val v = 2; v < s.n_values; v++)
            again[v] = ra_find(g, v) == v && is_rematerialised(&s, v);
        ra_merge_spilled(g, again);
        find_definitions(&s, at);
    }
    count_spills(&s);
    s.sp = ir_value_new(f, IR_S, 1);
    ir_value(f, s.sp)->fixed = REG_SP;
    ir_foreach_block (f, b)
        ir_foreach_insn_safe (b, in)
            spill_insn(&s, in, at);
    ra_slots(g);
}
