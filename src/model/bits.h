/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdint.h>

/* Sets of up to 64 as words: bits are warps, collectors, entries. */
enum { MAX_WARPS = 64, NEVER = -1 };

static inline uint64_t
bit_of(unsigned i)
{
    return UINT64_C(1) << i;
}

static inline unsigned
lowest(uint64_t bits)
{
    return (unsigned)__builtin_ctzll(bits);
}
