/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions in which libclc misses the accuracy that OpenCL wants, or special
 * cases.  tests/cc/front/accuracy.py finds such functions.
 */
#include "ventus.h"

/* ---- rootn, pown, ldexp ---- */

OVERLOAD float
__clc_rootn(float x, int n);
OVERLOAD double
__clc_ldexp(double x, int n);
float
libclc_pown(float x, int n) __asm__("libclc__Z4pownfi");

/* libclc converts n to float and back, which for the largest n, 2^31 as floats,
 * has no result.  Near 2^31 roots of floats do not depend on n but for its last
 * bit; nor do powers, which are 0, 1 or infinite. */
static int
below_2_31(int n)
{
    return n < 0x7fffffc0 ? n : n - 128;
}

PURE float
pown(float x, int n)
{
    return libclc_pown(x, below_2_31(n));
}

/* libclc loses results at the small end of the range, which only these n
 * reach. */
PURE float
rootn(float x, int n)
{
    if (n == 1)
        return x;
    return n == -1 ? 1.0f / x : __clc_rootn(x, below_2_31(n));
}

/* libclc's takes subnormal numbers for zeros.  The first product is exact. */
PURE float
ldexp(float x, int n)
{
    bool small = fabs(x) < 0x1p-126f;
    int bits = as_int(small ? x * 0x1p24f : x);
    int e = ((bits >> 23) & 0xff) - 127;
    int to = clamp(n, -1000, 1000) + (small ? e - 24 : e);
    int first = clamp(to, -126, 127);
    float m = as_float((bits & (int)0x807fffff) | (first + 127) << 23);
    float y = m * as_float((clamp(to - first, -126, 127) + 127) << 23);
    return x == 0.0f || e == 128 ? x : y;
}

PURE double
ldexp(double x, int n)
{
    return isnan(x) ? x : __clc_ldexp(x, clamp(n, -2200, 2200));
}

/* ---- erf, erfc in single precision; libclc's erf takes twice as long ---- */

/* exp(-x^2) P(1 / (1 + x)) for x from 1/2: 5e-8; the square in two parts. */
static float
erfc_tail(float x)
{
    float u = 1.0f / (1.0f + x);
    float p = 7.885221980e-01f;
    p = fma(p, u, -2.826611541e+00f);
    p = fma(p, u, 4.020347562e+00f);
    p = fma(p, u, -2.496250963e+00f);
    p = fma(p, u, 1.723396865e-01f);
    p = fma(p, u, 2.106427935e-01f);
    p = fma(p, u, 5.710074637e-01f);
    p = fma(p, u, 5.638294399e-01f);
    p = fma(p, u, 8.043170014e-06f);
    float square = x * x;
    float rest = fma(x, x, -square);
    float root = exp(-0.5f * square); /* squared at last: subnormal */
    return root * (root * fma(-rest, p, p));
}

/* erfc(a) for a from 1/2. */
static float
erfc_far(float a)
{
    return a > 10.1f ? 0.0f : erfc_tail(a);
}

/* erf(x) for x in [-1, 1]: 1e-9. */
static float
erf_near(float x)
{
    float z = x * x;
    float p = 7.853877469e-05f;
    p = fma(p, z, -8.010198362e-04f);
    p = fma(p, z, 5.188328214e-03f);
    p = fma(p, z, -2.685381286e-02f);
    p = fma(p, z, 1.128358543e-01f);
    p = fma(p, z, -3.761262596e-01f);
    p = fma(p, z, 1.283791661e-01f);
    return fma(p, x, x);
}

PURE float
erf(float x)
{
    float a = fabs(x);
    return a < 1.0f ? erf_near(x) : copysign(1.0f - erfc_far(a), x);
}

PURE float
erfc(float x)
{
    float a = fabs(x);
    if (a < 0.5f)
        return 1.0f - erf_near(x);
    float tail = erfc_far(a);
    return x < 0.0f ? 2.0f - tail : tail;
}

/* ---- tgamma in single precision ---- */

/* gamma(1 + t) for t in [0, 1): 7e-9. */
static float
gamma_1_2(float t)
{
    float s = t - 0.5f;
    float p = 1.632953695e-02f;
    p = fma(p, s, -2.370690624e-02f);
    p = fma(p, s, 2.439062990e-02f);
    p = fma(p, s, -3.628175489e-02f);
    p = fma(p, s, 5.880408552e-02f);
    p = fma(p, s, -7.771580423e-02f);
    p = fma(p, s, 1.446337856e-01f);
    p = fma(p, s, -1.072861294e-01f);
    p = fma(p, s, 4.148137051e-01f);
    p = fma(p, s, 3.233828934e-02f);
    return fma(p, s, 8.862269246e-01f);
}

