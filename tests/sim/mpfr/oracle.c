/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The oracle: which operation a row is, rounding with subnormal numbers and
 * with tininess after rounding.  oracle_ops.c has what does not round.
 *
 * MPFR's exponents have no limit that matters, so that an operation first gives
 * the number that the manual calls "rounded as if the exponent had no limit":
 * underflow and overflow are about that one.  mpfr_check_range and
 * mpfr_subnormalize then make of it, with the ternary value that says on which
 * side the exact result lies, what the format has.
 */
#include "oracle_ops.h"

#include <string.h>

#include "isa/softfloat.h"

/* clang-format off */
static const struct oracle_row rows[] = {
    { "fadd.s", OP_ADD, "12", "", SAME, false },
    { "fsub.s", OP_SUB, "12", "", SAME, false },
    { "fmul.s", OP_MUL, "12", "", SAME, false },
    { "fdiv.s", OP_DIV, "12", "", SAME, false },
    { "fsqrt.s", OP_SQRT, "1", "", SAME, false },
    { "fmadd.s", OP_FMA, "123", "", SAME, false },
    { "fmsub.s", OP_FMA, "123", "a", SAME, false },
    { "fnmsub.s", OP_FMA, "123", "p", SAME, false },
    { "fnmadd.s", OP_FMA, "123", "pa", SAME, false },
    { "fmin.s", OP_MIN, "12", "", SAME, false },
    { "fmax.s", OP_MAX, "12", "", SAME, false },
    { "feq.s", OP_EQ, "12", "", SAME, false },
    { "flt.s", OP_LT, "12", "", SAME, false },
    { "fle.s", OP_LE, "12", "", SAME, false },
    { "fsgnj.s", OP_SIGN, "12", "", SAME, false },
    { "fsgnjn.s", OP_SIGN_NOT, "12", "", SAME, false },
    { "fsgnjx.s", OP_SIGN_XOR, "12", "", SAME, false },
    { "fclass.s", OP_CLASS, "1", "", SAME, false },
    { "fcvt.w.s", OP_TO_INT, "1", "", SAME, false },
    { "fcvt.wu.s", OP_TO_UINT, "1", "", SAME, false },
    { "fcvt.s.w", OP_FROM_INT, "1", "", SAME, false },
    { "fcvt.s.wu", OP_FROM_UINT, "1", "", SAME, false },
    { "vfadd.*", OP_ADD, "21", "", SAME, false },
    { "vfsub.*", OP_SUB, "21", "", SAME, false },
    { "vfrsub.*", OP_SUB, "12", "", SAME, false },
    { "vfmul.*", OP_MUL, "21", "", SAME, false },
    { "vfdiv.*", OP_DIV, "21", "", SAME, false },
    { "vfrdiv.*", OP_DIV, "12", "", SAME, false },
    { "vfsqrt.v", OP_SQRT, "2", "", SAME, false },
    { "vfmadd.*", OP_FMA, "1d2", "", SAME, false },
    { "vfmsub.*", OP_FMA, "1d2", "a", SAME, false },
    { "vfnmsub.*", OP_FMA, "1d2", "p", SAME, false },
    { "vfnmadd.*", OP_FMA, "1d2", "pa", SAME, false },
    { "vfmacc.*", OP_FMA, "12d", "", SAME, false },
    { "vfmsac.*", OP_FMA, "12d", "a", SAME, false },
    { "vfnmsac.*", OP_FMA, "12d", "p", SAME, false },
    { "vfnmacc.*", OP_FMA, "12d", "pa", SAME, false },
    { "vfmin.*", OP_MIN, "21", "", SAME, false },
    { "vfmax.*", OP_MAX, "21", "", SAME, false },
    { "vfsgnj.*", OP_SIGN, "21", "", SAME, false },
    { "vfsgnjn.*", OP_SIGN_NOT, "21", "", SAME, false },
    { "vfsgnjx.*", OP_SIGN_XOR, "21", "", SAME, false },
    { "vmfeq.*", OP_EQ, "21", "", SAME, false },
    { "vmfne.*", OP_NE, "21", "", SAME, false },
    { "vmflt.*", OP_LT, "21", "", SAME, false },
    { "vmfle.*", OP_LE, "21", "", SAME, false },
    { "vmfgt.*", OP_LT, "12", "", SAME, false },
    { "vmfge.*", OP_LE, "12", "", SAME, false },
    { "vfclass.v", OP_CLASS, "2", "", SAME, false },
    { "vfrec7.v", OP_REC7, "2", "", SAME, false },
    { "vfrsqrt7.v", OP_RSQRT7, "2", "", SAME, false },
    { "vfexp.v", OP_EXP, "2", "", SAME, false },
    { "vftta.vv", OP_TENSOR, "12d", "", SAME, false },
    { "vfcvt.x.f.v", OP_TO_INT, "2", "", SAME, false },
    { "vfcvt.xu.f.v", OP_TO_UINT, "2", "", SAME, false },
    { "vfcvt.rtz.x.f.v", OP_TO_INT, "2", "", SAME, true },
    { "vfcvt.rtz.xu.f.v", OP_TO_UINT, "2", "", SAME, true },
    { "vfcvt.f.x.v", OP_FROM_INT, "2", "", SAME, false },
    { "vfcvt.f.xu.v", OP_FROM_UINT, "2", "", SAME, false },
    { "vfwcvt.x.f.v", OP_TO_INT, "2", "", WIDEN, false },
    { "vfwcvt.xu.f.v", OP_TO_UINT, "2", "", WIDEN, false },
    { "vfwcvt.rtz.x.f.v", OP_TO_INT, "2", "", WIDEN, true },
    { "vfwcvt.rtz.xu.f.v", OP_TO_UINT, "2", "", WIDEN, true },
    { "vfwcvt.f.x.v", OP_FROM_INT, "2", "", WIDEN, false },
    { "vfwcvt.f.xu.v", OP_FROM_UINT, "2", "", WIDEN, false },
    { "vfwcvt.f.f.v", OP_CONVERT, "2", "", WIDEN, false },
    { "vfncvt.x.f.w", OP_TO_INT, "2", "", NARROW, false },
    { "vfncvt.xu.f.w", OP_TO_UINT, "2", "", NARROW, false },
    { "vfncvt.rtz.x.f.w", OP_TO_INT, "2", "", NARROW, true },
    { "vfncvt.rtz.xu.f.w", OP_TO_UINT, "2", "", NARROW, true },
    { "vfncvt.f.x.w", OP_FROM_INT, "2", "", NARROW, false },
    { "vfncvt.f.xu.w", OP_FROM_UINT, "2", "", NARROW, false },
    { "vfncvt.f.f.w", OP_CONVERT, "2", "", NARROW, false },
    { "vfncvt.rod.f.f.w", OP_TO_ODD, "2", "", NARROW, false },
};
/* clang-format on */

