/* SPDX-License-Identifier: Apache-2.0 */
/* Formats, and the operations that do not round to one: oracle_ops.c. */
#pragma once

#include <stdint.h>
/* after <stdint.h>, for intmax_t */
#include <mpfr.h>

#include "oracle.h"

struct format {
    unsigned width, index;
    int frac;       /* bits of the fraction */
    int emin, emax; /* of normal numbers 1.f * 2^e */
    uint64_t sign, inf, nan;
};

const struct format *
format_of(unsigned width);

bool
is_signalling(const struct format *f, uint64_t bits);

/* A number's bits to MPFR, which has 53 bits for it, and back. */
void
number_of(const struct format *f, uint64_t bits, mpfr_t to);

uint64_t
bits_of(const struct format *f, mpfr_t from);

/* oracle.c: a number of at most 64 bits, rounded to a format. */
uint64_t
oracle_round(mpfr_t exact, unsigned to, unsigned rm, unsigned *flags);

/* What is above OP_CONVERT in enum oracle_op. */
uint64_t
ops_result(enum oracle_op op, unsigned from, unsigned to, unsigned rm,
           const uint64_t operand[3], unsigned *flags);

void
ops_free(void);
