/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/number.h"

/* A format by its fields; `no_infinity`: all but one NaN are numbers. */
struct shape {
    unsigned exponent, fraction;
    bool no_infinity;
};

static const struct shape bf16_shape = { 8, 7, false };
static const struct shape e4m3_shape = { 4, 3, true };
static const struct shape e5m2_shape = { 5, 2, false };

unsigned
number_size(enum ventus_tile_cvtfmt format)
{
    switch (format) {
    case VENTUS_TILE_CVTFMT_F32:
    case VENTUS_TILE_CVTFMT_I32:
        return 4;
    case VENTUS_TILE_CVTFMT_F16:
    case VENTUS_TILE_CVTFMT_BF16:
        return 2;
    case VENTUS_TILE_CVTFMT_E4M3:
    case VENTUS_TILE_CVTFMT_E5M2:
    case VENTUS_TILE_CVTFMT_I8:
    case VENTUS_TILE_CVTFMT_U8:
        return 1;
    }
    return 1;
}

bool
number_is_float(enum ventus_tile_cvtfmt format)
{
    return format != VENTUS_TILE_CVTFMT_I32 &&
           format != VENTUS_TILE_CVTFMT_I8 && format != VENTUS_TILE_CVTFMT_U8;
}

static uint64_t
from_single(float f)
{
    unsigned flags = 0;
    return fp64_from_fp32(number_bits(f), &flags);
}

uint64_t
number_widen(enum ventus_tile_cvtfmt format, uint32_t bits)
{
    switch (format) {
    case VENTUS_TILE_CVTFMT_F32:
        return from_single(number_float(bits));
    case VENTUS_TILE_CVTFMT_F16:
        return from_single(number_from_f16((uint16_t)bits));
    case VENTUS_TILE_CVTFMT_BF16:
        return from_single(number_from_bf16((uint16_t)bits));
    case VENTUS_TILE_CVTFMT_E4M3:
        return from_single(number_from_e4m3((uint8_t)bits));
    case VENTUS_TILE_CVTFMT_E5M2:
        return from_single(number_from_e5m2((uint8_t)bits));
    case VENTUS_TILE_CVTFMT_I32:
        return number_bits64((int32_t)bits);
    case VENTUS_TILE_CVTFMT_I8:
        return number_bits64((int8_t)bits);
    case VENTUS_TILE_CVTFMT_U8:
        return number_bits64((uint8_t)bits);
    }
    return 0;
}

/* ---- narrowing to the formats that softfloat does not have --------------- */

/* Does a tail (of `half` in the middle) round the magnitude up? */
static bool
rounds_up(uint64_t tail, uint64_t half, bool odd, bool negative, enum fp_rm rm)
{
    switch (rm) {
    case FP_RNE:
        return tail > half || (tail == half && odd);
    case FP_RMM:
        return tail >= half;
    case FP_RDN:
        return tail && negative;
    case FP_RUP:
        return tail && !negative;
    case FP_RTZ:
        return false;
    }
    return false;
}

static uint32_t
overflow(bool negative, uint32_t infinity, struct number_rounding how)
{
    uint32_t largest = infinity - 1;
    bool away = how.rm == FP_RNE || how.rm == FP_RMM ||
                how.rm == (negative ? FP_RDN : FP_RUP);
    *how.flags |= FP_OF | FP_NX;
    if (how.saturate || !away)
        return largest;
    return infinity;
}

/* RISC-V, 11.2: after rounding with an exponent without bounds.  `to`: the
 * exponent field, below 1; only a carry out of that at 0 is large enough. */
static bool
is_tiny(const struct shape *s, int to, uint64_t significand, bool negative,
        enum fp_rm rm)
{
    unsigned shift = 52 - s->fraction;
    uint64_t tail = significand & ((UINT64_C(1) << shift) - 1);
    uint64_t kept = significand >> shift;
    kept += rounds_up(tail, UINT64_C(1) << (shift - 1), kept & 1, negative, rm);
    return to < 0 || kept >> (s->fraction + 1) == 0;
}

