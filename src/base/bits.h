/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdint.h>

/* Bits hi..lo of x, moved down to bit 0. */
static inline uint32_t
bits(uint32_t x, unsigned hi, unsigned lo)
{
    return (x >> lo) & (0xffffffffu >> (31 - (hi - lo)));
}

/* The low `width` (1..32) bits of x as a signed number. */
static inline int32_t
sext(uint32_t x, unsigned width)
{
    unsigned shift = 32 - width;
    return (int32_t)(x << shift) >> shift;
}
