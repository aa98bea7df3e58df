/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits of the L1D: the cycles without a tick, and the lookahead, a cycle before which
 * none of its requests leaves to the L2.
 */
#include "model/l1d.h"

#include "model/bits.h"

static int
free_write(const struct dcache *d, uint64_t line, bool *conflict)
{
    int free = NEVER;
    *conflict = false;
    for (unsigned i = d->config->write_entries; i-- > 0;) {
        if (!d->state.write[i].valid)
            free = (int)i;
        else if (d->state.write[i].line == line)
            *conflict = true;
    }
    return free;
}

/* Does the first of the queue wait for the answer of an earlier store? */
bool
dcache_queue_waits(const struct dcache *d, int *entry)
{
    const struct mem_request *r = mem_port_front(&d->state.queue);
    bool conflict;
    *entry = free_write(d, r->line, &conflict);
    return (r->op != MEM_FLUSH && conflict) || (r->op == MEM_PUT && *entry < 0);
}

bool
dcache_is_stuck(const struct dcache *d)
{
    return d->config->rtl_faults && d->state.victim_waits &&
           !mem_port_has_room(&d->state.queue, d->now);
}

uint64_t
dcache_lookahead(const struct dcache *d)
{
    const struct mem_port *queue = &d->state.queue;
    int entry;
    return queue->fifo.n && !dcache_queue_waits(d, &entry)
               ? mem_port_next(queue)
               : UINT64_MAX;
}

/* Did nothing come to the queue or leave it, because of its first request? */
static bool
queue_stays(const struct dcache *d, const struct dcache_wires *wires,
            bool *waits)
{
    const struct mem_port *queue = &d->state.queue;
    int entry;
    if (queue->fifo.n != d->state.queued || !mem_port_ready(queue, d->now))
        return false;
    *waits = dcache_queue_waits(d, &entry);
    return *waits || (wires->bus_polled && !wires->bus_open);
}

/* Is a flush in a step that goes on by itself? */
static bool
flush_goes_on(const struct dcache *d, bool stays)
{
    return d->state.flush == FLUSH_WANTED || d->state.flush == FLUSH_HINTS ||
           (d->state.flush == FLUSH_WRITES &&
            !(stays && d->state.flush_at <= d->now));
}

/*
 * Nothing is under way in it: what it waits for are answers of the L2, and a
 * request before the tags, if there is one, for an MSHR.  stays: its queue to the L2
 * stays as it is.
 */
static bool
is_waiting(const struct dcache *d, bool was_odd, bool stays)
{
    if (d->state.st1.fifo.n || (d->state.queue.fifo.n && !stays) ||
        d->state.response.fifo.n || d->state.stores_done.fifo.n ||
        d->state.fill.n)
        return false;
    bool passing = d->state.held || d->state.answered || d->state.leaves ||
                   d->state.fill_out || d->state.filled_before ||
                   d->state.closing || d->state.victim_waits ||
                   d->state.victim_left || d->state.missed;
    if (passing)
        return false;
    bool stores = d->state.write_waits || d->state.late ||
                  d->state.inject_at == d->now ||
                  d->state.inject_at == d->now + 1;
    bool held = d->state.status_was_odd || dcache_flush_blocks(d) ||
                (stays && dcache_queue_blocks(d));
    bool tags =
        d->state.in.fifo.n && !(held && data_port_ready(&d->state.in, d->now));
    return !stores && !tags && was_odd == d->state.status_was_odd &&
           d->state.blocked_until <= d->now && !flush_goes_on(d, stays);
}

void
dcache_rest(struct dcache *d, bool was_odd, const struct dcache_wires *wires)
{
    bool waits = false, stays = queue_stays(d, wires, &waits);
    d->state.busy = !is_waiting(d, was_odd, stays);
    d->state.awaits_bus = !d->state.busy && stays && !waits;
}
