/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The instruction buffer (cycle.md 3b): a queue of fetched pairs for each warp
 * and, behind it, a register that gives them out one by one.  The register is
 * refilled when it is empty and the warp is ready; while it is empty, ready is
 * judged by the first instruction of the pair that was in it.
 */
#include "model/machine.h"

void
ibuffer_push(struct sm *s, unsigned warp, struct pair p)
{
    struct warp *w = &s->warp[warp];
    /* Prefixes are taken out behind the decoder. */
    for (unsigned i = 0; i < 2; i++) {
        const struct model_op *o =
            p.mask >> i & 1 ? decode_at(s, p.pc + 4 * i) : NULL;
        if (o && o->skip)
            p.mask &= (uint8_t) ~(1u << i);
    }
    w->pushed_at = s->m->now;
    w->buffer[fifo_push(&w->pairs, s->m->now) % 8] = p;
    if (is_watched(s->m))
        watch_tell(s, (struct model_event){ .kind = MODEL_EVENT_FETCHED,
                                            .warp = warp,
                                            .pc = p.pc,
                                            .number = p.mask });
}

void
ibuffer_flush(struct sm *s, unsigned warp)
{
    struct warp *w = &s->warp[warp];
    w->pairs.n = 0;
    w->current.mask = 0;
    w->stale = false;
    if (is_watched(s->m))
        watch_tell(s, (struct model_event){ .kind = MODEL_EVENT_FLUSHED,
                                            .warp = warp });
}

const struct model_op *
ibuffer_head(struct sm *s, unsigned warp)
{
    const struct warp *w = &s->warp[warp];
    if (w->current.mask)
        return decode_at(s, w->current.pc + (w->current.mask & 1 ? 0 : 4));
    return w->stale ? decode_at(s, w->current.pc) : NULL;
}

/* Refills the registers of warps that were ready when the cycle began. */
void
ibuffer_cycle(struct sm *s)
{
    for (unsigned i = 0; i < s->warps; i++) {
        struct warp *w = &s->warp[i];
        if (!w->active || !w->is_ready || !w->was_empty ||
            !fifo_ready(&w->pairs, s->m->now))
            continue;
        w->current = w->buffer[fifo_pop(&w->pairs, s->m->now) % 8];
        w->stale = true;
    }
}
