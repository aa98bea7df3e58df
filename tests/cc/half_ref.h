/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Halves as numbers, and numbers as halves, by long double. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum mode { RTE, RTZ, RTP, RTN };

static inline long double
value(uint16_t h)
{
    int e = h >> 10 & 31, m = h & 0x3ff;
    long double x = e == 31 ? (m ? (long double)NAN : (long double)INFINITY)
                    : e     ? ldexpl(m | 0x400, e - 25)
                            : ldexpl(m, -24);
    return h >> 15 ? -x : x;
}

static inline long double
integral(long double x, enum mode mode)
{
    switch (mode) {
    case RTE:
        return rintl(x);
    case RTZ:
        return truncl(x);
    case RTP:
        return ceill(x);
    case RTN:
        return floorl(x);
    }
    return x;
}

/* x as a half, which must be all there is: 64 bits hold it. */
static inline uint16_t
rounded(long double x, enum mode mode)
{
    uint16_t sign = signbit(x) ? 0x8000 : 0;
    if (isnan(x))
        return 0x7e00;
    if (isinf(x) || x == 0)
        return sign | (x == 0 ? 0 : 0x7c00);
    int e = ilogbl(x) < -14 ? -14 : ilogbl(x);
    long double size = fabsl(integral(ldexpl(x, 10 - e), mode));
    if (size == 2048) {
        size = 1024;
        e++;
    }
    if (e > 15) {
        bool away =
            mode == RTE || (mode == RTP && !sign) || (mode == RTN && sign);
        return sign | (away ? 0x7c00 : 0x7bff);
    }
    unsigned fraction = (unsigned)size;
    if (fraction < 1024)
        return (uint16_t)(sign | fraction);
    return (uint16_t)(sign | (unsigned)(e + 15) << 10 | (fraction - 1024));
}

static inline bool
is_nan(uint16_t h)
{
    return (h & 0x7fff) > 0x7c00;
}
