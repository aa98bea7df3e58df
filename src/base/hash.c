/* SPDX-License-Identifier: Apache-2.0 */
#include "base/hash.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#ifdef VENTUS_TINY
enum { FIRST_SLOTS = 2 };
#else
enum { FIRST_SLOTS = 32 };
#endif

/* FNV-1a. */
uint32_t
hash_bytes(const void *bytes, size_t n)
{
    const uint8_t *at = bytes;
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ at[i]) * 16777619u;
    return hash;
}

static void
insert_slot(struct hash_index *x, uint32_t hash, uint32_t row)
{
    size_t i = hash & (x->slots - 1);
    while (x->slot[i].row)
        i = (i + 1) & (x->slots - 1);
    x->slot[i] = (struct hash_slot){ hash, row };
    x->used++;
}

/* Moves all rows to a larger table, starting after a free slot, so that rows of one
 * hash keep their order. */
static void
move_rows(struct hash_index *to, const struct hash_slot *old, size_t slots)
{
    size_t first = 0;
    while (first < slots && old[first].row)
        first++;
    for (size_t i = 0; i < slots; i++) {
        const struct hash_slot *s = &old[(first + i) & (slots - 1)];
        if (s->row && s->row != (uint32_t)HASH_GONE)
            insert_slot(to, s->hash, s->row);
    }
}

/* Rebuilds the table for `rows` rows: larger, or without removed slots. */
static bool
resize_table(struct hash_index *x, size_t rows)
{
    size_t slots = FIRST_SLOTS;
    while (slots < 2 * rows)
        slots *= 2;
    struct hash_slot *slot = x->arena
                                 ? arena_new(x->arena, struct hash_slot, slots)
                                 : calloc(slots, sizeof *slot);
    if (!slot)
        return false;
    struct hash_index bigger = { x->arena, slot, slots, 0, x->rows };
    move_rows(&bigger, x->slot, x->slots);
    assert(bigger.used == x->rows && "every row was moved");
    if (!x->arena)
        free(x->slot);
    *x = bigger;
    return true;
}

bool
hash_reserve(struct hash_index *x, size_t rows)
{
    size_t gone = x->used - x->rows;
    return 2 * (rows + gone) <= x->slots || resize_table(x, rows);
}

bool
hash_add(struct hash_index *x, uint32_t hash, size_t row)
{
    assert(row < (uint32_t)HASH_GONE - 1);
    if (2 * (x->used + 1) > x->slots && !resize_table(x, 2 * (x->rows + 1)))
        return false;
    insert_slot(x, hash, (uint32_t)row + 1);
    x->rows++;
    return true;
}

static struct hash_slot *
slot_of(const struct hash_index *x, uint32_t hash, size_t row)
{
    assert(x->rows && "the row is in the table");
    size_t i = hash & (x->slots - 1);
    while (x->slot[i].row != row + 1) {
        assert(x->slot[i].row && "the row is in the table");
        i = (i + 1) & (x->slots - 1);
    }
    assert(x->slot[i].hash == hash && "the row was added with this hash");
    return &x->slot[i];
}

void
hash_remove(struct hash_index *x, uint32_t hash, size_t row)
{
    slot_of(x, hash, row)->row = (uint32_t)HASH_GONE;
    x->rows--;
}

void
hash_renumber(struct hash_index *x, uint32_t hash, size_t from, size_t to)
{
    assert(to < (uint32_t)HASH_GONE - 1);
    slot_of(x, hash, from)->row = (uint32_t)to + 1;
}

void
hash_clear(struct hash_index *x)
{
    if (x->slots)
        memset(x->slot, 0, x->slots * sizeof *x->slot);
    x->used = x->rows = 0;
}

/* The search passes free slots: rows before this one in its run may have been drained. */
void
hash_drain(struct hash_index *x, uint32_t hash, size_t row)
{
    assert(x->rows && x->used == x->rows &&
           "no row was removed before the first drain");
    size_t i = hash & (x->slots - 1);
    while (x->slot[i].row != row + 1)
        i = (i + 1) & (x->slots - 1);
    assert(x->slot[i].hash == hash && "the row was added with this hash");
    x->slot[i].row = 0;
    x->used--;
    x->rows--;
}

void
hash_free(struct hash_index *x)
{
    if (!x->arena)
        free(x->slot);
    *x = (struct hash_index){ .arena = x->arena };
}
