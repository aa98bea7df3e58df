/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <string.h>

#include "base/debug_assert.h"
#include "tile/hart.h"

/*
 * Elements of vector registers.  A group of registers is one row of bytes, so
 * element e of a group that starts at v8 is simply after v8.  Tail and masked
 * elements are left alone, which every policy allows.
 */
static inline unsigned
vector_sew(const struct hart *h)
{
    return h->vtype >> 3 & 7;
}

/* Registers in a group; fractions of one count as one. */
static inline unsigned
vector_group(const struct hart *h)
{
    unsigned lmul = h->vtype & 7;
    return lmul < 4 ? 1u << lmul : 1;
}

/* Past the last register there is nothing; a legal program never asks. */
static inline uint8_t *
vector_at(const struct hart *h, unsigned reg, unsigned e, unsigned sew)
{
    debug_assert(reg < 32 && sew <= 3);
    unsigned at = (reg * HART_VLENB + (e << sew)) % (32 * HART_VLENB);
    return (uint8_t *)(uintptr_t)h->v + at;
}

static inline uint64_t
vector_get(const struct hart *h, unsigned reg, unsigned e, unsigned sew)
{
    uint64_t x = 0;
    memcpy(&x, vector_at(h, reg, e, sew), 1u << sew);
    return x;
}

static inline void
vector_set(struct hart *h, unsigned reg, unsigned e, unsigned sew, uint64_t x)
{
    memcpy(vector_at(h, reg, e, sew), &x, 1u << sew);
}

static inline bool
vector_bit(const uint8_t *mask, unsigned e)
{
    return mask[e / 8] >> e % 8 & 1;
}

static inline void
vector_set_bit(uint8_t *mask, unsigned e, bool on)
{
    uint8_t bit = (uint8_t)(1u << e % 8);
    mask[e / 8] = (uint8_t)(on ? mask[e / 8] | bit : mask[e / 8] & ~bit);
}

static inline bool
vector_active(const struct hart *h, unsigned vm, unsigned e)
{
    return vm || vector_bit(h->v[0], e);
}
