/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

/*
 * Pages of the host program that a launch has used (host_memory), as they were
 * before it used them.  Copies of them are all that a recording can have: which
 * pages a launch will use is not known before.
 */
enum { HOST_PAGE = 4096 };

struct host_copies {
    struct host_page {
        uint64_t address;
        uint8_t *bytes;
    } * page;
    size_t n, cap;
    struct hash_index
        index; /* rows of `page` by address, until they are sorted */
    bool lost; /* no host memory for one */
};

/* One that is there already stays as it is. */
void
host_copies_add(struct host_copies *h, uint64_t address, const void *bytes);

/* By address; none is added any more. */
void
host_copies_sort(struct host_copies *h);

/* How many follow each other from page number `first` on. */
size_t
host_copies_run(const struct host_copies *h, size_t first);

/* Those in one piece. */
uint8_t *
host_copies_join(struct arena *a, const struct host_copies *h, size_t first,
                 size_t n);

/* What is in [at, at + size) by now; `found` where the host has unmapped it. */
uint8_t *
host_copies_now(struct arena *a, uint64_t at, const uint8_t *found,
                size_t size);

void
host_copies_free(struct host_copies *h);
