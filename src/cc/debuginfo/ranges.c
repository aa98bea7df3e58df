/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Location lists: the location of each variable, from the results of debuginfo/flow.c, in
 * the order of the code.
 */
#include <assert.h>
#include <string.h>

#include "base/defer.h"
#include "cc/code.h"
#include "cc/debuginfo/flow.h"

enum { MAX_PARTS = 64 };

static struct debug_piece
piece_of(const struct flow *w, const struct ir_debug *d, unsigned i, unsigned k)
{
    const struct ir_debug_word *x = &d->word[i];
    struct debug_piece p = { .kind = DEBUG_UNKNOWN, .base = -1 };
    if (x->v == IR_ZERO) {
        p.kind = DEBUG_NUMBER;
        p.value = x->imm;
    }
    if (x->v <= IR_ZERO)
        return p;
    unsigned unit = w->first_unit[x->v] - 1 + k;
    unsigned place = w->units.at[unit].place;
    if (!flow_is_held(w, unit) || place == DEBUG_NO_PLACE)
        return p;
    if (place < DEBUG_STACK) {
        p.kind = DEBUG_REGISTER;
        p.cls = place < DEBUG_REGS ? IR_S : IR_V;
        p.value = place % DEBUG_REGS;
        return p;
    }
    enum { REG_SP = 2, REG_TP = 4 };
    p.kind = DEBUG_MEMORY;
    if (place < DEBUG_STACK + DEBUG_STACK_WORDS) {
        p.base = REG_SP;
        p.value = 4 * (place - DEBUG_STACK);
        return p;
    }
    p.base = w->f->is_relative ? REG_TP : -1;
    p.value = CC_DEBUG_PRIVATE + w->f->arrays_B +
              4 * (place - DEBUG_STACK - DEBUG_STACK_WORDS);
    return p;
}

typedef vec(struct debug_piece) piece_list;

/* Adds the pieces of one record, computed or word by word. */
static void
add_pieces(struct flow *w, const struct ir_debug *d, piece_list *list)
{
    uint32_t at = d->offset_B, end = d->offset_B + d->size_B;
    if (d->is_address || d->n_steps) {
        struct debug_piece *of = arena_new(w->arena, struct debug_piece, d->n);
        bool known = d->n > 0;
        for (unsigned i = 0; i < d->n; i++) {
            of[i] = piece_of(w, d, i, 0);
            known &= of[i].kind != DEBUG_UNKNOWN;
        }
        struct debug_piece p = { .kind = DEBUG_COMPUTED,
                                 .base = -1,
                                 .offset_B = at,
                                 .size_B = end - at,
                                 .of = of,
                                 .step = d->step,
                                 .n_steps = d->n_steps };
        if (known)
            vec_push(w->arena, list, p);
        return;
    }
    for (unsigned i = 0; i < d->n; i++)
        for (uint32_t k = 0; 4 * k < d->word[i].size_B; k++) {
            uint32_t left = d->word[i].size_B - 4 * k;
            struct debug_piece p = piece_of(w, d, i, k);
            p.offset_B = at;
            p.size_B = left < 4 ? left : 4;
            at += p.size_B;
            if (p.kind != DEBUG_UNKNOWN)
                vec_push(w->arena, list, p);
        }
}

static void
sort_pieces(piece_list *list)
{
    for (size_t i = 1; i < list->n; i++)
        for (size_t k = i; k && list->at[k].offset_B < list->at[k - 1].offset_B;
             k--) {
            struct debug_piece p = list->at[k];
            list->at[k] = list->at[k - 1];
            list->at[k - 1] = p;
        }
}

/* Whether the piece is in memory at an address, which may be relative to a register. */
static bool
is_in_memory(const struct debug_piece *p, uint32_t *address)
{
    bool given =
        p->kind == DEBUG_COMPUTED && !p->n_steps && p->of->kind == DEBUG_NUMBER;
    *address = given ? p->of->value : p->value;
    return given || p->kind == DEBUG_MEMORY;
}

/* Debuggers take the address of what is one piece. */
static void
join_memory(piece_list *list)
{
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++) {
        const struct debug_piece *p = &list->at[i];
        struct debug_piece *last = n ? &list->at[n - 1] : NULL;
        uint32_t at, before;
        if (last && is_in_memory(last, &before) && is_in_memory(p, &at) &&
            p->base == last->base && at == before + last->size_B &&
            p->offset_B == last->offset_B + last->size_B)
            last->size_B += p->size_B;
        else
            list->at[n++] = *p;
    }
    list->n = n;
}

