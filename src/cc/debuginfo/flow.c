/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The locations of the variables of the source, after register allocation.  A
 * forward dataflow analysis computes for each place of the code
 *
 *   held    the values that are in their registers or their spill slots
 *   bound   the last ir_debug of each part of a variable
 *
 * A variable is at the location of the values that it is bound to, as far as these
 * are held.  A write to a register ends the other values in it; a definition of a
 * value ends the variables that are bound to its previous value.  At the start
 * of a block all predecessors must agree; for scalars that includes the end
 * of the other side of a divergent branch, which may run before (live.h).
 * Lanes that have left a loop see scalars of later iterations, so values that the
 * loop defines are not held after its divergent exits.
 */
#include <assert.h>
#include <string.h>

#include "cc/debuginfo/flow.h"
#include "cc/regions.h"

static size_t
held_words(const struct flow *w)
{
    return w->units.n / 64 + 1;
}

static bool
is_held(const struct state *s, unsigned unit)
{
    return s->held[unit / 64] >> unit % 64 & 1;
}

/* ---- what there is ---- */

static unsigned
place_of(const struct flow *w, ir_val v, unsigned k)
{
    const struct ir_value *x = ir_value(w->f, v);
    if (x->reg >= 0)
        return x->cls * (unsigned)DEBUG_REGS + (unsigned)x->reg + k;
    int32_t at = x->spill ? w->f->spill_at[x->spill + k] : -1;
    if (at < 0)
        return DEBUG_NO_PLACE;
    if (x->cls == IR_S)
        return DEBUG_STACK + (unsigned)at / 4;
    return DEBUG_STACK + DEBUG_STACK_WORDS +
           ((unsigned)at - w->f->arrays_B) / 4;
}

static void
add_value(struct flow *w, ir_val v)
{
    if (v <= IR_ZERO || w->first_unit[v])
        return;
    w->first_unit[v] = (uint32_t)w->units.n + 1;
    for (unsigned k = 0; k < ir_value(w->f, v)->words; k++) {
        struct unit u = { v, place_of(w, v, k),
                          ir_value(w->f, v)->cls == IR_S };
        if (u.place != DEBUG_NO_PLACE) {
            assert(u.place < w->n_places);
            vec_push(w->arena, &w->at_place[u.place].of, (unsigned)w->units.n);
        }
        vec_push(w->arena, &w->units, u);
    }
}

static void
add_record(struct flow *w, struct ir_debug *d)
{
    for (unsigned i = 0; i < d->n; i++)
        add_value(w, d->word[i].v);
    uint32_t s = w->first_slot[d->variable];
    if (!s) {
        w->local[d->variable] = (uint32_t)w->variables.n;
        vec_push(w->arena, &w->variables, d->variable);
    }
    for (; s; s = w->slots.at[s - 1].next)
        if (w->slots.at[s - 1].offset_B == d->offset_B &&
            w->slots.at[s - 1].size_B == d->size_B)
            break;
    if (!s) {
        struct slot x = { d->variable, d->offset_B, d->size_B,
                          w->first_slot[d->variable] };
        vec_push(w->arena, &w->slots, x);
        w->first_slot[d->variable] = s = (uint32_t)w->slots.n;
    }
    d->slot = s - 1;
}

/* ---- changes ---- */

static void
mark_dirty(struct flow *w, uint32_t slot)
{
    if (w->writing)
        w->dirty[w->local[w->slots.at[slot].variable]] = true;
}

static void
bind_slot(struct flow *w, uint32_t slot, struct ir_debug *d)
{
    if (w->now.bound[slot] == d)
        return;
    w->now.bound[slot] = d;
    mark_dirty(w, slot);
}

