/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flushes of the L1D (microarchitecture.md, Data cache).  At the end of a workgroup
 * dirty lines are written, then the flush request of the L2 follows; fences without
 * coherence write lines one by one.
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
dcache_has_stores(const struct dcache *d)
{
    return d->state.queue.fifo.n || d->state.writes;
}

bool
dcache_is_settled(const struct dcache *d)
{
    return !dcache_has_stores(d) && !d->state.leaves;
}

void
dcache_begin_flush(struct dcache *d)
{
    assert(d->state.flush == FLUSH_NO);
    d->state.flush = FLUSH_WANTED;
    d->state.busy = true;
}

/* The request of the end of a warp comes to the tags: warp scheduler, LSU, stage 0. */
enum { FLUSH_COMES = 3 };

static void
want_flush(struct dcache *d, uint64_t at)
{
    d->state.flush = FLUSH_WANTED;
    d->state.flush_at = at;
    d->state.flush_offered = false;
    d->state.busy = true;
}

/*
 * The LSU takes a flush before an access, but an access that it offers to the L1D goes
 * first (s_idle, from_fifo.ready of LSU.scala).  One that must wait for another is
 * offered meanwhile, if no access is.
 */
void
dcache_queue_flush(struct dcache *d, uint64_t now)
{
    assert(d->config->flush_behind);
    if (d->state.flush == FLUSH_NO) {
        want_flush(d, now + FLUSH_COMES);
        return;
    }
    if (!d->state.flushes)
        d->state.flush_first = !d->state.in.fifo.n;
    d->state.flushes++;
}

void
dcache_end_flush(struct dcache *d)
{
    assert(d->state.flush == FLUSH_NO || d->state.flush == FLUSH_DONE);
    d->state.flush = FLUSH_NO;
}

/* Is the L2 asked behind all that it has to do before?  With flush_behind no store
 * may be under way; loads are waited for later. */
static bool
is_quiet(const struct dcache *d)
{
    return !d->config->flush_behind || !d->state.writes;
}

static void
ask_l2(struct dcache *d, enum dcache_flush then)
{
    dcache_push(d, (struct mem_request){ .op = MEM_FLUSH });
    d->state.acks++;
    d->state.flush = then;
}

static void
write_dirty(struct dcache *d)
{
    bool waits = d->config->flush_waits;
    if (write_next(d, &d->state.flush_next, waits) || !is_quiet(d) ||
        !mem_port_has_room(&d->state.queue, d->now))
        return;
    dcache_invalidate(d);
    ask_l2(d, FLUSH_L2);
}

/* The request leaves stage 1, and one that waited behind it comes. */
static void
leave(struct dcache *d)
{
    d->state.flush = FLUSH_NO;
    if (d->state.flushes) {
        d->state.flushes--;
        want_flush(d, d->now + 1);
        d->state.flush_offered = d->state.flush_first;
        d->state.flush_first = true;
    }
}

/*
 * The flags that hold the request in stage 1 fall with the answer of the L2: it is
 * there still in the next cycle, and asks again (microarchitecture.md, End of a
 * workgroup).
 */
static void
ask_again(struct dcache *d)
{
    if (!mem_port_has_room(&d->state.queue, d->now))
        return;
    if (d->state.flush_next) {
        ask_l2(d, FLUSH_HINTS);
        d->state.flush_next--;
    }
    if (!d->state.flush_next && !d->state.misses)
        leave(d);
}

void
dcache_flush_answered(struct dcache *d)
{
    assert(d->state.acks);
    d->state.acks--;
    if (!d->config->flush_behind) {
        d->state.flush = FLUSH_DONE;
        d->state.flush_at = d->now;
    } else if (d->state.flush == FLUSH_L2) {
        d->state.flush = FLUSH_HINTS;
        d->state.flush_at = d->now + 1;
        d->state.flush_next = d->config->flush_hints - 1;
    }
}

/* Has the request come to stage 1? */
static bool
has_come(const struct dcache *d, bool lsu_empty)
{
    if (d->config->flush_behind)
        return d->state.flush_at <= d->now && d->state.flush_offered &&
               !d->state.st1.fifo.n &&
               !(d->config->flush_after_loads && d->state.misses);
    return lsu_empty && !d->state.in.fifo.n;
}

void
dcache_step_flush(struct dcache *d, bool lsu_empty)
{
    if (d->state.flush_at <= d->now && !d->state.in.fifo.n)
        d->state.flush_offered = true;
    if (d->state.flush == FLUSH_WANTED && has_come(d, lsu_empty)) {
        d->state.flush = FLUSH_WRITES;
        d->state.flush_next = 0;
        d->state.flush_at = d->now + (d->config->flush_behind ? 0 : 2);
    }
    if (d->state.flush == FLUSH_WRITES && d->state.flush_at <= d->now)
        write_dirty(d);
    else if (d->state.flush == FLUSH_HINTS && d->state.flush_at <= d->now)
        ask_again(d);
}
