/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Built-in functions of half, none of which libclc has for us.  What is one
 * operation is done on halves; the rest by the function of float, rounded:
 * its error is far below half a unit in the last place of a half, and where
 * the result is exact (fmod, ldexp, frexp ...) nothing is lost.
 */
#include "ventus.h"

/* clang-format off */

/* Functions of vectors of three arguments by those of their halves. */
#define VECTOR_3(F, T) \
    PURE T F(T x, T y, T z) \
    { return (T)(F(x.lo, y.lo, z.lo), F(x.hi, y.hi, z.hi)); }
#define VECTORS_3(F, T) \
    VECTOR_3(F, T##2) \
    PURE T##3 F(T##3 x, T##3 y, T##3 z) \
    { return (T##3)(F(x.xy, y.xy, z.xy), F(x.z, y.z, z.z)); } \
    VECTOR_3(F, T##4) VECTOR_3(F, T##8) VECTOR_3(F, T##16)

#define FOR_VECTORS(X) X(2) X(3) X(4) X(8) X(16)
#define FOR_ALL(X) X() FOR_VECTORS(X)

/* ---- by float ---- */

#define BY_FLOAT_1(F) \
    PURE float F(float x); \
    PURE half F(half x) { return (half)F((float)x); } \
    VECTORS_1(F, half)
BY_FLOAT_1(acos) BY_FLOAT_1(acosh) BY_FLOAT_1(acospi) BY_FLOAT_1(asin)
BY_FLOAT_1(asinh) BY_FLOAT_1(asinpi) BY_FLOAT_1(atan) BY_FLOAT_1(atanh)
BY_FLOAT_1(atanpi) BY_FLOAT_1(cbrt) BY_FLOAT_1(cos) BY_FLOAT_1(cosh)
BY_FLOAT_1(erf) BY_FLOAT_1(erfc) BY_FLOAT_1(exp)
BY_FLOAT_1(exp2) BY_FLOAT_1(exp10) BY_FLOAT_1(expm1) BY_FLOAT_1(lgamma)
BY_FLOAT_1(log) BY_FLOAT_1(log2) BY_FLOAT_1(log10) BY_FLOAT_1(log1p)
BY_FLOAT_1(logb) BY_FLOAT_1(rsqrt) BY_FLOAT_1(sin) BY_FLOAT_1(sinh)
BY_FLOAT_1(tan) BY_FLOAT_1(tanh)
BY_FLOAT_1(tgamma) BY_FLOAT_1(degrees) BY_FLOAT_1(radians)

/* Zeros have the sign of x, none, and that of x or the other, in turn. */
PURE float sinpi(float x);
PURE float cospi(float x);
PURE float tanpi(float x);
PURE half
sinpi(half x)
{
    half r = (half)sinpi((float)x);
    return r == 0 ? __builtin_elementwise_copysign((half)0, x) : r;
}
PURE half
cospi(half x)
{
    half r = (half)cospi((float)x);
    return r == 0 ? (half)0 : r;
}
PURE half
tanpi(half x)
{
    half r = (half)tanpi((float)x);
    half sign = (int)x & 1 ? -x : x;
    return r == 0 ? __builtin_elementwise_copysign((half)0, sign) : r;
}
VECTORS_1(sinpi, half) VECTORS_1(cospi, half) VECTORS_1(tanpi, half)

#define BY_FLOAT_2(F) \
    PURE float F(float x, float y); \
    PURE half F(half x, half y) { return (half)F((float)x, (float)y); } \
    VECTORS_2(F, half, half)
BY_FLOAT_2(atan2) BY_FLOAT_2(atan2pi) BY_FLOAT_2(fmod) BY_FLOAT_2(hypot)
BY_FLOAT_2(maxmag) BY_FLOAT_2(minmag) BY_FLOAT_2(pow) BY_FLOAT_2(powr)
BY_FLOAT_2(remainder)

#define BY_FLOAT_3(F) \
    PURE float F(float x, float y, float z); \
    PURE half F(half x, half y, half z) \
    { return (half)F((float)x, (float)y, (float)z); } \
    VECTORS_3(F, half)
BY_FLOAT_3(mix) BY_FLOAT_3(smoothstep)

#define BY_FLOAT_N(F) \
    PURE float F(float x, int n); \
    PURE half F(half x, int n) { return (half)F((float)x, n); } \
    VECTORS_2(F, half, int)
BY_FLOAT_N(ldexp) BY_FLOAT_N(pown) BY_FLOAT_N(rootn)

PURE int ilogb(float x);
PURE int ilogb(half x) { return ilogb((float)x); }
#define ILOGB(N, H) \
    PURE int##N ilogb(half##N x) { return (int##N)(ilogb(x.lo), ilogb(x.hi)); }
ILOGB(2, ) ILOGB(4, 2) ILOGB(8, 4) ILOGB(16, 8)
PURE int3 ilogb(half3 x) { return (int3)(ilogb(x.xy), ilogb(x.z)); }

/* ---- one operation ---- */

#define DIRECT_1(F, N) \
    PURE half##N F(half##N x) { return __builtin_elementwise_##F(x); }
#define DIRECT_2(F, G, N) \
    PURE half##N F(half##N x, half##N y) \
    { return __builtin_elementwise_##G(x, y); }
#define DIRECTS(N) \
    DIRECT_1(ceil, N) DIRECT_1(floor, N) DIRECT_1(rint, N) DIRECT_1(round, N) \
    DIRECT_1(trunc, N) DIRECT_1(sqrt, N) \
    PURE half##N fabs(half##N x) { return __builtin_elementwise_abs(x); } \
    DIRECT_2(copysign, copysign, N) DIRECT_2(fmin, min, N) \
    DIRECT_2(fmax, max, N) \
    PURE half##N fma(half##N x, half##N y, half##N z) \
    { return __builtin_elementwise_fma(x, y, z); } \
    PURE half##N mad(half##N x, half##N y, half##N z) \
    { return __builtin_elementwise_fma(x, y, z); } \
    DIRECT_2(min, min, N) DIRECT_2(max, max, N) \
    PURE half##N clamp(half##N x, half##N least, half##N most) \
    { return fmin(fmax(x, least), most); } \
    PURE half##N nan(ushort##N code) \
    { \
        code |= (ushort)0x7e00; \
        return __builtin_astype(code, half##N); \
    }
FOR_ALL(DIRECTS)

/* The numbers in order as integers. */
PURE half
nextafter(half x, half y)
{
    short a = as_short(x), b = as_short(y);
    if (isnan(x) || isnan(y))
        return x + y;
    if (x == y)
        return y;
    if (x == 0)
        return as_half((short)((b & (short)0x8000) | 1));
    return as_half((short)(a + ((x < y) == (a >= 0) ? 1 : -1)));
}
VECTORS_2(nextafter, half, half)

PURE half fdim(half x, half y) { return x <= y ? 0 : x - y; }
VECTORS_2(fdim, half, half)

PURE half step(half edge, half x) { return x < edge ? 0 : 1; }
VECTORS_2(step, half, half)

PURE half
sign(half x)
{
    return isnan(x) ? 0 : x > 0 ? 1 : x < 0 ? -1 : x;
}
VECTORS_1(sign, half)

/* ---- vectors and scalars ---- */

#define WITH_SCALAR(N) \
    PURE half##N fmin(half##N x, half y) { return fmin(x, (half##N)y); } \
    PURE half##N fmax(half##N x, half y) { return fmax(x, (half##N)y); } \
    PURE half##N min(half##N x, half y) { return min(x, (half##N)y); } \
    PURE half##N max(half##N x, half y) { return max(x, (half##N)y); } \
    PURE half##N ldexp(half##N x, int n) { return ldexp(x, (int##N)n); } \
    PURE half##N clamp(half##N x, half least, half most) \
    { return clamp(x, (half##N)least, (half##N)most); } \
    PURE half##N mix(half##N x, half##N y, half a) \
    { return mix(x, y, (half##N)a); } \
    PURE half##N step(half edge, half##N x) \
    { return step((half##N)edge, x); } \
    PURE half##N smoothstep(half edge0, half edge1, half##N x) \
    { return smoothstep((half##N)edge0, (half##N)edge1, x); }
FOR_VECTORS(WITH_SCALAR)

/* ---- geometric ---- */

#define GEOMETRIC(N) \
    PURE float dot(float##N x, float##N y); \
    PURE float length(float##N x); \
    PURE float distance(float##N x, float##N y); \
    PURE float##N normalize(float##N x); \
    PURE half dot(half##N x, half##N y) \
    { return (half)dot(convert_float##N(x), convert_float##N(y)); } \
    PURE half length(half##N x) \
    { return (half)length(convert_float##N(x)); } \
    PURE half distance(half##N x, half##N y) \
    { return (half)distance(convert_float##N(x), convert_float##N(y)); } \
    PURE half##N normalize(half##N x) \
    { return __builtin_convertvector(normalize(convert_float##N(x)), \
                                     half##N); }
GEOMETRIC(2) GEOMETRIC(3) GEOMETRIC(4)
PURE half dot(half x, half y) { return x * y; }
PURE half length(half x) { return fabs(x); }
PURE half distance(half x, half y) { return fabs(x - y); }
PURE half normalize(half x) { return sign(x); }
#define CROSS(N) \
    PURE float##N cross(float##N x, float##N y); \
    PURE half##N cross(half##N x, half##N y) \
    { return __builtin_convertvector( \
          cross(convert_float##N(x), convert_float##N(y)), half##N); }
CROSS(3) CROSS(4)

/* ---- relational: 1 of scalars, all bits of elements of vectors ---- */

#define COMPARES(R, N) \
    PURE R isequal(half##N x, half##N y) { return x == y; } \
    PURE R isnotequal(half##N x, half##N y) { return x != y; } \
    PURE R isgreater(half##N x, half##N y) { return x > y; } \
    PURE R isgreaterequal(half##N x, half##N y) { return x >= y; } \
    PURE R isless(half##N x, half##N y) { return x < y; } \
    PURE R islessequal(half##N x, half##N y) { return x <= y; } \
    PURE R islessgreater(half##N x, half##N y) { return x < y || x > y; } \
    PURE R isordered(half##N x, half##N y) { return x == x && y == y; } \
    PURE R isunordered(half##N x, half##N y) { return x != x || y != y; } \
    PURE R isnan(half##N x) { return x != x; } \
    PURE R isinf(half##N x) { return fabs(x) == (half##N)INFINITY; } \
    PURE R isfinite(half##N x) { return fabs(x) < (half##N)INFINITY; } \
    PURE R isnormal(half##N x) \
    { return fabs(x) < (half##N)INFINITY && fabs(x) >= (half##N)0x1p-14h; } \
    PURE R signbit(half##N x) \
    { return __builtin_astype(x, short##N) < (short##N)0; }
COMPARES(int, )
COMPARES(short2, 2) COMPARES(short3, 3) COMPARES(short4, 4)
COMPARES(short8, 8) COMPARES(short16, 16)

#define CHOOSE(N) \
    PURE ushort##N bitselect(ushort##N a, ushort##N b, ushort##N c); \
    PURE half##N bitselect(half##N a, half##N b, half##N c) \
    { return __builtin_astype(bitselect(__builtin_astype(a, ushort##N), \
                                        __builtin_astype(b, ushort##N), \
                                        __builtin_astype(c, ushort##N)), \
                              half##N); }
FOR_ALL(CHOOSE)
PURE half select(half a, half b, short c) { return c ? b : a; }
PURE half select(half a, half b, ushort c) { return c ? b : a; }
#define SELECT(N) \
    PURE half##N select(half##N a, half##N b, short##N c) \
    { return c < (short)0 ? b : a; } \
    PURE half##N select(half##N a, half##N b, ushort##N c) \
    { return select(a, b, __builtin_astype(c, short##N)); }
FOR_VECTORS(SELECT)

/* ---- shuffles ---- */

#define SHUFFLE(N, M) \
    PURE ushort##N shuffle(ushort##M x, ushort##N at); \
    PURE ushort##N shuffle2(ushort##M x, ushort##M y, ushort##N at); \
    PURE half##N shuffle(half##M x, ushort##N at) \
    { return __builtin_astype(shuffle(__builtin_astype(x, ushort##M), at), \
                              half##N); } \
    PURE half##N shuffle2(half##M x, half##M y, ushort##N at) \
    { return __builtin_astype( \
          shuffle2(__builtin_astype(x, ushort##M), \
                   __builtin_astype(y, ushort##M), at), half##N); }
#define SHUFFLES(N) SHUFFLE(N, 2) SHUFFLE(N, 4) SHUFFLE(N, 8) SHUFFLE(N, 16)
SHUFFLES(2) SHUFFLES(4) SHUFFLES(8) SHUFFLES(16)

/* ---- vectors in memory ---- */

#define LOAD(S, N) \
    OVERLOAD half##N vload##N(size_t i, const S half *p) \
    { \
        half##N r; \
        for (uint k = 0; k < N; k++) \
            r[k] = p[i * N + k]; \
        return r; \
    }
#define STORE(S, N) \
    OVERLOAD void vstore##N(half##N x, size_t i, S half *p) \
    { \
        for (uint k = 0; k < N; k++) \
            p[i * N + k] = x[k]; \
    }
#define IN_SPACE(X, S) X(S, 2) X(S, 3) X(S, 4) X(S, 8) X(S, 16)
IN_SPACE(LOAD, constant) IN_SPACE(LOAD, global)
IN_SPACE(LOAD, local) IN_SPACE(LOAD, private)
IN_SPACE(STORE, global) IN_SPACE(STORE, local) IN_SPACE(STORE, private)

/* ---- a second result through a pointer ---- */

OVERLOAD float fract(float x, private float *p);
OVERLOAD float modf(float x, private float *p);
OVERLOAD float sincos(float x, private float *p);
OVERLOAD float frexp(float x, private int *p);
OVERLOAD float lgamma_r(float x, private int *p);
OVERLOAD float remquo(float x, float y, private int *p);

OVERLOAD half
fract(half x, private half *p)
{
    float whole;
    half rest = (half)fract((float)x, &whole);
    *p = (half)whole;
    return rest == 1 ? 0x1.ffcp-1h : rest; /* rounded up */
}
OVERLOAD half
modf(half x, private half *p)
{
    float whole;
    half rest = (half)modf((float)x, &whole);
    *p = (half)whole;
    return rest;
}
OVERLOAD half
sincos(half x, private half *p)
{
    float cosine;
    half r = (half)sincos((float)x, &cosine);
    *p = (half)cosine;
    return r;
}
OVERLOAD half frexp(half x, private int *p) { return (half)frexp((float)x, p); }
OVERLOAD half
lgamma_r(half x, private int *p)
{
    return (half)lgamma_r((float)x, p);
}
OVERLOAD half
remquo(half x, half y, private int *p)
{
    return (half)remquo((float)x, (float)y, p);
}

#define RESULT(F, P, N, H) \
    OVERLOAD half##N F(half##N x, private P##N *p) \
    { \
        P##H lo, hi; \
        half##N r = (half##N)(F(x.lo, &lo), F(x.hi, &hi)); \
        *p = (P##N)(lo, hi); \
        return r; \
    }
#define RESULTS(F, P) \
    RESULT(F, P, 2, ) \
    OVERLOAD half3 F(half3 x, private P##3 *p) \
    { \
        P##2 lo; \
        P hi; \
        half3 r = (half3)(F(x.xy, &lo), F(x.z, &hi)); \
        *p = (P##3)(lo, hi); \
        return r; \
    } \
    RESULT(F, P, 4, 2) RESULT(F, P, 8, 4) RESULT(F, P, 16, 8)
RESULTS(fract, half) RESULTS(modf, half) RESULTS(sincos, half)
RESULTS(frexp, int) RESULTS(lgamma_r, int)

#define REMQUO(N, H) \
    OVERLOAD half##N remquo(half##N x, half##N y, private int##N *p) \
    { \
        int##H lo, hi; \
        half##N r = (half##N)(remquo(x.lo, y.lo, &lo), \
                              remquo(x.hi, y.hi, &hi)); \
        *p = (int##N)(lo, hi); \
        return r; \
    }
REMQUO(2, ) REMQUO(4, 2) REMQUO(8, 4) REMQUO(16, 8)
OVERLOAD half3
remquo(half3 x, half3 y, private int3 *p)
{
    int2 lo;
    int hi;
    half3 r = (half3)(remquo(x.xy, y.xy, &lo), remquo(x.z, y.z, &hi));
    *p = (int3)(lo, hi);
    return r;
}

#define ELSEWHERE(S, F, P, N) \
    OVERLOAD half##N F(half##N x, S P##N *p) \
    { \
        P##N second; \
        half##N r = F(x, &second); \
        *p = second; \
        return r; \
    }
#define ALL_ELSEWHERE(N) \
    ELSEWHERE(global, fract, half, N) ELSEWHERE(local, fract, half, N) \
    ELSEWHERE(global, modf, half, N) ELSEWHERE(local, modf, half, N) \
    ELSEWHERE(global, sincos, half, N) ELSEWHERE(local, sincos, half, N) \
    ELSEWHERE(global, frexp, int, N) ELSEWHERE(local, frexp, int, N) \
    ELSEWHERE(global, lgamma_r, int, N) ELSEWHERE(local, lgamma_r, int, N) \
    REMQUO_ELSEWHERE(global, N) REMQUO_ELSEWHERE(local, N)
#define REMQUO_ELSEWHERE(S, N) \
    OVERLOAD half##N remquo(half##N x, half##N y, S int##N *p) \
    { \
        int##N second; \
        half##N r = remquo(x, y, &second); \
        *p = second; \
        return r; \
    }
FOR_ALL(ALL_ELSEWHERE)