/* A record ends what it overlaps. */
void
flow_take_record(struct flow *w, struct ir_debug *d)
{
    const struct slot *x = &w->slots.at[d->slot];
    for (uint32_t s = w->first_slot[x->variable]; s;) {
        const struct slot *y = &w->slots.at[s - 1];
        if (y->offset_B < x->offset_B + x->size_B &&
            x->offset_B < y->offset_B + y->size_B)
            bind_slot(w, s - 1, s - 1 == d->slot ? d : NULL);
        s = y->next;
    }
}

static bool
record_names(const struct ir_debug *d, ir_val v)
{
    for (unsigned i = 0; d && i < d->n; i++)
        if (d->word[i].v == v)
            return true;
    return false;
}

static void
set_held(struct flow *w, unsigned unit, bool held)
{
    uint64_t bit = UINT64_C(1) << unit % 64;
    if (is_held(&w->now, unit) == held)
        return;
    w->now.held[unit / 64] ^= bit;
    for (uint32_t s = 0; w->writing && s < w->slots.n; s++)
        if (record_names(w->now.bound[s], w->units.at[unit].v))
            mark_dirty(w, s);
}

/* Something else is written there. */
static void
lose_place(struct flow *w, unsigned place)
{
    assert(place < w->n_places);
    for (size_t i = 0; i < w->at_place[place].of.n; i++)
        set_held(w, w->at_place[place].of.at[i], false);
}

/* Unbinds the parts of variables that v is bound to: it has another value from now on. */
static void
invalidate_value(struct flow *w, ir_val v)
{
    for (uint32_t s = 0; w->first_unit[v] && s < w->slots.n; s++)
        if (record_names(w->now.bound[s], v))
            bind_slot(w, s, NULL);
}

static bool
same_register(const struct flow *w, ir_val a, ir_val b)
{
    if (a <= IR_ZERO || b <= IR_ZERO)
        return false;
    const struct ir_value *x = ir_value(w->f, a), *y = ir_value(w->f, b);
    return x->cls == y->cls && x->words == y->words && x->reg == y->reg;
}

/* The value that definition i of an instruction is a copy of, or IR_NONE. */
static ir_val
copy_source(const struct ir_insn *in, unsigned i)
{
    if (in->op == IR_PARCOPY)
        return in->many[2 * i + 1];
    return in->op == IR_COPY ? in->src[1] : (ir_val)IR_NONE;
}

/* Whether definition i writes a new value: a copy of nothing, or to its own register,
 * does not. */
static bool
writes_new_value(const struct flow *w, const struct ir_insn *in, unsigned i,
                 ir_val v)
{
    ir_val from = copy_source(in, i);
    return !(in->op == IR_PARCOPY && !from) && !same_register(w, v, from);
}

/* Forgets the values in the places that the instruction writes. */
void
flow_lose(struct flow *w, struct ir_insn *in)
{
    for (unsigned r = 0; in->op == IR_CALL && r < 256; r++) {
        if (r < 64 && ir_call_writes(in, IR_S, r))
            lose_place(w, r);
        if (ir_call_writes(in, IR_V, r))
            lose_place(w, DEBUG_REGS + r);
    }
    unsigned n = ir_defs(in, w->at);
    for (unsigned i = 0; i < n; i++) {
        const struct ir_value *x = ir_value(w->f, *w->at[i]);
        if (x->reg < 0 || *w->at[i] <= IR_ZERO)
            continue;
        for (unsigned k = 0;
             writes_new_value(w, in, i, *w->at[i]) && k < x->words; k++)
            lose_place(w, place_of(w, *w->at[i], k));
        invalidate_value(w, *w->at[i]);
    }
    if (!in->spill || !ir_is_store(in))
        return;
    unsigned k = in->spill - ir_value(w->f, in->spilled)->spill;
    unsigned place = place_of(w, in->spilled, k);
    if (place != DEBUG_NO_PLACE)
        lose_place(w, place);
    invalidate_value(w, in->spilled);
}

static void
hold_word(struct flow *w, ir_val v, unsigned k)
{
    if (w->first_unit[v] && place_of(w, v, k) != DEBUG_NO_PLACE)
        set_held(w, w->first_unit[v] - 1 + k, true);
}

