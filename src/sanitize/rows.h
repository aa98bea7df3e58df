/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sanitize/race.h"
#include "sim/lanes.h"

/* The words that an access touches. */
struct sanitize_words {
    uint64_t at[MEM_WORDS_MAX]; /* of lane, of word */
    unsigned n, bytes, words;   /* bytes of each; how many a lane has */
    uint64_t lanes;             /* that take part */
    bool private, scalar;
    /* All are aligned and in one shadow page, or in local memory that has a
     * shadow, from `first` to `last`: what is beside them is found once. */
    bool close;
    uint64_t first, last, odd; /* odd: the bits of all addresses together */
    /* dense: lanes without a gap, `from` the first; row: so are their words. */
    bool dense, row;
    unsigned from;
};

/*
 * Loops over the lanes of an access, built for each level of processor.  The usual
 * access is of all lanes, of 4 bytes each, and its words lie in a row.
 */
struct sanitize_rows {
    /* The addresses (v[i] & mask) + base of n lanes: at, first, last, odd, row. */
    void (*find)(struct sanitize_words *list, const uint32_t *v, unsigned n,
                 uint32_t mask, uint32_t base);
    /* The first and the last of these addresses. */
    void (*ends)(const uint32_t *v, unsigned n, uint32_t mask, uint32_t base,
                 uint32_t *first, uint32_t *last);
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
