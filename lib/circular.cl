/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Circular functions of multiples of pi, and arc tangents: of libclc's, zeros
 * have the wrong sign (OpenCL C, "Edge Case Behavior"), and the latter take
 * three times the instructions.  Polynomials are minimax ones.
 */
#include "ventus.h"

/* ---- polynomials, for r in [-1/4, 1/4] and z = r^2 ---- */

/* sin(pi r) / r: 3e-9. */
OVERLOAD static float
sin_poly(float z)
{
    float p = -5.890122056e-01f;
    p = fma(p, z, 2.549761057e+00f);
    p = fma(p, z, -5.167707920e+00f);
    return fma(p, z, 3.141592741e+00f);
}

/* cos(pi r): 5e-11 */
OVERLOAD static float
cos_poly(float z)
{
    float p = 2.314295173e-01f;
    p = fma(p, z, -1.335058451e+00f);
    p = fma(p, z, 4.058707714e+00f);
    p = fma(p, z, -4.934802055e+00f);
    return fma(p, z, 1.0f);
}

/* 3e-18 */
OVERLOAD static double
sin_poly(double z)
{
    double p = 4.61514430509569942e-04;
    p = fma(p, z, -7.37001831450623257e-03);
    p = fma(p, z, 8.21458689494500016e-02);
    p = fma(p, z, -5.99264528932154095e-01);
    p = fma(p, z, 2.55016403987326612e+00);
    p = fma(p, z, -5.16771278004995427e+00);
    return fma(p, z, 3.14159265358979312e+00);
}

/* 3e-20 */
OVERLOAD static double
cos_poly(double z)
{
    double p = -1.03577888339491500e-04;
    p = fma(p, z, 1.92946817387341452e-03);
    p = fma(p, z, -2.58068858793661371e-02);
    p = fma(p, z, 2.35330630201609436e-01);
    p = fma(p, z, -1.33526276885218831e+00);
    p = fma(p, z, 4.05871212641675072e+00);
    p = fma(p, z, -4.93480220054467900e+00);
    return fma(p, z, 1.0);
}

/* ---- functions ---- */

/* x = r + n / 2 + an even number, for x not below 0; returns n mod 4. */
#define REDUCE(T, INT, INTEGERS)                          \
    OVERLOAD static int reduce(T x, T *r)                 \
    {                                                     \
        T y = fma(trunc(x * (T)0.5), (T)-2, x);           \
        T sum = y + y + INTEGERS, n = sum - INTEGERS;     \
        *r = fma(n, (T)-0.5, y);                          \
        return (int)as_##INT(sum) & 3;                    \
    }
REDUCE(float, int, 0x1p23f)
REDUCE(double, long, 0x1p52)

/* A zero is added where the results have only one. */
#define FUNCTIONS(T)                                             \
    PURE T sinpi(T x)                                            \
    {                                                            \
        T r;                                                     \
        int n = reduce(fabs(x), &r);                             \
        T z = r * r, y = n & 1 ? cos_poly(z) : r * sin_poly(z);  \
        y = (n & 2 ? -y : y) + (T)0;                             \
        return x < 0 ? -y : x == 0 ? x : y;                      \
    }                                                            \
    PURE T cospi(T x)                                            \
    {                                                            \
        T r;                                                     \
        int n = reduce(fabs(x), &r);                             \
        T z = r * r, y = n & 1 ? -r * sin_poly(z) : cos_poly(z); \
        return (n & 2 ? -y : y) + (T)0;                          \
    }                                                            \
    PURE T tanpi(T x)                                            \
    {                                                            \
        T r;                                                     \
        int n = reduce(fabs(x), &r);                             \
        T z = r * r, s = r * sin_poly(z), c = cos_poly(z);       \
        T y = n & 1 ? -c / s : s / c;                            \
        T at_0 = n & 1 ? (T)INFINITY : (T)0;                     \
        y = r == 0 ? n & 2 ? -at_0 : at_0 : y;                   \
        return x < 0 ? -y : x == 0 ? x : y;                      \
    }                                                            \
    VECTORS_1(sinpi, T)                                          \
    VECTORS_1(cospi, T)                                          \
    VECTORS_1(tanpi, T)
FUNCTIONS(float)
FUNCTIONS(double)


/* ---- arc tangents ---- */

/* (atan(t) / t - 1) / z for z = t^2, t up to tan(pi / 8): 7e-10 of atan. */
OVERLOAD static float
atan_poly(float z)
{
    float p = -6.060526893e-02f;
    p = fma(p, z, 1.058736295e-01f);
    p = fma(p, z, -1.424274147e-01f);
    p = fma(p, z, 1.999843419e-01f);
    return fma(p, z, -3.333331347e-01f);
}

/* 1e-18 */
OVERLOAD static double
atan_poly(double z)
{
    double p = -1.77735059105656422e-02;
    p = fma(p, z, 3.79445683074303153e-02);
    p = fma(p, z, -5.03467126825274600e-02);
    p = fma(p, z, 5.84688250269730231e-02);
    p = fma(p, z, -6.66296889835172046e-02);
    p = fma(p, z, 7.69204863460078853e-02);
    p = fma(p, z, -9.09089712586529375e-02);
    p = fma(p, z, 1.11111107622274941e-01);
    p = fma(p, z, -1.42857142797885833e-01);
    p = fma(p, z, 1.99999999999497274e-01);
    return fma(p, z, -3.33333333333331872e-01);
}

/*
 * The angle of the point (x, y), where half a turn is pi and one radian is
 * unit, from the tangent of its distance to the nearest multiple of a quarter
 * of a turn; that to the eighth of a turn if it is nearer.
 */
#define ANGLE(T, INT)                                                      \
    static T angle_##T(T y, T x, T pi, T unit)                             \
    {                                                                      \
        T a = fabs(y), b = fabs(x);                                        \
        bool steep = a > b;                                                \
        T above = steep ? b : a, below = steep ? a : b;                    \
        T t = above == below ? (above == 0 ? (T)0 : (T)1) : above / below; \
        bool far = t > (T)0.414;                                           \
        t = far ? (t - 1) / (t + 1) : t;                                   \
        T z = t * t, r = fma(t * z, atan_poly(z), t) * unit;               \
        r = far ? (T)0.25 * pi + r : r;                                    \
        r = steep ? (T)0.5 * pi - r : r;                                   \
        r = as_##INT(x) < 0 ? pi - r : r;                                  \
        return copysign(r, y);                                             \
    }                                                                      \
    PURE T atan(T y)                                                       \
    {                                                                      \
        return angle_##T(y, 1, (T)M_PI, 1);                                \
    }                                                                      \
    PURE T atanpi(T y)                                                     \
    {                                                                      \
        return angle_##T(y, 1, 1, (T)M_1_PI);                              \
    }                                                                      \
    PURE T atan2(T y, T x)                                                 \
    {                                                                      \
        return angle_##T(y, x, (T)M_PI, 1);                                \
    }                                                                      \
    PURE T atan2pi(T y, T x)                                               \
    {                                                                      \
        return angle_##T(y, x, 1, (T)M_1_PI);                              \
    }                                                                      \
    VECTORS_1(atan, T)                                                     \
    VECTORS_1(atanpi, T)                                                   \
    VECTORS_2(atan2, T, T)                                                 \
    VECTORS_2(atan2pi, T, T)
ANGLE(float, int)
ANGLE(double, long)
