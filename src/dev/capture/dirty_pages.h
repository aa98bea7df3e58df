/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "dev/space.h"
#include "recording/pages.h"

/*
 * Memory of a device while its launches are recorded: what a range had when it
 * was recorded last, and what the host has written into it.  A range is known
 * by its physical address, which no other has while it is there.
 */
struct dirty_pages {
    uint64_t physical;
    uint64_t id;
    uint64_t capacity; /* bytes, whole pages */
    uint8_t *copy;     /* NULL: not made yet */
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

struct dirty_list {
    struct dirty_pages **at; /* by physical address */
    size_t n, cap;
    uint64_t ids;       /* given so far */
    uint64_t *released; /* ids that were recorded once, since the last launch */
    size_t n_released, cap_released;
    bool keeps_copies; /* dirty_all is asked for; set before the first one */
};

struct dirty_pages *
dirty_find(const struct dirty_list *l, uint64_t physical);

/* Adds a range that is not there yet; `mapped` bytes of the machine begin there, at
 * least its capacity.  NULL: no host memory. */
struct dirty_pages *
dirty_add(struct dirty_list *l, uint64_t physical, uint64_t capacity,
          uint64_t mapped);

/* Removes a range; nothing if it is not there. */
void
dirty_remove(struct dirty_list *l, uint64_t physical);

/* An id for what is recorded with one launch only. */
uint64_t
dirty_new_id(struct dirty_list *l);

/* No later launch names it. */
void
dirty_release_id(struct dirty_list *l, uint64_t id);

/* The host has written bytes [from, to) of it. */
void
dirty_write(struct dirty_pages *t, uint64_t from, uint64_t to);

/* A launch has written the pages whose bits are set: no bit was set before it. */
void
dirty_launched(struct dirty_pages *t);

/*
 * Puts the pages that changed since the range was recorded last into `runs`, and
 * writes them unless the writer is NULL; `now` is where the range is on the host. 
 * False: no host memory.
 */
bool
dirty_compare(struct arena *a, struct dirty_pages *t, const uint8_t *now,
              struct recording_writer *w, struct recording_runs *runs);

/* Puts all pages as they were when the range was recorded last; for lists that keep
 * copies. */
void
dirty_all(struct arena *a, const struct dirty_pages *t,
          struct recording_writer *w, struct recording_runs *runs);

/*
 * The bytes below `size` that the host or a launch may have written, in the
 * arena.  Of a launch that set no bits the system knows the pages.
 */
void
dirty_written(struct arena *a, const struct dirty_pages *t, const uint8_t *now,
              uint64_t size, struct recording_range *to);

void
dirty_free(struct dirty_list *l);
