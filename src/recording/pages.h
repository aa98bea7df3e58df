/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/arena.h"
#include "recording/recording.h"
#include "recording/writer.h"

/* Finds the pages of memory that have changed.  It compares them with a copy or, if
 * the old contents are not needed, with a hash of each page, and updates the copy or
 * hash page by page.  Without dirty bits, memory for which the system has no page was
 * never accessed and is skipped. */
struct pages {
    const uint8_t *now;
    uint8_t *copy; /* earlier contents; NULL: all zero */
    /* Hash by page, in place of a copy; 0: all zero.  Or NULL. */
    uint64_t *hash;
    uint64_t
        n; /* number of pages: RECORDING_GRANULE bytes or a multiple of it */
    const uint64_t
        *differ;    /* dirty bits: pages that may have changed; NULL: all may */
    bool anonymous; /* mapped by this process, zeroed, not shared */
    struct recording_writer
        *writer; /* receives changed pages; NULL: numbers are 1 */
};

/* Adds the changed pages to `runs`, in the arena. */
void
pages_compare(struct arena *a, const struct pages *p,
              struct recording_runs *runs);

/* Adds page `at` with number `content`: to the last run, or as a new one. */
void
pages_add(struct arena *a, struct recording_runs *runs, uint64_t at,
          uint64_t content);

/* The first run of set bits from `at` on below `n`, [*from, *to); false: there is none. */
bool
pages_marked(const uint64_t *bits, uint64_t n, uint64_t at, uint64_t *from,
             uint64_t *to);
