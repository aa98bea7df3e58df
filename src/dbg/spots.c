/* SPDX-License-Identifier: Apache-2.0 */
#include "dbg/spots.h"

#include <stdlib.h>
#include <string.h>

static size_t
first_slot(const struct spots *t, uint32_t pc)
{
    return (pc >> 2) * UINT32_C(2654435761) & (t->slots - 1);
}

static void
insert(struct spots *t, uint32_t number)
{
    size_t i = first_slot(t, t->row[number].pc);
    while (t->slot[i])
        i = (i + 1) & (t->slots - 1);
    t->slot[i] = number + 1;
}

/* Slots are at most half full; there is a row for each two. */
static bool
grow(struct spots *t)
{
    size_t slots = t->slots ? 2 * t->slots : 1024;
    struct spot *row = realloc(t->row, slots / 2 * sizeof *row);
    if (!row)
        return false;
    t->row = row;
    uint32_t *slot = calloc(slots, sizeof *slot);
    if (!slot)
        return false;
    free(t->slot);
    t->slot = slot;
    t->slots = slots;
    for (size_t i = 0; i < t->n; i++)
        insert(t, (uint32_t)i);
    return true;
}

struct spot *
spots_at(struct spots *t, uint32_t pc)
{
    if (t->slots)
        for (size_t i = first_slot(t, pc); t->slot[i];
             i = (i + 1) & (t->slots - 1))
            if (t->row[t->slot[i] - 1].pc == pc)
                return &t->row[t->slot[i] - 1];
    if (t->n == t->slots / 2 && !grow(t))
        return NULL;
    t->row[t->n] = (struct spot){ .pc = pc };
    insert(t, (uint32_t)t->n);
    return &t->row[t->n++];
}

void
spot_name(struct spot *row, const struct sim_step *step)
{
    const struct isa_print print = { .has_pc = true, .pc = step->pc };
    if (!row->text[0])
        isa_print(step->in, &print, row->text, sizeof row->text);
}

void
spots_free(struct spots *t)
{
    free(t->row);
    free(t->slot);
    *t = (struct spots){ 0 };
}