/* Notes the values that the instruction writes. */
void
flow_define(struct flow *w, struct ir_insn *in)
{
    unsigned n = ir_defs(in, w->at);
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0;
             *w->at[i] > IR_ZERO && k < ir_value(w->f, *w->at[i])->words; k++)
            hold_word(w, *w->at[i], k);
    if (in->spill && ir_is_store(in))
        hold_word(w, in->spilled,
                  in->spill - ir_value(w->f, in->spilled)->spill);
}

/* ---- blocks ---- */

static bool
same_steps(const struct ir_debug *a, const struct ir_debug *b)
{
    if (a->n_steps != b->n_steps)
        return false;
    for (unsigned i = 0; i < a->n_steps; i++) {
        const struct ir_debug_step *x = &a->step[i], *y = &b->step[i];
        if (x->word != y->word || x->size != y->size ||
            (x->size && memcmp(x->operations, y->operations, x->size) != 0))
            return false;
    }
    return true;
}

static bool
same_record(const struct ir_debug *a, const struct ir_debug *b)
{
    if (a == b || !a || !b)
        return a == b;
    if (a->n != b->n || a->is_address != b->is_address || !same_steps(a, b))
        return false;
    for (unsigned i = 0; i < a->n; i++)
        if (a->word[i].v != b->word[i].v || a->word[i].imm != b->word[i].imm ||
            a->word[i].size_B != b->word[i].size_B)
            return false;
    return true;
}

/* Joins w->now with what holds at the end of a predecessor. */
static void
join_state(struct flow *w, const struct state *from, bool physical_only,
           bool first)
{
    for (size_t i = 0; i < w->units.n; i++)
        if (!is_held(from, (unsigned)i) &&
            (!physical_only || w->units.at[i].physical))
            w->now.held[i / 64] &= ~(UINT64_C(1) << i % 64);
    for (size_t s = 0; s < w->slots.n && !physical_only; s++)
        if (first)
            w->now.bound[s] = from->bound[s];
        else if (!same_record(w->now.bound[s], from->bound[s]))
            w->now.bound[s] = NULL;
}

/* Blocks that were not visited yet have no effect. */
void
flow_begin_block(struct flow *w, const struct ir_block *b)
{
    bool first = true;
    memset(w->now.held, 0xff, held_words(w) * sizeof *w->now.held);
    memset(w->now.bound, 0, w->slots.n * sizeof *w->now.bound);
    if (b == w->f->blocks.at[0])
        memset(w->now.held, 0, held_words(w) * sizeof *w->now.held);
    for (size_t i = 0; i < b->preds.n; i++)
        if (w->known[b->preds.at[i]->id]) {
            join_state(w, &w->out[b->preds.at[i]->id], false, first);
            first = false;
        }
    const struct live_edges *extra = &w->extra[b->id];
    for (size_t i = 0; i < extra->from.n; i++)
        if (w->known[extra->from.at[i]->id])
            join_state(w, &w->out[extra->from.at[i]->id], true, false);
    for (size_t i = 0; w->leaves[b->id] && i < held_words(w); i++)
        w->now.held[i] &= ~w->leaves[b->id][i];
}

static struct state
new_state(struct flow *w)
{
    return (
        struct state){ arena_new(w->arena, uint64_t, held_words(w)),
                       arena_new(w->arena, struct ir_debug *, w->slots.n + 1) };
}

/* Keeps the state at the end of the block; true if it has changed. */
static bool
end_block(struct flow *w, const struct ir_block *b)
{
    struct state *out = &w->out[b->id];
    bool changed = !w->known[b->id];
    if (changed)
        *out = new_state(w);
    w->known[b->id] = true;
    changed |=
        memcmp(out->held, w->now.held, held_words(w) * sizeof *out->held) != 0;
    for (size_t s = 0; s < w->slots.n && !changed; s++)
        changed = !same_record(out->bound[s], w->now.bound[s]);
    memcpy(out->held, w->now.held, held_words(w) * sizeof *out->held);
    memcpy(out->bound, w->now.bound, w->slots.n * sizeof *out->bound);
    return changed;
}

