/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The driver of accuracy.py: kernels of the device library, compiled for this
 * machine, against the C library in a larger format.  Built for BITS 32 and
 * 64; accuracy.py writes the tables.
 */
#define _DEFAULT_SOURCE
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if BITS == 32
typedef float num;
typedef uint32_t bits;
typedef double real;
#define F(name)      name
#define N(name)      name##f
#define PI           3.14159265358979323846
#define MANTISSA     24
#define MIN_EXPONENT (-126)
#define MAX_EXPONENT 127
#else
typedef double num;
typedef uint64_t bits;
typedef long double real;
#define F(name)      name##l
#define N(name)      name
#define PI           3.14159265358979323846264338327950288L
#define MANTISSA     53
#define MIN_EXPONENT (-1022)
#define MAX_EXPONENT 1023
#endif

/* What the library leaves open and math functions may use. */
float
__ventus_exp_f32(float x);
float
__ventus_exp_f32(float x)
{
    return expf(x);
}

typedef void
kernel(num *o, const num *x, const num *y, const int *n, int count);
typedef real
reference(real x, real y, int n);
#ifdef DEVICE
void
on_device(const char *kernel, void *o, const void *x, const void *y,
          const int *n, int count, size_t size);
#define KERNEL(name)                                                   \
    static void name(num *o, const num *x, const num *y, const int *n, \
                     int count)                                        \
    {                                                                  \
        on_device(#name, o, x, y, n, count, sizeof *o);                \
    }
#else
#define KERNEL(name) \
    void name(num *o, const num *x, const num *y, const int *n, int count);
#endif

struct row {
    const char *name;
    kernel *run;
    reference *expected;
    double limit; /* ulp */
    double range; /* of random arguments; 0: all bit patterns, too */
};

#if BITS == 32
struct native {
    const char *name;
    kernel *run;
    reference *expected;
    double from, to, limit;
};
#endif

/* sin((x + half / 2) pi), from what is left of x beside the next half. */
static real
sin_pi_plus(real x, int half)
{
    x = F(fmod)(x, 2);
    int n = (int)F(rint)(2 * x);
    real r = (x - (real)n / 2) * PI;
    n = (n + half) & 3;
    if (r == 0 && n % 2 == 0)
        return half ? 0 : 0 * x;
    r = n % 2 ? F(cos)(r) : F(sin)(r);
    return n & 2 ? -r : r;
}

static real
sin_pi(real x)
{
    return sin_pi_plus(x, 0);
}

static real
cos_pi(real x)
{
    return sin_pi_plus(x, 1);
}

/* The low 7 bits of x / y to the nearest integer, with its sign. */
static real
quotient(real x, real y)
{
    if (!isfinite(x) || isnan(y) || y == 0)
        return 0;
    real a = F(fabs)(x), b = F(fabs)(y);
    int q = isinf(b) ? 0 : (int)F(rint)(F(fmod)(a, 128 * b) / b) & 127;
    return !signbit(x) == !signbit(y) ? q : -q;
}

static real
fraction(real x)
{
    if (isinf(x) || x == 0)
        return F(copysign)(0, x);
    real below_1 = 1 - F(ldexp)(1, -MANTISSA), r = x - F(floor)(x);
    return r > below_1 ? below_1 : r;
}

static real whole; /* what modf gives besides */

static real
exponent(real x)
{
    int n = 0;
    if (isfinite(x))
        F(frexp)(x, &n);
    return n;
}

/* glibc's powl(-inf, -2^63) is inf. */
static real
any_power(real x, real y)
{
    return isinf(x) ? pow((double)x, (double)y) : F(pow)(x, y);
}

static real
power(real x, real y)
{
    if (x < 0 || isnan(x) || isnan(y) || (x == 0 && y == 0) ||
        (x == 1 && isinf(y)) || (isinf(x) && y == 0))
        return NAN;
    return F(pow)(F(fabs)(x), y);
}

static real
root(real x, int n)
{
    if (n == 0 || (x < 0 && n % 2 == 0))
        return NAN;
    real r = F(pow)(F(fabs)(x), (real)1 / n);
    return n % 2 ? F(copysign)(r, x) : r;
}

#if BITS == 32
#include "accuracy_f32.inc"
static const struct row *const rows = rows_f32;
enum { ROWS = sizeof rows_f32 / sizeof *rows_f32 };
#else
#include "accuracy_f64.inc"
static const struct row *const rows = rows_f64;
enum { ROWS = sizeof rows_f64 / sizeof *rows_f64 };
#endif

/* ---- arguments ---- */

static uint64_t state = 88172645463325252u;

static uint64_t
random64(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static num
any_bits(void)
{
    bits b = (bits)random64();
    num x;
    memcpy(&x, &b, sizeof x);
    return x;
}

static num
within(double from, double to)
{
    return (num)(from + (to - from) * ((double)(random64() >> 11) * 0x1p-53));
}

static const double corners[] = {
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    -2.0,
    3.0,
    -3.0,
    1.5,
    2.5,
    -2.5,
    10.0,
    100.0,
    1e10,
    -1e10,
    INFINITY,
    NAN,
    1e-10,
    -1e-10,
    0x1p-126,
    16.0,
    88.0,
    -88.0,
    -INFINITY,
    1.0e30,
    127.0,
    128.0,
    -126.0,
    0.25,
    7.0,
    -7.0,
    0x1p24,
    -0x1p24,
    0x1p23,
    3.14159274101257324,
    1.57079637050628662,
    -1.57079637050628662,
    0.75,
};

/* The ends of the format, where an exponent or a scale overflows: the largest
 * number, powers of 2 and what is beside them, the least normal and subnormal
 * ones.  As mantissas and exponents. */
static const struct {
    int ulps; /* added to 1.0 */
    int exponent;
} ends[] = {
    { -1, MAX_EXPONENT + 1 },
    { 0, MAX_EXPONENT },
    { 1, MAX_EXPONENT },
    { -1, MAX_EXPONENT },
    { 0, MAX_EXPONENT - 1 },
    { 3, MAX_EXPONENT - 1 },
    { 0, MIN_EXPONENT },
    { 1, MIN_EXPONENT },
    { -2, MIN_EXPONENT },
    { 0, MIN_EXPONENT - 1 },
    { 0, 1 - MANTISSA },
    { 0, MANTISSA - 1 },
    { -1, MANTISSA },
    { 1, MANTISSA },
    { 0, 31 },
    { 0, 63 },
};
enum {
    FIXED = sizeof corners / sizeof *corners,
    ENDS = sizeof ends / sizeof *ends,
    LEAST = 3, /* m 2^(MIN_EXPONENT - MANTISSA + 1) */
    CORNERS = FIXED + 2 * ENDS + LEAST
};

static num
corner(int i)
{
    if (i < FIXED)
        return (num)corners[i];
    i -= FIXED;
    if (i >= 2 * ENDS)
        return (num)F(ldexp)(i - 2 * ENDS + 1, MIN_EXPONENT - MANTISSA + 1);
    real one = 1 + ends[i / 2].ulps * F(ldexp)(1, 1 - MANTISSA);
    /* Below a power of 2 numbers are twice as close. */
    if (ends[i / 2].ulps == -1)
        one = 1 - F(ldexp)(1, -MANTISSA);
    num x = (num)F(ldexp)(one, ends[i / 2].exponent);
    return i % 2 ? -x : x;
}

struct points {
    num *x, *y, *o;
    int *n;
    int count;
};

static void
fill(struct points *p, double range)
{
    static const int small[] = { 0, 1, -1, 2, -2, 3, -3, 5, 10, -10, 31, 100 };
    for (int i = 0; i < p->count; i++) {
        bool wild = range == 0 && i % 2;
        p->x[i] = wild ? any_bits()
                       : within(range ? -range : -20, range ? range : 20);
        p->y[i] = wild ? any_bits() : within(-20, 20);
        if (wild && i % 16 == 3)
            p->x[i] = corner((int)(random64() % CORNERS));
        if (wild && i % 16 == 5)
            p->y[i] = corner((int)(random64() % CORNERS));
        if (wild && i % 16 == 1) /* subnormal, or nearly */
            p->x[i] = F(ldexp)(p->x[i] < 0 ? -1 : 1, MIN_EXPONENT) *
                      (num)within(-1, 2);
        p->n[i] = wild && i % 3 ? (int)random64() >> (i % 32)
                                : (int)(random64() % 41) - 20;
    }
    for (int i = 0; i < CORNERS * CORNERS && i < p->count; i++) {
        p->x[i] = corner(i / CORNERS);
        p->y[i] = corner(i % CORNERS);
        p->n[i] = small[i % 12];
    }
}

/* ---- comparison ---- */

/* Units in the last place between a result and what it should be. */
static double
distance(num got, real expected)
{
    if (isnan(expected))
        return isnan(got) ? 0 : INFINITY;
    if (isnan(got))
        return INFINITY;
    if ((real)got == expected)
        return 0;
    real limit = F(ldexp)(1, MAX_EXPONENT + 1);
    if (isinf(got)) { /* what the first number too large would be */
        if ((got > 0) == (expected > 0) && F(fabs)(expected) >= limit)
            return 0;
        return (double)((got > 0 ? limit - expected : limit + expected) /
                        F(ldexp)(1, MAX_EXPONENT + 1 - MANTISSA));
    }
    if (isinf(expected))
        return INFINITY;
    int e;
    F(frexp)(expected, &e);
    e = (e - 1 < MIN_EXPONENT ? MIN_EXPONENT : e - 1) - (MANTISSA - 1);
    return (double)(F(fabs)((real)got - expected) / F(ldexp)(1, e));
}

/* Zeros differ by their sign, but for those that may have either. */
static double
error(const struct row *row, num x, num y, int n, num got)
{
    real expected = row->expected(x, y, n);
    bool either = strstr(row->name, "fm") || strstr(row->name, "_bits");
    if (got == 0 && expected == 0 && !either &&
        !signbit(got) != !signbit(expected))
        return INFINITY;
    return distance(got, expected);
}

static int
check(const struct row *row, struct points *p)
{
    fill(p, row->range);
    row->run(p->o, p->x, p->y, p->n, p->count);
    double worst = 0;
    int at = -1, wrong = 0;
    for (int i = 0; i < p->count; i++) {
        double d = error(row, p->x[i], p->y[i], p->n[i], p->o[i]);
        wrong += d > row->limit;
        if (d > worst) {
            worst = d;
            at = i;
        }
    }
    if (!wrong)
        return 0;
    printf("%s (%d bits): %d of %d wrong, at worst %g ulp, allowed %g: "
           "x %.9g (%a) y %.9g n %d gives %.9g, not %.9g\n",
           row->name, BITS, wrong, p->count, worst, row->limit,
           (double)p->x[at], (double)p->x[at], (double)p->y[at], p->n[at],
           (double)p->o[at],
           (double)row->expected(p->x[at], p->y[at], p->n[at]));
    return 1;
}

#if BITS == 32
static int
check_native(const struct native *f, struct points *p)
{
    for (int i = 0; i < p->count; i++)
        p->x[i] = within(f->from, f->to);
    f->run(p->o, p->x, p->y, p->n, p->count);
    for (int i = 0; i < p->count; i++) {
        double r = f->expected(p->x[i], 0, 0);
        double scale = fabs(r) > 1 || strstr(f->name, "exp") ? fabs(r) : 1;
        if (fabs(p->o[i] - r) <= f->limit * scale)
            continue;
        printf("%s: x %.9g gives %.9g, not %.9g\n", f->name, p->x[i], p->o[i],
               r);
        return 1;
    }
    return 0;
}
#endif

int
main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 10000;
    struct points p = { calloc((size_t)count, sizeof(num)),
                        calloc((size_t)count, sizeof(num)),
                        calloc((size_t)count, sizeof(num)),
                        calloc((size_t)count, sizeof(int)), count };
    int failed = 0, tested = ROWS;
    for (int i = 0; i < ROWS; i++)
        failed += check(&rows[i], &p);
#if BITS == 32
    for (unsigned i = 0; i < sizeof natives / sizeof *natives; i++, tested++)
        failed += check_native(&natives[i], &p);
#endif
    printf("%d bits: %d functions, %d points each, %d wrong\n", BITS, tested,
           count, failed);
    return failed != 0;
}
