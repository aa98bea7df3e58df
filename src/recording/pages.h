/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/arena.h"
#include "recording/recording.h"
#include "recording/writer.h"

/* 128 bits of a page: pages with the same are the same.  Zero: all zero. */
struct page_hash {
    uint64_t half[2];
};

/*
 * Which pages of memory have changed.  A copy tells or, where no one needs
 * what was there, a hash of each page: it is compared and brought up to date,
 * page by page.  Of memory that nothing has touched the system has no pages,
 * and so has the copy: these are skipped.
 */
struct pages {
    const uint8_t *now;
    uint8_t *copy;          /* as it was; NULL: all zero */
    struct page_hash *hash; /* instead of a copy, or NULL */
    uint64_t n;             /* pages */
    bool anonymous; /* mapped by this process, zeroed, shared with no one */
    struct recording_writer
        *writer; /* gets what changed; NULL: numbers are 1 */
};

/* Adds them to `runs`, in the arena. */
void
pages_compare(struct arena *a, const struct pages *p,
              struct recording_runs *runs);

/* Page `at` is `content`: at the end of the last run, or a new one. */
void
pages_add(struct arena *a, struct recording_runs *runs, uint64_t at,
          uint64_t content);

/*
 * Of `n` pages of anonymous memory at `at`, which the system has: 0 or 1 in
 * `there`.  Where it does not say that, all.
 */
void
pages_there(const uint8_t *at, size_t n, uint8_t *there);
