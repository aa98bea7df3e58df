/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/bits.h"
#include "model/memory/icache.h"
#include "model/memory/tlb.h"

struct fetch_request {
    uint32_t pc; /* aligned to the pair */
    uint8_t mask, warp;
    bool valid;
};

/* State of one run; bits are warps.  A request reads the tags in its first stage,
 * and is answered in the second. */
struct fetch_state {
    struct fetch_request tagged, done;
    bool missed;      /* for `done` */
    bool blocked;     /* `done` is sent back in this cycle */
    uint64_t wants;   /* warps that had room when the cycle began */
    uint64_t flushed; /* in this cycle */
    uint32_t pc[MAX_WARPS];
    uint8_t mask[MAX_WARPS]; /* instructions of the pair at pc */
};

/* Fetch of an SM, before its TLB and its L1I. */
struct fetch {
    struct tlb *tlb;
    struct icache *icache;
    unsigned line_shift;
    struct fetch_state state;
};

void
fetch_init(struct fetch *f, struct tlb *tlb, struct icache *icache,
           unsigned line_shift);

void
fetch_reset(struct fetch *f);

/* A warp continues at pc, from its start or after a jump. */
void
fetch_jump(struct fetch *f, unsigned warp, uint32_t pc);

/* Drops the requests of a warp that are under way. */
static inline void
fetch_flush(struct fetch *f, unsigned warp)
{
    f->state.flushed |= bit_of(warp);
}

/* A cycle begins, with these warps, and these whose buffers are full. */
static inline void
fetch_begin(struct fetch *f, uint64_t active, uint64_t full)
{
    struct fetch_state *t = &f->state;
    t->wants = active & ~full;
    t->flushed = 0;
    t->blocked = t->done.valid & (t->missed | (full >> t->done.warp & 1));
}

/* Is the answer of this cycle sent back?  Then no branch is resolved in it. */
static inline bool
fetch_is_blocked(const struct fetch *f)
{
    return f->state.blocked;
}

/* Does a tick in this cycle do anything? */
static inline bool
fetch_is_busy(const struct fetch *f)
{
    const struct fetch_state *t = &f->state;
    return t->done.valid | t->tagged.valid | !!t->wants;
}

/* The next cycle in which a tick does something, with the warps and the full buffers
 * of the end of this cycle. */
static inline uint64_t
fetch_next_event(const struct fetch *f, uint64_t now, uint64_t active,
                 uint64_t full)
{
    const struct fetch_state *t = &f->state;
    bool busy = t->done.valid | t->tagged.valid | !!(active & ~full);
    return busy ? now + 1 : UINT64_MAX;
}

/* The last stage of a cycle: has a pair come? */
bool
fetch_tick(struct fetch *f, uint64_t now, struct fetch_request *pair);

/* Has a look-up missed in this cycle? */
static inline bool
fetch_has_missed(const struct fetch *f)
{
    return f->state.missed;
}
