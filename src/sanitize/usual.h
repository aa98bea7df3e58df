/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "sanitize/rows.h"
#include "sanitize/state.h"

/* An access of one word a lane whose records lie close together. */
struct usual_access {
    struct race_usual race;
    enum race_access access;
    const struct sanitize_words *list;
    const struct sanitize_rows *rows;
    uint64_t *record; /* of the word at list->first */
    uint32_t warp_first;
    bool local;
};

/* The bytes of a word that an access of 1, 2 or 4 of them at `at` has. */
static inline unsigned
usual_bytes(uint64_t at, unsigned bytes)
{
    return bytes == 4 ? 15 : ((1u << bytes) - 1) << at % 4 & 15;
}

/* The usual case for one record.  False: race_next has to tell. */
static inline bool
usual_one(const struct race_usual *u, enum race_access access, uint64_t *record,
          uint32_t item, unsigned bytes)
{
    return access == RACE_READS    ? race_usual_read(record, u, item, bytes)
           : access == RACE_WRITES ? race_usual_write(record, u, item, bytes)
                                   : race_usual_update(record, u, item, bytes);
}

/* How many words, from that of the first lane on, the usual case tells. */
unsigned
usual_skip(const struct usual_access *k);
