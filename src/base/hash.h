/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/*
 * The hash table of the project: numbers of rows, found by the hash of their
 * key.  Rows and keys are the caller's, in an array; the caller compares keys.
 *
 *     uint32_t hash = hash_u64(pc), row;
 *     hash_each (&t->index, hash, row)
 *         if (t->row[row].pc == pc)
 *             return &t->row[row];
 *     if (!hash_add(&t->index, hash, t->n))
 *         return NULL;                        no memory
 *     t->row[t->n++] = ...
 *
 * Open addressing with linear probing, at most half full.  Several rows may
 * have one hash and one key: they are found oldest first as long as none of
 * that hash was removed.  An all-zero index is ready to use; with an arena it
 * takes its memory there, else from the heap until hash_free.  From hash_add
 * to the end of a hash_each the index must not change.
 */
enum { HASH_NONE = UINT32_MAX, HASH_GONE = UINT32_MAX };

struct hash_slot {
    uint32_t hash;
    uint32_t row; /* row + 1; 0: free; HASH_GONE: removed */
};

struct hash_index {
    struct arena *arena; /* owner of the memory; NULL: the heap */
    struct hash_slot *slot;
    size_t slots; /* 0 or a power of two */
    size_t used;  /* slots of rows and of removed rows */
    size_t rows;
};

uint32_t
hash_bytes(const void *bytes, size_t n);

/* The hash of a number that mixes all bits: for addresses, pointers and small numbers. */
static inline uint32_t
hash_u64(uint64_t x)
{
    x ^= x >> 32;
    x *= UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(x >> 32 ^ x);
}

/* The row at *cursor or the next one after it that has the hash, HASH_NONE if there is
 * none; the cursor moves past it.  A search begins with the hash as cursor. */
static inline uint32_t
hash_next(const struct hash_index *x, uint32_t hash, size_t *cursor)
{
    if (!x->slots)
        return HASH_NONE;
    for (;;) {
        const struct hash_slot *s = &x->slot[(*cursor)++ & (x->slots - 1)];
        if (!s->row)
            return HASH_NONE;
        if (s->hash == hash && s->row != (uint32_t)HASH_GONE)
            return s->row - 1;
    }
}

#define hash_each(x, hash, row)                             \
    for (size_t hash_cursor_ = (hash);                      \
         ((row) = hash_next((x), (hash), &hash_cursor_)) != \
         (uint32_t)HASH_NONE;)

/* Adds a row.  False: no memory, which only the heap can lack; nothing changed. */
bool
hash_add(struct hash_index *x, uint32_t hash, size_t row);

/* Removes a row, which must be in the table. */
void
hash_remove(struct hash_index *x, uint32_t hash, size_t row);

/* Changes the number of a row from `from` to `to`; allocates nothing. */
void
hash_renumber(struct hash_index *x, uint32_t hash, size_t from, size_t to);

/* Reserves slots for `rows` rows in all, so that hash_add does not fail. */
bool
hash_reserve(struct hash_index *x, size_t rows);

/* Removes all rows and keeps the memory. */
void
hash_clear(struct hash_index *x);

/* Removes one row of a table that is to be emptied row by row, in any order, and from
 * which none was removed before: the time is that of the rows, not of the slots.  No
 * other function may be called until the last row is removed. */
void
hash_drain(struct hash_index *x, uint32_t hash, size_t row);

void
hash_free(struct hash_index *x);
