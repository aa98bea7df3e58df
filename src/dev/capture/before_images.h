/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

/*
 * Before-images: pages of the host program that a launch has used (host_memory), as
 * they were before it used them.  Copies of them are all that a recording can have: which
 * pages a launch will use is not known before.
 */
enum { HOST_PAGE = 4096 };

struct before_images {
    struct host_page {
        uint64_t address;
        uint8_t *bytes;
    } * page;
    size_t n, cap;
    struct hash_index
        index; /* rows of `page` by address, until they are sorted */
    bool lost; /* no host memory for one */
};

/* Adds a page; one that is there already stays as it is. */
void
before_images_add(struct before_images *h, uint64_t address, const void *bytes);

/* Sorts the pages by address; none is added any more. */
void
before_images_sort(struct before_images *h);

/* How many follow each other from page number `first` on. */
size_t
before_images_run(const struct before_images *h, size_t first);

/* Joins `n` pages from number `first` on into one piece. */
uint8_t *
before_images_join(struct arena *a, const struct before_images *h, size_t first,
                   size_t n);

/* Reads [at, at + size) as it is now; `found` where the host has unmapped it. */
uint8_t *
before_images_now(struct arena *a, uint64_t at, const uint8_t *found,
                  size_t size);

void
before_images_free(struct before_images *h);
