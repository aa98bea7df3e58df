/* SPDX-License-Identifier: Apache-2.0 */
#include "dbg/spots.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bool
grow(struct spots *t)
{
    size_t cap = t->cap ? 2 * t->cap : 512;
    struct spot *row = realloc(t->row, cap * sizeof *row);
    if (!row)
        return false;
    t->row = row;
    t->cap = cap;
    return true;
}

struct spot *
spots_at(struct spots *t, uint32_t pc)
{
    uint32_t hash = hash_u64(pc), row;
    hash_each (&t->index, hash, row)
        if (t->row[row].pc == pc)
            return &t->row[row];
    if ((t->n == t->cap && !grow(t)) || !hash_add(&t->index, hash, t->n))
        return NULL;
    assert(t->n < t->cap);
    t->row[t->n] = (struct spot){ .pc = pc };
    return &t->row[t->n++];
}

void
spot_name(struct spot *row, const struct ventus_sim_step *step)
{
    const struct ventus_isa_print print = { .has_pc = true, .pc = step->pc };
    if (!row->text[0])
        ventus_isa_print(step->in, &print, row->text, sizeof row->text);
}

void
spots_free(struct spots *t)
{
    free(t->row);
    hash_free(&t->index);
    *t = (struct spots){ 0 };
}
