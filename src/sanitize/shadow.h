/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

/*
 * State beside memory, by pages that are made when they are first touched.
 *
 *   race     a record for each word (race.h), 8 bytes; of one launch
 *   write    the same of writes that reads took the place of; made when it is needed
 *   unknown  a bit for each byte that nothing has written: half a byte a word
 */
enum { SHADOW_PAGE = 4096, SHADOW_WORDS = SHADOW_PAGE / 4 };

struct shadow_page {
    uint64_t number; /* address / SHADOW_PAGE */
    uint64_t launch; /* that `race` is of */
    bool any;        /* some bit of `unknown` is set */
    uint64_t *write; /* SHADOW_WORDS; or NULL */
    uint64_t unknown[SHADOW_PAGE / 64];
    uint64_t race[SHADOW_WORDS];
};

static_assert(sizeof(struct shadow_page) <= 10 * SHADOW_WORDS,
              "at most 10 bytes of state for each word");

struct shadow_range {
    uint64_t address, size;
};

struct shadow_ranges {
    struct shadow_range *at;
    size_t n, cap;
};

struct shadow {
    struct shadow_page **page;
    size_t n, cap;
    struct hash_index index; /* rows of `page` by their numbers */
    struct shadow_page *last;
    struct shadow_ranges unknown; /* where no page says otherwise */
    struct shadow_ranges shared;  /* the host writes there without a word */
    uint64_t launch;
    bool lost; /* the host had no memory for a page */
};

/* The page of an address; NULL: no host memory, `lost` says so. */
struct shadow_page *
shadow_make(struct shadow *s, uint64_t address);

/* The same if it is there or if bytes of it are unknown; else NULL. */
struct shadow_page *
shadow_find(struct shadow *s, uint64_t address);

static inline struct shadow_page *
shadow_page(struct shadow *s, uint64_t address)
{
    struct shadow_page *p = s->last;
    if (p && p->number == address / SHADOW_PAGE && p->launch == s->launch)
        return p;
    return shadow_make(s, address);
}

/* The record of the write before what `race` says of an address; NULL: no host memory. */
uint64_t *
shadow_write(struct shadow *s, uint64_t address);

/* Bytes of a page from `at` on are unknown, or known. */
void
shadow_mark(struct shadow_page *p, unsigned at, unsigned size, bool unknown);

/* Any memory; pages are made where that is needed: if known, for parts of pages. */
void
shadow_set(struct shadow *s, uint64_t address, uint64_t size, bool unknown);

/* A new allocation, all unknown; no page is made. */
void
shadow_allocated(struct shadow *s, uint64_t address, uint64_t size);

/* Memory that the host writes, too: what kernels leave there is known in the next
 * launch. */
void
shadow_share(struct shadow *s, uint64_t address, uint64_t size);

/* Allocations and shared memory that lie within, whole. */
void
shadow_released(struct shadow *s, uint64_t address, uint64_t size);

void
shadow_copy(struct shadow *s, uint64_t to, uint64_t from, uint64_t size);

/* A new launch: invalidates the records of races. */
void
shadow_next_launch(struct shadow *s);

void
shadow_free(struct shadow *s);

/* Whether all of up to 32 bytes, within 64 of them, are unknown. */
static inline bool
shadow_is_unknown(const uint64_t *bits, unsigned at, unsigned size)
{
    uint64_t mask = ((UINT64_C(1) << size) - 1) << at % 64;
    return (bits[at / 64] & mask) == mask;
}

static inline void
shadow_put(uint64_t *bits, unsigned at, unsigned size, bool unknown)
{
    uint64_t mask = ((UINT64_C(1) << size) - 1) << at % 64;
    if (unknown)
        bits[at / 64] |= mask;
    else
        bits[at / 64] &= ~mask;
}
