/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of banks, each of the size of its bank. */
#include "sim/copies.h"

#include <stdlib.h>

#include "sim/checkpoint.h"
#include "sim/mem.h"

struct sim_copies {
    const struct sim_mem *mem; /* whose banks stay as they are */
    uint8_t **host;            /* of each bank */
};

struct sim_copies *
copies_create(const struct sim_mem *mem)
{
    struct sim_copies *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->mem = mem;
    c->host = calloc(c->mem->n + 1, sizeof *c->host);
    bool ok = c->host;
    for (size_t i = 0; ok && i < c->mem->n; i++) {
        c->host[i] = mem_reserve((size_t)c->mem->bank[i].size);
        ok = c->host[i];
    }
    if (ok)
        return c;
    copies_destroy(c);
    return NULL;
}

void
copies_destroy(struct sim_copies *c)
{
    if (!c)
        return;
    for (size_t i = 0; c->host && i < c->mem->n; i++)
        mem_release(c->host[i], (size_t)c->mem->bank[i].size);
    free(c->host);
    free(c);
}

bool
copies_find(const struct sim_copies *c, uint64_t physical,
            struct sim_place *place)
{
    const struct sim_bank *b = mem_find(c->mem, physical);
    if (!b)
        return false;
    uint64_t at = physical - b->base;
    *place = (struct sim_place){ .size = b->size - at,
                                 .memory = b->host + at,
                                 .copy = c->host[b - c->mem->bank] + at };
    return true;
}

bool
copies_before_write(const struct sim_copies *c, uint8_t *memory)
{
    return !c->mem->checkpoint ||
           checkpoint_before_write(c->mem->checkpoint, memory);
}

uint8_t *
copies_origin(const struct sim_copies *c, const uint8_t *copy)
{
    for (size_t i = 0; i < c->mem->n; i++) {
        const struct sim_bank *b = &c->mem->bank[i];
        uintptr_t offset = (uintptr_t)copy - (uintptr_t)c->host[i];
        if (offset < b->size)
            return b->host + offset;
    }
    return NULL;
}