const struct oracle_row *
oracle_find(const char *name)
{
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *star = strchr(rows[i].name, '*');
        size_t n = star ? (size_t)(star - rows[i].name) : strlen(name) + 1;
        if (strncmp(name, rows[i].name, n) == 0)
            return &rows[i];
    }
    return NULL;
}

/* ---- numbers that stay allocated ---- */

static mpfr_t source[3];       /* exact: 64 bits */
static mpfr_t rounded[3];      /* as precise as binary16, 32, 64 */
static mpfr_t one_bit_more[3]; /* for RMM */
static bool ready;

static void
prepare(void)
{
    if (ready)
        return;
    ready = true;
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    for (unsigned i = 0; i < 3; i++) {
        mpfr_prec_t precision = format_of(16u << i)->frac + 1;
        mpfr_init2(source[i], 64);
        mpfr_init2(rounded[i], precision);
        mpfr_init2(one_bit_more[i], precision + 1);
    }
}

void
oracle_free(void)
{
    for (unsigned i = 0; ready && i < 3; i++) {
        mpfr_clear(source[i]);
        mpfr_clear(rounded[i]);
        mpfr_clear(one_bit_more[i]);
    }
    ready = false;
    ops_free();
    mpfr_free_cache();
}

/* ---- rounding ---- */

