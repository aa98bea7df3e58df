/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operands that find mistakes in floating point: corners, patterns with few
 * bits, neighbours of other operands, plain random bits.  The same sequence
 * for the same seed.
 */
#pragma once

#include <stdint.h>

struct fp_random {
    uint64_t state; /* not 0 */
};

static inline uint64_t
fp_random(struct fp_random *r)
{
    r->state ^= r->state << 13;
    r->state ^= r->state >> 7;
    r->state ^= r->state << 17;
    return r->state * 0x2545f4914f6cdd1du;
}

static inline unsigned
fp_frac_bits(unsigned width)
{
    return width == 16 ? 10 : width == 32 ? 23 : 52;
}

enum { FP_CORNERS = 18 };

/* Zero, subnormals, one, powers of two, the largest, infinity, NaNs. */
static inline uint64_t
fp_corner_at(unsigned i, unsigned width)
{
    uint64_t one = (uint64_t)1 << fp_frac_bits(width);
    uint64_t inf = ((uint64_t)1 << (width - 1)) - one;
    const uint64_t corners[FP_CORNERS] = {
        0,
        1,
        2,
        one / 2,
        one - 1,
        one,
        one + 1,
        2 * one - 1,
        2 * one,
        inf / 2,
        inf / 2 + 1,
        inf - 1,
        inf,
        inf + 1,
        inf | one / 2,
        inf | (one / 2 + 1),
        inf - one,
        inf + one - 1,
    };
    return corners[i];
}

static inline uint64_t
fp_corner(struct fp_random *r, unsigned width)
{
    return fp_corner_at((unsigned)(fp_random(r) % FP_CORNERS), width);
}

/* Around one with few bits set: sums and products that are halfway. */
static inline uint64_t
fp_sparse(struct fp_random *r, unsigned width)
{
    unsigned frac = fp_frac_bits(width);
    uint64_t one = (uint64_t)1 << frac;
    uint64_t inf = ((uint64_t)1 << (width - 1)) - one;
    uint64_t e = inf / one / 2 + fp_random(r) % (2 * frac + 8) - frac - 4;
    uint64_t bits = (uint64_t)1 << fp_random(r) % frac;
    bits |= (uint64_t)1 << fp_random(r) % frac;
    if (fp_random(r) & 1)
        bits = (0 - bits) & (one - 1);
    return (e % (inf / one)) * one + bits;
}

static inline uint64_t
fp_operand(struct fp_random *r, unsigned width)
{
    uint64_t mask = UINT64_MAX >> (64 - width);
    uint64_t sign = (fp_random(r) & 1) << (width - 1);
    switch (fp_random(r) % 6) {
    case 0:
        return sign | fp_corner(r, width);
    case 1: /* near a corner */
        return (sign | (fp_corner(r, width) + fp_random(r) % 9 - 4)) & mask;
    case 2:
    case 3:
        return sign | fp_sparse(r, width);
    default:
        return fp_random(r) & mask;
    }
}

/* Another operand: on its own, or close to `a`, so that they cancel. */
static inline uint64_t
fp_partner(struct fp_random *r, unsigned width, uint64_t a)
{
    uint64_t mask = UINT64_MAX >> (64 - width);
    if (fp_random(r) % 4)
        return fp_operand(r, width);
    uint64_t sign = (fp_random(r) & 1) << (width - 1);
    uint64_t step = (fp_random(r) % 3) << fp_frac_bits(width);
    return ((a ^ sign) + fp_random(r) % 5 - 2 + step) & mask;
}
