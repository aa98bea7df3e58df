/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Debug records when instructions change their order.  A variable changes after the
 * definition of its new value, and not before earlier effects of the program:
 *
 *     x is v     store a     v = ...         x holds v from after its
 *     store a    v = ...     store a         definition and the store a on
 *     y is w     store b     w is in y only from after its definition on;
 *     w = ...    w = ...     from store a up to there y is not known
 *     store b
 *
 * because a debugger can observe at a store how far the program is.
 */
#include <assert.h>

#include "cc/debuginfo/order.h"

static bool
is_seen(const struct ir_insn *in)
{
    bool atomic = ir_is_isa(in->op) &&
                  (ventus_isa_info[in->op].flags & VENTUS_ISA_F_ATOMIC);
    return atomic || in->is_volatile || !in->dst;
}

void
debug_take(struct debug_order *o, struct arena *a, struct ir_insn *first,
           struct ir_insn *end)
{
    struct ir_insn *seen = NULL;
    *o = (struct debug_order){ .arena = a, .before = first->prev };
    size_t waiting = 0;
    for (struct ir_insn *in = first; in; in = in->next) {
        for (struct ir_debug *d = in->debug, *next; d; d = next) {
            next = d->next;
            d->next = NULL;
            vec_push(a, &o->records, ((struct debug_moved){ d, seen, NULL }));
        }
        in->debug = NULL;
        if (in == end)
            break;
        if (!is_seen(in))
            continue;
        seen = in;
        for (; waiting < o->records.n; waiting++)
            o->records.at[waiting].next = in;
    }
}

/* The number of the last definition of the words of a record. */
static uint32_t
defined_at(struct ir_func *f, struct ir_insn *const *insn, uint32_t n,
           const struct ir_debug *d)
{
    uint32_t at = 0;
    for (unsigned i = 0; i < d->n; i++) {
        const struct ir_insn *def =
            d->word[i].v > IR_ZERO ? ir_value(f, d->word[i].v)->def : NULL;
        if (def && def->at && def->at <= n && insn[def->at - 1] == def &&
            def->at > at)
            at = def->at;
    }
    return at;
}

static struct ir_debug *
unknown_record(struct ir_func *f, const struct ir_debug *d)
{
    struct ir_debug *x = arena_new(f->arena, struct ir_debug, 1);
    x->variable = d->variable;
    x->offset_B = d->offset_B;
    x->size_B = d->size_B;
    return x;
}

void
debug_put_back(struct debug_order *o, struct ir_func *f, struct ir_insn *end)
{
    vec(struct ir_insn *) insn = { 0 };
    if (!o->records.n)
        return;
    struct ir_insn *in = o->before ? o->before->next : end->block->first;
    for (; in != end; in = in->next) {
        vec_push(o->arena, &insn, in);
        in->at = (uint32_t)insn.n;
    }
    uint32_t n = (uint32_t)insn.n;
    vec_push(o->arena, &insn, end);
    struct map last = { 0 }; /* by variable: where it changed last */
    for (size_t i = 0; i < o->records.n; i++) {
        const struct debug_moved *r = &o->records.at[i];
        void **before = map_put_number(o->arena, &last, r->record->variable);
        uint32_t from = r->seen ? r->seen->at : 0;
        if (from < (uint32_t)(uintptr_t)*before)
            from = (uint32_t)(uintptr_t)*before;
        uint32_t at = defined_at(f, insn.at, n, r->record);
        at = at > from ? at : from;
        assert(at <= n);
        if (r->next && at >= r->next->at && from < r->next->at)
            ir_debug_before(insn.at[from], unknown_record(f, r->record));
        ir_debug_before(insn.at[at], r->record);
        *before = (void *)(uintptr_t)at;
    }
}
