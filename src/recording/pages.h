/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/arena.h"
#include "recording/recording.h"
#include "recording/writer.h"

/*
 * Finds the pages of memory that have changed.  It compares them with a copy or,
 * if the old contents are not needed, with a hash of each page, and updates the
 * copy or hash page by page.  Where nothing tells which may have changed, what the
 * system has no page for was never touched, and is skipped.
 */
struct pages {
    const uint8_t *now;
    uint8_t *copy;  /* as it was; NULL: all zero */
    uint64_t *hash; /* of each page, instead of a copy; 0: all zero.  Or NULL */
    uint64_t n;     /* pages: RECORDING_ROOM bytes or a multiple of it */
    const uint64_t
        *differ;    /* a bit of each one that may have changed; NULL: all */
    bool anonymous; /* mapped by this process, zeroed, not shared */
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

/* The first run of set bits from `at` on below `n`, [*from, *to); false: there is none. */
bool
pages_marked(const uint64_t *bits, uint64_t n, uint64_t at, uint64_t *from,
             uint64_t *to);
