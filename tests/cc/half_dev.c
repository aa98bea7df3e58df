/* SPDX-License-Identifier: Apache-2.0 */
/*
 * half_dev FILE.elf: functions of half, compiled from half_all.cl, on all
 * 65,536 halves, or on as many of two and three.
 *
 * What is right is computed here: exactly, in fixed point with units of 2^-48
 * or in long double, and rounded by rounded(); or by the C library in double.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ventus/dev.h>

#include "half_ref.h"

enum { N = 65536 };

__extension__ typedef __int128 wide;

static struct ventus_dev *device;
static struct ventus_dev_program *program;
static uint64_t at[4]; /* of the buffers */
static uint16_t a[N], b[N], c[N];
static union {
    uint16_t half[N];
    int32_t number[N];
    uint64_t bits[N];
    uint8_t bytes[8 * N];
} in, out;
static unsigned failed, kernels;

/* ---- runs ---- */

static void
die(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, ventus_dev_message());
    exit(1);
}

static void
run(const char *name, const void *x, size_t size)
{
    static struct ventus_dev_result r;
    struct ventus_dev_arg args[] = { ventus_dev_buffer(at[0]),
                                     ventus_dev_buffer(at[1]),
                                     ventus_dev_buffer(at[2]),
                                     ventus_dev_buffer(at[3]) };
    struct ventus_dev_launch launch = { .work_dim = 1,
                                        .kernel =
                                            ventus_dev_find(program, name),
                                        .global = { N },
                                        .local = { 256 },
                                        .args = args,
                                        .n_args = 4 };
    kernels++;
    if (!launch.kernel || !ventus_dev_write(device, at[0], x, size) ||
        !ventus_dev_write(device, at[1], b, sizeof b) ||
        !ventus_dev_write(device, at[2], c, sizeof c) ||
        !ventus_dev_run(device, &launch, &r) ||
        !ventus_dev_read(device, at[3], out.bytes, sizeof out))
        die(name);
}

static void
wrong(const char *name, unsigned i, long double got, long double want)
{
    if (failed++ < 50)
        printf("%s of %04x %04x %04x (%a): %.12Lg, expected %.12Lg\n", name,
               a[i], b[i], c[i], (double)value(a[i]), got, want);
}

static void
expect_half(const char *name, unsigned i, uint16_t want)
{
    uint16_t got = out.half[i];
    if (got != want && !(is_nan(got) && is_nan(want)))
        wrong(name, i, value(got), value(want));
}

/* ---- by the C library ---- */

static double
acospi_(double x)
{
    return acos(x) / M_PI;
}
static double
asinpi_(double x)
{
    return asin(x) / M_PI;
}
static double
atanpi_(double x)
{
    return atan(x) / M_PI;
}
static double
exp10_(double x)
{
    return pow(10, x);
}
static double
rsqrt_(double x)
{
    return 1 / sqrt(x);
}
static double
degrees_(double x)
{
    return x * (180 / M_PI);
}
static double
radians_(double x)
{
    return x * (M_PI / 180);
}
static double
minus_(double x)
{
    return -x;
}

static double
sinpi_(double x)
{
    double r = fmod(x, 2);
    return r == floor(r) ? copysign(0, x) : sin(M_PI * r);
}

/* Zero must be exact, for poles. */
static double
cospi_(double x)
{
    double r = fabs(fmod(x, 2));
    return r == 0.5 || r == 1.5 ? 0 : cos(M_PI * r);
}

static double
tanpi_(double x)
{
    return sinpi_(x) / cospi_(x);
}

#define SAME(F)   \
    {             \
#F "_", F \
    }
#define OWN(F) \
    {          \
#F, F  \
    }
static const struct {
    const char *name;
    double (*of)(double);
} ones[] = {
    SAME(acos),    SAME(acosh), OWN(acospi_),       SAME(asin),   SAME(asinh),
    OWN(asinpi_),  SAME(atan),  SAME(atanh),        OWN(atanpi_), SAME(cbrt),
    SAME(ceil),    SAME(cos),   SAME(cosh),         OWN(cospi_),  SAME(erf),
    SAME(erfc),    SAME(exp),   SAME(exp2),         OWN(exp10_),  SAME(expm1),
    SAME(fabs),    SAME(floor), SAME(log),          SAME(log2),   SAME(log10),
    SAME(log1p),   SAME(logb),  SAME(rint),         SAME(round),  OWN(rsqrt_),
    SAME(sin),     SAME(sinh),  OWN(sinpi_),        SAME(sqrt),   SAME(tan),
    SAME(tanh),    OWN(tanpi_), SAME(tgamma),       SAME(trunc),  OWN(degrees_),
    OWN(radians_), OWN(minus_), { "half3_", exp2 },
};

