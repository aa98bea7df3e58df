/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "tile/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Is each memory as large as its part of the map at most? */
static bool
fits_map(const struct tile_memory *m)
{
    return m->ram_size >= 2 * MEMORY_BASE && m->ram_size <= MEMORY_SMEM &&
           m->smem_size <= MEMORY_SMEM_MAX &&
           m->l2b_size <= UINT32_MAX - MEMORY_L2_SHARE + 1;
}

bool
memory_create(struct tile_memory *m, const struct ventus_tile_options *options)
{
    m->ram_size = options->ram_size ? options->ram_size : UINT64_C(1) << 28;
    m->smem_size = options->smem_size ? options->smem_size : 256u << 10;
    m->l2b_size = options->l2b_size ? options->l2b_size : 4u << 20;
    if (!fits_map(m))
        return false;
    m->ram = mmap(NULL, m->ram_size, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (m->ram == MAP_FAILED) {
        m->ram = NULL;
        return false;
    }
    for (unsigned pe = 0; pe < VENTUS_TILE_PES; pe++)
        if (!(m->smem[pe] = calloc(1, m->smem_size)))
            return false;
    m->l2b = calloc(1, m->l2b_size);
    return m->l2b != NULL;
}

void
memory_destroy(struct tile_memory *m)
{
    if (m->ram)
        munmap(m->ram, m->ram_size);
    for (unsigned pe = 0; pe < VENTUS_TILE_PES; pe++)
        free(m->smem[pe]);
    free(m->l2b);
}

/* Is [at, at + size) inside [0, limit)? */
static bool
inside(uint64_t at, uint64_t size, uint64_t limit)
{
    return at <= limit && size <= limit - at;
}

static uint8_t *
global(const struct tile_memory *m, uint64_t at, uint64_t size)
{
    if (at < MEMORY_BASE || !inside(at, size, m->ram_size))
        return NULL;
    return m->ram + at;
}

uint8_t *
memory_scalar(const struct tile_memory *m, unsigned pe, uint64_t at,
              uint64_t size)
{
    assert(pe < VENTUS_TILE_PES);
    if (at >= MEMORY_L2B)
        return inside(at - MEMORY_L2B, size, m->l2b_size)
                   ? m->l2b + (at - MEMORY_L2B)
                   : NULL;
    if (at >= MEMORY_SMEM)
        return inside(at - MEMORY_SMEM, size, m->smem_size)
                   ? m->smem[pe] + (at - MEMORY_SMEM)
                   : NULL;
    return global(m, at, size);
}

static uint8_t *
share(const struct tile_memory *m, unsigned pe, uint64_t at, uint64_t size)
{
    if (at >> 32)
        return NULL;
    if (at >= MEMORY_L2_SHARE)
        return inside(at - MEMORY_L2_SHARE, size, m->l2b_size)
                   ? m->l2b + (at - MEMORY_L2_SHARE)
                   : NULL;
    if (at >= MEMORY_PE_SHARE) {
        pe = (unsigned)(at - MEMORY_PE_SHARE) >> 24;
        at &= 0xffffff;
    }
    if (pe >= VENTUS_TILE_PES || !inside(at, size, m->smem_size))
        return NULL;
    return m->smem[pe] + at;
}

uint8_t *
memory_tile(const struct tile_memory *m, enum memory_space space, unsigned pe,
            uint64_t at, uint64_t size)
{
    return space == MEMORY_GLOBAL ? global(m, at, size)
                                  : share(m, pe, at, size);
}

uint64_t
memory_name(const struct tile_memory *m, enum memory_space space, unsigned pe,
            uint64_t at)
{
    assert(pe < VENTUS_TILE_PES);
    (void)m;
    if (space == MEMORY_GLOBAL)
        return at;
    if (at >= MEMORY_L2_SHARE)
        return MEMORY_L2B + (at - MEMORY_L2_SHARE);
    if (at >= MEMORY_PE_SHARE)
        return MEMORY_SMEM + (at - MEMORY_PE_SHARE);
    return MEMORY_SMEM + ((uint64_t)pe << 24) + at;
}

uint64_t
memory_scalar_name(const struct tile_memory *m, unsigned pe, uint64_t at)
{
    (void)m;
    if (at >= MEMORY_SMEM && at < MEMORY_L2B)
        return at + ((uint64_t)pe << 24);
    return at;
}
