/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/debug_assert.h"
#include "sim/lanes.h"

/*
 * How lane loops are written.  A file that includes this is compiled several
 * times, with SIM_LANES = the number of lanes it is for (0: any) and SIM_LEVEL
 * = a name for the processor that the compiler targets.
 *
 *     lane_loop (i, n) d[i] = f(a[i], b[i]);
 *
 * Lanes are computed all and then blended with the mask: that is what
 * compilers vectorise.  Registers are either the same or apart, never
 * overlapping by a part, so iterations are independent.
 */
#define SIM_JOIN(a, b, c)  a##_##b##_##c
#define SIM_JOIN3(a, b, c) SIM_JOIN(a, b, c)
#define SIM_FN(name)       SIM_JOIN3(name, SIM_LEVEL, SIM_LANES)

#ifdef __clang__
#define lane_loop(i, n)                                                 \
    _Pragma("clang loop vectorize(assume_safety)") for (unsigned i = 0; \
                                                        i < (n); i++)
#else
#define lane_loop(i, n) _Pragma("GCC ivdep") for (unsigned i = 0; i < (n); i++)
#endif

#define always_inline inline __attribute__((always_inline))
#define likely(x)     __builtin_expect(!!(x), 1)

/* Lanes of the machine: a constant, or a multiple of 8. */
static always_inline unsigned
lanes_of(const struct sim_warp *w)
{
#if SIM_LANES
    (void)w;
    return SIM_LANES;
#else
    return w->lanes & ~7u;
#endif
}

static always_inline uint32_t *
vreg(const struct sim_warp *w, unsigned r)
{
    debug_assert(r <= SIM_VREGS); /* and the row after v255 */
    return w->v + (size_t)r * lanes_of(w);
}

/* The mask of the lanes in which op acts, 0 or ~0 each; `storage` may hold it. */
static always_inline const uint32_t *
op_mask(const struct sim_warp *w, const struct sim_op *op, uint32_t *storage)
{
    if (!op->slow)
        return w->lane;
    const uint32_t *v0 = w->v;
    lane_loop (i, lanes_of(w))
        storage[i] = w->lane[i] & (0 - (v0[i] & 1));
    return storage;
}

static always_inline uint32_t
blend(uint32_t mask, uint32_t on, uint32_t off)
{
    return (on & mask) | (off & ~mask);
}

/* The 0/1 bytes of n lanes as bits. */
static always_inline uint64_t
pack_lanes(const uint8_t *bytes, unsigned n)
{
    uint64_t all = 0;
    for (unsigned i = 0; i < n; i += 8) {
        uint64_t x;
        __builtin_memcpy(&x, bytes + i, 8);
        /* Every product bit 8i + 7j is another one: no carries. */
        all |= ((x * UINT64_C(0x0102040810204080)) >> 56) << i;
    }
    return all;
}
