/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sanitize/race.h"

/*
 * Loops over the lanes of an access, built for each level of processor.  The usual
 * access is of all lanes, of 4 bytes each, and its words lie in a row.
 */
struct sanitize_words;

struct sanitize_rows {
    /* The addresses (v[i] & mask) + base of n lanes: at, first, last, odd, row. */
    void (*find)(struct sanitize_words *list, const uint32_t *v, unsigned n,
                 uint32_t mask, uint32_t base);
    /* race_usual_read of n records, of work-items from `item` on.  False: one of them
     * cannot be told so, and none is changed. */
    bool (*read)(uint64_t *record, unsigned n, const struct race_usual *u,
                 uint32_t item);
    bool (*write)(uint64_t *record, unsigned n, const struct race_usual *u,
                  uint32_t item);
    /* Have the records of n words, `record` is that of `first`, all the value? */
    bool (*are)(const uint64_t *record, uint64_t first, const uint64_t *at,
                unsigned n, uint64_t mask, uint64_t value);
};

/* For this processor. */
const struct sanitize_rows *
sanitize_rows_select(void);
