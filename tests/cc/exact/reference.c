/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <string.h>

#include "exact.h"
#include "isa/softfloat.h"
#include "oracle_ops.h"

/* clang-format off */
#include "exact.inc"
/* clang-format on */

/* Operands and a result; `more` for what is on the way. */
static mpfr_t a, b, r;
static bool ready;

static void
prepare(void)
{
    if (ready)
        return;
    ready = true;
    mpfr_inits2(64, a, b, r, (mpfr_ptr)NULL);
}

void
exact_free(void)
{
    if (ready)
        mpfr_clears(a, b, r, (mpfr_ptr)NULL);
    ready = false;
    oracle_free();
}

bool
exact_is_nan(unsigned width, uint64_t bits)
{
    const struct format *f = format_of(width);
    return (bits & ~f->sign) > f->inf;
}

bool
exact_is_zero(unsigned width, uint64_t bits)
{
    return !(bits & ~format_of(width)->sign);
}

const struct oracle_row *
exact_row(const struct kernel *k)
{
    static const char *const like[] = {
        [F_add] = "fadd.s",  [F_sub] = "fsub.s",    [F_mul] = "fmul.s",
        [F_div] = "fdiv.s",  [F_fma] = "fmadd.s",   [F_sqrt] = "fsqrt.s",
        [F_fmod] = "fdiv.s", [F_remquo] = "fdiv.s", [F_remainder] = "fdiv.s",
    };
    if (k->row)
        return oracle_find(k->row);
    if (k->function < sizeof like / sizeof *like && like[k->function])
        return oracle_find(like[k->function]);
    switch (k->function) {
    case F_copysign:
    case F_fmax:
    case F_fmin:
    case F_maxmag:
    case F_minmag:
    case F_fdim:
    case F_nextafter:
        return oracle_find("fsub.s");
    default:
        return oracle_find("fcvt.w.s"); /* about as large as integers */
    }
}

/* What a scalar instruction gives, in the nearest-even mode. */
static uint64_t
scalar(const char *name, unsigned width, uint64_t x, uint64_t y, uint64_t z)
{
    const uint64_t slots[SLOTS] = { x, y, z, 0 };
    unsigned flags;
    return oracle_result(oracle_find(name), width, width, FP_RNE, slots,
                         &flags);
}

/* ---- functions of one number ---- */

static void
whole(enum function function)
{
    switch (function) {
    case F_ceil:
        mpfr_ceil(r, a);
        break;
    case F_trunc:
    case F_modf_whole:
        mpfr_trunc(r, a);
        break;
    case F_rint:
        mpfr_rint(r, a, MPFR_RNDN);
        break;
    case F_round:
        mpfr_round(r, a);
        break;
    default:
        mpfr_floor(r, a);
        break;
    }
}

/* a less the integer below it, or towards zero from it; never 1. */
static uint64_t
fraction(const struct format *f, enum function function, uint64_t x)
{
    uint64_t sign = x & f->sign;
    if (mpfr_nan_p(a))
        return f->nan;
    if (!mpfr_regular_p(a))
        return sign;
    whole(function == F_modf ? F_trunc : F_floor);
    if (mpfr_equal_p(a, r)) /* x - floor(x) is +0 */
        return function == F_modf ? sign : 0;
    uint64_t below_1 = ((uint64_t)f->emax << f->frac) - 1;
    uint64_t d = scalar("fsub.s", f->width, x, bits_of(f, r), 0);
    return function == F_fract && d > below_1 ? below_1 : d;
}

/* Mantissa in [1/2, 1) and exponent, of frexp, ilogb, logb. */
static void
exponent(const struct format *f, enum function function, uint64_t x,
         struct exact_result *to)
{
    bool regular = mpfr_regular_p(a);
    int e = regular ? (int)mpfr_get_exp(a) : 0;
    to->bits = x;
    to->second = function == F_ilogb ? e - 1 : e;
    to->any_second = !regular && function == F_frexp && !mpfr_zero_p(a);
    if (!regular && function == F_ilogb)
        to->second = mpfr_zero_p(a) ? INT_MIN : INT_MAX;
    if (function == F_frexp && regular) {
        mpfr_set_exp(a, 0);
        to->bits = bits_of(f, a);
    }
    if (function == F_logb) {
        mpfr_set_si(r, e - 1, MPFR_RNDZ);
        to->bits = regular          ? bits_of(f, r)
                   : mpfr_zero_p(a) ? f->inf | f->sign
                                    : x & ~f->sign;
    }
}

/* ---- of two ---- */

static uint64_t
next(const struct format *f, uint64_t x, uint64_t y)
{
    if (mpfr_unordered_p(a, b))
        return f->nan;
    if (mpfr_equal_p(a, b))
        return y;
    if (mpfr_zero_p(a))
        return (y & f->sign) | 1;
    bool up = mpfr_less_p(a, b);
    return up == !(x & f->sign) ? x + 1 : x - 1;
}

static bool
is_min(enum function function)
{
    return function == F_fmin || function == F_minmag;
}

