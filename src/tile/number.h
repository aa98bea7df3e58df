/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <ventus/tile_isa.h>

#include "isa/softfloat.h"

/*
 * The number formats of tile elements, enum ventus_tile_cvtfmt:
 *
 *            bits  sign exponent fraction  bias  infinity   NaN
 *     f32     32     1      8       23      127  yes        canonical 7fc00000
 *     f16     16     1      5       10       15  yes        canonical 7e00
 *     bf16    16     1      8        7      127  yes        canonical 7fc0
 *     e4m3     8     1      4        3        7  none       7f, ff
 *     e5m2     8     1      5        2       15  7c         7d to 7f, here 7e
 *     i32, i8, u8
 *
 * All of them are exact in binary64.
 */
static inline float
number_float(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static inline uint32_t
number_bits(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static inline uint64_t
number_bits64(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

static inline double
number_double(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

/*
 * The exponent and fraction of a narrow format moved under those of binary32
 * are the number times 2^(bias - 127), subnormals too; one multiplication by
 * a power of two is exact.
 */
static inline float
number_scale(uint32_t magnitude, float scale, uint32_t sign, bool special)
{
    uint32_t bits = number_bits(number_float(magnitude) * scale);
    return number_float((special ? magnitude | 0x7f800000u : bits) | sign);
}

static inline float
number_from_f16(uint16_t h)
{
    return number_scale((h & 0x7fffu) << 13, 0x1p112f, (h & 0x8000u) << 16,
                        (h & 0x7c00) == 0x7c00);
}

static inline float
number_from_bf16(uint16_t h)
{
    return number_float((uint32_t)h << 16);
}

static inline float
number_from_e5m2(uint8_t b)
{
    return number_from_f16((uint16_t)(b << 8));
}

static inline float
number_from_e4m3(uint8_t b)
{
    return number_scale((b & 0x7fu) << 20, 0x1p120f, (b & 0x80u) << 24,
                        (b & 0x7f) == 0x7f);
}

/* Bytes of an element. */
unsigned
number_size(enum ventus_tile_cvtfmt format);

bool
number_is_float(enum ventus_tile_cvtfmt format);

/* The element whose bits are `bits`, as binary64; NaNs canonical. */
uint64_t
number_widen(enum ventus_tile_cvtfmt format, uint32_t bits);

/* How narrowing rounds and what is too large becomes. */
struct number_rounding {
    enum fp_rm rm;
    bool saturate; /* e4m3, e5m2: the largest number, not NaN or infinity */
    unsigned *flags;
};

/* binary64 to a format; integers saturate and NaN becomes 0. */
uint32_t
number_narrow(enum ventus_tile_cvtfmt format, uint64_t bits,
              struct number_rounding how);

/* binary32 to a 16- or 32-bit float format, to nearest. */
uint32_t
number_from_f32(enum ventus_tile_cvtfmt format, uint32_t bits, unsigned *flags);
