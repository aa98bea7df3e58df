/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle_ops.h"

#include <math.h>
#include <stdlib.h>

#include "isa/softfloat.h"

/* Operands, numbers on the way, the significand of bits_of. */
static mpfr_t x, y, near[3], significand;
static bool ready;

static void
prepare(void)
{
    if (ready)
        return;
    ready = true;
    mpfr_init2(x, 64);
    mpfr_init2(y, 64);
    mpfr_init2(significand, 64);
    for (unsigned i = 0; i < 3; i++)
        mpfr_init2(near[i], 120);
}

void
ops_free(void)
{
    if (!ready)
        return;
    ready = false;
    mpfr_clears(x, y, near[0], near[1], near[2], significand, (mpfr_ptr)NULL);
}

/* ---- formats ---- */

#define FORMAT(W, I, FRAC, EMAX)                                              \
    {                                                                         \
        W, I, FRAC, 1 - EMAX, EMAX, UINT64_C(1) << (W - 1),                   \
            (UINT64_C(2) * EMAX + 1) << FRAC,                                 \
            ((UINT64_C(2) * EMAX + 1) << FRAC) + (UINT64_C(1) << (FRAC - 1)), \
    }

const struct format *
format_of(unsigned width)
{
    static const struct format formats[] = {
        FORMAT(16, 0, 10, 15),
        FORMAT(32, 1, 23, 127),
        FORMAT(64, 2, 52, 1023),
    };
    return &formats[width == 16 ? 0 : width == 32 ? 1 : 2];
}

static bool
is_nan(const struct format *f, uint64_t bits)
{
    return (bits & ~f->sign) > f->inf;
}

bool
is_signalling(const struct format *f, uint64_t bits)
{
    return is_nan(f, bits) && !(bits >> (f->frac - 1) & 1);
}

void
number_of(const struct format *f, uint64_t bits, mpfr_t to)
{
    uint64_t magnitude = bits & ~f->sign;
    if (magnitude > f->inf) {
        mpfr_set_nan(to);
    } else if (magnitude == f->inf) {
        mpfr_set_inf(to, 1);
    } else {
        uint64_t one = UINT64_C(1) << f->frac, sig = magnitude & (one - 1);
        int e = (int)(magnitude >> f->frac);
        if (e)
            sig |= one;
        mpfr_set_uj_2exp(to, sig, (e ? e : 1) - 1 + f->emin - f->frac,
                         MPFR_RNDZ);
    }
    if (bits & f->sign)
        mpfr_neg(to, to, MPFR_RNDZ);
}

uint64_t
bits_of(const struct format *f, mpfr_t from)
{
    if (mpfr_nan_p(from))
        return f->nan;
    uint64_t sign = mpfr_signbit(from) ? f->sign : 0;
    if (mpfr_inf_p(from))
        return sign | f->inf;
    if (mpfr_zero_p(from))
        return sign;
    int e = (int)mpfr_get_exp(from) - 1;
    int step = (e < f->emin ? f->emin : e) - f->frac;
    prepare();
    /* The significand as an integer, which has f->frac + 1 bits at most. */
    mpfr_mul_2si(significand, from, -step, MPFR_RNDZ);
    uint64_t integer = mpfr_get_uj(significand, MPFR_RNDZ);
    if (mpfr_signbit(from))
        integer = (uint64_t)-mpfr_get_sj(significand, MPFR_RNDZ);
    uint64_t biased = (uint64_t)(step + f->frac - f->emin) << f->frac;
    return sign | (biased + integer);
}

/* ---- integers ---- */

static int
to_whole(mpfr_t whole, unsigned rm)
{
    static const mpfr_rnd_t directions[] = { MPFR_RNDN, MPFR_RNDZ, MPFR_RNDD,
                                             MPFR_RNDU };
    return rm == FP_RMM ? mpfr_round(whole, x)
                        : mpfr_rint(whole, x, directions[rm]);
}

