/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fetch (microarchitecture.md, Fetch): a pair of instructions of one warp a
 * cycle, the lowest warp whose buffer has room.  A request that misses, or whose
 * answer finds the buffer full, sets the warp's pc back, and the warp repeats it.
 */
#include "model/pipeline/fetch.h"

#include <assert.h>

#include "base/debug_assert.h"

enum { PAIR_B = 8 };

void
fetch_jump(struct fetch *f, unsigned warp, uint32_t pc)
{
    assert(warp < MAX_WARPS);
    f->state.pc[warp] = pc & ~(PAIR_B - 1u);
    f->state.mask[warp] = pc & 4 ? 2 : 3;
}

static bool
is_flushed(const struct fetch_state *t, unsigned warp)
{
    return t->flushed >> warp & 1;
}

/* A pair that is sent back drops the request that follows it, too. */
static bool
take_answer(struct fetch_state *t, struct fetch_request *pair)
{
    const struct fetch_request *r = &t->done;
    if (t->blocked) {
        t->pc[r->warp] = r->pc;
        t->mask[r->warp] = r->mask;
        t->flushed |= bit_of(r->warp);
    }
    *pair = *r;
    return r->valid && !is_flushed(t, r->warp);
}

/* In the TLB and the cache; what misses has begun to be fetched. */
static void
read_tags(struct fetch *f, uint64_t now)
{
    struct fetch_state *t = &f->state;
    t->done.valid = t->missed = false;
    if (!t->tagged.valid)
        return;
    t->missed = !tlb_lookup(f->tlb, t->tagged.pc, now) ||
                !icache_lookup(f->icache, t->tagged.pc >> f->line_shift, now);
    t->done = t->tagged;
    t->done.valid = !is_flushed(t, t->tagged.warp);
}

/* For the lowest warp, but not if it was sent elsewhere in this cycle. */
static void
ask(struct fetch_state *t)
{
    t->tagged.valid = false;
    if (!t->wants)
        return;
    unsigned i = lowest(t->wants);
    if (is_flushed(t, i))
        return;
    debug_assert(!(t->pc[i] % PAIR_B) && t->mask[i]);
    t->tagged = (struct fetch_request){
        .pc = t->pc[i], .mask = t->mask[i], .warp = (uint8_t)i, .valid = true
    };
    t->pc[i] += PAIR_B;
    t->mask[i] = 3;
}

bool
fetch_tick(struct fetch *f, uint64_t now, struct fetch_request *pair)
{
    bool came = take_answer(&f->state, pair);
    read_tags(f, now);
    if (icache_was_filled(f->icache, now))
        icache_write(f->icache, now);
    ask(&f->state);
    return came;
}

void
fetch_init(struct fetch *f, struct tlb *tlb, struct icache *icache,
           unsigned line_shift)
{
    *f = (struct fetch){ .tlb = tlb,
                         .icache = icache,
                         .line_shift = line_shift };
}

void
fetch_reset(struct fetch *f)
{
    f->state = (struct fetch_state){ .wants = 0 };
}
