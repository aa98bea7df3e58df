/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/*
 * A hash map from strings to pointers, in an arena.  Keys are copied; an
 * all-zero map is ready to use.  Nothing is ever removed: store NULL.  What
 * map_find and map_put return is valid until the next map_put.
 * Iteration is by insertion order: for (i = 0; i < m.n; i++) m.entry[i].
 */
struct map_entry {
    const char *key;
    size_t length;
    uint32_t hash;
    void *value;
};

struct map {
    struct map_entry *entry; /* in order of insertion */
    uint32_t *slot;          /* index + 1 into entry, 0 = free */
    size_t n, cap, slots;
};

/* Where the value of `key` is, or NULL if it is not in the map. */
void **
map_find(const struct map *m, const char *key, size_t length);

/* Where the value of `key` is; adds it with value NULL if it is missing. */
void **
map_put(struct arena *a, struct map *m, const char *key, size_t length);
