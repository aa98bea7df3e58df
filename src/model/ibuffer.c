/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The instruction buffer (cycle.md 3b): a queue of fetched pairs for each warp
 * and, behind it, a register that gives them out one by one.  The register is
 * refilled when it is empty and the warp is ready; while it is empty, ready is
 * judged by the first instruction of the pair that was in it.
 */
#include "model/machine.h"

/* What others ask of the queue. */
static void
note(struct sm *s, unsigned warp)
{
    unsigned n = s->warp[warp].pairs.n;
    uint64_t bit = bit_of(warp);
    s->queued = n ? s->queued | bit : s->queued & ~bit;
    s->full = n >= s->m->config.ibuffer ? s->full | bit : s->full & ~bit;
}

void
ibuffer_push(struct sm *s, unsigned warp, uint32_t pc, unsigned mask)
{
    struct warp *w = &s->warp[warp];
    const struct model_op *op = decode_at(s, pc);
    /* Prefixes are taken out behind the decoder. */
    for (unsigned i = 0; op && i < 2; i++)
        if (op[i].skip)
            mask &= ~(1u << i);
    w->buffer[fifo_push(&w->pairs, s->now) % 8] =
        (struct pair){ op, op ? (uint8_t)mask : 0 };
    note(s, warp);
    if (is_watched(s->m))
        watch_tell(s, (struct model_event){ .kind = MODEL_EVENT_FETCHED,
                                            .warp = warp,
                                            .pc = pc,
                                            .number = mask });
}

void
ibuffer_flush(struct sm *s, unsigned warp)
{
    struct warp *w = &s->warp[warp];
    w->pairs.n = 0;
    w->current.mask = 0;
    w->stale = false;
    note(s, warp);
    warp_changed(s, warp);
    if (is_watched(s->m))
        watch_tell(s, (struct model_event){ .kind = MODEL_EVENT_FLUSHED,
                                            .warp = warp });
}

/* Refills the registers of warps that were ready when the cycle began. */
void
ibuffer_cycle(struct sm *s)
{
    uint64_t left = s->refills & s->queued & s->active;
    s->acts |= left != 0;
    for (; left; left &= left - 1) {
        unsigned i = lowest(left);
        struct warp *w = &s->warp[i];
        if (!fifo_ready(&w->pairs, s->now))
            continue;
        w->current = w->buffer[fifo_pop(&w->pairs, s->now) % 8];
        w->stale = true;
        note(s, i);
        warp_changed(s, i);
    }
}