/*
 * The bits of the magnitude are exponent and fraction side by side, so that a
 * carry out of the fraction goes into the exponent by itself.  `infinity` is
 * the first pattern that is no number: infinity, or e4m3's NaN.
 */
static uint32_t
narrow(const struct shape *s, uint64_t bits, struct number_rounding how)
{
    bool negative = bits >> 63;
    uint32_t sign = (uint32_t)negative << (s->exponent + s->fraction);
    uint32_t ones = ((1u << s->exponent) - 1) << s->fraction;
    uint32_t infinity =
        s->no_infinity ? ones | ((1u << s->fraction) - 1) : ones;
    int exponent = (int)(bits >> 52 & 0x7ff);
    uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    if (exponent == 0x7ff) {
        if (fraction)
            return s->no_infinity ? infinity : ones | 1u << (s->fraction - 1);
        if (s->no_infinity && how.saturate)
            return sign | (infinity - 1);
        return sign | infinity;
    }
    int bias = (1 << (s->exponent - 1)) - 1;
    int to = exponent - 1023 + bias; /* the exponent field, if at least 1 */
    uint64_t significand = fraction | (exponent ? UINT64_C(1) << 52 : 0);
    unsigned shift = 52 - s->fraction;
    if (to < 1)
        shift += 1 - to > 62 ? 62 : (unsigned)(1 - to);
    if (shift > 62)
        shift = 62;
    uint64_t kept = significand >> shift;
    uint64_t tail = significand & ((UINT64_C(1) << shift) - 1);
    uint64_t magnitude = kept;
    if (to > 1)
        magnitude += (uint64_t)(to - 1) << s->fraction;
    magnitude +=
        rounds_up(tail, UINT64_C(1) << (shift - 1), kept & 1, negative, how.rm);
    if (magnitude >= infinity)
        return sign | overflow(negative, infinity, how);
    if (tail)
        *how.flags |= FP_NX;
    if (tail && to < 1 && is_tiny(s, to, significand, negative, how.rm))
        *how.flags |= FP_UF;
    return sign | (uint32_t)magnitude;
}

static uint32_t
to_integer(uint64_t bits, unsigned width, bool is_signed,
           struct number_rounding how)
{
    if (fp64_is_nan(bits)) {
        *how.flags |= FP_NV;
        return 0;
    }
    uint64_t x = is_signed
                     ? (uint64_t)fp64_to_int(bits, width, how.rm, how.flags)
                     : fp64_to_uint(bits, width, how.rm, how.flags);
    return (uint32_t)x & (width < 32 ? (1u << width) - 1 : ~0u);
}

uint32_t
number_narrow(enum ventus_tile_cvtfmt format, uint64_t bits,
              struct number_rounding how)
{
    switch (format) {
    case VENTUS_TILE_CVTFMT_F32:
        return fp32_from_fp64(bits, how.rm, how.flags);
    case VENTUS_TILE_CVTFMT_F16:
        return fp16_from_fp64(bits, how.rm, how.flags);
    case VENTUS_TILE_CVTFMT_BF16:
        how.saturate = false;
        return narrow(&bf16_shape, bits, how);
    case VENTUS_TILE_CVTFMT_E4M3:
        return narrow(&e4m3_shape, bits, how);
    case VENTUS_TILE_CVTFMT_E5M2:
        return narrow(&e5m2_shape, bits, how);
    case VENTUS_TILE_CVTFMT_I32:
        return to_integer(bits, 32, true, how);
    case VENTUS_TILE_CVTFMT_I8:
        return to_integer(bits, 8, true, how);
    case VENTUS_TILE_CVTFMT_U8:
        return to_integer(bits, 8, false, how);
    }
    return 0;
}

uint32_t
number_from_f32(enum ventus_tile_cvtfmt format, uint32_t bits, unsigned *flags)
{
    if (format == VENTUS_TILE_CVTFMT_F16)
        return fp16_from_fp32(bits, FP_RNE, flags);
    if (format == VENTUS_TILE_CVTFMT_BF16)
        return narrow(&bf16_shape, from_single(number_float(bits)),
                      (struct number_rounding){ FP_RNE, false, flags });
    return bits;
}
