/* SPDX-License-Identifier: Apache-2.0 */
#include "base/map.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "base/vec.h"

/*
 * Entries stand in one array in order of insertion; `slot` is an open
 * addressing table of their indices, a power of two in size and at most half
 * full, searched linearly from the hash.
 */
#ifdef VENTUS_TINY
enum { FIRST_SLOTS = 2 };
#else
enum { FIRST_SLOTS = 32 };
#endif

/* FNV-1a. */
static uint32_t
hash_of(const char *key, size_t length)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)key[i]) * 16777619u;
    return hash;
}

static bool
same_key(const struct map_entry *e, uint32_t hash, const char *key,
         size_t length)
{
    return e->hash == hash && e->length == length &&
           (length == 0 || memcmp(e->key, key, length) == 0);
}

/* The slot of `key`, or the free slot where it belongs. */
static uint32_t *
probe(const struct map *m, uint32_t hash, const char *key, size_t length)
{
    size_t mask = m->slots - 1;
    size_t i = hash & mask;
    while (m->slot[i] &&
           !same_key(&m->entry[m->slot[i] - 1], hash, key, length))
        i = (i + 1) & mask;
    return &m->slot[i];
}

static void
grow_slots(struct arena *a, struct map *m)
{
    size_t slots = m->slots ? m->slots * 2 : FIRST_SLOTS;
    m->slot = arena_new(a, uint32_t, slots);
    m->slots = slots;
    for (size_t n = 0; n < m->n; n++) {
        size_t i = m->entry[n].hash & (m->slots - 1);
        while (m->slot[i])
            i = (i + 1) & (m->slots - 1);
        m->slot[i] = (uint32_t)n + 1;
    }
}

void **
map_find(const struct map *m, const char *key, size_t length)
{
    if (m->n == 0)
        return NULL;
    uint32_t slot = *probe(m, hash_of(key, length), key, length);
    return slot ? &m->entry[slot - 1].value : NULL;
}

void **
map_put(struct arena *a, struct map *m, const char *key, size_t length)
{
    if (m->n * 2 >= m->slots)
        grow_slots(a, m);
    uint32_t hash = hash_of(key, length);
    uint32_t *slot = probe(m, hash, key, length);
    if (*slot)
        return &m->entry[*slot - 1].value;
    assert(m->n < UINT32_MAX);
    if (m->n == m->cap)
        m->entry = vec_grow(a, m->entry, &m->cap, m->n, sizeof *m->entry);
    const char *copy = arena_strndup(a, key, length);
    struct map_entry *e = &m->entry[m->n++];
    *e = (struct map_entry){ .key = copy, .length = length, .hash = hash };
    *slot = (uint32_t)m->n;
    return &e->value;
}