/* gamma(x) 2^-64 for x in [1, 43): (x - 1) (x - 2) ... gamma(1 + t), with the
 * error of the product beside it. */
static float
gamma_product(float x)
{
    float t = x - floor(x);
    float high = gamma_1_2(t) * 0x1p-64f, low = 0.0f;
    for (float f = x - 1.0f; f >= 1.0f; f -= 1.0f) {
        float next = high * f;
        low = fma(low, f, fma(high, f, -next));
        high = next;
    }
    return high + low;
}

PURE float
tgamma(float x)
{
    float a = fabs(x);
    if (x == 0.0f || isnan(x))
        return 1.0f / x;
    if (x > 35.5f)
        return INFINITY;
    if (x < 0.0f && (a == floor(a)))
        return NAN; /* poles; all numbers below -2^23 */
    if (a < 0x1p-24f)
        return 1.0f / x;
    if (a < 1.0f) {
        float g = gamma_1_2(a);
        return x > 0.0f ? g / a : -M_PI_F / (sinpi(a) * g);
    }
    if (a >= 43.0f)
        return floor(a) * 0.5f == floor(a * 0.5f) ? -0.0f : 0.0f;
    float g = gamma_product(a);
    if (x > 0.0f)
        return g * 0x1p64f;
    /* gamma(-a) = -pi / (sin(pi a) gamma(1 + a)) */
    return -M_PI_F / (sinpi(a) * a) / g * 0x1p-64f;
}

/* ---- tgamma in double precision ---- */

/*
 * Lanczos' approximation with 13 terms and g = 6.0246...:
 *
 *     gamma(x) = (x + g - 1/2)^(x - 1/2) exp(-(x + g - 1/2)) S(x)
 */
static double
lanczos(double x)
{
    static constant double above[13] = {
        23531376880.410759688572007674451636754734846804940,
        42919803642.649098768957899047001988850926355848959,
        35711959237.355668049440185451547166705960488635843,
        17921034426.037209699919755754458931112671403265390,
        6039542586.3520280050642916443072979210699388420708,
        1439720407.3117216736632230727949123939715485786372,
        248874557.86205415651146038641322942321632125127801,
        31426415.585400194380614231628318205362874684987640,
        2876370.6289353724412254090516208496135991145378768,
        186056.26539522349504029498971604569928220784236328,
        8071.6720023658162106380029022722506138218516325024,
        210.82427775157934587250973392071336271166969580291,
        2.5066282746310002701649081771338373386264310793408,
    };
    static constant double below[13] = {
        0,       39916800, 120543840, 150917976, 105258076, 45995730, 13339535,
        2637558, 357423,   32670,     1925,      66,        1,
    };
    double a = 0, b = 0;
    if (x < 8) {
        for (int i = 12; i >= 0; i--) {
            a = fma(a, x, above[i]);
            b = fma(b, x, below[i]);
        }
    } else {
        double r = 1 / x;
        for (int i = 0; i <= 12; i++) {
            a = fma(a, r, above[i]);
            b = fma(b, r, below[i]);
        }
    }
    return a / b;
}

PURE double
tgamma(double x)
{
    const double g = 5.524680040776729583740234375; /* g - 1/2 */
    double a = fabs(x);
    if (x == 0 || isnan(x) || a < 0x1p-54)
        return 1 / x;
    if (isinf(x) || (x < 0 && a == floor(a)))
        return x > 0 ? x : NAN;
    if (a >= 184)
        return x > 0 ? INFINITY : floor(a) * 0.5 == floor(a * 0.5) ? -0.0 : 0.0;
    double y = a + g;
    double rest = a > g ? (y - a) - g : (y - g) - a;
    double z = a - 0.5;
    double r = lanczos(a) * exp(-y);
    if (x < 0) {
        r = -M_PI / (sinpi(a) * a * r);
        rest = -rest;
        z = -z;
    }
    r += rest * (g + 0.5) * r / y;
    double half_power = pow(y, 0.5 * z);
    return r * half_power * half_power;
}