static void
close_range(struct flow *w, unsigned local, uint32_t end)
{
    struct open *o = &w->open[local];
    struct cc_debug_variable *v =
        &w->c->m->debug->variables.at[w->variables.at[local]];
    if (o->now.n && end > o->start) {
        uint8_t *copy = arena_new(w->f->arena, uint8_t, o->now.n);
        memcpy(copy, o->now.at, o->now.n);
        struct dwarf_location l = { { w->text, w->text_start + o->start,
                                      w->text_start + end },
                                    copy,
                                    o->now.n };
        vec_push(w->f->arena, &v->locations, l);
    }
    o->now.n = 0;
    o->start = end;
}

/* Whether a variable is a large array that LLVM took apart: its list would grow with
 * the square of its elements. */
static bool
has_many_parts(const struct flow *w, uint32_t variable)
{
    unsigned n = 0;
    for (uint32_t s = w->first_slot[variable]; s && n <= MAX_PARTS;
         s = w->slots.at[s - 1].next)
        n++;
    return n > MAX_PARTS;
}

/* Updates the expression of the variable from `at` on. */
static void
update_variable(struct flow *w, unsigned local, uint32_t at)
{
    uint32_t variable = w->variables.at[local];
    struct open *o = &w->open[local];
    struct arena_mark mark = arena_mark(w->arena);
    piece_list list = { 0 };
    if (has_many_parts(w, variable))
        return;
    for (uint32_t s = w->first_slot[variable]; s; s = w->slots.at[s - 1].next)
        if (w->now.bound[s - 1])
            add_pieces(w, w->now.bound[s - 1], &list);
    sort_pieces(&list);
    join_memory(&list);
    struct buf b = { 0 };
    struct oom_cleanup free_b;
    oom_defer_buf(&free_b, &b);
    debug_expression(&b, list.at, list.n,
                     w->c->m->debug->variables.at[variable].size_B);
    arena_reset(w->arena, mark);
    bool same = b.n == o->now.n && (!b.n || memcmp(b.at, o->now.at, b.n) == 0);
    if (!same) {
        close_range(w, local, at);
        buf_put(&o->now, b.at, b.n);
        o->start = at;
    }
    oom_release(&free_b);
}

static void
flush_variables(struct flow *w, uint32_t at)
{
    for (unsigned i = 0; i < w->variables.n; i++)
        if (w->dirty[i]) {
            w->dirty[i] = false;
            update_variable(w, i, at);
        }
}

/*
 * Writes the locations in a block.  What an instruction of several words overwrites is
 * lost after its first word, and what it defines is there after the last; what a call
 * may write is lost before it.
 */
static void
write_block(struct flow *w, const struct ir_block *b, uint32_t end)
{
    flow_begin_block(w, b);
    memset(w->dirty, true, w->variables.n * sizeof *w->dirty);
    flush_variables(w, w->code->block_at[b->id]);
    ir_foreach_insn (b, in) {
        uint32_t next = in->next ? in->next->at : end;
        ir_foreach_debug (in, d)
            flow_take_record(w, d);
        if (in->op == IR_CALL)
            flow_lose(w, in);
        flush_variables(w, in->at);
        flow_lose(w, in);
        if (next > in->at + 4)
            flush_variables(w, in->at + 4);
        flow_define(w, in);
    }
}

static void
free_open(void *flow)
{
    struct flow *w = flow;
    for (unsigned i = 0; i < w->variables.n; i++)
        buf_free(&w->open[i].now);
}

static void
find_ranges(struct flow *w)
{
    struct oom_cleanup free_all;
    w->writing = true;
    w->dirty = arena_new(w->arena, bool, w->variables.n);
    w->open = arena_new(w->arena, struct open, w->variables.n);
    oom_defer(&free_all, free_open, w);
    uint32_t end = (uint32_t)w->code->words.n;
    for (unsigned i = 0; i < w->code->n_order; i++) {
        const struct ir_block *next =
            i + 1 < w->code->n_order ? w->code->order[i + 1] : NULL;
        write_block(w, w->code->order[i],
                    next ? w->code->block_at[next->id] : end);
    }
    for (unsigned i = 0; i < w->variables.n; i++)
        close_range(w, i, end);
    oom_release(&free_all);
}

void
debug_find_locations(struct cc *c, const struct cc_code *code, unsigned text,
                     uint32_t start)
{
    struct arena arena = { 0 };
    struct flow w = { .c = c,
                      .f = c->f,
                      .arena = &arena,
                      .code = code,
                      .text = text,
                      .text_start = start };
    flow_find(&w);
    if (w.variables.n)
        find_ranges(&w);
    arena_free(&arena);
}
