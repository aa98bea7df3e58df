/* SPDX-License-Identifier: Apache-2.0 */
/* What the functions of the device library must give, by MPFR: reference.c. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "oracle.h"

/* clang-format off */
#define FUNCTIONS(X)                                                         \
    X(add) X(sub) X(mul) X(div) X(fma) X(sqrt) X(ceil) X(floor) X(trunc)     \
    X(rint) X(round) X(fabs) X(copysign) X(fmax) X(fmin) X(maxmag) X(minmag) \
    X(fdim) X(fract) X(fract_floor) X(modf) X(modf_whole) X(frexp) X(ilogb)  \
    X(ldexp) X(logb) X(nextafter) X(fmod) X(remainder) X(remquo)
/* clang-format on */

enum function {
    F_row,     /* what a row of ventus.isa does */
    F_integer, /* likewise, saturating: a NaN becomes 0 */
#define X(name) F_##name,
    FUNCTIONS(X)
#undef X
};

struct kernel {
    const char *name;
    enum function function;
    unsigned from, to;
    unsigned rm;     /* of F_row and F_integer */
    const char *row; /* likewise */
};

/* All that kernels.py wrote; the last one has no name. */
extern const struct kernel exact_kernels[];

struct exact_operands {
    uint64_t x[3];
    int k;
};

struct exact_result {
    uint64_t bits;
    bool any_nan, either_zero; /* then these are right, too */
    int second;                /* the integer, of those that have one */
    bool any_second;
};

struct exact_result
exact_result(const struct kernel *k, const struct exact_operands *in);

bool
exact_second_fits(enum function function, int ours,
                  const struct exact_result *right);

bool
exact_is_nan(unsigned width, uint64_t bits);

bool
exact_is_zero(unsigned width, uint64_t bits);

/* A row of the oracle whose operands suit this kernel. */
const struct oracle_row *
exact_row(const struct kernel *k);

void
exact_free(void);