/*
 * The limits of cl_khr_fp16 are 0 to 4 ulp; by float all are half a unit and
 * what 16 units of a float are.
 */
static void
expect_near(const char *name, unsigned i, double want)
{
    long double got = value(out.half[i]);
    if (isnan(want) || isnan(got)) {
        if (!isnan(want) != !isnan(got))
            wrong(name, i, got, want);
        return;
    }
    if (rounded(want, RTE) == out.half[i])
        return;
    int e = want == 0 || ilogb(want) < -14 ? -14 : ilogb(want);
    if (isinf(got))
        got = copysignl(65536, got);
    if (isinf(want) || want == 0 || fabsl(got - want) > ldexp(0.502, e - 10))
        wrong(name, i, value(out.half[i]), want);
}

static void
check_ones(void)
{
    for (unsigned k = 0; k < sizeof ones / sizeof *ones; k++) {
        run(ones[k].name, a, sizeof a);
        for (unsigned i = 0; i < N; i++)
            expect_near(ones[k].name, i, ones[k].of((double)value(a[i])));
    }
}

static double
compared(double x, double y)
{
    return (x < y) + 2 * (x <= y) + 4 * (x == y) + 8 * (x != y);
}

static void
check_tests(void)
{
    static const char *const names[] = { "ilogb_", "isfinite_", "isinf_",
                                         "isnan_", "isnormal_", "signbit_",
                                         "less_" };
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++) {
        run(names[k], a, sizeof a);
        for (unsigned i = 0; i < N; i++) {
            double x = (double)value(a[i]), y = (double)value(b[i]);
            bool finite = isfinite(x) != 0;
            double want[] = { finite && x != 0 ? ilogb(x)
                              : isinf(x)       ? INT32_MAX
                              : isnan(x)       ? INT32_MAX
                                               : INT32_MIN,
                              finite,
                              isinf(x) != 0,
                              isnan(x) != 0,
                              finite && fabs(x) >= 0x1p-14,
                              a[i] >> 15,
                              compared(x, y) };
            if (out.number[i] != want[k] && !(k == 0 && isnan(x)))
                wrong(names[k], i, out.number[i], want[k]);
        }
    }
}

/* ---- two and three ---- */

static wide
fixed(uint16_t h) /* units of 2^-24 */
{
    return (wide)ldexpl(value(h), 24);
}

/* Units of 2^-48, 80 of them: the last of 64 says that there was more. */
static long double
of_fixed(wide x)
{
    wide size = x < 0 ? -x : x;
    int shift = 0;
    bool more = false;
    while (size >> 62) {
        more |= size & 1;
        size >>= 1;
        shift++;
    }
    long double r = ldexpl((long double)(size | more), shift - 48);
    return x < 0 ? -r : r;
}

static long double
fma_of(uint16_t x, uint16_t y, uint16_t z)
{
    long double p = value(x) * value(y), q = value(z);
    if (!isfinite(p) || !isfinite(q) || p == 0 || q == 0)
        return p + q;
    wide sum = fixed(x) * fixed(y) + fixed(z) * ((wide)1 << 24);
    return of_fixed(sum);
}

static uint16_t
next_of(uint16_t x, uint16_t y)
{
    if (is_nan(x) || is_nan(y))
        return 0x7e00;
    if (value(x) == value(y))
        return y;
    if ((x & 0x7fff) == 0)
        return (uint16_t)((y & 0x8000) | 1);
    bool up = (value(y) > value(x)) == !(x >> 15);
    return (uint16_t)(up ? x + 1 : x - 1);
}

