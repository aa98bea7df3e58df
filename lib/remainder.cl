/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What division leaves: fmod, remainder, remquo.  libclc takes subnormal floats
 * for zeros, and doubles of 2^1023 and more overflow in its scaling.
 *
 * A format is named by its type T, the integer U of its size, the bits F of
 * its fraction and its bias B.
 */
#include "ventus.h"

/* clang-format off */

/*
 * integer_part: a finite number but 0 as m 2^(e - B - F), m an integer of
 * F + 1 bits.
 *
 * divide: long division of a by b, both above 0, F bits of the quotient at a
 * time: all numbers are integers below 2^(F + 1) times a power of 2, so every
 * step is exact but for a digit one too large.  Returns the remainder in units
 * of 2^(*unit); *quotient is the quotient's low bits, 7 at least.  To the
 * nearest: the remainder is at most half of b, ties to the even quotient.
 *
 * divide_any: with a quotient that has the sign of x / y.
 */
#define DIVISION(T, U, F, B)                                               \
    OVERLOAD static T integer_part(T a, int *e)                                        \
    {                                                                         \
        bool small = a < as_##T((U)1 << F);                                   \
        U bits = as_##U(small ? a * power_of_2_##T(F) : a);                   \
        *e = (int)(bits >> F) - (small ? F : 0);                              \
        return as_##T((bits & (((U)1 << F) - 1)) | (U)(B + F) << F);          \
    }                                                                         \
                                                                              \
    OVERLOAD static T divide(T a, T b, bool nearest, uint *quotient, int *unit)        \
    {                                                                         \
        int ea, eb;                                                           \
        T r = integer_part(a, &ea), m = integer_part(b, &eb);                 \
        int n = ea - eb;                                                      \
        U q = 0;                                                              \
        if (n < 0) /* n is -1 */                                              \
            r *= (T)0.5f;                                                     \
        else if (r >= m) {                                                    \
            r -= m;                                                           \
            q = 1;                                                            \
        }                                                                     \
        while (n > 0) {                                                       \
            int step = min(n, F);                                             \
            r *= power_of_2_##T(step);                                        \
            T digit = trunc(r / m);                                           \
            r = fma(-digit, m, r);                                            \
            if (r < 0) {                                                      \
                r += m;                                                       \
                digit -= 1;                                                   \
            }                                                                 \
            q = (q << step) + (U)digit;                                       \
            n -= step;                                                        \
        }                                                                     \
        if (nearest && (2 * r > m || (2 * r == m && q & 1))) {                \
            r -= m;                                                           \
            q++;                                                              \
        }                                                                     \
        *unit = eb - B - F;                                                   \
        *quotient = (uint)q;                                                  \
        return r;                                                             \
    }                                                                         \
                                                                              \
    OVERLOAD static T divide_any(T x, T y, bool nearest, int *quotient)                \
    {                                                                         \
        const U sign = (U)1 << (8 * sizeof(U) - 1);                           \
        T a = fabs(x), b = fabs(y);                                           \
        *quotient = 0;                                                        \
        if (!(a < (T)INFINITY) || !(b > 0))                                   \
            return (T)NAN;                                                    \
        if (a < (nearest ? (T)0.5f * b : b) || a == 0)                        \
            return x;                                                         \
        uint q;                                                               \
        int unit;                                                             \
        T r = divide(a, b, nearest, &q, &unit);                               \
        r *= power_of_2_##T(unit >> 1);                                       \
        r *= power_of_2_##T(unit - (unit >> 1));                              \
        q &= 0x7f;                                                            \
        *quotient = (as_##U(x) ^ as_##U(y)) & sign ? -(int)q : (int)q;        \
        return as_##T(as_##U(r) ^ (as_##U(x) & sign));                        \
    }                                                                         \
                                                                              \
    PURE T fmod(T x, T y)                                                     \
    {                                                                         \
        int quotient;                                                         \
        return divide_any(x, y, false, &quotient);                            \
    }                                                                         \
                                                                              \
    PURE T remainder(T x, T y)                                                \
    {                                                                         \
        int quotient;                                                         \
        return divide_any(x, y, true, &quotient);                             \
    }

/* With n within the exponents of normal numbers. */
static float
power_of_2_float(int n)
{
    return as_float((n + 127) << 23);
}

static double
power_of_2_double(int n)
{
    return as_double((long)(n + 1023) << 52);
}

/* ---- vectors, and pointers to each space ---- */

#define REMQUO(SPACE, T, N, LOW, HIGH)                            \
    OVERLOAD T##N remquo(T##N x, T##N y, SPACE int##N *p)         \
    {                                                             \
        int##LOW low;                                             \
        int##HIGH high;                                           \
        T##LOW first = remquo(x.lo, y.lo, &low);                  \
        T##HIGH second = remquo(x.hi, y.hi, &high);               \
        *p = (int##N)(low, high);                                 \
        return (T##N)(first, second);                             \
    }
#define REMQUOS(SPACE, T)                                         \
    OVERLOAD T remquo(T x, T y, SPACE int *p)                     \
    {                                                             \
        int quotient;                                             \
        T r = divide_any(x, y, true, &quotient);                  \
        *p = quotient;                                            \
        return r;                                                 \
    }                                                             \
    REMQUO(SPACE, T, 2, , )                                       \
    OVERLOAD T##3 remquo(T##3 x, T##3 y, SPACE int3 *p)           \
    {                                                             \
        int2 low;                                                 \
        int high;                                                 \
        T##2 first = remquo(x.xy, y.xy, &low);                    \
        T second = remquo(x.z, y.z, &high);                       \
        *p = (int3)(low, high);                                   \
        return (T##3)(first, second);                             \
    }                                                             \
    REMQUO(SPACE, T, 4, 2, 2)                                     \
    REMQUO(SPACE, T, 8, 4, 4)                                     \
    REMQUO(SPACE, T, 16, 8, 8)

#define ALL(T, U, F, B)                                        \
    DIVISION(T, U, F, B)                                       \
    VECTORS_2(fmod, T, T)                                         \
    VECTORS_2(remainder, T, T)                                    \
    FOR_SPACES(REMQUOS, T)

ALL(float, uint, 23, 127)
ALL(double, ulong, 52, 1023)
