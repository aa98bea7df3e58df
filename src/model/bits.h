/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdint.h>

/* A function that few cycles need stays out of those that every cycle calls, which
 * would otherwise save its registers, too. */
#define SELDOM __attribute__((cold, noinline))

/* Sets of up to 64 as words: bits are warps, collectors, entries. */
enum { MAX_WARPS = 64, MAX_SMS = 256, NEVER = -1 };

static inline uint64_t
bit_of(unsigned i)
{
    return UINT64_C(1) << i;
}

/* A number that looks random and is the same for the same three (the finalizer
 * of SplitMix64): it needs no state, so it does not depend on the order of calls. */
static inline uint64_t
random_of(uint64_t seed, uint64_t a, uint64_t b)
{
    uint64_t x = seed + a * UINT64_C(0x9e3779b97f4a7c15) +
                 b * UINT64_C(0xd1b54a32d192ed03);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Seeds of the arrays of an SM, and of the two that all share. */
enum seed_kind {
    SEED_ICACHE,
    SEED_DCACHE,
    SEED_RCC,
    SEED_TLB, /* and after it, one for each TLB */
    SEED_L2 = 8,
    SEED_L2_TLB
};

static inline unsigned
lowest(uint64_t bits)
{
    return (unsigned)__builtin_ctzll(bits);
}
