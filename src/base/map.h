/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/hash.h"

/* A map from strings, or from numbers and pointers, to pointers, in an arena.  Strings
 * are copied; an all-zero map is ready to use.  Nothing is ever removed: store NULL.
 * Pointers that a find or a put returns are valid until the next put.  Iteration is by
 * insertion order: for (i = 0; i < m.n; i++) m.entry[i]. */
struct map_entry {
    const char *key; /* NULL: the key is a number */
    uint64_t length; /* length of the key, or the number */
    void *value;
};

struct map {
    struct map_entry *entry; /* in order of insertion */
    struct hash_index index; /* rows of `entry` */
    size_t n, cap;
};

/* The address of the value of `key`, or NULL if it is not in the map. */
void **
map_find(const struct map *m, const char *key, size_t length);

/* The address of the value of `key`, which is added with value NULL if it is missing. */
void **
map_put(struct arena *a, struct map *m, const char *key, size_t length);

/* Maps by number; a pointer is converted to uintptr_t. */
void **
map_find_number(const struct map *m, uint64_t key);

void **
map_put_number(struct arena *a, struct map *m, uint64_t key);
