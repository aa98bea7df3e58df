/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/map.h"
#include "recording/reader.h"

/* The memory that a launch found, or left, composed from the changes that the earlier
 * launches of the same device recorded. */
struct recording_piece {
    /* Range of the launch; runs: the latest changes. */
    struct recording_range range;
    uint64_t pages;
    uint64_t *content; /* number in the file by page; NULL: none */
};

/* The composed memory.  All zero is ready to use. */
struct recording_memory {
    struct arena arena, kept;
    struct recording_launch launch;
    struct recording_result result; /* message NULL: the file has no result */
    /* Pieces of the launch, ascending by address. */
    struct recording_piece **piece;
    size_t n;
    uint64_t stored; /* their pages that are not zero */
    uint64_t live;   /* pages of all pieces that are not released */
    struct map by_id;
    bool begun, is_after; /* composed for launch `at`: found, or left */
    size_t at;
};

/* Composes the memory that launch `i` found; with `after`: that it left, which needs
 * result.has_memory.  A call for a later launch of the same device continues from
 * there, which saves the launches before.  False: an error, which is reported, and the
 * memory is empty. */
bool
recording_memory_read(struct recording_memory *m, struct recording *r, size_t i,
                      bool after, struct diag_sink *sink);

void
recording_memory_free(struct recording_memory *m);
