/* SPDX-License-Identifier: Apache-2.0 */
/* Operands for a row: corners crossed, and random ones that come near them. */
#pragma once

#include "../../isa/fp_operands.h"
#include "oracle.h"

struct operands {
    struct fp_random random;
    const struct oracle_row *row;
    unsigned from, to; /* bits of the operands, of the result */
};

/* How many operand tuples operands_crossed gives: all corners with all. */
uint64_t
operands_count(const struct operands *o);

/* Tuple number `n` of them, for a, b, c of the row. */
void
operands_crossed(const struct operands *o, uint64_t n, uint64_t abc[3]);

void
operands_random(struct operands *o, uint64_t abc[3]);