/* A NaN loses; either zero is right; maxmag and minmag look at magnitudes. */
static void
choose(const struct format *f, enum function function, uint64_t x, uint64_t y,
       struct exact_result *to)
{
    int order = mpfr_cmp(a, b);
    if (function == F_maxmag || function == F_minmag) {
        int magnitudes = mpfr_cmpabs(a, b);
        order = magnitudes ? magnitudes : order;
    }
    if (mpfr_unordered_p(a, b))
        to->bits = mpfr_nan_p(a) ? y : x;
    else
        to->bits = (order < 0) == is_min(function) ? x : y;
    to->either_zero = !(to->bits & ~f->sign);
    /* A signalling NaN may win as a quiet one. */
    to->any_nan |= is_signalling(f, x) || is_signalling(f, y);
}

static void
remainders(const struct format *f, enum function function, uint64_t x,
           struct exact_result *to)
{
    long quotient = 0;
    if (function == F_fmod)
        mpfr_fmod(r, a, b, MPFR_RNDZ);
    else
        mpfr_remquo(r, &quotient, a, b, MPFR_RNDZ);
    to->bits = mpfr_zero_p(r) ? x & f->sign : bits_of(f, r);
    to->second = (int)(quotient % 128);
    to->any_second = mpfr_nan_p(r);
}

/* ---- all ---- */

static void
one_number(const struct kernel *k, const struct format *f, uint64_t x, int n,
           struct exact_result *to)
{
    unsigned flags;
    switch (k->function) {
    case F_sqrt:
        to->bits = scalar("fsqrt.s", k->to, x, 0, 0);
        break;
    case F_fabs:
        to->bits = x & ~f->sign;
        break;
    case F_fract:
    case F_modf:
        to->bits = fraction(f, k->function, x);
        break;
    case F_frexp:
    case F_ilogb:
    case F_logb:
        exponent(f, k->function, x, to);
        break;
    case F_ldexp:
        mpfr_mul_2si(a, a, n, MPFR_RNDZ);
        to->bits = oracle_round(a, k->to, FP_RNE, &flags);
        break;
    default:
        whole(k->function);
        to->bits = bits_of(f, r);
        break;
    }
}

static void
two_numbers(const struct kernel *k, const struct format *f, const uint64_t x[3],
            struct exact_result *to)
{
    switch (k->function) {
    case F_add:
        to->bits = scalar("fadd.s", k->to, x[0], x[1], 0);
        break;
    case F_sub:
        to->bits = scalar("fsub.s", k->to, x[0], x[1], 0);
        break;
    case F_mul:
        to->bits = scalar("fmul.s", k->to, x[0], x[1], 0);
        break;
    case F_div:
        to->bits = scalar("fdiv.s", k->to, x[0], x[1], 0);
        break;
    case F_fma:
        to->bits = scalar("fmadd.s", k->to, x[0], x[1], x[2]);
        break;
    case F_copysign:
        to->bits = (x[0] & ~f->sign) | (x[1] & f->sign);
        break;
    case F_fdim:
        to->bits =
            mpfr_lessequal_p(a, b) ? 0 : scalar("fsub.s", k->to, x[0], x[1], 0);
        break;
    case F_nextafter:
        to->bits = next(f, x[0], x[1]);
        break;
    default:
        choose(f, k->function, x[0], x[1], to);
        break;
    }
}

struct exact_result
exact_result(const struct kernel *k, const struct exact_operands *in)
{
    const struct format *f = format_of(k->to);
    struct exact_result to = { 0 };
    unsigned flags;
    prepare();
    if (k->row) {
        const uint64_t slots[SLOTS] = { in->x[0], in->x[0], 0, 0 };
        to.bits = oracle_result(oracle_find(k->row), k->from, k->to, k->rm,
                                slots, &flags);
        bool to_float = k->function == F_row;
        to.any_nan = to_float && exact_is_nan(k->to, to.bits);
        if (!to_float && exact_is_nan(k->from, in->x[0]))
            to.bits = 0;
        return to;
    }
    number_of(f, in->x[0], a);
    number_of(f, in->x[1], b);
    if (k->function == F_fmod || k->function == F_remainder ||
        k->function == F_remquo)
        remainders(f, k->function, in->x[0], &to);
    else if (strcmp(exact_row(k)->order, "1") == 0)
        one_number(k, f, in->x[0], in->k, &to);
    else
        two_numbers(k, f, in->x, &to);
    to.any_nan |= exact_is_nan(k->to, to.bits);
    if (k->function == F_ilogb) /* the number itself is handed through */
        to.bits = in->x[0];
    return to;
}

/* ilogb has a choice for zeros and NaNs; the quotient's low seven bits count. */
bool
exact_second_fits(enum function function, int ours,
                  const struct exact_result *right)
{
    if (right->any_second)
        return true;
    if (function == F_ilogb && right->second == INT_MIN)
        return ours == INT_MIN || ours == -INT_MAX;
    if (function == F_ilogb && right->second == INT_MAX)
        return ours == INT_MAX || (right->any_nan && ours == INT_MIN);
    if (function == F_remquo)
        return ours % 128 == right->second;
    return ours == right->second;
}
