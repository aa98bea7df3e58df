/* SPDX-License-Identifier: Apache-2.0 */
#include "dev/observer.h"

#include <assert.h>

#include "base/debug_assert.h"
#include "dev/ticket.h"

/* The observers of a device that have the callback; `o` is a struct dev_observing. */
#define observer_each(d, o, callback)                   \
    for (const struct dev_observing *o = (d)->observer; \
         o < (d)->observer + OBSERVER_SLOTS; o++)       \
        if (o->is && o->is->callback)

#define observer_each_reverse(d, o, callback)                            \
    for (const struct dev_observing *o = (d)->observer + OBSERVER_SLOTS; \
         o-- > (d)->observer;)                                           \
        if (o->is && o->is->callback)

void
dev_observe(struct ventus_dev *d, enum dev_observer_slot slot,
            const struct dev_observer *observer, void *ctx)
{
    assert(ctx && !d->observer[slot].ctx && "one observer for each slot");
    d->observer[slot] = (struct dev_observing){ observer, ctx };
}

void
dev_observe_end(struct ventus_dev *d, enum dev_observer_slot slot)
{
    d->observer[slot] = (struct dev_observing){ .is = NULL };
}

void
observers_allocated(struct ventus_dev *d, const struct space_range *r)
{
    observer_each (d, o, allocated)
        o->is->allocated(o->ctx, r);
}

void
observers_shared(struct ventus_dev *d, const struct space_range *r)
{
    observer_each (d, o, shared)
        o->is->shared(o->ctx, r);
}

void
observers_written(struct ventus_dev *d, uint64_t address, uint64_t size)
{
    observer_each (d, o, written)
        o->is->written(o->ctx, address, size);
}

void
observers_copied(struct ventus_dev *d, uint64_t to, uint64_t from,
                 uint64_t size)
{
    observer_each (d, o, copied)
        o->is->copied(o->ctx, to, from, size);
}

void
observers_restored(struct ventus_dev *d, const struct space_range *r,
                   const struct recording_bytes *written, size_t n)
{
    observer_each (d, o, restored)
        o->is->restored(o->ctx, r, written, n);
}

void
observers_released(struct ventus_dev *d, const struct space_range *r)
{
    observer_each (d, o, released)
        o->is->released(o->ctx, r);
}

void
observers_unloaded(struct ventus_dev *d, uint64_t physical)
{
    observer_each (d, o, unloaded)
        o->is->unloaded(o->ctx, physical);
}

void
observers_reset(struct ventus_dev *d)
{
    observer_each (d, o, reset)
        o->is->reset(o->ctx);
}

void
observers_launch_prepared(struct ventus_dev_ticket *t)
{
    debug_assert(ticket_lock_is_held(&t->dev->lock));
    observer_each (t->dev, o, launch_prepared)
        o->is->launch_prepared(o->ctx, t);
}

void
observers_launch_begins(struct ventus_dev_ticket *t)
{
    observer_each (t->dev, o, launch_begins)
        o->is->launch_begins(o->ctx, t);
}

void
observers_launch_ends(struct ventus_dev_ticket *t)
{
    observer_each_reverse (t->dev, o, launch_ends)
        o->is->launch_ends(o->ctx, t);
}

void
observers_launch_faulted(struct ventus_dev_ticket *t)
{
    observer_each_reverse (t->dev, o, launch_faulted)
        o->is->launch_faulted(o->ctx, t);
}

void
observers_launch_done(struct ventus_dev_ticket *t)
{
    observer_each_reverse (t->dev, o, launch_done)
        o->is->launch_done(o->ctx, t);
}

void
observers_found(struct ventus_dev *d, int lane, const char *text)
{
    observer_each (d, o, found)
        o->is->found(o->ctx, lane, text);
}

void
observers_closed(struct ventus_dev *d)
{
    observer_each_reverse (d, o, closed)
        o->is->closed(o->ctx);
    for (unsigned i = 0; i < OBSERVER_SLOTS; i++)
        dev_observe_end(d, (enum dev_observer_slot)i);
}