/* ---- asinh in double precision: libclc's takes 860 instructions ---- */

/* log(a + sqrt(a^2 + 1)), where the logarithm's argument is 1 + b. */
PURE double
asinh(double x)
{
    double a = fabs(x);
    bool large = a > 0x1p60; /* log(2 a) */
    double b = a + a * a / (1 + sqrt(fma(a, a, 1.0)));
    double y = log1p(large ? a : b);
    return copysign(large ? y + M_LN2 : y, x);
}

/* ---- the sign of a zero ---- */

/* Odd functions of -0: libclc gives 0. */
#define ODD(F, NAME)                                 \
    double libclc_##F(double x) __asm__("libclc_" NAME); \
    PURE double F(double x)                          \
    {                                                \
        return x == 0 ? x : libclc_##F(x);           \
    }                                                \
    VECTORS_1(F, double)
ODD(sin, "_Z3sind")
ODD(tan, "_Z3tand")
ODD(erf, "_Z3erfd")
ODD(expm1, "_Z5expm1d")

#define SINCOS(SPACE, T)                    \
    OVERLOAD T sincos(T x, SPACE T *cosine) \
    {                                       \
        *cosine = cos(x);                   \
        return sin(x);                      \
    }
/* The fraction of -0 and of -INFINITY is -0. */
#define FRACT(SPACE, T, BELOW_1)                                  \
    OVERLOAD T fract(T x, SPACE T *whole)                         \
    {                                                             \
        T low = floor(x), r = x - low;                            \
        *whole = low;                                             \
        r = r > (T)BELOW_1 ? (T)BELOW_1 : r;                      \
        return (isinf(x) | (x == 0)) ? copysign((T)0, x) : r; \
    }
#define OF_FLOAT(T)  FOR_SPACES(FRACT, T, 0x1.fffffep-1f)
#define OF_DOUBLE(T) FOR_SPACES(SINCOS, T) FOR_SPACES(FRACT, T, 0x1.fffffffffffffp-1)
FOR_WIDTHS(OF_FLOAT, float)
FOR_WIDTHS(OF_DOUBLE, double)

/* ---- nextafter: libclc's is 0 behind the least negative number, not -0 ---- */

#define NEXTAFTER(T, I, LEAST)                                        \
    PURE T nextafter(T x, T y)                                        \
    {                                                                 \
        I a = as_##I(x), b = as_##I(y);                               \
        if (isnan(x) || isnan(y))                                     \
            return x + y;                                             \
        if (x == y)                                                   \
            return y;                                                 \
        if (x == 0)                                                   \
            return as_##T((I)((b & (I)LEAST) | 1));                   \
        return as_##T((I)(a + ((x < y) == (a >= 0) ? 1 : -1)));       \
    }
NEXTAFTER(float, int, 0x80000000)
NEXTAFTER(double, long, 0x8000000000000000)

/* ---- vectors ---- */

VECTORS_2(nextafter, float, float)
VECTORS_2(nextafter, double, double)

VECTORS_2(rootn, float, int)
VECTORS_2(pown, float, int)
VECTORS_2(ldexp, float, int)
VECTORS_2(ldexp, double, int)
VECTORS_1(erf, float)
VECTORS_1(erfc, float)
VECTORS_1(tgamma, float)
VECTORS_1(tgamma, double)
VECTORS_1(asinh, double)

/* Vectors with one power for all elements. */
#define LDEXP_1(T)             \
    PURE T##2 ldexp(T##2 x, int n) { return ldexp(x, (int2)n); } \
    PURE T##3 ldexp(T##3 x, int n) { return ldexp(x, (int3)n); } \
    PURE T##4 ldexp(T##4 x, int n) { return ldexp(x, (int4)n); } \
    PURE T##8 ldexp(T##8 x, int n) { return ldexp(x, (int8)n); } \
    PURE T##16 ldexp(T##16 x, int n) { return ldexp(x, (int16)n); }
LDEXP_1(float)
LDEXP_1(double)

/* ---- nan: libclc's of a 64-bit 0 is infinity ---- */

#define NAN_OF(n)                                                 \
    PURE double##n nan(ulong##n code)                             \
    {                                                             \
        return as_double##n(code | (ulong##n)0x7ff8000000000000); \
    }
NAN_OF()
NAN_OF(2)
NAN_OF(3)
NAN_OF(4)
NAN_OF(8)
NAN_OF(16)
