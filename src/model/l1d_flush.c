/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What empties the L1D (microarchitecture.md, Data cache): at the end of a workgroup dirty lines go out,
 * and behind them the L2's flush; fences without coherence write lines one by one.
 */
#include "model/l1d.h"

enum { QUEUE_WRAPS = 32 };

static bool
write_next(struct dcache *d, unsigned *next, bool waits)
{
    const struct ventus_model_cache *c = &d->config->dcache;
    for (; *next < c->sets * c->ways; ++*next) {
        struct way *line = &d->lines.way[*next];
        if (!line->valid || !line->dirty)
            continue;
        if (waits && !mem_port_has_room(&d->state.queue, d->now))
            return true;
        line->dirty = false;
        /* The RTL's counter has a bit too few: 32 are none. */
        if (!waits && d->state.queue.fifo.n + 1u == QUEUE_WRAPS) {
            d->state.queue.fifo.n = 0;
            return true;
        }
        dcache_push(d,
                    (struct mem_request){ .op = MEM_PUT, .line = line->tag });
        return true;
    }
    return false;
}

bool
dcache_write_next(struct dcache *d, uint64_t now, unsigned *next, bool waits)
{
    d->now = now;
    return write_next(d, next, waits);
}

void
dcache_invalidate(struct dcache *d)
{
    set_assoc_invalidate(&d->lines);
}

bool
dcache_is_settled(const struct dcache *d)
{
    return !d->state.queue.fifo.n && !d->state.leaves && !d->state.writes;
}

void
dcache_begin_flush(struct dcache *d)
{
    assert(d->state.flush == FLUSH_NO);
    d->state.flush = FLUSH_WANTED;
    d->state.busy = true;
}

void
dcache_end_flush(struct dcache *d)
{
    assert(d->state.flush == FLUSH_NO || d->state.flush == FLUSH_DONE);
    d->state.flush = FLUSH_NO;
}

static void
write_dirty(struct dcache *d)
{
    bool waits = d->config->flush_waits;
    if (write_next(d, &d->state.flush_next, waits) ||
        !mem_port_has_room(&d->state.queue, d->now))
        return;
    dcache_invalidate(d);
    dcache_push(d, (struct mem_request){ .op = MEM_FLUSH });
    d->state.flush = FLUSH_L2;
}

void
dcache_step_flush(struct dcache *d, bool lsu_empty)
{
    if (d->state.flush == FLUSH_WANTED && lsu_empty && !d->state.in.fifo.n) {
        d->state.flush = FLUSH_WRITES;
        d->state.flush_next = 0;
        d->state.flush_at = d->now + 2;
    }
    if (d->state.flush == FLUSH_WRITES && d->state.flush_at <= d->now)
        write_dirty(d);
}
