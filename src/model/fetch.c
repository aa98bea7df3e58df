/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fetch (cycle.md 3b): a pair of instructions of one warp a cycle, the lowest
 * warp whose buffer has room.  What misses, or finds the buffer full when it
 * comes back, sets the warp's pc back, and it asks again.
 */
#include "model/machine.h"

enum { PAIR_B = 8 };

/* Does the answer of this cycle send its warp back?  Branches wait for it. */
void
fetch_begin(struct sm *s)
{
    const struct fetch *c = &s->fetch;
    uint64_t full = ibuffer_full(&s->ibuffer);
    s->fetches = s->active & ~full;
    s->flushed = 0;
    s->branched = false;
    s->blocked = c->done.valid & (c->missed | (full >> c->done.warp & 1));
}

void
fetch_flush(struct sm *s, unsigned warp)
{
    s->flushed |= bit_of(warp);
    ibuffer_flush(&s->ibuffer, warp);
    if (events_are_on(&s->events))
        events_emit(&s->events, s->now,
                    (struct ventus_model_event){
                        .kind = VENTUS_MODEL_EVENT_FLUSHED, .warp = warp });
}

void
fetch_jump(struct sm *s, unsigned warp, uint32_t pc)
{
    struct warp *w = &s->warp[warp];
    w->fetch_pc = pc & ~(PAIR_B - 1u);
    w->fetch_mask = pc & 4 ? 2 : 3;
}

static bool
is_flushed(const struct sm *s, unsigned warp)
{
    return s->flushed >> warp & 1;
}

/* Code that cannot be fetched is issued as any other: it faults then. */
static void
push(struct sm *s, const struct fetch_request *r)
{
    static const struct model_op none[2];
    const struct model_op *op = decoder_at(&s->decoder, r->pc);
    unsigned left = ibuffer_push(&s->ibuffer, r->warp, op ? op : none, r->mask);
    if (events_are_on(&s->events))
        events_emit(
            &s->events, s->now,
            (struct ventus_model_event){ .kind = VENTUS_MODEL_EVENT_FETCHED,
                                         .warp = r->warp,
                                         .pc = r->pc,
                                         .number = left });
}

static void
take_answer(struct sm *s)
{
    struct fetch_request *r = &s->fetch.done;
    if (!r->valid)
        return;
    if (s->blocked) {
        s->warp[r->warp].fetch_pc = r->pc;
        s->warp[r->warp].fetch_mask = r->mask;
        s->flushed |= bit_of(r->warp);
    } else if (!is_flushed(s, r->warp)) {
        push(s, r);
    }
}

/* In the TLB and the cache; what misses has begun to be fetched. */
static bool
look_up(struct sm *s, uint32_t pc)
{
    bool hit = tlb_lookup(&s->tlb[TLB_FETCH], pc, s->now) &&
               icache_lookup(&s->icache, pc >> s->line_shift, s->now);
    s->is_pending |= !hit;
    return hit;
}

static void
read_tags(struct sm *s)
{
    struct fetch *c = &s->fetch;
    c->done.valid = false;
    if (!c->tagged.valid)
        return;
    bool hit = look_up(s, c->tagged.pc);
    c->done = c->tagged;
    c->missed = !hit;
    c->done.valid = !is_flushed(s, c->tagged.warp);
}

static void
ask(struct sm *s)
{
    struct fetch *c = &s->fetch;
    c->tagged.valid = false;
    if (!s->fetches)
        return;
    unsigned i = lowest(s->fetches);
    struct warp *w = &s->warp[i];
    /* It was sent elsewhere in this cycle: nothing is asked. */
    if (is_flushed(s, i))
        return;
    debug_assert(!(w->fetch_pc % PAIR_B) && w->fetch_mask);
    c->tagged = (struct fetch_request){ .pc = w->fetch_pc,
                                        .mask = w->fetch_mask,
                                        .warp = (uint8_t)i,
                                        .valid = true };
    w->fetch_pc += PAIR_B;
    w->fetch_mask = 3;
}

void
fetch_cycle(struct sm *s)
{
    s->is_active |= s->fetch.done.valid | s->fetch.tagged.valid | !!s->fetches;
    take_answer(s);
    read_tags(s);
    if (icache_was_filled(&s->icache, s->now))
        icache_write(&s->icache, s->now);
    ask(s);
}