/* Out of range: the nearest limit; NaN: the upper one; both are invalid. */
static uint64_t
to_integer(bool is_signed, unsigned to, unsigned rm, unsigned *flags)
{
    uint64_t mask = UINT64_MAX >> (64 - to);
    uint64_t most = is_signed ? mask >> 1 : mask;
    uint64_t least = is_signed ? mask ^ most : 0;
    bool nan = mpfr_nan_p(x);
    int t = to_whole(y, rm);
    int upper = (int)to - is_signed;
    if (nan || mpfr_cmp_ui_2exp(y, 1, upper) >= 0) {
        *flags = FP_NV;
        return most;
    }
    if (is_signed ? mpfr_cmp_si_2exp(y, -1, upper) < 0 : mpfr_sgn(y) < 0) {
        *flags = FP_NV;
        return least;
    }
    *flags = t ? FP_NX : 0;
    return is_signed ? (uint64_t)mpfr_get_sj(y, MPFR_RNDZ) & mask
                     : mpfr_get_uj(y, MPFR_RNDZ);
}

/* ---- compares, minimum, class ---- */

static uint64_t
compare(enum oracle_op op, const struct format *f, const uint64_t operand[2],
        unsigned *flags)
{
    bool quiet = op == OP_EQ || op == OP_NE;
    bool signalling =
        is_signalling(f, operand[0]) || is_signalling(f, operand[1]);
    bool unordered = mpfr_unordered_p(x, y);
    *flags = signalling || (unordered && !quiet) ? FP_NV : 0;
    switch (op) {
    case OP_EQ:
        return mpfr_equal_p(x, y) != 0;
    case OP_NE:
        return mpfr_equal_p(x, y) == 0;
    case OP_LT:
        return mpfr_less_p(x, y) != 0;
    default:
        return mpfr_lessequal_p(x, y) != 0;
    }
}

/* minimumNumber, maximumNumber: a NaN loses, -0 is below +0. */
static uint64_t
choose(bool larger, const struct format *f, const uint64_t operand[2],
       unsigned *flags)
{
    if (is_signalling(f, operand[0]) || is_signalling(f, operand[1]))
        *flags = FP_NV;
    if (mpfr_nan_p(x) && mpfr_nan_p(y))
        return f->nan;
    if (mpfr_nan_p(x) || mpfr_nan_p(y))
        return operand[mpfr_nan_p(x) ? 1 : 0];
    int order = mpfr_cmp(x, y);
    if (order == 0)
        order = (mpfr_signbit(y) != 0) - (mpfr_signbit(x) != 0);
    return operand[larger ? order < 0 : order > 0];
}

/* A bit: -inf, -normal, -subnormal, -0, the same upwards, sNaN, qNaN. */
static uint64_t
class_of(const struct format *f, uint64_t bits)
{
    if (mpfr_nan_p(x))
        return is_signalling(f, bits) ? 1 << 8 : 1 << 9;
    unsigned place = mpfr_inf_p(x)                   ? 0
                     : mpfr_zero_p(x)                ? 3
                     : mpfr_get_exp(x) - 1 < f->emin ? 2
                                                     : 1;
    return UINT64_C(1) << (mpfr_signbit(x) ? place : 7 - place);
}

/* ---- estimates of seven bits (RVV 13.9, 13.10) ---- */

/*
 * The estimate is the one of 128/256 ... 255/256 that is relatively nearest to
 * the function over all of the part, from `low` to `high`, of its argument.
 */
static unsigned
best_estimate(double low, double high)
{
    unsigned best = 0;
    double least = 1;
    for (unsigned t = 0; t < 128; t++) {
        double e = (128 + t) / 256.0;
        double error = fmax(fabs(1 - e * low), fabs(1 - e * high));
        if (error < least) {
            least = error;
            best = t;
        }
    }
    return best;
}

static unsigned
reciprocal(unsigned part)
{
    static unsigned table[128]; /* 1 + estimate */
    if (!table[part])
        table[part] =
            1 + best_estimate((128 + part) / 128.0, (129 + part) / 128.0);
    return table[part] - 1;
}

static unsigned
inverse_root(unsigned odd, unsigned part)
{
    static unsigned table[2][64];
    double low = (64 + part) / 64.0, high = (65 + part) / 64.0;
    if (!table[odd][part])
        table[odd][part] =
            1 + best_estimate(sqrt(low * (1 + odd)), sqrt(high * (1 + odd)));
    return table[odd][part] - 1;
}

/* The topmost `bits` bits behind the point of |x| = 1.f * 2^e. */
static unsigned
part_of(unsigned bits)
{
    mpfr_set(near[0], x, MPFR_RNDZ);
    mpfr_set_exp(near[0], (mpfr_exp_t)bits + 1);
    unsigned long whole = (unsigned long)labs(mpfr_get_si(near[0], MPFR_RNDZ));
    return (unsigned)whole & ((1u << bits) - 1);
}

