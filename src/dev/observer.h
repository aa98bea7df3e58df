/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "dev/device.h"

struct recording_bytes;

/*
 * Observers of a device: what checks, records, reports or debugs its launches
 * sees the host's use of memory and every launch, and the driver names none of
 * it.  An observer is a table of callbacks, with a context for each device:
 *
 *     static const struct dev_observer findings_observer = {
 *         .allocated = findings_allocated, .launch_begins = ...
 *     };
 *     dev_observe(d, OBSERVER_FINDINGS, &findings_observer, findings);
 *
 * A callback that is NULL is not called.  The machine's lock is held in each, but in
 * `closed`.  Ranges are valid during the call.
 */
struct dev_observer {
    /* Memory.  The host has allocated a range, or shares its own memory as one. */
    void (*allocated)(void *ctx, const struct space_range *r);
    void (*shared)(void *ctx, const struct space_range *r);
    /* The host has written [address, address + size), or has copied to there. */
    void (*written)(void *ctx, uint64_t address, uint64_t size);
    void (*copied)(void *ctx, uint64_t to, uint64_t from, uint64_t size);
    /* A range has the contents that a recording has; n parts of it, ascending offsets
     * in bytes, had been written. */
    void (*restored)(void *ctx, const struct space_range *r,
                     const struct recording_bytes *written, size_t n);
    void (*released)(void *ctx, const struct space_range *r);
    /* Memory of a program is unmapped. */
    void (*unloaded)(void *ctx, uint64_t physical);
    /* The memory of the device is gone, as it is reset or closed. */
    void (*reset)(void *ctx);

    /*
     * Launches, in the order of these members.  `launch_prepared`: memory is as the
     * launch will find it; not called for bare launches.  `launch_begins` may add
     * hooks and observers of the engine to t->run.  `launch_ends`: the engine has
     * returned, t->result is not complete.  `launch_faulted`: t->result describes the
     * fault.  `launch_done`: t->result is complete, and what the observer adds to it.
     * Beginnings are told in the order of the observers, ends in reverse.
     */
    void (*launch_prepared)(void *ctx, struct ventus_dev_ticket *t);
    void (*launch_begins)(void *ctx, struct ventus_dev_ticket *t);
    void (*launch_ends)(void *ctx, struct ventus_dev_ticket *t);
    void (*launch_faulted)(void *ctx, struct ventus_dev_ticket *t);
    void (*launch_done)(void *ctx, struct ventus_dev_ticket *t);

    /* A check has found something at the instruction that runs, for this lane of its
     * warp; -1: for none in particular. */
    void (*found)(void *ctx, int lane, const char *text);

    /* The device is closed, after its machine: the context is freed. */
    void (*closed)(void *ctx);
};

/* Puts an observer into its slot; the machine's lock is held, or the device has no
 * other user yet. */
void
dev_observe(struct ventus_dev *d, enum dev_observer_slot slot,
            const struct dev_observer *observer, void *ctx);

void
dev_observe_end(struct ventus_dev *d, enum dev_observer_slot slot);

/* The context of the observer in this slot; NULL: there is none. */
static inline void *
dev_observer(const struct ventus_dev *d, enum dev_observer_slot slot)
{
    return d->observer[slot].ctx;
}

/* ---- the driver tells all observers ---- */

void
observers_allocated(struct ventus_dev *d, const struct space_range *r);

void
observers_shared(struct ventus_dev *d, const struct space_range *r);

void
observers_written(struct ventus_dev *d, uint64_t address, uint64_t size);

void
observers_copied(struct ventus_dev *d, uint64_t to, uint64_t from,
                 uint64_t size);

void
observers_restored(struct ventus_dev *d, const struct space_range *r,
                   const struct recording_bytes *written, size_t n);

void
observers_released(struct ventus_dev *d, const struct space_range *r);

void
observers_unloaded(struct ventus_dev *d, uint64_t physical);

void
observers_reset(struct ventus_dev *d);

void
observers_launch_prepared(struct ventus_dev_ticket *t);

void
observers_launch_begins(struct ventus_dev_ticket *t);

void
observers_launch_ends(struct ventus_dev_ticket *t);

void
observers_launch_faulted(struct ventus_dev_ticket *t);

void
observers_launch_done(struct ventus_dev_ticket *t);

void
observers_found(struct ventus_dev *d, int lane, const char *text);

/* Leaves the device without observers. */
void
observers_closed(struct ventus_dev *d);