static void
solve_flow(struct flow *w)
{
    for (bool changed = true; changed;) {
        changed = false;
        ir_foreach_rpo (w->f, b) {
            flow_begin_block(w, b);
            ir_foreach_insn (b, in) {
                ir_foreach_debug (in, d)
                    flow_take_record(w, d);
                flow_lose(w, in);
                flow_define(w, in);
            }
            changed |= end_block(w, b);
        }
    }
}

/* Units of scalars that the blocks of a region define. */
static void
add_defined(struct flow *w, const struct region *r, uint64_t *to)
{
    for (unsigned k = 0; k < 2; k++)
        for (size_t i = 0; i < r->n[k]; i++)
            ir_foreach_insn (r->side[k][i], in)
                for (unsigned n = ir_defs(in, w->at); n-- > 0;) {
                    uint32_t u = w->first_unit[*w->at[n]];
                    if (*w->at[n] <= IR_ZERO || !u ||
                        ir_value(w->f, *w->at[n])->cls != IR_S)
                        continue;
                    for (unsigned x = 0; x < ir_value(w->f, *w->at[n])->words;
                         x++)
                        to[(u - 1 + x) / 64] |= UINT64_C(1) << (u - 1 + x) % 64;
                }
}

static void
lose_at(struct flow *w, const struct ir_block *b, const uint64_t *units)
{
    uint64_t **at = &w->leaves[b->id];
    if (!*at)
        *at = arena_new(w->arena, uint64_t, held_words(w));
    for (size_t i = 0; i < held_words(w); i++)
        (*at)[i] |= units[i];
}

/* Divergent branches that come again before their lanes meet leave a loop. */
static void
find_exits(struct flow *w)
{
    struct region r = region_begin(w->arena, w->f);
    uint64_t *units = arena_new(w->arena, uint64_t, held_words(w));
    ir_foreach_rpo (w->f, b) {
        if (!b->last || !ir_is_vbranch(b->last))
            continue;
        region_find(&r, b);
        bool again[2] = { region_has(&r, 0, b), region_has(&r, 1, b) };
        if (!again[0] && !again[1])
            continue;
        memset(units, 0, held_words(w) * sizeof *units);
        add_defined(w, &r, units);
        if (r.meet)
            lose_at(w, r.meet, units);
        for (unsigned k = 0; k < 2; k++)
            if (!again[k] || again[1 - k])
                lose_at(w, b->succ[k], units);
    }
}

/* ---- the whole ---- */

static void
find_parts(struct flow *w)
{
    size_t n = w->c->m->debug->variables.n;
    w->n_places = DEBUG_STACK + DEBUG_STACK_WORDS +
                  (w->f->private_B - w->f->arrays_B) / 4 + 1;
    w->at_place = arena_new(w->arena, struct unit_list, w->n_places);
    w->first_unit = arena_new(w->arena, uint32_t, w->f->values.n);
    w->first_slot = arena_new(w->arena, uint32_t, n);
    w->local = arena_new(w->arena, uint32_t, n);
    ir_foreach_rpo (w->f, b)
        ir_foreach_insn (b, in)
            ir_foreach_debug (in, d)
                add_record(w, d);
}

void
flow_find(struct flow *w)
{
    find_parts(w);
    if (!w->variables.n)
        return;
    size_t n = w->f->blocks.n;
    w->out = arena_new(w->arena, struct state, n);
    w->known = arena_new(w->arena, bool, n);
    w->leaves = arena_new(w->arena, uint64_t *, n);
    w->extra = live_edges(w->arena, w->f);
    w->at = arena_new(w->arena, ir_val *, ir_max_sources(w->f));
    w->now = new_state(w);
    find_exits(w);
    solve_flow(w);
}