static uint64_t
estimate(const struct format *f, unsigned t, int e, unsigned rm,
         unsigned *flags)
{
    bool negative = mpfr_signbit(x);
    mpfr_set_ui_2exp(near[0], 128 + t, e - 8, MPFR_RNDZ);
    uint64_t sign = negative ? f->sign : 0;
    if (mpfr_get_exp(near[0]) - 1 <= f->emax)
        return sign | bits_of(f, near[0]);
    *flags = FP_OF | FP_NX;
    bool largest = rm == FP_RTZ || rm == (negative ? FP_RUP : FP_RDN);
    return sign | (f->inf - largest);
}

static uint64_t
seven_bits(enum oracle_op op, const struct format *f, uint64_t bits,
           unsigned rm, unsigned *flags)
{
    bool root = op == OP_RSQRT7, negative = bits & f->sign;
    if (mpfr_nan_p(x) || (root && negative && !mpfr_zero_p(x))) {
        bool invalid = !mpfr_nan_p(x) || is_signalling(f, bits);
        *flags = invalid ? FP_NV : 0;
        return f->nan;
    }
    if (mpfr_zero_p(x)) {
        *flags = FP_DZ;
        return f->inf | (bits & f->sign);
    }
    if (mpfr_inf_p(x))
        return bits & f->sign;
    int e = (int)mpfr_get_exp(x) - 1;
    if (!root)
        return estimate(f, reciprocal(part_of(7)), -e, rm, flags);
    unsigned odd = (unsigned)e & 1;
    return estimate(f, inverse_root(odd, part_of(6)), -(e - (int)odd) / 2, rm,
                    flags);
}

/* ---- e to the power x ---- */

/*
 * At most 0.51 steps from the exact number in binary64.  The narrower formats
 * round that once more: half a step and hardly more.  Overflow counts as the
 * power of two behind the largest number.
 */
bool
oracle_exp_fits(unsigned width, uint64_t bits, uint64_t result)
{
    const struct format *f = format_of(width);
    prepare();
    if (is_nan(f, bits) || (bits & ~f->sign) == f->inf) {
        uint64_t limit = bits & f->sign ? 0 : f->inf;
        return result == (is_nan(f, bits) ? f->nan : limit);
    }
    if (result & f->sign || is_nan(f, result))
        return false;
    number_of(f, bits, x);
    if (mpfr_cmpabs_ui(x, 4096) > 0) /* beyond all formats, and MPFR's own */
        return result == (bits & f->sign ? 0 : f->inf);
    mpfr_exp(near[0], x, MPFR_RNDN);
    if (result == f->inf)
        mpfr_set_ui_2exp(y, 1, f->emax + 1, MPFR_RNDZ);
    else
        number_of(f, result, y);
    int e = (int)mpfr_get_exp(near[0]) - 1;
    if (e > f->emax)
        return result == f->inf;
    int step = (e < f->emin ? f->emin : e) - f->frac;
    mpfr_sub(near[1], near[0], y, MPFR_RNDA);
    mpfr_set_d(near[2], width == 64 ? 0.51 : 0.50001, MPFR_RNDN);
    mpfr_mul_2si(near[2], near[2], step, MPFR_RNDN);
    return mpfr_cmpabs(near[1], near[2]) <= 0;
}

/* ---- all of them ---- */

uint64_t
ops_result(enum oracle_op op, unsigned from, unsigned to, unsigned rm,
           const uint64_t operand[3], unsigned *flags)
{
    const struct format *f = format_of(from);
    prepare();
    number_of(f, operand[0], x);
    number_of(f, operand[1], y);
    switch (op) {
    case OP_MIN:
    case OP_MAX:
        return choose(op == OP_MAX, f, operand, flags);
    case OP_SIGN:
        return (operand[0] & ~f->sign) | (operand[1] & f->sign);
    case OP_SIGN_NOT:
        return (operand[0] & ~f->sign) | (~operand[1] & f->sign);
    case OP_SIGN_XOR:
        return operand[0] ^ (operand[1] & f->sign);
    case OP_CLASS:
        return class_of(f, operand[0]);
    case OP_TO_INT:
    case OP_TO_UINT:
        return to_integer(op == OP_TO_INT, to, rm, flags);
    case OP_REC7:
    case OP_RSQRT7:
        return seven_bits(op, f, operand[0], rm, flags);
    default:
        return compare(op, f, operand, flags);
    }
}
