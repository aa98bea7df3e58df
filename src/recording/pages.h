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
 * Finds the pages of memory that have changed.  It compares them with a copy or,
 * if the old contents are not needed, with a hash of each page, and updates the
 * copy or hash page by page.  The system has no pages for memory and copies that
 * were never touched; these are skipped.
 */
struct pages {
    const uint8_t *now;
    uint8_t *copy;          /* as it was; NULL: all zero */
    struct page_hash *hash; /* instead of a copy, or NULL */
    uint64_t n;             /* pages */
    bool anonymous;         /* mapped by this process, zeroed, not shared */
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