static const mpfr_rnd_t directions[] = { MPFR_RNDN, MPFR_RNDZ, MPFR_RNDD,
                                         MPFR_RNDU };

/* The operation, as precise as r, as if the exponent had no limit. */
static int
compute(enum oracle_op op, mpfr_t r, mpfr_rnd_t rnd)
{
    switch (op) {
    case OP_ADD:
        return mpfr_add(r, source[0], source[1], rnd);
    case OP_SUB:
        return mpfr_sub(r, source[0], source[1], rnd);
    case OP_MUL:
        return mpfr_mul(r, source[0], source[1], rnd);
    case OP_DIV:
        return mpfr_div(r, source[0], source[1], rnd);
    case OP_SQRT:
        return mpfr_sqrt(r, source[0], rnd);
    case OP_FMA:
        return mpfr_fma(r, source[0], source[1], source[2], rnd);
    default:
        return mpfr_set(r, source[0], rnd);
    }
}

/* Below the smallest normal number; r is no zero. */
static bool
is_tiny(const struct format *f, mpfr_t r)
{
    return mpfr_get_exp(r) - 1 < f->emin;
}

/* r, rounded with the ternary value t, becomes a number of the format. */
static void
limit(const struct format *f, mpfr_t r, int t, mpfr_rnd_t rnd, unsigned *flags)
{
    bool tiny = is_tiny(f, r);
    if (tiny || mpfr_get_exp(r) > f->emax + 1) {
        mpfr_set_emin(f->emin - f->frac + 1);
        mpfr_set_emax(f->emax + 1);
        mpfr_clear_flags();
        t = mpfr_check_range(r, t, rnd);
        t = mpfr_subnormalize(r, t, rnd);
        *flags |= mpfr_overflow_p() ? FP_OF : 0u;
        mpfr_set_emin(mpfr_get_emin_min());
        mpfr_set_emax(mpfr_get_emax_max());
    }
    *flags |= t ? FP_NX : 0u;
    *flags |= tiny && t ? FP_UF : 0u;
}

/*
 * To nearest, ties away from zero, which MPFR's operations do not have: the
 * number cut off after one bit more says by that bit whether it is halfway or
 * beyond.  Among subnormal numbers that is mpfr_round in units of the smallest.
 */
static void
round_away(enum oracle_op op, const struct format *f, mpfr_t r, mpfr_t more,
           unsigned *flags)
{
    int cut = compute(op, more, MPFR_RNDZ);
    int t = mpfr_set(r, more, MPFR_RNDA);
    if (!mpfr_regular_p(r))
        return;
    bool tiny = is_tiny(f, r);
    if (is_tiny(f, more)) {
        mpfr_mul_2si(more, more, f->frac - f->emin, MPFR_RNDZ);
        int sign = mpfr_signbit(more);
        t = mpfr_round(r, more);
        mpfr_mul_2si(r, r, f->emin - f->frac, MPFR_RNDZ);
        mpfr_setsign(r, r, sign, MPFR_RNDZ);
    } else if (mpfr_get_exp(r) > f->emax + 1) {
        mpfr_set_inf(r, mpfr_signbit(r) ? -1 : 1);
        *flags |= FP_OF | FP_NX;
    }
    *flags |= cut || t ? FP_NX : 0u;
    *flags |= tiny && (cut || t) ? FP_UF : 0u;
}

/* One of the operations of `compute` in the format `to`. */
static uint64_t
round_once(enum oracle_op op, unsigned to, unsigned rm, bool signalling,
           unsigned *flags)
{
    const struct format *f = format_of(to);
    mpfr_ptr r = rounded[f->index];
    mpfr_clear_flags();
    if (rm == FP_RMM) {
        round_away(op, f, r, one_bit_more[f->index], flags);
    } else {
        int t = compute(op, r, directions[rm]);
        *flags |= mpfr_divby0_p() ? FP_DZ : 0u;
        if (mpfr_regular_p(r))
            limit(f, r, t, directions[rm], flags);
    }
    *flags |= mpfr_divby0_p() ? FP_DZ : 0u;
    bool nan_operand =
        mpfr_nan_p(source[0]) || mpfr_nan_p(source[1]) || mpfr_nan_p(source[2]);
    if (mpfr_nan_p(r) && !nan_operand)
        *flags |= FP_NV;
    if (signalling)
        *flags = FP_NV;
    return bits_of(f, r);
}

