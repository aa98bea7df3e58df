/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conversions that libclc gets wrong: to integers with saturation, which makes
 * 0 of what is no number; from integers that round to the largest number and
 * then compare with what that is as an integer; from double to float, toward
 * a zero that lost its sign; to half, upwards from below its smallest number.
 * And those to half in memory, which it does in up to 250 instructions.
 */
#include "ventus.h"

/* clang-format off */

/* F by name with suffix S, of widths 2 to 16 by those of scalars. */
#define HALVES(T, F, S, N, H)                                                 \
    PURE T##N convert_##T##N##S(F##N x)                                       \
    { return (T##N)(convert_##T##H##S(x.lo), convert_##T##H##S(x.hi)); }
#define VECTORS(T, F, S)                                                      \
    HALVES(T, F, S, 2,)                                                       \
    PURE T##3 convert_##T##3##S(F##3 x)                                       \
    { return (T##3)(convert_##T##2##S(x.xy), convert_##T##S(x.z)); }          \
    HALVES(T, F, S, 4, 2) HALVES(T, F, S, 8, 4) HALVES(T, F, S, 16, 8)

/* ---- floating point to integer, saturated ---- */

#define AS_IS(x) x
#define TO_INTEGER(T, F, S, ROUND, LEAST, MOST, FIRST, END)                   \
    PURE T convert_##T##S(F x)                                                \
    {                                                                         \
        x = ROUND(x);                                                         \
        return x >= (F)END ? MOST                                             \
               : x > (F)FIRST ? (T)x : x == x ? LEAST : (T)0;                 \
    }                                                                         \
    VECTORS(T, F, S)
#define TO_INTEGER_MODES(T, F, ...)                                           \
    TO_INTEGER(T, F, _sat, AS_IS, __VA_ARGS__)                                \
    TO_INTEGER(T, F, _sat_rtz, AS_IS, __VA_ARGS__)                            \
    TO_INTEGER(T, F, _sat_rte, __builtin_elementwise_rint, __VA_ARGS__)       \
    TO_INTEGER(T, F, _sat_rtp, __builtin_elementwise_ceil, __VA_ARGS__)       \
    TO_INTEGER(T, F, _sat_rtn, __builtin_elementwise_floor, __VA_ARGS__)
#define TO_INTEGERS(F)                                                        \
    TO_INTEGER_MODES(char, F, CHAR_MIN, CHAR_MAX, -0x1p7, 0x1p7)              \
    TO_INTEGER_MODES(uchar, F, 0, UCHAR_MAX, 0, 0x1p8)                        \
    TO_INTEGER_MODES(short, F, SHRT_MIN, SHRT_MAX, -0x1p15, 0x1p15)           \
    TO_INTEGER_MODES(ushort, F, 0, USHRT_MAX, 0, 0x1p16)                      \
    TO_INTEGER_MODES(int, F, INT_MIN, INT_MAX, -0x1p31, 0x1p31)               \
    TO_INTEGER_MODES(uint, F, 0, UINT_MAX, 0, 0x1p32)                         \
    TO_INTEGER_MODES(long, F, LONG_MIN, LONG_MAX, -0x1p63, 0x1p63)            \
    TO_INTEGER_MODES(ulong, F, 0, ULONG_MAX, 0, 0x1p64)
TO_INTEGERS(double)
TO_INTEGER_MODES(long, float, LONG_MIN, LONG_MAX, -0x1p63, 0x1p63)
TO_INTEGER_MODES(ulong, float, 0, ULONG_MAX, 0, 0x1p64)

/* The machine's conversion of float saturates, and gives the largest integer for NaN. */
INTRINSIC int
__ventus_sat_int(float x);
INTRINSIC uint
__ventus_sat_uint(float x);
#define OF_FLOAT(T, S, ROUND, BY, LIMIT)                                      \
    PURE T convert_##T##S(float x)                                            \
    {                                                                         \
        x = ROUND(x);                                                         \
        return LIMIT(x == x ? BY(x) : 0);                                     \
    }                                                                         \
    VECTORS(T, float, S)
#define OF_FLOAT_MODES(T, ...)                                                \
    OF_FLOAT(T, _sat, AS_IS, __VA_ARGS__)                                     \
    OF_FLOAT(T, _sat_rtz, AS_IS, __VA_ARGS__)                                 \
    OF_FLOAT(T, _sat_rte, __builtin_elementwise_rint, __VA_ARGS__)            \
    OF_FLOAT(T, _sat_rtp, __builtin_elementwise_ceil, __VA_ARGS__)            \
    OF_FLOAT(T, _sat_rtn, __builtin_elementwise_floor, __VA_ARGS__)
#define TO_CHAR(x)   (char)clamp(x, CHAR_MIN, CHAR_MAX)
#define TO_UCHAR(x)  (uchar)clamp(x, 0, UCHAR_MAX)
#define TO_SHORT(x)  (short)clamp(x, SHRT_MIN, SHRT_MAX)
#define TO_USHORT(x) (ushort)clamp(x, 0, USHRT_MAX)
OF_FLOAT_MODES(char, __ventus_sat_int, TO_CHAR)
OF_FLOAT_MODES(uchar, __ventus_sat_int, TO_UCHAR)
OF_FLOAT_MODES(short, __ventus_sat_int, TO_SHORT)
OF_FLOAT_MODES(ushort, __ventus_sat_int, TO_USHORT)
OF_FLOAT_MODES(int, __ventus_sat_int, AS_IS)
OF_FLOAT_MODES(uint, __ventus_sat_uint, AS_IS)

/* ---- integer to a narrower one, saturated ---- */

/* Vectors take one instruction for each element; for a scalar, setting the width would
 * take as many as it saves. */
#define CLIP_VECTORS(T, F)                                                    \
    INTRINSIC T __ventus_clip_##T(F x);                                       \
    PURE T##2 convert_##T##2_sat(F##2 x)                                      \
    { return (T##2)(__ventus_clip_##T(x.x), __ventus_clip_##T(x.y)); }        \
    PURE T##3 convert_##T##3_sat(F##3 x)                                      \
    { return (T##3)(convert_##T##2_sat(x.xy), __ventus_clip_##T(x.z)); }      \
    HALVES(T, F, _sat, 4, 2) HALVES(T, F, _sat, 8, 4) HALVES(T, F, _sat, 16, 8)
CLIP_VECTORS(char, short)
CLIP_VECTORS(short, int)

/* ---- integer to floating point, toward zero and down ---- */

/* u with its first BITS bits only, then one up if that is wanted. */
#define FIRST_BITS(F, BITS, U, I, WIDTH)                                      \
    static F F##_of_##U(U u, bool up)                                         \
    {                                                                         \
        uint zeros = clz(u);                                                  \
        uint shift = zeros < WIDTH - BITS ? WIDTH - BITS - zeros : 0;         \
        U first = u >> shift << shift;                                        \
        F f = (F)first;                                                       \
        return up && first != u ? as_##F(as_##I(f) + 1) : f;                  \
    }
#define FROM_INTEGER(F, T, U, S, UP)                                          \
    PURE F convert_##F##S(T x)                                                \
    {                                                                         \
        bool negative = x < 0;                                                \
        F f = F##_of_##U(negative ? -(U)x : (U)x, UP);                        \
        return negative ? -f : f;                                             \
    }                                                                         \
    VECTORS(F, T, S)
#define FROM_INTEGERS(F, T, U)                                                \
    FROM_INTEGER(F, T, U, _rtz, false)                                        \
    FROM_INTEGER(F, T, U, _rtn, negative)

FIRST_BITS(float, 24, uint, uint, 32)
FIRST_BITS(float, 24, ulong, uint, 64)
FIRST_BITS(double, 53, ulong, ulong, 64)
FROM_INTEGERS(float, int, uint)
FROM_INTEGERS(float, uint, uint)
FROM_INTEGERS(float, long, ulong)
FROM_INTEGERS(float, ulong, ulong)
FROM_INTEGERS(double, long, ulong)
FROM_INTEGERS(double, ulong, ulong)

/* ---- double to float ---- */

/* Beside the nearest float, which is on the wrong side of x: one further from
 * 0 or one closer to it, whose sign stays. */
#define TO_FLOAT(S, WRONG, FURTHER)                                           \
    PURE float convert_float##S(double x)                                     \
    {                                                                         \
        float f = (float)x;                                                   \
        return WRONG ? as_float(as_int(f) + ((FURTHER) ? 1 : -1)) : f;        \
    }                                                                         \
    VECTORS(float, double, S)
TO_FLOAT(_rtz, fabs((double)f) > fabs(x), false)
TO_FLOAT(_rtp, f < x, as_int(f) >= 0)
TO_FLOAT(_rtn, f > x, as_int(f) < 0)

/* ---- to half in memory ---- */

/* The bits of a half: the sign, and |x| rounded to 11 bits, away from zero if
 * `away`, else toward it; below 2^-14 to units of 2^-24.  Without branches:
 * lanes differ. */
static ushort
half_of_float(float x, bool upwards)
{
    uint bits = as_uint(x), sign = bits >> 16 & 0x8000, a = bits & 0x7fffffff;
    bool away = upwards == !sign;
    uint most = away ? 0x47800000 : 0x477fe000; /* 2^16, 65504 */
    uint normal = (min(a, most) - (away ? 0x37ffe001 : 0x38000000)) >> 13;
    float units = as_float(a) * 0x1p24f;
    uint small = (uint)units;
    small += away && (float)small != units;
    uint special = a > 0x7f800000 ? 0x7e00 : 0x7c00;
    uint finite = a < 0x38800000 ? small : normal;
    return sign | (a < 0x7f800000 ? finite : special);
}

/* By a float whose last bit says that there was more. */
static ushort
half_of_double(double x, bool upwards)
{
    float f = convert_float_rtz(x);
    return half_of_float(as_float(as_uint(f) | (f != x)), upwards);
}

#define TO_NEAREST(T, x) as_ushort((half)x)
#define TO_ZERO(T, x) half_of_##T(x, x < 0)
#define UP(T, x) half_of_##T(x, true)
#define DOWN(T, x) half_of_##T(x, false)

#define STORE_HALVES(S, T, M, BITS, NAME, N, STEP)                            \
    OVERLOAD void NAME##N##M(T##N x, size_t i, S half *p)                     \
    {                                                                         \
        for (uint k = 0; k < N; k++)                                          \
            ((S ushort *)p)[i * STEP + k] = BITS(T, x[k]);                    \
    }
#define STORE_HALF(S, T, M, BITS)                                             \
    OVERLOAD void vstore_half##M(T x, size_t i, S half *p)                    \
    { ((S ushort *)p)[i] = BITS(T, x); }                                      \
    STORE_HALVES(S, T, M, BITS, vstore_half, 2, 2)                            \
    STORE_HALVES(S, T, M, BITS, vstore_half, 3, 3)                            \
    STORE_HALVES(S, T, M, BITS, vstore_half, 4, 4)                            \
    STORE_HALVES(S, T, M, BITS, vstore_half, 8, 8)                            \
    STORE_HALVES(S, T, M, BITS, vstore_half, 16, 16)                          \
    STORE_HALVES(S, T, M, BITS, vstorea_half, 2, 2)                           \
    STORE_HALVES(S, T, M, BITS, vstorea_half, 3, 4)                           \
    STORE_HALVES(S, T, M, BITS, vstorea_half, 4, 4)                           \
    STORE_HALVES(S, T, M, BITS, vstorea_half, 8, 8)                           \
    STORE_HALVES(S, T, M, BITS, vstorea_half, 16, 16)
#define STORE_MODES(S, T)                                                     \
    STORE_HALF(S, T, , TO_NEAREST) STORE_HALF(S, T, _rte, TO_NEAREST)         \
    STORE_HALF(S, T, _rtz, TO_ZERO) STORE_HALF(S, T, _rtp, UP)                \
    STORE_HALF(S, T, _rtn, DOWN)
#define STORES(S) STORE_MODES(S, float) STORE_MODES(S, double)
STORES(global)
STORES(local)
STORES(private)

/* ---- half as a type ---- */

/* Integers that float rounds are beyond the largest half in any direction. */
#define TO_HALF(T, BY, F)                                                     \
    PURE half convert_half(T x) { return (half)x; }                           \
    PURE half convert_half_rte(T x) { return (half)x; }                       \
    PURE half convert_half_rtz(T x) { return as_half(BY((F)x, x < 0)); }      \
    PURE half convert_half_rtp(T x) { return as_half(BY((F)x, true)); }       \
    PURE half convert_half_rtn(T x) { return as_half(BY((F)x, false)); }      \
    VECTORS(half, T, ) VECTORS(half, T, _rte) VECTORS(half, T, _rtz)          \
    VECTORS(half, T, _rtp) VECTORS(half, T, _rtn)
#define TO_HALF_BY_FLOAT(T) TO_HALF(T, half_of_float, float)
FOR_INTEGERS(TO_HALF_BY_FLOAT)
TO_HALF_BY_FLOAT(float)
TO_HALF(double, half_of_double, double)

/* All halves are floats, so conversions from float do. */
#define SAME(T, S)                                                            \
    PURE T convert_##T##S(half x) { return (T)x; }                            \
    VECTORS(T, half, S)
#define BY_FLOAT(T, S)                                                        \
    PURE T convert_##T##S(float x);                                           \
    PURE T convert_##T##S(half x) { return convert_##T##S((float)x); }        \
    VECTORS(T, half, S)
#define OF_HALF(T)                                                            \
    SAME(T, ) SAME(T, _rte) SAME(T, _rtz) SAME(T, _rtp) SAME(T, _rtn)
#define INTEGER_OF_HALF(T)                                                    \
    SAME(T, ) SAME(T, _rtz) BY_FLOAT(T, _rte) BY_FLOAT(T, _rtp)               \
    BY_FLOAT(T, _rtn) BY_FLOAT(T, _sat) BY_FLOAT(T, _sat_rte)                 \
    BY_FLOAT(T, _sat_rtz) BY_FLOAT(T, _sat_rtp) BY_FLOAT(T, _sat_rtn)
FOR_INTEGERS(INTEGER_OF_HALF)
OF_HALF(half) OF_HALF(float) OF_HALF(double)
