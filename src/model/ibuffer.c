/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The instruction buffer (cycle.md 3b): a queue of fetched pairs for each warp
 * and, behind it, a register that gives them out one by one.  The register is
 * refilled when it is empty and the warp is ready; while it is empty, ready is
 * judged by the first instruction of the pair that was in it.
 */
#include "model/machine.h"

void
ibuffer_push(struct sm *s, unsigned warp, uint32_t pc, unsigned mask)
{
    static const struct model_op none[2]; /* code that cannot be fetched */
    struct warp *w = &s->warp[warp];
    const struct model_op *op = code_at(s->code[pc / CODE_B % SM_CODES], pc);
    if (!op)
        op = decode_at(s, pc);
    if (!op)
        op = none; /* to be issued as any other: it faults then */
    /* Prefixes are taken out behind the decoder. */
    mask &= ~(op[0].skip | (unsigned)op[1].skip << 1);
    debug_assert(w->pairs < s->m->config.ibuffer);
    w->buffer[(w->first + w->pairs++) % IBUFFER_MAX] =
        (struct pair){ op, (uint8_t)mask };
    s->queued |= bit_of(warp);
    s->full |= (uint64_t)(w->pairs >= s->m->config.ibuffer) << warp;
    if (sm_is_traced(s))
        events_emit(
            s, (struct ventus_model_event){ .kind = VENTUS_MODEL_EVENT_FETCHED,
                                            .warp = warp,
                                            .pc = pc,
                                            .number = mask });
}

void
ibuffer_flush(struct sm *s, unsigned warp)
{
    struct warp *w = &s->warp[warp];
    w->pairs = 0;
    w->current.mask = 0;
    w->head = NULL;
    s->queued &= ~bit_of(warp);
    s->full &= ~bit_of(warp);
    warp_changed(s, warp);
    if (sm_is_traced(s))
        events_emit(s, (struct ventus_model_event){
                           .kind = VENTUS_MODEL_EVENT_FLUSHED, .warp = warp });
}

static void
show(struct warp *w)
{
    const struct pair *p = &w->current;
    w->head = p->mask == 2 ? p->op + 1 : p->op;
}

void
ibuffer_take(struct sm *s, unsigned warp)
{
    struct warp *w = &s->warp[warp];
    debug_assert(w->current.mask && w->current.mask < 4);
    w->current.mask = w->current.mask == 3 ? 2 : 0;
    show(w);
    warp_changed(s, warp);
}

/*
 * Refills the registers of warps that were ready when the cycle began.  What is
 * fetched in this cycle comes behind: all pairs in a queue can be seen.
 */
void
ibuffer_cycle(struct sm *s)
{
    uint64_t left = s->refills & s->queued & s->active;
    s->is_active |= left != 0;
    for (; left; left &= left - 1) {
        unsigned i = lowest(left);
        struct warp *w = &s->warp[i];
        debug_assert(w->pairs && !w->current.mask);
        w->current = w->buffer[w->first];
        w->first = (w->first + 1) % IBUFFER_MAX;
        show(w);
        s->queued &= ~((uint64_t) !--w->pairs << i);
        s->full &= ~bit_of(i);
        warp_changed(s, i);
    }
}
