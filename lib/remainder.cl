/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What division leaves, in single precision, also of subnormal numbers, which
 * libclc takes for zeros: fmod, remainder, remquo.
 */
#include "ventus.h"

/* A finite number but 0 as m 2^(e - 150), m an integer of 24 bits. */
static float
integer_part(float a, int *e)
{
    bool small = a < 0x1p-126f;
    int bits = as_int(small ? a * 0x1p23f : a);
    *e = (bits >> 23) - (small ? 23 : 0);
    return as_float((bits & 0x7fffff) | (150 << 23));
}

static float
power_of_2(int n)
{
    return as_float((n + 127) << 23);
}

/*
 * Long division of a by b, both above 0, 23 bits of the quotient at a time:
 * all numbers are integers below 2^24 times a power of 2, so every step is
 * exact but for a digit one too large.  Returns the remainder in units of
 * 2^(*unit); *quotient is the quotient's low 32 bits.  To the nearest: the
 * remainder is at most half of b, ties to the even quotient.
 */
static float
divide(float a, float b, bool nearest, uint *quotient, int *unit)
{
    int ea, eb;
    float r = integer_part(a, &ea), m = integer_part(b, &eb);
    int n = ea - eb;
    uint q = 0;
    if (n < 0) /* n is -1 */
        r *= 0.5f;
    else if (r >= m) {
        r -= m;
        q = 1;
    }
    while (n > 0) {
        int step = min(n, 23);
        r *= power_of_2(step);
        float digit = trunc(r / m);
        r = fma(-digit, m, r);
        if (r < 0.0f) {
            r += m;
            digit -= 1.0f;
        }
        q = (q << step) + (uint)digit;
        n -= step;
    }
    if (nearest && (2.0f * r > m || (2.0f * r == m && q & 1))) {
        r -= m;
        q++;
    }
    *unit = eb - 150;
    *quotient = q;
    return r;
}

/* With a quotient that has the sign of x / y. */
static float
divide_any(float x, float y, bool nearest, int *quotient)
{
    float a = fabs(x), b = fabs(y);
    *quotient = 0;
    if (!(a < INFINITY) || !(b > 0.0f))
        return NAN;
    if (a < (nearest ? 0.5f * b : b) || a == 0.0f)
        return x;
    uint q;
    int unit;
    float r = divide(a, b, nearest, &q, &unit);
    r *= power_of_2(unit >> 1);
    r *= power_of_2(unit - (unit >> 1));
    q &= 0x7f;
    *quotient = (as_int(x) ^ as_int(y)) < 0 ? -(int)q : (int)q;
    return as_float(as_int(r) ^ (as_int(x) & (int)0x80000000));
}

PURE float
fmod(float x, float y)
{
    int quotient;
    return divide_any(x, y, false, &quotient);
}

PURE float
remainder(float x, float y)
{
    int quotient;
    return divide_any(x, y, true, &quotient);
}

/* ---- vectors, and pointers to each space ---- */

#define REMQUO(SPACE, N, LOW, HIGH)                                   \
    OVERLOAD float##N remquo(float##N x, float##N y, SPACE int##N *p) \
    {                                                                 \
        int##LOW low;                                                 \
        int##HIGH high;                                               \
        float##LOW first = remquo(x.lo, y.lo, &low);                  \
        float##HIGH second = remquo(x.hi, y.hi, &high);               \
        *p = (int##N)(low, high);                                     \
        return (float##N)(first, second);                             \
    }
#define REMQUOS(SPACE)                                        \
    OVERLOAD float remquo(float x, float y, SPACE int *p)     \
    {                                                         \
        int quotient;                                         \
        float r = divide_any(x, y, true, &quotient);          \
        *p = quotient;                                        \
        return r;                                             \
    }                                                         \
    REMQUO(SPACE, 2, , )                                      \
    OVERLOAD float3 remquo(float3 x, float3 y, SPACE int3 *p) \
    {                                                         \
        int2 low;                                             \
        int high;                                             \
        float2 first = remquo(x.xy, y.xy, &low);              \
        float second = remquo(x.z, y.z, &high);               \
        *p = (int3)(low, high);                               \
        return (float3)(first, second);                       \
    }                                                         \
    REMQUO(SPACE, 4, 2, 2)                                    \
    REMQUO(SPACE, 8, 4, 4)                                    \
    REMQUO(SPACE, 16, 8, 8)

VECTORS_2(fmod, float, float)
VECTORS_2(remainder, float, float)
REMQUOS(private)
REMQUOS(local)
REMQUOS(global)
