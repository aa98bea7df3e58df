/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "dev/space.h"
#include "recording/pages.h"

/*
 * Memory of a device while its launches are recorded: what a range had when it
 * was recorded last, and what the host has written into it.  A range is known
 * by its physical address, which no other has while it is there.
 */
struct tracked {
    uint64_t physical;
    uint64_t id;
    uint64_t room;  /* bytes, whole pages */
    uint8_t *copy;  /* NULL: not made yet */
    uint64_t *hash; /* of each page, instead of a copy, to see changes only */
    bool keeps_copy;
    bool is_mapped; /* the copy, by mmap; else on the heap */
    bool is_shared; /* with the host, which may write at any time */
    /* A bit of each page that may differ from the copy or hash; NULL: each may. */
    uint64_t *differ;
    bool all_differ;  /* each may, whatever the bits say */
    bool is_marked;   /* launches set the bits of what they write */
    bool was_used;    /* a launch had it, which may have written anywhere */
    bool all_written; /* by the host, as far as is known */
    struct recording_bytes *written; /* else these: ascending, apart */
    size_t n_written, cap;
};

struct tracked_list {
    struct tracked **at; /* by physical address */
    size_t n, cap;
    uint64_t ids;       /* given so far */
    uint64_t *released; /* ids that were recorded once, since the last launch */
    size_t n_released, cap_released;
    bool keeps_copies; /* tracked_all is asked for; set before the first one */
};

struct tracked *
tracked_find(const struct tracked_list *l, uint64_t physical);

/* It is not there yet; `mapped` bytes of the machine begin there, at least its room.  NULL:
 * no host memory. */
struct tracked *
tracked_add(struct tracked_list *l, uint64_t physical, uint64_t room,
            uint64_t mapped);

/* Nothing if it is not there. */
void
tracked_remove(struct tracked_list *l, uint64_t physical);

/* An id for what is recorded with one launch only. */
uint64_t
tracked_once(struct tracked_list *l);

/* No later launch names it. */
void
tracked_release(struct tracked_list *l, uint64_t id);

/* The host has written bytes [from, to) of it. */
void
tracked_write(struct tracked *t, uint64_t from, uint64_t to);

/* A launch has written the pages whose bits are set: no bit was set before it. */
void
tracked_launched(struct tracked *t);

/*
 * What changed since it was recorded last goes into `runs`, and to the writer
 * if it is not NULL; `now` is where it is on the host.  False: no host memory.
 */
bool
tracked_compare(struct arena *a, struct tracked *t, const uint8_t *now,
                struct recording_writer *w, struct recording_runs *runs);

/* All that it had then; of lists that keep copies. */
void
tracked_all(struct arena *a, const struct tracked *t,
            struct recording_writer *w, struct recording_runs *runs);

/*
 * The bytes below `size` that the host or a launch may have written, in the
 * arena.  Of a launch that set no bits the system knows the pages.
 */
void
tracked_written(struct arena *a, const struct tracked *t, const uint8_t *now,
                uint64_t size, struct recording_range *to);

void
tracked_free(struct tracked_list *l);
