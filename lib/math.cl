/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The native functions, exponential and logarithmic half functions, and what libclc
 * lacks.
 *
 * libclc leaves native_exp, log, sin, cos and similar to LLVM intrinsics
 * that GPUs have instructions for; we have vfexp only.  Here are polynomials
 * for the others: least squares of the relative error at Chebyshev nodes.
 * Arguments are finite; nothing is done for zeros and infinities.  Logarithms
 * take subnormal numbers, since -cl-fast-relaxed-math does not exclude them.
 */
#include "ventus.h"

PURE float
native_exp(float x)
{
    return __ventus_exp_f32(x);
}

PURE float
native_exp2(float x)
{
    return __ventus_exp_f32(x * M_LN2_F);
}

PURE float
native_exp10(float x)
{
    return __ventus_exp_f32(x * M_LN10_F);
}

PURE float
half_exp(float x)
{
    return __ventus_exp_f32(x);
}

PURE float
half_exp2(float x)
{
    return __ventus_exp_f32(x * M_LN2_F);
}

PURE float
half_exp10(float x)
{
    return __ventus_exp_f32(x * M_LN10_F);
}

/* Functions of full precision (explog.cl) take no more instructions than any that are right
 * at zeros, infinities and subnormal numbers. */
PURE float
half_log(float x)
{
    return log(x);
}

PURE float
half_log2(float x)
{
    return log2(x);
}

PURE float
half_log10(float x)
{
    return log10(x);
}

/* x = m 2^e with m in [sqrt(1/2), sqrt(2)); log2(m) by m - 1: 2e-7. */
PURE float
native_log2(float x)
{
    bool small = x < 0x1p-126f;
    int bits = as_int(small ? x * 0x1p23f : x);
    int e = (bits - 0x3f3504f3) >> 23;
    float f = as_float(bits - (e << 23)) - 1.0f;
    float p = -1.423764847e-01f;
    p = fma(p, f, 2.324782946e-01f);
    p = fma(p, f, -2.493215413e-01f);
    p = fma(p, f, 2.873127455e-01f);
    p = fma(p, f, -3.602233535e-01f);
    p = fma(p, f, 4.809158875e-01f);
    p = fma(p, f, -7.213529497e-01f);
    p = fma(p, f, 1.442694999e+00f);
    return fma(p, f, (float)(small ? e - 23 : e));
}

PURE float
native_log(float x)
{
    return native_log2(x) * M_LN2_F;
}

PURE float
native_log10(float x)
{
    return native_log2(x) * (M_LN2_F / M_LN10_F);
}

PURE float
native_powr(float x, float y)
{
    return native_exp2(y * native_log2(x));
}

/* x - k pi, in three steps so that it holds for some thousand periods. */
static float
reduce_pi(float x, float k)
{
    x = fma(k, -3.140625f, x);
    x = fma(k, -9.67502593994140625e-04f, x);
    return fma(k, -1.509957990978376432e-07f, x);
}

/* sin(r) (-1)^k for r in [-pi/2, pi/2]: 6.4e-9. */
static float
sin_poly(float r, int k)
{
    float r2 = r * r;
    float p = 2.606982158e-06f;
    p = fma(p, r2, -1.981020826e-04f);
    p = fma(p, r2, 8.333075689e-03f);
    p = fma(p, r2, -1.666665999e-01f);
    return as_float(as_int(fma(p * r2, r, r)) ^ k << 31);
}

PURE float
native_sin(float x)
{
    float k = rint(x * M_1_PI_F);
    return sin_poly(reduce_pi(x, k), (int)k);
}

/* cos(x) = sin(x + pi/2) = -sin(x - (k + 1/2) pi) (-1)^k */
PURE float
native_cos(float x)
{
    float k = rint(fma(x, M_1_PI_F, -0.5f));
    return sin_poly(reduce_pi(x, k + 0.5f), (int)k + 1);
}

PURE float
native_tan(float x)
{
    return native_sin(x) / native_cos(x);
}

VECTORS_1(native_exp, float)
VECTORS_1(native_exp2, float)
VECTORS_1(native_exp10, float)
VECTORS_1(half_exp, float)
VECTORS_1(half_exp2, float)
VECTORS_1(half_exp10, float)
VECTORS_1(half_log, float)
VECTORS_1(half_log2, float)
VECTORS_1(half_log10, float)
VECTORS_1(native_log, float)
VECTORS_1(native_log2, float)
VECTORS_1(native_log10, float)
VECTORS_1(native_sin, float)
VECTORS_1(native_cos, float)
VECTORS_1(native_tan, float)

#define POWR(T)                                 \
    PURE T native_powr(T x, T y)                \
    {                                           \
        return native_exp2(y * native_log2(x)); \
    }
POWR(float2)
POWR(float3)
POWR(float4)
POWR(float8) POWR(float16)

/* libclc has these edges for float only. */
#define SMOOTHSTEP(T)                                           \
    PURE T smoothstep(double edge0, double edge1, T x)          \
    {                                                           \
        T t = clamp((x - edge0) / (edge1 - edge0), (T)0, (T)1); \
        return t * t * (3 - 2 * t);                             \
    }
    SMOOTHSTEP(double2) SMOOTHSTEP(double3) SMOOTHSTEP(double4)
        SMOOTHSTEP(double8) SMOOTHSTEP(double16)