static void
check_two(void)
{
    static const char *const exact[] = { "add_",  "sub_",       "mul_",
                                         "div_",  "fma_",       "copysign_",
                                         "fmod_", "remainder_", "nextafter_",
                                         "fdim_" };
    for (unsigned k = 0; k < sizeof exact / sizeof *exact; k++) {
        run(exact[k], a, sizeof a);
        for (unsigned i = 0; i < N; i++) {
            long double x = value(a[i]), y = value(b[i]);
            uint16_t want[] = {
                rounded(x + y, RTE),
                rounded(x - y, RTE),
                rounded(x * y, RTE),
                rounded(x / y, RTE),
                rounded(fma_of(a[i], b[i], c[i]), RTE),
                (uint16_t)((a[i] & 0x7fff) | (b[i] & 0x8000)),
                rounded(fmodl(x, y), RTE),
                rounded(remainderl(x, y), RTE),
                next_of(a[i], b[i]),
                rounded(fdiml(x, y), RTE),
            };
            bool zero =
                !(out.half[i] << 1 & 0xffff) && !(want[k] << 1 & 0xffff);
            if (k < 6 || !zero)
                expect_half(exact[k], i, want[k]);
        }
    }
    static const struct {
        const char *name;
        double (*of)(double, double);
    } near[] = { { "atan2_", atan2 },
                 { "hypot_", hypot },
                 { "pow_", pow },
                 { "fmax_", fmax },
                 { "fmin_", fmin } };
    for (unsigned k = 0; k < sizeof near / sizeof *near; k++) {
        run(near[k].name, a, sizeof a);
        for (unsigned i = 0; i < N; i++)
            expect_near(near[k].name, i,
                        near[k].of((double)value(a[i]), (double)value(b[i])));
    }
}

/* ---- conversions ---- */

static const struct type {
    const char *name;
    unsigned bits;
    bool is_signed;
} types[] = { { "char", 8, true },   { "uchar", 8, false },
              { "short", 16, true }, { "ushort", 16, false },
              { "int", 32, true },   { "uint", 32, false },
              { "long", 64, true },  { "ulong", 64, false } };

static long double
least(const struct type *t)
{
    return t->is_signed ? -ldexpl(1, (int)t->bits - 1) : 0;
}

static long double
most(const struct type *t)
{
    return ldexpl(1, (int)t->bits - t->is_signed) - 1;
}

/* The element of an array of that type as a number. */
static long double
number(const struct type *t, const void *array, unsigned i)
{
    uint64_t x = 0;
    unsigned size = t->bits / 8, rest = 64 - t->bits;
    memcpy(&x, (const uint8_t *)array + i * size, size);
    return t->is_signed ? (long double)((int64_t)(x << rest) >> rest)
                        : (long double)x;
}

static void
check_from_half(const struct type *t)
{
    static const struct {
        const char *suffix;
        enum mode mode;
        bool saturates;
    } how[] = { { "_", RTZ, false },       { "_rte", RTE, false },
                { "_rtp", RTP, false },    { "_rtn", RTN, false },
                { "_sat", RTZ, true },     { "_sat_rte", RTE, true },
                { "_sat_rtp", RTP, true }, { "_sat_rtn", RTN, true } };
    for (unsigned k = 0; k < sizeof how / sizeof *how; k++) {
        char name[32];
        snprintf(name, sizeof name, "%s%s", t->name, how[k].suffix);
        run(name, a, sizeof a);
        for (unsigned i = 0; i < N; i++) {
            long double x = integral(value(a[i]), how[k].mode);
            bool fits = x >= least(t) && x <= most(t);
            if (!fits && !how[k].saturates)
                continue;
            x = isnan(x) ? 0 : x < least(t) ? least(t) : fits ? x : most(t);
            if (number(t, out.bytes, i) != x)
                wrong(name, i, number(t, out.bytes, i), x);
        }
    }
}

static const struct {
    const char *suffix;
    enum mode mode;
} roundings[] = {
    { "rte", RTE }, { "rtz", RTZ }, { "rtp", RTP }, { "rtn", RTN }
};

static void
check_to_half(const struct type *t)
{
    unsigned size = t->bits / 8;
    for (unsigned i = 0; i < N; i++) {
        uint64_t x = i * UINT64_C(0x9e3779b97f4a7c15);
        x = t->bits <= 16 ? i : x >> (i * 7 % t->bits);
        memcpy(in.bytes + i * size, &x, size);
    }
    for (unsigned k = 0; k < 4; k++) {
        char name[32];
        snprintf(name, sizeof name, "of_%s_%s", t->name, roundings[k].suffix);
        run(name, in.bytes, sizeof in);
        for (unsigned i = 0; i < N; i++)
            expect_half(name, i,
                        rounded(number(t, in.bytes, i), roundings[k].mode));
    }
}

