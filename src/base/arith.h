/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <assert.h>
#include <stdint.h>

/* The number of elements of an array, which is no pointer. */
#define ARRAY_SIZE(array) (sizeof(array) / sizeof *(array))

static inline uint64_t
min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t
max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The next multiple of `align`, a power of two, from x on. */
static inline uint64_t
align_up(uint64_t x, uint64_t align)
{
    assert(align && !(align & (align - 1)) && "alignments are powers of two");
    return (x + align - 1) & ~(align - 1);
}
