/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exponentials and logarithms in single precision, with subnormal numbers as
 * arguments and results, which libclc takes for zeros.  Polynomials are
 * minimax ones.
 */
#include "ventus.h"

/* ---- exponentials ---- */

/* m 2^k for m near 1 and k in [-252, 254]; rounds once. */
static float
scale(float m, int k)
{
    int half_k = k >> 1;
    return m * as_float((half_k + 127) << 23) *
           as_float((k - half_k + 127) << 23);
}

/* exp(r) for r in [-log(2) / 2, log(2) / 2]: 3e-9. */
static float
exp_poly(float r)
{
    float p = 1.381448004e-03f;
    p = fma(p, r, 8.368779905e-03f);
    p = fma(p, r, 4.166839272e-02f);
    p = fma(p, r, 1.666651964e-01f);
    p = fma(p, r, 4.999999404e-01f);
    return fma(p * r, r, r) + 1.0f;
}

/* Clamps x: arguments below FROM and above TO give 0 and infinity by way of these. */
#define WITHIN(x, FROM, TO) ((x) < (FROM) ? (FROM) : (x) > (TO) ? (TO) : (x))

/* y to the nearest integer is the end of y + INTEGERS. */
#define INTEGERS 12582912.0f

static int
integer(float sum)
{
    return as_int(sum) - as_int(INTEGERS);
}

PURE float
exp(float x)
{
    float y = WITHIN(x, -105.0f, 89.5f);
    float sum = fma(y, M_LOG2E_F, INTEGERS), k = sum - INTEGERS;
    float r = fma(k, -6.931471825e-01f, y);
    r = fma(k, 1.904654212e-09f, r);
    return scale(exp_poly(r), integer(sum));
}

PURE float
exp2(float x)
{
    float y = WITHIN(x, -152.0f, 129.0f);
    float sum = y + INTEGERS, r = y - (sum - INTEGERS);
    return scale(exp_poly(r * M_LN2_F), integer(sum));
}

PURE float
exp10(float x)
{
    float y = WITHIN(x, -46.0f, 39.0f);
    float sum = fma(y, 3.321928024e+00f, INTEGERS), k = sum - INTEGERS;
    float r = fma(k, -3.010300100e-01f, y);
    r = fma(k, 1.432098884e-08f, r);
    return scale(exp_poly(r * M_LN10_F), integer(sum));
}

/* ---- logarithms ---- */

/* x = (1 + f) 2^e, 1 + f in [sqrt(1/2), sqrt(2)), for finite x above 0. */
static float
split(float x, float *e)
{
    bool small = x < 0x1p-126f;
    int bits = as_int(small ? x * 0x1p23f : x);
    int k = (bits - 0x3f3504f3) >> 23;
    *e = (float)(small ? k - 23 : k);
    return as_float(bits - (k << 23)) - 1.0f;
}

/*
 * log(1 + f) = 2 atanh(s) with s = f / (2 + f), and 2 s = f - s f:
 * f - s (f - 2/3 s^2 - 2/5 s^4 - ...), where f is exact: 8e-10.
 */
static float
log_1_plus(float f)
{
    float s = f / (2.0f + f), z = s * s;
    float q = 2.987307906e-01f;
    q = fma(q, z, 3.997749686e-01f);
    q = fma(q, z, 6.666677594e-01f);
    return fma(-s, fma(-q, z, f), f);
}

/* The logarithm of any x, whose value is y if it is finite and above 0. */
static float
log_of_any(float x, float y)
{
    if (x > 0.0f)
        return x == INFINITY ? x : y;
    return x == 0.0f ? -INFINITY : NAN;
}

PURE float
log(float x)
{
    float e, f = split(x, &e);
    float y = fma(e, -1.904654212e-09f, log_1_plus(f));
    return log_of_any(x, fma(e, 6.931471825e-01f, y));
}

PURE float
log2(float x)
{
    float e, f = split(x, &e);
    return log_of_any(x, fma(log_1_plus(f), M_LOG2E_F, e));
}

PURE float
log10(float x)
{
    float e, f = split(x, &e);
    float y = fma(e, -1.432098884e-08f, log_1_plus(f) * M_LOG10E_F);
    return log_of_any(x, fma(e, 3.010300100e-01f, y));
}

VECTORS_1(exp, float)
VECTORS_1(exp2, float)
VECTORS_1(exp10, float)
VECTORS_1(log, float)
VECTORS_1(log2, float)
VECTORS_1(log10, float)
