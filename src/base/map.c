/* SPDX-License-Identifier: Apache-2.0 */
#include "base/map.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "base/vec.h"

static bool
same_key(const struct map_entry *e, const char *key, uint64_t length)
{
    return e->length == length && !e->key == !key &&
           (!key || length == 0 || memcmp(e->key, key, (size_t)length) == 0);
}

static void **
find_entry(const struct map *m, uint32_t hash, const char *key, uint64_t length)
{
    uint32_t row;
    hash_each (&m->index, hash, row)
        if (same_key(&m->entry[row], key, length))
            return &m->entry[row].value;
    return NULL;
}

static void **
put_entry(struct arena *a, struct map *m, uint32_t hash, const char *key,
          uint64_t length)
{
    void **at = find_entry(m, hash, key, length);
    if (at)
        return at;
    if (m->n == m->cap)
        m->entry = vec_grow(a, m->entry, &m->cap, m->n, sizeof *m->entry);
    struct map_entry e = { key ? arena_strndup(a, key, (size_t)length) : NULL,
                           length, NULL };
    m->index.arena = a;
    bool added = hash_add(&m->index, hash, m->n);
    assert(added && "an index in an arena never fails to grow");
    (void)added;
    m->entry[m->n] = e;
    return &m->entry[m->n++].value;
}

/* The bytes of a key.  An empty string may be NULL, which as a key would mean a
 * number. */
static const char *
text_of(const char *key)
{
    return key ? key : "";
}

void **
map_find(const struct map *m, const char *key, size_t length)
{
    return find_entry(m, hash_bytes(key, length), text_of(key), length);
}

void **
map_put(struct arena *a, struct map *m, const char *key, size_t length)
{
    return put_entry(a, m, hash_bytes(key, length), text_of(key), length);
}

void **
map_find_number(const struct map *m, uint64_t key)
{
    return find_entry(m, hash_u64(key), NULL, key);
}

void **
map_put_number(struct arena *a, struct map *m, uint64_t key)
{
    return put_entry(a, m, hash_u64(key), NULL, key);
}
