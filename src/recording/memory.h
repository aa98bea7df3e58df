/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/map.h"
#include "recording/reader.h"

/*
 * The memory that a launch found, or left: what the launches before it on the
 * same device say, put together.
 */
struct recording_piece {
    struct recording_range range; /* of the launch; runs: what changed last */
    uint64_t pages;
    uint64_t *content; /* of each page its number in the file; NULL: none */
};

/* All zero is ready to use. */
struct recording_memory {
    struct arena arena, kept;
    struct recording_launch launch;
    struct recording_result result; /* message NULL: not recorded */
    struct recording_piece **piece; /* of the launch, ascending by address */
    size_t n;
    uint64_t stored; /* pages of these that are not zero */
    uint64_t live;   /* pages of all that are not released */
    struct map by_id;
    bool begun, is_after; /* it is about launch `at`, found or left */
    size_t at;
};

/*
 * As launch `i` found it; `after`: as it left it, which result.has_memory must
 * say.  From a launch to a later one of its device it goes on from there, which
 * saves the ones before.  False: reported, and it is empty again.
 */
bool
recording_memory_read(struct recording_memory *m, struct recording *r, size_t i,
                      bool after, struct diag_sink *sink);

void
recording_memory_free(struct recording_memory *m);
