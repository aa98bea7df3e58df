/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <assert.h>
#include <stdint.h>

/* Numbers of 0 to 8 bytes in memory, little endian, at any address. */
static inline void
bytes_store(uint8_t *at, unsigned n, uint64_t x)
{
    assert(n <= 8);
    for (unsigned i = 0; i < n; i++)
        at[i] = (uint8_t)(x >> 8 * i);
}

static inline uint64_t
bytes_load(const uint8_t *at, unsigned n)
{
    uint64_t x = 0;
    assert(n <= 8);
    for (unsigned i = 0; i < n; i++)
        x |= (uint64_t)at[i] << 8 * i;
    return x;
}

static inline uint32_t
bytes_load_u32(const uint8_t *at)
{
    return (uint32_t)bytes_load(at, 4);
}
