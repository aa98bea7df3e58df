/* SPDX-License-Identifier: Apache-2.0 */
#include "isa/softfloat.h"

__extension__ typedef unsigned __int128 fp_u128;

/* A finite number of any format: sig * 2^(exp - 63), bit 63 of sig set. */
struct fp_number {
    bool sign;
    int exp;
    uint64_t sig; /* 0 for zero */
};

/* The exponent of zero is below every sum of two exponents. */
enum { FP_EXP_OF_ZERO = -100000 };

static inline int
count_zeros(uint64_t x)
{
    return __builtin_clzll(x);
}

/* Whether a number between two neighbours rounds to the one away from zero.
 * `fraction` is its distance from the one towards zero in units of 2^-64, `odd`
 * whether that one is odd. */
static bool
rounds_away(bool sign, bool odd, uint64_t fraction, enum fp_rm rm)
{
    const uint64_t half = (uint64_t)1 << 63;
    switch (rm) {
    case FP_RNE:
        return fraction > half || (fraction == half && odd);
    case FP_RTZ:
        return false;
    case FP_RDN:
        return sign && fraction;
    case FP_RUP:
        return !sign && fraction;
    case FP_RMM:
        return fraction >= half;
    }
    return false;
}

/* Rounds |n| to an integer; above `limit`: `limit` and NV. */
static uint64_t
round_to_integer(struct fp_number n, uint64_t limit, enum fp_rm rm,
                 unsigned *flags)
{
    uint64_t integer = 0, fraction = 0;
    int shift = 63 - n.exp;
    if (shift > 64)
        fraction = n.sig != 0;
    else if (shift == 64)
        fraction = n.sig;
    else if (shift > 0)
        fraction = n.sig << (64 - shift);
    if (shift >= 0 && shift < 64)
        integer = n.sig >> shift;
    integer += rounds_away(n.sign, integer & 1, fraction, rm);
    if (shift < 0 || integer > limit) {
        *flags |= FP_NV;
        return limit;
    }
    *flags |= fraction ? FP_NX : 0u;
    return integer;
}

static struct fp_number
number_from_integer(bool sign, uint64_t magnitude)
{
    if (magnitude == 0)
        return (struct fp_number){ .exp = FP_EXP_OF_ZERO };
    int zeros = count_zeros(magnitude);
    return (struct fp_number){
        .sign = sign,
        .exp = 63 - zeros,
        .sig = magnitude << zeros,
    };
}

#define FP_WIDTH 16
#include "isa/softfloat_body.h"
#define FP_WIDTH 32
#include "isa/softfloat_body.h"
#define FP_WIDTH 64
#include "isa/softfloat_body.h"

uint16_t
fp16_from_fp32(uint32_t a, enum fp_rm rm, unsigned *flags)
{
    if (fp32_is_nan(a))
        return fp16_nan_result(fp32_is_snan(a), flags);
    if (fp32_is_inf(a))
        return fp16_infinity(fp32_sign(a));
    return fp16_from_number(fp32_to_number(a), rm, flags);
}

uint16_t
fp16_from_fp64(uint64_t a, enum fp_rm rm, unsigned *flags)
{
    if (fp64_is_nan(a))
        return fp16_nan_result(fp64_is_snan(a), flags);
    if (fp64_is_inf(a))
        return fp16_infinity(fp64_sign(a));
    return fp16_from_number(fp64_to_number(a), rm, flags);
}

uint32_t
fp32_from_fp16(uint16_t a, unsigned *flags)
{
    if (fp16_is_nan(a))
        return fp32_nan_result(fp16_is_snan(a), flags);
    if (fp16_is_inf(a))
        return fp32_infinity(fp16_sign(a));
    return fp32_from_number(fp16_to_number(a), FP_RNE, flags);
}

uint32_t
fp32_from_fp64(uint64_t a, enum fp_rm rm, unsigned *flags)
{
    if (fp64_is_nan(a))
        return fp32_nan_result(fp64_is_snan(a), flags);
    if (fp64_is_inf(a))
        return fp32_infinity(fp64_sign(a));
    return fp32_from_number(fp64_to_number(a), rm, flags);
}

uint64_t
fp64_from_fp16(uint16_t a, unsigned *flags)
{
    if (fp16_is_nan(a))
        return fp64_nan_result(fp16_is_snan(a), flags);
    if (fp16_is_inf(a))
        return fp64_infinity(fp16_sign(a));
    return fp64_from_number(fp16_to_number(a), FP_RNE, flags);
}

uint64_t
fp64_from_fp32(uint32_t a, unsigned *flags)
{
    if (fp32_is_nan(a))
        return fp64_nan_result(fp32_is_snan(a), flags);
    if (fp32_is_inf(a))
        return fp64_infinity(fp32_sign(a));
    return fp64_from_number(fp32_to_number(a), FP_RNE, flags);
}

