/* SPDX-License-Identifier: Apache-2.0 */
/*
 * IEEE 754 arithmetic by integer instructions, with RISC-V's rounding modes,
 * flags and NaNs: the same bits on every host.
 *
 *     unsigned flags = 0;
 *     uint32_t sum = fp32_add(0x3f800000, 0x33800000, FP_RNE, &flags);
 *     sum == 0x3f800000 (1 + 2^-24 is a tie, 1 is even), flags == FP_NX
 *
 * A number is passed as its bits.  There are three formats:
 *
 *              sign  exponent  fraction     bias   one         canonical NaN
 *     fp16_    15    14..10    9..0           15   3c00        7e00
 *     fp32_    31    30..23    22..0         127   3f800000    7fc00000
 *     fp64_    63    62..52    51..0        1023   3ff00...0   7ff80...0
 *
 *     exponent   fraction  value
 *     all ones   0         infinity
 *     all ones   1.......  quiet NaN
 *     all ones   0...1...  signalling NaN
 *     0          f         (-1)^sign * 0.f * 2^(1 - bias)     subnormal, zero
 *     e          f         (-1)^sign * 1.f * 2^(e - bias)     normal
 *
 * RISC-V's additions to IEEE 754 (unprivileged manual, chapter F):
 *   - A result that is a NaN is the canonical one, without a payload.
 *   - Underflow: the result is inexact, and below the smallest normal number
 *     after rounding as if the exponent had no limit.
 *   - min and max are minimumNumber and maximumNumber: a NaN loses against a
 *     number, -0 < +0.
 *   - A conversion to an integer saturates and raises NV; NaN gives the
 *     largest integer.
 *
 * Functions add to *flags and never clear it.  No state, safe from any thread.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Rounding modes, numbered as in the rm field and the frm CSR. */
enum fp_rm {
    FP_RNE, /* to nearest, ties to even */
    FP_RTZ, /* towards zero */
    FP_RDN, /* down, towards -infinity */
    FP_RUP, /* up, towards +infinity */
    FP_RMM  /* to nearest, ties away from zero */
};

/* Flags as in the fflags CSR. */
enum fp_flag {
    FP_NX = 1, /* inexact */
    FP_UF = 2, /* underflow */
    FP_OF = 4, /* overflow */
    FP_DZ = 8, /* division of a finite number by zero */
    FP_NV = 16 /* invalid operation */
};

/* The result of fpN_class: exactly one bit. */
enum fp_class {
    FP_CLASS_NEG_INF = 1 << 0,
    FP_CLASS_NEG_NORMAL = 1 << 1,
    FP_CLASS_NEG_SUBNORMAL = 1 << 2,
    FP_CLASS_NEG_ZERO = 1 << 3,
    FP_CLASS_POS_ZERO = 1 << 4,
    FP_CLASS_POS_SUBNORMAL = 1 << 5,
    FP_CLASS_POS_NORMAL = 1 << 6,
    FP_CLASS_POS_INF = 1 << 7,
    FP_CLASS_SNAN = 1 << 8,
    FP_CLASS_QNAN = 1 << 9
};

/* Negations of a fused multiply-add, or-ed: 0 is a * b + c. */
enum fp_negate {
    FP_NEG_PRODUCT = 1, /* -(a * b) + c */
    FP_NEG_ADDEND = 2   /* a * b - c */
};

#define FP_WIDTH 16
#include "isa/softfloat_width.h"
#define FP_WIDTH 32
#include "isa/softfloat_width.h"
#define FP_WIDTH 64
#include "isa/softfloat_width.h"

/* Conversions between formats; those to a wider one do not round. */
uint16_t
fp16_from_fp32(uint32_t a, enum fp_rm rm, unsigned *flags);

uint16_t
fp16_from_fp64(uint64_t a, enum fp_rm rm, unsigned *flags);

uint32_t
fp32_from_fp16(uint16_t a, unsigned *flags);

uint32_t
fp32_from_fp64(uint64_t a, enum fp_rm rm, unsigned *flags);

uint64_t
fp64_from_fp16(uint16_t a, unsigned *flags);

uint64_t
fp64_from_fp32(uint32_t a, unsigned *flags);

/* e to the power a, to nearest, at most 0.51 ulp off; raises no flags, and a NaN gives
 * the canonical one.  The narrow functions compute the binary64 result and round it
 * again, as (float)exp((double)a) does. */
uint16_t
fp16_exp(uint16_t a);

uint32_t
fp32_exp(uint32_t a);

uint64_t
fp64_exp(uint64_t a);
