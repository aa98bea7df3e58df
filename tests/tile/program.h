/* SPDX-License-Identifier: Apache-2.0 */
/* A program for the tile machine around words of code. */
#pragma once

#include <stdint.h>
#include <string.h>

enum { TILE_ENTRY = 0x10000, TILE_HEADERS = 128 };

static inline void
tile_put(uint8_t *image, size_t at, unsigned size, uint64_t value)
{
    memcpy(image + at, &value, size);
}

/* An ELF64 file of one segment, which is code, readable and writable; returns
 * its size.  `image` has room for the code and TILE_HEADERS. */
static inline size_t
tile_make_elf(uint8_t *image, const void *code, size_t size)
{
    memset(image, 0, TILE_HEADERS);
    memcpy(image, "\177ELF\2\1\1", 7);
    tile_put(image, 16, 2, 2);   /* ET_EXEC */
    tile_put(image, 18, 2, 243); /* EM_RISCV */
    tile_put(image, 20, 4, 1);
    tile_put(image, 24, 8, TILE_ENTRY);
    tile_put(image, 32, 8, 64); /* program headers */
    tile_put(image, 52, 2, 64);
    tile_put(image, 54, 2, 56);
    tile_put(image, 56, 2, 1);
    tile_put(image, 58, 2, 64);
    tile_put(image, 64, 4, 1); /* PT_LOAD */
    tile_put(image, 68, 4, 7);
    tile_put(image, 72, 8, TILE_HEADERS);
    tile_put(image, 80, 8, TILE_ENTRY);
    tile_put(image, 96, 8, size);
    tile_put(image, 104, 8, size);
    tile_put(image, 112, 8, 4);
    memcpy(image + TILE_HEADERS, code, size);
    return TILE_HEADERS + size;
}