/* The table of e^(j / 64) in units of 2^-63. */
static const uint64_t exp_table[] = {
    /* clang-format off */
    0x8000000000000000, 0x8204055aaef1c8bd, 0x84102b00893f64c7,
    0x862491b414f45e15, 0x88415abbe9a76beb, 0x8a66a7e4c4e6b22b,
    0x8c949b83a7066b45, 0x8ecb5877f873c9e9, 0x910b022db7ae67ce,
    0x9353bc9fb00b215b, 0x95a5ac59b963ca81, 0x9800f67b00d7b806,
    0x9a65c0b85ac1a96a, 0x9cd4315e9e0832fc, 0x9f4c6f5508ee5d52,
    0xa1cea21faf8ac772, 0xa45af1e1f40c333b, 0xa6f1876108f3009e,
    0xa9928c067d67bb65, 0xac3e29e2d3d7813b, 0xaef48bb022ffa9db,
    0xb1b5dcd4c192c269, 0xb4824965fca1967f, 0xb759fe2ad8f3ada5,
    0xba3d289edf7b5312, 0xbd2bf6f4f511ef1a, 0xc026981a3daa2e5d,
    0xc32d3bb90b262a0b, 0xc640123bd8007ee1, 0xc95f4cd04df7fdba,
    0xcc8b1d6a58ee609c, 0xcfc3b6c7462b3283, 0xd3094c70f034de4c,
    0xd65c12c0f772a299, 0xd9bc3ee407caf517, 0xdd2a06dd2b72af4b,
    0xe0a5a1892b223222, 0xe42f46a1fbe683dd, 0xe7c72ec23ac545bf,
    0xeb6d9368b66b3bf2, 0xef22aefc071e02e5, 0xf2e6bcce352a7191,
    0xf6b9f9206e0a0fc4, 0xfa9ca126c87af32c, 0xfe8ef30c17c644e9,
    /* clang-format on */
};

/* The coefficients 1/8! 1/7! ... 1/2! in units of 2^-64. */
static const uint64_t exp_coefficients[] = {
    /* clang-format off */
    0x0001a01a01a01a01, 0x000d00d00d00d00d, 0x005b05b05b05b05b,
    0x0222222222222222, 0x0aaaaaaaaaaaaaaa, 0x2aaaaaaaaaaaaaaa,
    0x8000000000000000,
    /* clang-format on */
};

/* The upper half of a product: factors and result are fractions. */
static inline uint64_t
multiply_high(uint64_t a, uint64_t b)
{
    return (uint64_t)((fp_u128)a * b >> 64);
}

/* e^r in units of 2^-63, r in units of 2^-64 and below ln 2; error < 2^-60. */
static uint64_t
exp_fraction(uint64_t r)
{
    /* r = j / 64 + t, t < 1 / 64; t^9 / 9! is below 2^-72. */
    uint64_t base = exp_table[r >> 58];
    uint64_t t = r & (UINT64_MAX >> 6);
    uint64_t sum = 0;
    for (unsigned i = 0; i < 7; i++)
        sum = exp_coefficients[i] + multiply_high(sum, t);
    sum = t + multiply_high(t, multiply_high(t, sum)); /* e^t - 1 */
    return base + multiply_high(base, sum);
}

/* The exponential function in fixed point: |a| = k ln 2 + r with 0 <= r < ln 2, hence
 * e^|a| = 2^k e^r and e^-|a| = 2^-(k+1) e^(ln 2 - r).  ln 2 and r are in units of
 * 2^-100. */
uint64_t
fp64_exp(uint64_t a)
{
    const uint64_t one = 0x3ff0000000000000, inf = 0x7ff0000000000000;
    const fp_u128 ln2 = (fp_u128)0xb17217f7du << 64 | 0x1cf79abc9e3b3980u;
    const uint64_t log2_e = 0xb8aa3b295c17f0bb; /* 1 / ln 2, units of 2^-63 */
    if (fp64_is_nan(a))
        return 0x7ff8000000000000;
    struct fp_number n = fp64_to_number(a);
    if (fp64_is_inf(a) || n.exp >= 10) /* |a| >= 1024 */
        return n.sign ? 0 : inf;
    if (n.exp < -60)
        return one;
    int up = n.exp - 63 + 100;
    fp_u128 r = up >= 0 ? (fp_u128)n.sig << up : n.sig >> -up;
    /*
     * k would be one too small only within 2^-63 above a multiple of ln 2; no
     * binary64 number is nearer than 2^-60 (k = 61), relative to its size.
     */
    int k = (int)((fp_u128)(uint64_t)(r >> 48) * log2_e >> (52 + 63));
    r -= (unsigned)k * ln2;
    if (n.sign) {
        r = ln2 - r;
        k = -k - 1;
    }
    /* The sticky bit is set because the result is never exact. */
    struct fp_number result = { .exp = k };
    result.sig = exp_fraction((uint64_t)(r >> 36)) | 1;
    unsigned ignored = 0;
    return fp64_from_number(result, FP_RNE, &ignored);
}

uint32_t
fp32_exp(uint32_t a)
{
    unsigned ignored = 0;
    return fp32_from_fp64(fp64_exp(fp64_from_fp32(a, &ignored)), FP_RNE,
                          &ignored);
}

uint16_t
fp16_exp(uint16_t a)
{
    unsigned ignored = 0;
    return fp16_from_fp64(fp64_exp(fp64_from_fp16(a, &ignored)), FP_RNE,
                          &ignored);
}
