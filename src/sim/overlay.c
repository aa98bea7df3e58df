/* SPDX-License-Identifier: Apache-2.0 */
/* An overlay has storage of its own for each bank, of the size of the bank. */
#include "sim/overlay.h"

#include <stdlib.h>

#include "sim/checkpoint.h"
#include "sim/mem.h"

struct sim_overlay {
    const struct sim_mem *mem; /* whose banks stay as they are */
    uint8_t **host;            /* of each bank */
};

struct sim_overlay *
overlay_create(const struct sim_mem *mem)
{
    struct sim_overlay *o = calloc(1, sizeof *o);
    if (!o)
        return NULL;
    o->mem = mem;
    o->host = calloc(o->mem->n + 1, sizeof *o->host);
    bool ok = o->host;
    for (size_t i = 0; ok && i < o->mem->n; i++) {
        o->host[i] = mem_reserve((size_t)o->mem->bank[i].size);
        ok = o->host[i];
    }
    if (ok)
        return o;
    overlay_destroy(o);
    return NULL;
}

void
overlay_destroy(struct sim_overlay *o)
{
    if (!o)
        return;
    for (size_t i = 0; o->host && i < o->mem->n; i++)
        mem_release(o->host[i], (size_t)o->mem->bank[i].size);
    free(o->host);
    free(o);
}

bool
overlay_find(const struct sim_overlay *o, uint64_t physical,
             struct sim_place *place)
{
    const struct sim_bank *b = mem_find(o->mem, physical);
    if (!b)
        return false;
    uint64_t at = physical - b->base;
    *place = (struct sim_place){ .size = b->size - at,
                                 .memory = b->host + at,
                                 .copy = o->host[b - o->mem->bank] + at };
    return true;
}

bool
overlay_before_write(const struct sim_overlay *o, uint8_t *memory)
{
    return !o->mem->checkpoint ||
           checkpoint_before_write(o->mem->checkpoint, memory);
}

uint8_t *
overlay_origin(const struct sim_overlay *o, const uint8_t *copy)
{
    for (size_t i = 0; i < o->mem->n; i++) {
        const struct sim_bank *b = &o->mem->bank[i];
        uintptr_t offset = (uintptr_t)copy - (uintptr_t)o->host[i];
        if (offset < b->size)
            return b->host + offset;
    }
    return NULL;
}