/* Halves, and what is a little or half a unit beside them. */
static long double
beside(unsigned i, int last)
{
    long double x = value((uint16_t)(i * 40503u));
    if (!isfinite(x) || x == 0)
        return x;
    int e = ilogbl(x) < -14 ? -14 : ilogbl(x);
    long double unit = ldexpl(1, e - 10), little = ldexpl(1, ilogbl(x) - last);
    switch (i % 5) {
    case 0:
        return x;
    case 1:
        return x + unit / 2;
    case 2:
        return x + unit / 2 + little * 2;
    case 3:
        return x + unit / 2 - little;
    default:
        return x + little;
    }
}

static void
check_floats(bool wide_too)
{
    for (unsigned k = 0; k < 8; k++) {
        char name[32];
        bool is_wide = k >= 4;
        if (is_wide && !wide_too)
            return;
        for (unsigned i = 0; i < N; i++) {
            double x = (double)beside(i, is_wide ? 52 : 23);
            float f = (float)x;
            if (is_wide)
                memcpy(in.bytes + 8 * i, &x, 8);
            else
                memcpy(in.bytes + 4 * i, &f, 4);
        }
        snprintf(name, sizeof name, "of_%s_%s", is_wide ? "double" : "float",
                 roundings[k % 4].suffix);
        run(name, in.bytes, sizeof in);
        for (unsigned i = 0; i < N; i++) {
            double x;
            float f;
            memcpy(&x, in.bytes + 8 * i % sizeof in, 8);
            memcpy(&f, in.bytes + 4 * i, 4);
            expect_half(name, i,
                        rounded(is_wide ? (long double)x : (long double)f,
                                roundings[k % 4].mode));
        }
    }
}

static void
check_widening(bool wide_too)
{
    run("to_float", a, sizeof a);
    for (unsigned i = 0; i < N; i++) {
        float f;
        memcpy(&f, out.bytes + 4 * i, 4);
        if (f != (float)value(a[i]) && !(isnan(f) && is_nan(a[i])))
            wrong("to_float", i, f, value(a[i]));
    }
    if (!wide_too)
        return;
    run("to_double", a, sizeof a);
    for (unsigned i = 0; i < N; i++) {
        double d;
        memcpy(&d, out.bytes + 8 * i, 8);
        if (d != (double)value(a[i]) && !(isnan(d) && is_nan(a[i])))
            wrong("to_double", i, d, value(a[i]));
    }
}

static struct ventus_dev_program *
load(const char *path)
{
    static char elf[16 << 20];
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(elf, 1, sizeof elf, f) : 0;
    if (f)
        fclose(f);
    return ventus_dev_load(device, elf, n, path);
}

/* All halves; of the second and third any, but often near the first. */
static void
make_inputs(void)
{
    uint64_t random = 1;
    for (unsigned i = 0; i < N; i++) {
        random = random * UINT64_C(6364136223846793005) + 1;
        unsigned r = (unsigned)(random >> 33);
        a[i] = (uint16_t)i;
        b[i] = (uint16_t)(i % 2 ? r : i + r % 4096 - 2048);
        long double p = value(a[i]) * value(b[i]);
        c[i] =
            (uint16_t)(i % 4 == 0
                           ? r >> 8
                           : rounded(i % 4 == 1 ? p / 2048 : -p, RTE) + r % 3);
    }
}

int
main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    device = ventus_dev_open(&(struct ventus_dev_options){ .host_threads = 1 });
    if (!device || !(program = load(argv[1])))
        die(argv[1]);
    for (unsigned i = 0; i < 4; i++)
        at[i] = ventus_dev_alloc(device, sizeof out, 0);
    bool wide_too = ventus_dev_find(program, "to_double") != NULL;
    make_inputs();
    check_ones();
    check_tests();
    check_two();
    for (unsigned i = 0; i < sizeof types / sizeof *types; i++) {
        check_from_half(&types[i]);
        if (wide_too || types[i].bits <= 32)
            check_to_half(&types[i]);
    }
    check_floats(wide_too);
    check_widening(wide_too);
    printf("%u functions, %u values are wrong\n", kernels, failed);
    ventus_dev_close(device);
    return failed != 0;
}
