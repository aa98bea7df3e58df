/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdint.h>

#include "sim/lanes.h"

/*
 * Quotients and remainders of many 32-bit numbers by one, as sem_divu_32 and its
 * relatives give them, without a division for each:
 *
 *     struct divisor by = divisor_of(INT_rem, b);
 *     d[i] = divisor_apply(INT_rem, &by, a[i]);      sem_rem_32(a[i], b)
 *
 * A magnitude n is multiplied by M, 2^64 / d rounded up (Lemire, Kaser, Kurz: "Faster
 * remainder by direct computation").  The high half of n * M is n / d rounded down:
 * M = (2^64 + e) / d with e < d, so that n * M / 2^64 is above n / d by
 * n * e / (2^64 * d) < n / 2^64 < 1 / d.  For a d of 0 or 1, M is 0.
 */
struct divisor {
    uint64_t reciprocal;
    uint32_t divisor;
    uint32_t is_zero, is_one; /* ~0 or 0, of the magnitude */
    uint32_t has_sign;        /* ~0: dividends have one that matters */
    uint32_t is_negative;
};

static inline __attribute__((always_inline)) bool
divisor_is_for(enum int_kind kind)
{
    return kind == INT_div || kind == INT_divu || kind == INT_rem ||
           kind == INT_remu;
}

static inline __attribute__((always_inline)) struct divisor
divisor_of(enum int_kind kind, uint32_t b)
{
    bool is_signed = kind == INT_div || kind == INT_rem;
    uint32_t negative = is_signed ? 0 - (b >> 31) : 0;
    uint32_t d = (b ^ negative) - negative;
    return (struct divisor){
        .reciprocal = d > 1 ? UINT64_MAX / d + 1 : 0,
        .divisor = b,
        .is_zero = d == 0 ? UINT32_MAX : 0,
        .is_one = d == 1 ? UINT32_MAX : 0,
        .has_sign = is_signed && d ? UINT32_MAX : 0,
        .is_negative = negative,
    };
}

static inline __attribute__((always_inline)) uint32_t
divisor_apply(enum int_kind kind, const struct divisor *by, uint32_t a)
{
    uint32_t negative = (0 - (a >> 31)) & by->has_sign;
    uint32_t n = (a ^ negative) - negative;
    uint64_t low = (uint64_t)n * (uint32_t)by->reciprocal;
    uint64_t high = (uint64_t)n * (uint32_t)(by->reciprocal >> 32);
    uint32_t q = (uint32_t)((high + (low >> 32)) >> 32);
    q |= (n & by->is_one) | by->is_zero;
    negative ^= by->is_negative;
    q = (q ^ negative) - negative;
    return kind == INT_div || kind == INT_divu ? q : a - q * by->divisor;
}