uint64_t
oracle_round(mpfr_t exact, unsigned to, unsigned rm, unsigned *flags)
{
    prepare();
    *flags = 0;
    mpfr_set(source[0], exact, MPFR_RNDZ);
    mpfr_set_zero(source[1], 1);
    mpfr_set_zero(source[2], 1);
    return round_once(OP_CONVERT, to, rm, false, flags);
}

/* Infinity times zero is invalid, also where a quiet NaN is added. */
static bool
is_zero_times_infinity(void)
{
    return (mpfr_zero_p(source[0]) && mpfr_inf_p(source[1])) ||
           (mpfr_inf_p(source[0]) && mpfr_zero_p(source[1]));
}

static uint64_t
arithmetic(const struct oracle_row *row, unsigned from, unsigned to,
           unsigned rm, const uint64_t operand[3], unsigned *flags)
{
    const struct format *f = format_of(from);
    bool signalling = false;
    for (unsigned i = 0; i < 3; i++) {
        if (i >= strlen(row->order)) {
            mpfr_set_zero(source[i], 1);
            continue;
        }
        uint64_t x = operand[i];
        signalling |= is_signalling(f, x);
        bool negative = i != 1 && strchr(row->negate, i == 0 ? 'p' : 'a');
        number_of(f, negative ? x ^ f->sign : x, source[i]);
    }
    uint64_t r = round_once(row->op, to, rm, signalling, flags);
    if (row->op == OP_FMA && is_zero_times_infinity())
        *flags = FP_NV;
    return r;
}

static uint64_t
from_integer(const struct oracle_row *row, unsigned from, unsigned to,
             unsigned rm, uint64_t x, unsigned *flags)
{
    unsigned above = 64 - from;
    prepare();
    if (row->op == OP_FROM_INT)
        mpfr_set_sj(source[0], (int64_t)(x << above) >> above, MPFR_RNDZ);
    else
        mpfr_set_uj(source[0], x << above >> above, MPFR_RNDZ);
    mpfr_set_zero(source[1], 1);
    mpfr_set_zero(source[2], 1);
    return round_once(OP_CONVERT, to, rm, false, flags);
}

/* Towards zero, and then the last bit says that this was not all. */
static uint64_t
to_odd(const struct oracle_row *row, unsigned from, unsigned to,
       const uint64_t operand[3], unsigned *flags)
{
    const struct oracle_row plain = { .op = OP_CONVERT,
                                      .order = row->order,
                                      .negate = "" };
    uint64_t r = arithmetic(&plain, from, to, FP_RTZ, operand, flags);
    return *flags & FP_NX ? r | 1 : r;
}

uint64_t
oracle_result(const struct oracle_row *row, unsigned from, unsigned to,
              unsigned rm, const uint64_t slots[SLOTS], unsigned *flags)
{
    static const char letters[] = "123d";
    uint64_t operand[3] = { 0, 0, 0 };
    for (unsigned i = 0; row->order[i]; i++)
        operand[i] = slots[strchr(letters, row->order[i]) - letters] &
                     UINT64_MAX >> (64 - from);
    prepare();
    *flags = 0;
    if (row->towards_zero)
        rm = FP_RTZ;
    switch (row->op) {
    case OP_FROM_INT:
    case OP_FROM_UINT:
        return from_integer(row, from, to, rm, operand[0], flags);
    case OP_TO_ODD:
        return to_odd(row, from, to, operand, flags);
    default:
        break;
    }
    if (row->op <= OP_CONVERT)
        return arithmetic(row, from, to, rm, operand, flags);
    return ops_result(row->op, from, to, rm, operand, flags);
}
