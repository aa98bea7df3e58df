/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ventus/tile.h>

/*
 * The memories of a cluster, and where scalar code sees them:
 *
 *     0000_1000 .. ram_size          global memory
 *     1_0000_0000 + smem_size        share memory of the thread's own PE
 *     1_8000_0000 + l2b_size         L2B
 *
 * Share addresses (tile loads and stores .s, the share side of TMA, MMA
 * descriptors) are 32 bits:
 *
 *     0000_0000 + o                  own PE's share memory
 *     4000_0000 + pe << 24 + o       that PE's share memory
 *     8000_0000 + o                  L2B
 */
#define MEMORY_BASE     UINT64_C(0x1000)
#define MEMORY_SMEM     UINT64_C(0x100000000)
#define MEMORY_L2B      UINT64_C(0x180000000)
#define MEMORY_PE_SHARE 0x40000000u
#define MEMORY_L2_SHARE 0x80000000u

#define MEMORY_SMEM_MAX (1u << 24) /* the next PE's is there */

/* A place that all views agree on: for the checker, which compares them. */
enum memory_space { MEMORY_GLOBAL, MEMORY_SHARE };

struct tile_memory {
    uint8_t *ram, *smem[VENTUS_TILE_PES], *l2b;
    uint64_t ram_size;
    uint32_t smem_size, l2b_size;
};

/* False: no host memory, or sizes that do not fit the map. */
bool
memory_create(struct tile_memory *m, const struct ventus_tile_options *options);

void
memory_destroy(struct tile_memory *m);

/* Host address of [at, at + size) as scalar code of that PE sees it. */
uint8_t *
memory_scalar(const struct tile_memory *m, unsigned pe, uint64_t at,
              uint64_t size);

/* Host address of a range in global memory or, by share address, in a PE. */
uint8_t *
memory_tile(const struct tile_memory *m, enum memory_space space, unsigned pe,
            uint64_t at, uint64_t size);

/*
 * A number for each byte of the cluster's memory, whatever it is called: the
 * scalar address for RAM and L2B, MEMORY_SMEM + pe << 24 + offset else.
 */
uint64_t
memory_name(const struct tile_memory *m, enum memory_space space, unsigned pe,
            uint64_t at);

/* The host address of an address of scalar code. */
uint64_t
memory_scalar_name(const struct tile_memory *m, unsigned pe, uint64_t at);
